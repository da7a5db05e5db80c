#include <string>

#include <gtest/gtest.h>

#include "unit/library/call_graph/questions.hpp"
#include <callcost/call_graph.hpp>

namespace callcost::test {
namespace {

// main calls a and b; both call both; a alone calls only_a; both calls shared.
const char* const diamond =
    "fn=main\n1 1\ncfn=a\ncalls=1 1\n1 90\ncfn=b\ncalls=1 1\n1 60\n"
    "fn=a\n2 10\ncfn=only_a\ncalls=1 1\n2 30\ncfn=both\ncalls=1 1\n2 50\n"
    "fn=b\n3 10\ncfn=both\ncalls=1 1\n3 50\n"
    "fn=only_a\n4 30\nfn=both\n5 60\ncfn=shared\ncalls=2 1\n5 40\nfn=shared\n6 40\n";

Filters::Predicate named(const CallGraph& graph, const std::string& name) {
    return [&graph, name](NodeId node) { return graph.name(node) == name; };
}

struct Answer {
    const CallGraph& graph;
    FilterResult filtered;

    [[nodiscard]] Kept self(std::string_view name) const {
        return filtered.self[node_called(graph, name).value];
    }
    [[nodiscard]] Kept inclusive(std::string_view name) const {
        return filtered.inclusive[node_called(graph, name).value];
    }
};

TEST(Filter, without_filters_keeps_everything) {
    const Profile profile = plain_profile(diamond);
    const CallGraph graph = graph_of(profile);
    const auto filtered = filter(graph, {}, measure_of(profile));
    EXPECT_EQ(filtered.least, 151);
    EXPECT_EQ(filtered.most, 151);
}

TEST(Filter, a_focus_keeps_what_runs_only_below_it_and_some_of_what_is_called_from_without) {
    const Profile profile = plain_profile(diamond);
    const CallGraph graph = graph_of(profile);
    const Answer answer{graph, filter(graph, {.focus = named(graph, "a")}, measure_of(profile))};
    EXPECT_EQ(answer.self("a"), Kept::everything);
    EXPECT_EQ(answer.self("only_a"), Kept::everything);
    EXPECT_EQ(answer.self("both"), Kept::some);
    EXPECT_EQ(answer.self("shared"), Kept::some);
    EXPECT_EQ(answer.self("b"), Kept::nothing);
    EXPECT_EQ(answer.inclusive("b"), Kept::nothing);
    EXPECT_EQ(answer.self("main"), Kept::nothing);
    EXPECT_EQ(answer.inclusive("main"), Kept::some);
    EXPECT_EQ(answer.filtered.least, 90) << "by the arc from main, though the rows allow 40 to 140";
    EXPECT_EQ(answer.filtered.most, 90);
}

TEST(Filter, ignoring_is_the_opposite_of_a_focus) {
    const Profile profile = plain_profile(diamond);
    const CallGraph graph = graph_of(profile);
    const Answer answer{graph, filter(graph, {.ignore = named(graph, "a")}, measure_of(profile))};
    EXPECT_EQ(answer.self("a"), Kept::nothing);
    EXPECT_EQ(answer.self("only_a"), Kept::nothing);
    EXPECT_EQ(answer.self("both"), Kept::some);
    EXPECT_EQ(answer.self("b"), Kept::everything);
    EXPECT_EQ(answer.inclusive("b"), Kept::everything);
    EXPECT_EQ(answer.self("main"), Kept::everything);
    EXPECT_EQ(answer.inclusive("main"), Kept::some);
    EXPECT_EQ(answer.filtered.least, 61) << "all but the 90 of a, though the rows allow 11 to 111";
    EXPECT_EQ(answer.filtered.most, 61);
}

TEST(Filter, any_member_of_a_cycle_may_be_where_it_is_entered) {
    // Threads start in p and in q, which call each other: p 1, p>q 2, q 3, q>p 4.
    const Profile profile =
        plain_profile("fn=p\n1 5\ncfn=q\ncalls=1 2\n1 2\nfn=q\n2 5\ncfn=p\ncalls=1 1\n2 4\n");
    const CallGraph graph = graph_of(profile);
    const Answer answer{graph, filter(graph, {.ignore = named(graph, "q")}, measure_of(profile))};
    EXPECT_EQ(answer.self("p"), Kept::some) << "1 of 5";
    EXPECT_LE(answer.filtered.least, 1);
    EXPECT_GE(answer.filtered.most, 1);
}

TEST(Filter, a_negative_cost_may_hide_where_a_function_is_entered) {
    // main calls s for 10; another thread's s costs -5.
    const Profile profile = plain_profile("fn=main\n1 1\ncfn=s\ncalls=1 1\n2 10\nfn=s\n1 10\n3 -5\n");
    const CallGraph graph = graph_of(profile);
    const Answer focus{graph, filter(graph, {.focus = named(graph, "main")}, measure_of(profile))};
    EXPECT_EQ(focus.self("s"), Kept::everything) << "no sum is negative: nothing hints at it";
    const Profile worse = plain_profile("fn=main\n1 1\ncfn=s\ncalls=1 1\n2 10\nfn=s\n1 10\n3 -15\n");
    const CallGraph graph_of_worse = graph_of(worse);
    const Answer ignore{graph_of_worse,
                        filter(graph_of_worse, {.ignore = named(graph_of_worse, "main")}, measure_of(worse))};
    EXPECT_EQ(ignore.self("s"), Kept::some);
    EXPECT_EQ(ignore.filtered.least, -5);
    EXPECT_EQ(ignore.filtered.most, 0);
}

TEST(Filter, what_all_chains_pass_is_kept_whole_however_deep) {
    const Profile profile = plain_profile(diamond);
    const CallGraph graph = graph_of(profile);
    const Answer answer{graph, filter(graph, {.focus = named(graph, "both")}, measure_of(profile))};
    EXPECT_EQ(answer.self("shared"), Kept::everything);
    EXPECT_EQ(answer.filtered.least, 100);
    EXPECT_EQ(answer.filtered.most, 100);
}

TEST(Filter, a_function_entered_without_a_recorded_caller_is_called_from_without) {  // F77
    const Profile profile = plain_profile("fn=f\n1 1\ncfn=g\ncalls=1 1\n1 5\nfn=g\n2 9\n");
    const CallGraph graph = graph_of(profile);
    const Answer answer{graph, filter(graph, {.focus = named(graph, "f")}, measure_of(profile))};
    EXPECT_EQ(answer.self("g"), Kept::some) << "9 were spent, 5 of them for f";
}

TEST(Filter, a_cycle_below_the_focus_is_kept_whole_if_it_is_entered_only_there) {
    const Profile profile = plain_profile(
        "fn=main\n1 1\ncfn=f\ncalls=1 1\n1 9\nfn=f\n2 2\ncfn=x\ncalls=1 1\n2 7\n"
        "fn=x\n3 3\ncfn=y\ncalls=1 1\n3 4\nfn=y\n4 4\ncfn=x\ncalls=1 1\n4 3\n");
    const CallGraph graph = graph_of(profile);
    const Answer answer{graph, filter(graph, {.focus = named(graph, "f")}, measure_of(profile))};
    EXPECT_EQ(answer.self("x"), Kept::everything);
    EXPECT_EQ(answer.self("y"), Kept::everything);
}

TEST(Filter, hiding_and_showing_change_the_list_and_no_cost) {
    const Profile profile = plain_profile(diamond);
    const CallGraph graph = graph_of(profile);
    const auto hidden = filter(graph, {.hide = named(graph, "both")}, measure_of(profile));
    EXPECT_EQ(hidden.most, 91);
    EXPECT_EQ(hidden.least, 91);
    EXPECT_EQ(hidden.self[node_called(graph, "both").value], Kept::everything);
    const auto shown = filter(graph, {.show = named(graph, "both")}, measure_of(profile));
    EXPECT_EQ(shown.most, 60);
    EXPECT_FALSE(shown.listed[node_called(graph, "a").value]);
}

TEST(Filter, focus_on_a_member_of_a_cycle_keeps_its_inclusive_cost_where_that_is_known) {
    const Profile profile = profile_of(
        "creator: callgrind-3.22.0\nevents: Ir\nfn=main\n1 10\ncfn=f\ncalls=1 1\n1 90\n"
        "fn=f\n2 40\ncfn=g\ncalls=1 1\n2 50\nfn=g\n3 20\ncfn=f'2\ncalls=1 1\n3 30\nfn=f'2\n2 30\n");
    const CallGraph graph = graph_of(profile);
    for (const auto& [function, cost] : {std::pair("f", 90), std::pair("g", 50)}) {
        const auto shown = filter(graph, {.focus = named(graph, function)}, measure_of(profile));
        EXPECT_EQ(shown.least, cost) << function;
        EXPECT_EQ(shown.most, cost) << function;
        const auto rest = filter(graph, {.ignore = named(graph, function)}, measure_of(profile));
        EXPECT_EQ(rest.least, 100 - cost) << function;
        EXPECT_EQ(rest.most, 100 - cost) << function;
    }
}

TEST(Filter, a_call_below_zero_bounds_nothing) {
    const Profile profile =
        plain_profile("fn=f\n1 10\ncfn=g\ncalls=1 1\n1 -5\nfn=h\n2 1\ncfn=g\ncalls=1 1\n2 20\nfn=g\n3 40\n");
    const CallGraph graph = graph_of(profile);
    const auto shown = filter(graph, {.focus = named(graph, "f")}, measure_of(profile));
    EXPECT_EQ(shown.least, 10);
    EXPECT_EQ(shown.most, 50);
}

}  // namespace
}  // namespace callcost::test
