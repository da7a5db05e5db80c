#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "call_graph/components.hpp"
#include "unit/library/call_graph/questions.hpp"
#include <callcost/call_graph.hpp>
#include <callcost/groups.hpp>

namespace callcost::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string text_of_call(const std::string& callee, std::uint64_t count, std::int64_t cost) {
    return "cfn=" + callee + "\ncalls=" + std::to_string(count) + " 1\n1 " + std::to_string(cost) + "\n";
}

// main -> a <-> b -> leaf, and b is also called from outside.
const char* const cycle_text =
    "events: Ir Dr\n"
    "fn=main\n1 10 1\ncfn=a\ncalls=1 1\n1 100 10\ncfn=b\ncalls=2 1\n1 50 5\n"
    "fn=a\n1 20 2\ncfn=b\ncalls=3 1\n1 90 9\n"
    "fn=b\n1 30 3\ncfn=a\ncalls=2 1\n1 60 6\ncfn=leaf\ncalls=7 1\n1 100 10\n"
    "fn=leaf\n1 100 10\n";

// A row of the profile is no row of the graph: after a selection or folding they differ.
static_assert(!std::is_convertible_v<FunctionId, NodeId> && !std::is_convertible_v<NodeId, FunctionId>);

TEST(CallGraph, inclusive_cost_is_self_plus_what_the_callees_cost) {
    const Profile profile = plain_profile("fn=main\n1 10\n" + text_of_call("f", 2, 30) +
                                          text_of_call("g", 1, 5) + "fn=f\n1 30\nfn=g\n1 5\n");
    const CallGraph graph = graph_of(profile);
    const Measure ir = measure_of(profile);
    EXPECT_EQ(graph.total(ir), 45);
    EXPECT_EQ(graph.inclusive(node_called(graph, "main"), ir), 45);
    EXPECT_EQ(graph.inclusive(node_called(graph, "f"), ir), 30);
    EXPECT_EQ(graph.call_count(node_called(graph, "f")).known, 2U);
    EXPECT_EQ(graph.cycle_count(), 0U);
}

TEST(CallGraph, inclusive_cost_of_a_cycle_member_is_between_bounds) {  // F76 (c)
    const Profile profile = profile_of(cycle_text);
    const CallGraph graph = graph_of(profile);
    const Measure ir = measure_of(profile);
    ASSERT_EQ(graph.cycle_count(), 1U);
    const CycleId cycle(std::size_t{0});
    const NodeId a = node_called(graph, "a");
    const NodeId b = node_called(graph, "b");
    EXPECT_THAT(graph.members(cycle), ElementsAre(a, b));
    EXPECT_EQ(graph.cycle(a), cycle);
    EXPECT_FALSE(graph.cycle(node_called(graph, "leaf")).valid());
    EXPECT_EQ(graph.inclusive_bounds(a, ir), (BoundedCost{132, 100, 150}))
        << "a calls main's 100 and what comes back";
    EXPECT_EQ(graph.inclusive_bounds(b, ir), (BoundedCost{150, 130, 150}));
    EXPECT_EQ(graph.inclusive(a, ir), 132);
    EXPECT_EQ(graph.self(cycle, ir), 50);
    EXPECT_EQ(graph.inclusive(cycle, ir), 150);
    EXPECT_EQ(graph.call_count(cycle).known, 3U) << "arcs that enter it";
    EXPECT_EQ(graph.call_count(a).known, 3U) << "all arcs";
    EXPECT_EQ(graph.inclusive(node_called(graph, "main"), ir), 160);
    EXPECT_TRUE(graph.recursive(arc_between(graph, "a", "b")));
    EXPECT_FALSE(graph.recursive(arc_between(graph, "main", "b")));
    EXPECT_EQ(graph.cost(arc_between(graph, "a", "b"), ir), 90) << "shown as recorded";
}

TEST(CallGraph, direct_recursion_is_no_cycle_and_never_enters_inclusive_cost) {
    const Profile profile = plain_profile("fn=f\n1 5\n" + text_of_call("f", 4, 40));
    const CallGraph graph = graph_of(profile);
    const NodeId f = node_called(graph, "f");
    EXPECT_EQ(graph.cycle_count(), 0U);
    EXPECT_EQ(graph.inclusive(f, measure_of(profile)), 5);
    EXPECT_EQ(graph.call_count(f).known, 4U);
    EXPECT_TRUE(graph.recursive(arc_between(graph, "f", "f")));
}

TEST(CallGraph, a_function_that_is_only_called_costs_what_its_callers_paid) {  // F76 (a)
    const Profile profile = plain_profile("fn=f\n1 5\n" + text_of_call("internal", 1, 40) + "fn=g\n1 5\n" +
                                          text_of_call("internal", 1, 2));
    const CallGraph graph = graph_of(profile);
    EXPECT_EQ(graph.self(node_called(graph, "internal"), measure_of(profile)), 0);
    EXPECT_EQ(graph.inclusive(node_called(graph, "internal"), measure_of(profile)), 42);
}

