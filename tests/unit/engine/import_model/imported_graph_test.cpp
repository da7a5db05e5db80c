// What is said of paths in call graphs whose levels of recursion an importer divided, against programs of
// which every stack is known.
#include "import_model/imported_graph.hpp"

#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "unit/library/call_graph/questions.hpp"
#include "unit/library/tree/programs.hpp"
#include "unit/library/tree/trees.hpp"

namespace callcost::test {
namespace {

/// As cProfile counts: what was spent while a function, or a call by one function of another, was on the
/// stack.
Profile counted(const Program& program) {
    std::map<unsigned, engine::GraphCosts> functions;
    std::map<std::pair<unsigned, unsigned>, engine::GraphCall> calls;
    for (const auto& [stack, cost] : program.stacks()) {
        functions[stack.back()].self += cost;
        for (const unsigned function : std::set(stack.begin(), stack.end()))
            functions[function].inclusive += cost;
        std::set<std::pair<unsigned, unsigned>> met;
        for (std::size_t i = 1; i < stack.size(); ++i) met.insert({stack[i - 1], stack[i]});
        for (const auto& call : met) {
            auto& costs = calls.try_emplace(call, engine::GraphCall{.self = 0, .inclusive = 0}).first->second;
            costs.inclusive += cost;
        }
        if (stack.size() > 1) calls[{stack[stack.size() - 2], stack.back()}].self += cost;
    }
    for (auto& [call, costs] : calls) {
        costs.calls = program.calls().at(call);
        functions[call.second].calls += costs.calls;
        functions[call.second].first_calls += 1;
    }
    engine::GraphProfile graph;
    const auto row = [&](unsigned function) { return graph.function("", "", name_of(function)); };
    for (const auto& [function, costs] : functions) graph.add(row(function), costs);
    for (const auto& [call, costs] : calls) graph.add_call(row(call.first), row(call.second), costs);
    std::string text;
    const auto written = graph.write({.event = "Ir"}, [&](std::string_view piece) -> Result<void> {
        text += piece;
        return {};
    });
    EXPECT_TRUE(written);
    return profile_of(text);
}

struct PathCosts {
    Cost self_least, self_most, least, most;
};

/// By the names along the path. Levels of a function may be frames side by side.
std::map<std::string, PathCosts> costs_by_path(const CallGraph& graph, const Tree& tree) {
    const ContextNames contexts(graph.profile());
    std::vector<std::string> paths(tree.frames.size());
    std::map<std::string, PathCosts> costs;
    for (std::size_t row = 0; row < tree.frames.size(); ++row) {
        const Frame& frame = tree.frames[row];
        if (frame.kind != FrameKind::function) continue;
        if (frame.parent != Frame::none) paths[row] = paths[frame.parent] + ";";
        paths[row] += contexts.split(graph.function(frame.node)).name;
        PathCosts& sum = costs[paths[row]];
        sum.self_least += frame.self.least;
        sum.self_most += frame.self.most;
        sum.least += frame.inclusive.least;
        sum.most += frame.inclusive.most;
    }
    return costs;
}

class ImportedGraph : public testing::TestWithParam<TreeDirection> {};

TEST_P(ImportedGraph, has_bounds_of_paths_that_hold_the_truth) {
    std::size_t exact = 0;
    for (unsigned seed = 1; seed <= 10; ++seed) {
        const Program program(seed, false);
        const Profile profile = counted(program);
        const CallGraph graph = graph_of(profile);
        TreeOptions options{.measure = measure_of(profile), .direction = GetParam()};
        options.max_frames = std::numeric_limits<std::size_t>::max();
        const auto truth = exact_tree(graph, {program.recorded()}, options, {});
        ASSERT_TRUE(truth);
        const auto real = costs_by_path(graph, *truth);
        options.max_frames = 300;
        const Tree tree = estimate_tree(graph, options);
        expect_sound(tree, options);
        for (const auto& [path, costs] : costs_by_path(graph, tree)) {
            SCOPED_TRACE(testing::Message() << seed << ' ' << path);
            const auto found = real.find(path);
            const PathCosts spent = found == real.end() ? PathCosts{} : found->second;
            EXPECT_LE(costs.least, spent.least);
            EXPECT_GE(costs.most, spent.least);
            EXPECT_LE(costs.self_least, spent.self_least);
            EXPECT_GE(costs.self_most, spent.self_least);
            if (costs.least == costs.most) ++exact;
        }
    }
    EXPECT_GT(exact, 10U);
}

INSTANTIATE_TEST_SUITE_P(BothWays, ImportedGraph,
                         testing::Values(TreeDirection::callees, TreeDirection::callers),
                         [](const auto& which) {
                             return which.param == TreeDirection::callees ? "callees" : "callers";
                         });

TEST(ImportedGraphs, have_bounds_of_what_filters_keep_that_hold_the_truth) {
    for (unsigned seed = 1; seed <= 10; ++seed) {
        const Program program(seed, false);
        const Profile profile = counted(program);
        const CallGraph graph = graph_of(profile);
        const Measure ir = measure_of(profile);
        for (const auto& wanted : filters_tried) {
            const Filters filters = wanted.on(graph);
            const FilterResult filtered = filter(graph, filters, ir);
            const auto costs = filtered_costs(graph, filters, filtered, ir);
            const auto truth = filtered_costs(graph, filters, filtered, ir, {program.recorded()});
            for (std::size_t row = 0; row < graph.size(); ++row) {
                SCOPED_TRACE(testing::Message() << seed << ' ' << wanted.focus << ' ' << wanted.ignore << ' '
                                                << graph.name(NodeId(row)));
                EXPECT_LE(costs.self.least[row], truth.self.least[row]);
                EXPECT_GE(costs.self.most[row], truth.self.least[row]);
                EXPECT_LE(costs.inclusive.least[row], truth.inclusive.least[row]);
                EXPECT_GE(costs.inclusive.most[row], truth.inclusive.least[row]);
            }
        }
    }
}

}  // namespace
}  // namespace callcost::test
