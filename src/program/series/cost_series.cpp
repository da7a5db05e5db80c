#include "series/cost_series.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace callcost::program {

Change ends(const Series& series) {
    Change change;
    const auto is_known = [](const auto& value) { return value.has_value(); };
    const auto first = std::find_if(series.begin(), series.end(), is_known);
    const auto last = std::find_if(series.rbegin(), series.rend(), is_known);
    if (first != series.end()) change = {**first, **last};
    return change;
}

std::string sparkline(const Series& series, bool unicode) {
    constexpr std::array<const char*, 8> blocks = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    constexpr std::array<const char*, 8> signs = {"_", ".", ":", "-", "=", "+", "*", "#"};
    std::optional<Cost> lowest, highest;
    for (const auto& value : series) {
        if (!value) continue;
        lowest = std::min(lowest.value_or(*value), *value);
        highest = std::max(highest.value_or(*value), *value);
    }
    // More than fits into a Cost, perhaps.
    const auto distance = [&](Cost to) {
        return static_cast<double>(static_cast<std::uint64_t>(to - *lowest));
    };
    std::string line;
    for (const auto& value : series) {
        if (!value) {
            line += ' ';
            continue;
        }
        const double height = highest == lowest ? 0 : distance(*value) / distance(*highest);
        const auto step = static_cast<std::size_t>(std::lround(height * 7));
        line += unicode ? blocks.at(step) : signs.at(step);
    }
    return line;
}

}  // namespace callcost::program
