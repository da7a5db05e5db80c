#include <gmock/gmock.h>

#include "unit/engine/session/asking.hpp"

namespace callcost::engine {
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

/// A session over a profile and the stacks that it was made of.
Session with_stacks() {
    Stacks stacks;
    const auto ir = stacks.event("Ir");
    const auto add = [&](std::initializer_list<const char*> names, Cost cost) {
        auto row = Stacks::none;
        for (const char* name : names) row = stacks.stack(row, stacks.function(name));
        stacks.add(row, ir, cost);
    };
    add({"start", "backup", "read"}, 4);
    add({"end", "backup", "write"}, 4);
    Host host{.compile = compile_expression};
    host.stacks = {std::make_shared<const Stacks>(std::move(stacks))};
    return {
        profile_of("events: Ir\nfn=start\ncfn=backup\ncalls=1 0\n0 4\nfn=end\ncfn=backup\ncalls=1 0\n0 4\n"
                   "fn=backup\ncfn=read\ncalls=1 0\n0 4\ncfn=write\ncalls=1 0\n0 4\n"
                   "fn=read\n0 4\nfn=write\n0 4\n"),
        std::nullopt, std::move(host)};
}

TEST(TreeAnswer, is_exact_where_stacks_were_recorded) {
    auto session = with_stacks();
    const Answer tree(session.answer(R"({"ask":"tree"})"));
    EXPECT_FALSE(tree.at("/estimated")->GetBool());
    EXPECT_THAT(tree.names("/functions"), ElementsAre("end", "backup", "write", "start", "read"));
    EXPECT_THAT(column(tree, "inclusive"), ElementsAre(4, 4, 4, 4, 4, 4));
    EXPECT_THAT(column(tree, "parent"), ElementsAre(-1, 0, 1, -1, 3, 4));
    EXPECT_EQ(tree.at("/certainty")->GetDouble(), 1);
    expect_to_add_up(tree, "");
    EXPECT_TRUE(Answer(session.answer(R"({"ask":"profile"})")).at("/has/stacks")->GetBool());
    EXPECT_FALSE(Asking(after)(R"({"ask":"profile"})").at("/has/stacks")->GetBool());
    const Answer callers(session.answer(R"({"ask":"tree","direction":"callers"})"));
    EXPECT_THAT(callers.names("/functions"), ElementsAre("read", "backup", "start", "write", "end"));
    EXPECT_FALSE(callers.at("/estimated")->GetBool());
}

TEST(TreeAnswer, keeps_whole_stacks_where_they_were_recorded_and_filtered) {
    auto session = with_stacks();
    const Answer focus(session.answer(R"({"ask":"tree","focus":["function:write"]})"));
    EXPECT_FALSE(focus.at("/estimated")->GetBool());
    EXPECT_THAT(focus.names("/functions"), ElementsAre("end", "backup", "write"));
    const Answer ignore(session.answer(R"({"ask":"tree","ignore":["function:write"]})"));
    EXPECT_THAT(ignore.names("/functions"), ElementsAre("start", "backup", "read"));
    const Answer hide(
        session.answer(R"({"ask":"tree","focus":["function:write"],"hide":["function:backup"]})"));
    EXPECT_THAT(hide.names("/functions"), ElementsAre("end", "write"));
    EXPECT_EQ(hide.number("/whole"), 4);
}

TEST(FunctionsAnswer, is_exact_where_stacks_were_recorded) {
    auto session = with_stacks();
    const Answer focus(session.answer(R"({"ask":"functions","focus":["function:end"]})"));
    EXPECT_THAT(focus.names(), ElementsAre("write", "backup", "end")) << "read is not called from there";
    EXPECT_EQ(focus.number("/rows/0/self/0"), 4);
    EXPECT_EQ(focus.number("/rows/1/inclusive/0"), 4);
    for (const std::string row : {"0", "1", "2"}) {
        EXPECT_FALSE(focus.has("/rows/" + row + "/self_bounds"));
        EXPECT_FALSE(focus.has("/rows/" + row + "/inclusive_bounds"));
    }
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
    EXPECT_THAT(column(tree, "inclusive_before_least"), ElementsAre(52, 0, 40, 7));
    EXPECT_THAT(column(tree, "self_before_most"), ElementsAre(5, 0, 40, 7));
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

// main(5) calls work(20), which calls leaf(70), and leaf(30) itself; work calls other(10), too.
const std::string filterable =
    "events: Ir\nob=p\nfl=x.c\n"
    "fn=main\n1 5\ncfn=work\ncalls=1 10\n2 100\ncfn=leaf\ncalls=1 20\n3 30\n"
    "fn=work\n10 20\ncfn=leaf\ncalls=2 20\n11 70\ncfn=other\ncalls=1 30\n12 10\n"
    "fn=leaf\n20 100\nfn=other\n30 10\n";

std::vector<std::string> names_of_frames(const Answer& tree) {
    const auto functions = tree.names("/functions");
    std::vector<std::string> names;
    for (const auto index : column(tree, "function"))
        names.push_back(index < 0 ? "" : functions[static_cast<std::size_t>(index)]);
    return names;
}

TEST(TreeAnswer, begins_at_what_is_focused) {
    Asking ask(filterable);
    const auto tree = ask(R"({"ask":"tree","focus":["function:work"]})");
    EXPECT_THAT(names_of_frames(tree), ElementsAre("work", "leaf", "other"));
    EXPECT_THAT(column(tree, "inclusive"), ElementsAre(100, 70, 10));
    EXPECT_EQ(tree.number("/whole"), 100);
    expect_to_add_up(tree, "");
    const auto inverted = ask(R"({"ask":"tree","direction":"callers","focus":["function:work"]})");
    EXPECT_EQ(inverted.number("/whole"), 100) << inverted.json();
    EXPECT_THAT(inverted.names("/functions"), testing::Contains("main"));
    expect_to_add_up(inverted, "");
}

TEST(TreeAnswer, leaves_out_what_is_ignored) {
    Asking ask(filterable);
    const auto tree = ask(R"({"ask":"tree","ignore":["function:work"]})");
    EXPECT_THAT(names_of_frames(tree), ElementsAre("main", "leaf"));
    EXPECT_THAT(column(tree, "inclusive"), ElementsAre(35, 30));
    EXPECT_THAT(column(tree, "self"), ElementsAre(5, 30));
    expect_to_add_up(tree, "");
}

TEST(TreeAnswer, says_what_hidden_functions_cost_and_keeps_what_they_call) {
    Asking ask(filterable);
    const auto tree = ask(R"({"ask":"tree","hide":["function:work"]})");
    EXPECT_THAT(names_of_frames(tree), ElementsAre("main", "leaf", "other", ""));
    EXPECT_THAT(column(tree, "inclusive"), ElementsAre(135, 100, 10, 20));
    EXPECT_THAT(column(tree, "kind"), ElementsAre(0, 0, 0, 1));
    EXPECT_THAT(column(tree, "parent"), ElementsAre(-1, 0, 0, 0));
    EXPECT_EQ(tree.number("/not_expanded"), 20);
    expect_to_add_up(tree, "");
    const auto shown = ask(R"({"ask":"tree","show":["leaf"]})");
    EXPECT_THAT(names_of_frames(shown), ElementsAre("leaf", ""));
    EXPECT_THAT(column(shown, "inclusive"), ElementsAre(100, 35));
    EXPECT_LE(column(shown, "inclusive_most")[1], 135 - column(shown, "inclusive_least")[0])
        << "no more than all without what is shown";
    const auto nothing = ask(R"({"ask":"tree","focus":["no such function"]})");
    EXPECT_EQ(nothing.number("/whole"), 0);
}

TEST(TreeAnswer, of_two_profiles_obeys_filters_in_both) {
    Asking ask(after, before);
    const auto tree = ask(R"({"ask":"tree","compare":true,"ignore":["work"]})");
    EXPECT_THAT(names_of_frames(tree), ElementsAre("main", "fresh", "gone"));
    EXPECT_THAT(column(tree, "inclusive"), ElementsAre(1005, 1000, 0));
    EXPECT_THAT(column(tree, "inclusive_before"), ElementsAre(12, 0, 7));
}

TEST(GraphAnswer, leaves_out_what_the_filters_do) {
    Asking ask(filterable);
    const auto all = R"({"ask":"graph","node_share":0,"arc_share":0,)";
    const auto names = [&](const std::string& members) { return ask(all + members + "}").names("/nodes"); };
    EXPECT_THAT(names(R"("hide":["other"])"), ElementsAre("main", "leaf", "work"));
    EXPECT_THAT(names(R"("focus":["function:work"])"), testing::IsSupersetOf({"leaf", "other", "work"}));
    EXPECT_THAT(names(R"("ignore":["function:leaf"])"), testing::Not(testing::Contains("leaf")));
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

TEST(GraphAnswer, of_the_whole_program_has_the_way_into_a_cycle) {
    // Nearly all of the cost is in "twin", which "enter" calls and which calls "enter" back.
    Asking ask(
        "events: Ir\nob=p\nfl=x.c\nfn=main\n1 1\ncfn=enter\ncalls=1 10\n2 103\ncfn=aside\ncalls=1 30\n3 7\n"
        "fn=enter\n10 1\ncfn=twin\ncalls=1 20\n11 102\nfn=twin\n20 100\ncfn=enter\ncalls=1 10\n21 2\n"
        "fn=aside\n30 7\n");
    EXPECT_THAT(ask(R"({"ask":"graph","most":3})").names("/nodes"), ElementsAre("main", "enter", "twin"));
}

TEST(GraphAnswer, of_two_profiles_has_the_costs_of_both) {
    Asking ask(after, before);
    const auto graph = ask(R"({"ask":"graph","compare":true,"node_share":0,"arc_share":0})");
    EXPECT_THAT(graph.names("/nodes"), ElementsAre("main", "fresh", "work", "gone"));
    EXPECT_EQ(graph.number("/nodes/2/inclusive_before/0"), 40);
    EXPECT_EQ(graph.number("/arcs/1/count_before"), 2);
    EXPECT_EQ(graph.number("/arcs/1/cost_before/0"), 40);
}

TEST(GraphAnswer, of_two_profiles_has_what_is_gone) {
    Asking ask(after, before);
    const auto id = std::to_string(ask(R"({"ask":"find","name":"main"})").number("/id"));
    const auto graph = ask(R"({"ask":"graph","compare":true,"node_share":0,"arc_share":0,"id":)" + id + "}");
    EXPECT_THAT(graph.names("/nodes"), ElementsAre("main", "fresh", "work", "gone"));
    EXPECT_LT(graph.number("/nodes/3/id"), 0);
    EXPECT_EQ(graph.text("/nodes/3/match"), "removed");
    ASSERT_EQ(graph.size("/arcs"), 3U);
    EXPECT_EQ(graph.number("/arcs/2/to"), 3);
    EXPECT_EQ(graph.number("/arcs/2/count"), 0);
    EXPECT_EQ(graph.number("/arcs/2/cost/0"), 0);
    EXPECT_EQ(graph.number("/arcs/2/count_before"), 1);
    EXPECT_EQ(graph.number("/arcs/2/cost_before/0"), 7);
    const auto gone =
        ask(R"({"ask":"graph","compare":true,"id":)" + std::to_string(graph.number("/nodes/3/id")) + "}");
    EXPECT_THAT(gone.names("/nodes"), ElementsAre("gone", "main"));
    EXPECT_EQ(gone.number("/arcs/0/from"), 1);
    const auto ignored = ask(R"({"ask":"graph","compare":true,"node_share":0,"hide":["gone"]})");
    EXPECT_THAT(ignored.names("/nodes"), testing::Not(testing::Contains("gone")));
}

TEST(GraphAnswer, tells_what_is_too_light_from_what_there_is_no_room_for) {
    Asking ask(filterable);
    const auto id = std::to_string(ask(R"({"ask":"find","name":"main"})").number("/id"));
    const auto graph = ask(R"({"ask":"graph","most":2,"node_share":0.2,"arc_share":0,"id":)" + id + "}");
    EXPECT_THAT(graph.names("/nodes"), ElementsAre("main", "work"));
    EXPECT_EQ(graph.number("/crowded_out"), 1) << "leaf";
    EXPECT_EQ(graph.number("/omitted_nodes"), 1) << "other";
    const auto program = ask(R"({"ask":"graph","most":2,"node_share":0.2})");
    EXPECT_EQ(program.number("/crowded_out"), 1);
    EXPECT_EQ(program.number("/omitted_nodes"), 1);
}

TEST(GraphAnswer, has_equal_functions_in_the_order_of_the_library) {
    const std::string twins = "ob=z\nfl=x.c\nfn=twin\n1 7\nob=a\nfn=twin\n1 7\n";
    Asking whole("events: Ir\n" + twins);
    const auto program = whole(R"({"ask":"graph"})");
    EXPECT_EQ(program.text("/nodes/0/object"), "a");
    EXPECT_EQ(program.text("/nodes/1/object"), "z");
    Asking called("events: Ir\n" + twins +
                  "ob=m\nfn=main\n1 1\ncob=z\ncfn=twin\ncalls=1 1\n2 7\ncob=a\ncfn=twin\ncalls=1 1\n3 7\n");
    const auto id = called(R"({"ask":"find","name":"main"})").number("/id");
    const auto around = called(R"({"ask":"graph","id":)" + std::to_string(id) + "}");
    EXPECT_THAT(around.names("/nodes"), ElementsAre("main", "twin", "twin"));
    EXPECT_EQ(around.text("/nodes/1/object"), "a");
    EXPECT_EQ(around.text("/nodes/2/object"), "z");
}

TEST(GraphAnswer, does_not_take_functions_together_that_nothing_tells_apart) {
    const auto profile = [](const std::vector<std::string>& costs) {
        std::string text = "events: Ir\nob=p\nfl=x.c\n";
        for (std::size_t i = 0; i < costs.size(); ++i)
            text +=
                "fn={lambda()#" + std::to_string(i + 1) + "}\n1 " + costs[i] + "\ncfn=leaf\ncalls=1 9\n2 5\n";
        return text + "fn=leaf\n9 " + std::to_string(5 * costs.size()) + "\n";
    };
    Asking ask(profile({"15", "14", "15"}), profile({"10", "20"}));
    const auto graph = ask(R"({"ask":"graph","compare":true,"node_share":0,"arc_share":0})");
    EXPECT_THAT(graph.names("/nodes"),
                testing::UnorderedElementsAre("{lambda()#1}", "{lambda()#2}", "{lambda()#3}", "leaf"));
    std::int64_t self = 0;
    for (const std::string row : {"0", "1", "2", "3"}) {
        const bool is_leaf = graph.text("/nodes/" + row + "/name") == "leaf";
        EXPECT_EQ(graph.has("/nodes/" + row + "/self_before"), is_leaf) << "which it was is not known";
        if (!is_leaf) self += graph.number("/nodes/" + row + "/self/0");
    }
    EXPECT_EQ(self, 44) << "each for itself";
    EXPECT_FALSE(graph.has("/arcs/0/cost_before"));
}

}  // namespace
}  // namespace callcost::engine
