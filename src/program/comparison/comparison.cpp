#include "comparison/comparison.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "names/short_names.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"
#include <callcost/event_type.hpp>

namespace callcost::program {
namespace {

/// By magnitude, for shares.
double size_of(Cost cost) { return static_cast<double>(cost.magnitude()); }

/// The rows of some that changed, in order.
template <class Row, class ChangeOf>
std::vector<Row> changed_rows(std::size_t count, engine::ChangeOrder order, double min_cost,
                              const ChangeOf& change_of) {
    std::vector<std::pair<Change, Row>> ranked;
    for (std::size_t i = 0; i < count; ++i) {
        const Row row(i);
        const Change change = change_of(row);
        if (change.delta() != 0 && size_of(change.delta()) >= min_cost) ranked.emplace_back(change, row);
    }
    return engine::rows_in_order(std::move(ranked), order);
}

bool has_same_count(const std::pair<CallCount, CallCount>& counts) {
    return counts.first.known == counts.second.known && counts.first.at_least == counts.second.at_least;
}

/// No calls, which could be more or less.
bool is_inlined(const CallGraph& graph, std::span<const ArcId> arcs) {
    return !arcs.empty() &&
           std::all_of(arcs.begin(), arcs.end(), [&](ArcId arc) { return graph.inlined(arc); });
}

/// Whether the inclusive cost of each function changed only due to one callee, at the same call count. Such
/// functions, like `main`, add no information.
std::vector<bool> only_pass_on(const Diff& diff) {
    std::vector<bool> pass(diff.functions().size());
    for (const ArcMatch& arc : diff.arcs()) {
        const FunctionMatch& caller = diff.function(arc.caller);
        if (arc.caller == arc.callee || diff.self(caller).delta() != 0) continue;
        const Change cost = diff.cost(arc);
        if (cost.delta() == 0 || cost.before == 0 || cost.after == 0) continue;
        if (diff.inclusive(caller).delta() == cost.delta() && has_same_count(diff.count(arc)))
            pass[arc.caller.value] = true;
    }
    return pass;
}

/// The texts that a function's lines are asked for. Those that do not fit one function's lines are not
/// believed for any other.
class TextsOfFunction {
  public:
    explicit TextsOfFunction(ComparedTexts* texts) : texts_(texts) {}

    [[nodiscard]] LineMatchOf matches() {
        if (texts_ == nullptr) return {};
        return [this](std::string_view before, std::string_view after) {
            const auto* match = texts_->match(before, after);
            if (match != nullptr) used_.emplace_back(before, after);
            return match;
        };
    }
    /// Whether any was, though it had been there.
    bool reject_unfit(std::span<const LineChange> lines) {
        bool is_any = false;
        for (const auto& used : used_) {
            const bool is_unfit = std::any_of(lines.begin(), lines.end(), [&](const LineChange& line) {
                return line.by == LineChange::By::guess &&
                       (line.file == used.first || line.file == used.second);
            });
            if (is_unfit) texts_->reject(used.first, used.second);
            is_any = is_any || is_unfit;
        }
        return is_any;
    }

