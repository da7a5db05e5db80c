// The most expensive lines of a profile, over all functions.
#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/library/call_graph/questions.hpp"
#include "unit/library/lines/line_costs.hpp"
#include "unit/library/merge/inline_maps.hpp"
#include "unit/library/parser/corpus.hpp"
#include <callcost/lines.hpp>
#include <callcost/tree.hpp>

namespace callcost::test {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

TEST(LinesByCost, are_added_up_over_functions_and_name_the_costliest) {
    const Profile profile = profile_of(two_files);
    const CallGraph graph = graph_of(profile);
    const std::vector<Measure> both{measure_of(profile, "Ir"), measure_of(profile, "Dr")};
    const LineList list = value_of(lines_by_cost(graph, {.measures = both, .limit = 3}));
    ASSERT_THAT(list.rows, SizeIs(3));
    EXPECT_EQ(list.rows[0].line, 6U);
    EXPECT_THAT(list.rows[1].self, ElementsAre(30, 3)) << "b.h:7 is inlined into f and run by g";
    EXPECT_EQ(list.rows[1].functions, 2U);
    EXPECT_EQ(graph.name(list.rows[1].function), "f");
    EXPECT_EQ(list.rows[2].line, 1U);
    EXPECT_EQ(list.omitted_rows, 2U);
    EXPECT_THAT(list.omitted_self, ElementsAre(10, 0));
}

TEST(LinesByCost, need_no_options) {
    const Profile profile = profile_of("events: Zero Ir\nfl=a\nfn=f\n1 0 2\n2 0 3\n");
    const LineList list = value_of(lines_by_cost(graph_of(profile)));
    ASSERT_THAT(list.rows, SizeIs(2));
    EXPECT_EQ(list.rows[0].line, 2U);
    EXPECT_EQ(list.rows[0].self, std::vector<Cost>{3}) << "by the default measure";
}

TEST(LinesByCost, of_some_functions_leave_the_others_out_of_the_rows_and_not_of_the_total) {
    const Profile profile = profile_of(two_files);
    const CallGraph graph = graph_of(profile);
    const std::vector<Measure> ir{measure_of(profile)};
    const auto is_g = [&](NodeId node) { return graph.name(node) == "g"; };
    const LineList list = value_of(lines_by_cost(graph, {.measures = ir, .where = is_g}));
    ASSERT_THAT(list.rows, SizeIs(2));
    EXPECT_THAT(list.rows[1].self, ElementsAre(10));
    EXPECT_EQ(list.omitted_rows, 0U);
    EXPECT_THAT(list.omitted_self, ElementsAre(45));
}

TEST(LinesByCost, are_estimates_between_bounds_where_a_part_of_a_function_is_kept) {
    // Of 100 in f, 60 to 80 are kept, probably 70; all of g.
    const Profile profile = plain_profile("fn=f\n1 90\n2 10\nfn=g\n3 5\n2 1\n");
    const CallGraph graph = graph_of(profile);
    const std::vector<Measure> ir{measure_of(profile)};
    const bool is_f_first = graph.name(NodeId(0U)) == "f";
    const auto costs = [&](std::int64_t f, std::int64_t g) {
        return is_f_first ? std::vector<Cost>{f, g} : std::vector<Cost>{g, f};
    };
    FilteredCosts kept;
    kept.self = {costs(70, 6), costs(60, 6), costs(80, 6)};
    const LineList list = value_of(lines_by_cost(graph, {.measures = ir, .kept = {&kept}}));
    ASSERT_THAT(list.rows, SizeIs(3));
    EXPECT_THAT(list.rows[0].self, ElementsAre(63));
    EXPECT_THAT(list.rows[0].least, ElementsAre(50)) << "if all of line 2 is kept";
    EXPECT_THAT(list.rows[0].most, ElementsAre(80));
    EXPECT_THAT(list.rows[1].self, ElementsAre(7 + 1));
    EXPECT_THAT(list.rows[1].least, ElementsAre(0 + 1));
    EXPECT_THAT(list.rows[1].most, ElementsAre(10 + 1));
    EXPECT_THAT(list.rows[2].least, ElementsAre(5));
    EXPECT_THAT(list.rows[2].most, ElementsAre(5));
}

TEST(LinesByCost, are_estimates_of_the_greatest_costs_too) {
    const Profile profile = plain_profile("fn=f\n1 9223372036854775807\n");
    const CallGraph graph = graph_of(profile);
    const std::vector<Measure> ir{measure_of(profile)};
    const Cost whole = graph.self(NodeId(0U), ir[0]);
    FilteredCosts kept;
    kept.self = {{whole}, {0}, {whole}};
    const LineList list = value_of(lines_by_cost(graph, {.measures = ir, .kept = {&kept}}));
    EXPECT_THAT(list.rows[0].self, ElementsAre(whole));
}

TEST(LinesByCost, agree_with_the_lines_of_files) {
    const Profile profile = profile_file("callgrind/stl-O2-instr-jumps.out");
    const CallGraph graph = graph_of(profile);
    const std::vector<Measure> ir{measure_of(profile)};
    const LineList list = value_of(lines_by_cost(graph, {.measures = ir}));
    EXPECT_THAT(list.omitted_self, ElementsAre(0));
    std::vector<FileId> files;
    for (std::size_t row = 0; row < profile.file_count(); ++row) files.emplace_back(row);
    std::map<std::pair<FileId, std::uint64_t>, std::int64_t> costs;
    for (const FileLines& file : value_of(file_lines(graph, files, ir)))
        for (const LineCost& line : file.lines)
            if (line.self[0] != 0) costs[{file.file, line.line}] = line.self[0];
    EXPECT_EQ(list.rows.size(), costs.size());
    for (const HotLine& line : list.rows) EXPECT_EQ(costs[std::pair(line.file, line.line)], line.self[0]);
}

/// "a.c:1 10 (+20)" for each line: its own cost, and that with calls.
std::vector<std::string> texts_of(const Profile& profile, const LineList& list) {
    std::vector<std::string> texts;
    for (const HotLine& line : list.rows) {
        texts.push_back(std::string(profile.name(line.file)) + ':' + std::to_string(line.line) + ' ' +
                        std::to_string(line.self.front()));
        if (!line.with_calls.empty()) texts.back() += " (" + std::to_string(line.with_calls.front()) + ')';
    }
    return texts;
}

TEST(LinesByCost, are_those_of_the_program_first_and_last_what_has_none) {
    const Profile profile = plain_profile(
        "fl=/usr/include/x.h\nfn=lib\n5 100\nfl=a.c\nfn=f\n1 10\n2 3\ncfi=/usr/include/x.h\ncfn=lib\n"
        "calls=1 5\n2 100\n3 40\n0 500\n");
    const CallGraph graph = graph_of(profile);
    LinesOptions options;
    options.with_calls = true;
    EXPECT_THAT(texts_of(profile, value_of(lines_by_cost(graph, options))),
                ElementsAre("a.c:0 500", "/usr/include/x.h:5 100 (100)", "a.c:3 40 (40)", "a.c:1 10 (10)",
                            "a.c:2 3 (103)"));
    options.is_system_file = [&](FileId file) { return profile.name(file).starts_with("/usr/"); };
    EXPECT_THAT(texts_of(profile, value_of(lines_by_cost(graph, options))),
                ElementsAre("a.c:3 40 (40)", "a.c:1 10 (10)", "a.c:2 3 (103)", "/usr/include/x.h:5 100 (100)",
                            "a.c:0 500"));
    options.limit = 3;
    const LineList list = value_of(lines_by_cost(graph, options));
    EXPECT_THAT(texts_of(profile, list),
                ElementsAre("a.c:3 40 (40)", "/usr/include/x.h:5 100 (100)", "a.c:0 500"))
        << "none that costs more is left out";
    EXPECT_EQ(list.omitted_rows, 2U);
    EXPECT_THAT(list.omitted_self, ElementsAre(13));
}

TEST(LinesByCost, with_calls_leave_out_what_is_counted_again) {
    const Profile profile = plain_profile(
        "fl=x\nfn=main\n1 1\ncfn=f\ncalls=1 2\n1 30\nfn=f\n2 10\ncfn=f\ncalls=2 2\n3 20\n3 20\n");
    const CallGraph graph = graph_of(profile);
    LinesOptions options;
    options.with_calls = true;
    EXPECT_THAT(texts_of(profile, value_of(lines_by_cost(graph, options))),
                ElementsAre("x:3 20 (20)", "x:2 10 (10)", "x:1 1 (31)"));
}

TEST(LinesByCost, with_calls_are_not_known_of_functions_that_may_call_each_other) {
    const Profile profile = plain_profile(
        "fl=x\nfn=f<int>\n1 3\ncfn=f<long>\ncalls=1 1\n1 50\nfn=f<long>\n1 40\ncfn=g\ncalls=1 1\n1 10\n"
        "fn=g\n2 10\n");
    LinesOptions options;
    options.with_calls = true;
    EXPECT_THAT(texts_of(profile, value_of(lines_by_cost(graph_of(profile), options))),
                ElementsAre("x:1 43", "x:2 10 (10)"));
}

/// Code of the system counts where the program has it, its calls too.
TEST(LinesByCost, of_inlined_code_of_the_system_are_where_it_was_inlined) {
    const Profile whole = profile_of(
        "creator: callgrind-3.19.0\npositions: instr line\nevents: Ir\nob=prog\nfl=a.c\nfn=f\n0x10 1 5\n"
        "fi=/usr/v.h\n0x14 70 10\n0x18 80 3\ncfi=a.c\ncfn=g\ncalls=1 0x30 9\n0x1c 80 7\nfe=a.c\n0x20 3 1\n"
        "fl=a.c\nfn=g\n0x30 9 7\n");
    InlineMap map;
    map.object = "prog";
    map.files = {"a.c", "/usr/v.h"};
    map.functions = {{"outer", "/usr/v.h", 60}, {"inner", "/usr/v.h", 70}};
    map.sites = {{InlineSite::none, 0, 0, 2, 0x14}, {0, 1, 1, 65, 0x18}};
    map.runs = {{0x14, 0}, {0x18, 1}, {0x20, InlineSite::none}};
    const Profile profile = expanded(whole, {map});
    const CallGraph graph = graph_of(profile);
    LinesOptions options;
    options.with_calls = true;
    options.is_system_file = [&](FileId file) { return profile.name(file).starts_with("/usr/"); };
    const LineList list = value_of(lines_by_cost(graph, options));
    EXPECT_THAT(texts_of(profile, list),
                ElementsAre("a.c:2 13 (20)", "a.c:9 7 (7)", "a.c:1 5 (5)", "a.c:3 1 (1)"));
    EXPECT_EQ(graph.name(list.rows[0].function), "f") << "not the function of the system";
    EXPECT_EQ(list.rows[0].functions, 1U);
}
/// Of inlined code it is known where it is inlined, so a focus keeps or drops each place whole.
TEST(LinesByCost, of_inlined_code_are_kept_by_where_it_is_inlined) {
    const Profile whole = profile_of(
        "creator: callgrind-3.19.0\npositions: instr line\nevents: Ir\nob=prog\nfl=a.c\nfn=main\n0x8 1 1\n"
        "cfn=f\ncalls=1 0x10 2\n0x9 1 35\ncfn=g\ncalls=1 0x20 3\n0xa 1 57\n"
        "fn=f\n0x10 2 5\nfi=v.h\n0x14 70 30\nfe=a.c\nfn=g\n0x20 3 7\nfi=v.h\n0x24 70 50\n");
    InlineMap map;
    map.object = "prog";
    map.files = {"a.c", "v.h"};
    map.functions = {{"v", "v.h", 69}};
    map.sites = {{InlineSite::none, 0, 0, 2, 0x14}, {InlineSite::none, 0, 0, 3, 0x24}};
    map.runs = {{0x14, 0}, {0x18, InlineSite::none}, {0x24, 1}, {0x28, InlineSite::none}};
    const Profile profile = expanded(whole, {map});
    const CallGraph graph = graph_of(profile);
    const std::vector<Measure> ir{measure_of(profile)};
    const Filters filters{.focus = [&](NodeId node) { return graph.name(node) == "g"; }};
    const FilteredCosts kept = filtered_costs(graph, filters, filter(graph, filters, ir[0]), ir[0]);
    const LineList list = value_of(lines_by_cost(graph, {.measures = ir, .kept = {&kept}}));
    EXPECT_THAT(texts_of(profile, list), ElementsAre("v.h:70 50", "a.c:3 7", "a.c:1 0", "a.c:2 0"));
    for (const HotLine& line : list.rows) EXPECT_EQ(line.least, line.most);
}

}  // namespace
}  // namespace callcost::test
