#include <cstdint>
#include <string_view>

#include "comparison/breach_place.hpp"
#include "comparison/reports.hpp"
#include "text/json.hpp"
#include <callcost/callcost.hpp>

namespace callcost::program {
namespace {

using engine::JsonLayout;
using engine::JsonWriter;

class DiffJson {
  public:
    DiffJson(std::string& out, const Comparison& comparison)
        : json_(out), comparison_(comparison), filtered_(comparison.filtered), diff_(comparison.diff) {}

    void write() {
        json_.begin_object(JsonLayout::rows);
        json_.member("schema", "callcost.diff/1");
        json_.member("verdict", verdict(comparison_));
        json_.member("regression", comparison_.is_broken());
        json_.member("improvement", comparison_.is_improved());
        json_.member("event", diff_.measure_after().name);
        write_side("before", comparison_.before);
        write_side("after", comparison_.after);
        write_totals();
        write_rules();
        json_.key("notes");
        json_.begin_array();
        for (const auto& note : comparison_.notes) json_.value(note);
        json_.end_array();
        write_filter();
        write_places("objects", object_changes(diff_));
        write_places("files", file_changes(diff_));
        write_functions();
        write_arcs();
        write_lines();
        write_inlinings();
        json_.end_object();
    }

  private:
    void write_side(std::string_view key, const SideFacts& side) {
        json_.key(key);
        json_.begin_object();
        json_.key("files");
        json_.begin_array();
        for (const auto& file : side.files) json_.value(file);
        json_.end_array();
        json_.member("creator", engine::if_any(side.creator));
        json_.member("command", engine::if_any(side.command));
        json_.end_object();
    }

    void write_filter() {
        if (!filtered_.is_filtered()) return;
        json_.key("filter");
        json_.begin_object();
        for (const auto& [option, patterns] : comparison_.filter) {
            if (patterns.empty()) continue;
            json_.key(option);
            json_.begin_array();
            for (const auto& pattern : patterns) json_.value(pattern);
            json_.end_array();
        }
        if (diff_.measure_after().additive) {
            const auto total = filtered_.total();
            write_change("self", total.estimate);
            write_bounds("self_bounds", total);
        }
        json_.end_object();
    }
    void write_change(std::string_view key, const Change& change) {
        json_.key(key);
        json_.begin_object();
        json_.member("before", change.before);
        json_.member("after", change.after);
        json_.member("delta", change.delta());
        json_.end_object();
    }
    void write_calls(const std::pair<CallCount, CallCount>& calls) {
        json_.key("calls");
        json_.begin_object();
        json_.member("before", calls.first.known);
        json_.member("after", calls.second.known);
        if (calls.first.at_least || calls.second.at_least) json_.member("at_least", true);
        json_.end_object();
    }
    /// Only if a profile tells what is inlined.
    void write_inlined(const FunctionMatch& function) {
        if (!diff_.before().profile().has_inlined() && !diff_.after().profile().has_inlined()) return;
        write_change("inlined", diff_.inlined_self(function));
        const auto [before, after] = diff_.entries(function);
        json_.key("entries");
        json_.begin_object();
        json_.member("before", before);
        json_.member("after", after);
        json_.end_object();
    }
    void write_reason(std::string_view key, const Change& cost, const std::pair<CallCount, CallCount>& calls,
                      bool is_known = true) {
        json_.key(key);
        const auto why = !is_known || cost.before == 0 || cost.after == 0
                             ? std::nullopt
                             : reason(cost, calls.first, calls.second);
        if (!why) return json_.null();
        json_.begin_object();
        json_.member("calls", why->by_count);
        json_.member("cost_per_call", why->by_cost);
        json_.end_object();
    }

    void write_totals() {
        json_.key("totals");
        json_.begin_array(JsonLayout::rows);
        for (const EventChange& event : comparison_.totals) {
            json_.begin_object();
            json_.member("event", event.event);
            engine::write_unit(json_, event.unit);
            write_change("cost", event.total);
            json_.end_object();
        }
        json_.end_array();
    }