TEST(CallGraph, a_function_that_is_root_and_callee_has_all_of_its_cost) {
    const Profile profile = profile_file("hostile/cycle-entered-late.out");
    const CallGraph graph = graph_of(profile);
    const Measure ir = measure_of(profile);
    EXPECT_EQ(graph.total(ir), 186);
    EXPECT_EQ(graph.inclusive(node_called(graph, "zmain"), ir), 80);
    EXPECT_EQ(graph.inclusive(node_called(graph, "self_only"), ir), 5);
    EXPECT_EQ(graph.inclusive(node_called(graph, "both_root_and_called"), ir), 100);
    EXPECT_EQ(graph.inclusive(node_called(graph, "caller"), ir), 21);
    ASSERT_EQ(graph.cycle_count(), 1U);
    EXPECT_EQ(graph.self(CycleId(std::size_t{0}), ir), 70);
    EXPECT_EQ(graph.inclusive(CycleId(std::size_t{0}), ir), 70);
}

TEST(CallGraph, a_call_without_count_makes_the_sum_a_least_value) {  // F57, F74
    const Profile profile = plain_profile("fn=f\n1 5\n" + text_of_call("g", 0, 3) + "fn=h\n1 1\n" +
                                          text_of_call("g", 2, 1) + "fn=g\n1 4\n");
    const CallGraph graph = graph_of(profile);
    EXPECT_EQ(graph.call_count(node_called(graph, "g")).known, 2U);
    EXPECT_TRUE(graph.call_count(node_called(graph, "g")).at_least);
    EXPECT_FALSE(graph.count(arc_between(graph, "h", "g")).at_least);
}

TEST(CallGraph, calls_of_roots_are_unknown_in_files_made_from_stacks) {  // F74
    const auto count_of = [](const std::string& creator, const char* function) {
        const Profile profile = profile_of("creator: " + creator + "\nevents: Ir\nfn=f\n1 5\n" +
                                           text_of_call("g", 2, 3) + "fn=g\n1 3\n");
        const CallGraph graph = graph_of(profile);
        return graph.call_count(node_called(graph, function));
    };
    EXPECT_EQ(count_of("callcost-1.0 from stacks", "f"), (CallCount{0, true}));
    EXPECT_EQ(count_of("callcost-1.0 from estimated stacks", "f"), (CallCount{0, true}));
    EXPECT_EQ(count_of("callcost-1.0 from stacks", "g"), (CallCount{2, false}));
    EXPECT_EQ(count_of("callgrind-3.22.0", "f"), (CallCount{0, false}));
}

TEST(CallGraph, measures_may_be_formulas) {
    const Profile profile = profile_of(cycle_text);
    const CallGraph graph = graph_of(profile);
    const Measure both = measure_of(profile, "Ir + 100 Dr");
    EXPECT_EQ(graph.self(node_called(graph, "leaf"), both), 1100);
    EXPECT_EQ(graph.cost(arc_between(graph, "main", "a"), both), 1100);
    EXPECT_EQ(graph.total(both), 160 + 1600);
}

TEST(CallGraph, columns_that_do_not_add_up_have_no_inclusive_cost) {  // F78
    const Profile profile = profile_file("remake/process-1.callgrind");
    const CallGraph graph = graph_of(profile);
    const NodeId all = node_called(graph, "all");
    EXPECT_EQ(graph.inclusive(all, measure_of(profile, "Wt")), graph.self(all, measure_of(profile, "Wt")));
}

TEST(CallGraph, sums_wrap_as_64_bit_numbers_do) {  // F82
    const Profile profile =
        plain_profile("fn=f\n1 9223372036854775807\n" + text_of_call("g", 1, 1) + "fn=g\n1 1\n");
    const CallGraph graph = graph_of(profile);
    EXPECT_EQ(graph.inclusive(node_called(graph, "f"), measure_of(profile)), INT64_MIN);
    EXPECT_EQ(graph.total(measure_of(profile)), INT64_MIN);
}

#ifdef CALLCOST_CHECKED
TEST(CallGraphDeathTest, ids_of_other_graphs_are_refused_in_a_checked_build) {
    const Profile profile = plain_profile("fn=f\n1 1\n");
    const CallGraph graph = graph_of(profile);
    const Measure ir = measure_of(profile);
    EXPECT_DEATH(static_cast<void>(graph.self(NodeId(1U), ir)), "node.value < size");
    EXPECT_DEATH(static_cast<void>(graph.name(NodeId())), "node.value < size");
    EXPECT_DEATH(static_cast<void>(graph.caller(ArcId(0U))), "arc.value < arc_count");
    EXPECT_DEATH(static_cast<void>(graph.members(CycleId(0U))), "cycle.value < cycle_count");
    EXPECT_DEATH(static_cast<void>(profile.name(FunctionId(1U))), "function.value < function_count");
    EXPECT_DEATH(static_cast<void>(profile.total(EventId(1U))), "event.value < events");
}
#endif

