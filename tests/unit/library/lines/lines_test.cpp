#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/library/call_graph/questions.hpp"
#include "unit/library/lines/line_costs.hpp"
#include "unit/library/parser/corpus.hpp"
#include <callcost/inlining.hpp>
#include <callcost/lines.hpp>
#include <callcost/writer.hpp>

namespace callcost::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

const LineCost& line_in(const FileLines& file, std::uint64_t line) {
    static const LineCost none;
    const auto found = std::find_if(file.lines.begin(), file.lines.end(),
                                    [&](const LineCost& cost) { return cost.line == line; });
    EXPECT_NE(found, file.lines.end()) << "line " << line;
    return found == file.lines.end() ? none : *found;
}

TEST(FileLinesOf, a_file_hold_what_is_located_there) {  // F73
    const Profile profile = profile_of(two_files);
    const CallGraph graph = graph_of(profile);
    const std::vector<Measure> both{measure_of(profile, "Ir"), measure_of(profile, "Dr")};
    const FileLines a = lines_of(graph, "a.c", both);
    EXPECT_THAT(a.self, ElementsAre(25, 1));
    ASSERT_THAT(a.lines, SizeIs(3));
    EXPECT_EQ(a.lines[0].line, 0U) << "cost without a line comes first";
    EXPECT_THAT(a.lines[0].self, ElementsAre(9, 0));
    EXPECT_THAT(a.lines[1].self, ElementsAre(15, 1));
    EXPECT_FALSE(a.lines[1].inlined);
    const FileLines b = lines_of(graph, "b.h", both);
    EXPECT_THAT(b.self, ElementsAre(80, 8));
    EXPECT_THAT(line_in(b, 7).self, ElementsAre(30, 3)) << "of f and of g";
    EXPECT_TRUE(line_in(b, 7).inlined);
    EXPECT_FALSE(line_in(b, 6).inlined);
}

TEST(FileLinesOf, a_line_add_up_its_calls_and_jumps) {
    const Profile profile = profile_of(two_files);
    const CallGraph graph = graph_of(profile);
    const LineCost line = line_in(lines_of(graph, "a.c", {measure_of(profile)}), 3);
    ASSERT_THAT(line.calls, SizeIs(1));
    EXPECT_EQ(graph.name(graph.callee(line.calls[0].arc)), "g");
    EXPECT_EQ(line.calls[0].cost, 60);
    EXPECT_EQ(line.calls[0].count.known, 3U);
    EXPECT_EQ(line.calls[0].address, 0U) << "there are two";
    ASSERT_THAT(line.jumps, SizeIs(2)) << "one is conditional";
    EXPECT_TRUE(line.jumps[0].conditional);
    EXPECT_EQ(line.jumps[0].executed, 4U);
    EXPECT_EQ(line.jumps[0].followed, 3U);
    EXPECT_EQ(line.jumps[1].executed, 5U);
    EXPECT_EQ(line.jumps[1].target_line, 1U);
    EXPECT_EQ(line.jumps[1].target_function, node_called(graph, "f"));
}

TEST(FileLinesOf, several_files_come_in_the_order_asked_for_also_twice) {
    const Profile profile = profile_of(two_files);
    const CallGraph graph = graph_of(profile);
    const FileId a = file_called(profile, "a.c");
    const FileId b = file_called(profile, "b.h");
    const std::vector<Measure> ir{measure_of(profile)};
    const auto files = value_of(file_lines(graph, std::vector{b, a, b}, ir));
    ASSERT_THAT(files, SizeIs(3));
    EXPECT_EQ(files[0].file, b);
    EXPECT_EQ(files[1].file, a);
    EXPECT_THAT(files[2].self, ElementsAre(80));
}

TEST(FileLinesOf, lines_without_any_cost_are_left_out) {
    const Profile profile = profile_of("events: Ir Dr\nfl=a.c\nfn=f\n1 0 5\n2 3\n3 0\n");
    const CallGraph graph = graph_of(profile);
    EXPECT_THAT(lines_of(graph, "a.c", {measure_of(profile, "Ir")}).lines, SizeIs(1));
    EXPECT_THAT(lines_of(graph, "a.c", {measure_of(profile, "Dr")}).lines, SizeIs(1));
}