    void write_breach(const RuleBreach& breach) {
        json_.member("what", breach.what);
        if (breach.function) write_name(diff_.function(*breach.function));
        write_change("change", breach.change);
        if (!breach.function && breach.changed_most) {
            json_.key("changed_most");
            json_.begin_object();
            write_name(diff_.function(*breach.changed_most));
            json_.end_object();
        }
        if (const auto place = breach_line(comparison_, breach)) {
            json_.key("place");
            json_.begin_object();
            json_.member("file", place->file);
            json_.member("line", place->line);
            json_.end_object();
        }
    }
    void write_rules() {
        json_.key("rules");
        json_.begin_array(JsonLayout::rows);
        for (const RuleResult& result : comparison_.rules) {
            json_.begin_object();
            json_.member("rule", result.rule.text);
            json_.member("holds", result.breaches.empty());
            json_.member("about_improvement", result.rule.is_about_improvement);
            json_.key("breaches");
            json_.begin_array();
            for (const RuleBreach& breach : result.breaches) {
                json_.begin_object();
                write_breach(breach);
                json_.end_object();
            }
            json_.end_array();
            json_.key("accepted");
            json_.begin_array();
            for (const AcceptedBreach& acknowledged : result.acknowledged) {
                json_.begin_object();
                write_breach(acknowledged.breach);
                json_.member("until", acknowledged.until);
                json_.member("reason", acknowledged.reason);
                json_.end_object();
            }
            json_.end_array();
            json_.end_object();
        }
        json_.end_array();
    }

    void write_places(std::string_view key, const std::vector<PlaceChange>& places) {
        json_.key(key);
        json_.begin_array(JsonLayout::rows);
        for (const PlaceChange& place : places) {
            if (place.self.delta() == 0) continue;
            json_.begin_object();
            json_.member("name", place.name);
            write_change("self", place.self);
            json_.end_object();
        }
        json_.end_array();
    }

    void write_name(const FunctionMatch& function) {
        json_.member("function", diff_.name(function));
        json_.member("file", diff_.file(function));
        json_.member("object", diff_.object(function));
    }
    void write_match(const FunctionMatch& function) {
        json_.member("match", to_string(function.tier));
        if (function.tier == MatchTier::unmatched) json_.member("added", function.is_added());
        if (!function.before.empty() && !function.after.empty()) {
            const NodeId old = function.before[0];
            write_before("name_before", diff_.before().name(old), diff_.name(function));
            write_before("file_before", diff_.before().file(old), diff_.file(function));
            write_before("object_before", diff_.before().object(old), diff_.object(function));
        }
        if (function.tier == MatchTier::anchors) {
            json_.member("likeness_percent", static_cast<std::int64_t>(100 * function.likeness));
            write_anchors("callees", function.callees);
            write_anchors("callers", function.callers);
        }
        if (function.tier == MatchTier::group) {
            json_.member("functions_before", function.before.size());
            json_.member("functions_after", function.after.size());
        }
    }
    void write_before(std::string_view key, std::string_view before, std::string_view after) {
        if (before != after) json_.member(key, before);
    }
    void write_anchors(std::string_view key, const Anchors& anchors) {
        json_.key(key);
        json_.begin_object();
        json_.member("common", anchors.common);
        json_.member("all", anchors.all);
        json_.end_object();
    }
    static bool is_same(const std::pair<CallCount, CallCount>& calls) {
        return calls.first.known == calls.second.known && calls.first.at_least == calls.second.at_least;
    }
    /// Only if they are not exact.
    void write_bounds(std::string_view key, const engine::BoundedChange& cost) {
        if (cost.is_exact()) return;
        json_.key(key);
        json_.begin_object();
        for (const auto& [name, side] :
             {std::pair("before", &Change::before), std::pair("after", &Change::after)}) {
            json_.key(name);
            json_.begin_array();
            json_.value(cost.least.*side);
            json_.value(cost.most.*side);
            json_.end_array();
        }
        json_.end_object();
    }
    void write_functions() {
        json_.key("functions");
        json_.begin_array(JsonLayout::rows);
        for (const FunctionMatch& function : diff_.functions()) {
            if (!filtered_.lists(function.id)) continue;
            const auto self_bounds = filtered_.self(function.id);
            const Change self = self_bounds.estimate, inclusive = filtered_.inclusive_change(function.id);
            const bool is_whole = filtered_.is_whole(function.id);
            const auto calls = diff_.call_count(function);
            if (self.delta() == 0 && inclusive.delta() == 0 && (!is_whole || is_same(calls)) &&
                !function.is_renamed())
                continue;
            json_.begin_object();
            write_name(function);
            write_match(function);
            write_change("self", self);
            write_change("inclusive", inclusive);
            write_bounds("self_bounds", self_bounds);
            write_bounds("inclusive_bounds", filtered_.inclusive(function.id));
            if (is_whole) {
                write_calls(calls);
                write_inlined(function);
            } else {
                json_.key("calls");
                json_.null();
            }
            write_reason("because", inclusive, calls, is_whole);
            write_reason("self_because", self, calls, is_whole);
            json_.end_object();
        }
        json_.end_array();
    }

