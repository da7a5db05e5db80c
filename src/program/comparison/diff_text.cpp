#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "comparison/breach_place.hpp"
#include "comparison/reports.hpp"
#include "comparison/setting.hpp"
#include "names/short_names.hpp"
#include "terminal/text_table.hpp"
#include "text/characters.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"

namespace callcost::program {
namespace {

using engine::Style;
using engine::Tone;

Tone tone_of(Cost delta) { return delta > 0 ? Tone::hot : delta < 0 ? Tone::good : Tone::plain; }

// --- the report -------------------------------------------------------------------------------------------

class DiffText {
  public:
    DiffText(std::string& out, const Comparison& comparison, std::size_t limit, const Style& style)
        : out_(out),
          comparison_(comparison),
          rows_(listed_rows(comparison)),
          filtered_(comparison.filtered),
          diff_(comparison.diff),
          limit_(limit),
          style_(style),
          unit_(common_unit(diff_)) {}

    void write(VerdictAt verdict) {
        if (verdict == VerdictAt::end) {
            write_changes();
            out_ += '\n';
            return write_head();
        }
        write_head();
        const auto head_size = out_.size();
        write_changes();
        if (!comparison_.rules.empty() && out_.size() > head_size) write_verdict_again();
    }

  private:
    void write_head() {
        write_verdict();
        write_side("before", comparison_.before);
        write_side("after", comparison_.after);
        for (const RuleResult& rule : comparison_.rules) write_rule(rule);
        for (const auto& text : comparison_.notes) write_note(engine::display_name(text));
    }
    /// On as many lines as it needs; a word that is longer than a line, as a pattern may be, is shortened.
    void write_note(std::string_view text) {
        std::string words;
        while (!text.empty()) {
            const auto word = text.substr(0, text.find(' '));
            text.remove_prefix(std::min(word.size() + 1, text.size()));
            words += (words.empty() ? "" : " ") + rest_of_line(10, std::string(word));
        }
        out_ += fmt::format("  note    {}\n", engine::wrapped(words, 10, style_));
    }
    void write_changes() {
        write_summary();
        if (has_totals_to_show()) write_totals();
        if (comparison_.is_unchanged()) {
            if (comparison_.renamed.empty()) return;
        } else {
            write_self();
            write_lines();
            write_inclusive();
            write_arcs();
        }
        write_list("New", comparison_.added, rows_.added);
        write_list("Removed", comparison_.removed, rows_.removed);
        write_renamed();
        write_inlinings();
    }
    /// At the end, where whoever looks at a terminal or a log is.
    void write_verdict_again() {
        out_ += '\n';
        write_verdict();
        for (const RuleResult& rule : comparison_.rules)
            if (!rule.breaches.empty()) write_rule_line(rule);
    }
    void write_summary() {  // of all functions
        if (filtered_.is_filtered()) return;
        const auto sentences = engine::summarize_difference(
            diff_, {comparison_.self, comparison_.added, comparison_.removed, comparison_.renamed}, style_);
        if (!sentences.empty()) out_ += '\n';
        for (const auto& sentence : sentences)
            out_ += wrapped(engine::to_text(sentence, unit_, style_), 0, style_, 0) + '\n';
    }
    void heading(std::string_view text) { out_ += '\n' + engine::paint(text, Tone::heading, style_) + '\n'; }
    [[nodiscard]] std::string from_to(const Change& change, std::string_view unit) const {
        return fmt::format("{} -> {}", engine::cost(change.before, unit, style_),
                           engine::cost(change.after, unit, style_));
    }
    /// `+12 (+3.40%)`
    [[nodiscard]] std::string by_how_much(const Change& change, std::string_view unit) const {
        return fmt::format("{} ({})", engine::difference(change.delta(), unit, style_), relative(change));
    }

