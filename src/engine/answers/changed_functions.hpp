/// The functions that changed between two profiles, in order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "query/filtered_difference.hpp"
#include <callcost/diff.hpp>

namespace callcost::engine {

enum class ChangeOrder : std::uint8_t { change, relative, increase, decrease, name };
/// Whether `a` comes before `b`.
[[nodiscard]] bool precedes(const Change& a, const Change& b, ChangeOrder order);

/// The rows of changes, which are by name, in order. Equal ones stay by name.
template <class Row>
std::vector<Row> rows_in_order(std::vector<std::pair<Change, Row>> changed, ChangeOrder order) {
    std::stable_sort(changed.begin(), changed.end(),
                     [order](const auto& a, const auto& b) { return precedes(a.first, b.first, order); });
    std::vector<Row> rows;
    rows.reserve(changed.size());
    for (const auto& [change, row] : changed) rows.push_back(row);
    return rows;
}

struct ChangedFunctions {
    std::vector<MatchId> self;                     ///< whose self cost changed
    std::vector<MatchId> added, removed, renamed;  ///< most expensive first
};
/// Of those that are listed, without those whose change, or cost, is below `min_cost`.
[[nodiscard]] ChangedFunctions changed_functions(const FilteredDifference& filtered,
                                                 ChangeOrder order = ChangeOrder::change,
                                                 double min_cost = 0);

}  // namespace callcost::engine
