/// What of a call graph a picture can show: the most expensive functions, the calls among them that matter,
/// and where calls lead from one to another by way of functions that are omitted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <callcost/call_graph.hpp>
#include <callcost/event_type.hpp>

namespace callcost::engine {

struct Pruning {
    std::size_t max_nodes = 80;
    double node_fraction = 0.005;  ///< omit functions whose inclusive cost is a smaller share (0..1)
    double edge_fraction = 0.001;  ///< omit calls whose cost is a smaller share
};

struct PrunedGraph {
    struct Edge {
        std::size_t from = 0, to = 0;  ///< in `nodes`
        ArcId arc;
    };
    /// No arc, or one that is omitted; every call on the way is worth showing.
    struct Detour {
        std::size_t from = 0, to = 0;                     ///< in `nodes`
        auto operator<=>(const Detour&) const = default;  // NOLINT(modernize-use-nullptr)
    };

    std::vector<NodeId> nodes;    ///< most expensive first: by inclusive cost, else by self cost
    std::vector<Edge> edges;      ///< by from, to
    std::vector<Detour> detours;  ///< by from, to; only where no other way is drawn
    bool all_detours = true;      ///< false: not all were looked for, as it would have taken too long
    std::size_t omitted_nodes = 0;
    Cost omitted_self = 0;          ///< with the self cost of `nodes` it is the total
    std::size_t omitted_edges = 0;  ///< arcs among `nodes`
};

/// Costs are compared by magnitude, so that the greatest differences of a difference are kept. Where nothing
/// is 100 % nothing is omitted for its share.
[[nodiscard]] PrunedGraph prune(const CallGraph& graph, const Measure& measure, const Pruning& pruning);

}  // namespace callcost::engine
