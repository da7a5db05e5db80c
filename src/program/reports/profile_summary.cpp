#include "reports/profile_summary.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "reports/event_list.hpp"
#include "terminal/text_table.hpp"
#include "text/diagnostics.hpp"
#include "text/input_names.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"
#include "text/profile_facts.hpp"

namespace callcost::program {
namespace {

constexpr std::size_t default_parts = 10;
constexpr std::size_t usual_events = 40;

std::string_view format_name(const CallGraph& graph) {
    return engine::is_cachegrind(graph) ? "cachegrind" : "callgrind";
}

/// Nothing if the source is a Callgrind file.
const ImportedFile* import_of(const SummaryInput& input, std::size_t source) {
    return source < input.imported.size() && input.imported[source] ? &*input.imported[source] : nullptr;
}

/// Then header lines and records are those of its conversion, and say nothing about the file.
bool is_import(const SummaryInput& input) {
    for (std::size_t i = 0; i < input.graph.profile().sources().size(); ++i)
        if (import_of(input, i) == nullptr) return false;
    return true;
}

/// Of Callgrind files.
std::vector<const Part*> own_parts(const SummaryInput& input, std::vector<const Part*> parts) {
    std::erase_if(parts, [&](const Part* part) { return import_of(input, part->source) != nullptr; });
    return parts;
}

/// Each once.
std::vector<std::string> formats(const SummaryInput& input, std::string ImportedFile::*name) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < input.graph.profile().sources().size(); ++i) {
        const auto* file = import_of(input, i);
        std::string one = file == nullptr ? std::string(format_name(input.graph)) : file->*name;
        if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(std::move(one));
    }
    return all;
}

/// What wrote the files, the first that says so.
std::string creator_of(const SummaryInput& input, const std::vector<const Part*>& own) {
    std::string creator(engine::first_text(own, &Part::creator));
    for (const auto& file : input.imported)
        if (creator.empty() && file) creator = file->producer;
    return creator;
}

/// `I1 cache:` without a value means that there was none (F13).
bool says_nothing(std::string_view description) {
    const auto last = description.find_last_not_of(" \t");
    return last == std::string_view::npos || description[last] == ':';
}

/// The event types to show, in order.
std::vector<EventId> shown_events(const SummaryInput& input) {
    std::vector<EventId> events;
    if (input.only) {
        for (const auto& [event, factor] : input.only->terms) events.push_back(event);
    } else {
        for (std::size_t i = 0; i < input.graph.profile().events().size(); ++i) events.emplace_back(i);
    }
    return events;
}

/// The raw ones among the measures to show, and those that are computed from them.
std::vector<Measure> shown_measures(const SummaryInput& input) {
    if (!input.only) return input.measures;
    std::vector<Measure> measures;
    for (const auto& measure : input.measures) {
        const bool is_raw = measure.formula.empty();
        if (is_raw && std::any_of(input.only->terms.begin(), input.only->terms.end(),
                                  [&](const auto& term) { return term.first == measure.terms[0].first; }))
            measures.push_back(measure);
    }
    if (!input.only->formula.empty()) measures.push_back(*input.only);
    return measures;
}

std::vector<const Diagnostic*> by_severity(const std::vector<Diagnostic>& diagnostics) {
    std::vector<const Diagnostic*> sorted;
    sorted.reserve(diagnostics.size());
    for (const auto& diagnostic : diagnostics) sorted.push_back(&diagnostic);
    std::stable_sort(sorted.begin(), sorted.end(), [](const Diagnostic* a, const Diagnostic* b) {
        return kind_of(a->id).severity > kind_of(b->id).severity;
    });
    return sorted;
}

/// What is known about the inlined code of an object.
struct InlinedObject {
    ObjectId object;
    Cost self = 0;                   ///< of its functions
    std::uint64_t refused = 0;       ///< functions that are not as in the program
    std::string_view problem, hint;  ///< why nothing is known
};

