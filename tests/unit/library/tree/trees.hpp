/// Trees of profiles, and what they add up to.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "unit/library/call_graph/questions.hpp"
#include <callcost/tree.hpp>

namespace callcost::test {

/// What no tree may break, whatever the profile is.
inline void expect_sound(const Tree& tree, const TreeOptions& options = {}) {
    std::vector<double> below(tree.frames.size(), 0);
    double whole = 0, certain = 0;
    std::size_t functions = 0;
    for (std::size_t row = 0; row < tree.frames.size(); ++row) {
        const Frame& frame = tree.frames[row];
        ASSERT_GT(frame.end, row);
        ASSERT_LE(frame.end, tree.frames.size());
        if (frame.parent == Frame::none) {
            whole += frame.inclusive.estimate;
            EXPECT_EQ(frame.level, 1U);
        } else {
            const Frame& parent = tree.frames[frame.parent];
            ASSERT_LT(frame.parent, row);
            ASSERT_LE(frame.end, parent.end);
            EXPECT_EQ(parent.kind, FrameKind::function);
            EXPECT_EQ(frame.level, parent.level + 1);
            below[frame.parent] += frame.inclusive.estimate;
        }
        functions += frame.kind == FrameKind::function ? 1 : 0;
        EXPECT_TRUE(frame.kind != FrameKind::function || frame.level <= options.max_levels);
        for (const EstimatedCost& cost : {frame.inclusive, frame.self}) {
            const double slack = cost.estimate * 1e-9 + 1e-6;
            EXPECT_GE(cost.least, 0);
            EXPECT_LE(static_cast<double>(cost.least), cost.estimate + slack);
            if (cost.most != INT64_MAX) {
                EXPECT_GE(static_cast<double>(cost.most), cost.estimate - slack);
            }
        }
        if (frame.kind != FrameKind::not_expanded) certain += static_cast<double>(frame.self.least);
    }
    for (std::size_t row = 0; row < tree.frames.size(); ++row) {
        const Frame& frame = tree.frames[row];
        EXPECT_NEAR(frame.inclusive.estimate, frame.self.estimate + below[row],
                    frame.inclusive.estimate * 1e-9 + 1e-6);
    }
    EXPECT_NEAR(whole, tree.inclusive, tree.inclusive * 1e-9);
    const TreeOptions usual;
    if (options.max_frames == usual.max_frames && options.max_levels == usual.max_levels &&
        options.min_weight == usual.min_weight) {
        EXPECT_DOUBLE_EQ(certain, tree.certain);
    }
    EXPECT_LE(tree.certainty(), 1 + 1e-9);
    EXPECT_EQ(functions, tree.functions);
    EXPECT_LE(functions, options.max_frames);
}

/// Sums over the frames of a tree that keeps the nodes of the graph apart.
struct TreeSums {
    std::vector<double> self;                                        // by node
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> arcs;  // caller, callee
};
inline TreeSums sums_of(const CallGraph& graph, const Tree& tree) {
    TreeSums sums{.self = std::vector<double>(graph.size(), 0), .arcs = {}};
    for (const Frame& frame : tree.frames) {
        if (frame.kind != FrameKind::function) continue;
        sums.self[frame.node.value] += frame.self.estimate;
        if (frame.parent != Frame::none)
            sums.arcs[{tree.frames[frame.parent].node.value, frame.node.value}] += frame.inclusive.estimate;
    }
    return sums;
}

/// A tree in a line per frame, such as `main 10 [10 10] self 2 [2 2]`.
inline std::string tree_text(const CallGraph& graph, const Tree& tree) {
    const ContextNames contexts(graph.profile());
    const auto cost = [](const EstimatedCost& estimated) {
        std::string digits = std::to_string(estimated.estimate);
        digits.erase(digits.find_last_not_of('0') + 1);
        if (digits.back() == '.') digits.pop_back();
        return digits + " [" + std::to_string(estimated.least) + ' ' + std::to_string(estimated.most) + ']';
    };
    std::string text;
    for (const Frame& frame : tree.frames) {
        text += std::string(frame.level - 1, ' ');
        text += frame_label(graph, contexts, frame);
        text += ' ' + cost(frame.inclusive);
        if (frame.kind == FrameKind::function) text += " self " + cost(frame.self);
        if (frame.partly_paid) text += " partly paid";
        text += '\n';
    }
    return text;
}

}  // namespace callcost::test
