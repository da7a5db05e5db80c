/// How alike functions are: by what they are called, what they cost, whom they call and who calls them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "callcost/call_graph.hpp"
#include "callcost/diff.hpp"

namespace callcost {

struct ProfileSide;

constexpr std::uint32_t no_match = 0xffffffffU;

/// From 0 to 1: the smaller of the two as a share of the larger one. 1 for equal ones.
[[nodiscard]] double likeness_of_costs(Cost a, Cost b);

/// How many two sorted lists have in common, and how many are in either.
[[nodiscard]] Anchors common(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b);
/// From 0 to 1; 1 if there are none.
[[nodiscard]] double share(const Anchors& anchors);

struct AlikePair {
    NodeId before, after;
    double likeness = 0;
    Anchors callees{}, callers{};
};

/// Those that may be alike others: the others cost too little.
[[nodiscard]] std::vector<NodeId> worth_comparing(const ProfileSide& side, std::vector<NodeId> nodes);

/// Functions that are probably the same under another name, each at most once, and only where no other
/// function is as likely; of nodes that are worth comparing. `matches`: for both sides, by node, the match
/// that it is in, or no_match.
[[nodiscard]] std::vector<AlikePair> alike(const ProfileSide& before, const ProfileSide& after,
                                           const std::vector<NodeId>& free_before,
                                           const std::vector<NodeId>& free_after,
                                           const std::array<std::vector<std::uint32_t>, 2>& matches);

}  // namespace callcost