/// Those that are worth a word, most expensive first.
std::vector<InlinedObject> inlined_objects(const CallGraph& graph, const InlineMaps& known) {
    if (!known.problem.empty() || graph.profile().has_inlined()) return {};
    const auto& profile = graph.profile();
    const auto measure = default_measure(graph);
    std::vector<InlinedObject> all(profile.object_count());
    std::set<std::string_view> read;
    for (const InlineMap& map : known.maps) read.insert(map.object);
    for (std::size_t row = 0; row < graph.size(); ++row) {
        const NodeId node(row);
        all[profile.object(graph.function(node)).value].self += graph.self(node, measure);
    }
    for (std::size_t row = 0; row < all.size(); ++row) {
        all[row].object = ObjectId(row);
        if (!read.contains(profile.name(ObjectId(row)))) all[row].problem = "its records have no addresses";
    }
    for (const FunctionId function : known.stale) ++all[profile.object(function).value].refused;
    for (const auto& missing : known.missing) {
        all[missing.object.value].problem = missing.problem;
        all[missing.object.value].hint = missing.hint;
    }
    const auto least = hardly_any * static_cast<double>(graph.total(measure));
    std::erase_if(all, [&](const InlinedObject& object) {
        return object.object == ObjectId(0U) || static_cast<double>(object.self) < least;
    });
    std::stable_sort(all.begin(), all.end(),
                     [](const InlinedObject& a, const InlinedObject& b) { return a.self > b.self; });
    return all;
}

// --- text -------------------------------------------------------------------------------------------------

class SummaryText {
  public:
    SummaryText(const SummaryInput& input, const engine::Style& style, std::string& out)
        : input_(input),
          graph_(input.graph),
          measures_(shown_measures(input)),
          events_(shown_events(input)),
          diagnostics_(input.diagnostics),
          limit_(input.limit),
          inlined_(input.inlined),
          style_(style),
          out_(out),
          parts_(engine::selected_part_facts(input.graph)),
          own_parts_(own_parts(input, parts_)),
          is_import_(is_import(input)) {}

    void write() {
        write_origin();
        write_events();
        write_derived_events();
        write_contents();
        if (profile().parts().size() > 1) write_parts();
        const bool may_be_inlined = !is_import_ || profile().has_inlined();
        if (inlined_ != nullptr && may_be_inlined && engine::known_objects(profile()) > 0) write_inlined();
        write_diagnostics();
    }

  private:
    [[nodiscard]] const Profile& profile() const { return graph_.profile(); }

    void title(std::string_view text) {
        out_ += fmt::format("\n{}\n", paint(text, engine::Tone::heading, style_));
    }

    void rest(std::size_t left_out, std::string_view noun) {
        if (left_out == 0) return;
        out_ += paint(fmt::format("  ({})  --limit 0 lists all\n", counted(left_out, noun, style_)),
                      engine::Tone::dim, style_);
    }

    void write_origin() {
        Table facts({{}, {}});
        const auto fact = [&](const char* name, std::string_view value) {
            if (!value.empty()) facts.add_row({{name, engine::Tone::dim}, engine::display_name(value)});
        };
        const auto sources = profile().sources();
        for (std::size_t i = 0; i < sources.size(); ++i) {
            const auto& source = sources[i];
            const auto* file = import_of(input_, i);
            auto size = file != nullptr ? engine::bytes(file->bytes)
                                        : fmt::format("{}, {}", engine::bytes(source.bytes),
                                                      counted(source.lines, "line", style_));
            facts.add_row({{"profile", engine::Tone::dim},
                           {engine::source_name(source), engine::Tone::strong, {std::move(size)}}});
        }
        fact("format", fmt::format("{}", fmt::join(formats(input_, &ImportedFile::kind), ", ")));
        fact("version", engine::first_text(own_parts_, &Part::version));
        fact("creator", creator_of(input_, own_parts_));
        fact("command", engine::first_text(parts_, &Part::command));
        if (parts_.size() == 1) {
            fact("pid", parts_.front()->pid.text);
            fact("part", parts_.front()->part.text);
            fact("thread", parts_.front()->thread.text);
            fact("time range", parts_.front()->timerange);
            fact("trigger", parts_.front()->trigger);
            std::size_t builds = 0;
            for (const std::string_view description : parts_.front()->descriptions) {
                if (description.starts_with("Build-id: ")) {
                    ++builds;
                } else if (!says_nothing(description)) {
                    fact("desc", description);
                }
            }
            if (builds > 0) fact("build IDs", fmt::format("of {}", counted(builds, "object", style_)));
            for (const auto& [key, value] : parts_.front()->other_headers) fact(key.c_str(), value);
        }
        fact("positions", fmt::format("{}", fmt::join(engine::position_names(own_parts_), " ")));
        facts.write(out_, style_);
    }

