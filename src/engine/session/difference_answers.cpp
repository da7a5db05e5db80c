// What changed between two profiles, and why.
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "answers/changed_functions.hpp"
#include "answers/moved_costs.hpp"
#include "answers/side_by_side.hpp"
#include "session/answers.hpp"
#include "session/code_answers.hpp"
#include "session/function_rows.hpp"
#include "text/profile_facts.hpp"

namespace callcost::engine {
namespace {

constexpr std::size_t default_changes = 50;
constexpr std::size_t max_changes = 5000;
constexpr std::size_t max_functions_with_lines = 50;
constexpr std::size_t max_lines = 20;  // of one function
constexpr std::size_t default_pairs = 400;

class DifferenceWriter {
  public:
    DifferenceWriter(JsonWriter& json, const View& view, std::size_t limit, bool is_net)
        : json_(json),
          view_(view),
          filtered_(filtered_difference(view)),
          diff_(filtered_.diff()),
          changed_(changed_functions(filtered_)),
          costs_(is_net && !filtered_.is_filtered() ? MovedCosts(diff_) : MovedCosts::none(diff_)),
          rows_(view, CostsOf::filtered),
          limit_(limit) {}

    void write() {
        write_sum(diff_.total(), "total");
        write_filtered();
        write_comparable();
        write_changed();
        write_list("added", changed_.added);
        write_list("removed", changed_.removed);
        write_renamed();
        write_inlined();
        write_places("files", file_changes(diff_));
        write_places("objects", object_changes(diff_));
    }

  private:
    void write_change(const Change& change, const std::string& name) {
        json_.member(name, change.after);
        json_.member(name + "_before", change.before);
    }
    [[nodiscard]] bool adds_up() const {
        return diff_.measure_after().additive && diff_.measure_before().additive;
    }
    void write_sum(const Change& change, const std::string& name) {
        const auto sum = [&](Cost of) { return adds_up() ? std::optional(of) : std::nullopt; };
        json_.member(name, sum(change.after));
        json_.member(name + "_before", sum(change.before));
    }

    void write_filtered() {
        std::optional<BoundedChange> total;
        if (filtered_.is_filtered() && adds_up()) total = filtered_.total();
        const auto write = [&](std::string_view name, Cost Change::*side) {
            json_.key(name);
            if (!total) return json_.null();
            json_.begin_object();
            json_.member("least", total->least.*side);
            json_.member("estimate", total->estimate.*side);
            json_.member("most", total->most.*side);
            json_.end_object();
        };
        write("filtered", &Change::after);
        write("filtered_before", &Change::before);
    }

    /// `"NAME": {"matching", "rows"}`: as many rows as are wanted; `write` has the index of one.
    template <class Write>
    void write_rows(std::string_view name, std::size_t matching, Write write) {
        json_.key(name);
        json_.begin_object();
        json_.member("matching", matching);
        json_.key("rows");
        json_.begin_array();
        for (std::size_t i = 0; i < std::min(matching, limit_); ++i) write(i);
        json_.end_array();
        json_.end_object();
    }

    /// Costs of different commands say nothing about each other.
    void write_comparable() {
        const auto part_with_command = [](const Side& side) {
            const auto parts = selected_part_facts(side.graph());
            const auto found = std::find_if(parts.begin(), parts.end(),
                                            [](const Part* its) { return !its->command.empty(); });
            return found == parts.end() ? nullptr : *found;
        };
        const Part* const after = part_with_command(view_.after);
        const Part* const before = part_with_command(*view_.before);
        json_.key("comparable");
        if (after == nullptr || before == nullptr || common_command(*after) == common_command(*before))
            return json_.null();
        json_.begin_object();
        json_.member("command", after->command);
        json_.member("command_before", before->command);
        json_.end_object();
    }

    void write_reason(const FunctionMatch& function) {
        const auto [before, after] = diff_.call_count(function);
        const auto why = reason(diff_.inclusive(function), before, after);
        if (!why || !adds_up()) return;
        json_.member("by_count", why->by_count);
        json_.member("by_cost", why->by_cost);
    }

    void write_lines(const FunctionMatch& function) {
        auto lines = line_changes(diff_, function).value_or(std::vector<LineChange>{});
        std::erase_if(lines, [](const LineChange& line) { return line.self.delta() == 0; });
        std::stable_sort(lines.begin(), lines.end(), [](const LineChange& a, const LineChange& b) {
            return a.self.magnitude() > b.self.magnitude();
        });
        json_.key("lines");
        json_.begin_array();
        for (std::size_t i = 0; i < std::min(lines.size(), max_lines); ++i) {
            json_.begin_object();
            json_.member("file", lines[i].file);
            json_.member("line", lines[i].after);
            json_.member("line_before", lines[i].before);
            write_change(lines[i].self, "self");
            json_.end_object();
        }
        json_.end_array();
        if (lines.size() > max_lines) json_.member("omitted_lines", lines.size() - max_lines);
    }

    [[nodiscard]] Change self_change(MatchId id) const {
        return filtered_.is_filtered() ? filtered_.self_change(id) : costs_.self(id);
    }

    void write_changed() {
        const auto changed = filtered_.is_filtered() ? changed_.self : changed_by(diff_, costs_);
        const auto increased = std::count_if(changed.begin(), changed.end(), [&](MatchId id) {
            const Change self = self_change(id);
            return self.after > self.before;
        });
        json_.member("matching", changed.size());
        json_.member("increased", increased);
        json_.member("decreased", static_cast<std::ptrdiff_t>(changed.size()) - increased);
        json_.key("changed");
        json_.begin_array();
        for (std::size_t i = 0; i < std::min(changed.size(), limit_); ++i) {
            const auto& function = diff_.function(changed[i]);
            json_.begin_object();
            json_.key("function");
            rows_.write(json_, changed[i].value);
            if (const Change self = self_change(changed[i]);
                !filtered_.is_filtered() && self != diff_.self(function)) {
                json_.member("net", self.after);
                json_.member("net_before", self.before);
            }
            if (!filtered_.is_whole(changed[i])) {
                json_.member("part", true);
            } else {
                write_reason(function);
                if (i < max_functions_with_lines) write_lines(function);
            }
            json_.end_object();
        }
        json_.end_array();
    }

