/// The functions that changed between two profiles, in order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <callcost/diff.hpp>

namespace callcost::engine {

enum class ChangeOrder : std::uint8_t { change, relative, increase, decrease, name };
/// Whether `a` comes before `b`. Rows of a Diff are by name already, and equal ones stay so.
[[nodiscard]] bool precedes(const Change& a, const Change& b, ChangeOrder order);

/// The rows of (rank, row), in the order of their ranks.
template <class Rank, class Row, class Precedes>
std::vector<Row> rows_in_order(std::vector<std::pair<Rank, Row>> ranked, const Precedes& is_before) {
    std::stable_sort(ranked.begin(), ranked.end(),
                     [&](const auto& a, const auto& b) { return is_before(a.first, b.first); });
    std::vector<Row> rows;
    rows.reserve(ranked.size());
    for (const auto& [rank, row] : ranked) rows.push_back(row);
    return rows;
}

struct ChangedFunctions {
    std::vector<MatchId> self;                     ///< whose self cost changed
    std::vector<MatchId> added, removed, renamed;  ///< most expensive first
};
/// Without those whose change, or cost, is below `min_cost`.
[[nodiscard]] ChangedFunctions changed_functions(const Diff& diff, ChangeOrder order = ChangeOrder::change,
                                                 double min_cost = 0);

}  // namespace callcost::engine
