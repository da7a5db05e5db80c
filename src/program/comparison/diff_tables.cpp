// For spreadsheets, for flame graphs.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "comparison/reports.hpp"
#include "exporters/folded.hpp"
#include "exporters/stacks.hpp"
#include "query/filtered_tree.hpp"
#include <callcost/tree.hpp>

namespace callcost::program {
namespace {

/// A row of the table; what does not apply is empty.
struct CsvRow {
    std::string_view kind, name, file, object;
    std::string_view match{}, name_before{}, caller{};
    Change self{}, inclusive{};
    bool has_self = false, has_inclusive = false;
    std::optional<std::pair<CallCount, CallCount>> calls{};
    std::uint64_t line_before = 0, line_after = 0;
    std::string_view recursive{};
    std::optional<Change> inlined{};  ///< of `self`
};

class DiffCsv {
  public:
    DiffCsv(std::string& out, const Comparison& comparison, engine::CsvNames names)
        : csv_(out, names),
          comparison_(comparison),
          diff_(comparison.diff),
          has_inlined_(diff_.before().profile().has_inlined() || diff_.after().profile().has_inlined()) {}

    void write() {
        std::vector<std::string> columns = {"kind",
                                            "event",
                                            "name",
                                            "file",
                                            "object",
                                            "match",
                                            "name_before",
                                            "caller",
                                            "line_before",
                                            "line_after",
                                            "self_before",
                                            "self_after",
                                            "self_delta",
                                            "inclusive_before",
                                            "inclusive_after",
                                            "inclusive_delta",
                                            "calls_before",
                                            "calls_before_is_exact",
                                            "calls_after",
                                            "calls_after_is_exact",
                                            "recursive"};
        if (has_inlined_) columns.insert(columns.end(), {"inlined_before", "inlined_after"});
        csv_.header(columns);
        for (const EventChange& event : comparison_.totals)
            if (event.total.delta() != 0)
                write(CsvRow{.kind = "total",
                             .name = {},
                             .file = {},
                             .object = {},
                             .self = event.total,
                             .has_self = true},
                      event.event);
        write_places("object", object_changes(diff_));
        write_places("file", file_changes(diff_));
        write_functions();
        write_arcs();
        write_lines();
    }

  private:
    void write(const CsvRow& row) { write(row, diff_.measure_after().name); }
    void write(const CsvRow& row, std::string_view event) {
        csv_.text(row.kind);
        for (const auto text :
             {event, row.name, row.file, row.object, row.match, row.name_before, row.caller})
            text.empty() ? csv_.empty() : csv_.text(text);
        for (const auto line : {row.line_before, row.line_after})
            line == 0 ? csv_.empty() : csv_.number(line);
        write(row.self, row.has_self);
        write(row.inclusive, row.has_inclusive);
        if (row.calls) {
            write(row.calls->first);
            write(row.calls->second);
        } else {
            for (int column = 0; column < 4; ++column) csv_.empty();
        }
        row.recursive.empty() ? csv_.empty() : csv_.text(row.recursive);
        for (const auto side : {&Change::before, &Change::after})
            if (has_inlined_) row.inlined ? csv_.number((*row.inlined).*side) : csv_.empty();
        csv_.end_row();
    }
    void write(const CallCount& count) {
        csv_.number(count.known);
        csv_.text(count.at_least ? "no" : "yes");
    }
    void write(const Change& change, bool is_known) {
        for (const auto value : {change.before, change.after, change.delta()})
            is_known ? csv_.number(value) : csv_.empty();
    }

