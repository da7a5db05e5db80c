#include "tree/kept_flow.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace callcost {
namespace {

double change_of(double before, double after) {
    return after > 0 ? std::abs(after - before) / after : std::abs(before);
}

}  // namespace

KeptFlow::KeptFlow(const Flow& flow, bool has_focus, std::vector<bool> is_focused,
                   std::vector<bool> is_ignored)
    : flow_(flow),
      has_focus_(has_focus),
      is_focused_(std::move(is_focused)),
      is_ignored_(std::move(is_ignored)) {
    const CallGraph& graph = flow.graph;
    fraction_.resize(graph.arc_count());
    for (std::size_t row = 0; row < fraction_.size(); ++row) {
        const ArcId arc(row);
        const NodeId caller = graph.caller(arc);
        if (caller == graph.callee(arc) || passes(caller) == 0) continue;
        fraction_[row] = static_cast<double>(flow.arc(arc)) / static_cast<double>(passes(caller));
    }
    ends_.resize(graph.size());
    for (std::size_t row = 0; row < ends_.size(); ++row) {
        const NodeId node(row);
        if (passes(node) == 0) continue;
        ends_[row] =
            static_cast<double>(flow.self[row] + flow.unbalanced(node)) / static_cast<double>(passes(node));
    }
}

KeptFlow::Layer KeptFlow::layer(std::vector<bool> is_in) const {
    const CallGraph& graph = flow_.graph;
    std::vector<std::uint32_t> offsets{0};
    std::vector<std::uint32_t> targets;
    offsets.reserve(graph.size() + 1);
    for (std::size_t row = 0; row < graph.size(); ++row) {
        for (const ArcId arc : graph.callees(NodeId(row))) {
            const auto callee = graph.callee(arc).value;
            if (is_in[row] && is_in[callee] && fraction_[arc.value] > 0) targets.push_back(callee);
        }
        offsets.push_back(static_cast<std::uint32_t>(targets.size()));
    }
    Layer layer{.components = strong_components(offsets, targets), .members = {}, .is_in = std::move(is_in)};
    layer.members = group_by<NodeId>(layer.components.count, graph.size(), [&](std::size_t row) {
        return layer.is_in[row] ? layer.components.of[row] : no_row;
    });
    return layer;
}

/// The share of what passes through that does not stay in the function's component.
double KeptFlow::leaving(const Layer& layer, NodeId node) const {
    const auto& of = layer.components.of;
    double share = ends_[node.value];
    for (const ArcId arc : flow_.graph.callees(node)) {
        const auto callee = flow_.graph.callee(arc).value;
        if (!layer.is_in[callee] || of[callee] != of[node.value]) share += fraction_[arc.value];
    }
    return share;
}

template <class Renew>
void KeptFlow::repeat(std::size_t members, Renew renew) {
    constexpr int rounds = 100;
    constexpr double enough = 1e-7;
    for (int round = 0; round < rounds; ++round)
        if (renew() < enough || members < 2) return;
}

/// What arrives at each function of the layer, callers before callees. What enters a component leaves it:
/// that makes the rounds few, however deep the recursion is.
KeptFlow::Amounts KeptFlow::arriving(const Layer& layer, const Amounts& sources) const {
    const CallGraph& graph = flow_.graph;
    const auto& of = layer.components.of;
    Amounts amounts(graph.size());
    Amounts leaves(graph.size());
    for (std::size_t component = layer.components.count; component-- > 0;) {
        const auto nodes = layer.members[component];
        double enters = 0, usual = 0;
        for (const NodeId node : nodes) {
            enters += sources[node.value];
            for (const ArcId arc : graph.callers(node))
                if (const auto caller = graph.caller(arc).value; of[caller] != component)
                    enters += amounts[caller] * fraction_[arc.value];
            leaves[node.value] = leaving(layer, node);
            usual += static_cast<double>(passes(node)) * leaves[node.value];
        }
        if (!(enters > 0)) continue;
        if (nodes.size() > 1 && usual > 0)
            for (const NodeId node : nodes)
                amounts[node.value] = static_cast<double>(passes(node)) * enters / usual;
        repeat(nodes.size(), [&] {
            double most = 0, left = 0;
            for (const NodeId node : nodes) {
                double sum = sources[node.value];
                for (const ArcId arc : graph.callers(node))
                    sum += amounts[graph.caller(arc).value] * fraction_[arc.value];
                most = std::max(most, change_of(amounts[node.value], sum));
                amounts[node.value] = sum;
                left += sum * leaves[node.value];
            }
            if (nodes.size() > 1 && left > 0)
                for (const NodeId node : nodes) amounts[node.value] *= enters / left;
            return most;
        });
    }
    return amounts;
}

