// What was read, the parts of it, and all of it for other tools.
#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "session/answers.hpp"
#include "session/function_rows.hpp"
#include "summary/difference_summary.hpp"
#include "summary/summary.hpp"
#include "text/characters.hpp"
#include "text/diagnostics.hpp"
#include "text/profile_facts.hpp"
#include <callcost/callcost.hpp>

namespace callcost::engine {
namespace {

constexpr std::uint64_t protocol_version = 1;
constexpr std::size_t max_diagnostics = 500;
constexpr std::size_t max_places = 20;  // of one diagnostic

std::string_view text_of(Severity severity) {
    constexpr std::array<std::string_view, 3> texts = {"note", "warning", "error"};
    return texts[static_cast<std::size_t>(severity)];
}

/// Of reading, of the formulas and of the analyses, the gravest first.
std::vector<Diagnostic> diagnostics_of(const LoadedProfile& loaded, const CallGraph& graph) {
    const auto read = loaded.profile.diagnostics();
    std::vector<Diagnostic> all(read.begin(), read.end());
    for (auto& diagnostic : loaded.measures.diagnostics()) all.push_back(std::move(diagnostic));
    for (auto& diagnostic : analysis_diagnostics(graph)) all.push_back(std::move(diagnostic));
    std::stable_sort(all.begin(), all.end(), [](const Diagnostic& a, const Diagnostic& b) {
        return kind_of(a.id).severity > kind_of(b.id).severity;
    });
    return all;
}

void write_place(JsonWriter& json, const Profile& profile, const Diagnostic& diagnostic, const Place& place,
                 std::uint64_t count) {
    const auto& kind = kind_of(diagnostic.id);
    const auto sources = profile.sources();
    json.begin_object();
    json.member("severity", text_of(kind.severity));
    json.member("id", kind.name);
    json.member("message", kind.message);
    json.member_if_any("hint", kind.hint);
    if (place.source < sources.size()) json.member("file", sources[place.source].name);
    if (place.line != 0) json.member("line", place.line);
    if (place.column != 0) json.member("column", place.column);
    json.member_if_any("excerpt", place.excerpt);
    json.member("count", count);
    json.end_object();
}

void write_diagnostics(JsonWriter& json, const LoadedProfile& loaded, const CallGraph& graph) {
    const auto all = diagnostics_of(loaded, graph);
    std::array<std::uint64_t, 3> counts{};  // by Severity
    for (const auto& diagnostic : all)
        counts[static_cast<std::size_t>(kind_of(diagnostic.id).severity)] += diagnostic.count;
    json.begin_object();
    json.member("errors", counts[static_cast<std::size_t>(Severity::error)]);
    json.member("warnings", counts[static_cast<std::size_t>(Severity::warning)]);
    json.member("notes", counts[static_cast<std::size_t>(Severity::note)]);
    json.key("rows");
    json.begin_array();
    std::size_t rows = 0;
    std::uint64_t omitted = 0;
    for (const auto& diagnostic : all) {
        const auto known = std::min(std::max<std::size_t>(diagnostic.places.size(), 1), max_places);
        const auto shown = std::min(known, max_diagnostics - rows);
        auto rest = diagnostic.count;
        // Each row stands for one, and the last one for those that have no row, too.
        for (std::size_t i = 0; i < shown; ++i) {
            const auto count = i + 1 == shown ? rest : std::min<std::uint64_t>(rest, 1);
            const auto place = i < diagnostic.places.size() ? diagnostic.places[i] : Place{};
            write_place(json, loaded.profile, diagnostic, place, count);
            rest -= count;
        }
        rows += shown;
        omitted += rest;
    }
    json.end_array();
    json.member("omitted", omitted);
    json.end_object();
}

void write_events(JsonWriter& json, const LoadedProfile& loaded, const CallGraph& graph) {
    json.key("events");
    json.begin_array();
    for (const auto& measure : loaded.measures.all()) {
        json.begin_object();
        json.member("name", measure.name);
        json.member_if_any("long_name", measure.long_name);
        if (!measure.unit.empty()) write_unit(json, measure.unit);
        json.member_if_any("formula", measure.formula);
        json.member("additive", measure.additive);
        json.member("total", measure.additive ? std::optional(graph.total(measure)) : std::nullopt);
        json.member("base", percentage_base(graph, measure));
        json.end_object();
    }
    json.end_array();
}

void write_counts(JsonWriter& json, const CallGraph& graph) {
    const auto& profile = graph.profile();
    json.key("counts");
    json.begin_object();
    json.member("functions", graph.size());
    json.member("objects", known_objects(profile));
    json.member("files", known_files(profile));
    json.member("arcs", graph.arc_count());
    json.member("cycles", graph.cycle_count());
    json.member("parts", profile.parts().size());
    json.end_object();
}

bool has_position(const Profile& profile, std::string_view name) {
    const auto parts = profile.parts();
    return std::any_of(parts.begin(), parts.end(), [&](const Part& part) {
        return std::find(part.positions.begin(), part.positions.end(), name) != part.positions.end();
    });
}

void write_what_there_is(JsonWriter& json, const Request& request, const LoadedProfile& loaded,
                         const GraphView& selected) {
    const auto& graph = selected.graph;
    const auto& profile = graph.profile();
    const bool is_full = profile.detail() == Detail::full;
    const auto sums = add_up(selected_part_facts(graph));
    json.key("has");
    json.begin_object();
    json.member("calls", graph.arc_count() > 0);
    json.member("counts", sums.call_count > 0);
    json.member("lines", is_full && has_position(profile, "line"));
    json.member("instructions", is_full && has_position(profile, "instr"));
    json.member("jumps", is_full && sums.jumps > 0);
    json.member("contexts", selected.contexts.any());
    json.member("parts", profile.parts().size() > 1);
    json.member("stacks", has_recorded_stacks(loaded.profile, loaded.stacks));
    json.member("cachegrind", is_cachegrind(graph));
    json.member("inlined", profile.has_inlined());
    json.member("sources", static_cast<bool>(request.host.source));
    json.member("machine_code", static_cast<bool>(request.host.machine_code));
    json.member("before", request.profiles.before.has_value());
    json.end_object();
    json.key("formats");
    json.begin_array();
    for (const auto& format : request.host.formats) json.value(format);
    json.end_array();
}

/// How to call it: what was measured, or the file.
std::string title_of(const Profile& profile, std::string_view command) {
    if (!command.empty()) return std::string(command);
    if (profile.sources().empty()) return "profile";
    return std::string(base_name(profile.sources().front().name));
}

template <class NameOf>
void write_files(JsonWriter& json, const Profile& profile, const NameOf& name_of) {
    json.begin_array();
    for (const auto& source : profile.sources()) {
        json.begin_object();
        json.member("name", name_of(source.name));
        json.member("bytes", source.bytes);
        json.member("lines", source.lines);
        json.end_object();
    }
    json.end_array();
}

void write_opened(JsonWriter& json, const Request& request, const LoadedProfile& loaded,
                  const GraphView& selected, const std::optional<Origin>& origin) {
    const auto& graph = selected.graph;
    const auto parts = selected_part_facts(graph);
    const auto command = first_text(parts, &Part::command);
    json.member("title", title_of(loaded.profile, command));
    json.member_if_any("command", command);
    json.member_if_any("creator", first_text(parts, &Part::creator));
    if (!parts.empty()) json.member_if_any("pid", parts.front()->pid.text);
    json.key("files");
    if (origin) {
        json.json(origin->files);
    } else {
        write_files(json, loaded.profile, [](const std::string& name) { return name; });
    }
    json.member("event", default_measure(graph).name);
    write_events(json, loaded, graph);
    write_counts(json, graph);
    write_what_there_is(json, request, loaded, selected);
    if (const std::size_t callers = more_callers(graph); callers > 0) json.member("more_callers", callers);
    json.key("diagnostics");
    if (origin) {
        json.json(origin->diagnostics);
    } else {
        write_diagnostics(json, loaded, graph);
    }
}

void write_header_number(JsonWriter& json, std::string_view name, const HeaderNumber& of) {
    if (of.number) {
        json.member(name, *of.number);
    } else {
        json.member_if_any(name, of.text);
    }
}

/// Of all functions.
Cost self_of(const Part& part, const Measure& measure) {
    Cost cost;
    for (const auto& [event, factor] : measure.terms) cost += part.self[event] * factor;
    return cost;
}

/// What a function cost in each part, by the columns of the question; of the records of all parts.
class CostByPart {
  public:
    CostByPart(const CallGraph& graph, NodeId node, const std::vector<Measure>& columns)
        : graph_(graph), node_(node), columns_(columns), parts_(graph.profile().parts().size()) {
        find_events();
        for (auto& part : parts_)
            for (auto* costs : {&part.self, &part.out, &part.in}) costs->resize(events_.size());
        std::vector<bool> is_caller(graph.size(), false);
        for (const auto arc : graph.callers(node)) is_caller[graph.caller(arc).value] = true;
        for (std::size_t row = 0; row < graph.profile().function_count(); ++row) {
            const auto of = graph.node_of(FunctionId(row));
            if (!of.valid()) continue;
            if (of == node) read_own(FunctionId(row));
            if (is_caller[of.value]) read_calls(FunctionId(row));
        }
    }

