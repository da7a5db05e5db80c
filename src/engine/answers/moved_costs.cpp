#include "answers/moved_costs.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace callcost::engine {
namespace {

/// Parts of a cost in the ratio of the weights; they add up to it.
std::vector<Cost> shared_out(Cost cost, const std::vector<Cost>& weights) {
    double whole = 0, sum = 0;
    for (const auto weight : weights) whole += static_cast<double>(weight.magnitude());
    std::vector<Cost> parts;
    Cost given = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const bool is_last = i + 1 == weights.size();
        sum += whole > 0 ? static_cast<double>(weights[i].magnitude()) / whole
                         : 1.0 / static_cast<double>(weights.size());
        constexpr double max_exact = 9e18;
        const auto rounded = std::clamp(static_cast<double>(cost) * sum, -max_exact, max_exact);
        const Cost up_to = is_last ? cost : Cost(static_cast<std::int64_t>(std::llround(rounded)));
        parts.push_back(up_to - given);
        given = up_to;
    }
    return parts;
}

}  // namespace

MovedCosts::MovedCosts(const Diff& diff, AsItIs /*as_it_is*/) : has_moved_(diff.functions().size()) {
    self_.reserve(diff.functions().size());
    for (const auto& function : diff.functions()) self_.push_back(diff.self(function));
}

MovedCosts MovedCosts::none(const Diff& diff) { return {diff, AsItIs{}}; }

MovedCosts::MovedCosts(const Diff& diff) : MovedCosts(diff, AsItIs{}) {
    if (!diff.measure_after().additive || !diff.measure_before().additive) return;
    move(diff, false);
    move(diff, true);
}

/// One in another in another is moved in as many rounds.
void MovedCosts::move(const Diff& diff, bool is_outlined) {
    constexpr int max_rounds = 8;
    const auto side = is_outlined ? &Change::after : &Change::before;
    bool is_any = true;
    for (int round = 0; is_any && round < max_rounds; ++round) {
        is_any = false;
        for (const auto& inlining : diff.inlinings()) {
            if (inlining.is_outlined != is_outlined || inlining.callers.empty()) continue;
            if (inlining.costs.size() != inlining.callers.size()) continue;
            auto& own = self_[inlining.function.value].*side;
            if (own == Cost(0)) continue;
            const auto parts = shared_out(std::exchange(own, Cost(0)), inlining.costs);
            for (std::size_t i = 0; i < parts.size(); ++i) self_[inlining.callers[i].value].*side += parts[i];
            is_any = true;
        }
    }
    for (const auto& inlining : diff.inlinings())
        if (inlining.is_outlined == is_outlined && self_[inlining.function.value] == Change{})
            has_moved_[inlining.function.value] = true;
}

std::vector<MatchId> changed_by(const Diff& diff, const MovedCosts& costs) {
    std::vector<std::pair<Change, MatchId>> rows;
    for (const auto& function : diff.functions())
        if (costs.self(function.id).delta() != 0) rows.emplace_back(costs.self(function.id), function.id);
    return rows_in_order(std::move(rows), ChangeOrder::change);
}

}  // namespace callcost::engine
