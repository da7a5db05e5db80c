#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/library/call_graph/questions.hpp"
#include "unit/library/parser/growth.hpp"
#include <callcost/call_graph.hpp>
#include <callcost/check.hpp>
#include <callcost/groups.hpp>
#include <callcost/tree.hpp>
#include <callcost/writer.hpp>

namespace callcost::test {
namespace {

using testing::ElementsAre;
using testing::Pair;

const std::string by_callgrind = "version: 1\ncreator: callgrind-3.19.0\nevents: Ir Dr\n";

/// The arc from `resolve` to `heavy` is lost: main paid 1010 for both, 1000 of it spent in heavy.
const std::string lost_arc =
    "fn=main\n1 20 2\ncfn=resolve\ncalls=2 1\n1 1010 101\n"
    "fn=resolve\n1 6 1\ncfn=fixup\ncalls=1 1\n1 4\n"
    "fn=fixup\n1 4\nfn=heavy\n1 700 70\ncfn=leaf\ncalls=1 1\n1 300 30\nfn=leaf\n1 300 30\n";

struct NodeCosts {
    std::int64_t inclusive, unrecorded;
    friend bool operator==(const NodeCosts&, const NodeCosts&) = default;
    friend std::ostream& operator<<(std::ostream& out, const NodeCosts& costs) {
        return out << costs.inclusive << ", unrecorded " << costs.unrecorded;
    }
};
NodeCosts costs_of(const Profile& profile, std::string_view function, std::string_view event = "Ir") {
    const CallGraph graph = graph_of(profile);
    const NodeId node = node_called(graph, function);
    const Measure measure = measure_of(profile, event);
    const FunctionList all = functions(graph, {.measure = measure, .by = SortBy::inclusive});
    for (const FunctionRow& row : all.rows) {
        if (row.node != node) continue;
        EXPECT_EQ(row.inclusive, graph.inclusive(node, measure)) << function;
    }
    return {graph.inclusive(node, measure), graph.unrecorded_callees(node, measure)};
}

TEST(Inclusive, of_a_callgrind_function_without_some_arcs_out_is_what_its_callers_paid) {  // F76 (a)
    const Profile profile = profile_of(by_callgrind + lost_arc);
    EXPECT_EQ(costs_of(profile, "resolve"), (NodeCosts{1010, 1000}));
    EXPECT_EQ(costs_of(profile, "resolve", "Dr"), (NodeCosts{101, 100}));
    EXPECT_EQ(costs_of(profile, "resolve", "2 Ir + 3 Dr"), (NodeCosts{2323, 2300}));
    EXPECT_EQ(costs_of(profile, "main"), (NodeCosts{1030, 0}));
    EXPECT_EQ(costs_of(profile, "heavy"), (NodeCosts{1000, 0}));
}

TEST(Inclusive, of_other_producers_is_self_and_arcs_out) {
    EXPECT_EQ(costs_of(profile_of("creator: xdebug 3\nevents: Ir Dr\n" + lost_arc), "resolve"),
              (NodeCosts{10, 0}));
}

TEST(Inclusive, stays_what_it_is_in_what_callcost_writes_of_a_callgrind_file) {
    const Profile profile = profile_of(by_callgrind + lost_arc);
    std::string text;
    const Sink sink = to_memory(text);
    ASSERT_TRUE(write_profile(profile, sink).has_value());
    EXPECT_EQ(costs_of(profile_of(text), "resolve"), (NodeCosts{1010, 1000}));
    // Calls of functions that are left out are missing for another reason.
    text.clear();
    ASSERT_TRUE(
        write_profile(profile, sink,
                      {.where = [&](FunctionId function) { return profile.name(function) != "fixup"; }})
            .has_value());
    EXPECT_EQ(costs_of(profile_of(text), "resolve"), (NodeCosts{10, 0}));
}

TEST(Inclusive, of_direct_recursion_counts_neither_way) {
    const Profile profile = profile_of(by_callgrind +
                                       "fn=main\n1 5\ncfn=f\ncalls=1 1\n1 100\n"
                                       "fn=f\n1 60\ncfn=f\ncalls=9 1\n1 500\nfn=lost\n1 40\n");
    EXPECT_EQ(costs_of(profile, "f"), (NodeCosts{100, 40}));
}

TEST(Inclusive, of_a_member_of_a_cycle_is_an_estimate_without_levels) {  // F76 (c)
    const Profile profile = profile_of(by_callgrind +
                                       "fn=main\n1 5\ncfn=f\ncalls=1 1\n1 100\n"
                                       "fn=f\n1 10\ncfn=g\ncalls=1 1\n1 50\n"
                                       "fn=g\n1 20\ncfn=f\ncalls=1 1\n1 40\nfn=lost\n1 70\n");
    EXPECT_EQ(costs_of(profile, "f"), (NodeCosts{100, 0}));
    EXPECT_EQ(costs_of(profile, "g"), (NodeCosts{46, 0}));
    const CallGraph graph = graph_of(profile);
    EXPECT_EQ(graph.inclusive_bounds(node_called(graph, "f"), measure_of(profile)),
              (BoundedCost{100, 100, 100}))
        << "all that enters the cycle enters there";
    EXPECT_EQ(graph.inclusive_bounds(node_called(graph, "g"), measure_of(profile)),
              (BoundedCost{46, 20, 60}));
    EXPECT_EQ(graph.inclusive_bounds(node_called(graph, "g"), measure_of(profile, "2 Ir")),
              (BoundedCost{92, 40, 120}));
}

/// `f` calls `g`, which calls `f` again, twice: deeper levels are `f'2` and `g'2`.
const std::string with_levels =
    "fn=main\n1 5\ncfn=f\ncalls=1 1\n1 100\ncfn=g\ncalls=1 1\n1 30\n"
    "fn=f\n1 10\ncfn=g\ncalls=1 1\n1 90\ncfn=f'2\ncalls=1 1\n1 15\n"
    "fn=g\n1 20\ncfn=f'2\ncalls=1 1\n1 70\ncfn=f\ncalls=1 1\n1 15\n"
    "fn=f'2\n1 50\ncfn=g'2\ncalls=1 1\n1 35\nfn=g'2\n1 35\ncfn=f'2\ncalls=1 1\n1 20\n";

TEST(Inclusive, of_a_member_of_a_cycle_is_that_of_its_first_level) {  // F76 (c)
    const Profile profile = profile_of(by_callgrind + with_levels);
    EXPECT_EQ(costs_of(profile, "f"), (NodeCosts{115, 0}));
    EXPECT_EQ(costs_of(profile, "g"), (NodeCosts{120, 0}));
    const CallGraph graph = graph_of(profile);
    const Measure ir = measure_of(profile);
    EXPECT_TRUE(graph.inclusive_bounds(node_called(graph, "f"), ir).is_exact());
    EXPECT_TRUE(graph.counted_again(arc_between(graph, "f", "g"))) << "f'2 calls g'2";
    EXPECT_FALSE(graph.counted_again(arc_between(graph, "f", "f")));
    EXPECT_FALSE(graph.counted_again(arc_between(graph, "main", "f")));
}

TEST(Inclusive, of_a_first_level_that_calls_itself_is_bounded) {  // --separate-recs1=f
    const Profile profile = profile_of(by_callgrind + with_levels + "fn=f\n1 0\ncfn=f\ncalls=1 1\n1 3\n");
    const CallGraph graph = graph_of(profile);
    const Measure ir = measure_of(profile);
    EXPECT_FALSE(graph.inclusive_bounds(node_called(graph, "f"), ir).is_exact());
    EXPECT_TRUE(graph.inclusive_bounds(node_called(graph, "g"), ir).is_exact());
}

TEST(Inclusive, of_functions_that_cost_more_than_their_cycle_is_bounded) {  // --separate-recs1=a,b
    const Profile profile =
        profile_of(by_callgrind +
                   "fn=main\n1 10\ncfn=a\ncalls=1 1\n1 100\ncfn=r\ncalls=1 1\n1 20\n"
                   "fn=a\n1 40\ncfn=b\ncalls=5 1\n1 250\nfn=b\n1 60\ncfn=a\ncalls=4 1\n1 190\n"
                   "fn=r\n1 15\ncfn=r'2\ncalls=1 1\n1 5\nfn=r'2\n1 5\n");
    const CallGraph graph = graph_of(profile);
    const Measure ir = measure_of(profile);
    EXPECT_EQ(graph.inclusive_bounds(node_called(graph, "a"), ir), (BoundedCost{100, 100, 100}));
    const BoundedCost b = graph.inclusive_bounds(node_called(graph, "b"), ir);
    EXPECT_EQ(b.least, 60);
    EXPECT_EQ(b.most, 100);
}

TEST(Inclusive, is_not_known_in_a_cycle_with_costs_below_zero) {
    const Profile profile = profile_of(
        "events: Ir\nfn=main\n1 10\ncfn=a\ncalls=1 1\n1 -20\n"
        "fn=a\n1 40\ncfn=b\ncalls=1 1\n1 -60\nfn=b\n1 -90\ncfn=a\ncalls=1 1\n1 30\n");
    const CallGraph graph = graph_of(profile);
    const BoundedCost a = graph.inclusive_bounds(node_called(graph, "a"), measure_of(profile));
    EXPECT_FALSE(a.is_exact());
    EXPECT_LE(a.least, a.most);
}

TEST(Inclusive, of_other_producers_takes_no_levels_from_names) {
    const Profile profile = profile_of("creator: xdebug 3\nevents: Ir\n" + with_levels);
    const CallGraph graph = graph_of(profile);
    EXPECT_FALSE(graph.inclusive_bounds(node_called(graph, "g"), measure_of(profile)).is_exact());
}

TEST(Inclusive, is_as_recorded_where_counters_were_set_to_zero) {  // F76
    const Profile profile = profile_of(by_callgrind +
                                       "fn=main\n1 5\ncfn=f\ncalls=1 1\n1 30\n"
                                       "fn=f\n1 10\ncfn=g\ncalls=1 1\n1 -50\nfn=g\n1 80\n");
    EXPECT_EQ(costs_of(profile, "f"), (NodeCosts{-40, 0}));
}

/// Callgrind counts an event in calls that is in no function (F70): `summary:` is 2 more than the lines.
const std::string exit_within_a_block = by_callgrind +
                                        "fn=start\n1 15\ncfn=main\ncalls=1 1\n1 106\n"
                                        "fn=main\n1 100\ncfn=_Exit\ncalls=1 1\n1 6\nfn=_Exit\n1 4\n"
                                        "totals: 119\nsummary: 121\n";

TEST(Inclusive, of_a_root_is_at_most_the_total) {  // F76 (a)
    const Profile profile = profile_of(exit_within_a_block);
    EXPECT_EQ(costs_of(profile, "start"), (NodeCosts{119, 0}));
    EXPECT_EQ(costs_of(profile, "_Exit"), (NodeCosts{6, 0}));
    const CallGraph graph = graph_of(profile);
    EXPECT_EQ(graph.unattributed(node_called(graph, "_Exit"), measure_of(profile)), 2);
    EXPECT_EQ(roots(graph, measure_of(profile)).at(0).weight, 119);
}

TEST(Inclusive, of_a_cycle_at_the_root_is_at_most_the_total) {
    const Profile profile = profile_of(by_callgrind +
                                       "fn=f\n1 15\ncfn=g\ncalls=1 1\n1 90\n"
                                       "fn=g\n1 100\ncfn=f\ncalls=1 1\n1 7\ncfn=_Exit\ncalls=1 1\n1 6\n"
                                       "fn=_Exit\n1 4\nsummary: 121\n");
    const CallGraph graph = graph_of(profile);
    EXPECT_EQ(graph.inclusive(CycleId(0), measure_of(profile)), 119);
}

TEST(Inclusive, of_a_real_root_is_at_most_the_total) {
    for (const char* name : {"callgrind/exit-cache-sim.out", "callgrind/all-events.out"}) {
        const Profile profile = profile_file(name);
        const CallGraph graph = graph_of(profile);
        for (const EventType& event : profile.events()) {
            const Measure measure = measure_of(profile, event.name);
            for (std::size_t row = 0; row < graph.size(); ++row)
                EXPECT_LE(graph.inclusive(NodeId(row), measure), graph.total(measure))
                    << name << ' ' << event.name << ' ' << graph.name(NodeId(row));
        }
        EXPECT_EQ(costs_of(profile, "_Exit"), (NodeCosts{6, 0})) << name;
        EXPECT_EQ(graph.unattributed(node_called(graph, "_Exit"), measure_of(profile)), 2) << name;
    }
}

TEST(Inclusive, of_a_group_with_missing_arcs_is_what_other_groups_paid) {
    const Profile profile = profile_of(by_callgrind +
                                       "fl=a.c\nfn=main\n1 20\ncfl=b.c\ncfn=resolve\ncalls=2 1\n1 1010\n"
                                       "fl=b.c\nfn=resolve\n1 10\nfl=c.c\nfn=heavy\n1 1000\n");
    const GroupList files = groups(graph_of(profile), GroupBy::file, {.by = SortBy::name});
    std::vector<std::pair<std::string, std::int64_t>> found;
    for (const Group& group : files.rows) found.emplace_back(group.name, group.inclusive.estimate);
    EXPECT_THAT(found, ElementsAre(Pair("a.c", 1030), Pair("b.c", 1010), Pair("c.c", 1000)));
}

FilterResult focused(const Profile& profile, std::string_view function) {
    const CallGraph graph = graph_of(profile);
    Filters filters;
    filters.focus = [&](NodeId node) { return graph.name(node) == function; };
    return filter(graph, filters, measure_of(profile));
}

TEST(Inclusive, missing_arcs_may_lead_to_every_function_without_a_caller) {
    const Profile profile = profile_of(by_callgrind + lost_arc);
    const CallGraph graph = graph_of(profile);
    const FilterResult below = focused(profile, "resolve");
    EXPECT_EQ(below.self[node_called(graph, "resolve").value], Kept::everything);
    EXPECT_EQ(below.self[node_called(graph, "heavy").value], Kept::some);
    EXPECT_EQ(below.self[node_called(graph, "leaf").value], Kept::some);
    EXPECT_EQ(below.least, 1010);
    EXPECT_EQ(below.most, 1010);
    EXPECT_EQ(focused(profile, "heavy").inclusive[node_called(graph, "main").value], Kept::some);
}

TEST(Inclusive, events_outside_of_all_functions_are_no_missing_arcs) {
    const Profile profile = profile_of(exit_within_a_block);
    const FilterResult below = focused(profile, "_Exit");
    EXPECT_EQ(below.self[node_called(graph_of(profile), "start").value], Kept::nothing);
}

TEST(Inclusive, what_is_missing_is_a_frame_of_its_own_in_the_tree) {
    const Profile profile = profile_of(by_callgrind + lost_arc);
    const CallGraph graph = graph_of(profile);
    const Tree tree = estimate_tree(graph, {.measure = measure_of(profile)});
    const ContextNames contexts(profile);
    std::vector<std::pair<std::string, double>> frames;
    for (const Frame& frame : tree.frames)
        frames.emplace_back(frame_label(graph, contexts, frame), frame.inclusive.estimate);
    EXPECT_THAT(frames,
                ElementsAre(Pair("main", 1030), Pair("resolve", 1010), Pair("fixup", 4),
                            Pair("(callees not recorded)", 1000), Pair("heavy", 1000), Pair("leaf", 300)));
    EXPECT_EQ(tree.unrecorded_callees, 1000);
    EXPECT_EQ(tree.unbalanced, 0);
    EXPECT_EQ(filter_tree(tree, graph, {}).unrecorded_callees, 1000);
}

TEST(Inclusive, what_is_unattributed_is_not_in_callees_that_are_missing) {  // F70
    const Profile profile = profile_of(exit_within_a_block);
    const CallGraph graph = graph_of(profile);
    const Tree tree = estimate_tree(graph, {.measure = measure_of(profile)});
    EXPECT_EQ(frame_label(graph, ContextNames(profile), tree.frames.back()), "(unattributed)");
    EXPECT_EQ(tree.frames.back().inclusive.estimate, 2);
    EXPECT_EQ(tree.unattributed, 2);
    EXPECT_EQ(tree.unrecorded_callees, 0);
    EXPECT_EQ(filter_tree(tree, graph, {}).unattributed, 2);
}

TEST(Inclusive, callees_are_missing_where_more_is_than_the_run_has_unattributed) {
    for (const char* summary : {"summary: 2029\n", "summary: 2031\n"}) {  // 999 and 1001 beyond the total
        const Profile profile = profile_of(by_callgrind + lost_arc + summary);
        EXPECT_EQ(costs_of(profile, "resolve"), (NodeCosts{1010, 1000})) << summary;
        const CallGraph graph = graph_of(profile);
        EXPECT_EQ(graph.unattributed(node_called(graph, "resolve"), measure_of(profile)), 0) << summary;
    }
}

TEST(Inclusive, no_arc_costs_more_than_its_callee_where_callees_are_missing) {  // C8
    const Profile profile = profile_of(by_callgrind + lost_arc);
    const FileReport report = check_profile(graph_of(profile), {}, {});
    const Check& balance = report.checks[static_cast<std::size_t>(CheckId::functions_balance)];
    EXPECT_EQ(balance.verdict, Verdict::expected);
    EXPECT_EQ(balance.breaches.at(0).subject, "resolve");
    EXPECT_EQ(report.checks[static_cast<std::size_t>(CheckId::arcs_within_callee)].verdict, Verdict::holds);
}

TEST(Inclusive, asking_every_callee_of_a_hub_takes_time_in_proportion) {
    const auto seconds = [](std::size_t callees) {
        std::string hub = "fn=hub\n1 1\n", others;
        for (std::size_t i = 0; i < callees; ++i) {
            const std::string name = "f" + std::to_string(i);
            hub += "cfn=" + name + "\ncalls=1 1\n1 9\n";
            others.append("fn=").append(name).append("\n1 3\ncfn=hub'2\ncalls=1 1\n1 6\n");
        }
        const Profile profile = profile_of(by_callgrind + hub + others + "fn=hub'2\n1 1\n");
        const CallGraph graph = graph_of(profile);
        return seconds_of([&] {
            for (const ArcId arc : graph.callees(node_called(graph, "hub")))
                EXPECT_FALSE(graph.counted_again(arc));
        });
    };
    EXPECT_LT(seconds(16'000), 10 * seconds(4000));
}

}  // namespace
}  // namespace callcost::test
