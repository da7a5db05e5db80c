#include "exporters/pruned_graph.hpp"

#include <gtest/gtest.h>

#include "unit/library/call_graph/questions.hpp"
#include "unit/library/parser/growth.hpp"

namespace callcost::engine {
namespace {

/// "a b -> ..." as one line: functions, arrows, dashed arrows.
std::string drawn(const CallGraph& graph, const Pruning& pruning) {
    const auto pruned = prune(graph, test::measure_of(graph.profile()), pruning);
    const auto name = [&](std::size_t row) { return std::string(graph.name(pruned.nodes[row])); };
    std::string text;
    for (std::size_t row = 0; row < pruned.nodes.size(); ++row) text += name(row) + " ";
    for (const auto& edge : pruned.edges) text += "| " + name(edge.from) + ">" + name(edge.to) + " ";
    for (const auto& detour : pruned.detours) text += "| " + name(detour.from) + "~" + name(detour.to) + " ";
    return text + "+" + std::to_string(pruned.omitted_nodes) + " " + std::to_string(pruned.omitted_self);
}

std::string call(const std::string& callee, int cost) {
    return "cfn=" + callee + "\ncalls=1 0\n1 " + std::to_string(cost) + "\n";
}

TEST(PrunedGraph, keeps_the_costliest_functions_and_the_way_through_others) {
    // small is on the way from main to large, but costs less than half a percent: recorded arcs may cost
    // more.
    const auto graph = test::graph_of(test::plain_profile(
        "fn=main\n1 10\n" + call("small", 90) + "fn=small\n1 0\n" + call("large", 0) + "fn=large\n1 990\n"));
    EXPECT_EQ(drawn(graph, {}), "large main +1 0") << "no detour over a call that costs nothing";
    EXPECT_EQ(drawn(graph, {.edge_fraction = 0}), "large main | main~large +1 0");
    EXPECT_EQ(drawn(graph, {.max_nodes = 1}), "large +2 10");
    EXPECT_EQ(drawn(graph, {.max_nodes = 0}), "+3 1000");
}

TEST(PrunedGraph, has_no_detour_where_another_way_is_drawn) {
    // main -> a -> b; main -> hidden -> b as well.
    const auto graph = test::graph_of(
        test::plain_profile("fn=main\n1 10\n" + call("a", 80) + call("hidden", 2) + "fn=a\n1 20\n" +
                            call("b", 60) + "fn=hidden\n1 1\n" + call("b", 1) + "fn=b\n1 61\n"));
    EXPECT_EQ(drawn(graph, {.max_nodes = 3}), "main a b | main>a | a>b +1 1");
}

TEST(PrunedGraph, orders_functions_of_equal_cost_by_name) {
    const auto graph = test::graph_of(test::plain_profile("fn=c\n1 1\nfn=a\n1 1\nfn=b\n1 1\n"));
    EXPECT_EQ(drawn(graph, {.max_nodes = 2}), "a b +1 1");
}

TEST(PrunedGraph, compares_negative_costs_by_magnitude) {
    const auto graph =
        test::graph_of(test::plain_profile("fn=a\n1 5\nfn=b\n1 -9223372036854775808\nfn=c\n1 -9\n"));
    EXPECT_EQ(drawn(graph, {.max_nodes = 2, .node_fraction = 0}), "b c +1 5");
}

TEST(PrunedGraph, follows_chains_of_any_length) {
    std::string text;
    for (int i = 0; i < 300'000; ++i)
        text += "fn=f" + std::to_string(i) + "\n1 0\n" + call("f" + std::to_string(i + 1), 1000);
    text += "fn=f300000\n1 1000\n";
    const auto graph = test::graph_of(test::plain_profile(text));
    const auto pruned = prune(graph, test::measure_of(graph.profile()), {.max_nodes = 3});
    ASSERT_EQ(pruned.nodes.size(), 3U);
    EXPECT_EQ(pruned.edges.size() + pruned.detours.size(), 2U) << "from the first to the second to the third";
    EXPECT_TRUE(pruned.all_detours);
}

TEST(PrunedGraph, gives_up_detours_that_take_too_long) {
    std::string text;
    constexpr int sources = 3000, hidden = 20'000;
    for (int i = 0; i < sources; ++i) text += "fn=s" + std::to_string(i) + "\n1 1000\n" + call("hub", 1);
    text += "fn=hub\n1 0\n";
    for (int i = 0; i < hidden; ++i) text += "cfn=h" + std::to_string(i) + "\ncalls=1 0\n1 0\n";
    const auto graph = test::graph_of(test::plain_profile(text));
    PrunedGraph pruned;
    const auto seconds = test::seconds_of([&] {
        pruned = prune(graph, test::measure_of(graph.profile()),
                       {.max_nodes = sources, .node_fraction = 0, .edge_fraction = 0});
    });
    EXPECT_FALSE(pruned.all_detours);
    EXPECT_LT(seconds, 20);
}

}  // namespace
}  // namespace callcost::engine
