#include <algorithm>
#include <cstddef>
#include <type_traits>

#include <fmt/format.h>

#include "comparison/breach_place.hpp"
#include "comparison/reports.hpp"
#include "comparison/setting.hpp"
#include "names/short_names.hpp"
#include "text/escaping.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"

namespace callcost::program {
namespace {

constexpr std::size_t longest_name = 160;

class DiffMarkdown {
  public:
    DiffMarkdown(std::string& out, const Comparison& comparison, std::size_t limit, std::size_t max_bytes)
        : out_(out),
          comparison_(comparison),
          rows_(listed_rows(comparison)),
          diff_(comparison.diff),
          limit_(limit),
          end_(out.size() + max_bytes),
          unit_(common_unit(diff_)) {
        style_.separators = true;
        style_.units = true;
    }

    void write() {
        out_ += fmt::format("<!-- callcost-report:{} -->\n", marker_name());
        write_verdict();
        write_rules();
        write_notes();
        write_totals();
        write_functions();
        write_lines();
        write_arcs();
        write_list("New", comparison_.added, rows_.added);
        write_list("Removed", comparison_.removed, rows_.removed);
        write_renamed();
        write_inlinings();
        if (has_left_out_) out_ += "\n_Truncated._\n";
    }

  private:
    /// `--` would end the comment.
    [[nodiscard]] std::string marker_name() const {
        auto name = engine::display_name(comparison_.name);
        for (char& c : name)
            if (c == '<' || c == '>' || c == '-') c = '_';
        return name;
    }
    [[nodiscard]] std::string code(std::string_view text) const {
        return engine::markdown_code(engine::shorten(text, longest_name, style_));
    }
    /// Of a table.
    [[nodiscard]] std::string cell(std::string_view text) const {
        return engine::markdown_table_code(engine::shorten(text, longest_name, style_));
    }
    [[nodiscard]] std::string name_cell(std::string_view name) const {
        return engine::markdown_table_code(
            engine::short_name(engine::display_name(name), longest_name, style_));
    }
    [[nodiscard]] std::string function(MatchId id) const {
        const FunctionMatch& match = diff_.function(id);
        if (!match.is_renamed())
            return fmt::format("{}{}{}", name_cell(diff_.name(match)), number_in_group(match),
                               inlined_mark(diff_, match));
        return name_cell(diff_.before().name(match.before[0])) + " → " + name_cell(diff_.name(match));
    }
    /// It may have a name in it.
    [[nodiscard]] std::string why(MatchId id) const {
        const auto text = cause(comparison_.filtered, id, style_);
        const bool is_plain = std::all_of(text.begin(), text.end(), [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
                   std::string_view(" ,->+?").find(c) != std::string_view::npos;
        });
        return is_plain && !text.starts_with("inlines ") && !text.starts_with("calls ") ? text : cell(text);
    }
    [[nodiscard]] std::string difference(const Change& change) const { return difference(change, unit_); }
    [[nodiscard]] std::string difference(const Change& change, std::string_view unit) const {
        const auto text = engine::difference(change.delta(), unit, style_);
        const auto share = relative(change);
        return share.empty() ? text : fmt::format("{} ({})", text, share);
    }
    [[nodiscard]] std::string cost(Cost value) const { return engine::cost(value, unit_, style_); }
    [[nodiscard]] static std::string calls(const std::pair<std::string, std::string>& counts) {
        return counts.first == counts.second ? counts.second : counts.first + " → " + counts.second;
    }
    [[nodiscard]] std::string calls(const ArcMatch& arc) const {
        const auto [before, after] = diff_.count(arc);
        return calls({engine::calls(before, style_), engine::calls(after, style_)});
    }

    /// Room is left for what closes a table.
    bool add(const std::string& text) {
        constexpr std::size_t reserve = 200;
        if (out_.size() + text.size() + reserve > end_) {
            has_left_out_ = true;
            return false;
        }
        out_ += text;
        return true;
    }
    /// `noise`: what is listed in one line (ListedRows), if anything.
    template <class RowOf>
    void table(std::string_view title, std::string_view header, std::size_t count, const RowOf& row_of,
               const std::string& noise = {}) {
        if (count == 0 && noise.empty()) return;
        const auto columns = static_cast<std::size_t>(std::count(header.begin(), header.end(), '|')) - 1;
        std::string rule = "|";
        for (std::size_t i = 0; i < columns; ++i) rule += i + 1 < columns ? "--:|" : "---|";
        if (!add(fmt::format("\n<details><summary>{}</summary>\n\n{}\n{}\n", title, header, rule))) return;
        const auto shown = std::min(count, limit_);
        for (std::size_t i = 0; i < shown; ++i)
            if (!add(row_of(i))) break;
        if (shown < count) out_ += fmt::format("\n{} more\n", count - shown);
        if (!noise.empty()) out_ += "\n" + noise + "\n";
        out_ += "\n</details>\n";
    }