TEST(FileLinesOf, parts_with_other_columns_are_read_by_name) {  // F14
    const Profile profile = profile_of(
        "part: 1\nevents: Ir Dr\nfl=a.c\nfn=f\n1 10 1\n\npart: 2\nevents: Dr Bc Ir\nfl=a.c\nfn=f\n1 2 9 "
        "20\n");
    const std::vector<Measure> wanted{measure_of(profile, "Ir"), measure_of(profile, "Dr + 100 Bc")};
    EXPECT_THAT(lines_of(graph_of(profile), "a.c", wanted).self, ElementsAre(30, 903));
    EXPECT_THAT(lines_of(graph_of(profile, {.parts = {2}}), "a.c", wanted).self, ElementsAre(20, 902));
}

TEST(FileLinesOf, need_a_profile_with_details) {
    const Profile profile = profile_of(two_files, Detail::functions);
    const CallGraph graph = graph_of(profile);
    const Measure ir = measure_of(profile);
    const NodeId f = node_called(graph, "f");
    const std::vector<Measure> measures{ir};
    const auto code = [](const auto& result) {
        return result.has_value() ? ErrorCode::cancelled : result.error().code;
    };
    EXPECT_EQ(code(file_lines(graph, std::vector{FileId(std::size_t{0})}, measures)),
              ErrorCode::needs_detail);
    EXPECT_EQ(code(lines_by_cost(graph, {.measures = std::span(&ir, 1)})), ErrorCode::needs_detail);
    EXPECT_EQ(code(located_costs(graph, ir)), ErrorCode::needs_detail);
    EXPECT_EQ(code(function_lines(graph, f, measures)), ErrorCode::needs_detail);
    EXPECT_EQ(code(instructions(graph, f, measures)), ErrorCode::needs_detail);
    EXPECT_EQ(code(call_sites(graph, ArcId(std::size_t{0}), ir)), ErrorCode::needs_detail);
    EXPECT_EQ(code(jumps(graph, f)), ErrorCode::needs_detail);
}

TEST(LocatedCosts, add_up_to_the_total) {
    for (const char* name :
         {"callgrind/stl-O2-instr-jumps.out", "callgrind/threads-separate-combined.out",
          "callgrind/all-events.out", "cachegrind/diff.out", "xdebug/plain.cachegrind.out"}) {
        const Profile profile = profile_file(name);
        const CallGraph graph = graph_of(profile);
        for (const Measure& measure : measures(profile)) {
            std::int64_t sum = 0;
            for (const std::int64_t cost : value_of(located_costs(graph, measure))) sum += cost;
            EXPECT_EQ(sum, graph.total(measure)) << name << " " << measure.name;
        }
    }
}

/// By the records of these parts, or of all.
std::vector<Cost> located_records(const Profile& profile, EventId event, std::optional<PartId> only = {}) {
    std::vector<Cost> costs(profile.file_count(), 0);
    for (std::size_t row = 0; row < profile.function_count(); ++row) {
        RecordCursor cursor = profile.records(FunctionId(row));
        for (Record record; cursor.next(record);) {
            if (record.kind != Record::Kind::cost || (only && cursor.part() != *only)) continue;
            const auto events = profile.parts()[cursor.part().value].events;
            for (std::size_t i = 0; i < record.costs.size(); ++i)
                if (events[i] == event) costs[record.file.value] += record.costs[i];
        }
    }
    return costs;
}

TEST(LocatedCosts, are_those_of_the_records_in_the_chosen_parts) {
    for (const std::string& path : all_profiles()) {
        SCOPED_TRACE(path);
        const Profile profile = profile_file(path);
        const EventId event(std::size_t{0});
        const Measure measure = measure_of(profile, profile.events()[0].name);
        EXPECT_EQ(value_of(located_costs(graph_of(profile), measure)), located_records(profile, event));
        const PartId last(profile.parts().size() - 1);
        EXPECT_EQ(
            value_of(located_costs(
                graph_of(profile, {.parts = {}, .threads = {}, .pids = {}, .rows = {last.value}}), measure)),
            located_records(profile, event, last));
    }
}

TEST(LocatedCosts, of_an_id_that_gets_its_name_late_are_those_of_the_name) {
    const Profile profile = profile_of("events: Ir\nfl=(1)\nfn=f\n1 5\nfi=b.h\n2 3\nfl=(1) a.c\nfn=g\n2 7\n");
    const auto located = value_of(located_costs(graph_of(profile), measure_of(profile)));
    EXPECT_EQ(located[file_called(profile, "a.c").value], 12);
    EXPECT_EQ(located[file_called(profile, "b.h").value], 3);
}

