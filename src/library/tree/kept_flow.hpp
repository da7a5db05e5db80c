/// The flow of costs under filters: how much of what passes through a function does so below a focused
/// function and below no ignored one, were every caller's cost to go on in the same proportions.
#pragma once

#include <cstdint>
#include <vector>

#include "call_graph/components.hpp"
#include "call_graph/flow.hpp"

namespace callcost {

/// Of everything that passes through a function.
struct KeptShares {
    double self = 0;       ///< what is spent in the function itself
    double inclusive = 0;  ///< what is spent in it and its callees, also where these are only below a focus
};

/// What passes through a function while it is inside, in units of the flow.
struct Arrival {
    std::uint64_t least = 0, most = 0;
};

class KeptFlow {
  public:
    /// By node. Without a focus, everything is inside that is not ignored.
    KeptFlow(const Flow& flow, bool has_focus, std::vector<bool> is_focused, std::vector<bool> is_ignored);

    [[nodiscard]] std::vector<KeptShares> shares() const;
    /// Where the profile is consistent and has every call. `kept`: what filter() says of self costs.
    [[nodiscard]] std::vector<Arrival> arrivals(const std::vector<Kept>& kept) const;

    /// Without direct recursion.
    [[nodiscard]] std::uint64_t passes(NodeId node) const {
        return flow_.passes(node) - flow_.recursive[node.value];
    }

  private:
    using Amounts = std::vector<double>;  // by node
    /// A part of the graph: what can be reached without the others, callees first.
    struct Layer {
        Components components;
        Grouping<NodeId> members;
        std::vector<bool> is_in;
    };
    [[nodiscard]] Layer layer(std::vector<bool> is_in) const;
    [[nodiscard]] Amounts arriving(const Layer& layer, const Amounts& sources) const;
    [[nodiscard]] Amounts kept_below(const Layer& layer, const Amounts& own) const;
    [[nodiscard]] double leaving(const Layer& layer, NodeId node) const;
    template <class Renew>
    static void repeat(std::size_t members, Renew renew);

    const Flow& flow_;
    bool has_focus_;
    std::vector<bool> is_focused_, is_ignored_;
    std::vector<double> fraction_;  // by arc: of what passes through its caller; 0 for direct recursion
    Amounts ends_;                  // by node: of what passes through it, what goes on to no callee
};

}  // namespace callcost