    void write_list(std::string_view name, std::vector<MatchId> ids) {
        std::erase_if(ids, [&](MatchId id) { return costs_.has_moved(id); });
        write_rows(name, ids.size(), [&](std::size_t i) { rows_.write(json_, ids[i].value); });
    }

    void write_renamed() {
        const auto& ids = changed_.renamed;
        write_rows("renamed", ids.size(), [&](std::size_t i) {
            const auto& function = diff_.function(ids[i]);
            json_.begin_object();
            json_.key("function");
            rows_.write(json_, ids[i].value);
            json_.member("likeness", function.likeness);
            json_.member("common_callees", function.callees.common);
            json_.member("all_callees", function.callees.all);
            json_.member("common_callers", function.callers.common);
            json_.member("all_callers", function.callers.all);
            json_.end_object();
        });
    }

    void write_inlined() {
        std::vector<Inlining> inlinings(diff_.inlinings().begin(), diff_.inlinings().end());
        std::erase_if(inlinings, [&](const Inlining& inlining) { return !filtered_.lists(inlining); });
        write_rows("inlined", inlinings.size(), [&](std::size_t i) {
            const auto& inlining = inlinings[i];
            json_.begin_object();
            json_.key("function");
            rows_.write(json_, inlining.function.value);
            json_.key("callers");
            json_.begin_array();
            for (const auto caller : inlining.callers) rows_.write(json_, caller.value);
            json_.end_array();
            json_.member("outlined", inlining.is_outlined);
            json_.member("has_lines", inlining.has_lines);
            write_sum(inlining.together, "self");
            json_.end_object();
        });
    }

    /// Those that changed, of all functions; none of what is not additive, and none with filters.
    void write_places(std::string_view name, std::vector<PlaceChange> places) {
        std::erase_if(places, [&](const PlaceChange& of) {
            return of.self.delta() == 0 || !adds_up() || filtered_.is_filtered();
        });
        write_rows(name, places.size(), [&](std::size_t i) {
            json_.begin_object();
            json_.member("name", places[i].name);
            write_change(places[i].self, "self");
            json_.end_object();
        });
    }

    JsonWriter& json_;
    const View& view_;
    FilteredDifference filtered_;
    const Diff& diff_;
    ChangedFunctions changed_;
    MovedCosts costs_;
    FunctionRows rows_;
    std::size_t limit_;
};

void write_pair(JsonWriter& json, const LinePair& pair) {
    constexpr std::array<std::string_view, 6> kinds = {"same",  "changed", "removed",
                                                       "added", "moved",   "omitted"};
    json.begin_object();
    json.member("kind", kinds.at(static_cast<std::size_t>(pair.kind)));
    if (pair.omitted > 0) json.member("omitted", pair.omitted);
    if (pair.after != 0) json.member("line", pair.after);
    if (pair.before != 0) json.member("line_before", pair.before);
    json.member_if_any("text", pair.text_after);
    if (pair.text_before != pair.text_after) json.member("text_before", pair.text_before);
    json.member("self", pair.self.after);
    json.member("self_before", pair.self.before);
    json.end_object();
}

void write_side_by_side(JsonWriter& json, const SideBySide& lines) {
    json.begin_object();
    json.key("files");
    json.begin_array();
    for (const auto& file : lines.files) {
        json.begin_object();
        json.member("name", file.name);
        json.member_if_any("name_before", file.name_before);
        json.member("by_text", file.is_by_text);
        json.member("self", file.self.after);
        json.member("self_before", file.self.before);
        json.key("rows");
        json.begin_array();
        for (const auto& pair : file.pairs) write_pair(json, pair);
        json.end_array();
        json.member("omitted_rows", file.omitted_pairs);
        json.end_object();
    }
    json.end_array();
    write_problem(json, lines.problem, lines.hint);
    json.end_object();
}

bool refuse_without_comparison(Question& question) {
    if (question.flag("compare", false)) return false;
    question.refuse({.message = "must be true", .member = "compare"});
    return true;
}

}  // namespace

void answer_difference(Request& request, JsonWriter& json) {
    auto& question = request.question;
    if (refuse_without_comparison(question)) return;
    const auto view = request.view();
    if (!view) return;
    const auto limit = question.count("limit", default_changes, max_changes);
    const bool is_net = question.flag("net", false);
    if (question.error()) return;
    json.begin_object();
    DifferenceWriter(json, *view, limit, is_net).write();
    json.end_object();
}

void answer_changed_lines(Request& request, JsonWriter& json) {
    auto& question = request.question;
    if (refuse_without_comparison(question)) return;
    const auto view = request.view();
    if (!view) return;
    const auto function = request.function("id", *view);
    const auto context = question.count("context", 3, 1000);
    const auto limit = question.count("limit", default_pairs, max_changes);
    if (question.error() || refuse_without_detail(question, view->after)) return;
    const auto& matches = function->is_before ? view->compared->match_before : view->compared->match_after;
    const auto& match = view->compared->diff.function(matches[function->node.value]);
    const auto lines = side_by_side(view->compared->diff, match, request.host, context, limit);
    if (!lines) return question.refuse({.id = "needs-detail", .message = "lines are not available"});
    write_side_by_side(json, *lines);
}

}  // namespace callcost::engine