TEST(LocatedCosts, of_added_up_profiles_are_their_sum) {
    const Profile one = profile_of(two_files), other = profile_of("events: Ir\nfl=b.h\nfn=h\n1 100\n");
    ProfileMerger merger;
    EXPECT_TRUE(merger.add(one) && merger.add(other));
    const Result<Profile> added_up = std::move(merger).finish();
    ASSERT_TRUE(added_up.has_value());
    const Profile& sum = *added_up;
    const auto located = value_of(located_costs(graph_of(sum), measure_of(sum, "Ir")));
    EXPECT_EQ(located[file_called(sum, "a.c").value], 25);
    EXPECT_EQ(located[file_called(sum, "b.h").value], 180);
}

TEST(LocatedCosts, are_those_of_the_lines) {
    const Profile profile = profile_file("callgrind/stl-O2-instr-jumps.out");
    const CallGraph graph = graph_of(profile);
    const Measure ir = measure_of(profile);
    std::vector<FileId> all;
    for (std::size_t row = 0; row < profile.file_count(); ++row) all.emplace_back(row);
    const auto located = value_of(located_costs(graph, ir));
    EXPECT_THAT(value_of(file_lines(graph, {}, std::vector{ir})), IsEmpty());
    for (const FileLines& file : value_of(file_lines(graph, all, std::vector{ir}))) {
        EXPECT_EQ(file.self[0], located[file.file.value]);
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            sum += file.lines[i].self[0];
            EXPECT_TRUE(i == 0 || file.lines[i - 1].line < file.lines[i].line);
        }
        EXPECT_EQ(sum, file.self[0]);
    }
}

TEST(FunctionLines, begin_with_the_functions_own_file) {
    const Profile profile = profile_of(two_files);
    const CallGraph graph = graph_of(profile);
    const auto files =
        value_of(function_lines(graph, node_called(graph, "f"), std::vector{measure_of(profile)}));
    ASSERT_THAT(files, SizeIs(2));
    EXPECT_EQ(profile.name(files[0].file), "a.c");
    EXPECT_THAT(files[0].self, ElementsAre(25));
    EXPECT_EQ(profile.name(files[1].file), "b.h");
    EXPECT_THAT(files[1].self, ElementsAre(20));
    EXPECT_TRUE(files[1].lines[0].inlined);
}

TEST(FunctionLines, of_folded_functions_are_those_of_all_levels) {
    const Profile profile = profile_of(
        "version: 1\ncreator: callgrind-3.19.0\ncmd: x\nevents: Ir\nfl=a.c\nfn=f\n1 1\n2 "
        "10\ncfn=f'2\ncalls=1 1\n3 40\n"
        "fn=f'2\n1 2\n2 20\ncfn=f'2\ncalls=1 1\n3 18\n");
    const CallGraph graph = graph_of(profile, {.contexts = Contexts::fold});
    const Measure ir = measure_of(profile);
    const auto files = value_of(function_lines(graph, node_called(graph, "f"), std::vector{ir}));
    ASSERT_THAT(files, SizeIs(1));
    EXPECT_THAT(files[0].self, ElementsAre(33));
    const LineCost& calls = line_in(files[0], 3);
    ASSERT_THAT(calls.calls, SizeIs(1)) << "two arcs of the file, one of the graph";
    EXPECT_EQ(calls.calls[0].cost, 58);
    EXPECT_EQ(calls.calls[0].count.known, 2U);
    const auto sites = value_of(call_sites(graph, arc_between(graph, "f", "f"), ir));
    ASSERT_THAT(sites, SizeIs(1));
    EXPECT_EQ(sites[0].cost, 58);
}

TEST(Instructions, come_by_address) {
    const Profile profile = profile_of(two_files);
    const CallGraph graph = graph_of(profile);
    const auto all = value_of(instructions(graph, node_called(graph, "f"), std::vector{measure_of(profile)}));
    std::vector<std::uint64_t> addresses;
    addresses.reserve(all.size());
    for (const InstructionCost& instruction : all) addresses.push_back(instruction.address);
    EXPECT_THAT(addresses, ElementsAre(0x10, 0x14, 0x18, 0x1c, 0x20, 0x24, 0x28, 0x2c, 0x30));
    EXPECT_THAT(all[2].self, ElementsAre(20));
    EXPECT_EQ(profile.name(all[2].file), "b.h");
    EXPECT_EQ(all[2].line, 7U);
    ASSERT_THAT(all[4].calls, SizeIs(1));
    EXPECT_EQ(all[4].calls[0].cost, 40);
    EXPECT_EQ(all[4].calls[0].address, 0x20U);
    EXPECT_THAT(all[6].jumps, SizeIs(1));
}