TEST(CallGraph, an_empty_profile_has_an_empty_graph) {
    const Profile profile = profile_of("events: Ir\n");
    const CallGraph graph = graph_of(profile);
    EXPECT_EQ(graph.size(), 0U);
    EXPECT_EQ(graph.arc_count(), 0U);
    EXPECT_EQ(graph.cycle_count(), 0U);
    EXPECT_THAT(functions(graph, {.measure = measure_of(profile)}).rows, IsEmpty());
    EXPECT_THAT(groups(graph, GroupBy::cycle, {.measure = measure_of(profile)}).rows, IsEmpty());
    EXPECT_THAT(roots(graph, measure_of(profile)), IsEmpty());
}

TEST(CallGraph, a_cachegrind_file_has_no_arcs) {  // F84
    const Profile profile = profile_file("cachegrind/nocache.out");
    const CallGraph graph = graph_of(profile);
    EXPECT_EQ(graph.arc_count(), 0U);
    EXPECT_EQ(sum_of_self(graph, measure_of(profile)), graph.total(measure_of(profile)));
}

/// A chain of functions; the last calls `back_to` if that is one of them.
std::string chain(int length, int back_to = -1) {
    std::string text = "events: Ir\n";
    for (int i = 0; i < length; ++i) {
        text += "fn=f" + std::to_string(i) + "\n1 2\n";
        if (i + 1 < length) text += text_of_call("f" + std::to_string(i + 1), 1, 2 * (length - i - 1));
        if (i + 1 == length && back_to >= 0) text += text_of_call("f" + std::to_string(back_to), 1, 1);
    }
    return text;
}

TEST(CallGraph, a_chain_of_300000_functions_needs_no_recursion) {
    const Profile profile = profile_of(chain(300'000));
    const CallGraph graph = graph_of(profile);
    const FunctionList list =
        functions(graph, {.measure = measure_of(profile), .by = SortBy::inclusive, .limit = 1});
    EXPECT_EQ(graph.name(list.rows[0].node), "f0");
    EXPECT_EQ(list.rows[0].inclusive, 600'000);
    EXPECT_EQ(graph.cycle_count(), 0U);
    EXPECT_EQ(roots(graph, measure_of(profile)).size(), 1U);
}

TEST(CallGraph, a_circle_of_300000_functions_is_one_cycle) {
    const Profile profile = profile_of(chain(300'000, 1));
    const CallGraph graph = graph_of(profile);
    ASSERT_EQ(graph.cycle_count(), 1U);
    EXPECT_EQ(graph.members(CycleId(std::size_t{0})).size(), 299'999U);
    EXPECT_EQ(graph.inclusive(CycleId(std::size_t{0}), measure_of(profile)), 599'998);
}

TEST(CallGraph, members_of_cycles_come_by_name) {
    const Profile profile = plain_profile("fn=c\n1 1\n" + text_of_call("b", 1, 1) + "fn=b\n1 1\n" +
                                          text_of_call("a", 1, 1) + "fn=a\n1 1\n" + text_of_call("c", 1, 1));
    const CallGraph graph = graph_of(profile);
    std::vector<std::string_view> names;
    for (const NodeId member : graph.members(CycleId(std::size_t{0}))) names.push_back(graph.name(member));
    EXPECT_THAT(names, ElementsAre("a", "b", "c"));
}

// Against a slow and simple way: two nodes are together if each can be reached from the other.
TEST(Components, agree_with_reachability_on_small_graphs) {
    std::uint32_t random = 1;
    const auto next = [&](std::uint32_t below) {
        random = random * 1664525U + 1013904223U;
        return (random >> 8U) % below;
    };
    for (int round = 0; round < 2000; ++round) {
        const std::uint32_t nodes = 1 + next(8);
        std::vector<std::vector<std::uint32_t>> edges(nodes);
        for (std::uint32_t i = next(20); i > 0; --i) edges[next(nodes)].push_back(next(nodes));
        std::vector<std::uint32_t> offsets{0};
        std::vector<std::uint32_t> targets;
        std::vector<std::vector<bool>> reaches(nodes, std::vector<bool>(nodes, false));
        for (std::uint32_t node = 0; node < nodes; ++node) {
            reaches[node][node] = true;
            for (const std::uint32_t target : edges[node]) {
                targets.push_back(target);
                reaches[node][target] = true;
            }
            offsets.push_back(static_cast<std::uint32_t>(targets.size()));
        }
        for (std::uint32_t k = 0; k < nodes; ++k)
            for (std::uint32_t i = 0; i < nodes; ++i)
                for (std::uint32_t j = 0; j < nodes; ++j)
                    if (reaches[i][k] && reaches[k][j]) reaches[i][j] = true;
        const Components components = strong_components(offsets, targets);
        for (std::uint32_t i = 0; i < nodes; ++i) {
            EXPECT_LT(components.of[i], components.count);
            for (std::uint32_t j = 0; j < nodes; ++j) {
                EXPECT_EQ(components.of[i] == components.of[j], reaches[i][j] && reaches[j][i]);
                EXPECT_TRUE(!reaches[i][j] || components.of[i] >= components.of[j])
                    << "callees have smaller numbers";
            }
        }
    }
}

}  // namespace
}  // namespace callcost::test
