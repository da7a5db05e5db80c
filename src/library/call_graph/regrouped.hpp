/// A graph whose nodes are groups of the functions of another one.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "callcost/call_graph.hpp"

namespace callcost {

/// Groups are rows; none is empty.
struct NodeGroups {
    std::vector<std::uint32_t> of;  ///< by node of the graph
    std::vector<std::string> names;
    std::vector<std::string_view> objects, files;  ///< views of the profile, or constants
    /// What groups cost inclusively by an event type; of those in cycles of groups it is asked.
    std::function<std::vector<BoundedCost>(EventId)> inclusive;
};

/// Of the same parts. Calls within a group are no arcs.
[[nodiscard]] CallGraph regrouped(const CallGraph& graph, NodeGroups groups);

}  // namespace callcost