TEST(Instructions, add_up_to_the_function) {
    const Profile profile = profile_file("callgrind/stl-O2-instr-jumps.out");
    const CallGraph graph = graph_of(profile);
    const Measure ir = measure_of(profile);
    const std::vector<Measure> measures{ir};
    for (std::size_t row = 0; row < graph.size(); ++row) {
        std::int64_t self = 0;
        std::int64_t calls = 0;
        for (const InstructionCost& instruction : value_of(instructions(graph, NodeId(row), measures))) {
            self += instruction.self[0];
            for (const CallSite& call : instruction.calls) calls += call.cost;
        }
        std::int64_t lines = 0;
        for (const FileLines& file : value_of(function_lines(graph, NodeId(row), measures)))
            lines += file.self[0];
        std::int64_t arcs = 0;
        for (const ArcId arc : graph.callees(NodeId(row))) arcs += graph.cost(arc, ir);
        EXPECT_EQ(self, graph.self(NodeId(row), ir));
        EXPECT_EQ(lines, self);
        EXPECT_EQ(calls, arcs);
    }
}

TEST(CallSites, come_costliest_first_and_add_up_to_the_arc) {
    const Profile profile = profile_of(two_files);
    const CallGraph graph = graph_of(profile);
    const auto sites = value_of(call_sites(graph, arc_between(graph, "f", "g"), measure_of(profile)));
    ASSERT_THAT(sites, SizeIs(2));
    EXPECT_EQ(sites[0].cost, 40);
    EXPECT_EQ(sites[0].address, 0x20U);
    EXPECT_EQ(sites[0].count.known, 2U);
    EXPECT_EQ(sites[1].cost, 20);
    EXPECT_EQ(profile.name(sites[1].file), "a.c");
}

TEST(CallSites, of_several_arcs_are_those_of_each) {
    for (const auto contexts : {Contexts::keep, Contexts::fold}) {
        const Profile profile = profile_file("callgrind/sepcallers1-seprecs3.out");
        const CallGraph graph = graph_of(profile, {.contexts = contexts});
        std::vector<ArcId> arcs;
        for (std::size_t row = graph.arc_count(); row-- > 0;) arcs.emplace_back(row);
        const auto all = value_of(call_sites(graph, arcs, measure_of(profile)));
        ASSERT_THAT(all, SizeIs(arcs.size()));
        for (std::size_t i = 0; i < arcs.size(); ++i) {
            const auto alone = value_of(call_sites(graph, arcs[i], measure_of(profile)));
            ASSERT_THAT(all[i], SizeIs(alone.size()));
            for (std::size_t k = 0; k < alone.size(); ++k) {
                EXPECT_EQ(all[i][k].arc, arcs[i]);
                EXPECT_EQ(all[i][k].cost, alone[k].cost);
                EXPECT_EQ(all[i][k].line, alone[k].line);
                EXPECT_EQ(all[i][k].count, alone[k].count);
            }
        }
    }
}

TEST(FileLinesOf, a_file_are_asked_for_by_one_measure_or_by_several) {
    const Profile profile = profile_of("events: A B\nfl=a\nfn=f\n1 4 2\n");
    const CallGraph graph = graph_of(profile);
    const Measure a = measure_of(profile, "A"), b = measure_of(profile, "B");
    const std::vector files{file_called(profile, "a")};
    EXPECT_THAT(value_of(file_lines(graph, files, b))[0].self, ElementsAre(2));
    EXPECT_THAT(value_of(file_lines(graph, files, std::vector{b, a}))[0].self, ElementsAre(2, 4));
    const NodeId f(0U);
    EXPECT_THAT(value_of(function_lines(graph, f, b))[0].self, ElementsAre(2));
    EXPECT_THAT(value_of(instructions(graph, f, b))[0].self, ElementsAre(2));
}

