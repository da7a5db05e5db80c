#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "commands/commands.hpp"
#include "comparison/baseline_files.hpp"
#include "comparison/setting.hpp"
#include "disk/synced.hpp"
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

struct BaselineOptions {
    ComparisonOptions comparison;
    std::string directory = ".callcost";
    std::vector<std::string> words;  ///< behind the subcommand
    std::vector<std::string> names;  ///< of baselines
    std::string note;
    std::optional<std::size_t> keep;  ///< `prune`: as many of the newest
    bool replace = false;
};

namespace fs = std::filesystem;
using engine::display_name;

Exit fail(const Console& console, const std::string& text, const std::string& hint = {}) {
    console.say(Severity::error, text, hint);
    return Exit::error;
}

std::optional<fs::path> path_or_complaint(const BaselineOptions& options, const std::string& name,
                                          const Console& console) {
    const auto path = path_of(options.directory, name);
    if (path) return *path;
    console.say(Severity::error, path.error());
    return std::nullopt;
}

/// The one that the command line names.
std::optional<Baseline> named_baseline(const BaselineOptions& options, const Console& console) {
    const auto path = path_or_complaint(options, options.names.front(), console);
    if (!path) return std::nullopt;
    auto baseline = read_baseline(*path);
    if (baseline) return *std::move(baseline);
    console.say(Severity::error, fmt::format("{}: {}", display_name(path->string()), baseline.error()),
                "'callcost baseline list' lists the baselines");
    return std::nullopt;
}

