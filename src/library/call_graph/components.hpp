/// Strongly connected components of any graph given as flat arrays; linear, and without recursion (F67).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace callcost {

struct Components {
    /// By node. Numbered from 0 so that an edge between two components goes to the one with the smaller
    /// number.
    std::vector<std::uint32_t> of;
    std::size_t count = 0;
};

/// The edges of node n lead to targets[offsets[n]] up to, but not including, targets[offsets[n + 1]].
[[nodiscard]] Components strong_components(std::span<const std::uint32_t> offsets,
                                           std::span<const std::uint32_t> targets);

}  // namespace callcost
