#include "call_graph/cycle_costs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "call_graph/graph_data.hpp"
#include "profile/call_trace.hpp"

namespace callcost {
namespace {

using Data = CallGraph::Data;

bool has_arc_within_first_level(const Data& data, NodeId node) {
    bool has = false;
    for (const ArcId arc : data.callees[node.value]) {
        if (data.callee(arc) != node) continue;
        data.for_each_source(arc, [&](ArcId source) {
            const ArcData& ends = data.columns().arcs[source.value];
            has = has || (data.is_first_level(ends.caller) && data.is_first_level(ends.callee));
        });
    }
    return has;
}

/// The costs of a cycle's members by one event type.
class Members {
  public:
    Members(const Data& data, std::span<const NodeId> nodes, EventId event,
            std::span<const std::uint32_t> row_of, std::span<BoundedCost> costs)
        : data_(data), nodes_(nodes), event_(event), row_of_(row_of), costs_(costs) {
        const bool is_conserved = !data.conserved.empty() && data.conserved[event.value];
        if (is_conserved) total_ = data.total[event];
        is_capped_ = is_conserved;
    }

    void find() {
        std::vector<std::uint32_t> open;  // places of members that are only bounded
        const Cost cycle = cost_of_cycle();
        for (std::uint32_t place = 0; place < nodes_.size(); ++place) {
            if (const auto cost = exact_cost(nodes_[place], cycle)) {
                costs_[place] = {*cost, *cost, *cost};
            } else {
                open.push_back(place);
            }
        }
        if (open.empty()) return;
        bound(open, cycle);
        std::erase_if(open, [&](std::uint32_t place) { return costs_[place].is_exact(); });
        if (!open.empty()) estimate(open);
    }

  private:
    [[nodiscard]] Cost capped(Cost cost) const { return is_capped_ ? std::min(cost, total_) : cost; }
    [[nodiscard]] bool is_inside(NodeId node) const {
        return data_.cycle_of[node.value] == data_.cycle_of[nodes_[0].value];
    }

    /// Where arcs are lost, what its callers paid (F76 a).
    [[nodiscard]] Cost cost_of_cycle() const {
        Cost own = 0, in = 0;
        for (const NodeId node : nodes_) {
            own += data_.self_cost(node, event_);
            data_.for_each_plain_callee(node, [&](ArcId arc) { own += data_.arc_cost(arc, event_); });
            data_.for_each_plain_caller(node, [&](ArcId arc) { in += data_.arc_cost(arc, event_); });
        }
        return is_capped_ ? capped(std::max(own, in)) : own;
    }

    /// What is spent while the first level is on the stack: its self cost and all its calls; where costs are
    /// conserved, what its callers paid if that is more (F76 a). Nothing if levels do not tell it, or if both
    /// are more than the whole cycle costs: then its calls nest, and only others have levels.
    [[nodiscard]] std::optional<Cost> exact_cost(NodeId node, Cost cycle) const {
        if (!data_.levels_tell(node)) return std::nullopt;
        Cost own = 0, in = 0;
        bool has_records = false;
        data_.for_each_function(node, [&](FunctionId function) {
            if (!data_.is_first_level(function)) return;
            own += Data::cost_of(*data_.self, function.value, event_);
            has_records =
                has_records || (data_.partial ? data_.partial->has_records[function.value]
                                              : data_.columns().functions[function.value].has_records);
        });
        for (const ArcId arc : data_.callees[node.value]) own += cost_by_end(arc, &ArcData::caller);
        for (const ArcId arc : data_.callers[node.value]) in += cost_by_end(arc, &ArcData::callee);
        if (!is_capped_) return has_records ? own : in;
        if (std::min(own, in) > cycle + cycle / 100) return std::nullopt;
        return capped(std::max(own, in));
    }
    /// Of those arcs of the profile that have a first level at that end.
    [[nodiscard]] Cost cost_by_end(ArcId arc, FunctionId ArcData::*end) const {
        Cost cost = 0;
        data_.for_each_source(arc, [&](ArcId source) {
            if (data_.is_first_level(data_.columns().arcs[source.value].*end))
                cost += Data::cost_of(*data_.arc_costs, source.value, event_);
        });
        return cost;
    }

