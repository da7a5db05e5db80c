#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "commands/commands.hpp"
#include "loading/preparation.hpp"
#include "reports/answer.hpp"
#include "reports/filtering.hpp"
#include "reports/function_list.hpp"
#include "reports/group_list.hpp"
#include "summary/summary.hpp"
#include "text/names.hpp"
#include "text/profile_facts.hpp"
#include <callcost/groups.hpp>

namespace callcost::program {
namespace {

struct TopOptions {
    InputOptions input;
    MeasureOptions measure;
    FilterOptions filters;
    OutputOptions output;
    std::optional<SortBy> sort;
    std::optional<GroupBy> group;
    std::optional<std::size_t> limit;  ///< 0: all
    std::optional<double> threshold;   ///< a share from 0 to 1
    std::vector<std::string> advice;   ///< how to see all rows, longest first; empty: by options of `top`
};

constexpr std::size_t default_functions = 25;

/// How to see the rows that are left out, as long and as short as can be.
std::vector<std::string> advice(const TopOptions& options) {
    if (!options.advice.empty()) return options.advice;
    if (options.threshold) return {"--limit 0 --threshold 0 lists all", "-n0 --threshold 0"};
    return {"--limit 0 lists all", "--limit 0"};
}

FunctionsOptions list_options(const TopOptions& options, const Console& console,
                              const PreparedProfile& prepared) {
    FunctionsOptions wanted;
    wanted.measure = prepared.measure;
    wanted.by = options.sort.value_or(SortBy::self);
    wanted.limit = limit_or(options.limit, options.output, default_functions);
    wanted.threshold = options.threshold.value_or(0);
    if (wanted.by == SortBy::inclusive && !engine::has_inclusive(prepared.graph, prepared.measure)) {
        console.say(Severity::note, "no inclusive costs available; sorted by self cost");
        wanted.by = SortBy::self;
    }
    return wanted;
}

// --- functions --------------------------------------------------------------------------------------------

void write_rows(std::string& out, const PreparedProfile& prepared, const FunctionList& list,
                const Filtering& filtering, const TopOptions& options, SortBy by,
                const engine::Style& style) {
    write_heading(out, prepared.graph, prepared.measure, style);
    filtering.write_note(out, style);
    if (!filtering) {
        const auto summary = engine::summarize(prepared.graph, prepared.measure);
        if (!summary.empty())
            out += '\n' + to_text(summary, percentage_base(prepared.graph, prepared.measure), style);
    }
    out += '\n';
    write_function_table(
        out, prepared.graph, prepared.measure, list,
        {.advice = filtering ? Filtering::advice() : advice(options), .kept = filtering.kept(), .by = by},
        style);
}

void write_rows(engine::JsonWriter& json, const PreparedProfile& prepared, const FunctionList& list,
                const Filtering& filtering) {
    const auto measures = machine_measures(prepared);
    write_measures(json, prepared.graph, prepared.measure, measures);
    filtering.write(json);
    const ContextNames contexts(prepared.profile());
    function_columns(prepared.graph, contexts, measures, filtering.kept())
        .write(json, "rows", nodes_of(list));
    write_omitted(json, prepared.graph, list, measures, filtering.kept());
    write_cycles(json, prepared.graph, measures);
}

void write_rows(engine::CsvWriter& csv, const PreparedProfile& prepared, const FunctionList& list,
                const Filtering& filtering) {
    const ContextNames contexts(prepared.profile());
    const auto measures = table_measures(prepared);
    function_columns(prepared.graph, contexts, measures, filtering.kept()).write(csv, nodes_of(list));
}

// --- groups -----------------------------------------------------------------------------------------------

void write_rows(std::string& out, const PreparedProfile& prepared, const engine::FilteredGroups& list,
                const Filtering& filtering, const TopOptions& options, SortBy by,
                const engine::Style& style) {
    write_heading(out, prepared.graph, prepared.measure, style);
    filtering.write_note(out, style);
    out += '\n';
    write_group_table(out, prepared.graph, prepared.measure, list,
                      {.advice = filtering ? Filtering::advice() : advice(options),
                       .is_filtered = static_cast<bool>(filtering),
                       .by = by},
                      style);
}

void write_rows(engine::JsonWriter& json, const PreparedProfile& prepared, const engine::FilteredGroups& list,
                const Filtering& filtering) {
    json.member("group", to_string(list.by));
    write_measures(json, prepared.graph, prepared.measure, {prepared.measure});
    filtering.write(json);
    const std::vector measures = {prepared.measure};
    group_columns(prepared.graph, measures, list.by, static_cast<bool>(filtering))
        .write(json, "rows", list.rows);
    json.key("omitted");
    json.begin_object();
    json.member("rows", list.omitted_rows);
    write_costs(json, "self", measures, [&](const Measure&) { return list.omitted_self; });
    json.end_object();
}

void write_rows(engine::CsvWriter& csv, const PreparedProfile& prepared, const engine::FilteredGroups& list,
                const Filtering& filtering) {
    const std::vector measures = {prepared.measure};
    group_columns(prepared.graph, measures, list.by, static_cast<bool>(filtering)).write(csv, list.rows);
}

int show(const PreparedProfile& prepared, const TopOptions& options, const Console& console) {
    if (options.group && !prepared.measure.additive) {
        console.say(Severity::error,
                    fmt::format("{} is not additive: no groups", engine::display_name(prepared.measure.name)),
                    "'callcost info --events' shows which event types are additive; --event selects one");
        return status(Exit::usage);
    }
    auto wanted = list_options(options, console, prepared);
    const Filtering filtering(prepared, options.filters);
    filtering.say_if_empty(console);
    filtering.apply(wanted);

    const auto write = [&](const auto& list) {
        const AnswerForms forms = {
            .schema = "callcost.top/1",
            .text =
                [&](Output& output) {
                    write_rows(output.text(), prepared, list, filtering, options, wanted.by, console.out);
                },
            .json = [&](engine::JsonWriter& json, Output&) { write_rows(json, prepared, list, filtering); },
            .csv = [&](engine::CsvWriter& csv, Output&) { write_rows(csv, prepared, list, filtering); }};
        return write_answer(prepared, options.input, options.output, forms, console);
    };
    if (!options.group) return write(functions(prepared.graph, wanted));
    return write(engine::filtered_groups(prepared.graph, *options.group, wanted, filtering.functions()));
}

int run_top(const TopOptions& options, const Console& console) {
    const auto prepared =
        prepare(options.input, options.measure, console, least_detail(options.input.selection));
    return prepared ? show(*prepared, options, console) : status(prepared.error());
}

}  // namespace

int show_functions(const PreparedProfile& prepared, const InputOptions& input, std::size_t limit,
                   std::vector<std::string> advice, const Console& console) {
    TopOptions options;
    options.input = input;
    options.limit = limit;
    options.advice = std::move(advice);
    return show(prepared, options, console);
}

Run top_command(CommandLine& line) {
    line.describe("[OPTION...] [FILE...]",
                  "List the most expensive functions, or groups of functions.\n\nPATTERN is part of a "
                  "function, file or object name, or a regular expression (RE2) between slashes. "
                  "function:PATTERN, file:PATTERN and object:PATTERN match one of the three names only.");
    line.examples({{"top", "most expensive functions of the newest profile here"},
                   {"top --inclusive callgrind.out.4711", "with what they call"},
                   {"top --group object callgrind.out.4711", "by library"}});
    line.common({"--event", "--focus", "--ignore", "--show", "--hide", "--sort", "--inclusive", "--limit",
                 "--threshold", "--group", "--json", "--csv"});
    const auto options = std::make_shared<TopOptions>();
    line.words(options->input.files);
    declare_input(line, options->input);
    declare_inlined(line, options->input);
    line.heading("Selection");
    declare_event(line, options->measure);
    declare_filters(line, options->filters);
    declare_sort(line, options->sort);
    declare_inclusive(line, options->sort);
    declare_limit(line, options->limit, "show N rows; 0: all (default: 25)");
    line.percentage("--threshold", "omit rows below this share of the total", options->threshold);
    line.choice<GroupBy>("--group", "BY", "group by object, file, directory, namespace or cycle",
                         {{"object", GroupBy::object},
                          {"file", GroupBy::file},
                          {"directory", GroupBy::directory},
                          {"namespace", GroupBy::name_space},
                          {"cycle", GroupBy::cycle}},
                         options->group);
    declare_output(line, options->output);
    return [options] { return run_top(*options, open_console(options->output)); };
}

}  // namespace callcost::program
