/// A comparison prepared for reports: rows in order, with the causes of their changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "answers/changed_functions.hpp"
#include "comparison/compared_texts.hpp"
#include "comparison/gate.hpp"
#include "options/comparison_options.hpp"
#include "query/filtered_difference.hpp"
#include "summary/difference_summary.hpp"
#include "text/style.hpp"
#include <callcost/diff.hpp>
#include <callcost/tree.hpp>

namespace callcost::program {

/// What of a comparison is listed.
struct DiffRows {
    std::size_t limit = 10;  ///< rows of each list of a report for people
    double threshold = 0;    ///< omit changes below this share (0..1) of the total before
    engine::ChangeOrder order = engine::ChangeOrder::change;  ///< rows that are equal by it are by name
    bool with_lines = true;          ///< look for source lines, if both profiles have any
    ComparedTexts* texts = nullptr;  ///< match source lines by these; nullptr: guess
};

/// Where one side is from.
struct SideFacts {
    std::vector<std::string> files;
    std::string creator, command;  ///< empty: not known
    StacksOfSources stacks;        ///< recorded ones, if DiffFormat::folded is wanted
};

struct EventChange {
    std::string event;
    std::string unit;  ///< empty: a plain count
    Change total;
};

struct LineFinding {
    MatchId function;
    LineChange line;
};

/// What a comparison found; arcs are rows of Diff::arcs(). All lists are whole, but for lines.
struct Comparison {
    const engine::FilteredDifference& filtered;
    const Diff& diff;
    std::string name;  ///< what reports call it
    SideFacts before, after;
    std::vector<EventChange> totals;  ///< of all event types that both record and that are additive
    std::vector<RuleResult> rules;
    std::vector<std::string> notes;  ///< see Judgement

    std::vector<MatchId> self;       ///< functions whose self cost changed
    std::vector<MatchId> inclusive;  ///< functions whose inclusive cost changed, not counting those below
    std::size_t passing_on = 0;      ///< functions whose inclusive cost changed due to one callee only
    std::vector<std::size_t> arcs;   ///< arcs whose number of calls changed; recursive ones last
    std::vector<MatchId> added, removed, renamed;  ///< functions, the most expensive first
    std::vector<Inlining> inlinings;
    std::vector<LineFinding> lines;  ///< of the functions that changed most
    std::vector<std::pair<std::string, std::vector<std::string>>> filter{};  ///< by option, what is listed

    [[nodiscard]] bool is_broken() const;    ///< a rule failed that is not about an improvement
    [[nodiscard]] bool is_improved() const;  ///< a rule about an improvement is met
    [[nodiscard]] bool is_unchanged() const;
};

/// `filtered` must outlive it.
[[nodiscard]] Comparison compare(const engine::FilteredDifference& filtered, std::vector<RuleResult> rules,
                                 const DiffRows& rows);

/// What of the lists a report for people shows row by row: without what changed by less than 0.1% of all
/// changes of self cost together, unless that is one row.
struct ListedRows {
    std::vector<MatchId> self, inclusive, added, removed;
    std::vector<std::size_t> arcs;
    std::vector<LineFinding> lines;
};
[[nodiscard]] ListedRows listed_rows(const Comparison& comparison);
/// `12 functions below 0.1% of all changes`
[[nodiscard]] std::string below_noise(std::size_t count, std::string_view what);

/// `regression: 1 of 2 rules failed`, `improvement`, `2 rules passed`, `costs more`, `costs less`, `no
/// change`.
[[nodiscard]] std::string verdict(const Comparison& comparison);
/// Why the self cost of a function changed: `12 calls, more expensive`, `3 -> 5 calls`, `inlined in the new
/// build`, `inlines f`; empty if it cannot be told, as where filters keep a part of the function.
[[nodiscard]] std::string cause(const engine::FilteredDifference& filtered, MatchId id,
                                const engine::Style& style);
/// `+7.16%`; `new`, `removed` where there is nothing to compare with.
[[nodiscard]] std::string relative(const Change& change);
using engine::function_name;
using engine::is_recursive;
using engine::number_in_group;
/// How often a function is called, before and after; `~12` where all of it is inlined: as often as it was
/// entered. Both empty where filters keep a part of the function.
[[nodiscard]] std::pair<std::string, std::string> calls_of(const engine::FilteredDifference& filtered,
                                                           MatchId id, const engine::Style& style);
/// `~` if one of the two costs is estimated.
[[nodiscard]] std::string_view estimate_mark(const engine::BoundedChange& change);
/// The same of the cost before or after.
[[nodiscard]] std::string_view estimate_mark(const engine::BoundedChange& change, Cost Change::*side);
/// ` (inlined)` if all of its code is inlined; empty for others.
[[nodiscard]] std::string_view inlined_mark(const Diff& diff, const FunctionMatch& function);
/// How many columns a name beside other cells may have (0: any number): a name in the last column of a table
/// is shortened anyway.
[[nodiscard]] std::size_t width_beside(const engine::Style& style);
[[nodiscard]] std::string name_beside(const std::string& name, const engine::Style& style);
/// `program.cpp:12`, `program.cpp:12 -> 14`; with the directories if they are wanted.
[[nodiscard]] std::string line_name(const LineChange& line, bool with_directories);
/// Evidence for a rename: `92% similar: 5 of 6 callees, 1 of 1 callers`.
[[nodiscard]] std::string evidence(const FunctionMatch& function);
/// `f was inlined into g, h`.
[[nodiscard]] std::string inlining_text(const Diff& diff, const Inlining& inlining);

}  // namespace callcost::program
