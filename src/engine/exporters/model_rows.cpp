#include "exporters/model_rows.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "text/profile_facts.hpp"
#include <callcost/groups.hpp>

namespace callcost::engine {
namespace {

auto place_of(const PlaceRow& row) { return std::tie(row.callee, row.file, row.line, row.address); }

}  // namespace

std::vector<Measure> measures_of_rows(const CallGraph& graph, const std::vector<Measure>& chosen) {
    if (!chosen.empty()) return chosen;
    const auto events = graph.profile().events().size();
    if (events > max_events) return {default_measure(graph)};
    auto measures = callcost::measures(graph.profile());
    measures.resize(std::min(events, measures.size()));  // the raw ones come first
    return measures;
}

FunctionName function_name(const CallGraph& graph, const ContextNames& contexts, NodeId node) {
    const auto name = graph.name(node);
    // A folded node has its plain name already.
    if (const auto pieces = context_name(graph, contexts, node); name != pieces.name)
        return {pieces.name, pieces.context};
    return {name, {}};
}

std::optional<Cost> inclusive_cost(const CallGraph& graph, NodeId node, const Measure& measure) {
    return has_inclusive(graph, measure) ? std::optional(graph.inclusive(node, measure)) : std::nullopt;
}

std::optional<Cost> arc_cost(const CallGraph& graph, ArcId arc, const Measure& measure) {
    return measure.additive ? std::optional(graph.cost(arc, measure)) : std::nullopt;
}

PlaceRows::PlaceRows(const CallGraph& graph, std::span<const Measure> measures)
    : graph_(graph),
      width_(measures.size()),
      chosen_parts_(graph.profile().parts().size(), false),
      starts_(graph.size() + 1, 0) {
    for (std::size_t measure = 0; measure < width_; ++measure) {
        for (const auto& [event, factor] : measures[measure].terms) uses_.push_back({event, measure, factor});
    }
    std::sort(uses_.begin(), uses_.end(), [](const Use& a, const Use& b) { return a.event < b.event; });
    for (const auto part : graph.parts()) chosen_parts_[part.value] = true;

    // A node is several functions where contexts are folded: they are counted, then put side by side.
    const auto count = graph.profile().function_count();
    for (std::size_t row = 0; row < count; ++row) {
        if (const auto node = graph.node_of(FunctionId(row)); node.valid()) ++starts_[node.value + 1];
    }
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    functions_.resize(starts_.back());
    auto next = starts_;
    for (std::size_t row = 0; row < count; ++row) {
        if (const auto node = graph.node_of(FunctionId(row)); node.valid())
            functions_[next[node.value]++] = FunctionId(row);
    }
}

std::span<const PlaceRow> PlaceRows::of(NodeId node, Kind kind) {
    rows_.clear();
    read_costs_.clear();
    for (auto i = starts_[node.value]; i < starts_[node.value + 1]; ++i)
        read(functions_[i], kind == Kind::lines ? Record::Kind::cost : Record::Kind::call);
    merge();
    return rows_;
}

void PlaceRows::read(FunctionId function, Record::Kind kind) {
    auto records = graph_.profile().records(function);
    for (Record record; records.next(record);) {
        if (record.kind != kind || !chosen_parts_[records.part().value]) continue;
        PlaceRow row{.callee = {},
                     .file = record.file,
                     .line = record.line,
                     .address = record.address,
                     .count = {},
                     .costs = {}};
        if (kind == Record::Kind::call) {
            row.callee = graph_.node_of(graph_.profile().callee(record.arc));
            row.count = CallCount::of(record.count);
        }
        rows_.push_back(row);
        const auto begin = read_costs_.size();
        read_costs_.resize(begin + width_, 0);
        for (const auto& cell : cells(records.part())) {
            if (cell.column >= record.costs.size()) continue;
            auto& sum = read_costs_[begin + cell.measure];
            sum += record.costs[cell.column] * cell.factor;
        }
    }
}

/// Puts the rows in order and adds up those of one place.
void PlaceRows::merge() {
    std::vector<std::size_t> order(rows_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return place_of(rows_[a]) < place_of(rows_[b]); });
    std::vector<PlaceRow> merged;
    costs_.clear();
    costs_.reserve(read_costs_.size());
    for (const auto i : order) {
        const auto* costs = read_costs_.data() + i * width_;
        if (!merged.empty() && place_of(merged.back()) == place_of(rows_[i])) {
            merged.back().count.add(rows_[i].count);
            auto* sums = costs_.data() + (merged.size() - 1) * width_;
            for (std::size_t m = 0; m < width_; ++m) sums[m] += costs[m];
        } else {
            merged.push_back(rows_[i]);
            costs_.insert(costs_.end(), costs, costs + width_);
        }
    }
    rows_ = std::move(merged);
    for (std::size_t i = 0; i < rows_.size(); ++i)
        rows_[i].costs = std::span(costs_).subspan(i * width_, width_);
}

/// Parts differ in their columns (F14); those that inherit an `events:` line share it.
const std::vector<PlaceRows::Cell>& PlaceRows::cells(PartId part) {
    const auto events = graph_.profile().parts()[part.value].events;
    const auto [found, is_new] = cells_.try_emplace(events.data());
    auto& cells = found->second;
    if (!is_new) return cells;
    const auto is_before = [](const Use& a, const Use& b) { return a.event < b.event; };
    for (std::size_t column = 0; column < events.size(); ++column) {
        const Use wanted{events[column], 0, 0};
        auto use = std::lower_bound(uses_.begin(), uses_.end(), wanted, is_before);
        for (; use != uses_.end() && use->event == wanted.event; ++use)
            cells.push_back({column, use->measure, use->factor});
    }
    return cells;
}

}  // namespace callcost::engine
