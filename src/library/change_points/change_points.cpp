#include "callcost/change_points.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <utility>

#include "change_points/rank_test.hpp"

namespace callcost {
namespace {

/// The relative difference that a third of the neighbors do not exceed: noise, not steps between levels.
double neighbor_noise(Values values) {
    std::vector<double> differences;
    for (std::size_t i = 1; i < values.size(); ++i)
        differences.push_back(relative_difference(values[i - 1], values[i]));
    const auto third = differences.begin() + static_cast<std::ptrdiff_t>(differences.size() / 3);
    std::nth_element(differences.begin(), third, differences.end());
    return *third;
}

Positions steps(Values values, double least) {
    Positions found;
    for (std::size_t i = 1; i < values.size(); ++i)
        if (relative_difference(values[i - 1], values[i]) > least) found.insert(i);
    return found;
}

/// Whether most steps lead back to an earlier level, as in noise that switches between a few modes.
bool alternates(Values values, const Positions& steps, double least) {
    std::set<std::int64_t> levels;
    std::size_t returns = 0;
    for (const auto at : steps) {
        levels.insert(values[at - 1]);
        const auto above = levels.lower_bound(values[at]);
        const auto is_near = [&](auto level) { return relative_difference(*level, values[at]) <= least; };
        if ((above != levels.end() && is_near(above)) ||
            (above != levels.begin() && is_near(std::prev(above))))
            ++returns;
        levels.insert(values[at]);
    }
    return steps.size() > 4 && 3 * returns > 2 * steps.size();
}

/// Of the values from their level, relative to it.
double mean_deviation(Values values, std::int64_t level) {
    if (level == 0) return 0;
    double sum = 0;
    for (const auto value : values)
        sum += std::abs(static_cast<double>(value) / static_cast<double>(level) - 1);
    return sum / static_cast<double>(values.size());
}

struct Segmentation {
    Positions levels;
    bool exact;
};

Segmentation segment(Values values, const ChangePointOptions& options) {
    const double threshold = options.threshold > 0 ? options.threshold : 0;  // NaN is not
    // Few values do not show their noise; the rank test needs 12.
    const double noise = values.size() < (options.exact ? 12 : 5) ? 0 : neighbor_noise(values);
    const double least = std::max(threshold, 12 * noise);  // 5 standard deviations of a normal difference
    auto levels = noise <= threshold ? steps(values, least) : Positions();
    const bool modes = alternates(values, levels, least);
    if (modes) levels.clear();
    if (!modes && least == threshold) return {std::move(levels), true};
    const Positions bounds = levels;
    for (std::size_t from = 0; from < values.size();) {
        const auto next = bounds.upper_bound(from);
        const auto to = next == bounds.end() ? values.size() : *next;
        for (const auto at : level_changes(values.subspan(from, to - from), values.size(), threshold))
            levels.insert(from + at);
        from = to;
    }
    return {std::move(levels), false};
}

}  // namespace

bool counts_exactly(std::string_view event) {
    constexpr std::array<std::string_view, 5> exact = {"Ir", "Dr", "Dw", "Bc", "Bi"};
    return std::find(exact.begin(), exact.end(), event) != exact.end();
}

ChangePoints change_points(std::span<const std::optional<Cost>> values, const ChangePointOptions& options) {
    std::vector<std::int64_t> known;
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!values[i]) continue;
        known.push_back(*values[i]);
        indices.push_back(i);
    }
    ChangePoints result;
    if (known.empty()) return result;
    auto [levels, exact] = segment(known, options);
    result.exact = exact;
    levels.insert(known.size());
    std::int64_t before = 0;
    std::size_t from = 0, count_before = 0;
    for (const auto to : levels) {
        const auto values_here = Values(known).subspan(from, to - from);
        const auto level = median(values_here);
        if (from > 0)
            result.points.push_back({indices[from],
                                     exact ? Change{known[from - 1], known[from]} : Change{before, level},
                                     count_before, to - from});
        result.noise += mean_deviation(values_here, level) * static_cast<double>(to - from) /
                        static_cast<double>(known.size());
        before = level;
        count_before = to - from;
        from = to;
    }
    return result;
}

}  // namespace callcost
