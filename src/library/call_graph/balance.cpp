// Where cost comes from and whether it adds up: conservation (F75), roots (F77), and problems of a graph.
#include <algorithm>
#include <limits>
#include <utility>

#include "base/sums_by_key.hpp"
#include "call_graph/graph_data.hpp"

namespace callcost {
namespace {

using Data = CallGraph::Data;

constexpr std::size_t max_places = 10;

void note(Diagnostic& diagnostic, std::string_view name) {
    ++diagnostic.count;
    if (diagnostic.places.size() == max_places) return;
    diagnostic.places.emplace_back();
    diagnostic.places.back().excerpt = name.substr(0, 160);
}

/// The row of a function in lists of functions and cycles: a member of a cycle stands for the cycle, above
/// which it never is.
std::size_t row_of(const Data& data, NodeId node) {
    const CycleId cycle = data.cycle_of[node.value];
    return cycle.valid() ? data.node_count() + cycle.value : node.value;
}

/// Inclusive costs by the only event type. Calls f(row) in order for each of which is_wanted(column, cost).
template <class IsWanted, class F>
void for_each_single_inclusive_cost(const CallGraph& graph, IsWanted is_wanted, F f) {
    const Data& data = data_of(graph);
    std::vector<Cost> cycles(graph.cycle_count(), 0);
    for (std::size_t row = 0; row < graph.size(); ++row) {
        const NodeId node(row);
        const RecordSums& recorded = data.recorded[row];
        const Cost cost = data.has_records(node) ? recorded.own : recorded.in;
        if (const CycleId cycle = data.cycle_of[row]; cycle.valid())
            cycles[cycle.value] += cost;
        else if (is_wanted(0, cost))
            f(row);
    }
    for (std::size_t cycle = 0; cycle < cycles.size(); ++cycle)
        if (is_wanted(0, cycles[cycle])) f(graph.size() + cycle);
}

/// The same by several event types, a function or cycle at a time: where each has a cost by nearly every one.
template <class IsWanted, class F>
void for_each_dense_inclusive_cost(const CallGraph& graph, IsWanted is_wanted, F f) {
    const Data& data = data_of(graph);
    std::vector<std::int64_t> sums(graph.profile().events().size(), 0);
    const auto add_row = [&](const CostTable& table, std::size_t row) { table.add_to(sums, row); };
    const auto add_arc = [&](ArcId arc) {
        if (!data.mapping) return add_row(*data.arc_costs, arc.value);
        for (const ArcId source : data.mapping->arcs[arc.value]) add_row(*data.arc_costs, source.value);
    };
    const auto add_node = [&](NodeId node) {
        if (data.mapping) {
            for (const FunctionId function : data.mapping->functions[node.value])
                add_row(*data.self, function.value);
        } else {
            add_row(*data.self, node.value);
        }
        if (data.has_records(node)) {
            data.for_each_plain_callee(node, add_arc);
        } else {
            data.for_each_plain_caller(node, add_arc);
        }
    };
    const auto report = [&](std::size_t row) {
        for (std::size_t column = 0; column < sums.size(); ++column) {
            if (is_wanted(column, sums[column])) f(row);
            sums[column] = 0;
        }
    };
    for (std::size_t row = 0; row < graph.size(); ++row) {
        if (data.cycle_of[row].valid()) continue;
        add_node(NodeId(row));
        report(row);
    }
    for (std::size_t cycle = 0; cycle < graph.cycle_count(); ++cycle) {
        for (const NodeId member : data.cycles[cycle]) add_node(member);
        report(graph.size() + cycle);
    }
}

/// The same for very many event types, by which each function has few costs: these are collected.
template <class IsWanted, class F>
void for_each_sparse_inclusive_cost(const CallGraph& graph, IsWanted is_wanted, F f) {
    const Data& data = data_of(graph);
    SumsByKey sums;
    const auto add = [&](NodeId node, std::size_t column, Cost cost) {
        sums.add(std::uint64_t{row_of(data, node)} << 32U | column, cost);
    };
    data.self->for_each([&](std::size_t row, std::size_t column, Cost cost) {
        if (const NodeId node = graph.node_of(FunctionId(row)); node.valid()) add(node, column, cost);
    });
    data.arc_costs->for_each([&](std::size_t row, std::size_t column, Cost cost) {
        const ArcId arc(data.mapping ? data.mapping->arc_of[row] : row);
        if (!arc.valid() || data.is_recursive(arc)) return;
        add(data.caller(arc), column, cost);
        if (!data.has_records(data.callee(arc))) add(data.callee(arc), column, cost);
    });
    std::vector<std::uint64_t> wanted;
    sums.for_each([&](std::uint64_t where, Cost cost) {
        if (is_wanted(where & 0xffffffffU, cost)) wanted.push_back(where);
    });
    std::sort(wanted.begin(), wanted.end());
    for (const std::uint64_t where : wanted) f(static_cast<std::uint32_t>(where >> 32U));
}

}  // namespace

std::vector<bool> comparable_columns(const CallGraph& graph) {
    const auto events = graph.profile().events();
    std::vector<bool> comparable(events.size());
    for (std::size_t column = 0; column < events.size(); ++column)
        comparable[column] =
            events[column].aggregation == Aggregation::sum && data_of(graph).total[EventId(column)] > 0;
    data_of(graph).self->for_each([&](std::size_t, std::size_t column, Cost cost) {
        if (cost < 0) comparable[column] = false;
    });
    return comparable;
}

namespace {

/// A sum that stays at the largest (or least) cost, for a limit must not wrap below what it limits.
Cost capped_sum(Cost a, Cost b) {
    using Limits = std::numeric_limits<std::int64_t>;
    std::int64_t sum = 0;
    if (!__builtin_add_overflow(std::int64_t{a}, std::int64_t{b}, &sum)) return sum;
    return a > 0 ? Limits::max() : Limits::min();
}

/// How high an inclusive cost may be in a sound file: every record may have been rounded, and the file's own
/// summary also counts what happened outside all functions (F70).
std::vector<Cost> most_inclusive(const CallGraph& graph) {
    const Profile& profile = graph.profile();
    std::vector<Cost> most(profile.events().size(), 0);
    std::int64_t records = 0;
    for (const PartId id : graph.parts()) {
        const Part& part = profile.parts()[id.value];
        records += static_cast<std::int64_t>(part.cost_lines + part.call_records);
        if (!part.summary) continue;
        for (const auto& [event, cost] : part.summary->cells())
            most[event.value] = capped_sum(most[event.value], cost);
    }
    for (std::size_t column = 0; column < most.size(); ++column)
        most[column] = capped_sum(std::max(most[column], data_of(graph).total[EventId(column)]), records);
    return most;
}

/// Callgrind, told to set its counters to zero, writes the calls that were open then with their cost from
/// zero on, less what they had cost before.
Diagnostic negative_calls(const CallGraph& graph, const std::vector<bool>& comparable) {
    Diagnostic zeroed;
    zeroed.id = DiagnosticId::counters_zeroed;
    const Profile& profile = graph.profile();
    const auto by_callgrind = [&](PartId part) {
        return profile.parts()[part.value].dialect == Dialect::callgrind;
    };
    if (!std::any_of(graph.parts().begin(), graph.parts().end(), by_callgrind)) return zeroed;
    std::vector<ArcId> arcs;
    data_of(graph).arc_costs->for_each([&](std::size_t row, std::size_t column, Cost cost) {
        if (cost < 0 && comparable[column] && !data_of(graph).is_inlined(ArcId(row))) arcs.emplace_back(row);
    });
    std::sort(arcs.begin(), arcs.end());  // with very many event types they come in no order
    arcs.erase(std::unique(arcs.begin(), arcs.end()), arcs.end());
    for (const ArcId arc : arcs) note(zeroed, profile.name(profile.callee(arc)));
    return zeroed;
}

}  // namespace

Conservation conservation(const CallGraph& graph, NodeId node, const Measure& measure) {
    Conservation sums{.self = graph.self(node, measure)};
    for (const ArcId arc : graph.callers(node))
        if (graph.caller(arc) != node) sums.in += graph.cost(arc, measure);
    for (const ArcId arc : graph.callees(node))
        if (graph.callee(arc) != node) sums.out += graph.cost(arc, measure);
    return sums;
}

Conservation conservation(const CallGraph& graph, CycleId cycle, const Measure& measure) {
    if (data_of(graph).inlined) return conservation(data_of(graph).inlined->hosts(), cycle, measure);
    Conservation sums;
    for (const NodeId member : graph.members(cycle)) {
        sums.self += graph.self(member, measure);
        for (const ArcId arc : graph.callers(member))
            if (!graph.recursive(arc)) sums.in += graph.cost(arc, measure);
        for (const ArcId arc : graph.callees(member))
            if (!graph.recursive(arc)) sums.out += graph.cost(arc, measure);
    }
    return sums;
}

namespace {

/// By node: its cost and that of the arcs to its callees, less that of the arcs from its callers.
std::vector<Cost> balances(const CallGraph& graph, const Measure& measure) {
    const Data& data = data_of(graph);
    if (data.recorded.empty() || measure.terms.size() != 1) {
        std::vector<Cost> balance = self_costs(graph, measure);
        data.for_each_arc([&](ArcId arc, NodeId caller, NodeId callee) {
            if (caller == callee) return;
            const Cost cost = data.arc_cost(arc, measure);
            balance[caller.value] += cost;
            balance[callee.value] -= cost;
        });
        return balance;
    }
    std::vector<Cost> balance;
    balance.reserve(graph.size());
    const std::int64_t factor = measure.terms.front().second;
    for (std::size_t node = 0; node < graph.size(); ++node)
        balance.push_back((data.recorded[node].own - data.recorded[node].in) * factor);
    data.for_each_arc_in_cycles([&](ArcId arc, NodeId caller, NodeId callee) {
        const Cost cost = data.arc_cost(arc, measure);
        balance[caller.value] += cost;
        balance[callee.value] -= cost;
    });
    return balance;
}

}  // namespace

std::vector<Root> roots(const CallGraph& graph, const Measure& measure) {
    std::vector<Root> found;
    if (!measure.additive) return found;  // F78
    const Data& data = data_of(graph);
    const std::vector<Cost> balance = balances(graph, measure);
    std::vector<Cost> cycle_balance(graph.cycle_count(), 0);
    // Arcs inside a cycle take from one member what they give to another.
    for (const NodeId node : data.cycles.rows)
        cycle_balance[data.cycle_of[node.value].value] += balance[node.value];
    for (std::size_t node = 0; node < balance.size(); ++node)
        if (!data.cycle_of[node].valid() && balance[node] > 0)
            found.push_back({.node = NodeId(node), .weight = balance[node]});
    // Costs of arcs inside a cycle say nothing (F75), so only the cycle as a whole can be a root.
    for (std::size_t cycle = 0; cycle < cycle_balance.size(); ++cycle) {
        if (cycle_balance[cycle] <= 0) continue;
        const auto members = graph.members(CycleId(cycle));  // by name, which decides between equal ones
        const auto entry = std::max_element(members.begin(), members.end(), [&](NodeId a, NodeId b) {
            return balance[a.value] < balance[b.value];
        });
        found.push_back({.node = *entry, .weight = cycle_balance[cycle]});
    }
    if (data.conserves(measure))  // events in calls but in no function (F70)
        for (Root& root : found) root.weight = std::min(root.weight, graph.total(measure));
    std::sort(found.begin(), found.end(), [&](const Root& a, const Root& b) {
        return a.weight != b.weight ? a.weight > b.weight : precedes(graph, a.node, b.node);
    });
    return found;
}

namespace {

/// Functions and cycles that cost more with what they call than `most`, by one of these columns at least.
Diagnostic inclusive_above(const CallGraph& graph, const std::vector<bool>& columns,
                           const std::vector<Cost>& most) {
    Diagnostic exceeds;
    exceeds.id = DiagnosticId::inclusive_exceeds_total;
    std::size_t last_row = no_row;  // a function counts once, however many columns are wrong
    const auto is_above = [&](std::size_t column, Cost cost) {
        return columns[column] && cost > most[column];
    };
    const auto note_row = [&](std::size_t row) {
        if (std::exchange(last_row, row) == row) return;
        const bool is_cycle = row >= graph.size();
        note(exceeds, graph.name(is_cycle ? graph.members(CycleId(row - graph.size()))[0] : NodeId(row)));
    };
    if (columns.size() == 1) {
        for_each_single_inclusive_cost(graph, is_above, note_row);
    } else if (columns.size() <= CostTable::dense_columns) {
        for_each_dense_inclusive_cost(graph, is_above, note_row);
    } else {
        for_each_sparse_inclusive_cost(graph, is_above, note_row);
    }
    return exceeds;
}

}  // namespace

Diagnostic inclusive_above_total(const CallGraph& graph) {
    if (data_of(graph).inlined) return inclusive_above_total(data_of(graph).inlined->hosts());
    const auto events = graph.profile().events();
    std::vector<bool> columns(events.size());
    std::vector<Cost> totals(events.size());
    for (std::size_t column = 0; column < events.size(); ++column) {
        totals[column] = data_of(graph).total[EventId(column)];
        columns[column] = events[column].aggregation == Aggregation::sum && totals[column] > 0;
    }
    return inclusive_above(graph, columns, totals);
}

std::vector<Diagnostic> analysis_diagnostics(const CallGraph& graph) {
    if (data_of(graph).inlined) return analysis_diagnostics(data_of(graph).inlined->hosts());
    const std::vector<bool> comparable = comparable_columns(graph);
    Diagnostic exceeds = inclusive_above(graph, comparable, most_inclusive(graph));

    Diagnostic odd_columns;
    odd_columns.id = DiagnosticId::non_additive_column;
    for (const EventType& event : graph.profile().events())
        if (event.aggregation != Aggregation::sum) note(odd_columns, event.name);

    std::vector<Diagnostic> diagnostics;
    if (exceeds.count != 0) diagnostics.push_back(std::move(exceeds));
    if (Diagnostic zeroed = negative_calls(graph, comparable); zeroed.count != 0)
        diagnostics.push_back(std::move(zeroed));
    if (odd_columns.count != 0) diagnostics.push_back(std::move(odd_columns));
    return diagnostics;
}

}  // namespace callcost