    void write_verdict() {
        const Change total = diff_.total();
        const auto* const sign = comparison_.is_broken() ? "❌ " : !comparison_.rules.empty() ? "✅ " : "";
        out_ += fmt::format("### {}{}: {}{}\n", sign, code(engine::display_name(comparison_.name)),
                            verdict(comparison_), total.delta() == 0 ? "" : " " + relative(total));
        out_ += fmt::format("\n{} {}: {} → {}, {}\n", code(diff_.measure_after().name),
                            total.delta() == 0 ? "unchanged" : "changed", cost(total.before),
                            cost(total.after), difference(total));
        if (!comparison_.before.files.empty() && !comparison_.after.files.empty())
            out_ += fmt::format("\n{} → {}\n", files(comparison_.before), files(comparison_.after));
    }
    [[nodiscard]] std::string files(const SideFacts& side) const {
        auto text = code(engine::display_name(side.files[0]));
        if (side.files.size() > 1) text += fmt::format(" and {} more", side.files.size() - 1);
        return text;
    }

    void write_rules() {
        if (comparison_.rules.empty()) return;
        out_ += "\n";
        for (const RuleResult& result : comparison_.rules) {
            const bool is_broken = !result.breaches.empty();
            const auto* const word = !is_broken                         ? "passed"
                                     : result.rule.is_about_improvement ? "**better**"
                                                                        : "**failed**";
            if (!add(fmt::format("- {}: {}\n", word, code(result.rule.text)))) return;
            const auto shown = std::min(result.breaches.size(), limit_);
            for (std::size_t i = 0; i < shown; ++i) add_breach(result.breaches[i], {});
            if (shown < result.breaches.size())
                add(fmt::format("  - and {} more\n", result.breaches.size() - shown));
            for (const AcceptedBreach& acknowledged : result.acknowledged)
                add_breach(acknowledged.breach, fmt::format(", accepted until {}: {}", acknowledged.until,
                                                            code(engine::display_name(acknowledged.reason))));
        }
    }
    void write_notes() {
        if (!comparison_.notes.empty() && comparison_.rules.empty()) out_ += "\n";
        for (const auto& text : comparison_.notes) add(fmt::format("- {}\n", code(text)));
    }
    void add_breach(const RuleBreach& breach, const std::string& note) {
        std::string place;
        if (!breach.function && breach.changed_most)
            place = ", most in " + code(function_name(diff_, *breach.changed_most));
        if (const auto line = breach_line(comparison_, breach))
            place += fmt::format(" ({})",
                                 code(fmt::format("{}:{}", engine::display_name(line->file), line->line)));
        add(fmt::format("  - {}{}: {} → {}, {}{}{}\n",
                        breach.function ? code(function_name(diff_, *breach.function)) + " " : "",
                        code(breach.what), engine::cost(breach.change.before, style_),
                        engine::cost(breach.change.after, style_), difference(breach.change, {}), place,
                        note));
    }

