#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/library/call_graph/questions.hpp"
#include "unit/library/parser/growth.hpp"
#include "unit/library/parser/sanitized.hpp"
#include "unit/library/tree/programs.hpp"
#include <callcost/call_graph.hpp>
#include <callcost/groups.hpp>

namespace callcost::test {
namespace {

using testing::ElementsAre;
using testing::Pair;
using testing::SizeIs;
using testing::UnorderedElementsAre;

std::vector<std::pair<std::string, std::int64_t>> selfs(const GroupList& list) {
    std::vector<std::pair<std::string, std::int64_t>> result;
    result.reserve(list.rows.size());
    for (const Group& group : list.rows) result.emplace_back(group.name, group.self);
    return result;
}
std::vector<std::pair<std::string, std::int64_t>> inclusives(const GroupList& list) {
    std::vector<std::pair<std::string, std::int64_t>> result;
    result.reserve(list.rows.size());
    for (const Group& group : list.rows) result.emplace_back(group.name, group.inclusive.estimate);
    return result;
}

const char* const objects_text =
    "events: Ir\n"
    "ob=prog\nfl=src/main.cpp\nfn=app::main()\n1 10\n"
    "cob=lib\ncfi=/usr/lib/sort.cpp\ncfn=lib::sort()\ncalls=1 1\n1 60\ncfn=app::util::help()\ncalls=1 1\n1 "
    "5\n"
    "fn=app::util::help()\n1 5\n"
    "fl=compare.cpp\nfn=app::compare()\n1 20\n"
    "ob=lib\nfl=/usr/lib/sort.cpp\nfn=lib::sort()\n1 "
    "30\ncob=prog\ncfi=compare.cpp\ncfn=app::compare()\ncalls=9 1\n1 20\n"
    "cob=libc\ncfi=???\ncfn=memcpy\ncalls=1 1\n1 10\n"
    "ob=libc\nfl=\nfn=memcpy\n1 10\n";

TEST(Groups, are_by_object_file_directory_or_namespace) {
    const Profile profile = profile_of(objects_text);
    const CallGraph graph = graph_of(profile);
    const FunctionsOptions by_self{.measure = measure_of(profile)};
    EXPECT_THAT(selfs(groups(graph, GroupBy::object, by_self)),
                ElementsAre(Pair("prog", 35), Pair("lib", 30), Pair("libc", 10)));
    EXPECT_THAT(selfs(groups(graph, GroupBy::file, by_self)),
                ElementsAre(Pair("/usr/lib/sort.cpp", 30), Pair("compare.cpp", 20), Pair("src/main.cpp", 15),
                            Pair("???", 10)));
    EXPECT_THAT(selfs(groups(graph, GroupBy::directory, by_self)),
                ElementsAre(Pair("/usr/lib", 30), Pair(".", 20), Pair("src", 15), Pair("???", 10)));
    EXPECT_THAT(selfs(groups(graph, GroupBy::name_space, by_self)),
                ElementsAre(Pair("app", 30), Pair("lib", 30), Pair("", 10), Pair("app::util", 5)));
}

TEST(Groups, inclusive_cost_is_self_plus_the_arcs_that_leave) {
    const Profile profile = profile_of(objects_text);
    const CallGraph graph = graph_of(profile);
    const FunctionsOptions options{.measure = measure_of(profile), .by = SortBy::inclusive};
    EXPECT_THAT(inclusives(groups(graph, GroupBy::file, options)),
                ElementsAre(Pair("src/main.cpp", 75), Pair("/usr/lib/sort.cpp", 60), Pair("compare.cpp", 20),
                            Pair("???", 10)));
}

TEST(Groups, that_call_each_other_in_a_circle_cost_what_was_spent_while_they_were_on_the_stack) {
    const Profile profile = profile_of(objects_text);
    const CallGraph graph = graph_of(profile);
    const FunctionsOptions options{.measure = measure_of(profile), .by = SortBy::inclusive};
    // prog calls lib, lib calls back into prog: the total is 75.
    EXPECT_THAT(inclusives(groups(graph, GroupBy::object, options)),
                ElementsAre(Pair("prog", 75), Pair("lib", 60), Pair("libc", 10)));
    std::map<std::string, bool> circular;
    for (const Group& group : groups(graph, GroupBy::object, options).rows)
        circular[group.name] = group.in_cycle_of_groups;
    EXPECT_THAT(circular, UnorderedElementsAre(Pair("lib", true), Pair("prog", true), Pair("libc", false)));
}

TEST(Groups, of_everything_cost_the_total) {  // whoever calls functions without records of their own
    for (const char* name : {"go-pprof/cpu-calltree.callgrind", "gperftools/cpu.callgrind"}) {
        const Profile profile = profile_file(name);
        const CallGraph graph = graph_of(profile);
        const auto all = groups(graph, GroupBy::object, {}).rows;
        ASSERT_THAT(all, SizeIs(1)) << name;
        EXPECT_EQ(all[0].inclusive.estimate, graph.total(default_measure(profile))) << name;
    }
}

TEST(Groups, count_the_calls_that_enter) {
    const Profile profile = profile_of(objects_text);
    const CallGraph graph = graph_of(profile);
    std::map<std::string, std::uint64_t> called;
    for (const Group& group : groups(graph, GroupBy::object, {.measure = measure_of(profile)}).rows)
        called[group.name] = group.called.known;
    EXPECT_THAT(called, UnorderedElementsAre(Pair("prog", 9), Pair("lib", 1), Pair("libc", 1)));
}

TEST(Groups, by_cycle_have_the_costs_of_the_cycle) {
    const Profile profile = profile_file("callgrind/python-instr-jumps.out");
    const CallGraph graph = graph_of(profile);
    const Measure ir = measure_of(profile);
    const auto all = groups(graph, GroupBy::cycle, {.measure = ir, .by = SortBy::name}).rows;
    ASSERT_THAT(all, SizeIs(graph.cycle_count() + 1));
    for (const Group& group : all) {
        if (!group.cycle.valid()) {
            EXPECT_EQ(group.name, "");
            continue;
        }
        EXPECT_EQ(group.name, "<cycle " + std::to_string(group.cycle.value + 1) + ">");
        EXPECT_EQ(group.self, graph.self(group.cycle, ir));
        EXPECT_EQ(group.inclusive.estimate, graph.inclusive(group.cycle, ir));  // F76 b
        EXPECT_THAT(group.nodes, SizeIs(graph.members(group.cycle).size()));
        EXPECT_EQ(group.called.known, graph.call_count(group.cycle).known);
    }
}

TEST(Groups, add_up_to_the_total_and_none_costs_more) {
    for (const char* name : {"callgrind/python-instr-jumps.out", "callgrind/stl-O2-instr-jumps.out",
                             "callgrind/sepcallers-chain.out", "callgrind/threads-separate-combined.out"}) {
        const Profile profile = profile_file(name);
        const CallGraph graph = graph_of(profile);
        const Measure ir = measure_of(profile);
        for (const GroupBy by :
             {GroupBy::object, GroupBy::file, GroupBy::directory, GroupBy::name_space, GroupBy::cycle}) {
            std::int64_t self = 0;
            std::size_t nodes = 0;
            for (const Group& group : groups(graph, by, {.measure = ir}).rows) {
                self += group.self;
                nodes += group.nodes.size();
                EXPECT_GE(group.inclusive.estimate, group.self) << name << " " << group.name;
                EXPECT_LE(group.inclusive.most, graph.total(ir)) << name << " " << group.name;
            }
            EXPECT_EQ(self, graph.total(ir)) << name;
            EXPECT_EQ(nodes, graph.size()) << name;
        }
    }
}

TEST(Groups, of_single_functions_cost_what_these_cost) {
    // One function per file: groups by file are the functions.
    const Profile profile = profile_of(
        "events: Ir\nfl=1\nfn=main\n1 10\ncfi=2\ncfn=a\ncalls=1 1\n1 100\n"
        "fl=2\nfn=a\n1 20\ncfi=3\ncfn=b\ncalls=3 1\n1 90\ncfi=2\ncfn=a\ncalls=2 1\n1 11\n"
        "fl=3\nfn=b\n1 30\ncfi=2\ncfn=a\ncalls=2 1\n1 60\ncfi=4\ncfn=only_called\ncalls=1 1\n1 50\n");
    const CallGraph graph = graph_of(profile);
    const Measure ir = measure_of(profile);
    for (const Group& group : groups(graph, GroupBy::file, {.measure = ir}).rows) {
        ASSERT_THAT(group.nodes, SizeIs(1));
        EXPECT_EQ(group.inclusive.estimate, graph.inclusive(group.nodes[0], ir)) << group.name;
    }
}

TEST(Groups, namespaces_are_those_of_functions_not_of_their_callers) {
    const Profile profile = profile_of(
        "version: 1\ncreator: callgrind-3.19.0\ncmd: x\nevents: Ir\nfn=a::f()\n1 1\nfn=b::g()'a::f()\n1 2\n");
    const auto all = groups(graph_of(profile), GroupBy::name_space, {.measure = measure_of(profile)});
    EXPECT_THAT(selfs(all), ElementsAre(Pair("b", 2), Pair("a", 1)));
}

TEST(Groups, keep_to_limit_and_threshold) {
    const Profile profile = profile_of(objects_text);
    const CallGraph graph = graph_of(profile);
    const Measure ir = measure_of(profile);
    EXPECT_THAT(groups(graph, GroupBy::file, {.measure = ir, .limit = 2}).rows, SizeIs(2));
    EXPECT_THAT(groups(graph, GroupBy::file, {.measure = ir, .threshold = 0.25}).rows, SizeIs(2));
}

TEST(Groups, left_out_are_counted_with_their_cost) {  // promise 4
    const Profile profile = profile_of(objects_text);
    const CallGraph graph = graph_of(profile);
    const GroupList list = groups(graph, GroupBy::file, {.measure = measure_of(profile), .limit = 1});
    EXPECT_EQ(list.total, 75);
    EXPECT_EQ(list.omitted_rows, 3U);
    EXPECT_EQ(list.omitted_self, 45);
}

TEST(Groups, that_cover_a_share_of_the_total_are_as_few_as_can_be) {
    const Profile profile = profile_of(objects_text);
    EXPECT_THAT(selfs(groups(graph_of(profile), GroupBy::object, {.coverage = 0.5})),
                ElementsAre(Pair("prog", 35), Pair("lib", 30)));
}

TEST(Groups, a_great_negative_cost_is_above_the_threshold) {
    const Profile profile =
        profile_of("events: Ir\nfl=a\nfn=a\n1 -100\nfl=b\nfn=b\n1 50\nfl=c\nfn=c\n1 200\nfl=d\nfn=d\n1 1\n");
    const GroupList list =
        groups(graph_of(profile), GroupBy::file, {.measure = measure_of(profile), .threshold = 0.1});
    EXPECT_THAT(selfs(list), ElementsAre(Pair("c", 200), Pair("b", 50), Pair("a", -100)));
    EXPECT_EQ(list.omitted_rows, 1U);
    EXPECT_EQ(list.omitted_self, 1);
}

TEST(Groups, of_listed_functions_cost_what_is_spent_below_these) {
    std::size_t exact = 0;
    for (unsigned seed = 1; seed <= 60; ++seed) {
        SCOPED_TRACE(seed);
        const Program program(seed, seed % 2 == 0);
        const Profile profile = profile_of(program.profile());
        const CallGraph graph = graph_of(profile);
        const auto is_listed = [&](NodeId node) {
            const auto name = graph.name(node);
            return name == "f2" || name == "f5" || name == "f6";
        };
        FunctionsOptions options{.measure = measure_of(profile)};
        options.where = is_listed;
        const GroupList list = groups(graph, GroupBy::object, options);
        std::int64_t self = 0, inclusive = 0;
        for (const auto& stack : program.stacks()) {
            const auto listed = [](unsigned function) {
                return function == 2 || function == 5 || function == 6;
            };
            if (listed(stack.functions.back())) self += stack.self;
            if (std::any_of(stack.functions.begin(), stack.functions.end(), listed)) inclusive += stack.self;
        }
        ASSERT_EQ(list.rows.size(), 1U);
        EXPECT_LE(list.rows[0].nodes.size(), 3U);
        EXPECT_EQ(list.rows[0].self, self);
        EXPECT_EQ(list.omitted_self, list.total - self);
        EXPECT_LE(list.rows[0].inclusive.least, inclusive);
        EXPECT_GE(list.rows[0].inclusive.most, inclusive);
        exact += list.rows[0].inclusive.is_exact() ? 1U : 0U;
    }
    EXPECT_GT(exact, 3U);
}

TEST(Groups, in_one_circle_take_bounded_time) {
    const auto seconds = [](std::size_t files) {
        std::string text;
        for (std::size_t i = 0; i < files; ++i) {
            const auto next = std::to_string((i + 1) % files), own = std::to_string(i);
            text.append("fl=").append(own).append(".c\nfn=f").append(own).append("\n1 1\n");
            text.append("cfi=").append(next).append(".c\ncfn=f").append(next).append("\ncalls=1 1\n1 5\n");
        }
        const Profile profile = plain_profile(text);
        const CallGraph graph = graph_of(profile);
        return seconds_of([&] {
            EXPECT_EQ(groups(graph, GroupBy::file, {.measure = measure_of(profile)}).rows.size(), files);
        });
    };
    if (is_sanitized)
        return void(seconds(300));  // the bound is reached with larger ones, which take minutes then
    EXPECT_LT(seconds(4800), 10 * seconds(1200));
}

}  // namespace
}  // namespace callcost::test
