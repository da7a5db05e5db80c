/// The functions of a graph divided into groups, and what these cost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "callcost/groups.hpp"

namespace callcost {

/// The group of every node, and what the groups are called.
struct Division {
    std::vector<std::uint32_t> of;  // by node
    std::vector<std::string> names;
    std::size_t listed = 0;  // the others are one function each, which are in no group
};

[[nodiscard]] Division divide_whole(const CallGraph& graph, GroupBy by);

/// The costs of all groups, of which there is a row each.
void add_up(const CallGraph& graph, const Measure& measure, const Division& division, GroupBy by,
            std::vector<Group>& all);

}  // namespace callcost
