// What must hold of the costs of a graph: F73 to F77.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "record_sums.hpp"

namespace callcost::fuzz {

inline bool is_raw(const Measure& measure) {
    return measure.terms.size() == 1 && measure.terms[0].second == 1;
}

inline Measure raw_measure(const Profile& profile, EventId event) {
    Measure raw;
    raw.name = profile.events()[event.value].name;
    raw.additive = profile.events()[event.value].aggregation == Aggregation::sum;
    raw.terms = {{event, 1}};
    return raw;
}

/// F76 (a): what a function and its callees cost, of an event type; of a formula the sum of its terms.
inline void demand_inclusive(const CallGraph& graph, NodeId node, const Measure& measure,
                             const Conservation& recorded, bool is_listed) {
    const Cost found = graph.inclusive(node, measure), unattributed = graph.unattributed(node, measure);
    const Cost unrecorded = graph.unrecorded_callees(node, measure) + unattributed;
    if (!measure.additive) return demand(found == recorded.self && unrecorded == 0);
    if (!is_raw(measure)) {
        Cost inclusive = 0, lost = 0;
        for (const auto& [event, factor] : measure.terms) {
            const Measure raw = raw_measure(graph.profile(), event);
            add(inclusive, graph.inclusive(node, raw) * factor);
            add(lost, (graph.unrecorded_callees(node, raw) + graph.unattributed(node, raw)) * factor);
        }
        return demand(found == inclusive && unrecorded == lost);
    }
    const Cost own = recorded.self + recorded.out;
    const BoundedCost bounds = graph.inclusive_bounds(node, measure);
    demand(bounds.estimate == found && bounds.least <= found && found <= bounds.most);
    if (graph.cycle(node).valid()) return demand(unrecorded == 0);
    demand(bounds.is_exact());
    if (!conserves_costs(graph, measure))
        return demand(found == (is_listed ? own : recorded.self + recorded.in) && unrecorded == 0);
    demand(found == std::min(std::max(own, recorded.in), graph.total(measure)));
    demand(unrecorded == (found > own ? found - own : Cost()));
    if (unattributed == 0) return;
    Cost summary = 0;
    for (const PartId part : graph.parts())
        if (const auto& costs = graph.profile().parts()[part.value].summary)
            summary += (*costs)[measure.terms.front().first];
    demand(unattributed == unrecorded && unattributed <= summary - graph.total(measure));
}

/// Only sums of what Callgrind measured, without negative costs, are conserved.
inline void demand_conserved(const CallGraph& graph, const Measure& measure) {
    if (!conserves_costs(graph, measure)) return;
    const Profile& profile = graph.profile();
    demand(measure.additive);
    for (const PartId part : graph.parts())
        demand(profile.parts()[part.value].creator.find("callgrind") != std::string::npos);
    for (const auto& [event, factor] : measure.terms) {
        const Measure raw = raw_measure(profile, event);
        demand(factor > 0 && graph.total(raw) > 0);
        for (std::size_t row = 0; row < graph.size(); ++row) demand(graph.self(NodeId(row), raw) >= 0);
        for (std::size_t row = 0; row < graph.arc_count(); ++row) demand(graph.cost(ArcId(row), raw) >= 0);
    }
}

/// Self, arc and inclusive costs are those of the records (F73 to F76), and add up to the total.
inline void demand_costs(const CallGraph& graph, const Measure& measure, const Sums& sums) {
    demand(graph.total(measure) == sums.total);
    std::vector<Cost> arcs(graph.arc_count(), 0);
    std::vector<CallCount> counts(graph.arc_count());
    std::map<std::pair<NodeId, NodeId>, std::size_t> arc_of;
    for (std::size_t row = 0; row < arcs.size(); ++row)
        arc_of[{graph.caller(ArcId(row)), graph.callee(ArcId(row))}] = row;
    for (std::size_t row = 0; row < sums.arcs.size(); ++row) {
        const auto caller = graph.node_of(graph.profile().caller(ArcId(row)));
        const auto callee = graph.node_of(graph.profile().callee(ArcId(row)));
        if (sums.counts[row].known == 0 && !sums.counts[row].at_least) continue;  // in other parts
        const std::size_t arc = arc_of.at({caller, callee});
        add(arcs[arc], sums.arcs[row]);
        add(counts[arc], sums.counts[row]);
    }
    for (std::size_t row = 0; row < arcs.size(); ++row) {
        demand(graph.cost(ArcId(row), measure) == arcs[row]);
        demand(equal(graph.count(ArcId(row)), counts[row]));
    }
    std::vector<Conservation> cycles(graph.cycle_count());
    for (std::size_t row = 0; row < graph.size(); ++row) {
        const NodeId node(row);
        Conservation expected{.self = sums.self[row]};
        Cost out = 0, in = 0;  // without recursion
        for (const ArcId arc : graph.callees(node)) {
            if (graph.callee(arc) != node) add(expected.out, arcs[arc.value]);
            if (!graph.recursive(arc)) add(out, arcs[arc.value]);
        }
        for (const ArcId arc : graph.callers(node)) {
            if (graph.caller(arc) != node) add(expected.in, arcs[arc.value]);
            if (!graph.recursive(arc)) add(in, arcs[arc.value]);
        }
        const Conservation found = conservation(graph, node, measure);
        demand(found.self == expected.self && found.in == expected.in && found.out == expected.out);
        demand(graph.self(node, measure) == sums.self[row]);
        demand_inclusive(graph, node, measure, {.self = sums.self[row], .in = in, .out = out},
                         sums.listed[row]);
        if (const CycleId cycle = graph.cycle(node); cycle.valid()) {
            add(cycles[cycle.value].self, sums.self[row]);
            add(cycles[cycle.value].out, out);
        }
    }
    for (std::size_t row = 0; row < graph.cycle_count(); ++row) {
        const CycleId cycle(row);
        const Conservation found = conservation(graph, cycle, measure);
        demand(graph.self(cycle, measure) == cycles[row].self && found.self == cycles[row].self);
        demand(found.out == cycles[row].out);
        Cost inclusive = found.self;
        if (measure.additive) add(inclusive, found.out);
        if (is_raw(measure) && conserves_costs(graph, measure)) inclusive = std::min(inclusive, sums.total);
        if (is_raw(measure)) demand(graph.inclusive(cycle, measure) == inclusive);
    }
    if (!measure.additive || sums.total != 0)
        demand(percentage_base(graph, measure) == (measure.additive ? sums.total : Cost()));
}

/// Whoever costs more than its callers paid is a root, most expensive first (F77).
inline void demand_roots(const CallGraph& graph, const Measure& measure) {
    const auto found = roots(graph, measure);
    std::size_t expected = 0;
    for (std::size_t row = 0; row < graph.size(); ++row)
        expected +=
            !graph.cycle(NodeId(row)).valid() && conservation(graph, NodeId(row), measure).imbalance() > 0;
    for (std::size_t row = 0; row < graph.cycle_count(); ++row)
        expected += conservation(graph, CycleId(row), measure).imbalance() > 0;
    demand(!measure.additive || found.size() == expected);
    for (const Root& root : found) {
        const CycleId cycle = graph.cycle(root.node);
        const Conservation sums =
            cycle.valid() ? conservation(graph, cycle, measure) : conservation(graph, root.node, measure);
        Cost weight = sums.imbalance();
        if (conserves_costs(graph, measure)) weight = std::min(weight, graph.total(measure));
        demand(root.weight > 0 && root.weight == weight);
    }
    for (std::size_t i = 1; i < found.size(); ++i)
        demand(found[i - 1].weight > found[i].weight ||
               (found[i - 1].weight == found[i].weight &&
                place_of(graph, found[i - 1].node) < place_of(graph, found[i].node)));
}

}  // namespace callcost::fuzz
