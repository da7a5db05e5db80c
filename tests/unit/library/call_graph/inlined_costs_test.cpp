// Costs of functions whose code is inlined, against programs of which every stack is known.
#include <cmath>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "callcost/call_graph.hpp"
#include "callcost/groups.hpp"
#include "callcost/inlining.hpp"
#include "callcost/lines.hpp"
#include "callcost/tree.hpp"
#include "unit/library/call_graph/inlining_program.hpp"
#include "unit/library/parser/sanitized.hpp"

namespace callcost::test {
namespace {

CallGraph inlined_graph(const Profile& profile, Inlined inlined = Inlined::fold,
                        Contexts contexts = Contexts::fold) {
    return call_graph(profile, {.contexts = contexts, .inlined = inlined}).value();
}

std::string chain_of(const CallGraph& graph, NodeId node) {
    const Profile& profile = graph.profile();
    std::string chain(graph.name(node));
    for (FunctionId in = profile.inlined_in(graph.function(node)); in.valid(); in = profile.inlined_in(in))
        chain.append(" in ").append(graph.name(graph.node_of(in)));
    return chain;
}

struct Counts {
    std::size_t rows = 0, exact = 0;
    double error = 0;  // of all estimates, as shares of the total
};

void expect_truth(const CallGraph& graph, const std::map<std::string, std::int64_t>& truth, bool chains,
                  Counts& counts) {
    const Measure measure = default_measure(graph);
    ASSERT_EQ(graph.size(), truth.size());
    const BoundedCosts all = inclusive_bounds(graph, measure);
    for (std::size_t row = 0; row < graph.size(); ++row) {
        const NodeId node(row);
        const std::string name = chains ? chain_of(graph, node) : std::string(graph.name(node));
        SCOPED_TRACE(name);
        ASSERT_TRUE(truth.contains(name));
        const std::int64_t cost = truth.at(name);
        const BoundedCost bounds = graph.inclusive_bounds(node, measure);
        ASSERT_LE(bounds.least, cost);
        ASSERT_GE(bounds.most, cost);
        ASSERT_LE(bounds.least, bounds.estimate);
        ASSERT_GE(bounds.most, bounds.estimate);
        ASSERT_EQ(bounds, (BoundedCost{all.estimate[row], all.least[row], all.most[row]}));
        ASSERT_EQ(graph.inclusive(node, measure), bounds.estimate);
        ++counts.rows;
        if (bounds.is_exact()) ++counts.exact;
        counts.error += std::abs(static_cast<double>(bounds.estimate - Cost(cost))) /
                        static_cast<double>(graph.total(measure));
    }
}

/// As if nothing had been expanded.
void expect_same_graph(const CallGraph& a, const CallGraph& b) {
    ASSERT_EQ(a.size(), b.size());
    ASSERT_EQ(a.cycle_count(), b.cycle_count());
    const Measure measure = default_measure(a);
    for (std::size_t row = 0; row < a.size(); ++row) {
        const NodeId node(row);
        ASSERT_EQ(names_of(a, node), names_of(b, node));
        ASSERT_EQ(a.self(node, measure), b.self(node, measure));
        ASSERT_EQ(a.inclusive_bounds(node, measure), b.inclusive_bounds(node, measure));
        ASSERT_EQ(a.cycle(node), b.cycle(node));
        ASSERT_EQ(a.call_count(node), b.call_count(node));
        ASSERT_EQ(a.callees(node).size(), b.callees(node).size());
    }
}

void expect_true_costs(bool separates_levels, bool is_layered, Counts& functions, Counts& chains) {
    for (unsigned seed = 1; seed <= (is_sanitized ? 40 : 150); ++seed) {
        const InliningProgram program(seed, separates_levels, is_layered);
        SCOPED_TRACE("seed " + std::to_string(seed));
        const Profile whole = read(program.text());
        const Profile profile = expanded(whole, {program.map()});
        const CallGraph graph = inlined_graph(profile);
        expect_truth(graph, program.inclusive, false, functions);
        expect_truth(inlined_graph(profile, Inlined::keep), program.of_chains, true, chains);
        expect_same_graph(inlined_graph(profile, Inlined::in_host), inlined_graph(whole));
        if (testing::Test::HasFatalFailure()) return;
        EXPECT_EQ(graph.cycle_count(), inlined_graph(whole).cycle_count());
        EXPECT_EQ(inlined_graph(profile, Inlined::keep).cycle_count(), inlined_graph(whole).cycle_count());
        const Measure measure = default_measure(graph);
        for (const FunctionRow& row : callcost::functions(graph).rows) {
            const std::string name(graph.name(row.node));
            const auto find = [&](const auto& costs) { return costs.contains(name) ? costs.at(name) : 0; };
            ASSERT_EQ(row.self, find(program.self)) << name;
            ASSERT_EQ(row.inlined, find(program.inlined_self)) << name;
            ASSERT_EQ(row.inlined, graph.inlined_self(row.node, measure));
        }
    }
}

TEST(InlinedCosts, are_exact_without_recursion) {
    Counts of_functions, of_chains;
    expect_true_costs(true, true, of_functions, of_chains);
    EXPECT_EQ(of_functions.exact, of_functions.rows);
    EXPECT_EQ(of_chains.exact, of_chains.rows);
    EXPECT_GT(of_functions.rows, 200U);
}

TEST(InlinedCosts, are_bounded_in_recursion) {
    Counts of_functions, of_chains;
    expect_true_costs(true, false, of_functions, of_chains);
    EXPECT_GT(of_functions.exact, of_functions.rows / 3);
    EXPECT_GT(of_chains.exact, of_chains.rows * 3 / 4);
    EXPECT_LT(of_functions.error, 0.02 * static_cast<double>(of_functions.rows));
    EXPECT_LT(of_chains.error, 0.02 * static_cast<double>(of_chains.rows));
}

TEST(InlinedCosts, are_bounded_where_levels_are_not_separated) {
    Counts of_functions, of_chains;
    expect_true_costs(false, false, of_functions, of_chains);
    EXPECT_GT(of_functions.exact, of_functions.rows / 5);
    EXPECT_GT(of_chains.exact, of_chains.rows * 2 / 5);
    EXPECT_LT(of_functions.error, 0.15 * static_cast<double>(of_functions.rows));
    EXPECT_LT(of_chains.error, 0.1 * static_cast<double>(of_chains.rows));
}

/// Whatever is in the profile: costs below zero, columns that do not add up, parts.
TEST(InlinedCosts, leave_the_functions_around_them_alone) {
    std::mt19937_64 random(45);
    std::size_t any = 0;
    for (int i = 0; i < (is_sanitized ? 200 : 1000); ++i) {
        const std::string text = random_profile(random);
        SCOPED_TRACE(text);
        const Profile whole = read(text);
        const Profile profile = expanded(whole, random_maps(whole, random));
        if (!profile.has_inlined()) continue;
        ++any;
        for (std::size_t part = 0; part <= whole.parts().size(); ++part) {
            Selection selection{.inlined = Inlined::in_host};
            if (part != 0) selection.rows = {part - 1};
            expect_same_graph(call_graph(profile, selection).value(), call_graph(whole, selection).value());
            if (HasFatalFailure()) return;
            for (const Inlined inlined : {Inlined::fold, Inlined::keep}) {
                selection.inlined = inlined;
                const CallGraph graph = call_graph(profile, selection).value();
                const Measure measure = default_measure(graph);
                const FunctionList list = callcost::functions(graph, {.measure = measure});
                Cost sum = 0;
                for (const FunctionRow& row : list.rows) sum += row.self;
                ASSERT_EQ(sum, graph.total(measure));
                const BoundedCosts costs = inclusive_bounds(graph, measure);
                for (std::size_t row = 0; row < graph.size(); ++row) {
                    ASSERT_LE(costs.least[row], costs.estimate[row]);
                    ASSERT_LE(costs.estimate[row], costs.most[row]);
                }
                EXPECT_EQ(estimate_tree(graph).measure.name, measure.name);
                EXPECT_EQ(groups(graph, GroupBy::file).total, graph.total(measure));
            }
        }
    }
    EXPECT_GT(any, 20U);
}

NodeId node_named(const CallGraph& graph, std::string_view chain) {
    for (std::size_t row = 0; row < graph.size(); ++row)
        if (chain_of(graph, NodeId(row)) == chain) return NodeId(row);
    throw std::runtime_error("no node " + std::string(chain));
}
ArcId arc_between(const CallGraph& graph, std::string_view caller, std::string_view callee) {
    for (const ArcId arc : graph.callees(node_named(graph, caller)))
        if (graph.name(graph.callee(arc)) == callee) return arc;
    throw std::runtime_error("no arc");
}

/// g is inlined in main and in h, which g calls from main; and it is a function that h calls.
const char places_of_g[] =
    "creator: callgrind-3.19.0\npositions: instr line\nevents: Ir\nob=prog\nfl=p.c\n"
    "fn=main\n16 1 5\n32 2 10\ncfn=h\ncalls=1 1\n33 2 60\n"
    "fn=h\n48 3 7\n64 4 20\ncfn=g\ncalls=3 1\n49 3 33\nfn=g\n80 5 33\n";
const char map_of_g[] =
    "object\tprog\nfile\tp.c\nfunction\tg\tp.c\t5\nsite\t-1\t0\t0\t2\t20\nsite\t-1\t0\t0\t4\t40\n"
    "run\t10\t-1\nrun\t20\t0\nrun\t30\t-1\nrun\t40\t1\nrun\t50\t-1\n";

TEST(InlinedCosts, of_a_function_below_itself_count_once) {
    const Profile profile = expanded(read(places_of_g), {inline_map(map_of_g)});
    const CallGraph graph = inlined_graph(profile);
    const Measure ir = default_measure(graph);
    ASSERT_EQ(graph.size(), 3U);
    const NodeId g = node_named(graph, "g");
    EXPECT_EQ(graph.self(g, ir), 63);
    EXPECT_EQ(graph.inlined_self(g, ir), 30);
    EXPECT_EQ(graph.inclusive_bounds(g, ir), (BoundedCost{70, 70, 70}));
    EXPECT_EQ(graph.inclusive(node_named(graph, "main"), ir), 75);
    EXPECT_EQ(graph.cycle_count(), 0U);
    const CallGraph places = inlined_graph(profile, Inlined::keep);
    ASSERT_EQ(places.size(), 5U);
    EXPECT_EQ(places.inclusive(node_named(places, "g in main"), ir), 70);
    EXPECT_EQ(places.inclusive(node_named(places, "g in h"), ir), 20);
    EXPECT_EQ(places.inclusive(node_named(places, "g"), ir), 33);
}

/// h costs more than its caller paid: it may have been called without g, too.
TEST(InlinedCosts, are_bounded_where_callers_are_missing) {
    std::string text = places_of_g;
    text.replace(text.find("33 2 60"), 7, "33 2 40");
    const CallGraph graph = inlined_graph(expanded(read(text), {inline_map(map_of_g)}));
    const BoundedCost g = graph.inclusive_bounds(node_named(graph, "g"), default_measure(graph));
    EXPECT_EQ(g.least, 50);
    EXPECT_EQ(g.most, 75);
}

/// Of the levels of f, each place in it is one node, and no other is.
TEST(InlinedCosts, are_of_the_place_in_all_levels) {
    const std::string levels =
        "creator: callgrind-3.19.0\npositions: instr line\nevents: Ir\nob=prog\nfl=p.c\n"
        "fn=f\n32 2 10\n64 4 20\ncfn=f'2\ncalls=1 1\n16 1 3\n"
        "fn=f'2\n32 2 1\n64 4 2\n";
    const CallGraph graph = inlined_graph(expanded(read(levels), {inline_map(map_of_g)}), Inlined::keep);
    ASSERT_EQ(graph.size(), 3U);
    std::vector<Cost> self;
    for (std::size_t row = 0; row < graph.size(); ++row)
        self.push_back(graph.self(NodeId(row), default_measure(graph)));
    std::sort(self.begin(), self.end());
    EXPECT_EQ(self, (std::vector<Cost>{0, 11, 22}));
}

TEST(InlinedCosts, have_entries_and_no_calls) {
    const Profile profile = expanded(read(places_of_g), {inline_map(map_of_g)});
    const CallGraph graph = inlined_graph(profile);
    const NodeId g = node_named(graph, "g");
    EXPECT_EQ(graph.call_count(g), (CallCount{3, false}));
    EXPECT_EQ(graph.entries(g), 30U);
    EXPECT_FALSE(graph.entries(node_named(graph, "main")));
    EXPECT_TRUE(graph.inlined(arc_between(graph, "main", "g")));
    EXPECT_EQ(graph.count(arc_between(graph, "main", "g")), (CallCount{0, true}));
    const ArcId both = arc_between(graph, "h", "g");
    EXPECT_FALSE(graph.inlined(both));
    EXPECT_EQ(graph.count(both), (CallCount{3, false}));
    EXPECT_EQ(graph.cost(both, default_measure(graph)), 53);
    EXPECT_EQ(graph.functions(g).size(), 3U);
    EXPECT_FALSE(profile.inlined_in(graph.function(g)).valid());
    const CallGraph places = inlined_graph(profile, Inlined::keep);
    EXPECT_EQ(places.call_count(node_named(places, "g in h")), (CallCount{0, true}));
}

TEST(InlinedCosts, of_some_parts_are_theirs) {
    const std::string text = places_of_g;
    const std::string body = text.substr(text.find("positions"));
    const Profile profile = expanded(
        read("creator: callgrind-3.19.0\npart: 1\n" + body + "\npart: 2\n" + body + "fn=main\n32 2 1000\n"),
        {inline_map(map_of_g)});
    const auto graph = call_graph(profile, {.parts = {1}}).value();
    const Measure ir = default_measure(graph);
    const NodeId g = node_named(graph, "g");
    EXPECT_EQ(graph.entries(g), 30U);
    EXPECT_EQ(graph.inlined_self(g, ir), 30);
    EXPECT_EQ(graph.inclusive_bounds(g, ir), (BoundedCost{70, 70, 70}));
    EXPECT_EQ(inlined_graph(profile).entries(g), 1060U);
}

/// f calls itself from code that is inlined in it.
TEST(InlinedCosts, have_no_cycle_that_was_not_there) {
    const Profile profile = expanded(read("positions: instr line\nevents: Ir\nob=prog\nfl=p.c\nfn=main\n16 1 "
                                          "1\ncfn=f\ncalls=1 1\n16 1 100\n"
                                          "fn=f\n48 3 60\n64 4 40\ncfn=f\ncalls=4 1\n65 4 80\n"),
                                     {inline_map(map_of_g)});
    for (const Inlined inlined : {Inlined::fold, Inlined::keep, Inlined::in_host})
        EXPECT_EQ(inlined_graph(profile, inlined).cycle_count(), 0U);
    const CallGraph graph = inlined_graph(profile);
    const Measure ir = default_measure(graph);
    EXPECT_EQ(graph.inclusive_bounds(node_named(graph, "f"), ir), (BoundedCost{100, 100, 100}));
    const BoundedCost g = graph.inclusive_bounds(node_named(graph, "g in f"), ir);
    EXPECT_EQ(g.least, 40);
    EXPECT_EQ(g.most, 100);
    EXPECT_TRUE(graph.recursive(arc_between(graph, "g in f", "f")));
    EXPECT_TRUE(graph.counted_again(arc_between(graph, "f", "g")));
    EXPECT_FALSE(graph.recursive(arc_between(graph, "main", "f")));
    EXPECT_EQ(roots(graph, ir).size(), 1U);
}

TEST(InlinedCosts, make_rows_and_groups) {
    const Profile profile = expanded(read(places_of_g), {inline_map(map_of_g)});
    const CallGraph graph = inlined_graph(profile);
    const FunctionList list = callcost::functions(graph, {.by = SortBy::inclusive});
    ASSERT_EQ(list.rows.size(), 3U);
    EXPECT_EQ(graph.name(list.rows[1].node), "g");
    EXPECT_EQ(list.rows[1].inclusive, 70);
    EXPECT_EQ(list.rows[1].inlined, 30);
    EXPECT_EQ(list.omitted_self, 0);
    const GroupList all = groups(graph, GroupBy::object);
    ASSERT_EQ(all.rows.size(), 1U);
    EXPECT_EQ(all.rows[0].self, 75);
    EXPECT_EQ(all.rows[0].inlined, 30);
    EXPECT_EQ(all.rows[0].inclusive, (BoundedCost{75, 75, 75}));
}

TEST(InlinedCosts, of_lines_and_calls_are_there) {
    const Profile profile = expanded(read(places_of_g), {inline_map(map_of_g)});
    const CallGraph graph = inlined_graph(profile), hosts = inlined_graph(profile, Inlined::in_host);
    const Measure ir = default_measure(graph);
    const auto lines = function_lines(graph, node_named(graph, "g"), ir).value();
    ASSERT_EQ(lines.size(), 1U);
    std::vector<std::uint64_t> numbers;
    for (const LineCost& line : lines[0].lines) numbers.push_back(line.line);
    EXPECT_THAT(numbers, testing::ElementsAre(2U, 4U, 5U));
    EXPECT_EQ(call_sites(graph, arc_between(graph, "h", "g"), ir).value().size(), 2U);
    const auto code = instructions(hosts, node_named(hosts, "h"), ir).value();
    ASSERT_EQ(code.size(), 3U);
    EXPECT_EQ(code[2].address, 64U);
    EXPECT_TRUE(code[2].calls.empty());
}

}  // namespace
}  // namespace callcost::test
