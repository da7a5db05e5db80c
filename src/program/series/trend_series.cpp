#include "series/trend_series.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

namespace callcost::program {
namespace {

/// From the lower to the higher one: more than fits into a Cost, perhaps.
std::uint64_t distance(Cost from, Cost to) { return static_cast<std::uint64_t>(to - from); }

/// How far apart the lowest and the highest are.
std::uint64_t range(const Series& series) {
    std::optional<Cost> lowest, highest;
    for (const auto& value : series) {
        if (!value) continue;
        lowest = std::min(lowest.value_or(*value), *value);
        highest = std::max(highest.value_or(*value), *value);
    }
    return lowest ? distance(*lowest, *highest) : 0;
}

FunctionNames names_of(const FunctionTrend& function) {
    return {function.name, function.object, function.file};
}

/// By node of the newest graph. All but the newest are compared with it.
std::vector<Series> self_costs(const std::vector<CallGraph>& graphs, const Measure& measure,
                               const std::optional<std::string>& wanted) {
    const CallGraph& newest = graphs.back();
    std::vector<Series> series(newest.size(), Series(graphs.size()));
    for (std::size_t node = 0; node < newest.size(); ++node)
        series[node].back() = newest.self(NodeId(node), measure);
    for (std::size_t i = 0; i + 1 < graphs.size(); ++i) {
        DiffOptions options;
        options.measure = wanted.value_or(measure.name);
        const auto changes = diff(graphs[i], newest, options);
        if (!changes) continue;  // it does not record the event type
        for (const FunctionMatch& function : changes->functions())
            for (const NodeId node : function.after)
                if (function.after.size() == 1) series[node.value][i] = changes->self(function).before;
    }
    return series;
}

}  // namespace

Change ends(const Series& series) {
    Change change;
    const auto is_known = [](const auto& value) { return value.has_value(); };
    const auto first = std::find_if(series.begin(), series.end(), is_known);
    const auto last = std::find_if(series.rbegin(), series.rend(), is_known);
    if (first != series.end()) change = {**first, **last};
    return change;
}

Result<Trend> trend(const std::vector<CallGraph>& graphs, const TrendOptions& options) {
    const CallGraph& newest = graphs.back();
    auto measure = options.measure ? find_measure(newest.profile(), *options.measure)
                                   : Result<Measure>(default_measure(newest));
    if (!measure) return tl::unexpected(measure.error());
    Trend result{*std::move(measure), {}, {}};
    for (const Measure& event : measures(newest.profile())) {
        if (!event.formula.empty() || !event.additive) continue;
        auto& row = result.totals.emplace_back(TotalTrend{event.name, {}, {}});
        for (const CallGraph& graph : graphs) {
            const auto here = find_measure(graph.profile(), event.name);
            row.totals.push_back(here ? std::optional(graph.total(*here)) : std::nullopt);
        }
        row.changes = change_points(row.totals, {.exact = counts_exactly(event.name)}).points;
    }
    const auto series = self_costs(graphs, result.measure, options.measure);
    const double least = options.threshold * static_cast<double>(newest.total(result.measure).magnitude());
    for (std::size_t row = 0; row < newest.size(); ++row) {
        const NodeId node(row);
        const auto moved = range(series[row]);
        if (moved > 0 && static_cast<double>(moved) >= least)
            result.functions.push_back(
                {newest.name(node), newest.file(node), newest.object(node), series[row],
                 change_points(series[row], {.exact = counts_exactly(result.measure.name)}).points});
    }
    std::stable_sort(result.functions.begin(), result.functions.end(),
                     [](const FunctionTrend& a, const FunctionTrend& b) {
                         const auto first = range(a.self), second = range(b.self);
                         return first != second ? first > second : names_of(a) < names_of(b);
                     });
    return result;
}

std::string sparkline(const Series& series, bool unicode) {
    constexpr std::array<const char*, 8> blocks = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    constexpr std::array<const char*, 8> signs = {"_", ".", ":", "-", "=", "+", "*", "#"};
    const auto span = static_cast<double>(range(series));
    std::optional<Cost> lowest;
    for (const auto& value : series)
        if (value) lowest = std::min(lowest.value_or(*value), *value);
    std::string line;
    for (const auto& value : series) {
        if (!value) {
            line += ' ';
            continue;
        }
        const double height = span == 0 ? 0 : static_cast<double>(distance(*lowest, *value)) / span;
        const auto step = static_cast<std::size_t>(std::lround(height * 7));
        line += unicode ? blocks.at(step) : signs.at(step);
    }
    return line;
}

}  // namespace callcost::program
