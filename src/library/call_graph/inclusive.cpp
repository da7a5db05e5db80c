// Inclusive cost (F76): what functions and cycles cost together with what they call.
#include <algorithm>

#include "call_graph/graph_data.hpp"
#include "profile/event_facts.hpp"

namespace callcost {
namespace {

using Data = CallGraph::Data;

struct Inclusive {
    Cost cost = 0;
    Cost beyond = 0;  ///< of that: neither in it nor in its recorded callees
};

/// Where costs are conserved, callers pay for what is spent, so the rest was spent in other callees.
/// Callgrind counts some events in calls but in no function (F70): they are above the total.
Inclusive inclusive_of(const Data& data, NodeId node, EventId event, const RecordSums& recorded) {
    if (data.cycle_of[node.value].valid()) return {.cost = data.cycle_costs.of(data, node, event).estimate};
    if (data.conserved.empty() || !data.conserved[event.value])
        return {.cost = data.has_records(node) ? recorded.own : recorded.in};  // F76 a
    const Cost cost = std::min(std::max(recorded.own, recorded.in), data.total[event]);
    return {.cost = cost, .beyond = std::max<Cost>(0, cost - recorded.own)};
}

Inclusive inclusive_of(const CallGraph& graph, NodeId node, EventId event) {
    const Data& data = data_of(graph);
    if (data.cycle_of[node.value].valid()) return {.cost = data.cycle_costs.of(data, node, event).estimate};
    if (!data.recorded.empty()) return inclusive_of(data, node, event, data.recorded[node.value]);
    RecordSums recorded{.own = data.self_cost(node, event)};
    data.for_each_plain_callee(node, [&](ArcId arc) { recorded.own += data.arc_cost(arc, event); });
    data.for_each_plain_caller(node, [&](ArcId arc) { recorded.in += data.arc_cost(arc, event); });
    return inclusive_of(data, node, event, recorded);
}

/// Of a cycle (F76 b): what its members spend, and their calls that leave it.
Cost cost_of_cycle(const Data& data, CycleId cycle, EventId event) {
    Cost cost = 0;
    for (const NodeId member : data.cycles[cycle.value]) {
        cost += data.self_cost(member, event);
        data.for_each_plain_callee(member, [&](ArcId arc) { cost += data.arc_cost(arc, event); });
    }
    if (!data.conserved.empty() && data.conserved[event.value]) cost = std::min(cost, data.total[event]);
    return cost;
}

/// Calls f(node, recorded) for all of them.
template <class F>
void for_each_recorded(const Data& data, EventId event, F f) {
    const auto pass = [&](const PagedVector<RecordSums>& recorded) {
        for (std::size_t node = 0; node < recorded.size(); ++node) f(NodeId(node), recorded[node]);
    };
    if (data.recorded.empty()) return pass(recorded_costs(data, event));
    pass(data.recorded);
}

std::vector<bool> columns_below_zero(const CostTable& table, std::vector<bool> columns) {
    table.for_each([&](std::size_t, std::size_t column, Cost cost) {
        if (cost < 0) columns[column] = true;
    });
    return columns;
}

/// Callgrind's own files, and what callcost wrote from them whole.
bool is_by_callgrind(const Data& data) {
    const auto parts = data.profile.parts();
    return std::all_of(data.parts.begin(), data.parts.end(), [&](PartId part) {
        const Part& one = parts[part.value];
        if (one.dialect == Dialect::callgrind) return true;
        return origin_of(one.creator).starts_with("callgrind-") &&
               std::find(one.descriptions.begin(), one.descriptions.end(), left_out_note) ==
                   one.descriptions.end();
    });
}

/// How many events Callgrind counted for the run but in no function (F70).
Cost outside_functions(const Data& data, EventId event) {
    Cost summary = 0;
    for (const PartId part : data.parts)
        if (const auto& costs = data.profile.parts()[part.value].summary) summary += (*costs)[event];
    return summary - data.total[event];
}

/// Whether they are all that callers paid beyond what was spent. They are few: a `summary:` that is far above
/// the total is about something else, such as the process before a fork (C5).
bool loses_no_arcs(const Data& data, EventId event) {
    const Cost outside = outside_functions(data, event);
    if (outside <= 0 ||
        outside.magnitude() > std::max<std::uint64_t>(1000, data.total[event].magnitude() / 100))
        return false;
    Cost left = outside;
    bool is_enough = true;
    for_each_recorded(data, event, [&](NodeId node, const RecordSums& recorded) {
        if (data.cycle_of[node.value].valid()) return;
        const Cost beyond = inclusive_of(data, node, event, recorded).beyond;
        is_enough = is_enough && beyond <= left;
        if (is_enough) left -= beyond;
    });
    return is_enough;
}

/// What is beyond a function and its recorded callees, by those event types that lose arcs, or by the others.
Cost beyond_callees(const CallGraph& graph, NodeId node, const Measure& measure, bool none_lost) {
    const Data& data = data_of(graph);
    Cost cost = 0;
    if (!measure.additive || data.conserved.empty() || graph.cycle(node).valid()) return cost;
    for (const auto& [event, factor] : measure.terms)
        if (data.none_lost[event.value] == none_lost)
            cost += inclusive_of(graph, node, event).beyond * factor;
    return cost;
}

}  // namespace

namespace {

/// With inlined code: by a sum of event types.
BoundedCost inlined_bounds(const Data& data, NodeId node, const Measure& measure) {
    BoundedCost sum;
    for (const auto& [event, factor] : measure.terms) {
        const BoundedCost& one = data.inlined->of(data, node, event);
        sum.estimate += one.estimate * factor;
        sum.least += (factor < 0 ? one.most : one.least) * factor;
        sum.most += (factor < 0 ? one.least : one.most) * factor;
    }
    return sum;
}

/// Of the function itself where it is not inlined.
Cost of_host(const CallGraph& graph, NodeId node, const Measure& measure,
             Cost (CallGraph::*of)(NodeId, const Measure&) const) {
    const InlinedCosts& inlined = *data_of(graph).inlined;
    const NodeId host = inlined.host(node);
    return host.valid() ? (inlined.hosts().*of)(host, measure) : Cost(0);
}

}  // namespace

[[gnu::flatten]] PagedVector<RecordSums> sums_of_arcs(const Data& data, EventId event) {
    PagedVector<RecordSums> recorded;
    for (std::size_t node = 0; node < data.node_count(); ++node)
        recorded.push_back({.own = data.self_cost(NodeId(node), event)});
    data.for_each_arc([&](ArcId arc, NodeId caller, NodeId callee) {
        if (caller == callee) return;
        const Cost cost = data.arc_cost(arc, event);
        recorded[caller.value].own += cost;
        recorded[callee.value].in += cost;
    });
    return recorded;
}

void leave_out_cycles(const Data& data, PagedVector<RecordSums>& recorded, EventId event) {
    data.for_each_arc_in_cycles([&](ArcId arc, NodeId caller, NodeId callee) {
        const Cost cost = data.arc_cost(arc, event);
        recorded[caller.value].own -= cost;
        recorded[callee.value].in -= cost;
    });
}

PagedVector<RecordSums> recorded_costs(const Data& data, EventId event) {
    auto recorded = sums_of_arcs(data, event);
    leave_out_cycles(data, recorded, event);
    return recorded;
}

void find_levels(Data& data) {
    const auto parts = data.profile.parts();
    bool is_imported = true;
    for (const PartId part : data.parts) {
        const std::string_view origin = origin_of(parts[part.value].creator);
        is_imported = is_imported && (origin == "stacks" || origin == "calls");
        data.divides_levels = data.divides_levels || origin == "calls";
    }
    data.separates_levels = is_imported || (!data.is_deeper.empty() && is_by_callgrind(data));
    if (data.separates_levels) data.tells = nodes_with_levels(data);
}

// Where a cost is negative, counters were set to zero while calls were open (F76).
void find_conserved(Data& data) {
    if (!is_by_callgrind(data) || data.arc_count() == 0) return;
    const auto events = data.profile.events();
    std::vector<bool> is_negative(events.size(), false);
    is_negative = columns_below_zero(*data.self, std::move(is_negative));
    is_negative = columns_below_zero(*data.arc_costs, std::move(is_negative));
    data.conserved.resize(events.size());
    for (std::size_t column = 0; column < events.size(); ++column)
        data.conserved[column] = events[column].aggregation == Aggregation::sum && !is_negative[column] &&
                                 data.total[EventId(column)] > 0;
    data.none_lost.resize(events.size());
    for (std::size_t column = 0; column < events.size(); ++column)
        data.none_lost[column] = data.conserved[column] && loses_no_arcs(data, EventId(column));
}

bool conserves_costs(const CallGraph& graph, const Measure& measure) {
    return data_of(graph).conserves(measure);
}

std::vector<Cost> inclusive_costs(const CallGraph& graph, const Measure& measure) {
    if (!measure.additive) return self_costs(graph, measure);  // F78
    const Data& data = data_of(graph);
    std::vector<Cost> costs(graph.size());
    if (data.inlined) {
        for (std::size_t row = 0; row < costs.size(); ++row)
            costs[row] = inlined_bounds(data, NodeId(row), measure).estimate;
        return costs;
    }
    if (data.conserved.empty() && data.recorded.empty()) {
        costs = self_costs(graph, measure);
        data.for_each_plain_arc(
            [&](ArcId arc, NodeId caller, NodeId) { costs[caller.value] += data.arc_cost(arc, measure); });
        for (std::size_t node = 0; node < costs.size(); ++node)
            if (!data.has_records(NodeId(node)) || data.cycle_of[node].valid())
                costs[node] = graph.inclusive(NodeId(node), measure);
        return costs;
    }
    for (const auto& [event, factor] : measure.terms) {
        for_each_recorded(data, event,
                          [&, event = event, factor = factor](NodeId node, const RecordSums& recorded) {
                              costs[node.value] += inclusive_of(data, node, event, recorded).cost * factor;
                          });
    }
    return costs;
}

BoundedCost CallGraph::inclusive_bounds(NodeId node, const Measure& measure) const {
    if (data_->inlined && measure.additive) return inlined_bounds(*data_, node, measure);
    if (!measure.additive || !cycle(node).valid()) {
        const Cost cost = inclusive(node, measure);
        return {cost, cost, cost};
    }
    BoundedCost sum;
    for (const auto& [event, factor] : measure.terms) {
        const BoundedCost& one = data_->cycle_costs.of(*data_, node, event);
        sum.estimate += one.estimate * factor;
        sum.least += (factor < 0 ? one.most : one.least) * factor;
        sum.most += (factor < 0 ? one.least : one.most) * factor;
    }
    return sum;
}

BoundedCosts inclusive_bounds(const CallGraph& graph, const Measure& measure) {
    BoundedCosts costs;
    costs.estimate = inclusive_costs(graph, measure);
    costs.least = costs.most = costs.estimate;
    const auto set_bounds = [&](NodeId node) {
        const BoundedCost bounds = graph.inclusive_bounds(node, measure);
        costs.least[node.value] = bounds.least;
        costs.most[node.value] = bounds.most;
    };
    if (data_of(graph).inlined)
        for (std::size_t row = 0; row < graph.size(); ++row) set_bounds(NodeId(row));
    for (const NodeId node : data_of(graph).cycles.rows) set_bounds(node);
    return costs;
}

Cost CallGraph::inclusive(NodeId node, const Measure& measure) const {
    // F78: where values do not add up, the recorded one is all there is.
    if (!measure.additive) return self(node, measure);
    if (data_->inlined) return inlined_bounds(*data_, node, measure).estimate;
    Cost cost = 0;
    if (cycle(node).valid() || !data_->conserved.empty() || !data_->recorded.empty()) {
        for (const auto& [event, factor] : measure.terms)
            cost += inclusive_of(*this, node, event).cost * factor;
        return cost;
    }
    cost = self(node, measure);
    const auto add = [&](ArcId arc) { cost += data_->arc_cost(arc, measure); };
    if (data_->has_records(node)) {
        data_->for_each_plain_callee(node, add);
    } else {
        data_->for_each_plain_caller(node, add);
    }
    return cost;
}

Cost CallGraph::unrecorded_callees(NodeId node, const Measure& measure) const {
    if (data_->inlined) return of_host(*this, node, measure, &CallGraph::unrecorded_callees);
    return beyond_callees(*this, node, measure, false);
}

std::vector<Cost> unrecorded_callees(const CallGraph& graph, const Measure& measure) {
    const Data& data = data_of(graph);
    std::vector<Cost> costs(graph.size());
    if (!measure.additive || data.conserved.empty()) return costs;
    if (data.inlined) {
        const std::vector<Cost> of_hosts = unrecorded_callees(data.inlined->hosts(), measure);
        for (std::size_t row = 0; row < costs.size(); ++row)
            if (const NodeId host = data.inlined->host(NodeId(row)); host.valid())
                costs[row] = of_hosts[host.value];
        return costs;
    }
    for (const auto& [event, factor] : measure.terms) {
        if (!data.conserved[event.value] || data.none_lost[event.value]) continue;
        for_each_recorded(data, event,
                          [&, event = event, factor = factor](NodeId node, const RecordSums& recorded) {
                              if (data.cycle_of[node.value].valid()) return;
                              costs[node.value] += inclusive_of(data, node, event, recorded).beyond * factor;
                          });
    }
    return costs;
}

Cost CallGraph::unattributed(NodeId node, const Measure& measure) const {
    if (data_->inlined) return of_host(*this, node, measure, &CallGraph::unattributed);
    return beyond_callees(*this, node, measure, true);
}

Cost CallGraph::inclusive(CycleId cycle, const Measure& measure) const {
    if (!measure.additive) return self(cycle, measure);
    if (data_->inlined) return data_->inlined->hosts().inclusive(cycle, measure);
    Cost cost = 0;
    for (const auto& [event, factor] : measure.terms) cost += cost_of_cycle(*data_, cycle, event) * factor;
    return cost;
}

}  // namespace callcost
