// The function list: which functions cost most.
#include <algorithm>
#include <utility>

#include "call_graph/graph_data.hpp"

namespace callcost {

namespace {

/// At most the largest number.
Cost absolute(Cost cost) {
    const std::uint64_t magnitude = cost.magnitude();
    return magnitude > INT64_MAX ? Cost(INT64_MAX) : Cost(static_cast<std::int64_t>(magnitude));
}

double sum_of_magnitudes(const CallGraph& graph, const Measure& measure) {
    double sum = 0;
    for (const Cost cost : self_costs(graph, measure)) sum += static_cast<double>(cost.magnitude());
    return sum;
}

}  // namespace

[[gnu::flatten]] std::vector<Cost> self_costs(const CallGraph& graph, const Measure& measure) {
    std::vector<Cost> costs(graph.size());
    for (std::size_t node = 0; node < costs.size(); ++node)
        costs[node] = data_of(graph).self_cost(NodeId(node), measure);
    return costs;
}

Cost percentage_base(const CallGraph& graph, const Measure& measure) {
    if (!measure.additive) return 0;
    if (const Cost total = graph.total(measure); total != 0) return total;
    const auto sum = [&](const std::optional<Costs> Part::*header) {
        Cost cost = 0;
        for (const PartId part : graph.parts())
            if (const auto& costs = graph.profile().parts()[part.value].*header)
                for (const auto& [event, factor] : measure.terms) cost += (*costs)[event] * factor;
        return cost;
    };
    if (const Cost summary = sum(&Part::summary); summary != 0) return summary;
    if (const Cost totals = sum(&Part::totals); totals != 0) return totals;
    const auto costs = inclusive_costs(graph, measure);
    Cost largest = 0;
    for (const Cost cost : costs) largest = std::max(largest, cost);
    for (std::size_t cycle = 0; cycle < graph.cycle_count(); ++cycle)
        largest = std::max(largest, graph.inclusive(CycleId(cycle), measure));
    return largest;
}

FunctionList functions(const CallGraph& graph, const FunctionsOptions& options) {
    const Measure measure = options.measure ? *options.measure : default_measure(graph);
    const bool shows_self = options.by == SortBy::self;
    const bool by_cost = shows_self || options.by == SortBy::inclusive;
    const bool has_threshold = options.threshold > 0 && measure.additive;

    std::vector<Cost> shown;  // the cost that sorts and that the threshold is about
    const BoundedCosts* bounded = shows_self ? options.self : options.inclusive;
    if (bounded != nullptr) {
        shown = bounded->estimate;
    } else if (by_cost || has_threshold) {
        shown = shows_self ? self_costs(graph, measure) : inclusive_costs(graph, measure);
    }
    double least = 0;
    if (has_threshold)
        least = options.threshold * static_cast<double>(percentage_base(graph, measure).magnitude());

    const bool by_magnitude =
        options.by_magnitude && std::any_of(shown.begin(), shown.end(), [](Cost cost) { return cost < 0; });
    if (by_magnitude)
        for (Cost& cost : shown) cost = absolute(cost);

    std::vector<NodeId> nodes;
    nodes.reserve(graph.size());
    for (std::size_t row = 0; row < graph.size(); ++row) {
        if (has_threshold && static_cast<double>(shown[row].magnitude()) < least) continue;
        if (!options.where || options.where(NodeId(row))) nodes.emplace_back(row);
    }

    std::size_t size = std::min(options.limit, nodes.size());
    const auto sort_by = [&](auto comes_before) {
        if (size > nodes.size() / 8) return std::sort(nodes.begin(), nodes.end(), comes_before);
        std::partial_sort(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(size), nodes.end(),
                          comes_before);
    };
    if (by_cost) {
        sort_by([&](NodeId a, NodeId b) {
            if (shown[a.value] != shown[b.value]) return shown[a.value] > shown[b.value];
            if (bounded != nullptr && bounded->least[a.value] != bounded->least[b.value])
                return bounded->least[a.value] > bounded->least[b.value];
            return precedes(graph, a, b);
        });
    } else if (options.by == SortBy::called) {
        std::vector<std::uint64_t> calls(graph.size());
        for (const NodeId node : nodes) calls[node.value] = graph.call_count(node).known;
        sort_by([&](NodeId a, NodeId b) {
            if (calls[a.value] != calls[b.value]) return calls[a.value] > calls[b.value];
            return precedes(graph, a, b);
        });
    } else {
        sort_by([&](NodeId a, NodeId b) { return precedes(graph, a, b); });
    }

    FunctionList list;
    list.total = graph.total(measure);
    const double whole = by_magnitude ? sum_of_magnitudes(graph, measure) : static_cast<double>(list.total);
    size = covered_rows(size, options, whole, [&](std::size_t i) { return shown[nodes[i].value]; });
    list.omitted_rows = graph.size() - size;
    list.omitted_self = list.total;
    list.rows.reserve(size);
    std::vector<Cost> all_inclusive;  // a few are faster asked for one by one, in the order of the list
    if (options.inclusive == nullptr && by_cost && !shows_self && !by_magnitude) {
        all_inclusive = std::move(shown);
    } else if (options.inclusive == nullptr && size > graph.size() / 8) {
        all_inclusive = inclusive_costs(graph, measure);
    }
    for (std::size_t i = 0; i < size; ++i) {
        const NodeId node = nodes[i];
        const Cost inclusive = options.inclusive != nullptr ? options.inclusive->estimate[node.value]
                               : !all_inclusive.empty()     ? all_inclusive[node.value]
                                                            : graph.inclusive(node, measure);
        const Cost self =
            options.self != nullptr ? options.self->estimate[node.value] : graph.self(node, measure);
        list.rows.push_back({.node = node,
                             .self = self,
                             .inclusive = inclusive,
                             .inlined = graph.inlined_self(node, measure)});
        list.omitted_self -= list.rows.back().self;
    }
    return list;
}

}  // namespace callcost
