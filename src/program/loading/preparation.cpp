#include "loading/preparation.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "loading/filled_names.hpp"
#include "loading/inlined_code.hpp"
#include "loading/inlined_in_both.hpp"
#include "query/query.hpp"
#include "terminal/threads.hpp"
#include "text/diagnostics.hpp"
#include "text/input_names.hpp"
#include "text/json.hpp"
#include "text/names.hpp"
#include "text/profile_facts.hpp"
#include "text/shell.hpp"

namespace callcost::program {
namespace {

void report_error(const Console& console, const Error& error) {
    console.say(Severity::error, engine::display_name(error.message()), error.hint());
}

/// The formula of the command line as if it were a line of a file, with its caret.
void report_formula(const Console& console, const std::string& formula, const engine::QueryError& error) {
    Place place;
    place.line = 1;
    place.excerpt = formula;
    place.excerpt_column = static_cast<std::uint32_t>(error.column);
    std::string message;
    engine::write_message(message, Severity::error, error.message, {}, console.err);
    engine::write_excerpt(message, place, console.err);
    console.print_error(message);
}

std::string source_name(const Profile& profile, const Place& place) {
    const auto sources = profile.sources();
    return place.source < sources.size() ? engine::source_name(sources[place.source])
                                         : std::string("profile");
}

struct MeasureName {
    const std::string& text;
    bool is_sort_key = false;  ///< the other words of --sort may have been meant
};

std::optional<Measure> chosen_measure(const CallGraph& graph, const Measures& measures,
                                      const MeasureName& wanted, const Console& console) {
    const auto& name = wanted.text;
    if (name.empty()) return default_measure(graph);
    std::vector<std::string_view> others;
    if (wanted.is_sort_key)
        for (const auto& known : sort_keys) others.push_back(known.word);
    auto measure = engine::find_measure(graph.profile(), measures, name, {}, others);
    if (measure) return *std::move(measure);
    if (measure.error().id == "bad-formula") {
        report_formula(console, name, measure.error());
    } else {
        console.say(Severity::error, engine::display_name(measure.error().message),
                    engine::display_name(measure.error().hint));
    }
    return std::nullopt;
}

/// Those of --columns.
std::optional<std::vector<Measure>> shown_measures(const CallGraph& graph, const Measures& measures,
                                                   const MeasureOptions& wanted, const Console& console) {
    std::vector<Measure> shown;
    std::set<std::string> names;
    for (const auto& name : wanted.shown) {
        auto measure = chosen_measure(graph, measures, {name}, console);
        if (!measure) return std::nullopt;
        if (names.insert(measure->name).second) shown.push_back(*std::move(measure));
    }
    return shown;
}

/// Reports that the default event type is not the first one because the total of that is 0.
void note_choice(const Console& console, const PreparedProfile& prepared) {
    for (const auto& measure : prepared.measures) {
        if (measure.name == prepared.measure.name) return;
        if (!measure.additive || !measure.formula.empty()) continue;
        console.say(
            Severity::note,
            fmt::format("the total of {} is 0; using {} (--event NAME selects another)",
                        engine::display_name(measure.name), engine::display_name(prepared.measure.name)));
        return;
    }
}

/// Warns of parts that do not record the event type and so add nothing.
void note_parts_without(const Console& console, const CallGraph& graph, const Measure& measure) {
    engine::EventsOfParts events;
    std::size_t all = 0;
    std::size_t without = 0;
    const Part* first = nullptr;
    for (const auto* part : engine::selected_part_facts(graph)) {
        if (part->cost_lines + part->call_records == 0) continue;
        ++all;
        const auto is_recorded = [&](const auto& term) { return events.has(*part, term.first); };
        if (std::any_of(measure.terms.begin(), measure.terms.end(), is_recorded)) continue;
        if (without++ == 0) first = part;
    }
    if (without == 0 || without == all) return;
    console.say(Severity::warning,
                fmt::format("{} of {} parts do not record {}, first in {}", without, all,
                            engine::display_name(measure.name),
                            engine::source_name(graph.profile().sources()[first->source])),
                "'callcost info --events' lists the recorded event types; --event selects one");
}

bool is_fatal(const Diagnostic& diagnostic, const Strict& strict) {
    if (std::find(strict.ids.begin(), strict.ids.end(), diagnostic.id) != strict.ids.end()) return true;
    return strict.everything && kind_of(diagnostic.id).severity != Severity::note;
}

/// The first places of some diagnostics, with excerpt and caret.
void show_places(const PreparedProfile& prepared, const Console& console,
                 const std::vector<const Diagnostic*>& diagnostics) {
    constexpr std::size_t max_places = 2;
    constexpr std::size_t max_kinds = 4;
    std::string text;
    for (std::size_t i = 0; i < std::min(diagnostics.size(), max_kinds); ++i) {
        const auto& diagnostic = *diagnostics[i];
        const auto shown = std::min(diagnostic.places.size(), max_places);
        for (std::size_t k = 0; k < shown; ++k) {
            const auto& place = diagnostic.places[k];
            engine::write_diagnostic(text, diagnostic.id, place, source_name(prepared.profile(), place),
                                     console.err);
        }
        if (diagnostic.places.empty()) {
            engine::write_diagnostic(text, diagnostic.id, {}, source_name(prepared.profile(), {}),
                                     console.err);
        }
        if (diagnostic.count > std::max<std::size_t>(shown, 1)) {
            text += fmt::format("  (and {} more [{}])\n", diagnostic.count - std::max<std::size_t>(shown, 1),
                                kind_of(diagnostic.id).name);
        }
    }
    console.print_error(text);
}

/// True if the command may go on.
bool accept_diagnostics(const PreparedProfile& prepared, const InputOptions& options,
                        const Console& console) {
    std::vector<const Diagnostic*> fatal;
    std::vector<const Diagnostic*> errors;
    std::uint64_t counts[3] = {};  // by Severity
    for (const auto& diagnostic : prepared.diagnostics) {
        const auto severity = kind_of(diagnostic.id).severity;
        counts[static_cast<std::size_t>(severity)] += diagnostic.count;
        // A truncated profile lacks costs: every command reports it.
        if (severity == Severity::error || diagnostic.id == DiagnosticId::truncated_file)
            errors.push_back(&diagnostic);
        if (is_fatal(diagnostic, options.strict)) fatal.push_back(&diagnostic);
    }
    if (!fatal.empty()) {
        show_places(prepared, console, fatal);
        console.say(Severity::error, "stopped because of --strict");
        return false;
    }
    if (console.quiet || options.lists_diagnostics) return true;
    show_places(prepared, console, errors);
    const auto text = engine::severity_counts(counts[2], counts[1], counts[0], console.err);
    if (counts[1] + counts[2] == 0) return true;  // notes are shown by `info` only
    const auto sources = prepared.profile().sources();
    const bool is_named = sources.size() == 1 && !engine::is_standard_input(sources.front());
    const auto files = sources.size() == 1 ? engine::source_name(sources.front()) : "the profiles";
    std::vector<std::string> info = {"callcost", "info"};
    if (is_named) info.emplace_back(sources.front().name);
    console.say(counts[2] > 0 ? Severity::warning : Severity::note,
                fmt::format("{} in {}; {} lists them", text, files, engine::quoted_command(info)));
    return true;
}

Result<CallGraph> graph_of(const Profile& profile, const InputOptions& options) {
    constexpr std::size_t many_arcs = 100'000;  // to start a thread takes as long as some thousands
    const auto allowed = options.threads > 0 ? options.threads : default_concurrency();
    ThreadPool threads(profile.arc_count() < many_arcs ? 1 : std::min(2U, allowed));
    return call_graph(profile, options.selection, threads.concurrency() > 1 ? threads.run_all() : RunAll{});
}

}  // namespace

Exit refuse_units(const Console& console, const std::string& difference) {
    console.say(Severity::error, "the profiles cannot be added up: " + difference,
                "give those of one unit at a time");
    return Exit::not_comparable;
}

std::vector<Diagnostic> all_diagnostics(const CallGraph& graph, const Measures& measures) {
    const auto& profile = graph.profile();
    std::vector<Diagnostic> all(profile.diagnostics().begin(), profile.diagnostics().end());
    for (const auto& more : {measures.diagnostics(), analysis_diagnostics(graph)}) {
        all.insert(all.end(), more.begin(), more.end());
    }
    return all;
}

Detail least_detail(const Selection& selection) {
    const bool chooses = !selection.parts.empty() || !selection.threads.empty() || !selection.pids.empty();
    return chooses ? Detail::full : Detail::functions;
}

namespace {

std::optional<Input> read_named(const InputOptions& options, const Console& console, Detail detail,
                                const OnReading& on_reading = {}) {
    auto input = read_input(options, console, detail, on_reading);
    if (!input) return std::nullopt;
    auto named = with_names(input->profile, options, console);
    if (!named) return std::nullopt;
    input->profile = *std::move(named);
    return input;
}

tl::expected<PreparedProfile, Exit> prepared(Input input, const InputOptions& options,
                                             const MeasureOptions& wanted, const Console& console) {
    if (const auto& difference = input.difference_of_units; !difference.empty())
        return tl::unexpected(refuse_units(console, difference));
    auto graph = graph_of(input.profile, options);
    if (!graph && graph.error().code == ErrorCode::nothing_selected) {
        const auto error = engine::selection_error(graph.error(), "--part, --thread, --pid");
        console.say(Severity::error, error.message, error.hint);
        return tl::unexpected(Exit::usage);
    }
    if (!graph) {
        report_error(console, graph.error());
        return tl::unexpected(Exit::error);
    }
    const Measures measures(input.profile);
    auto measure = chosen_measure(*graph, measures, {wanted.event, wanted.event_is_sort_key}, console);
    if (!measure) return tl::unexpected(Exit::usage);
    auto shown = shown_measures(*graph, measures, wanted, console);
    if (!shown) return tl::unexpected(Exit::usage);
    PreparedProfile prepared{std::move(input.not_profiles),
                             input.is_complete ? Exit::ok : Exit::error,
                             *graph,
                             measures.all(),
                             *std::move(measure),
                             *std::move(shown),
                             all_diagnostics(*graph, measures),
                             std::move(input.imported),
                             std::move(input.stacks)};
    if (!accept_diagnostics(prepared, options, console)) return tl::unexpected(Exit::error);
    if (!wanted.is_noted) return prepared;
    if (wanted.event.empty()) note_choice(console, prepared);
    note_parts_without(console, prepared.graph, prepared.measure);
    return prepared;
}

}  // namespace

tl::expected<PreparedProfile, Exit> prepare(const InputOptions& options, const MeasureOptions& wanted,
                                            const Console& console, Detail detail,
                                            const OnReading& on_reading) {
    auto input = read_named(options, console, detail, on_reading);
    if (!input) return tl::unexpected(Exit::error);
    input->profile = with_inlined_functions(input->profile, options, console, detail);
    return prepared(*std::move(input), options, wanted, console);
}

tl::expected<ComparedProfiles, Exit> prepare_compared(const InputOptions& before, const InputOptions& after,
                                                      const Console& console, Detail detail) {
    // Names that only one side gets from a symbol table would look like changes.
    const auto read = [&](const InputOptions& side, const char* map_option) -> std::optional<Input> {
        auto input = read_input(side, console, detail);
        if (!input) return std::nullopt;
        auto named = with_mapped_names(input->profile, side.perf_map, map_option, console);
        if (!named) return std::nullopt;
        input->profile = *std::move(named);
        return input;
    };
    auto old = read(before, "--old-perf-map");
    if (!old) return tl::unexpected(Exit::error);
    auto now = read(after, "--new-perf-map");
    if (!now) return tl::unexpected(Exit::error);
    auto both =
        show_inlined_in_both({old->profile, program_search(old->profile, before.programs)},
                             {now->profile, program_search(now->profile, after.programs)}, after.inlined);
    say(both.notes, console);
    old->profile = std::move(both.before.profile);
    now->profile = std::move(both.after.profile);
    auto select_old = before, select_now = after;
    if (both.inlined_before == Inlined::in_host) select_old.selection.inlined = Inlined::in_host;
    if (both.inlined_after == Inlined::in_host) select_now.selection.inlined = Inlined::in_host;
    auto prepared_old = prepared(*std::move(old), select_old, {}, console);
    if (!prepared_old) return tl::unexpected(prepared_old.error());
    auto prepared_now = prepared(*std::move(now), select_now, {}, console);
    if (!prepared_now) return tl::unexpected(prepared_now.error());
    return ComparedProfiles{*std::move(prepared_old), *std::move(prepared_now)};
}

engine::View PreparedProfile::view() const {
    engine::View view;
    view.after.selected = std::make_shared<engine::GraphView>(graph);
    view.after.measure = measure;
    view.after.columns = {measure};
    view.after.stacks = &stacks;
    return view;
}

std::uint64_t bytes_read(const Profile& profile) {
    std::uint64_t bytes = 0;
    for (const auto& source : profile.sources()) bytes += source.bytes;
    return bytes;
}

engine::OutputLimit output_limit(const InputOptions& input, const Profile& profile) {
    return {unless_forced(input, engine::output_budget), bytes_read(profile)};
}

void write_origin(engine::JsonWriter& json, std::string_view schema, const PreparedProfile& prepared) {
    std::uint64_t counts[3] = {};  // by Severity
    for (const auto& diagnostic : prepared.diagnostics)
        counts[static_cast<std::size_t>(kind_of(diagnostic.id).severity)] += diagnostic.count;
    const auto parts = engine::selected_part_facts(prepared.graph);
    json.member("schema", schema);
    json.key("profile");
    json.begin_object();
    json.key("files");
    json.begin_array();
    for (const auto& source : prepared.profile().sources()) json.value(source.name);
    json.end_array();
    json.member("creator", engine::if_any(engine::first_text(parts, &Part::creator)));
    json.member("command", engine::if_any(engine::first_text(parts, &Part::command)));
    json.member("errors", counts[static_cast<std::size_t>(Severity::error)]);
    json.member("warnings", counts[static_cast<std::size_t>(Severity::warning)]);
    json.end_object();
}

std::vector<Measure> machine_measures(const PreparedProfile& prepared) {
    if (!prepared.shown.empty()) return prepared.shown;
    std::vector<Measure> chosen;
    bool has_asked_for = false;
    for (const auto& measure : prepared.measures) {
        if (!measure.formula.empty()) continue;
        has_asked_for = has_asked_for || measure.name == prepared.measure.name;
        chosen.push_back(measure);
    }
    if (!has_asked_for && !prepared.measure.name.empty()) chosen.push_back(prepared.measure);
    constexpr std::size_t most = 5'000'000;  // costs to look up, where nearly all are 0
    const auto rows = prepared.graph.size() + prepared.graph.arc_count();
    if (chosen.size() > engine::max_costs_with_zeros && chosen.size() > most / std::max<std::size_t>(rows, 1))
        return {prepared.measure};
    return chosen;
}

std::vector<Measure> table_measures(const PreparedProfile& prepared) {
    auto measures = machine_measures(prepared);
    const bool are_chosen = !prepared.shown.empty();
    return are_chosen || measures.size() <= engine::max_costs_with_zeros
               ? std::move(measures)
               : std::vector<Measure>{prepared.measure};
}

std::vector<Measure> measured_first(const PreparedProfile& prepared, const OutputOptions& options) {
    std::vector<Measure> measures = {prepared.measure};
    if (!options.json && !options.csv) return measures;
    for (auto& measure : table_measures(prepared)) {
        if (measure.name != prepared.measure.name) measures.push_back(std::move(measure));
    }
    return measures;
}

std::size_t limit_or(std::optional<std::size_t> limit, const OutputOptions& options, std::size_t usual) {
    const auto rows = limit.value_or(options.csv ? 0 : usual);
    return rows == 0 ? std::numeric_limits<std::size_t>::max() : rows;
}

}  // namespace callcost::program