TEST(CallSites, of_chosen_parts_only) {
    const Profile profile = profile_of(
        "part: 1\nevents: Ir\nfn=f\n1 1\ncfn=g\ncalls=1 1\n5 10\n\npart: 2\nevents: Ir\nfn=f\ncfn=g\ncalls=0 "
        "1\n6 3\n");
    const CallGraph graph = graph_of(profile, {.parts = {2}});
    const auto sites = value_of(call_sites(graph, arc_between(graph, "f", "g"), measure_of(profile)));
    ASSERT_THAT(sites, SizeIs(1));
    EXPECT_EQ(sites[0].line, 6U);
    EXPECT_TRUE(sites[0].count.at_least);
}

TEST(Jumps, are_added_up_over_parts_and_come_by_position) {  // F80
    const Profile profile = profile_of(
        "part: 1\nevents: Ir\nfl=a.c\nfn=f\n9 1\njump=2 1\n9\njump=3 4\n5\n\n"
        "part: 2\nevents: Ir\nfl=a.c\nfn=f\n9 1\njump=5 1\n9\njfi=b.c\njfn=g\njump=1 7\n5\nfn=g\n1 1\n");
    const CallGraph graph = graph_of(profile);
    const auto found = value_of(jumps(graph, node_called(graph, "f")));
    ASSERT_THAT(found, SizeIs(3));
    EXPECT_EQ(found[0].line, 5U);
    EXPECT_EQ(found[1].line, 5U);
    EXPECT_EQ(found[2].line, 9U);
    EXPECT_EQ(found[2].executed, 7U);
    EXPECT_EQ(found[2].followed, 7U);
    EXPECT_THAT(value_of(jumps(graph, node_called(graph, "g"))), IsEmpty());
}

TEST(RealLines, relative_and_absolute_positions_are_equal) {  // F40
    const Profile plain = profile_file("callgrind/pos-plain.out");
    const Profile packed = profile_file("callgrind/pos-compressed.out");
    const FileLines a = lines_of(graph_of(plain), "/home/user/src/pos.c", {measure_of(plain)});
    const FileLines b = lines_of(graph_of(packed), "/home/user/src/pos.c", {measure_of(packed)});
    ASSERT_EQ(a.lines.size(), b.lines.size());
    EXPECT_EQ(a.self, b.self);
    for (std::size_t i = 0; i < a.lines.size(); ++i) {
        EXPECT_EQ(a.lines[i].line, b.lines[i].line);
        EXPECT_EQ(a.lines[i].self, b.lines[i].self);
        ASSERT_EQ(a.lines[i].calls.size(), b.lines[i].calls.size());
        for (std::size_t call = 0; call < a.lines[i].calls.size(); ++call)
            EXPECT_EQ(a.lines[i].calls[call].cost, b.lines[i].calls[call].cost);
    }
}

TEST(RealLines, calls_of_different_functions_on_one_line_are_all_counted) {
    const Profile profile = profile_file("callgrind/templates-same-line.out");
    const LineCost line =
        line_in(lines_of(graph_of(profile), "/home/user/src/tmpl.cpp", {measure_of(profile)}), 3);
    EXPECT_THAT(line.calls, SizeIs(4));
    std::int64_t cost = 0;
    for (const CallSite& call : line.calls) cost += call.cost;
    EXPECT_EQ(cost, 516);
}

TEST(Files, come_by_the_cost_located_or_defined_in_them) {  // F73
    const Profile profile =
        profile_of("events: Ir\nfl=a.c\nfn=f\n1 10\nfi=b.h\n2 30\nfl=c.c\nfn=g\n3 30\nfl=\nfn=h\n0 5\n");
    const CallGraph graph = graph_of(profile);
    const Measure ir = measure_of(profile);
    const auto texts = [&](const std::vector<FileCost>& files) {
        std::vector<std::string> result;
        result.reserve(files.size());
        for (const FileCost& file : files)
            result.push_back(std::string(profile.name(file.file)) + " " + std::to_string(file.cost));
        return result;
    };
    const auto located = value_of(files_by_located_cost(graph, ir));
    EXPECT_THAT(texts(located), ElementsAre("b.h 30", "c.c 30", "a.c 10", "??? 5"));
    EXPECT_THAT(texts(files_by_defined_cost(graph, ir)), ElementsAre("a.c 40", "c.c 30", "??? 5", "b.h 0"));
    EXPECT_EQ(covering(located, 0.8, 75), 2U);
    EXPECT_EQ(covering(located, 0.81, 75), 3U);
    EXPECT_EQ(covering(located, 1, 75), 4U);
    EXPECT_EQ(covering(located, 0.5, 0), 4U);
    const Profile functions = profile_of("events: Ir\nfl=a.c\nfn=f\n1 10\n", Detail::functions);
    EXPECT_EQ(files_by_defined_cost(graph_of(functions), ir)[0].cost, 10);
    EXPECT_FALSE(files_by_located_cost(graph_of(functions), ir).has_value());
}