    void write_verdict() {
        const Change total = diff_.total();
        const auto event = beside(engine::display_name(diff_.measure_after().name));
        const auto words = verdict(comparison_);
        const auto tone = comparison_.is_broken() ? Tone::error
                          : total.delta() < 0     ? Tone::good
                                                  : Tone::strong;
        out_ += engine::paint(words, tone, style_) + ": ";
        if (total.delta() == 0) {
            out_ += fmt::format("{} {}{}\n", engine::cost(total.after, unit_, style_), event,
                                comparison_.self.empty() ? "" : ", distributed differently");
        } else {
            out_ += fmt::format("{} {}, {}\n", from_to(total, unit_), event, by_how_much(total, unit_));
        }
    }

    void write_side(std::string_view word, const SideFacts& side) {
        if (side.files.empty()) return;
        const auto more =
            side.files.size() > 1 ? fmt::format(" and {} more", side.files.size() - 1) : std::string();
        out_ += fmt::format("  {:<6}  {}{}\n", word,
                            rest_of_line(10 + more.size(), engine::display_name(side.files[0])), more);
    }
    void write_rule_line(const RuleResult& rule) {
        const auto text = rest_of_line(10, engine::display_name(rule.rule.text));
        const bool is_broken = !rule.breaches.empty();
        const auto* const word = !is_broken ? "passed" : rule.rule.is_about_improvement ? "better" : "FAILED";
        const auto tone = !is_broken ? Tone::dim : rule.rule.is_about_improvement ? Tone::good : Tone::error;
        out_ += fmt::format("  {}  {}\n", engine::paint(fmt::format("{:<6}", word), tone, style_), text);
    }
    void write_rule(const RuleResult& rule) {
        write_rule_line(rule);
        write_breaches(rule.breaches, {});
        for (const AcceptedBreach& acknowledged : rule.acknowledged)
            write_breach(acknowledged.breach, fmt::format("accepted until {}: {}", acknowledged.until,
                                                          engine::display_name(acknowledged.reason)));
    }
    void write_breaches(const std::vector<RuleBreach>& breaches, const std::string& note) {
        const auto shown = std::min(breaches.size(), limit_);
        for (std::size_t i = 0; i < shown; ++i) write_breach(breaches[i], note);
        if (shown < breaches.size()) out_ += fmt::format("          and {} more\n", breaches.size() - shown);
    }
    void write_breach(const RuleBreach& breach, const std::string& note) {
        const auto change = fmt::format("          {} {}, {}", beside(engine::display_name(breach.what)),
                                        from_to(breach.change, {}), by_how_much(breach.change, {}));
        const auto function = breach.function ? "  " + function_name(diff_, *breach.function) : std::string();
        const auto about = function + place_text(comparison_, breach);
        const auto behind = note.empty() ? std::string() : "  (" + note + ")";
        const bool fits =
            style_.width == 0 || change.size() + engine::display_width(about + behind) <= style_.width;
        out_ += change + rest_of_line(change.size(), about) + (fits ? behind : "") + '\n';
        if (!fits && !note.empty()) out_ += fmt::format("            {}\n", rest_of_line(12, note));
    }

    /// The verdict has the one compared by.
    [[nodiscard]] bool has_totals_to_show() const {
        return std::any_of(comparison_.totals.begin(), comparison_.totals.end(), [&](const EventChange& e) {
            return e.total.delta() != 0 && e.event != diff_.measure_after().name;
        });
    }
    void write_totals() {
        heading("Totals");
        Table table({{"change", Align::right},
                     {"", Align::right},
                     {"before", Align::right},
                     {"after", Align::right},
                     {"event type"}});
        std::size_t unchanged = 0;
        for (const EventChange& event : comparison_.totals) {
            if (event.total.delta() == 0) {
                ++unchanged;
                continue;
            }
            table.add_row(
                {{engine::difference(event.total.delta(), event.unit, style_), tone_of(event.total.delta())},
                 relative(event.total),
                 engine::cost(event.total.before, event.unit, style_),
                 engine::cost(event.total.after, event.unit, style_),
                 engine::display_name(event.event)});
        }
        if (unchanged > 0) table.add_row(remainder(5, unchanged, "unchanged"));
        table.write(out_, style_, 2);
    }

