/// Costs in a graph with inlined code as functions. Cycles and what functions cost that are not inlined is
/// what the graph says in which inlined code belongs to the function it is in. Inlined code costs what it and
/// its calls do; that of one function at several places is added up where none of them is below another.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/made_once.hpp"
#include "call_graph/inlined_places.hpp"
#include "callcost/call_graph.hpp"

namespace callcost {

class InlinedCosts {
  public:
    explicit InlinedCosts(CallGraph hosts) : hosts_(std::move(hosts)) {}
    InlinedCosts(const InlinedCosts&) = delete;
    InlinedCosts& operator=(const InlinedCosts&) = delete;
    ~InlinedCosts() = default;

    /// For the graph that this is of, when all its columns are filled in.
    void prepare(const CallGraph::Data& data);
    /// The graph in which inlined code belongs to the function it is in.
    [[nodiscard]] const CallGraph& hosts() const { return hosts_; }
    /// The node there; invalid for one that stands for inlined code only.
    [[nodiscard]] NodeId host(NodeId node) const { return host_[node.value]; }
    /// The same for an arc of the profile; invalid for inlined calls.
    [[nodiscard]] ArcId host_arc(ArcId source) const;
    /// Inlined code that makes calls which are counted again in recursion, by function of the profile.
    [[nodiscard]] bool nests(FunctionId function) const { return nests_[function.value]; }
    /// What was spent while the function was on the stack.
    [[nodiscard]] const BoundedCost& of(const CallGraph::Data& data, NodeId node, EventId event) const;

  private:
    [[nodiscard]] std::vector<BoundedCost> bounds(const CallGraph::Data& data, EventId event) const;
    [[nodiscard]] std::vector<BoundedCost> estimates(const CallGraph::Data& data, EventId event,
                                                     const std::vector<BoundedCost>& bounds) const;

    CallGraph hosts_;
    std::vector<NodeId> host_;
    std::vector<bool> nests_;
    MadeOnce<std::vector<PlaceSum>> sums_;       // by node
    MadeOnce<std::optional<CallGraph>> places_;  // a node for each; none if that cannot be made
    std::vector<MadeOnce<std::vector<BoundedCost>>> bounds_, estimates_;  // by event type, then node
};

/// The graph in which every place is a node, of the same parts: for a graph with inlined code.
[[nodiscard]] Result<CallGraph> inlined_places(const CallGraph::Data& data);

}  // namespace callcost