    void write(JsonWriter& json, std::size_t part) const {
        const auto& of = parts_[part];
        json.begin_object();
        write_costs(json, "self", columns_, [&](std::size_t column) {
            return sum(columns_[column], [&](std::size_t event) { return of.self[event]; });
        });
        json.key("inclusive");
        json.begin_array();
        for (const auto& column : columns_) {
            // Recursion in a part is not known.
            if (column.additive && !graph_.cycle(node_).valid()) {
                json.value(sum(column, [&](std::size_t event) { return inclusive(part, event); }));
            } else {
                json.null();
            }
        }
        json.end_array();
        write_count(json, "called", of.called, "at_least");
        json.end_object();
    }

  private:
    struct OfEvent {
        EventId event;
        bool is_conserved = false;
    };
    struct OfPart {
        std::vector<Cost> self, out, in;  ///< by row of events_; calls of itself are in neither of the last
        CallCount called;
        bool has_records = false;
    };

    void find_events() {
        for (const auto& column : columns_)
            for (const auto& [event, factor] : column.terms)
                if (row_of(event) == events_.size()) {
                    Measure raw;
                    raw.terms = {{event, 1}};
                    raw.additive = graph_.profile().events()[event.value].aggregation == Aggregation::sum;
                    events_.push_back({event, conserves_costs(graph_, raw)});
                }
    }
    [[nodiscard]] std::size_t row_of(EventId event) const {
        const auto found = std::find_if(events_.begin(), events_.end(),
                                        [&](const OfEvent& of) { return of.event == event; });
        return static_cast<std::size_t>(found - events_.begin());
    }