    [[nodiscard]] Cell function_cell(MatchId id) const {
        const FunctionMatch& function = diff_.function(id);
        std::vector<std::string> details;
        const auto file = diff_.file(function), object = diff_.object(function);
        const auto place = file == "???" ? "" : "  " + engine::display_name(file);
        const auto was = old_identity(id);
        if (object != "???") details.push_back(was + place + "  [" + engine::display_name(object) + "]");
        if (!place.empty()) details.push_back(was + place);
        if (!was.empty()) details.push_back(was);
        return {name_text(id), Tone::plain, std::move(details)};
    }
    /// "  (was f in a.c)", without what is the same now.
    [[nodiscard]] std::string old_identity(MatchId id) const {
        const FunctionMatch& function = diff_.function(id);
        if (function.before.size() != 1 || function.after.size() != 1) return {};
        const auto old_file = diff_.before().file(function.before[0]), file = diff_.file(function);
        std::string was;
        if (diff_.before().name(function.before[0]) != diff_.name(function) && function.is_renamed())
            was = ' ' + old_name(id);
        if (last_component(old_file) != last_component(file) && old_file != "???")
            was += fmt::format(" in {}", engine::display_name(last_component(old_file)));
        return was.empty() ? was : fmt::format("  (was{})", was);
    }
    [[nodiscard]] static std::string_view last_component(std::string_view path) {
        return engine::base_name(path);
    }
    [[nodiscard]] std::string old_name(MatchId id) const {
        return engine::display_name(diff_.before().name(diff_.function(id).before[0]));
    }
    /// As it is called now.
    [[nodiscard]] NameText name_text(MatchId id) const {
        const FunctionMatch& function = diff_.function(id);
        return {.name = engine::display_name(diff_.name(function)),
                .after = number_in_group(function) + std::string(inlined_mark(diff_, function))};
    }
    /// Beside other cells.
    [[nodiscard]] std::string beside(const std::string& text) const {
        const auto width = width_beside(style_);
        return width == 0 ? text : engine::shorten(text, width, style_);
    }
    [[nodiscard]] std::vector<std::string> callers_beside(std::span<const std::size_t> arcs) const {
        std::vector<std::string> names;
        names.reserve(arcs.size());
        for (const auto arc : arcs) names.push_back(name_text(diff_.arcs()[arc].caller).name);
        std::vector<engine::NameToShorten> rooms;
        rooms.reserve(names.size());
        for (const auto& name : names) rooms.push_back({name, width_beside(style_)});
        auto texts = engine::short_names(rooms, style_);
        for (std::size_t i = 0; i < texts.size(); ++i)
            texts[i] += name_text(diff_.arcs()[arcs[i]].caller).after;
        return texts;
    }
    /// What is left of a line behind `taken` columns is for the text.
    [[nodiscard]] std::string rest_of_line(std::size_t taken, const std::string& text) const {
        constexpr std::size_t least = 12;
        if (style_.width == 0) return text;
        return engine::shorten(text, std::max(style_.width - std::min(style_.width, taken), least), style_);
    }
    [[nodiscard]] static std::vector<Cell> remainder(std::size_t columns, std::size_t count,
                                                     std::string_view what = "more") {
        std::vector<Cell> row(columns - 1, Cell(""));
        if (count == 1 && what.starts_with("more ") && what.ends_with('s')) what.remove_suffix(1);
        row.emplace_back(fmt::format("({} {})", count, what), Tone::dim);
        return row;
    }
    /// The last row: their number and, in the first column, their sum, where it is one.
    void add_noise(Table& table, std::size_t columns, std::size_t count, std::string_view what,
                   std::optional<Cost> sum = {}) const {
        if (count == 0) return;
        std::vector<Cell> row(columns - 1, Cell(""));
        if (sum) row[0] = Cell(engine::difference(*sum, unit_, style_));
        row.emplace_back('(' + below_noise(count, what) + ')', Tone::dim);
        table.add_row(row);
    }
    [[nodiscard]] Cost self_delta(MatchId id) const { return filtered_.self_change(id).delta(); }
    [[nodiscard]] static std::string calls_text(const std::pair<std::string, std::string>& calls) {
        return calls.first == calls.second ? calls.second : calls.first + " -> " + calls.second;
    }
    [[nodiscard]] std::string calls_text(const ArcMatch& arc) const {
        const auto [before, after] = diff_.count(arc);
        return calls_text({engine::calls(before, style_), engine::calls(after, style_)});
    }