    void write_totals() {
        if (comparison_.totals.size() < 2) return;
        table("All event types", "| change | before | after | event type |", comparison_.totals.size(),
              [&](std::size_t i) {
                  const EventChange& event = comparison_.totals[i];
                  return fmt::format("| {} | {} | {} | {} |\n", difference(event.total, event.unit),
                                     engine::cost(event.total.before, event.unit, style_),
                                     engine::cost(event.total.after, event.unit, style_), cell(event.event));
              });
    }
    /// `12 functions below 0.1% of all changes`, and their sum where it is one.
    template <class Row, class DeltaOf = std::nullptr_t>
    [[nodiscard]] std::string noise_of(const std::vector<Row>& all, const std::vector<Row>& listed,
                                       std::string_view what, const DeltaOf& delta_of = nullptr) const {
        if (all.size() == listed.size()) return {};
        auto text = below_noise(all.size() - listed.size(), what);
        if constexpr (!std::is_null_pointer_v<DeltaOf>) {
            Cost sum = 0;
            for (const Row& row : all) sum += delta_of(row);
            for (const Row& row : listed) sum -= delta_of(row);
            text += ": " + engine::difference(sum, unit_, style_);
        }
        return text;
    }
    void write_functions() {
        table(
            "Functions, by self cost", "| change | before | after | why | function |", rows_.self.size(),
            [&](std::size_t i) {
                const auto kept = comparison_.filtered.self(rows_.self[i]);
                const Change change = kept.estimate;
                return fmt::format("| {}{} | {}{} | {}{} | {} | {} |\n", estimate_mark(kept),
                                   difference(change), estimate_mark(kept, &Change::before),
                                   cost(change.before), estimate_mark(kept, &Change::after),
                                   cost(change.after), why(rows_.self[i]), function(rows_.self[i]));
            },
            noise_of(comparison_.self, rows_.self, "functions",
                     [&](MatchId id) { return comparison_.filtered.self_change(id).delta(); }));
        table(
            "Functions, by inclusive cost", "| change | by count | by cost | calls | function |",
            rows_.inclusive.size(),
            [&](std::size_t i) {
                const auto id = rows_.inclusive[i];
                const auto& filtered = comparison_.filtered;
                return explained(estimate_mark(filtered.inclusive(id)), filtered.inclusive_change(id),
                                 filtered.is_whole(id) ? std::optional(diff_.call_count(diff_.function(id)))
                                                       : std::nullopt,
                                 calls(calls_of(filtered, id, style_)), function(id));
            },
            noise_of(comparison_.inclusive, rows_.inclusive, "functions"));
    }
    [[nodiscard]] std::string explained(std::string_view mark, const Change& change,
                                        const std::optional<std::pair<CallCount, CallCount>>& counts,
                                        const std::string& calls_text, const std::string& what) const {
        const auto why = !counts || change.before == 0 || change.after == 0
                             ? std::nullopt
                             : reason(change, counts->first, counts->second);
        return fmt::format("| {}{} | {} | {} | {} | {} |\n", mark, difference(change),
                           why ? engine::difference(why->by_count, unit_, style_) : "",
                           why ? engine::difference(why->by_cost, unit_, style_) : "", calls_text, what);
    }
    void write_lines() {
        table(
            "Source lines", "| change | before | after | function | line |", rows_.lines.size(),
            [&](std::size_t i) {
                const auto& [id, line] = rows_.lines[i];
                return fmt::format(
                    "| {} | {} | {} | {} | {}{} |\n", engine::difference(line.self.delta(), unit_, style_),
                    cost(line.self.before), cost(line.self.after), function(id), cell(line_name(line, true)),
                    line.by == LineChange::By::guess ? " guessed" : "");
            },
            noise_of(comparison_.lines, rows_.lines, "lines",
                     [](const LineFinding& row) { return row.line.self.delta(); }));
    }
    void write_arcs() {
        table(
            "Call counts", "| change | by count | by cost | calls | caller → callee |", rows_.arcs.size(),
            [&](std::size_t i) {
                const ArcMatch& arc = diff_.arcs()[rows_.arcs[i]];
                return explained({}, diff_.cost(arc), diff_.count(arc), calls(arc),
                                 function(arc.caller) + " → " + function(arc.callee) +
                                     (is_recursive(diff_, arc) ? " (recursive)" : ""));
            },
            noise_of(comparison_.arcs, rows_.arcs, "calls"));
    }
    void write_list(std::string_view title, const std::vector<MatchId>& all,
                    const std::vector<MatchId>& ids) {
        table(
            title, "| self | inclusive | function |", ids.size(),
            [&](std::size_t i) {
                const FunctionMatch& match = diff_.function(ids[i]);
                const Change self = comparison_.filtered.self_change(ids[i]),
                             inclusive = comparison_.filtered.inclusive_change(ids[i]);
                const bool is_gone = match.is_removed();
                return fmt::format("| {} | {} | {} |\n", cost(is_gone ? self.before : self.after),
                                   cost(is_gone ? inclusive.before : inclusive.after), function(ids[i]));
            },
            noise_of(all, ids, "functions"));
    }
    void write_renamed() {
        table("Renamed?", "| inclusive before | after | why | function |", comparison_.renamed.size(),
              [&](std::size_t i) {
                  const FunctionMatch& match = diff_.function(comparison_.renamed[i]);
                  const Change inclusive = comparison_.filtered.inclusive_change(match.id);
                  return fmt::format("| {} | {} | {} | {} |\n", cost(inclusive.before), cost(inclusive.after),
                                     evidence(match), function(comparison_.renamed[i]));
              });
    }
    void write_inlinings() {
        table("Inlined?", "| together before | after | what |", comparison_.inlinings.size(),
              [&](std::size_t i) {
                  const Inlining& inlining = comparison_.inlinings[i];
                  return fmt::format("| {} | {} | {} |\n", cost(inlining.together.before),
                                     cost(inlining.together.after), cell(inlining_text(diff_, inlining)));
              });
    }

    std::string& out_;
    const Comparison& comparison_;
    ListedRows rows_;
    const Diff& diff_;
    std::size_t limit_;
    std::size_t end_;
    std::string_view unit_;  // of costs; those of rules are numbers
    engine::Style style_;
    bool has_left_out_ = false;
};

}  // namespace

void write_markdown(std::string& out, const Comparison& comparison, std::size_t limit,
                    std::size_t max_bytes) {
    DiffMarkdown(out, comparison, limit, max_bytes).write();
}

}  // namespace callcost::program
