/// Inclusive costs of functions in cycles (F76 c). Where the profile separates recursion levels, calls of a
/// first level never nest, so sums over them are exact, and so they are where it has every single call;
/// elsewhere they are bounded, and estimated as the flow of costs would be if every caller's cost went on in
/// the same proportions.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/made_once.hpp"
#include "callcost/call_graph.hpp"

namespace callcost {

/// Those of a graph; computed by event type when they are first needed, by whichever thread is first to have
/// them.
class CycleCosts {
  public:
    CycleCosts() = default;
    CycleCosts(const CycleCosts&) = delete;
    CycleCosts& operator=(const CycleCosts&) = delete;
    ~CycleCosts() = default;
    using OfAllNodes = std::function<std::vector<BoundedCost>(EventId)>;
    /// For a graph whose cycles are known. `known`: what is known of its costs from elsewhere, if anything.
    void prepare(const CallGraph::Data& data, OfAllNodes known = {});
    /// Of a member of a cycle.
    [[nodiscard]] const BoundedCost& of(const CallGraph::Data& data, NodeId node, EventId event) const;

  private:
    using Costs = std::vector<BoundedCost>;  // by row of Data::cycles
    [[nodiscard]] Costs costs(const CallGraph::Data& data, EventId event) const;

    std::vector<std::uint32_t> row_of_;  // by node; no row outside of cycles; empty: no cycles
    std::vector<MadeOnce<Costs>> by_event_;
    OfAllNodes known_;
};

/// By node, in a profile that separates levels of recursion: whether these tell what its function costs
/// inclusively. It has a first level that never calls itself but as a deeper one.
[[nodiscard]] std::vector<bool> nodes_with_levels(const CallGraph::Data& data);

}  // namespace callcost
