/// The costs of a call graph as a flow: what enters a function, what it spends itself, and where the rest
/// goes on to. Nothing is negative, and what arrives is what leaves, if need be by an entry for the
/// difference.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "call_graph/graph_data.hpp"

namespace callcost {

/// By node of the graph, in units of `unit`. Sums over everything stay below 2^62.
struct Flow {
    Flow(const CallGraph& call_graph, Measure by);

    const CallGraph& graph;
    Measure measure;
    /// 1, and a greater power of 2 only where costs would not fit: then bounds mean nothing.
    double unit = 1;
    std::vector<std::uint64_t> self;
    std::vector<std::uint64_t> recursive;  ///< what a function's calls of itself cost
    std::vector<std::uint64_t> arrives;    ///< from its recorded callers, itself included
    std::vector<std::uint64_t> goes_on;    ///< to its callees, itself included
    Cost negative = 0;                     ///< negative self costs, which are left out

    [[nodiscard]] std::uint64_t arc(ArcId arc) const { return scaled(graph.cost(arc, measure)); }
    /// Enters at this function: it costs more than its recorded callers paid for.
    [[nodiscard]] std::uint64_t entered(NodeId node) const {
        const std::uint64_t leaves = self[node.value] + goes_on[node.value];
        return leaves > arrives[node.value] ? leaves - arrives[node.value] : 0;
    }
    /// Is lost at this function: it and its callees cost less than its recorded callers paid for.
    [[nodiscard]] std::uint64_t unbalanced(NodeId node) const {
        const std::uint64_t leaves = self[node.value] + goes_on[node.value];
        return arrives[node.value] > leaves ? arrives[node.value] - leaves : 0;
    }
    /// What passes through the function on all paths together.
    [[nodiscard]] std::uint64_t passes(NodeId node) const { return arrives[node.value] + entered(node); }
    [[nodiscard]] bool partly_paid(NodeId node) const {
        return entered(node) > 0 && arrives[node.value] > recursive[node.value];
    }

  private:
    [[nodiscard]] std::uint64_t scaled(Cost cost) const {
        return cost > 0 ? static_cast<std::uint64_t>(cost) >> shift_ : 0;
    }
    unsigned shift_ = 0;
};

/// Where paths begin, and with which cost, in units of the flow.
struct Start {
    NodeId node;
    EstimatedCost cost;
};

/// At these functions with what arrives there on paths on which none of them was met before: together what
/// is spent while any of them is on the stack.
/// `work` grows with the time it took. `narrows`: a single function costs what the graph says.
[[nodiscard]] std::vector<Start> starts_at(const Flow& flow, const std::function<bool(NodeId)>& chosen,
                                           std::size_t* work = nullptr, bool narrows = true);
/// The functions ascending, none twice.
[[nodiscard]] std::vector<Start> starts_at(const Flow& flow, std::span<const NodeId> chosen,
                                           std::size_t* work = nullptr, bool narrows = true);

}  // namespace callcost
