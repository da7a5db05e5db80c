/// Which places where a function is inlined are below others: what is spent there counts once.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "callcost/call_graph.hpp"

namespace callcost {

/// How the costs of the places of a node add up.
struct PlaceSum {
    enum class Copy : std::uint8_t { none, apart, below, contained };
    Copy copy = Copy::none;           ///< the function itself, as far as it is not inlined
    double copy_outside = 1;          ///< below: which share of its cost is not in the others'; an estimate
    std::vector<FunctionId> apart{};  ///< inlined code that is below nothing else of the node
    std::vector<std::pair<FunctionId, double>> below{};  ///< that may be, with the share that is not
    // Inlined code that is in one of these with all its cost is in neither list.
};

/// By node of a graph with inlined code. `max_steps` bounds the time; nodes for which it is not enough have
/// all of their places in `below`.
[[nodiscard]] std::vector<PlaceSum> sums_of_places(const CallGraph::Data& data,
                                                   std::size_t max_steps = 50'000'000);

}  // namespace callcost