    void write_places(std::string_view kind, const std::vector<PlaceChange>& places) {
        for (const PlaceChange& place : places)
            if (place.self.delta() != 0)
                write(CsvRow{.kind = kind,
                             .name = place.name,
                             .file = {},
                             .object = {},
                             .self = place.self,
                             .has_self = true});
    }
    void write_functions() {
        for (const FunctionMatch& function : diff_.functions()) {
            if (!comparison_.filtered.lists(function.id)) continue;
            const auto calls = diff_.call_count(function);
            CsvRow row{.kind = "function",
                       .name = diff_.name(function),
                       .file = diff_.file(function),
                       .object = diff_.object(function),
                       .match = to_string(function.tier),
                       .self = comparison_.filtered.self_change(function.id),
                       .inclusive = comparison_.filtered.inclusive_change(function.id),
                       .has_self = true,
                       .has_inclusive = true,
                       .calls = calls,
                       .inlined = diff_.inlined_self(function)};
            if (!comparison_.filtered.is_whole(function.id)) {
                row.calls = std::nullopt;
                row.inlined = std::nullopt;
            }
            if (row.self.delta() == 0 && row.inclusive.delta() == 0 &&
                (!row.calls || calls.first.known == calls.second.known))
                continue;
            if (!function.is_added() && !function.is_removed()) {
                const auto old = diff_.before().name(function.before[0]);
                if (old != row.name) row.name_before = old;
            }
            write(row);
        }
    }
    void write_arcs() {
        for (const ArcMatch& arc : diff_.arcs()) {
            if (!comparison_.filtered.lists(arc)) continue;
            const auto calls = diff_.count(arc);
            const Change cost = diff_.cost(arc);
            if (cost.delta() == 0 && calls.first.known == calls.second.known) continue;
            const FunctionMatch& callee = diff_.function(arc.callee);
            write(CsvRow{.kind = "arc",
                         .name = diff_.name(callee),
                         .file = diff_.file(callee),
                         .object = diff_.object(callee),
                         .caller = diff_.name(diff_.function(arc.caller)),
                         .inclusive = cost,
                         .has_inclusive = true,
                         .calls = calls,
                         .recursive = is_recursive(diff_, arc) ? "yes" : "no"});
        }
    }
    void write_lines() {
        for (const auto& [id, line] : comparison_.lines)
            write(CsvRow{.kind = "line",
                         .name = diff_.name(diff_.function(id)),
                         .file = line.file,
                         .object = {},
                         .match = line.by == LineChange::By::text ? "text" : "guess",
                         .self = line.self,
                         .has_self = true,
                         .line_before = line.before,
                         .line_after = line.after});
    }

    engine::CsvWriter csv_;
    const Comparison& comparison_;
    const Diff& diff_;
    bool has_inlined_;
};

using ChangedStacks = std::map<std::string, Change>;

/// Adds the stacks of one side.
Result<void> add_stacks(ChangedStacks& stacks, const CallGraph& graph, const StacksOfSources& recorded,
                        const Measure& measure, Cost Change::*side,
                        const std::map<std::string, std::string>& new_names,
                        const engine::FilteredFunctions* filters) {
    engine::StackOptions options;
    options.measures = {measure};
    options.tree.measure = measure;
    options.recorded = engine::recorded_for(graph, recorded, options.measures);
    const Tree tree = filters != nullptr ? engine::filtered_tree(graph, recorded, options.tree, filters)
                                         : engine::tree_of(graph, options, measure);
    std::string text;
    if (auto written = engine::write_folded(graph, tree, to_memory(text)); !written) return written;
    for (std::size_t at = 0; at < text.size();) {
        const auto end = text.find('\n', at);
        const auto blank = text.rfind(' ', end);
        std::string stack;
        for (std::size_t begin = at; begin <= blank;) {
            const auto next = std::min(text.find(';', begin), blank);
            const auto name = text.substr(begin, next - begin);
            const auto renamed = new_names.find(name);
            if (!stack.empty()) stack += ';';
            stack += renamed == new_names.end() ? name : renamed->second;
            begin = next + 1;
        }
        std::int64_t cost = 0;
        std::from_chars(text.data() + blank + 1, text.data() + end, cost);
        auto& sum = stacks[stack].*side;
        sum += cost;
        at = end + 1;
    }
    return {};
}

}  // namespace

void write_csv(std::string& out, const Comparison& comparison, engine::CsvNames names) {
    DiffCsv(out, comparison, names).write();
}

Result<void> write_folded(const Comparison& comparison, const Sink& sink) {
    const Diff& diff = comparison.diff;
    // Stacks are of names. One that is that of several functions is kept, unless all of them have the same
    // new one.
    std::map<std::string, std::string> new_names;
    for (const FunctionMatch& function : diff.functions()) {
        for (const NodeId node : function.before) {
            const auto old = engine::folded_name(diff.before().name(node));
            const auto name = function.is_removed() ? old : engine::folded_name(diff.name(function));
            const auto known = new_names.emplace(old, name).first;
            if (known->second != name) known->second = old;
        }
    }
    ChangedStacks stacks;
    if (auto added = add_stacks(stacks, diff.before(), comparison.before.stacks, diff.measure_before(),
                                &Change::before, new_names, comparison.filtered.filters_before());
        !added)
        return added;
    if (auto added = add_stacks(stacks, diff.after(), comparison.after.stacks, diff.measure_after(),
                                &Change::after, {}, comparison.filtered.filters_after());
        !added)
        return added;
    std::string text;
    for (const auto& [stack, cost] : stacks)
        text += stack + ' ' + std::to_string(cost.before) + ' ' + std::to_string(cost.after) + '\n';
    return sink(text);
}

}  // namespace callcost::program