    /// Calls from outside of the cycle do not nest, nor do those that leave it. Each event that was spent
    /// while the function was on the stack is in all its calls together once at least, and in the cycle.
    void bound(std::span<const std::uint32_t> open, Cost cycle) {
        for (const std::uint32_t place : open) {
            const NodeId node = nodes_[place];
            const Cost self = data_.self_cost(node, event_);
            Cost leaving = self, own = self, entering = 0, in = 0;
            for (const ArcId arc : data_.callees[node.value]) {
                if (data_.callee(arc) == node) continue;
                const Cost cost = data_.arc_cost(arc, event_);
                own += cost;
                if (!is_inside(data_.callee(arc))) leaving += cost;
            }
            for (const ArcId arc : data_.callers[node.value]) {
                if (data_.caller(arc) == node) continue;
                const Cost cost = data_.arc_cost(arc, event_);
                in += cost;
                if (!is_inside(data_.caller(arc))) entering += cost;
            }
            const Cost least = capped(std::max(entering, leaving));
            const Cost most = std::min(std::max(own, in), cycle);
            // Rounded costs may contradict each other; with costs below zero neither is a bound: then both
            // say no more than that it is not known.
            const bool is_below_zero = std::min({self, leaving, own, entering, in, cycle}) < 0;
            costs_[place] = {least, is_below_zero ? std::min(least, most) : least, std::max(least, most)};
        }
    }

    /// An arc inside of the cycle, by places of its ends.
    struct Link {
        std::uint32_t from, to;
        double share;  ///< of what passes through `from`
    };

    /// What passes through the members, and which share of it goes on to which.
    void find_flow() {
        const std::uint32_t first_row = row_of_[nodes_[0].value];
        passes_.assign(nodes_.size(), 0);
        entered_.assign(nodes_.size(), 0);
        first_link_.assign(1, 0);
        const auto cost_of = [&](ArcId arc) {
            return std::max(0.0, static_cast<double>(data_.arc_cost(arc, event_)));
        };
        for (std::uint32_t place = 0; place < nodes_.size(); ++place) {
            const NodeId node = nodes_[place];
            double out = std::max(0.0, static_cast<double>(data_.self_cost(node, event_))), in = 0,
                   inside = 0;
            for (const ArcId arc : data_.callees[node.value]) out += cost_of(arc);
            for (const ArcId arc : data_.callers[node.value]) {
                const double cost = cost_of(arc);
                in += cost;
                if (!is_inside(data_.caller(arc))) continue;
                inside += cost;
                links_.push_back({row_of_[data_.caller(arc).value] - first_row, place, cost});
            }
            first_link_.push_back(static_cast<std::uint32_t>(links_.size()));
            passes_[place] = std::max(in, out);
            entered_[place] = passes_[place] - inside;
        }
        for (Link& link : links_) link.share = passes_[link.from] > 0 ? link.share / passes_[link.from] : 0;
    }

    /// What arrives at a member for the first time, whatever comes back to it: the others' arrivals without
    /// it are the solution of linear equations, found by iteration.
    double first_arrivals(std::uint32_t chosen, std::size_t& work) const {
        constexpr int max_rounds = 60;
        constexpr double enough = 1e-7;
        std::vector<double> arriving = passes_;
        arriving[chosen] = 0;
        double change = 1;
        for (int round = 0; round < max_rounds && change > enough; ++round) {
            change = 0;
            for (std::uint32_t place = 0; place < nodes_.size(); ++place) {
                if (place == chosen) continue;
                double sum = entered_[place], itself = 0;
                for (std::uint32_t i = first_link_[place]; i < first_link_[place + 1]; ++i) {
                    const Link& link = links_[i];
                    if (link.from == place)
                        itself = link.share;  // direct recursion is a geometric series
                    else
                        sum += arriving[link.from] * link.share;
                }
                if (itself < 1) sum /= 1 - itself;
                if (sum > 0) change = std::max(change, std::abs(sum - arriving[place]) / sum);
                arriving[place] = sum;
            }
            work += links_.size() + nodes_.size();
        }
        double first = entered_[chosen];
        for (std::uint32_t i = first_link_[chosen]; i < first_link_[chosen + 1]; ++i)
            if (links_[i].from != chosen) first += arriving[links_[i].from] * links_[i].share;
        return first;
    }

