/// Where a breach is: which function, and where its source is now.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "comparison/comparison.hpp"

namespace callcost::program {

struct SourcePlace {
    std::string_view file;   ///< of the new profile, as recorded
    std::uint64_t line = 0;  ///< 0: not known
};

/// The function of a breach or, of the whole profile, the one that changed most.
[[nodiscard]] std::optional<MatchId> blamed_function(const RuleBreach& breach);

/// The line of that function that changed most or, where changes of lines are not known, the one with the
/// highest cost in the new profile. Only of files that are `usable`.
[[nodiscard]] std::optional<SourcePlace> breach_line(
    const Comparison& comparison, const RuleBreach& breach,
    const std::function<bool(std::string_view file)>& usable = [](std::string_view) { return true; });

/// `, most in f` of a breach of the whole profile, if it is known.
[[nodiscard]] std::string blame_text(const Comparison& comparison, const RuleBreach& breach);
/// That, and ` (program.cpp:8)` if it is known.
[[nodiscard]] std::string place_text(const Comparison& comparison, const RuleBreach& breach);

}  // namespace callcost::program