    template <class CostOf>
    [[nodiscard]] Cost sum(const Measure& column, CostOf cost_of) const {
        Cost cost;
        for (const auto& [event, factor] : column.terms) cost += cost_of(row_of(event)) * factor;
        return cost;
    }

    /// F76 (a), with the total of the part.
    [[nodiscard]] Cost inclusive(std::size_t part, std::size_t event) const {
        const auto& of = parts_[part];
        const Cost own = of.self[event] + of.out[event];
        const Cost total = graph_.profile().parts()[part].self[events_[event].event];
        if (events_[event].is_conserved && total > 0) return std::min(std::max(own, of.in[event]), total);
        return of.has_records ? own : of.in[event];
    }

    void add(std::vector<Cost>& to, const Record& record, PartId part) const {
        const auto events = graph_.profile().parts()[part.value].events;
        for (std::size_t i = 0; i < std::min(events.size(), record.costs.size()); ++i)
            if (const std::size_t row = row_of(events[i]); row < events_.size()) to[row] += record.costs[i];
    }

    void read_own(FunctionId function) {
        auto cursor = graph_.profile().records(function);
        for (Record record; cursor.next(record);) {
            auto& part = parts_[cursor.part().value];
            part.has_records = true;
            if (record.kind == Record::Kind::cost) add(part.self, record, cursor.part());
            if (record.kind == Record::Kind::call && callee(record) != node_)
                add(part.out, record, cursor.part());
        }
    }

    void read_calls(FunctionId caller) {
        auto cursor = graph_.profile().records(caller);
        for (Record record; cursor.next(record);) {
            if (record.kind != Record::Kind::call || callee(record) != node_) continue;
            auto& part = parts_[cursor.part().value];
            part.called.add(CallCount::of(record.count));
            if (graph_.node_of(caller) != node_) add(part.in, record, cursor.part());
        }
    }

    [[nodiscard]] NodeId callee(const Record& record) const {
        return graph_.node_of(graph_.profile().callee(record.arc));
    }

