#include "import_model/graph_estimates.hpp"

#include <algorithm>
#include <cmath>

#include "import_model/graph_shares.hpp"

namespace callcost::engine {

bool GraphEstimates::is_estimated(std::uint32_t call) const {
    return graph_.calls_[call].inclusive == GraphCall::unknown;
}

template <class Take>
void GraphEstimates::for_each_outer(std::span<const std::uint32_t> calls, const Take& take) const {
    for (const std::uint32_t call : calls)
        if (!components_.are_one(call)) take(call);
}

void GraphEstimates::fill(std::span<Cost> costs) const {
    std::vector<double> estimates(costs.size(), 0);
    for (std::uint32_t call = 0; call < costs.size(); ++call) {
        if (!is_estimated(call)) continue;
        const GraphCosts& callee = graph_.functions_[links_.callee(call)].costs;
        estimates[call] =
            static_cast<double>(callee.inclusive) *
            ratio(graph_.calls_[call].calls, components_.are_one(call) ? callee.calls : callee.first_calls);
    }
    constexpr std::size_t most_rounds = 1000, most_steps = 100'000'000;
    const std::size_t rounds =
        std::clamp(most_steps / (costs.size() + inclusive_.size()), std::size_t{1}, most_rounds);
    constexpr std::size_t patience = 10;  // rounds in which the change does not fall
    double least = max_magnitude;
    for (std::size_t round = 0, fell = 0; round < rounds && round < fell + patience; ++round) {
        for (std::size_t c = 0; c < components_.size(); ++c) fit_callers(components_.members(c), estimates);
        double change = 0;
        for (std::uint32_t f = 0; f < inclusive_.size(); ++f)
            change = std::max(change, fit_callees(f, estimates));
        if (change < 0.5) break;
        if (change < 0.99 * least) fell = round;
        least = std::min(least, change);
    }
    for (std::uint32_t call = 0; call < costs.size(); ++call)
        if (is_estimated(call)) costs[call] = rounded(estimates[call]);
}

/// Callers pay what a function, or a cycle as a whole, costs; if some calls are from nowhere, at most.
void GraphEstimates::fit_callers(std::span<const std::uint32_t> members,
                                 std::vector<double>& estimates) const {
    double sum = 0, wanted = 0;
    bool has_all = true;
    const auto add = [&](std::uint32_t call, double sign) {
        if (is_estimated(call) && sign > 0)
            sum += estimates[call];
        else
            wanted -= sign * (is_estimated(call) ? estimates[call]
                                                 : static_cast<double>(graph_.calls_[call].inclusive));
    };
    for (const std::uint32_t f : members) {
        has_all = has_all && graph_.functions_[f].recorded_calls >= graph_.functions_[f].costs.calls;
        for_each_outer(links_.in(f), [&](std::uint32_t call) { add(call, 1); });
        if (members.size() != 1) for_each_outer(links_.out(f), [&](std::uint32_t call) { add(call, -1); });
        wanted += static_cast<double>(members.size() == 1 ? inclusive_[f] : graph_.functions_[f].costs.self);
    }
    if (sum <= 0 || (!has_all && sum <= wanted)) return;
    for (const std::uint32_t f : members)
        for_each_outer(links_.in(f), [&](std::uint32_t call) {
            if (is_estimated(call)) estimates[call] *= std::max(wanted, 0.0) / sum;
        });
}

/// With its self cost they make its inclusive cost. The change.
double GraphEstimates::fit_callees(std::uint32_t f, std::vector<double>& estimates) const {
    double sum = 0, known = 0;
    for_each_outer(links_.out(f), [&](std::uint32_t call) {
        (is_estimated(call) ? sum : known) +=
            is_estimated(call) ? estimates[call] : static_cast<double>(graph_.calls_[call].inclusive);
    });
    const double wanted = static_cast<double>(inclusive_[f] - graph_.functions_[f].costs.self) - known;
    if (sum <= 0 || (components_.of_size(f) != 1 && sum <= wanted)) return 0;
    for_each_outer(links_.out(f), [&](std::uint32_t call) {
        if (is_estimated(call)) estimates[call] *= std::max(wanted, 0.0) / sum;
    });
    return std::abs(sum - wanted);
}

}  // namespace callcost::engine
