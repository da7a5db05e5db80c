#include "answers/changed_functions.hpp"

#include <cmath>

namespace callcost::engine {
namespace {

double relative_size(const Change& change) {
    return change.before == 0
               ? HUGE_VAL
               : std::abs(static_cast<double>(change.delta()) / static_cast<double>(change.before));
}

}  // namespace

bool precedes(const Change& a, const Change& b, ChangeOrder order) {
    switch (order) {
        case ChangeOrder::change:
            return a.magnitude() > b.magnitude();
        case ChangeOrder::relative:
            return relative_size(a) > relative_size(b);
        case ChangeOrder::increase:
            return a.delta() > b.delta();
        case ChangeOrder::decrease:
            return a.delta() < b.delta();
        case ChangeOrder::name:
            break;
    }
    return false;
}

ChangedFunctions changed_functions(const FilteredDifference& filtered, ChangeOrder order, double min_cost) {
    const Diff& diff = filtered.diff();
    const bool adds_up = diff.measure_after().additive && diff.measure_before().additive;
    using Rows = std::vector<std::pair<Change, MatchId>>;
    Rows changed, added, removed, renamed;
    for (const FunctionMatch& function : diff.functions()) {
        if (!filtered.lists(function.id)) continue;
        const Change self = filtered.self_change(function.id);
        if (self.delta() != 0 && static_cast<double>(self.magnitude()) >= min_cost)
            changed.emplace_back(self, function.id);
        if (!function.is_added() && !function.is_removed() && !function.is_renamed()) continue;
        const auto cost = (adds_up ? filtered.inclusive_change(function.id) : self).largest();
        if (cost == 0 || static_cast<double>(cost) < min_cost) continue;
        const Change by_cost{0, static_cast<std::int64_t>(cost)};
        if (function.is_added()) added.emplace_back(by_cost, function.id);
        if (function.is_removed()) removed.emplace_back(by_cost, function.id);
        if (function.is_renamed()) renamed.emplace_back(by_cost, function.id);
    }
    const auto in_order = [](Rows& rows, ChangeOrder by) { return rows_in_order(std::move(rows), by); };
    return {in_order(changed, order), in_order(added, ChangeOrder::change),
            in_order(removed, ChangeOrder::change), in_order(renamed, ChangeOrder::change)};
}

}  // namespace callcost::engine
