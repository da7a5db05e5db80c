/// What changed between two profiles, in a few sentences of exact figures. docs/summary.md has the rules.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "answers/changed_functions.hpp"
#include "names/short_names.hpp"
#include "text/style.hpp"
#include <callcost/diff.hpp>

namespace callcost::engine {

/// Text; the name of a function, which can be looked at; a change of cost; or a number of calls or functions.
struct DifferencePiece {
    enum class Kind : std::uint8_t { text, function, change, count };
    Kind kind = Kind::text;
    std::string text{};  ///< as it may be shown; empty: a number, which is written as its reader likes it
    MatchId function{};
    Cost change = 0;
    CallCount count{};
};

using DifferenceSentence = std::vector<DifferencePiece>;

/// Empty if no self cost changed. Names of more than 48 columns are shortened, but for those of inlined
/// functions.
[[nodiscard]] std::vector<DifferenceSentence> summarize_difference(const Diff& diff,
                                                                   const ChangedFunctions& changed,
                                                                   const Style& style,
                                                                   const Measuring& measuring = by_columns());

[[nodiscard]] std::string to_text(const DifferenceSentence& sentence, std::string_view unit,
                                  const Style& style);

/// Whether something costs less though it is called more often, or the other way round: whatever the calls
/// cost on each side, the cost of a call is why.
[[nodiscard]] bool goes_against_calls(const Change& cost, const CallCount& before, const CallCount& after);
/// Within recursion, before or after: such costs are counted several times and may be above the total.
[[nodiscard]] bool is_recursive(const Diff& diff, const ArcMatch& arc);
/// As it may be shown; of a renamed function both names.
[[nodiscard]] std::string function_name(const Diff& diff, MatchId id,
                                        const Measuring& measuring = by_columns());
/// `inlined in the new build`, `not inlined in the new build` and the like, where debug information tells
/// that a function is, and more or less of it than before; else empty.
[[nodiscard]] std::string_view inlining_change(const Diff& diff, const FunctionMatch& function);
/// ` (2 before, 3 after)`; empty for what is no group.
[[nodiscard]] std::string number_in_group(const FunctionMatch& function);
/// What was inlined into a function, or outlined from it, if that explains the change of its self cost; else
/// nullptr.
[[nodiscard]] const Inlining* explaining_inlining(const Diff& diff, MatchId caller);
/// `f was inlined into g, h`; `and 2 more` behind the most callers that are named.
[[nodiscard]] DifferenceSentence inlining_pieces(const Diff& diff, const Inlining& inlining,
                                                 const Measuring& measuring = by_columns(),
                                                 std::size_t max_callers = static_cast<std::size_t>(-1));

}  // namespace callcost::engine
