#include <gmock/gmock.h>

#include "unit/answer/asking.hpp"

namespace callcost::answer {
namespace {

using testing::ElementsAre;

const std::string before =
    "events: Ir\nob=p\nfl=x.c\n"
    "fn=main\n1 5\ncfn=work\ncalls=2 10\n2 40\ncfn=gone\ncalls=1 20\n3 7\n"
    "fn=work\n10 40\nfn=gone\n20 7\n";
const std::string after =
    "events: Ir\nob=p\nfl=x.c\n"
    "fn=main\n1 5\ncfn=work\ncalls=3 10\n2 90\ncfn=fresh\ncalls=1 30\n4 1000\n"
    "fn=work\n10 90\nfn=fresh\n30 1000\n";

/// A column of the frames.
std::vector<std::int64_t> column(const Answer& answer, const std::string& name) {
    std::vector<std::int64_t> all;
    const auto place = "/frames/" + name;
    for (std::size_t i = 0; i < answer.size(place); ++i)
        all.push_back(answer.number(place + "/" + std::to_string(i)));
    return all;
}

/// Inclusive costs of frames are their own and those of the frames below.
void expect_to_add_up(const Answer& tree, const std::string& suffix) {
    auto rest = column(tree, "inclusive" + suffix);
    const auto self = column(tree, "self" + suffix);
    const auto parent = column(tree, "parent");
    const auto inclusive = rest;
    for (std::size_t row = 0; row < rest.size(); ++row) {
        rest[row] -= self[row];
        if (parent[row] >= 0) rest[static_cast<std::size_t>(parent[row])] -= inclusive[row];
    }
    EXPECT_THAT(rest, testing::Each(0)) << tree.json();
}

TEST(TreeAnswer, is_one_tree_in_preorder) {
    Asking ask(after);
    const auto tree = ask(R"({"ask":"tree"})");
    EXPECT_TRUE(tree.at("/estimated")->GetBool());
    EXPECT_EQ(tree.number("/whole"), 1095);
    EXPECT_THAT(tree.names("/functions"), ElementsAre("main", "fresh", "work"));
    EXPECT_THAT(column(tree, "function"), ElementsAre(0, 1, 2));
    EXPECT_THAT(column(tree, "parent"), ElementsAre(-1, 0, 0));
    EXPECT_THAT(column(tree, "inclusive_least"), ElementsAre(1095, 1000, 90));
    EXPECT_THAT(column(tree, "inclusive_most"), ElementsAre(1095, 1000, 90));
    expect_to_add_up(tree, "");
}

TEST(TreeAnswer, begins_at_a_function_or_goes_up_to_the_callers) {
    Asking ask(after);
    const auto id = ask(R"({"ask":"find","name":"work"})").number("/id");
    const auto below = ask(R"({"ask":"tree","root":)" + std::to_string(id) + "}");
    EXPECT_THAT(below.names("/functions"), ElementsAre("work"));
    const auto callers = ask(R"({"ask":"tree","direction":"callers","root":)" + std::to_string(id) + "}");
    EXPECT_THAT(callers.names("/functions"), ElementsAre("work", "main"));
    EXPECT_EQ(callers.number("/frames/inclusive/0"), 90);
    EXPECT_EQ(ask(R"({"ask":"tree","root":99})").error(), "unknown-function");
}

TEST(TreeAnswer, of_two_profiles_is_one_tree) {
    Asking ask(after, before);
    const auto tree = ask(R"({"ask":"tree","compare":true})");
    EXPECT_THAT(tree.names("/functions"), ElementsAre("main", "fresh", "work", "gone"));
    EXPECT_THAT(column(tree, "inclusive"), ElementsAre(1095, 1000, 90, 0));
    EXPECT_THAT(column(tree, "inclusive_before"), ElementsAre(52, 0, 40, 7));
    EXPECT_LT(tree.number("/functions/3/id"), 0) << "not in the profile after";
    expect_to_add_up(tree, "");
    expect_to_add_up(tree, "_before");
}

TEST(TreeAnswer, does_not_know_what_the_other_tree_left_out) {
    Asking ask(after, before);
    const auto tree = ask(R"({"ask":"tree","compare":true,"frames":2})");
    // main and its heaviest callee of each: fresh after, work before.
    EXPECT_THAT(tree.names("/functions"), ElementsAre("main", "fresh", "work"));
    EXPECT_TRUE(tree.is_null("/frames/inclusive_before/1")) << "fresh may be in what was left out before";
    EXPECT_TRUE(tree.is_null("/frames/inclusive/2")) << "and work in what was left out after";
}

TEST(GraphAnswer, shows_who_calls_whom_around_a_function) {
    Asking ask(after);
    const auto id = std::to_string(ask(R"({"ask":"find","name":"main"})").number("/id"));
    const auto all = ask(R"({"ask":"graph","node_share":0,"arc_share":0,"id":)" + id + "}");
    EXPECT_THAT(all.names("/nodes"), ElementsAre("main", "fresh", "work"));
    ASSERT_EQ(all.size("/arcs"), 2U);
    EXPECT_EQ(all.number("/arcs/0/from"), 0);
    EXPECT_EQ(all.number("/arcs/0/to"), 1);
    EXPECT_EQ(all.number("/arcs/0/cost/0"), 1000);
    const auto heavy = ask(R"({"ask":"graph","node_share":0.5,"id":)" + id + "}");
    EXPECT_THAT(heavy.names("/nodes"), ElementsAre("main", "fresh"));
    EXPECT_EQ(heavy.number("/omitted_nodes"), 1);
    EXPECT_THAT(ask(R"({"ask":"graph","callees":0,"id":)" + id + "}").names("/nodes"), ElementsAre("main"));
    EXPECT_THAT(ask(R"({"ask":"graph","most":1})").names("/nodes"), ElementsAre("main"));
}

TEST(GraphAnswer, shows_a_cycle_though_little_leaves_it) {
    // even and odd call each other again and again; each spends little itself.
    Asking ask(
        "events: Ir\nob=p\nfl=x.c\nfn=main\n1 1\ncfn=even\ncalls=1 10\n2 100\n"
        "fn=even\n10 60\ncfn=odd\ncalls=50 20\n11 5000\n"
        "fn=odd\n20 39\ncfn=even\ncalls=50 10\n21 4900\ncfn=leaf\ncalls=1 30\n22 1\nfn=leaf\n30 1\n");
    const auto id = std::to_string(ask(R"({"ask":"find","name":"even"})").number("/id"));
    const auto graph = ask(R"({"ask":"graph","node_share":0.5,"arc_share":0.5,"id":)" + id + "}");
    EXPECT_THAT(graph.names("/nodes"), testing::UnorderedElementsAre("main", "even", "odd"));
    EXPECT_EQ(graph.number("/omitted_nodes"), 1) << "leaf is light indeed";
}

TEST(GraphAnswer, of_two_profiles_has_the_costs_of_both) {
    Asking ask(after, before);
    const auto graph = ask(R"({"ask":"graph","compare":true,"node_share":0,"arc_share":0})");
    EXPECT_THAT(graph.names("/nodes"), ElementsAre("main", "fresh", "work"));
    EXPECT_EQ(graph.number("/nodes/2/inclusive_before/0"), 40);
    EXPECT_EQ(graph.number("/arcs/1/count_before"), 2);
    EXPECT_EQ(graph.number("/arcs/1/cost_before/0"), 40);
}

TEST(GraphAnswer, does_not_take_functions_together_that_nothing_tells_apart) {
    const auto profile = [](const std::string& one, const std::string& other) {
        return "events: Ir\nob=p\nfl=???\nfn=main\n1 5\ncfn=" + one + "\ncalls=1 0\n2 40\ncfn=" + other +
               "\ncalls=1 0\n3 7\nfn=" + one + "\n0 40\nfn=" + other + "\n0 7\n";
    };
    Asking ask(profile("0x4010", "0x4020"), profile("0x5010", "0x5020"));
    const auto graph = ask(R"({"ask":"graph","compare":true,"node_share":0,"arc_share":0})");
    EXPECT_THAT(graph.names("/nodes"), ElementsAre("main", "0x4010", "0x4020")) << graph.json();
    EXPECT_EQ(graph.number("/nodes/1/self/0"), 40);
    EXPECT_EQ(graph.number("/nodes/2/self/0"), 7);
    EXPECT_EQ(graph.number("/nodes/0/inclusive_before/0"), 52);
    EXPECT_FALSE(graph.has("/nodes/1/self_before")) << "which of them it was is not known";
}

}  // namespace
}  // namespace callcost::answer
