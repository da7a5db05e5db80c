/// The graph behind one whose recursion levels and caller contexts are folded: it knows more of who called
/// whom.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "callcost/call_graph.hpp"

namespace callcost {

struct UnfoldedGraph {
    CallGraph graph;             ///< of the same parts
    std::vector<NodeId> folded;  ///< by its nodes: the node of the folded graph
    /// By nodes of the folded graph, all nodes that it stands for; then of these those of a first level of
    /// recursion and inlined code of any, or all if there are none: calls of deeper levels are a part of
    /// theirs, what is inlined into deeper levels need not be.
    std::vector<std::vector<NodeId>> nodes, first_levels;
    /// Predicates of the folded graph for this one. Must not outlive it.
    [[nodiscard]] std::function<bool(NodeId)> asked(const std::function<bool(NodeId)>& of_folded) const {
        if (!of_folded) return {};
        return [this, of_folded](NodeId node) { return of_folded(folded[node.value]); };
    }
};

/// The same filters for it. Must not outlive it.
[[nodiscard]] Filters filters_of(const UnfoldedGraph& unfolded, const Filters& filters);

[[nodiscard]] bool is_folded(const CallGraph& graph);
/// Nothing if the graph is not folded.
[[nodiscard]] std::optional<UnfoldedGraph> unfold(const CallGraph& graph);

}  // namespace callcost
