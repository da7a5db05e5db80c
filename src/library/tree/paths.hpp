/// The walk over the flow: paths in descending order of their estimated cost.
#pragma once

#include <cstdint>
#include <vector>

#include "tree/flow.hpp"

namespace callcost {

/// A path, named by its last function. Costs are in units of the flow.
struct Path {
    NodeId node;
    std::uint32_t parent = Frame::none;  ///< row; always a smaller one
    std::uint32_t level = 1;
    EstimatedCost cost;
    std::uint64_t expanded = 0;  ///< cost of the arcs that lead on to paths among these
};

struct Paths {
    std::vector<Path> rows;
    EstimatedCost not_begun;  ///< of the starts that are not among the rows
};

/// Goes along arcs in one direction and shares out what arrives at a function.
class Steps {
  public:
    Steps(const Flow& flow, TreeDirection direction, Recursion recursion)
        : flow_(flow), direction_(direction), recursion_(recursion) {}

    [[nodiscard]] const Flow& flow() const { return flow_; }
    /// What passes through the function; without direct recursion if that is folded.
    [[nodiscard]] std::uint64_t passes(NodeId node) const {
        return flow_.passes(node) - (recursion_ == Recursion::fold ? flow_.recursive[node.value] : 0);
    }
    /// What of it ends there: its self cost or, inverted, what enters there.
    [[nodiscard]] std::uint64_t ends(NodeId node) const {
        return direction_ == TreeDirection::callees ? flow_.self[node.value] : flow_.entered(node);
    }
    [[nodiscard]] std::uint64_t unbalanced(NodeId node) const {
        return direction_ == TreeDirection::callees ? flow_.unbalanced(node) : 0;
    }
    /// What goes on.
    [[nodiscard]] std::uint64_t goes_on(NodeId node) const {
        return passes(node) - ends(node) - unbalanced(node);
    }
    /// A share of what a path brings, if `part` of all that passes through its last function has it.
    [[nodiscard]] EstimatedCost share(const Path& path, std::uint64_t part) const;

    struct Step {
        NodeId to;
        std::uint64_t cost;
    };
    /// The steps from a function are those with numbers from first(node) to, but not including, last(node),
    /// in descending order of cost, then by name.
    [[nodiscard]] std::uint32_t first(NodeId node);
    [[nodiscard]] std::uint32_t last(NodeId node) const { return ranges_[node.value].second; }
    [[nodiscard]] const Step& operator[](std::uint32_t number) const { return steps_[number]; }

  private:
    const Flow& flow_;
    TreeDirection direction_;
    Recursion recursion_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges_;  // by node; {none, 0}: not asked for yet
    std::vector<Step> steps_;
};

/// Only those within the limits of the options. The starts are in descending order.
[[nodiscard]] Paths heaviest_paths(Steps& steps, const std::vector<Start>& starts,
                                   const TreeOptions& options);

}  // namespace callcost
