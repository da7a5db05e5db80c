#include "call_graph/flow.hpp"

#include <algorithm>
#include <cmath>

#include "call_graph/components.hpp"
#include "call_graph/spread.hpp"

namespace callcost {
namespace {

constexpr double max_units = 4.6e18;  // a little less than 2^62

}  // namespace

Flow::Flow(const CallGraph& call_graph, Measure by) : graph(call_graph), measure(std::move(by)) {
    std::vector<Cost> costs = self_costs(graph, measure);
    double sum = 0;
    for (const Cost cost : costs) {
        if (cost < 0) negative += cost;
        if (cost > 0) sum += static_cast<double>(cost);
    }
    for (std::size_t row = 0; row < graph.arc_count(); ++row)
        sum += static_cast<double>(std::max<Cost>(0, graph.cost(ArcId(row), measure)));
    for (; sum / unit >= max_units; unit *= 2) ++shift_;

    const std::size_t nodes = graph.size();
    self.resize(nodes);
    recursive.assign(nodes, 0);
    arrives.assign(nodes, 0);
    goes_on.assign(nodes, 0);
    for (std::size_t node = 0; node < nodes; ++node) self[node] = scaled(costs[node]);
    for (std::size_t row = 0; row < graph.arc_count(); ++row) {
        const std::uint64_t cost = arc(ArcId(row));
        const NodeId caller = graph.caller(ArcId(row));
        const NodeId callee = graph.callee(ArcId(row));
        goes_on[caller.value] += cost;
        arrives[callee.value] += cost;
        if (caller == callee) recursive[caller.value] += cost;
    }
}

namespace {

/// What arrives at functions before any chosen one was met on the way: exactly what passes through, where no
/// chosen function is above; else the solution of linear equations, one per function.
class FirstArrivals {
  public:
    FirstArrivals(const Flow& flow, const std::function<bool(NodeId)>& chosen, bool narrows)
        : flow_(flow), narrows_(narrows) {
        const std::size_t nodes = flow.graph.size();
        chosen_.resize(nodes);
        for (std::size_t node = 0; node < nodes; ++node) chosen_[node] = chosen(NodeId(node));
        find_below();
        arriving_.resize(nodes);
        for (std::size_t node = 0; node < nodes; ++node)
            arriving_[node] = below_[node] ? 0 : static_cast<double>(flow.passes(NodeId(node)));
        solve();
    }

    [[nodiscard]] std::vector<Start> starts() const {
        std::vector<Start> starts;
        for (std::size_t row = 0; row < chosen_.size(); ++row) {
            const NodeId node(row);
            if (!chosen_[row]) continue;
            std::uint64_t least = flow_.entered(node);
            std::uint64_t most = least;
            for (const ArcId arc : flow_.graph.callers(node)) {
                const std::uint32_t caller = flow_.graph.caller(arc).value;
                if (chosen_[caller]) continue;
                most += flow_.arc(arc);
                if (!below_[caller]) least += flow_.arc(arc);
            }
            const double estimate = std::clamp(below_[row] ? arriving_[row] : static_cast<double>(most),
                                               static_cast<double>(least), static_cast<double>(most));
            if (estimate > 0)
                starts.push_back({node, {.estimate = estimate, .least = Cost(least), .most = Cost(most)}});
        }
        if (narrows_ && starts.size() == 1) narrow(starts.front().node, starts.front().cost);
        return starts;
    }

    [[nodiscard]] std::size_t work() const { return work_; }

  private:
    /// A single one costs what the graph says, which may be known exactly (F76).
    void narrow(NodeId node, EstimatedCost& cost) const {
        if (flow_.unit != 1 || std::count(chosen_.begin(), chosen_.end(), true) != 1) return;
        const BoundedCost known = flow_.graph.inclusive_bounds(node, flow_.measure);
        if (known.least > cost.most || known.most < cost.least) return;
        cost.least = std::max(cost.least, known.least);
        cost.most = std::min(cost.most, known.most);
        cost.estimate =
            std::clamp(cost.estimate, static_cast<double>(cost.least), static_cast<double>(cost.most));
    }

    /// The chosen functions and all that they call.
    void find_below() {
        below_ = chosen_;
        spread(flow_.graph, below_, Direction::callees,
               [&](ArcId arc, NodeId) { return flow_.arc(arc) != 0; });
    }

    /// Callers before callees; functions of a cycle again and again until nothing changes any more.
    void solve() {
        const CallGraph& graph = flow_.graph;
        std::vector<std::uint32_t> offsets{0};
        std::vector<std::uint32_t> targets;
        for (std::size_t row = 0; row < graph.size(); ++row) {
            for (const ArcId arc : graph.callees(NodeId(row)))
                if (!chosen_[row] && below_[row]) targets.push_back(graph.callee(arc).value);
            offsets.push_back(static_cast<std::uint32_t>(targets.size()));
        }
        const Components components = strong_components(offsets, targets);
        const auto members = group_by<NodeId>(components.count, graph.size(), [&](std::size_t row) {
            return below_[row] ? components.of[row] : no_row;
        });
        for (std::size_t component = components.count; component-- > 0;) {
            const auto nodes = members[component];
            for (int round = 0; round < max_rounds; ++round) {
                double change = 0;
                for (const NodeId node : nodes) {
                    change = std::max(change, renew(node));
                    work_ += 1 + graph.callers(node).size();
                }
                if (nodes.size() < 2 || change < enough) break;
            }
        }
    }

    /// Returns by which share it changed.
    double renew(NodeId node) {
        const CallGraph& graph = flow_.graph;
        auto sum = static_cast<double>(flow_.entered(node));
        for (const ArcId arc : graph.callers(node)) {
            const NodeId caller = graph.caller(arc);
            const std::uint64_t cost = flow_.arc(arc);
            if (cost == 0 || caller == node || chosen_[caller.value]) continue;
            sum += arriving_[caller.value] * static_cast<double>(cost) /
                   static_cast<double>(flow_.passes(caller));
        }
        // Direct recursion is a geometric series.
        const auto recursive = static_cast<double>(flow_.recursive[node.value]);
        const auto passes = static_cast<double>(flow_.passes(node));
        if (!chosen_[node.value] && passes > recursive) sum *= passes / (passes - recursive);
        const double change = sum - arriving_[node.value];
        arriving_[node.value] = sum;
        return sum > 0 ? std::abs(change) / sum : 0;
    }

    static constexpr int max_rounds = 100;
    static constexpr double enough = 1e-12;

    const Flow& flow_;
    bool narrows_;
    std::size_t work_ = 0;
    std::vector<bool> chosen_, below_;
    std::vector<double> arriving_;
};

}  // namespace

std::vector<Start> starts_at(const Flow& flow, const std::function<bool(NodeId)>& chosen, std::size_t* work,
                             bool narrows) {
    const FirstArrivals arrivals(flow, chosen, narrows);
    if (work != nullptr) *work += arrivals.work();
    return arrivals.starts();
}

}  // namespace callcost