    void write_self() {
        if (comparison_.self.empty()) {
            out_ += filtered_.is_filtered() ? "\nThe self cost of no listed function changed.\n"
                                            : "\nNo function's self cost changed.\n";
            return;
        }
        heading("Self cost");
        Table table({{"change", Align::right},
                     {"", Align::right},
                     {"before", Align::right},
                     {"after", Align::right},
                     {"why"},
                     {"function"}});
        Cost rest = diff_.total().delta(), noise = 0, others = 0;
        for (const MatchId id : comparison_.self) noise += self_delta(id);
        if (filtered_.is_filtered()) others = rest - noise;
        rest -= others;
        for (const MatchId id : rows_.self) noise -= self_delta(id);
        rest -= noise;
        const auto shown = std::min(limit_, rows_.self.size());
        bool has_estimates = false;
        const std::string about(estimate_mark(filtered_.total()));  // of sums of what is not shown
        for (std::size_t i = 0; i < shown; ++i) {
            const auto id = rows_.self[i];
            const auto kept = filtered_.self(id);
            const Change change = kept.estimate;
            const auto estimate = [&](Cost Change::*side) {
                return std::string(estimate_mark(kept, side)) + engine::cost(change.*side, unit_, style_);
            };
            has_estimates = has_estimates || !kept.is_exact();
            rest -= change.delta();
            table.add_row(
                {{std::string(estimate_mark(kept)) + engine::difference(change.delta(), unit_, style_),
                  tone_of(change.delta())},
                 relative(change),
                 estimate(&Change::before),
                 estimate(&Change::after),
                 cause(filtered_, id, style_),
                 function_cell(id)});
        }
        if (shown < rows_.self.size() || rest != 0) {
            const auto more = rows_.self.size() - shown;
            auto row = remainder(6, more, "more functions");
            if (more == 0) row.back() = Cell("(below the threshold)", Tone::dim);
            row[0] = Cell(about + engine::difference(rest, unit_, style_));
            table.add_row(row);
        }
        add_noise(table, 6, comparison_.self.size() - rows_.self.size(), "functions", noise);
        if (others != 0) {
            auto row = remainder(6, 0, "");
            row[0] = Cell(about + engine::difference(others, unit_, style_));
            row.back() = Cell("(not listed)", Tone::dim);
            table.add_row(row);
        }
        table.write(out_, style_, 2);
        if (has_estimates) write_estimated("also called by other functions");
    }