/// Nothing, with a word about why, if the directory cannot be read.
std::optional<std::vector<Baseline>> all_baselines(const BaselineOptions& options, const Console& console) {
    auto found = read_baselines(options.directory);
    if (!found) {
        console.say(Severity::error, fmt::format("{}: {}", display_name(options.directory), found.error()),
                    "'callcost baseline save NAME FILE' creates a baseline; --dir names the directory");
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

Exit save(const BaselineOptions& options, const Console& console) {
    const auto& name = options.names.front();
    const auto path = path_or_complaint(options, name, console);
    if (!path) return Exit::usage;
    std::error_code problem;
    if (fs::exists(*path, problem) && !options.replace)
        return fail(console, fmt::format("baseline '{}' already exists", display_name(name)),
                    "use --replace to overwrite it");
    auto input = options.comparison.input;
    input.force = options.comparison.force;
    if (input.selection.contexts == Contexts::fold) input.selection.contexts = Contexts::levels;
    const auto prepared =
        prepare(input, options.comparison.measure, console, least_detail(options.comparison.input.selection));
    if (!prepared) return prepared.error();
    if (prepared->exit != Exit::ok) return prepared->exit;  // a baseline that misses an input would be wrong
    if (const auto why = damage(*prepared); !why.empty() && !options.comparison.force)
        return fail(console, fmt::format("not saved: {}", why), "--force saves it anyway");
    if (event_types(prepared->graph).empty())
        return fail(console, "not saved: the profile has no additive event type");
    problem = make_directories(options.directory);
    if (problem)
        return fail(console, fmt::format("{}: {}", display_name(options.directory), problem.message()));
    BaselineFacts facts{.saved = utc_time(), .note = options.note, .creator = {}};
    for (const PartId part : prepared->graph.parts())
        if (facts.creator.empty()) facts.creator = prepared->profile().parts()[part.value].creator;
    const auto exit =
        write_file(path->string(), files_of(prepared->profile()), console,
                   [&](const Sink& sink) { return write_baseline(prepared->graph, facts, sink); },
                   {.replaces = options.replace});
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

void write_list_csv(std::string& out, const std::vector<Baseline>& all, const BaselineOptions& options) {
    engine::CsvWriter csv(out, csv_names(options.comparison.output));
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

Exit list(const BaselineOptions& options, const Console& console) {
    const auto all = all_baselines(options, console);
    if (!all) return Exit::error;
    Output output(console);
    if (options.comparison.output.json) {
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
    } else if (options.comparison.output.csv) {
        write_list_csv(output.text(), *all, options);
    } else {
        write_list_text(output.text(), *all, console.out);
    }
    return output.finish() ? Exit::ok : Exit::error;
}

Exit show(const BaselineOptions& options, const Console& console) {
    const auto baseline = named_baseline(options, console);
    if (!baseline) return Exit::error;
    const auto& graph = baseline->graph;
    auto measure = options.comparison.measure.event.empty()
                       ? Result<Measure>(default_measure(graph))
                       : find_measure(graph.profile(), options.comparison.measure.event);
    if (!measure)
        return fail(console, fmt::format("the baseline does not record '{}'",
                                         display_name(options.comparison.measure.event)));
    FunctionsOptions wanted;
    wanted.measure = *measure;
    wanted.limit = limit_or(options.comparison.limit, options.comparison.output, 10);
    const auto rows = functions(graph, wanted);
    Output output(console);
    auto& out = output.text();
    if (options.comparison.output.json) {
        engine::JsonWriter json(out);
        json.begin_object(engine::JsonLayout::rows);
        json.member("schema", "callcost.baseline/1");
        write_facts(json, *baseline);
        write_measures(json, graph, *measure, event_types(graph));
        write_function_rows(json, "rows", graph, rows, event_types(graph));
        json.end_object();
        out += '\n';
    } else if (options.comparison.output.csv) {
        engine::CsvWriter csv(out, csv_names(options.comparison.output));
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

int compare_with(const BaselineOptions& options, const Console& console) {
    if (!named_baseline(options, console)) return status(Exit::error);  // and with a word about why
    auto comparison = options.comparison;
    comparison.before = {path_of(options.directory, options.names.front())->string()};
    comparison.after = std::exchange(comparison.input.files, {});
    return compare_profiles(comparison, console);
}

Exit remove(const BaselineOptions& options, const std::string& name, const Console& console) {
    const auto path = path_of(options.directory, name);
    std::error_code problem;
    if (!fs::remove(*path, problem))
        return fail(console, fmt::format("{}: {}", display_name(path->string()),
                                         problem ? problem.message() : std::string("not found")));
    console.say(Severity::note, fmt::format("removed {}", display_name(path->string())));
    return Exit::ok;
}

/// The names are looked at before the first one is removed.
Exit prune(const BaselineOptions& options, const Console& console) {
    std::vector<std::string> names;
    for (const auto& name : options.names) {
        if (std::find(names.begin(), names.end(), name) != names.end()) continue;
        names.push_back(name);
        const auto path = path_or_complaint(options, name, console);
        if (!path) return Exit::usage;
        const auto baseline = read_baseline(*path);
        if (!baseline)
            return fail(console, fmt::format("{}: {}", display_name(path->string()), baseline.error()));
    }
    if (options.keep) {
        const auto all = all_baselines(options, console);
        if (!all) return Exit::error;
        const auto kept = std::min(*options.keep, all->size());
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

int run_baseline(const std::string& subcommand, const BaselineOptions& options, const Console& console) {
    if (subcommand == "compare") return compare_with(options, console);
    if (subcommand == "save") return status(save(options, console));
    if (subcommand == "show") return status(show(options, console));
    if (subcommand == "prune") return status(prune(options, console));
    return status(list(options, console));
}

/// Names of baselines, then files.
void share_out_words(const std::string& subcommand, BaselineOptions& options) {
    auto& words = options.words;
    if (subcommand == "prune") {
        options.names = std::exchange(words, {});
        if (options.names.empty() && !options.keep)
            throw UsageError("baseline prune needs names or --keep N");
    } else if (subcommand != "list") {
        if (words.empty())
            throw UsageError("the name of the baseline is missing",
                             fmt::format("such as 'callcost baseline {} main'", subcommand));
        options.names = {words.front()};
        words.erase(words.begin());
    }
    if (subcommand == "save" || subcommand == "compare")
        options.comparison.input.files = std::exchange(words, {});
    if (!words.empty()) throw UsageError(fmt::format("unexpected argument '{}'", words.front()));
}

}  // namespace

Run baseline_command(CommandLine& line) {
    line.describe(
        "save NAME [FILE...] | list | show NAME | compare NAME [FILE...] | prune [NAME...]",
        "Keep summaries of profiles in a directory, to compare later runs with. They are small profiles in "
        "the Callgrind format. 'compare' has the options, outputs and exit status of 'callcost diff'.");
    const auto options = std::make_shared<BaselineOptions>();
    line.subcommand("save", "save a summary of the profile as NAME", options->words);
    line.subcommand("list", "list the baselines", options->words);
    line.subcommand("show", "show the functions of a baseline", options->words);
    line.subcommand("compare", "compare a profile with a baseline", options->words);
    line.subcommand("prune", "remove baselines", options->words);
    declare_input(line, options->comparison.input, InputKind::compared);
    line.value("--dir", "DIRECTORY", "directory of the baselines (default: .callcost)",
               [options = options.get()](const std::string& text) {
                   if (!text.empty()) options->directory = text;
               });
    line.value("--note", "TEXT", "save: store TEXT with the baseline, such as a commit", options->note);
    line.flag("--replace", "save: replace an existing baseline", options->replace);
    line.number("--keep", "prune: remove all but the N newest", options->keep);
    declare_comparison(line, options->comparison);
    line.check([&line, options = options.get()] { share_out_words(line.chosen_subcommand(), *options); });
    const auto subcommand = std::make_shared<std::string>();
    line.check([&line, subcommand] { *subcommand = line.chosen_subcommand(); });
    return [options, subcommand] {
        return run_baseline(*subcommand, *options, open_console(options->comparison.output));
    };
}

}  // namespace callcost::program
