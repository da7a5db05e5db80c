#include "call_graph/flow.hpp"

#include <algorithm>
#include <cmath>

#include "call_graph/components.hpp"

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
    FirstArrivals(const Flow& flow, std::span<const NodeId> chosen, bool narrows)
        : flow_(flow), narrows_(narrows), starts_(chosen), chosen_(flow.graph.size()) {
        for (const NodeId node : chosen) chosen_[node.value] = true;
        find_below();
        solve();
    }

    [[nodiscard]] std::vector<Start> starts() const {
        std::vector<Start> starts;
        for (const NodeId node : starts_) {
            std::uint64_t least = flow_.entered(node);
            std::uint64_t most = least;
            for (const ArcId arc : flow_.graph.callers(node)) {
                const std::uint32_t caller = flow_.graph.caller(arc).value;
                if (chosen_[caller]) continue;
                most += flow_.arc(arc);
                if (rows_[caller] == no_row) least += flow_.arc(arc);
            }
            const double estimate = std::clamp(arriving_[rows_[node.value]], static_cast<double>(least),
                                               static_cast<double>(most));
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
        if (flow_.unit != 1 || starts_.size() != 1) return;
        const BoundedCost known = flow_.graph.inclusive_bounds(node, flow_.measure);
        if (known.least > cost.most || known.most < cost.least) return;
        cost.least = std::max(cost.least, known.least);
        cost.most = std::min(cost.most, known.most);
        cost.estimate =
            std::clamp(cost.estimate, static_cast<double>(cost.least), static_cast<double>(cost.most));
    }

    /// The chosen functions and all that they call.
    void find_below() {
        std::vector<bool> is_below = chosen_;
        below_.assign(starts_.begin(), starts_.end());
        for (std::size_t next = 0; next < below_.size(); ++next)
            for (const ArcId arc : flow_.graph.callees(below_[next])) {
                const NodeId callee = flow_.graph.callee(arc);
                if (is_below[callee.value] || flow_.arc(arc) == 0) continue;
                is_below[callee.value] = true;
                below_.push_back(callee);
            }
        std::sort(below_.begin(), below_.end());
        rows_.assign(flow_.graph.size(), no_row);
        for (std::size_t row = 0; row < below_.size(); ++row)
            rows_[below_[row].value] = static_cast<std::uint32_t>(row);
    }

    /// Callers before callees; functions of a cycle again and again until nothing changes any more.
    void solve() {
        const CallGraph& graph = flow_.graph;
        std::vector<std::uint32_t> offsets{0};
        std::vector<std::uint32_t> targets;
        for (const NodeId node : below_) {
            if (!chosen_[node.value])
                for (const ArcId arc : graph.callees(node))
                    if (const auto row = rows_[graph.callee(arc).value]; row != no_row)
                        targets.push_back(row);
            offsets.push_back(static_cast<std::uint32_t>(targets.size()));
        }
        arriving_.assign(below_.size(), 0);
        const Components components = strong_components(offsets, targets);
        const auto members = group_by<NodeId>(components.count, below_.size(),
                                              [&](std::size_t row) { return components.of[row]; });
        for (std::size_t component = components.count; component-- > 0;) {
            const auto nodes = members[component];
            for (int round = 0; round < max_rounds; ++round) {
                double change = 0;
                for (const NodeId row : nodes) {
                    change = std::max(change, renew(row.value));
                    work_ += 1 + graph.callers(below_[row.value]).size();
                }
                if (nodes.size() < 2 || change < enough) break;
            }
        }
    }

    /// Returns by which share it changed.
    double renew(std::size_t row) {
        const CallGraph& graph = flow_.graph;
        const NodeId node = below_[row];
        auto sum = static_cast<double>(flow_.entered(node));
        for (const ArcId arc : graph.callers(node)) {
            const NodeId caller = graph.caller(arc);
            const std::uint64_t cost = flow_.arc(arc);
            if (cost == 0 || caller == node || chosen_[caller.value]) continue;
            const auto passing = static_cast<double>(flow_.passes(caller));
            const std::uint32_t its_row = rows_[caller.value];
            const double arriving = its_row == no_row ? passing : arriving_[its_row];
            sum += arriving * static_cast<double>(cost) / passing;
        }
        // Direct recursion is a geometric series.
        const auto recursive = static_cast<double>(flow_.recursive[node.value]);
        const auto passes = static_cast<double>(flow_.passes(node));
        if (!chosen_[node.value] && passes > recursive) sum *= passes / (passes - recursive);
        const double change = sum - arriving_[row];
        arriving_[row] = sum;
        return sum > 0 ? std::abs(change) / sum : 0;
    }

    static constexpr int max_rounds = 100;
    static constexpr double enough = 1e-12;

    const Flow& flow_;
    bool narrows_;
    std::size_t work_ = 0;
    std::span<const NodeId> starts_;
    std::vector<bool> chosen_;         // by node
    std::vector<NodeId> below_;        // ascending
    std::vector<std::uint32_t> rows_;  // of below_, by node
    std::vector<double> arriving_;     // at below_; what passes through other nodes arrives there
};

}  // namespace

std::vector<Start> starts_at(const Flow& flow, const std::function<bool(NodeId)>& chosen, std::size_t* work,
                             bool narrows) {
    std::vector<NodeId> nodes;
    for (std::size_t row = 0; row < flow.graph.size(); ++row)
        if (chosen(NodeId(row))) nodes.emplace_back(row);
    return starts_at(flow, nodes, work, narrows);
}

std::vector<Start> starts_at(const Flow& flow, std::span<const NodeId> chosen, std::size_t* work,
                             bool narrows) {
    const FirstArrivals arrivals(flow, chosen, narrows);
    if (work != nullptr) *work += arrivals.work();
    return arrivals.starts();
}

}  // namespace callcost