    void write_lines() {
        if (comparison_.lines.empty()) return;
        heading("Source lines");
        const auto shown = std::span(rows_.lines).first(std::min(limit_, rows_.lines.size()));
        const auto is_guess = [](const LineFinding& row) { return row.line.by == LineChange::By::guess; };
        const bool has_guesses = std::any_of(shown.begin(), shown.end(), is_guess);
        std::vector<Column> columns = {
            {"change", Align::right}, {"before", Align::right}, {"after", Align::right}, {"line"}};
        if (has_guesses) columns.push_back({"match"});
        columns.push_back({"function"});
        const auto width = columns.size();
        Table table(std::move(columns));
        for (const LineFinding& row : shown) {
            const auto& [id, line] = row;
            std::vector<Cell> cells = {
                {engine::difference(line.self.delta(), unit_, style_), tone_of(line.self.delta())},
                engine::cost(line.self.before, unit_, style_),
                engine::cost(line.self.after, unit_, style_),
                beside(line_name(line, false))};
            if (has_guesses) cells.emplace_back(is_guess(row) ? "guessed" : "text");
            cells.emplace_back(name_text(id));
            table.add_row(cells);
        }
        if (shown.size() < rows_.lines.size())
            table.add_row(remainder(width, rows_.lines.size() - shown.size(), "more lines"));
        Cost noise = 0;
        for (const LineFinding& row : comparison_.lines) noise += row.line.self.delta();
        for (const LineFinding& row : rows_.lines) noise -= row.line.self.delta();
        add_noise(table, width, comparison_.lines.size() - rows_.lines.size(), "lines", noise);
        table.write(out_, style_, 2);
    }

    void write_inclusive() {
        if (comparison_.inclusive.empty() || diff_.arcs().empty()) return;
        heading("Inclusive cost, by call count and by cost per call");
        Table table({{"change", Align::right},
                     {"", Align::right},
                     {"by count", Align::right},
                     {"by cost", Align::right},
                     {"calls", Align::right},
                     {"function"}});
        const auto shown = std::min(limit_, rows_.inclusive.size());
        bool has_estimates = false, has_parts = false;
        for (std::size_t i = 0; i < shown; ++i) {
            const auto id = rows_.inclusive[i];
            const auto change = filtered_.inclusive_change(id);
            auto row = explained(
                change,
                filtered_.is_whole(id) ? std::optional(diff_.call_count(diff_.function(id))) : std::nullopt,
                calls_text(calls_of(filtered_, id, style_)), {function_cell(id)});
            if (!filtered_.inclusive(id).is_exact()) {
                row.front() = {"~" + engine::difference(change.delta(), unit_, style_),
                               tone_of(change.delta())};
                (filtered_.is_whole(id) ? has_estimates : has_parts) = true;
            }
            table.add_row(row);
        }
        if (const auto more = rows_.inclusive.size() - shown; more > 0)
            table.add_row(remainder(6, more, "more functions"));
        add_noise(table, 6, comparison_.inclusive.size() - rows_.inclusive.size(), "functions");
        if (comparison_.passing_on > 0)
            table.add_row(remainder(6, comparison_.passing_on,
                                    comparison_.passing_on == 1 ? "changed only by its callees"
                                                                : "changed only by their callees"));
        table.write(out_, style_, 2);
        if (has_estimates) write_estimated("recursive calls overlap");
        if (has_parts) write_estimated("also called by other functions");
    }
    void write_estimated(std::string_view why) {
        out_ += paint(fmt::format("  ~ estimated: {}; --json has bounds\n", why), engine::Tone::dim, style_);
    }
    /// And behind that the names that it is about.
    [[nodiscard]] std::vector<Cell> explained(const Change& change,
                                              const std::optional<std::pair<CallCount, CallCount>>& calls,
                                              const std::string& calls_text,
                                              const std::vector<Cell>& names) const {
        const auto why = !calls || change.before == 0 || change.after == 0
                             ? std::nullopt
                             : reason(change, calls->first, calls->second);
        std::vector<Cell> row = {{engine::difference(change.delta(), unit_, style_), tone_of(change.delta())},
                                 relative(change),
                                 why ? engine::difference(why->by_count, unit_, style_) : "",
                                 why ? engine::difference(why->by_cost, unit_, style_) : "",
                                 calls_text};
        row.insert(row.end(), names.begin(), names.end());
        return row;
    }