    void write_arcs() {
        json_.key("arcs");
        json_.begin_array(JsonLayout::rows);
        for (const ArcMatch& arc : diff_.arcs()) {
            if (!filtered_.lists(arc)) continue;
            const Change cost = diff_.cost(arc);
            const auto calls = diff_.count(arc);
            if (cost.delta() == 0 && is_same(calls)) continue;
            json_.begin_object();
            json_.member("caller", diff_.name(diff_.function(arc.caller)));
            json_.member("callee", diff_.name(diff_.function(arc.callee)));
            json_.member("recursive", is_recursive(diff_, arc));
            write_change("inclusive", cost);
            write_calls(calls);
            write_reason("because", cost, calls);
            json_.end_object();
        }
        json_.end_array();
    }

    void write_lines() {
        json_.key("lines");
        json_.begin_array(JsonLayout::rows);
        for (const auto& [id, line] : comparison_.lines) {
            json_.begin_object();
            json_.member("function", diff_.name(diff_.function(id)));
            json_.member("file", line.file);
            if (!line.file_before.empty()) json_.member("file_before", line.file_before);
            json_.key("line_before");
            line.before == 0 ? json_.null() : json_.value(line.before);
            json_.key("line_after");
            line.after == 0 ? json_.null() : json_.value(line.after);
            write_change("self", line.self);
            json_.member("matched_by", line.by == LineChange::By::text ? "text" : "guess");
            json_.end_object();
        }
        json_.end_array();
    }

    void write_inlinings() {
        json_.key("inlinings");
        json_.begin_array(JsonLayout::rows);
        for (const Inlining& inlining : comparison_.inlinings) {
            json_.begin_object();
            json_.member("function", diff_.name(diff_.function(inlining.function)));
            json_.member("kind", inlining.is_outlined ? "taken out of" : "inlined into");
            json_.key("callers");
            json_.begin_array();
            for (const auto id : inlining.callers) json_.value(diff_.name(diff_.function(id)));
            json_.end_array();
            json_.member("has_lines", inlining.has_lines);
            write_change("together", inlining.together);
            json_.end_object();
        }
        json_.end_array();
    }

    JsonWriter json_;
    const Comparison& comparison_;
    const engine::FilteredDifference& filtered_;
    const Diff& diff_;
};

}  // namespace

void write_json(std::string& out, const Comparison& comparison) {
    DiffJson(out, comparison).write();
    out += '\n';
}

}  // namespace callcost::program
