/// What can be reached in a call graph from marked functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "callcost/call_graph.hpp"

namespace callcost {

enum class Direction : std::uint8_t { callees, callers };

/// By node; none is meant without a predicate.
inline std::vector<bool> marks(const CallGraph& graph, const Filters::Predicate& is_meant) {
    std::vector<bool> marked(graph.size(), false);
    for (std::size_t row = 0; is_meant && row < marked.size(); ++row) marked[row] = is_meant(NodeId(row));
    return marked;
}

/// Marks, by node, what can be reached from the marked functions over arcs that may be passed:
/// `passes(arc, next)`. What cannot be passed is not marked.
template <class Passes>
void spread(const CallGraph& graph, std::vector<bool>& marks, Direction direction, Passes passes) {
    std::vector<NodeId> open;
    for (std::size_t row = 0; row < marks.size(); ++row)
        if (marks[row]) open.emplace_back(row);
    while (!open.empty()) {
        const NodeId node = open.back();
        open.pop_back();
        const bool is_down = direction == Direction::callees;
        for (const ArcId arc : is_down ? graph.callees(node) : graph.callers(node)) {
            const NodeId next = is_down ? graph.callee(arc) : graph.caller(arc);
            if (marks[next.value] || !passes(arc, next)) continue;
            marks[next.value] = true;
            open.push_back(next);
        }
    }
}

}  // namespace callcost