    void write_arcs() {
        if (comparison_.arcs.empty()) return;
        heading("Call counts");
        Table table({{"change", Align::right},
                     {"", Align::right},
                     {"by count", Align::right},
                     {"by cost", Align::right},
                     {"calls", Align::right},
                     {"caller"},
                     {"callee"}});
        const auto shown = std::min(limit_, rows_.arcs.size());
        const auto callers = callers_beside(std::span(rows_.arcs).first(shown));
        for (std::size_t i = 0; i < shown; ++i) {
            const ArcMatch& arc = diff_.arcs()[rows_.arcs[i]];
            table.add_row(explained(diff_.cost(arc), diff_.count(arc), calls_text(arc),
                                    {callers[i], callee_cell(arc)}));
        }
        if (shown < rows_.arcs.size()) table.add_row(remainder(7, rows_.arcs.size() - shown));
        add_noise(table, 7, comparison_.arcs.size() - rows_.arcs.size(), "calls");
        table.write(out_, style_, 2);
    }

    [[nodiscard]] Cell callee_cell(const ArcMatch& arc) const {
        auto text = name_text(arc.callee);
        if (is_recursive(diff_, arc)) text.after += "  (recursive)";
        return text;
    }

    void write_list(std::string_view title, const std::vector<MatchId>& all,
                    const std::vector<MatchId>& ids) {
        if (all.empty()) return;
        heading(title);
        Table table({{"self", Align::right}, {"inclusive", Align::right}, {"function"}});
        const auto shown = std::min(limit_, ids.size());
        for (std::size_t i = 0; i < shown; ++i) {
            const FunctionMatch& function = diff_.function(ids[i]);
            const Change self = filtered_.self_change(ids[i]), inclusive = filtered_.inclusive_change(ids[i]);
            table.add_row(
                {engine::cost(function.is_removed() ? self.before : self.after, unit_, style_),
                 engine::cost(function.is_removed() ? inclusive.before : inclusive.after, unit_, style_),
                 function_cell(ids[i])});
        }
        if (shown < ids.size()) table.add_row(remainder(3, ids.size() - shown));
        add_noise(table, 3, all.size() - ids.size(), "functions");
        table.write(out_, style_, 2);
    }

    void write_renamed() {
        if (comparison_.renamed.empty()) return;
        heading("Renamed?");
        Table table({{"inclusive", Align::right}, {"why"}, {"was"}, {"function"}});
        const auto shown = std::min(limit_, comparison_.renamed.size());
        for (std::size_t i = 0; i < shown; ++i) {
            const auto id = comparison_.renamed[i];
            const FunctionMatch& function = diff_.function(id);
            table.add_row({from_to(filtered_.inclusive_change(id), unit_), evidence(function),
                           name_beside(old_name(id), style_), name_text(id)});
        }
        if (shown < comparison_.renamed.size())
            table.add_row(remainder(4, comparison_.renamed.size() - shown));
        table.write(out_, style_, 2);
    }

    void write_inlinings() {
        if (comparison_.inlinings.empty()) return;
        heading("Inlined?");
        const auto shown = std::min(limit_, comparison_.inlinings.size());
        for (std::size_t i = 0; i < shown; ++i) {
            const Inlining& inlining = comparison_.inlinings[i];
            const auto together = fmt::format("; together {}, {}", from_to(inlining.together, unit_),
                                              by_how_much(inlining.together, unit_));
            out_ +=
                "  " + rest_of_line(2 + together.size(), inlining_text(diff_, inlining)) + together + '\n';
        }
        if (shown < comparison_.inlinings.size())
            out_ += fmt::format("  ({} more)\n", comparison_.inlinings.size() - shown);
    }

    std::string& out_;
    const Comparison& comparison_;
    ListedRows rows_;
    const engine::FilteredDifference& filtered_;
    const Diff& diff_;
    std::size_t limit_;
    const Style& style_;
    std::string_view unit_;  // of costs; those of rules are numbers
};

}  // namespace

void write_text(std::string& out, const Comparison& comparison, std::size_t limit, VerdictAt verdict,
                const Style& style) {
    DiffText(out, comparison, limit, style).write(verdict);
}

}  // namespace callcost::program