/// Of what passes through each function of the layer, what is kept: `own` of it, and what its callees keep.
KeptFlow::Amounts KeptFlow::kept_below(const Layer& layer, const Amounts& own) const {
    const CallGraph& graph = flow_.graph;
    const auto& of = layer.components.of;
    Amounts kept(graph.size());
    for (std::size_t component = 0; component < layer.components.count; ++component) {
        const auto nodes = layer.members[component];
        const auto sum = [&](NodeId node, bool within) {
            double share = own[node.value];
            for (const ArcId arc : graph.callees(node))
                if (const auto callee = graph.callee(arc).value; within || of[callee] != component)
                    share += kept[callee] * fraction_[arc.value];
            return share;
        };
        if (nodes.size() > 1) {
            double outside = 0, leaves = 0;
            for (const NodeId node : nodes) {
                outside += static_cast<double>(passes(node)) * sum(node, false);
                leaves += static_cast<double>(passes(node)) * leaving(layer, node);
            }
            for (const NodeId node : nodes) kept[node.value] = leaves > 0 ? outside / leaves : 0;
        }
        repeat(nodes.size(), [&] {
            double most = 0;
            for (const NodeId node : nodes) {
                const double share = sum(node, true);
                most = std::max(most, change_of(kept[node.value], share));
                kept[node.value] = share;
            }
            return most;
        });
    }
    return kept;
}

/// Two layers of one graph: before a focused function is met, and from there on. Ignored ones are in neither.
std::vector<KeptShares> KeptFlow::shares() const {
    const CallGraph& graph = flow_.graph;
    const std::size_t size = graph.size();
    std::vector<bool> is_before(size), is_inside(size);
    Amounts enters(size), enters_inside(size);
    for (std::size_t row = 0; row < size; ++row) {
        is_inside[row] = !is_ignored_[row];
        is_before[row] = has_focus_ && is_inside[row] && !is_focused_[row];
        if (!is_inside[row]) continue;
        const auto entered = static_cast<double>(flow_.entered(NodeId(row)));
        (is_before[row] ? enters : enters_inside)[row] = entered;
    }
    const auto inside = layer(is_inside);
    const auto before = layer(is_before);
    const Amounts around = arriving(before, enters);
    for (std::size_t row = 0; has_focus_ && row < fraction_.size(); ++row) {
        const ArcId arc(row);
        const auto callee = graph.callee(arc).value;
        if (is_focused_[callee] && is_inside[callee])
            enters_inside[callee] += around[graph.caller(arc).value] * fraction_[row];
    }
    const Amounts below = arriving(inside, enters_inside);
    const Amounts kept_inside = kept_below(inside, ends_);
    const auto kept_of = [&](NodeId node) { return is_before[node.value] ? 0 : kept_inside[node.value]; };
    Amounts at_focus(size);
    for (std::size_t row = 0; row < fraction_.size(); ++row)
        at_focus[graph.caller(ArcId(row)).value] += fraction_[row] * kept_of(graph.callee(ArcId(row)));
    const Amounts kept_before = kept_below(before, at_focus);

    std::vector<KeptShares> shares(size);
    for (std::size_t row = 0; row < size; ++row) {
        const NodeId node(row);
        if (!is_inside[row] || passes(node) == 0) continue;
        const double kept = below[row] * kept_inside[row] + around[row] * kept_before[row];
        const auto share = [&](double part) {
            return std::clamp(part / static_cast<double>(passes(node)), 0.0, 1.0);
        };
        shares[row] = {.self = share(below[row]), .inclusive = share(kept)};
    }
    return shares;
}

/// Callers before callees: of what a caller passes on, no more can be inside than it has there, and no less
/// than what it has there beyond what else it passes on.
std::vector<Arrival> KeptFlow::arrivals(const std::vector<Kept>& kept) const {
    const CallGraph& graph = flow_.graph;
    const auto all = layer(std::vector<bool>(graph.size(), true));
    std::vector<Arrival> arrivals(graph.size());
    for (std::size_t component = all.components.count; component-- > 0;) {
        const auto nodes = all.members[component];
        for (const NodeId node : nodes) {
            Arrival& arrival = arrivals[node.value];
            const auto whole = passes(node);
            if (kept[node.value] == Kept::nothing) continue;
            arrival = {kept[node.value] == Kept::everything ? whole : 0, whole};
            if (kept[node.value] == Kept::everything || nodes.size() > 1 || is_focused_[node.value]) continue;
            const auto entered = has_focus_ ? 0 : flow_.entered(node);
            arrival = {entered, entered};
            for (const ArcId arc : graph.callers(node)) {
                const NodeId caller = graph.caller(arc);
                if (caller == node) continue;
                const auto cost = flow_.arc(arc);
                const auto& [least, most] = arrivals[caller.value];
                const auto rest = passes(caller) - cost;
                arrival.least += least > rest ? least - rest : 0;
                arrival.most += std::min(cost, most);
            }
        }
    }
    return arrivals;
}

}  // namespace callcost
