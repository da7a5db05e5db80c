/// "Did you mean ...?": the nearest of the words that would have been right.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace callcost::engine {

/// The candidate that the fewest slips of the finger turn into `word`: letters left out, added, changed or
/// swapped. Capitals do not count, a third of the letters may be wrong. Nothing if no candidate is that near;
/// the first of equally near ones.
[[nodiscard]] std::optional<std::string> nearest(std::string_view word,
                                                 std::span<const std::string_view> candidates);

/// `did you mean 'x'?`, or nothing.
[[nodiscard]] std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace callcost::engine