    [[nodiscard]] std::string_view sum_title() const { return is_import_ ? "total" : "sum of lines"; }

    std::string declared_text(EventId event, std::optional<Costs> Part::*line) {
        const auto [any, declared_cost, lines] = declared(parts_, event, line, events_of_parts_);
        if (!any) return "-";
        if (declared_cost == lines) return "equal";
        const auto beyond = declared_cost - lines;
        return fmt::format("{} ({})", cost(declared_cost, style_), difference(beyond, style_));
    }

    void write_events() {
        const auto shown = std::min(events_.size(), limit_ == 0 ? events_.size() : usual_events);
        const auto self = engine::add_up(parts_).self;
        title("Event types and totals");
        std::vector<Column> columns{{"event"}, {std::string(sum_title()), Align::right}};
        if (!is_import_)
            columns.insert(columns.end(), {{"summary:", Align::right}, {"totals:", Align::right}});
        columns.push_back({"meaning"});
        Table table(std::move(columns));
        for (const EventId id : std::span(events_).first(shown)) {
            const auto& event = profile().events()[id.value];
            const bool additive = event.aggregation == Aggregation::sum;
            auto meaning = meaning_of(event.long_name, event.unit);
            if (!event.unit.empty())
                meaning +=
                    fmt::format("{}[{}]", meaning.empty() ? "" : " ", engine::display_name(event.unit));
            if (!additive) meaning += meaning.empty() ? "not additive" : "; not additive";
            std::vector<Cell> row{engine::display_name(event.name), additive ? cost(self[id], style_) : "-"};
            if (!is_import_)
                for (const auto line : {&Part::summary, &Part::totals})
                    row.emplace_back(additive ? declared_text(id, line) : "-");
            row.emplace_back(std::move(meaning));
            table.add_row(row);
        }
        table.write(out_, style_, 2);
        rest(events_.size() - shown, "more event type");
    }

    void write_derived_events() {
        Table table({{"event"}, {std::string(sum_title()), Align::right}, {"formula"}});
        for (const auto& measure : measures_) {
            if (measure.formula.empty()) continue;
            table.add_row({engine::display_name(measure.name),
                           measure.additive ? cost(graph_.total(measure), style_) : "-",
                           {engine::display_name(measure.formula),
                            engine::Tone::plain,
                            {engine::display_name(measure.long_name)}}});
        }
        if (table.empty()) return;
        title("Derived event types");
        table.write(out_, style_, 2);
    }

    void write_contents() {
        const auto sums = engine::add_up(parts_);
        title("Contents");
        Table table({{}, {"", Align::right}});
        const auto row = [&](const char* what, std::uint64_t number) {
            table.add_row({what, count(number, style_)});
        };
        row("functions", graph_.size());
        row("source files", engine::known_files(profile()));
        row("objects", engine::known_objects(profile()));
        row("call arcs", graph_.arc_count());
        if (!is_import_) row("call records", sums.call_records);
        table.add_row({"calls", calls({sums.call_count, sums.calls_at_least}, style_)});
        if (!is_import_) row("cost lines", sums.cost_lines);
        if (!is_import_) row("jumps", sums.jumps);
        row("cycles", graph_.cycle_count());
        row("parts", parts_.size());
        table.write(out_, style_, 2);
        if (parts_.size() < profile().parts().size()) {
            out_ +=
                paint(fmt::format("  (selected parts: {} of {})\n", parts_.size(), profile().parts().size()),
                      engine::Tone::dim, style_);
        }
    }

