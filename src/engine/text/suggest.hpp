/// "Did you mean ...?": the nearest of the words that would have been right.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace callcost::engine {

/// The candidate with the smallest edit distance to `word` (transpositions included, ignoring case), if at
/// most a third of the letters differ; the first of several.
[[nodiscard]] std::optional<std::string> nearest(std::string_view word,
                                                 std::span<const std::string_view> candidates);

/// `did you mean 'x'?`, or nothing.
[[nodiscard]] std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace callcost::engine
