/// The walk over the flow: paths in descending order of their estimated cost.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "call_graph/flow.hpp"
#include "callcost/tree.hpp"
#include "tree/transits.hpp"

namespace callcost {

/// Which nodes are one function with several contexts (F72), or one group. Without contexts each is its own.
class FrameIdentities {
  public:
    FrameIdentities(const CallGraph& graph, Recursion recursion);
    /// By node, what it is a part of.
    explicit FrameIdentities(std::span<const NodeId> groups);

    /// Whether any function has several.
    [[nodiscard]] bool any() const { return !first_.empty(); }
    [[nodiscard]] NodeId of(NodeId node) const { return first_.empty() ? node : first_[node.value]; }
    [[nodiscard]] bool are_groups() const { return are_groups_; }

  private:
    std::vector<NodeId> first_;
    bool are_groups_ = false;
};

/// A path, named by its last function. Costs are in units of the flow.
struct Path {
    NodeId node;
    /// The call by which it came to the function, or out of it, inlined code included; invalid: a start.
    ArcId via;
    std::uint32_t parent = Frame::none;  ///< row; always a smaller one
    std::uint32_t frame_level = 1;       ///< contexts of a function next to each other are one frame
    std::uint32_t around = 0;  ///< row: of the first level of the function, also for what is inlined there
    EstimatedCost cost;
    std::uint32_t steps = 0;     ///< how many of those that lead on are among these, too
    std::uint64_t expanded = 0;  ///< cost of the arcs of these steps
};

struct Paths {
    std::vector<Path> rows;
    std::uint32_t begun = 0;  ///< how many of the starts are among the rows: the first ones
    EstimatedCost not_begun;  ///< of the others
};

/// Goes along arcs in one direction and shares out what arrives at a function.
class Steps {
  public:
    Steps(const Flow& flow, const TreeOptions& options)
        : flow_(flow),
          direction_(options.direction),
          recursion_(options.recursion),
          starts_anywhere_(options.root != nullptr),
          transits_(flow, options.recursion) {}

    [[nodiscard]] const Flow& flow() const { return flow_; }
    /// What passes through the function; without direct recursion if that is folded.
    [[nodiscard]] std::uint64_t passes(NodeId node) const {
        return flow_.passes(node) - (recursion_ == Recursion::fold ? flow_.recursive[node.value] : 0);
    }

    /// What of a path ends at its last function: the self cost or, inverted, what enters there.
    [[nodiscard]] EstimatedCost ends(const Path& path);
    /// What ends at a function of all that passes through it.
    [[nodiscard]] std::int64_t ends_at(NodeId node) const {
        return static_cast<std::int64_t>(std::min<std::uint64_t>(cost_of_ends(node), INT64_MAX));
    }
    /// The same as a share.
    [[nodiscard]] double share_of_ends(NodeId node) const {
        const auto all = static_cast<double>(passes(node));
        return all > 0 ? static_cast<double>(cost_of_ends(node)) / all : 0;
    }
    [[nodiscard]] EstimatedCost unbalanced(const Path& path);
    /// What goes on to no path of those that there are.
    [[nodiscard]] EstimatedCost not_expanded(const Path& path);

    /// A call that paths go on by, and the share of a path that does: part / whole.
    struct Step {
        NodeId to;
        ArcId arc;
        std::uint64_t cost;  ///< of the arc
        double part, whole;
        double after = 0;  ///< the parts of those after it together
    };
    /// From the last function of the path, the likeliest first, then by cost and by name. Stays valid.
    [[nodiscard]] const std::vector<Step>& from(const Path& path) { return onward(path).steps; }
    [[nodiscard]] EstimatedCost along(const Path& path, const Step& step) const {
        return share(path, step.cost, path.cost.estimate * step.part / step.whole, step.to);
    }

  private:
    struct Onward {
        double ends = 0, unbalanced = 0, goes_on = 0, whole = 1;  // parts of the whole
        std::vector<Step> steps;
    };
    [[nodiscard]] const Onward& onward(const Path& path);
    [[nodiscard]] Onward made(const Path& path, const Transits::Table& table) const;
    [[nodiscard]] Onward to_callees(const Path& path, const Transits::Table& table) const;
    [[nodiscard]] Onward to_callers(const Path& path, const Transits::Table& table) const;
    /// By which way the path came to the function, or out of it; null: that tells nothing.
    [[nodiscard]] const Transits::Way* came_by(const Path& path, const Transits::Table& table) const;
    [[nodiscard]] std::uint64_t cost_of_ends(NodeId node) const {
        return direction_ == TreeDirection::callees ? flow_.self[node.value] : flow_.entered(node);
    }
    [[nodiscard]] std::uint64_t cost_of_unbalanced(NodeId node) const {
        return direction_ == TreeDirection::callees ? flow_.unbalanced(node) : 0;
    }
    /// `to`: the function that it goes on to, if it is one.
    [[nodiscard]] EstimatedCost share(const Path& path, std::uint64_t part, double estimate,
                                      NodeId to = {}) const;

    const Flow& flow_;
    TreeDirection direction_;
    Recursion recursion_;
    bool starts_anywhere_;  // with a part of what arrives: of which callers is not known
    Transits transits_;
    std::unordered_map<std::uint64_t, Onward> onward_;  // by node and Path::via
};

/// Only those within the limits of the options. The starts are in descending order.
[[nodiscard]] Paths heaviest_paths(Steps& steps, const std::vector<Start>& starts,
                                   const FrameIdentities& identities, const TreeOptions& options);

}  // namespace callcost
