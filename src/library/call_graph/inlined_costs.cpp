#include "call_graph/inlined_costs.hpp"

#include <algorithm>
#include <cmath>

#include "call_graph/flow.hpp"
#include "call_graph/graph_data.hpp"

namespace callcost {
namespace {

using Data = CallGraph::Data;

/// Calls f(arc, caller, callee) for the arcs of the profile that are in the chosen parts.
template <class F>
void for_each_call(const Data& data, F f) {
    const auto& arcs = data.columns().arcs;
    for (std::size_t row = 0; row < arcs.size(); ++row)
        if (!data.partial || data.partial->has_calls[row]) f(ArcId(row), arcs[row].caller, arcs[row].callee);
}

/// What a function's recorded calls and its self cost are together, recursive calls included.
std::vector<double> whole_costs(const Data& hosts, EventId event) {
    std::vector<double> costs(hosts.node_count());
    for (std::size_t row = 0; row < costs.size(); ++row)
        costs[row] = static_cast<double>(hosts.self_cost(NodeId(row), event));
    hosts.for_each_arc([&](ArcId arc, NodeId caller, NodeId) {
        costs[caller.value] += static_cast<double>(hosts.arc_cost(arc, event));
    });
    return costs;
}

Cost rounded_within(double estimate, Cost least, Cost most) {
    if (std::isnan(estimate) || estimate <= static_cast<double>(least)) return least;
    if (estimate >= static_cast<double>(most)) return most;
    return {std::llround(estimate)};
}

}  // namespace

ArcId InlinedCosts::host_arc(ArcId source) const {
    return ArcId(data_of(hosts_).mapping->arc_of[source.value]);
}

void InlinedCosts::prepare(const Data& data) {
    const InlinedRows& inlined = data.columns().inlined;
    for (std::size_t row = 0; row < data.node_count(); ++row) {
        NodeId& host = host_.emplace_back();
        data.for_each_function(NodeId(row), [&](FunctionId function) {
            if (!host.valid() && !inlined.contains(function)) host = hosts_.node_of(function);
        });
    }
    for (auto* costs : {&bounds_, &estimates_})
        *costs = std::vector<MadeOnce<std::vector<BoundedCost>>>(data.profile.events().size());

    // Calls from a first level do not nest (F76).
    const Data& hosts = data_of(hosts_);
    nests_.assign(data.columns().functions.size(), false);
    for_each_call(data, [&](ArcId arc, FunctionId caller, FunctionId callee) {
        if (!inlined.contains(caller) || inlined.contains(callee)) return;
        const FunctionId host = inlined.host(caller);
        if (hosts.levels_tell(hosts_.node_of(host)) && hosts.is_first_level(host)) return;
        if (hosts_.recursive(host_arc(arc))) nests_[caller.value] = true;
    });
    for (std::size_t row = nests_.size(); row-- > inlined.first;)
        if (const FunctionId in = inlined[FunctionId(row)].in; nests_[row] && inlined.contains(in))
            nests_[in.value] = true;
}

std::vector<BoundedCost> InlinedCosts::bounds(const Data& data, EventId event) const {
    const Data& hosts = data_of(hosts_);
    const InlinedRows& inlined = data.columns().inlined;
    Measure measure;
    measure.terms = {{event, 1}};
    const BoundedCosts of_hosts = inclusive_bounds(hosts_, measure);
    const auto host_cost = [&](NodeId host) {
        return BoundedCost{of_hosts.estimate[host.value], of_hosts.least[host.value],
                           of_hosts.most[host.value]};
    };

    // Of inlined code: all that it and its calls cost, and that without recursive calls.
    const std::size_t rows = data.columns().functions.size();
    std::vector<Cost> all(rows), plain(rows);
    for (std::size_t row = inlined.first; row < rows; ++row)
        plain[row] = Data::cost_of(*data.self, row, event);
    for_each_call(data, [&](ArcId arc, FunctionId caller, FunctionId callee) {
        const Cost cost = Data::cost_of(*data.arc_costs, arc.value, event);
        if (inlined.contains(callee)) {
            all[callee.value] = cost;
        } else if (inlined.contains(caller) && !hosts_.recursive(host_arc(arc))) {
            plain[caller.value] += cost;
        }
    });
    for (std::size_t row = rows; row-- > inlined.first;)
        if (const FunctionId in = inlined[FunctionId(row)].in; inlined.contains(in))
            plain[in.value] += plain[row];
    const std::vector<double> whole = whole_costs(hosts, event);
    const bool is_capped = !hosts.conserved.empty() && hosts.conserved[event.value];
    const auto cost_of = [&](FunctionId function) {
        const NodeId host = hosts_.node_of(inlined.host(function));
        const BoundedCost around = host_cost(host);
        const Cost cost = all[function.value];
        if (!nests_[function.value]) {
            const Cost capped = is_capped ? std::min(cost, around.most) : cost;
            return BoundedCost{capped, capped, capped};
        }
        // It takes a share of every call of the function around it.
        const Cost most = std::min(cost, around.most), least = std::min(plain[function.value], most);
        const double part = static_cast<double>(cost) / whole[host.value];
        return BoundedCost{rounded_within(static_cast<double>(around.estimate) * part, least, most), least,
                           most};
    };

    const auto& sums = sums_.get([&] { return sums_of_places(data); });
    std::vector<BoundedCost> costs(data.node_count());
    for (std::size_t row = 0; row < costs.size(); ++row) {
        const PlaceSum& sum = sums[row];
        BoundedCost& cost = costs[row];
        Cost greatest_least = 0, below = 0;
        const auto add = [&](const BoundedCost& one, bool is_apart, double outside) {
            greatest_least = std::max(greatest_least, one.least);
            cost.estimate +=
                is_apart ? one.estimate : Cost(std::llround(static_cast<double>(one.estimate) * outside));
            cost.most += one.most;
            if (is_apart) cost.least += one.least;
            if (!is_apart) below = std::max(below, one.estimate);
        };
        if (sum.copy == PlaceSum::Copy::apart || sum.copy == PlaceSum::Copy::below)
            add(host_cost(host_[row]), sum.copy == PlaceSum::Copy::apart, sum.copy_outside);
        for (const FunctionId function : sum.apart) add(cost_of(function), true, 1);
        for (const auto& [function, outside] : sum.below) add(cost_of(function), false, outside);
        if (is_capped) cost.most = std::min(cost.most, data.total[event]);
        cost.least = std::min(std::max(cost.least, greatest_least), cost.most);
        cost.estimate = std::clamp(std::max(cost.estimate, below), cost.least, cost.most);
    }
    return costs;
}

/// As the flow of costs has it, as far as the time allows.
std::vector<BoundedCost> InlinedCosts::estimates(const Data& data, EventId event,
                                                 const std::vector<BoundedCost>& bounds) const {
    constexpr std::size_t max_work = 30'000'000;
    std::vector<BoundedCost> costs = bounds;
    std::vector<std::size_t> open;
    for (std::size_t row = 0; row < costs.size(); ++row)
        if (!costs[row].is_exact()) open.push_back(row);
    const auto& places = places_.get([&] {
        auto made = inlined_places(data);
        return made ? std::optional(*std::move(made)) : std::nullopt;
    });
    if (!places) return costs;
    const auto width = [&](std::size_t row) { return costs[row].most - costs[row].least; };
    std::stable_sort(open.begin(), open.end(),
                     [&](std::size_t a, std::size_t b) { return width(a) > width(b); });
    Measure measure;
    measure.terms = {{event, 1}};
    const Flow flow(*places, measure);
    const auto nodes = group_by<NodeId>(costs.size(), places->size(), [&](std::size_t row) {
        const FunctionId function = places->function(NodeId(row));
        return data.mapping ? data.mapping->node_of[function.value] : function.value;
    });
    std::size_t work = 0;
    for (const std::size_t row : open) {
        if (work > max_work) break;
        double sum = 0;
        for (const Start& start : starts_at(flow, nodes[row], &work, false))
            sum += start.cost.estimate * flow.unit;
        work += places->size();
        costs[row].estimate = rounded_within(sum, costs[row].least, costs[row].most);
    }
    return costs;
}

const BoundedCost& InlinedCosts::of(const Data& data, NodeId node, EventId event) const {
    const auto& all = bounds_[event.value].get([&] { return bounds(data, event); });
    if (all[node.value].is_exact()) return all[node.value];
    return estimates_[event.value].get([&] { return estimates(data, event, all); })[node.value];
}

}  // namespace callcost