    void write_parts() {
        const auto limit = limit_.value_or(default_parts);
        const auto shown = limit == 0 ? parts_.size() : std::min(parts_.size(), limit);
        const auto event = events_.empty() ? EventId(0U) : events_.front();  // it stands for all
        title("Parts");
        std::vector<Column> columns{
            {"pid", Align::right},
            {"part", Align::right},
            {"thread", Align::right},
            {profile().events().empty() ? "" : engine::display_name(profile().events()[event.value].name),
             Align::right}};
        if (!is_import_)
            columns.insert(columns.end(), {{"summary:", Align::right}, {"totals:", Align::right}});
        columns.push_back({std::string(engine::part_details_title(parts_))});
        Table table(std::move(columns));
        const auto number = [](const HeaderNumber& header) {
            return header.text.empty() ? std::string("-") : engine::display_name(header.text);
        };
        for (const auto* part : std::span(parts_).first(shown)) {
            const auto declared_cell = [&](const std::optional<Costs>& costs) {
                if (!costs || !events_of_parts_.has(*part, event)) return std::string("-");
                return (*costs)[event] == part->self[event] ? std::string("equal")
                                                            : cost((*costs)[event], style_);
            };
            std::vector<Cell> row{number(part->pid), number(part->part), number(part->thread),
                                  cost(part->self[event], style_)};
            if (!is_import_)
                row.insert(row.end(), {declared_cell(part->summary), declared_cell(part->totals)});
            row.emplace_back(part_details(*part));
            table.add_row(row);
        }
        table.write(out_, style_, 2);
        rest(parts_.size() - shown, "more part");
    }

    [[nodiscard]] std::string part_details(const Part& part) const {
        std::string details;
        const auto add = [&](const std::string& text) {
            if (text.empty()) return;
            if (!details.empty()) details += "; ";
            details += text;
        };
        add(engine::display_name(engine::thread_name(part)));
        add(engine::display_name(part.timerange));
        add(engine::display_name(part.trigger));
        if (profile().sources().size() > 1) add(engine::source_name(profile().sources()[part.source]));
        return details;
    }

    void write_inlined() {
        title("Inlined code as functions");
        const auto say = [&](std::string_view text, std::string_view hint) {
            out_ += fmt::format("  {}\n", wrapped(engine::display_name(text), 2, style_));
            if (hint.empty()) return;
            const auto what_to_do = wrapped(engine::display_name(hint), 6, style_);
            out_ += fmt::format("      {}\n", paint(what_to_do, engine::Tone::dim, style_));
        };
        if (profile().has_inlined()) return say("as the file says (cfni=)", {});
        if (!inlined_->problem.empty()) return say("not known: " + inlined_->problem, inlined_->hint);
        const auto total = graph_.total(default_measure(graph_));
        for (const auto& [object, self, refused, problem, hint] : inlined_objects(graph_, *inlined_)) {
            const auto text = fmt::format("{} of the cost: ", engine::percent(self, total));
            if (!problem.empty()) {
                say(fmt::format("{}not known, as {}", text, problem), hint);
            } else if (refused > 0) {
                say(fmt::format("{}'{}', but for {} not as in the program", text, profile().name(object),
                                refused == 1 ? "1 function that is"
                                             : fmt::format("{} functions that are", count(refused, style_))),
                    "profile the program again");
            } else {
                say(fmt::format("{}'{}'", text, profile().name(object)), {});
            }
        }
    }

