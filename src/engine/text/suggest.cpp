#include "text/suggest.hpp"

#include <algorithm>

#include "text/characters.hpp"

namespace callcost::engine {
namespace {

/// Optimal string alignment distance, without regard to capitals; at least `limit` once it cannot be below
/// that.
std::size_t distance(std::string_view a, std::string_view b, std::size_t limit) {
    if (a.size() < b.size()) std::swap(a, b);
    if (a.size() - b.size() >= limit) return limit;
    std::vector<std::size_t> before_previous(b.size() + 1);
    std::vector<std::size_t> previous(b.size() + 1);
    std::vector<std::size_t> current(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        current[0] = i;
        auto least = current[0];
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const auto same = lower(a[i - 1]) == lower(b[j - 1]);
            current[j] = std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (same ? 0 : 1)});
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1])) {
                current[j] = std::min(current[j], before_previous[j - 2] + 1);
            }
            least = std::min(least, current[j]);
        }
        if (least >= limit) return limit;
        std::swap(before_previous, previous);
        std::swap(previous, current);
    }
    return previous[b.size()];
}

}  // namespace

std::optional<std::string> nearest(std::string_view word, std::span<const std::string_view> candidates) {
    std::optional<std::string> best;
    auto limit = std::max<std::size_t>(1, word.size() / 3) + 1;
    for (const auto candidate : candidates) {
        const auto steps = distance(word, candidate, limit);
        if (steps >= limit) continue;
        best = candidate;
        limit = steps;
        if (limit == 0) break;
    }
    constexpr std::size_t meaningful = 3;  // characters
    if (best || word.size() < meaningful) return best;
    const auto begins = std::find_if(candidates.begin(), candidates.end(),
                                     [&](std::string_view candidate) { return candidate.starts_with(word); });
    if (begins != candidates.end()) best = *begins;
    return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
    const auto found = nearest(word, candidates);
    return found ? "did you mean '" + *found + "'?" : std::string();
}

}  // namespace callcost::engine