    const CallGraph& graph_;
    NodeId node_;
    const std::vector<Measure>& columns_;
    std::vector<OfEvent> events_;  // of all columns
    std::vector<OfPart> parts_;
};

/// What a part is known by, and its cost.
void write_part(JsonWriter& json, const Profile& profile, std::size_t index,
                const std::vector<Measure>& columns) {
    const auto sources = profile.sources();
    const auto& part = profile.parts()[index];
    json.member("index", index);
    if (part.source < sources.size()) json.member("file", sources[part.source].name);
    write_header_number(json, "part", part.part);
    write_header_number(json, "thread", part.thread);
    write_header_number(json, "pid", part.pid);
    json.member_if_any("trigger", part.trigger);
    json.member_if_any("timerange", part.timerange);
    json.member_if_any("command", part.command);
    json.key("descriptions");
    json.begin_array();
    for (const auto& description : part.descriptions) json.value(description);
    json.end_array();
    write_sums(json, "self", columns, [&](std::size_t column) { return self_of(part, columns[column]); });
    json.member("cost_lines", part.cost_lines);
    json.member("calls", part.call_count);
}

void write_piece(JsonWriter& json, const Side& side, const SummaryPiece& piece, const std::string& text) {
    json.begin_object();
    json.member("text", text);
    switch (piece.kind) {
        case SummaryPiece::Kind::function:
            json.key("function");
            write_function(json, side, piece.function);
            break;
        case SummaryPiece::Kind::cycle:
            json.member("cycle", std::uint64_t{piece.cycle.value} + 1);
            break;
        case SummaryPiece::Kind::line:
            json.key("function");
            write_function(json, side, piece.function);
            json.key("file");
            json.begin_object();
            json.member("id", piece.file.value);
            json.member("name", side.graph().profile().name(piece.file));
            json.end_object();
            json.member("line", piece.line);
            break;
        case SummaryPiece::Kind::cost:
            json.member("cost", piece.cost);
            break;
        case SummaryPiece::Kind::text:
            break;
    }
    json.end_object();
}

void write_piece(JsonWriter& json, const View& view, const DifferencePiece& piece) {
    json.begin_object();
    json.member("text", piece.text);
    if (piece.kind == DifferencePiece::Kind::function) {
        const auto& function = view.compared->diff.function(piece.function);
        const bool is_before = function.is_removed();
        json.key("function");
        write_function(json, is_before ? *view.before : view.after,
                       is_before ? function.before.front() : function.after.front(), is_before);
    } else if (piece.kind == DifferencePiece::Kind::change) {
        json.member("change", piece.change);
    } else if (piece.kind == DifferencePiece::Kind::count) {
        write_count(json, "count", piece.count, "at_least");
    }
    json.end_object();
}

}  // namespace

void answer_summary(Request& request, JsonWriter& json) {
    const auto view = request.view();
    if (!view) return;
    const Side& side = view->after;
    json.begin_object();
    json.key("sentences");
    json.begin_array();
    if (view->compared && !side.filtered) {
        const auto& diff = view->compared->diff;
        constexpr Style style = {.unicode = true};
        for (const auto& sentence : summarize_difference(diff, changed_functions(FilteredDifference(diff)),
                                                         style, by_characters())) {
            json.begin_array();
            for (const auto& piece : sentence) write_piece(json, *view, piece);
            json.end_array();
        }
    } else if (!view->compared && !side.filtered) {
        const auto summary = summarize(side.graph(), side.measure, true);
        const auto texts = page_texts(summary);
        for (std::size_t i = 0; i < summary.size(); ++i) {
            json.begin_array();
            for (std::size_t k = 0; k < summary[i].size(); ++k)
                write_piece(json, side, summary[i][k], texts[i][k]);
            json.end_array();
        }
    }
    json.end_array();
    json.end_object();
}

void answer_profile(Request& request, JsonWriter& json) {
    // The whole of both profiles, whatever the page has selected.
    const auto view = resolve({}, request.profiles, request.host.compile);
    json.begin_object();
    json.member("protocol", protocol_version);
    json.member("version", version());
    write_opened(json, request, request.profiles.after, *view->after.selected, request.host.origin);
    json.member_if_any("inlined_option", request.host.inlined_option);
    if (const auto& host = request.host; !host.inlined_problem.empty()) {
        json.key("inlined_problem");
        json.begin_object();
        json.member("message", host.inlined_problem);
        json.member("hint", host.inlined_hint);
        json.end_object();
    }
    if (request.profiles.before) {
        json.key("before");
        json.begin_object();
        if (const auto both = resolve({.compares = true}, request.profiles, request.host.compile)) {
            write_opened(json, request, *request.profiles.before, *both->before->selected,
                         request.host.origin_before);
        } else {
            json.member("problem", both.error().message);
        }
        json.end_object();
    }
    json.end_object();
}

void answer_parts(Request& request, JsonWriter& json) {
    auto& question = request.question;
    const auto view = request.view();
    if (!view) return;
    const auto& side = view->after;
    const auto& profile = side.graph().profile();
    const auto limit = question.count("limit", 1000, 100'000);
    // A function of any part, whatever is selected.
    const auto whole = resolve({.selection = {.contexts = question.query().selection.contexts}},
                               request.profiles, request.host.compile);
    std::optional<CostByPart> by_part;
    if (question.has("id")) {
        const auto function = request.function("id", *whole);
        if (!function) return;
        by_part.emplace(whole->after.graph(), function->node, side.columns);
    }
    std::vector<bool> is_selected(profile.parts().size(), false);
    for (const auto part : side.graph().parts()) is_selected[part.value] = true;
    const auto olds = view->before ? view->before->graph().profile().parts() : std::span<const Part>();
    const auto befores = view->before ? match_parts(view->before->graph().profile(), profile)
                                      : std::vector<std::optional<std::size_t>>();
    json.begin_object();
    json.member("matching", profile.parts().size());
    write_sums(json, "total", side.columns,
               [&](std::size_t column) { return whole->after.graph().total(side.columns[column]); });
    write_sums(json, "selected", side.columns,
               [&](std::size_t column) { return side.graph().total(side.columns[column]); });
    json.key("rows");
    json.begin_array();
    for (std::size_t i = 0; i < std::min(profile.parts().size(), limit); ++i) {
        json.begin_object();
        write_part(json, profile, i, side.columns);
        json.member("selected", static_cast<bool>(is_selected[i]));
        if (by_part) {
            json.key("function");
            by_part->write(json, i);
        }
        if (view->before) {
            const auto& columns = view->before->columns;
            if (befores[i]) json.member("before", *befores[i]);
            write_sums(json, "self_before", columns, [&](std::size_t column) {
                return befores[i] ? self_of(olds[*befores[i]], columns[column]) : Cost();
            });
        }
        json.end_object();
    }
    json.end_array();
    if (view->before) {
        std::vector<bool> is_there(olds.size(), false);
        for (const auto& before : befores)
            if (before) is_there[*before] = true;
        json.key("removed");
        json.begin_array();
        for (std::size_t i = 0, written = 0; i < olds.size() && written < limit; ++i) {
            if (is_there[i]) continue;
            ++written;
            json.begin_object();
            write_part(json, view->before->graph().profile(), i, view->before->columns);
            json.end_object();
        }
        json.end_array();
        json.member("matching_removed", std::count(is_there.begin(), is_there.end(), false));
    }
    json.end_object();
}

Origin origin_of(const CallGraph& graph) {
    Origin origin;
    {
        JsonWriter json(origin.files, page_json);
        write_files(json, graph.profile(), base_name);
    }
    {
        JsonWriter json(origin.diagnostics, page_json);
        write_diagnostics(json, LoadedProfile(graph.profile()), graph);
    }
    return origin;
}

void answer_export(Request& request, JsonWriter& json) {
    auto& question = request.question;
    const auto view = request.view();
    const auto format = question.text("format");
    const auto& formats = request.host.formats;
    if (std::find(formats.begin(), formats.end(), format) == formats.end())
        question.refuse({.message = "must be one of the formats listed by 'profile'", .member = "format"});
    if (question.flag("of_before", false) && view && !view->before)
        question.refuse({.message = "requires 'compare'", .member = "of_before"});
    if (question.error()) return;
    const auto build = question.flag("of_before", false) ? Build::before : Build::after;
    const auto& side = build == Build::before ? *view->before : view->after;
    const auto file = request.host.write(format, build, side.graph(), *side.stacks, side.measure);
    if (!file) return question.refuse({.message = file.error(), .member = "format"});
    json.begin_object();
    json.member("name", file->name);
    json.member("type", file->type);
    if (file->needs_gzip) json.member("needs_gzip", true);
    json.member("base64", base64(file->bytes));
    json.end_object();
}

}  // namespace callcost::engine