TEST(Files, come_by_absolute_cost) {
    const Profile profile = profile_of(
        "events: Ir\nfl=a.c\nfn=f\n1 1000000\n2 -1000000\nfl=b.c\nfn=g\n1 10\nfl=c.c\nfn=h\n1 -20\n"
        "fl=d.c\nfn=i\n1 5\nfn=j\n1 -5\n");
    const CallGraph graph = graph_of(profile);
    const auto located = value_of(files_by_located_cost(graph, measure_of(profile)));
    EXPECT_EQ(profile.name(located[0].file), "a.c");
    EXPECT_EQ(located[0].cost, 0);
    EXPECT_EQ(located[0].absolute, 2'000'000U);
    EXPECT_EQ(profile.name(located[1].file), "c.c");
    EXPECT_EQ(located[1].absolute, 20U);
    EXPECT_EQ(profile.name(located[3].file), "???");
    EXPECT_EQ(located[3].absolute, 0U) << "what two functions add to one line cancels out";
    EXPECT_EQ(covering(located, 0.99, -10), 1U);
    const auto defined = files_by_defined_cost(graph, measure_of(profile));
    EXPECT_EQ(profile.name(defined[0].file), "c.c") << "functions, not lines";
    EXPECT_EQ(defined[1].absolute, 10U);
}

TEST(Files, come_by_absolute_costs_of_a_difference_of_event_types) {
    const Profile profile = profile_of("events: Ir Dr\nfl=a.c\nfn=f\n1 10 0\n2 0 10\nfl=b.c\nfn=g\n1 3 0\n");
    const auto measure = find_measure(profile, "Ir - Dr");
    ASSERT_TRUE(measure.has_value());
    const auto located = value_of(files_by_located_cost(graph_of(profile), *measure));
    EXPECT_EQ(profile.name(located[0].file), "a.c");
    EXPECT_EQ(located[0].absolute, 20U);
    EXPECT_EQ(located[0].cost, 0);
}

TEST(Files, have_cost_on_lines_of_their_text_on_none_and_past_its_end) {  // F79
    const Profile profile = plain_profile("fl=a.c\nfn=f\n0 1\n1 2\n7 4\n8 8\n");
    const CallGraph graph = graph_of(profile);
    const CostInText cost = cost_in_text(lines_of(graph, "a.c", {measure_of(profile)}), 7);
    EXPECT_EQ(cost.lines, 6);
    EXPECT_EQ(cost.no_line, 1);
    EXPECT_EQ(cost.past_end, 8);
}

TEST(RealLines, two_files_of_a_run_add_up_as_one) {
    const Profile both = profile_files({"callgrind/every-bb.out.1", "callgrind/every-bb.out"});
    EXPECT_EQ(both.parts().size(), 2U);
    std::int64_t sum = 0;
    for (const char* name : {"callgrind/every-bb.out.1", "callgrind/every-bb.out"}) {
        const Profile one = profile_file(name);
        for (const std::int64_t cost : value_of(located_costs(graph_of(one), measure_of(one)))) sum += cost;
    }
    EXPECT_EQ(graph_of(both).total(measure_of(both)), sum);
}

TEST(RealLines, hostile_places_are_only_numbers) {
    const Profile profile = profile_of(
        "positions: instr line\nevents: Ir\nfl=a.c\nfn=f\n0xffffffffffffffff 18446744073709551615 1\n0 0 2\n"
        "0x8000000000000000 9223372036854775808 3\n");
    const CallGraph graph = graph_of(profile);
    EXPECT_THAT(lines_of(graph, "a.c", {measure_of(profile)}).lines, SizeIs(3));
    EXPECT_THAT(value_of(instructions(graph, node_called(graph, "f"), std::vector{measure_of(profile)})),
                SizeIs(3));
}

}  // namespace
}  // namespace callcost::test