  private:
    ComparedTexts* texts_;
    std::vector<std::pair<std::string, std::string>> used_;
};

/// Those of the functions, in their order. Error: needs_detail.
Result<std::vector<std::vector<LineChange>>> changed_lines(const Diff& diff,
                                                           std::span<const MatchId> functions,
                                                           ComparedTexts* texts) {
    std::vector<std::vector<LineChange>> all;
    constexpr int max_rounds = 3;
    bool is_unfit = true;
    for (int round = 0; round < max_rounds && is_unfit; ++round) {
        is_unfit = false;
        all.clear();
        for (const MatchId id : functions) {
            TextsOfFunction known(texts);
            auto lines = line_changes(diff, diff.function(id), known.matches());
            if (!lines) return tl::unexpected(lines.error());
            is_unfit = known.reject_unfit(*lines) || is_unfit;
            all.push_back(*std::move(lines));
        }
    }
    return all;
}

/// Of as many functions as a report lists. None of a function if one of the profiles has no lines of it, and
/// none at all if it has no lines, as those written without lines: all would be new. A text may tell where a
/// line was, but not that it had a cost there.
std::vector<LineFinding> line_findings(const Comparison& comparison, const DiffRows& rows) {
    constexpr std::size_t max_functions = 200;
    std::vector<LineFinding> lines;
    bool has_both = false, has_before = false, has_after = false;
    const auto count = std::min({comparison.self.size(), rows.limit, max_functions});
    const auto changes = changed_lines(comparison.diff, std::span(comparison.self).first(count), rows.texts);
    if (!changes) return {};
    for (std::size_t i = 0; i < count; ++i) {
        const FunctionMatch& function = comparison.diff.function(comparison.self[i]);
        const bool is_in_both = !function.is_added() && !function.is_removed();
        const auto has = [&](std::uint64_t LineChange::*number, Cost Change::*cost) {
            return std::any_of((*changes)[i].begin(), (*changes)[i].end(), [&](const LineChange& line) {
                return line.*number != 0 && line.self.*cost != 0;
            });
        };
        const bool is_known_before = has(&LineChange::before, &Change::before);
        const bool is_known_after = has(&LineChange::after, &Change::after);
        has_both = has_both || is_in_both;
        has_before = has_before || (is_in_both && is_known_before);
        has_after = has_after || (is_in_both && is_known_after);
        if (!comparison.filtered.is_whole(function.id)) continue;
        const Change self = comparison.diff.self(function);
        if ((self.before != 0 && !is_known_before) || (self.after != 0 && !is_known_after)) continue;
        for (const LineChange& line : (*changes)[i])
            if (line.self.delta() != 0 && (line.before != 0 || line.after != 0))
                lines.push_back({function.id, line});
    }
    if (has_both && !(has_before && has_after)) return {};
    std::stable_sort(lines.begin(), lines.end(), [&](const LineFinding& a, const LineFinding& b) {
        return engine::precedes(a.line.self, b.line.self, rows.order);
    });
    return lines;
}

std::vector<EventChange> event_changes(const Diff& diff) {
    std::vector<EventChange> list;
    const auto olds = measures(diff.before().profile());
    for (const Measure& after : measures(diff.after().profile())) {
        if (!after.formula.empty() || !after.additive) continue;
        const auto before = std::find_if(olds.begin(), olds.end(), [&](const Measure& old) {
            return old.name == after.name && old.unit == after.unit;
        });
        if (before == olds.end()) continue;
        const Change total{diff.before().total(*before), diff.after().total(after)};
        if (total != Change{}) list.push_back({after.name, after.unit, total});
    }
    // What was asked for is there, whatever it is.
    const auto& asked = diff.measure_after();
    if (!asked.formula.empty() && asked.additive) list.push_back({asked.name, asked.unit, diff.total()});
    return list;
}

std::string counted_rules(std::size_t count) {
    return fmt::format("{} {}", count, count == 1 ? "rule" : "rules");
}

}  // namespace

bool Comparison::is_broken() const {
    return std::any_of(rules.begin(), rules.end(), [](const RuleResult& rule) {
        return !rule.rule.is_about_improvement && !rule.breaches.empty();
    });
}
bool Comparison::is_improved() const {
    return std::any_of(rules.begin(), rules.end(), [](const RuleResult& rule) {
        return rule.rule.is_about_improvement && !rule.breaches.empty();
    });
}
bool Comparison::is_unchanged() const {
    return !filtered.is_filtered() && self.empty() && inclusive.empty() && arcs.empty() &&
           diff.total().delta() == 0;
}

Comparison compare(const engine::FilteredDifference& filtered, std::vector<RuleResult> rules,
                   const DiffRows& rows) {
    const Diff& diff = filtered.diff();
    Comparison found{.filtered = filtered,
                     .diff = diff,
                     .name = {},
                     .before = {},
                     .after = {},
                     .totals = event_changes(diff),
                     .rules = std::move(rules),
                     .notes = {},
                     .self = {},
                     .inclusive = {},
                     .arcs = {},
                     .added = {},
                     .removed = {},
                     .renamed = {},
                     .inlinings = {diff.inlinings().begin(), diff.inlinings().end()},
                     .lines = {}};
    const double min_cost = rows.threshold * size_of(diff.total().before);
    auto functions = engine::changed_functions(filtered, rows.order, min_cost);
    found.self = std::move(functions.self);
    found.added = std::move(functions.added);
    found.removed = std::move(functions.removed);
    found.renamed = std::move(functions.renamed);
    if (diff.compares_calls())
        found.inclusive = changed_rows<MatchId>(diff.functions().size(), rows.order, min_cost,
                                                [&](auto id) { return filtered.inclusive_change(id); });
    std::erase_if(found.inclusive, [&](MatchId id) { return !filtered.lists(id); });
    const auto pass = only_pass_on(diff);
    found.passing_on = std::erase_if(found.inclusive, [&](MatchId id) { return pass[id.value]; });
    found.arcs = changed_rows<std::size_t>(diff.arcs().size(), rows.order, min_cost,
                                           [&](auto row) { return diff.cost(diff.arcs()[row]); });
    std::erase_if(found.arcs, [&](auto row) {
        const ArcMatch& arc = diff.arcs()[row];
        return !filtered.lists(arc) || has_same_count(diff.count(arc)) ||
               is_inlined(diff.before(), arc.before) || is_inlined(diff.after(), arc.after);
    });
    if (rows.order != engine::ChangeOrder::name)
        std::stable_partition(found.arcs.begin(), found.arcs.end(),
                              [&](auto row) { return !is_recursive(diff, diff.arcs()[row]); });
    if (filtered.is_filtered())
        std::erase_if(found.inlinings, [&](const Inlining& inlining) { return !filtered.lists(inlining); });
    if (rows.with_lines) found.lines = line_findings(found, rows);
    return found;
}

ListedRows listed_rows(const Comparison& comparison) {
    const Diff& diff = comparison.diff;
    const auto& filtered = comparison.filtered;
    double all = 0;
    for (const FunctionMatch& function : diff.functions())
        if (filtered.lists(function.id)) all += size_of(filtered.self_change(function.id).delta());
    constexpr double noise = 0.001;
    const auto listed = [&](auto rows, const auto& size_of_row) {
        auto others = rows;
        std::erase_if(others,
                      [&](const auto& row) { return static_cast<double>(size_of_row(row)) < noise * all; });
        return rows.size() - others.size() > 1 ? others : rows;  // one of them takes no more room
    };
    const auto self = [&](MatchId id) { return filtered.self_change(id).magnitude(); };
    const auto inclusive = [&](MatchId id) { return filtered.inclusive_change(id).magnitude(); };
    return {
        .self = listed(comparison.self, self),
        .inclusive = listed(comparison.inclusive, inclusive),
        .added = listed(comparison.added, inclusive),
        .removed = listed(comparison.removed, inclusive),
        .arcs =
            listed(comparison.arcs, [&](std::size_t row) { return diff.cost(diff.arcs()[row]).magnitude(); }),
        .lines = listed(comparison.lines, [](const LineFinding& row) { return row.line.self.magnitude(); })};
}

std::string below_noise(std::size_t count, std::string_view what) {
    if (count != 1) return fmt::format("{} {} below 0.1% of all changes", count, what);
    return fmt::format("1 {} below 0.1% of all changes", what.substr(0, what.size() - 1));
}

std::string verdict(const Comparison& comparison) {
    const auto broken = static_cast<std::size_t>(std::count_if(
        comparison.rules.begin(), comparison.rules.end(),
        [](const RuleResult& rule) { return !rule.rule.is_about_improvement && !rule.breaches.empty(); }));
    if (broken > 0)
        return fmt::format("regression: {} of {} failed", broken, counted_rules(comparison.rules.size()));
    if (comparison.is_improved()) return "improvement";
    if (!comparison.rules.empty()) return fmt::format("{} passed", counted_rules(comparison.rules.size()));
    const auto delta = comparison.diff.total().delta();
    return delta == 0 ? "no change" : delta > 0 ? "costs more" : "costs less";
}

std::string cause(const engine::FilteredDifference& filtered, MatchId id, const engine::Style& style) {
    if (!filtered.is_whole(id)) return {};
    const Diff& diff = filtered.diff();
    for (const Inlining& inlining : diff.inlinings())
        if (inlining.function == id) return inlining.is_outlined ? "outlined" : "inlined";
    if (const auto* inlining = engine::explaining_inlining(diff, id))
        return fmt::format("{} {}", inlining->is_outlined ? "calls" : "inlines",
                           name_beside(function_name(diff, inlining->function), style));
    const FunctionMatch& function = diff.function(id);
    if (const auto inlined = engine::inlining_change(diff, function); !inlined.empty())
        return std::string(inlined);
    const auto [before, after] = diff.call_count(function);
    const bool has_calls = diff.before().arc_count() > 0 && diff.after().arc_count() > 0;
    if (!has_calls || (before == CallCount{} && after == CallCount{})) return {};
    const auto [calls_before, calls_after] = calls_of(filtered, id, style);
    const bool is_same = calls_before == calls_after;
    auto text = is_same ? calls_after : calls_before + " -> " + calls_after;
    text += is_same && after.known == 1 ? " call" : " calls";
    const Change self = diff.self(function);
    if (function.is_removed()) return text;
    const auto why = reason(self, before, after);
    constexpr double hardly = 0.1;
    const bool is_by_cost = why ? size_of(why->by_cost) > hardly * size_of(why->by_count)
                                : engine::goes_against_calls(self, before, after);
    if (is_by_cost) text += (why ? why->by_cost : self.delta()) > 0 ? ", more expensive" : ", cheaper";
    return text;
}

std::pair<std::string, std::string> calls_of(const engine::FilteredDifference& filtered, MatchId id,
                                             const engine::Style& style) {
    if (!filtered.is_whole(id)) return {};
    const Diff& diff = filtered.diff();
    const FunctionMatch& function = diff.function(id);
    const auto counts = diff.call_count(function);
    const auto entries = diff.entries(function);
    const auto text = [&](const CallCount& count, const std::optional<std::uint64_t>& of) {
        return of && count == CallCount{0, true} ? '~' + engine::count(*of, style)
                                                 : engine::calls(count, style);
    };
    return {text(counts.first, entries.first), text(counts.second, entries.second)};
}

std::string_view estimate_mark(const engine::BoundedChange& change) { return change.is_exact() ? "" : "~"; }

std::string_view estimate_mark(const engine::BoundedChange& change, Cost Change::*side) {
    return change.least.*side == change.most.*side ? "" : "~";
}

std::string_view inlined_mark(const Diff& diff, const FunctionMatch& function) {
    const Change self = diff.self(function), inlined = diff.inlined_self(function);
    const bool is_all = function.is_removed() ? inlined.before == self.before : inlined.after == self.after;
    return is_all && inlined != Change{} ? " (inlined)" : "";
}

std::string relative(const Change& change) {
    if (change.before == 0) return change.after == 0 ? "" : "new";
    if (change.after == 0) return "removed";
    const double share = static_cast<double>(change.delta()) / size_of(change.before);
    return fmt::format("{}{:.2f}%", share > 0 ? "+" : "", 100 * share);
}

std::size_t width_beside(const engine::Style& style) {
    constexpr std::size_t least = 24;
    return style.width > 0 ? std::max(least, style.width / 4) : 0;
}
std::string name_beside(const std::string& name, const engine::Style& style) {
    return engine::short_name(name, width_beside(style), style);
}

std::string line_name(const LineChange& line, bool with_directories) {
    const auto display = [&](std::string_view file) {
        if (!with_directories) file.remove_prefix(file.find_last_of("/\\") + 1);  // npos + 1 is 0
        return engine::display_name(file);
    };
    const auto name = display(line.file);
    if (line.after == 0) return fmt::format("{}:{} (removed)", name, line.before);
    if (line.before == 0) return fmt::format("{}:{} (new)", name, line.after);
    if (const auto before = display(line.file_before); !before.empty() && before != name)
        return fmt::format("{}:{} -> {}:{}", before, line.before, name, line.after);
    if (line.before == line.after) return fmt::format("{}:{}", name, line.after);
    return fmt::format("{}:{} -> {}", name, line.before, line.after);
}

std::string evidence(const FunctionMatch& function) {
    if (function.tier == MatchTier::signature) return "unique name";
    auto text = fmt::format("{:.0f}% similar", 100 * function.likeness);
    const auto add = [&](const Anchors& anchors, std::string_view what) {
        if (anchors.all > 0) text += fmt::format(", {} of {} {}", anchors.common, anchors.all, what);
    };
    add(function.callees, "callees");
    add(function.callers, "callers");
    return text;
}

std::string inlining_text(const Diff& diff, const Inlining& inlining) {
    return engine::to_text(engine::inlining_pieces(diff, inlining), {}, {});
}

}  // namespace callcost::program
