// What filters keep of estimated trees, against programs of which every stack is known.
#include <cstdint>
#include <limits>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "unit/library/parser/sanitized.hpp"
#include "unit/library/tree/programs.hpp"
#include "unit/library/tree/trees.hpp"

namespace callcost::test {
namespace {

std::map<std::string, const Frame*> by_path(const CallGraph& graph, const Tree& tree) {
    std::vector<std::string> paths(tree.frames.size());
    std::map<std::string, const Frame*> frames;
    for (std::size_t row = 0; row < tree.frames.size(); ++row) {
        const Frame& frame = tree.frames[row];
        if (frame.kind != FrameKind::function) continue;
        if (frame.parent != Frame::none) paths[row] = paths[frame.parent] + ";";
        paths[row] += graph.name(frame.node);
        frames[paths[row]] = &frame;
    }
    return frames;
}

/// How far an estimated tree is from the true one, and how much of it is exact.
struct Closeness {
    double wrong = 0, whole = 0;
    std::size_t exact = 0, inexact = 0;

    void compare(const CallGraph& graph, const Tree& estimated, const Tree& truth) {
        const auto real = by_path(graph, truth);
        for (const auto& [path, frame] : by_path(graph, estimated)) {
            SCOPED_TRACE(path);
            const auto found = real.find(path);
            const auto inclusive = found == real.end() ? Cost() : found->second->inclusive.least;
            const auto self = found == real.end() ? Cost() : found->second->self.least;
            EXPECT_LE(frame->inclusive.least, inclusive);
            EXPECT_GE(frame->inclusive.most, inclusive);
            EXPECT_LE(frame->self.least, self);
            EXPECT_GE(frame->self.most, self);
            (frame->inclusive.certain() ? exact : inexact) += 1;
        }
        wrong += std::abs(estimated.inclusive - truth.inclusive);
        whole += truth.inclusive;
    }
};

struct Shape {
    const char* name;
    bool is_layered;
    TreeDirection direction;
    unsigned root;  // 0: none
};
std::ostream& operator<<(std::ostream& out, const Shape& shape) { return out << shape.name; }

class TreeFilter : public testing::TestWithParam<Shape> {};

TEST_P(TreeFilter, keeps_costs_within_bounds_that_hold_the_truth) {
    const auto& shape = GetParam();
    Closeness closeness;
    const unsigned programs = is_sanitized ? 2 : shape.is_layered ? 40 : 8;
    for (unsigned seed = 1; seed <= programs; ++seed) {
        const Program program(seed, shape.is_layered);
        const Profile profile = profile_of(program.profile());
        const CallGraph graph = graph_of(profile);
        for (const auto& wanted : filters_tried) {
            TreeOptions options{.measure = measure_of(profile), .direction = shape.direction};
            if (shape.root != 0)
                options.root = [&](NodeId node) { return graph.name(node) == name_of(shape.root); };
            options.max_frames = std::numeric_limits<std::size_t>::max();
            const auto filters = wanted.on(graph);
            const auto truth = exact_tree(graph, {program.recorded()}, options, filters);
            ASSERT_TRUE(truth);
            for (const std::size_t frames : {3U, 20U, 400U}) {
                SCOPED_TRACE(testing::Message()
                             << seed << " " << wanted.focus << " " << wanted.ignore << " " << frames);
                options.max_frames = frames;
                const auto tree = filter_tree(estimate_tree(graph, options), graph, filters);
                expect_sound(tree, options);
                closeness.compare(graph, tree, *truth);
            }
        }
    }
    RecordProperty("wrong", std::to_string(closeness.wrong / closeness.whole));
    RecordProperty("exact", std::to_string(closeness.exact));
    RecordProperty("inexact", std::to_string(closeness.inexact));
    EXPECT_LT(closeness.wrong / closeness.whole, shape.is_layered ? 0.15 : 0.5);
    EXPECT_GT(closeness.exact, 0U);
}

INSTANTIATE_TEST_SUITE_P(Shapes, TreeFilter,
                         testing::Values(Shape{"callees", true, TreeDirection::callees, 0},
                                         Shape{"callers", true, TreeDirection::callers, 0},
                                         Shape{"from_a_function", true, TreeDirection::callees, 4},
                                         Shape{"up_from_a_function", true, TreeDirection::callers, 4},
                                         Shape{"recursive", false, TreeDirection::callees, 0},
                                         Shape{"recursive_callers", false, TreeDirection::callers, 0},
                                         Shape{"recursive_from_a_function", false, TreeDirection::callees,
                                               4}),
                         [](const auto& which) { return which.param.name; });

TEST(FilteredTree, of_contexts_that_share_a_frame_has_bounds_of_all) {  // F72
    const Profile profile = profile_of(
        "creator: callgrind-3.22.0\nevents: Ir\nfn=main\n1 1\ncfn=a\ncalls=1 1\n1 31\ncfn=b\ncalls=1 1\n1 "
        "71\nfn=a\n1 1\ncfn=f'a\ncalls=1 1\n1 30\n"
        "fn=b\n1 1\ncfn=f'b\ncalls=1 1\n1 70\nfn=f'a\n1 30\nfn=f'b\n1 70\n");
    const CallGraph graph = *call_graph(profile, {.contexts = Contexts::keep});
    TreeOptions options{.measure = measure_of(profile)};
    options.root = [&](NodeId node) { return graph.name(node).starts_with("f'"); };
    const Filters filters{.focus = {}, .ignore = [&](NodeId node) { return graph.name(node) == "b"; }};
    const auto tree = filter_tree(estimate_tree(graph, options), graph, filters);
    Cost least = 0, most = 0;
    for (const auto& frame : tree.frames) {
        if (frame.parent != Frame::none) continue;
        least += frame.inclusive.least;
        most += frame.inclusive.most;
    }
    EXPECT_LE(least, 30);
    EXPECT_GE(most, 30) << tree_text(graph, tree);
}

}  // namespace
}  // namespace callcost::test
