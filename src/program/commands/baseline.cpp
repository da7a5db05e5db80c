#include "commands/baseline.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "commands/diff.hpp"
#include "comparison/baseline_files.hpp"
#include "comparison/setting.hpp"
#include "loading/preparation.hpp"
#include "output/written_profile.hpp"
#include "reports/function_list.hpp"
#include "terminal/output.hpp"
#include "terminal/text_table.hpp"
#include "text/csv.hpp"
#include "text/json.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"
#include <callcost/callcost.hpp>

namespace callcost::program {
namespace {

namespace fs = std::filesystem;
using engine::display_name;

Exit fail(const Console& console, const std::string& text, const std::string& hint = {}) {
    console.say(Severity::error, text, hint);
    return Exit::error;
}

std::optional<fs::path> path_or_complaint(const Options& options, const std::string& name,
                                          const Console& console) {
    const auto path = path_of(options.baseline.directory, name);
    if (path) return *path;
    console.say(Severity::error, path.error());
    return std::nullopt;
}

/// The one that the command line names.
std::optional<Baseline> named_baseline(const Options& options, const Console& console) {
    const auto path = path_or_complaint(options, options.baseline.names.front(), console);
    if (!path) return std::nullopt;
    auto baseline = read_baseline(*path);
    if (baseline) return *std::move(baseline);
    console.say(Severity::error, fmt::format("{}: {}", display_name(path->string()), baseline.error()),
                "'callcost baseline list' shows those that there are");
    return std::nullopt;
}

/// Nothing, with a word about why, if the directory cannot be read.
std::optional<std::vector<Baseline>> all_baselines(const Options& options, const Console& console) {
    auto found = read_baselines(options.baseline.directory);
    if (!found) {
        console.say(Severity::error,
                    fmt::format("{}: {}", display_name(options.baseline.directory), found.error()),
                    "'callcost baseline save NAME FILE' makes a baseline, --dir says where they are");
        return std::nullopt;
    }
    for (const auto& problem : found->problems) console.say(Severity::warning, problem);
    return std::move(found->all);
}

/// Those that a baseline has.
std::vector<Measure> event_types(const CallGraph& graph) {
    auto all = measures(graph.profile());
    std::erase_if(all, [](const Measure& measure) { return !measure.formula.empty() || !measure.additive; });
    return all;
}

// --- save -------------------------------------------------------------------------------------------------

Exit save(const Options& options, const Console& console) {
    const auto& name = options.baseline.names.front();
    const auto path = path_or_complaint(options, name, console);
    if (!path) return Exit::usage;
    std::error_code problem;
    if (fs::exists(*path, problem) && !options.baseline.replace)
        return fail(console, fmt::format("there is a baseline '{}' already", display_name(name)),
                    "--replace writes another one in its place");
    const auto prepared = prepare(options, console, least_detail(options.selection));
    if (!prepared) return prepared.error();
    if (prepared->exit != Exit::ok) return prepared->exit;  // a baseline that misses an input would be wrong
    if (const auto why = damage(*prepared); !why.empty() && !options.comparison.force)
        return fail(console, fmt::format("nothing is saved: {}", why), "--force saves what there is");
    if (event_types(prepared->graph).empty())
        return fail(console, "nothing is saved: no event type of the profile adds up");
    fs::create_directories(options.baseline.directory, problem);
    if (problem)
        return fail(console,
                    fmt::format("{}: {}", display_name(options.baseline.directory), problem.message()));
    BaselineFacts facts{.saved = utc_time(), .note = options.baseline.note, .creator = {}};
    for (const PartId part : prepared->graph.parts())
        if (facts.creator.empty()) facts.creator = prepared->profile().parts()[part.value].creator;
    const auto exit =
        write_file(path->string(), files_of(prepared->profile()), console,
                   [&](const Sink& sink) { return write_baseline(prepared->graph, facts, sink); });
    if (exit == Exit::ok)
        console.say(Severity::note,
                    fmt::format("saved {} of {}", engine::bytes(fs::file_size(*path, problem)),
                                display_name(path->string())));
    return exit;
}

// --- list, show -------------------------------------------------------------------------------------------

std::string_view command_of(const CallGraph& graph) {
    for (const PartId part : graph.parts())
        if (const auto command = graph.profile().parts()[part.value].command; !command.empty())
            return command;
    return {};
}

void write_facts(engine::JsonWriter& json, const Baseline& baseline) {
    json.member("name", baseline.name);
    json.member("saved", engine::if_any(baseline.facts.saved));
    json.member("note", engine::if_any(baseline.facts.note));
    json.member("creator", engine::if_any(baseline.facts.creator));
    json.member("command", engine::if_any(command_of(baseline.graph)));
}

void write_list_text(std::string& out, const std::vector<Baseline>& all, const engine::Style& style) {
    Table table({{"total", Align::right}, {"event"}, {"saved"}, {"name"}});
    for (const Baseline& baseline : all) {
        const auto measure = default_measure(baseline.graph);
        Cell name(display_name(baseline.name));
        if (!baseline.facts.note.empty()) name.details = {"  " + display_name(baseline.facts.note)};
        table.add_row({engine::cost(baseline.graph.total(measure), style), display_name(measure.name),
                       display_name(baseline.facts.saved), std::move(name)});
    }
    table.write(out, style);
}

void write_list_csv(std::string& out, const std::vector<Baseline>& all, const Options& options) {
    engine::CsvWriter csv(out, csv_names(options));
    csv.header({"name", "saved", "note", "event", "total"});
    for (const Baseline& baseline : all)
        for (const Measure& measure : event_types(baseline.graph)) {
            csv.text(baseline.name);
            csv.text(baseline.facts.saved);
            csv.text(baseline.facts.note);
            csv.text(measure.name);
            csv.number(baseline.graph.total(measure));
            csv.end_row();
        }
}

Exit list(const Options& options, const Console& console) {
    const auto all = all_baselines(options, console);
    if (!all) return Exit::error;
    Output output(console, options);
    if (options.json) {
        engine::JsonWriter json(output.text());
        json.begin_object(engine::JsonLayout::rows);
        json.member("schema", "callcost.baselines/1");
        json.key("rows");
        json.begin_array(engine::JsonLayout::rows);
        for (const Baseline& baseline : *all) {
            json.begin_object();
            write_facts(json, baseline);
            json.key("totals");
            json.begin_object();
            for (const Measure& measure : event_types(baseline.graph))
                json.member(measure.name, baseline.graph.total(measure));
            json.end_object();
            json.end_object();
        }
        json.end_array();
        json.end_object();
        output.text() += '\n';
    } else if (options.csv) {
        write_list_csv(output.text(), *all, options);
    } else {
        write_list_text(output.text(), *all, console.out);
    }
    return output.finish() ? Exit::ok : Exit::error;
}

Exit show(const Options& options, const Console& console) {
    const auto baseline = named_baseline(options, console);
    if (!baseline) return Exit::error;
    const auto& graph = baseline->graph;
    auto measure = options.event.empty() ? Result<Measure>(default_measure(graph))
                                         : find_measure(graph.profile(), options.event);
    if (!measure)
        return fail(console, fmt::format("the baseline does not record '{}'", display_name(options.event)));
    FunctionsOptions wanted;
    wanted.measure = *measure;
    wanted.limit = limit_or(options, 10);
    const auto rows = functions(graph, wanted);
    Output output(console, options);
    auto& out = output.text();
    if (options.json) {
        engine::JsonWriter json(out);
        json.begin_object(engine::JsonLayout::rows);
        json.member("schema", "callcost.baseline/1");
        write_facts(json, *baseline);
        write_measures(json, graph, *measure, event_types(graph));
        write_function_rows(json, "rows", graph, rows, event_types(graph));
        json.end_object();
        out += '\n';
    } else if (options.csv) {
        engine::CsvWriter csv(out, csv_names(options));
        write_function_rows(csv, graph, rows, event_types(graph));
    } else {
        out += fmt::format("{}, saved {}{}{}\n", display_name(baseline->name),
                           display_name(baseline->facts.saved), baseline->facts.note.empty() ? "" : ": ",
                           display_name(baseline->facts.note));
        write_heading(out, graph, *measure, console.out);
        out += '\n';
        write_function_table(out, graph, *measure, rows, {}, console.out);
    }
    return output.finish() ? Exit::ok : Exit::error;
}

// --- compare, prune ---------------------------------------------------------------------------------------

int compare_with(const Options& options, const Console& console) {
    if (!named_baseline(options, console)) return status(Exit::error);  // and with a word about why
    Options diff = options;
    const auto path = path_of(options.baseline.directory, options.baseline.names.front());
    diff.comparison.before = {path->string()};
    diff.comparison.after = options.files;
    diff.files.clear();
    return run_diff(diff, console);
}

Exit remove(const Options& options, const std::string& name, const Console& console) {
    const auto path = path_of(options.baseline.directory, name);
    std::error_code problem;
    if (!fs::remove(*path, problem))
        return fail(console, fmt::format("{}: {}", display_name(path->string()),
                                         problem ? problem.message() : std::string("it is not there")));
    console.say(Severity::note, fmt::format("removed {}", display_name(path->string())));
    return Exit::ok;
}

/// The names are looked at before the first one is removed.
Exit prune(const Options& options, const Console& console) {
    std::vector<std::string> names;
    for (const auto& name : options.baseline.names) {
        if (std::find(names.begin(), names.end(), name) != names.end()) continue;
        names.push_back(name);
        const auto path = path_or_complaint(options, name, console);
        if (!path) return Exit::usage;
        const auto baseline = read_baseline(*path);
        if (!baseline)
            return fail(console, fmt::format("{}: {}", display_name(path->string()), baseline.error()));
    }
    if (options.baseline.keep) {
        const auto all = all_baselines(options, console);
        if (!all) return Exit::error;
        const auto kept = std::min(*options.baseline.keep, all->size());
        for (auto baseline = all->begin(); baseline != all->end() - static_cast<std::ptrdiff_t>(kept);
             ++baseline)
            if (std::find(names.begin(), names.end(), baseline->name) == names.end())
                names.push_back(baseline->name);
    }
    auto exit = Exit::ok;
    for (const auto& name : names)
        if (const auto removed = remove(options, name, console); removed != Exit::ok) exit = removed;
    return exit;
}

}  // namespace

int run_baseline(const Options& options, const Console& console) {
    switch (options.baseline.verb.value_or(BaselineVerb::list)) {
        case BaselineVerb::save:
            return status(save(options, console));
        case BaselineVerb::show:
            return status(show(options, console));
        case BaselineVerb::compare:
            return compare_with(options, console);
        case BaselineVerb::prune:
            return status(prune(options, console));
        case BaselineVerb::list:
            break;
    }
    return status(list(options, console));
}

}  // namespace callcost::program