    /// The widest bounds first, as far as the time allows; the others lie between theirs where these do on
    /// average.
    void estimate(std::vector<std::uint32_t>& open) {
        // Of all cycles together.
        const std::size_t max_work = 30'000'000 / data_.cycles.rows.size() * nodes_.size();
        find_flow();
        const auto width = [&](std::uint32_t place) { return costs_[place].most - costs_[place].least; };
        std::stable_sort(open.begin(), open.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return width(a) > width(b); });
        std::size_t work = 0, done = 0;
        double above = 0, room = 0;
        const auto set = [&](std::uint32_t place, double estimate) {
            BoundedCost& cost = costs_[place];
            const auto least = static_cast<double>(cost.least), most = static_cast<double>(cost.most);
            const double within = std::isnan(estimate) ? least : std::clamp(estimate, least, most);
            cost.estimate = within >= most ? cost.most : std::max(cost.least, Cost(std::llround(within)));
            above += within - least;
            room += most - least;
        };
        for (; done < open.size() && work < max_work; ++done)
            set(open[done], first_arrivals(open[done], work));
        const double part = room > 0 ? above / room : 0;
        for (; done < open.size(); ++done)
            set(open[done], static_cast<double>(costs_[open[done]].least) +
                                part * static_cast<double>(width(open[done])));
    }

    const Data& data_;
    std::span<const NodeId> nodes_;
    EventId event_;
    std::span<const std::uint32_t> row_of_;
    std::span<BoundedCost> costs_;  // by place in the cycle
    bool is_capped_ = false;        // at the total, as costs are conserved
    Cost total_ = 0;
    std::vector<double> passes_, entered_;   // by place
    std::vector<Link> links_;                // by callee
    std::vector<std::uint32_t> first_link_;  // by callee: where its links begin
};

}  // namespace

std::vector<bool> nodes_with_levels(const CallGraph::Data& data) {
    std::vector<bool> tells(data.node_count());
    for (std::size_t row = 0; row < tells.size(); ++row) {
        const NodeId node(row);
        bool has_first_level = false;
        data.for_each_function(node, [&](FunctionId function) {
            has_first_level = has_first_level || data.is_first_level(function);
        });
        tells[row] = has_first_level && !has_arc_within_first_level(data, node);
    }
    return tells;
}

void CycleCosts::prepare(const CallGraph::Data& data, OfAllNodes known) {
    if (data.cycles.rows.empty()) return;
    row_of_.assign(data.node_count(), no_row);
    for (std::uint32_t row = 0; row < data.cycles.rows.size(); ++row)
        row_of_[data.cycles.rows[row].value] = row;
    by_event_ = std::vector<MadeOnce<Costs>>(data.profile.events().size());
    known_ = std::move(known);
}

CycleCosts::Costs CycleCosts::costs(const CallGraph::Data& data, EventId event) const {
    Costs costs(data.cycles.rows.size());
    if (known_) {
        const auto all = known_(event);
        for (std::size_t row = 0; row < costs.size(); ++row) costs[row] = all[data.cycles.rows[row].value];
        return costs;
    }
    if (are_traced(data.profile, data.parts)) {
        std::vector<std::uint32_t> row_of(data.columns().functions.size());
        for (std::size_t row = 0; row < row_of.size(); ++row) {
            const std::uint32_t node =
                data.mapping ? data.mapping->node_of[row] : static_cast<std::uint32_t>(row);
            row_of[row] = node == no_row ? no_row : row_of_[node];
        }
        const std::array events = {event};
        if (const auto exact = outermost_costs(data.profile, data.parts, row_of, costs.size(), events)) {
            for (std::size_t row = 0; row < costs.size(); ++row)
                costs[row] = {(*exact)[row], (*exact)[row], (*exact)[row]};
            return costs;
        }
    }
    for (std::size_t cycle = 0; cycle + 1 < data.cycles.offsets.size(); ++cycle) {
        const std::size_t first = data.cycles.offsets[cycle];
        const auto nodes = data.cycles[cycle];
        Members(data, nodes, event, row_of_, std::span(costs).subspan(first, nodes.size())).find();
    }
    return costs;
}

const BoundedCost& CycleCosts::of(const CallGraph::Data& data, NodeId node, EventId event) const {
    const Costs& found = by_event_[event.value].get([&] { return costs(data, event); });
    return found[row_of_[node.value]];
}

}  // namespace callcost