    void write_diagnostics() {
        const auto diagnostics = by_severity(diagnostics_);
        if (diagnostics.empty()) {
            title("Diagnostics: none");
            return;
        }
        title("Diagnostics");
        for (const auto* diagnostic : diagnostics) {
            const auto& kind = kind_of(diagnostic->id);
            const auto severity =
                paint(fmt::format("{}:", to_string(kind.severity)), engine::tone_of(kind.severity), style_);
            out_ += fmt::format("  {} {}\n", severity,
                                wrapped(fmt::format("{} [{}]", kind.message, kind.name), 6, style_));
            auto where = counted(diagnostic->count, "time", style_);
            if (!diagnostic->places.empty() && diagnostic->places.front().line > 0) {
                const auto& place = diagnostic->places.front();
                where +=
                    fmt::format(", {} {}", diagnostic->count == 1 ? "at" : "first at",
                                engine::place_text(engine::source_name(profile().sources()[place.source]),
                                                   place.line, place.column));
            } else if (!diagnostic->places.empty() && !diagnostic->places.front().excerpt.empty()) {
                // Not about a line: about a function or an event type.
                where += fmt::format(": {}{}", engine::display_name(diagnostic->places.front().excerpt),
                                     diagnostic->count == 1 ? "" : ", ...");
            }
            out_ += fmt::format("      {}\n", where);
            if (!kind.hint.empty())
                out_ += fmt::format("      {}\n",
                                    paint(wrapped(kind.hint, 6, style_), engine::Tone::dim, style_));
        }
    }

    const SummaryInput& input_;
    const CallGraph& graph_;
    std::vector<Measure> measures_;
    std::vector<EventId> events_;
    const std::vector<Diagnostic>& diagnostics_;
    std::optional<std::size_t> limit_;
    const InlineMaps* inlined_;
    const engine::Style& style_;
    std::string& out_;
    std::vector<const Part*> parts_, own_parts_;
    bool is_import_;
    engine::EventsOfParts events_of_parts_;
};

// --- JSON -------------------------------------------------------------------------------------------------

/// The costs of these columns.
void write_columns(engine::JsonWriter& json, std::string_view name, const Profile& profile,
                   std::span<const EventId> events, const Costs& costs) {
    json.key(name);
    json.begin_object();
    for (const EventId event : events) json.member(profile.events()[event.value].name, costs[event]);
    json.end_object();
}

/// Only those that are not 0: where columns are very many.
void write_nonzero_columns(engine::JsonWriter& json, std::string_view name, const Profile& profile,
                           std::span<const EventId> events, const Costs& costs) {
    json.key(name);
    json.begin_object();
    for (const auto& [event, cost] : costs.cells()) {
        if (std::binary_search(events.begin(), events.end(), event))
            json.member(profile.events()[event.value].name, cost);
    }
    json.end_object();
}

void write_events(engine::JsonWriter& json, const std::vector<Measure>& measures) {
    json.key("events");
    json.begin_array(engine::JsonLayout::rows);
    for (const auto& measure : measures) {
        json.begin_object();
        json.member("name", measure.name);
        json.member("long_name", engine::if_any(measure.long_name));
        engine::write_unit(json, measure.unit);
        json.member("formula", engine::if_any(measure.formula));
        json.member("additive", measure.additive);
        json.end_object();
    }
    json.end_array();
}

/// A number, the text if it is none, null if there is no such header line.
void write_header_number(engine::JsonWriter& json, std::string_view name, const HeaderNumber& header) {
    json.key(name);
    if (header.number) {
        json.value(*header.number);
    } else {
        json.value(engine::if_any(header.text));
    }
}

void write_part(engine::JsonWriter& json, const Profile& profile, std::span<const EventId> shown,
                const Part& part, bool is_import) {
    const bool is_sparse = shown.size() > engine::max_costs_with_zeros;
    std::vector<EventId> events;
    if (!is_sparse) {
        for (const EventId event : shown)
            if (std::find(part.events.begin(), part.events.end(), event) != part.events.end())
                events.push_back(event);
    }
    const auto write_costs = [&](std::string_view name, const std::optional<Costs>& costs) {
        if (!costs) {
            json.key(name);
            json.null();
        } else if (is_sparse) {
            write_nonzero_columns(json, name, profile, shown, *costs);
        } else {
            write_columns(json, name, profile, events, *costs);
        }
    };
    json.begin_object();
    json.member("file", profile.sources()[part.source].name);
    write_header_number(json, "part", part.part);
    write_header_number(json, "thread", part.thread);
    write_header_number(json, "pid", part.pid);
    json.member("timerange", engine::if_any(part.timerange));
    json.member("trigger", engine::if_any(part.trigger));
    write_costs("self", part.self);
    write_costs("summary", is_import ? std::nullopt : part.summary);
    write_costs("totals", is_import ? std::nullopt : part.totals);
    json.end_object();
}

