// Estimated trees against what really was spent on every path: sources/paths.cpp was recorded plainly, and
// with every caller and recursion level in the names of the functions.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "unit/library/tree/trees.hpp"

namespace callcost::test {
namespace {

struct PathCosts {
    EstimatedCost inclusive, self;
};
using Costs = std::map<std::string, PathCosts>;  // by the names along the path

void add(EstimatedCost& sum, const EstimatedCost& cost) {
    sum.estimate += cost.estimate;
    sum.least += cost.least;
    sum.most += cost.most;
}

Costs costs_of(const CallGraph& graph, const Tree& tree) {
    const ContextNames contexts(graph.profile());
    std::vector<std::string> paths(tree.frames.size());
    Costs costs;
    for (std::size_t row = 0; row < tree.frames.size(); ++row) {
        const Frame& frame = tree.frames[row];
        if (frame.parent != Frame::none) paths[row] = paths[frame.parent] + " > ";
        paths[row] += frame_label(graph, contexts, frame);
        add(costs[paths[row]].inclusive, frame.inclusive);
        add(costs[paths[row]].self, frame.self);
    }
    return costs;
}

Costs tree_of(const std::string& file, const TreeOptions& options) {
    const Profile profile = profile_file(file);
    const CallGraph graph = graph_of(profile);
    const Tree tree = estimate_tree(graph, options);
    expect_sound(tree, options);
    return costs_of(graph, tree);
}

/// The self cost that is put on the path where it was spent, as a share of the total.
double expect_truth_within_bounds(const Costs& estimated, const Costs& truth) {
    double total = 0, right = 0;
    std::size_t known = 0;
    for (const auto& [path, real] : truth) {
        // Callgrind names a caller that calls itself once, whatever its level.
        if (!real.inclusive.certain() || !real.self.certain()) continue;
        ++known;
        const auto found = estimated.find(path);
        const PathCosts costs = found == estimated.end() ? PathCosts{} : found->second;
        EXPECT_NE(found, estimated.end()) << path;
        EXPECT_GE(real.inclusive.least, costs.inclusive.least) << path;
        EXPECT_LE(real.inclusive.most, costs.inclusive.most) << path;
        EXPECT_GE(real.self.least, costs.self.least) << path;
        EXPECT_LE(real.self.most, costs.self.most) << path;
        total += real.self.estimate;
        right += std::min(real.self.estimate, costs.self.estimate);
    }
    EXPECT_GT(known, 60U);
    return right / total;
}

class TruePaths : public testing::TestWithParam<Recursion> {};

TEST_P(TruePaths, are_within_the_bounds_of_the_estimate) {
    const TreeOptions options{.recursion = GetParam(), .max_frames = 20'000, .min_weight = 1e-3};
    const Costs truth = tree_of("callgrind/paths-every-caller.out", options);
    const double plain = expect_truth_within_bounds(tree_of("callgrind/paths.out", options), truth);
    const double near = expect_truth_within_bounds(tree_of("callgrind/paths-callers3.out", options), truth);
    RecordProperty("right", std::to_string(plain));
    EXPECT_GT(plain, GetParam() == Recursion::fold ? 0.97 : 0.65);
    EXPECT_GT(near, plain);
}

TEST_P(TruePaths, are_within_the_bounds_inverted) {
    const TreeOptions options{.direction = TreeDirection::callers,
                              .recursion = GetParam(),
                              .max_frames = 20'000,
                              .min_weight = 1e-3};
    const Costs truth = tree_of("callgrind/paths-every-caller.out", options);
    expect_truth_within_bounds(tree_of("callgrind/paths.out", options), truth);
    expect_truth_within_bounds(tree_of("callgrind/paths-callers3.out", options), truth);
}

/// What is left out may belong to frames that there are, of which other levels or contexts are shown.
TEST(TruePathsFolded, are_within_the_bounds_where_frames_are_left_out) {
    for (const TreeDirection direction : {TreeDirection::callees, TreeDirection::callers}) {
        const Costs truth = tree_of("callgrind/paths-every-caller.out",
                                    {.direction = direction, .max_frames = 20'000, .min_weight = 1e-3});
        for (const char* const file : {"callgrind/paths.out", "callgrind/paths-callers3.out"}) {
            std::size_t compared = 0;
            for (std::size_t frames = 1; frames < 200; frames += 1 + frames / 4) {
                SCOPED_TRACE(std::string(file) + ' ' + std::to_string(frames));
                for (const auto& [path, costs] :
                     tree_of(file, {.direction = direction, .max_frames = frames})) {
                    const auto real = truth.find(path);
                    if (real == truth.end()) continue;
                    if (!real->second.inclusive.certain() || !real->second.self.certain()) continue;
                    ++compared;
                    EXPECT_GE(real->second.inclusive.least, costs.inclusive.least) << path;
                    EXPECT_LE(real->second.inclusive.most, costs.inclusive.most) << path;
                    EXPECT_GE(real->second.self.least, costs.self.least) << path;
                    EXPECT_LE(real->second.self.most, costs.self.most) << path;
                }
            }
            EXPECT_GT(compared, 200U);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Recursion, TruePaths, testing::Values(Recursion::fold, Recursion::unfold),
                         [](const auto& which) {
                             return which.param == Recursion::fold ? "folded" : "unfolded";
                         });

}  // namespace
}  // namespace callcost::test
