#include "series/thinning.hpp"

#include <algorithm>

namespace callcost::program {

std::vector<std::size_t> kept_places(std::span<const std::optional<Cost>> values, std::size_t runs) {
    std::vector<std::size_t> known, kept;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i]) known.push_back(i);
    if (known.size() <= 2 * runs) return known;
    const auto begin_of = [&](std::uint64_t run) {
        return known.begin() + static_cast<std::ptrdiff_t>(run * known.size() / runs);
    };
    for (std::size_t run = 0; run < runs; ++run) {
        const auto first = begin_of(run), last = begin_of(run + 1);
        const auto [lowest, highest] = std::minmax_element(
            first, last, [&](std::size_t a, std::size_t b) { return *values[a] < *values[b]; });
        kept.push_back(std::min(*lowest, *highest));
        if (*lowest != *highest) kept.push_back(std::max(*lowest, *highest));
    }
    return kept;
}

}  // namespace callcost::program