void write_inlined(engine::JsonWriter& json, const CallGraph& graph, const InlineMaps& known) {
    json.key("inlined_code");
    json.begin_object(engine::JsonLayout::rows);
    json.member("problem", engine::if_any(known.problem));
    json.member("hint", engine::if_any(known.hint));
    json.key("objects");
    json.begin_array(engine::JsonLayout::rows);
    for (const auto& [object, self, refused, problem, hint] : inlined_objects(graph, known)) {
        json.begin_object();
        json.member("object", graph.profile().name(object));
        json.member("self", self);
        json.member("refused_functions", refused);
        json.member("problem", engine::if_any(problem));
        json.member("hint", engine::if_any(hint));
        json.end_object();
    }
    json.end_array();
    json.end_object();
}

void write_diagnostics(engine::JsonWriter& json, const Profile& profile,
                       const std::vector<Diagnostic>& diagnostics) {
    json.key("diagnostics");
    json.begin_array(engine::JsonLayout::rows);
    for (const auto* diagnostic : by_severity(diagnostics)) {
        const auto& kind = kind_of(diagnostic->id);
        const auto place = diagnostic->places.empty() ? Place{} : diagnostic->places.front();
        json.begin_object();
        json.member("id", kind.name);
        json.member("severity", to_string(kind.severity));
        json.member("count", diagnostic->count);
        json.key("first");
        json.begin_object();
        const bool has_file = place.line > 0 && place.source < profile.sources().size();
        json.member("file", has_file ? std::optional(profile.sources()[place.source].name) : std::nullopt);
        json.member("line", place.line);
        json.member("column", place.column);
        json.member("message", kind_of(diagnostic->id).message);
        json.end_object();
        json.end_object();
    }
    json.end_array();
}

}  // namespace

void write_summary(std::string& out, const SummaryInput& input, const engine::Style& style) {
    SummaryText(input, style, out).write();
}

void write_summary(engine::JsonWriter& json, const SummaryInput& input) {
    const auto& profile = input.graph.profile();
    const auto parts = engine::selected_part_facts(input.graph);
    const auto sums = engine::add_up(parts);
    const auto events = shown_events(input);

    json.member("schema", "callcost.info/1");
    json.key("files");
    json.begin_array();
    for (const auto& source : profile.sources()) json.value(source.name);
    json.end_array();
    const auto own = own_parts(input, parts);
    const auto names = formats(input, &ImportedFile::format);
    json.member("format", names.size() == 1 ? std::string_view(names.front()) : "several");
    const auto creator = creator_of(input, own);
    json.member("creator", engine::if_any(creator));
    json.member("command", engine::if_any(engine::first_text(parts, &Part::command)));
    json.key("positions");
    json.begin_array();
    for (const auto position : engine::position_names(own)) json.value(position);
    json.end_array();
    write_events(json, shown_measures(input));
    json.key("parts");
    json.begin_array(engine::JsonLayout::rows);
    for (const auto* part : parts)
        write_part(json, profile, events, *part, import_of(input, part->source) != nullptr);
    json.end_array();
    write_columns(json, "self", profile, events, sums.self);
    json.member("functions", input.graph.size());
    json.member("files_count", engine::known_files(profile));
    json.member("objects", engine::known_objects(profile));
    json.member("arcs", input.graph.arc_count());
    json.member("call_records", sums.call_records);
    json.member("call_count", sums.call_count);
    write_columns(json, "inclusive_sum", profile, events, sums.inclusive);
    json.member("cost_lines", sums.cost_lines);
    json.member("jumps", sums.jumps);
    json.member("cycles", input.graph.cycle_count());
    if (input.inlined != nullptr) write_inlined(json, input.graph, *input.inlined);
    write_diagnostics(json, profile, input.diagnostics);
}

}  // namespace callcost::program
