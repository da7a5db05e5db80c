#include "answers/changed_functions.hpp"

#include <cmath>
#include <functional>

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

ChangedFunctions changed_functions(const Diff& diff, ChangeOrder order, double min_cost) {
    const bool adds_up = diff.measure_after().additive && diff.measure_before().additive;
    using ByCost = std::vector<std::pair<std::uint64_t, MatchId>>;
    std::vector<std::pair<Change, MatchId>> changed;
    ByCost added, removed, renamed;
    for (const FunctionMatch& function : diff.functions()) {
        const Change self = diff.self(function);
        if (self.delta() != 0 && static_cast<double>(self.magnitude()) >= min_cost)
            changed.emplace_back(self, function.id);
        const auto cost = (adds_up ? diff.inclusive(function) : self).largest();
        if (cost == 0 || static_cast<double>(cost) < min_cost) continue;
        if (function.is_added()) added.emplace_back(cost, function.id);
        if (function.is_removed()) removed.emplace_back(cost, function.id);
        if (function.is_renamed()) renamed.emplace_back(cost, function.id);
    }
    const auto most_expensive = [](ByCost functions) {
        return rows_in_order(std::move(functions), std::greater<>());
    };
    return {rows_in_order(std::move(changed),
                          [order](const Change& a, const Change& b) { return precedes(a, b, order); }),
            most_expensive(std::move(added)), most_expensive(std::move(removed)),
            most_expensive(std::move(renamed))};
}

}  // namespace callcost::engine
