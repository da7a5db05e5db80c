/// Frames of a tree, made of the paths that the walk over the flow found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "callcost/tree.hpp"
#include "tree/paths.hpp"

namespace callcost {

inline std::int64_t bounded_add(std::int64_t a, std::int64_t b) {
    return a > INT64_MAX - b ? INT64_MAX : a + b;
}

/// Functions with less, in units of the flow, are not expanded, nor are more than so many with just that
/// cost.
struct FrameLimit {
    double least = 0;
    std::size_t ties = std::numeric_limits<std::size_t>::max();
};

/// Adds them to the tree, in preorder, in units of the flow. `not_begun` are the starts without a path.
void make_frames(Tree& tree, Steps& steps, const Paths& paths, std::span<const Start> not_begun,
                 const FrameIdentities& identities, const TreeOptions& options, const FrameLimit& limit);

}  // namespace callcost
