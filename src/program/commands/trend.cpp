#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "commands/commands.hpp"
#include "comparison/baseline_files.hpp"
#include "history/entry_name.hpp"
#include "history/entry_origin.hpp"
#include "history_reports/entry_lists.hpp"
#include "loading/preparation.hpp"
#include "series/trend_series.hpp"
#include "terminal/output.hpp"
#include "terminal/text_table.hpp"
#include "text/csv.hpp"
#include "text/diagnostics.hpp"
#include "text/json.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"

namespace callcost::program {
namespace {

struct TrendCommandOptions {
    InputOptions input;
    MeasureOptions measure;
    OutputOptions output;
    std::string directory = ".callcost";
    std::string series;                ///< of the history, instead of baselines
    std::optional<std::size_t> limit;  ///< 0: all
    std::optional<double> threshold;   ///< a share from 0 to 1
};

struct Profiles {
    std::vector<std::string> names, saved;
    std::vector<CallGraph> graphs;
};

/// Those of the history, if a series is named; else the baselines, if the directory is there. Errors are
/// said.
tl::expected<Profiles, Exit> kept_profiles(const TrendCommandOptions& options, const Console& console) {
    Profiles profiles;
    const auto fail = [&](const StoreProblem& problem) {
        say(console, problem);
        return tl::unexpected(Exit::error);
    };
    if (!options.series.empty()) {
        const auto store = open_store(options.input.store, StoreUse::read);
        if (!store) return fail(store.error());
        const auto name = parse_entry_name("history:" + options.series);
        if (!name) return fail(name.error());
        const auto entries = find_entries(**store, *name);
        if (!entries) return fail(entries.error());
        for (const Entry& entry : *entries) {
            auto input = options.input;
            input.files = {exact_name(entry)};
            const auto prepared = prepare(input, {}, console, least_detail(options.input.selection));
            if (!prepared) return tl::unexpected(prepared.error());
            profiles.names.push_back(entry_label(entry.facts));
            profiles.saved.push_back(utc_text(entry.facts.time));
            profiles.graphs.push_back(prepared->graph);
        }
        return profiles;
    }
    const auto saved = read_baselines(options.directory);
    if (!saved && options.input.files.empty())
        return fail({fmt::format("{}: {}", engine::display_name(options.directory), saved.error()),
                     "'callcost baseline save NAME FILE' creates a baseline; --dir names the directory"});
    if (!saved) return profiles;
    for (const auto& problem : saved->problems) console.say(Severity::warning, problem);
    for (const auto& baseline : saved->all) {
        profiles.names.push_back(baseline.name);
        profiles.saved.push_back(baseline.facts.saved);
        profiles.graphs.push_back(baseline.graph);
    }
    return profiles;
}

/// Behind them each file of the command line.
tl::expected<Profiles, Exit> profiles_of(const TrendCommandOptions& options, const Console& console) {
    auto profiles = kept_profiles(options, console);
    if (!profiles) return profiles;
    for (const auto& file : options.input.files) {
        auto input = options.input;
        input.files = {file};
        const auto prepared = prepare(input, {}, console, least_detail(options.input.selection));
        if (!prepared) return tl::unexpected(prepared.error());
        profiles->names.push_back(file);
        profiles->saved.emplace_back();
        profiles->graphs.push_back(prepared->graph);
    }
    if (profiles->graphs.empty()) {
        console.say(Severity::error,
                    fmt::format("no baselines in {}", engine::display_name(options.directory)),
                    "'callcost baseline save NAME FILE' creates one");
        return tl::unexpected(Exit::error);
    }
    return profiles;
}

std::string share(const Change& change) {
    if (change.before == 0) return {};
    const auto text = engine::percent(change.delta(), change.before);
    return change.delta() > 0 ? "+" + text : text;
}

/// A row per series. The columns of change points are omitted if there are none.
class TrendTable {
  public:
    TrendTable(const Profiles& profiles, const char* last_title, const engine::Style& style)
        : profiles_(profiles), last_title_(last_title), style_(style) {}

    void add(const Series& series, const std::vector<ChangePoint>& changes, Cell name) {
        const Change change = ends(series);
        Row row = {
            {sparkline(series, style_.unicode), engine::cost(change.before, style_),
             engine::cost(change.after, style_), engine::difference(change.delta(), style_), share(change)},
            {"", "", ""},
            std::move(name)};
        if (!changes.empty()) {
            const ChangePoint& last = changes.back();
            row.changes = {name_of(last.at), share(last.level), fmt::format("{}", changes.size() - 1)};
            has_changes_ = true;
        }
        rows_.push_back(std::move(row));
    }
    void add_note(std::string text) {
        rows_.push_back({{"", "", "", "", ""}, {"", "", ""}, {std::move(text), engine::Tone::dim}});
    }
    void write(std::string& out) const {
        std::vector<Column> columns = {{"trend"},
                                       {"first", Align::right},
                                       {"last", Align::right},
                                       {"change", Align::right},
                                       {"", Align::right}};
        if (has_changes_)
            columns.insert(columns.end(), {{"last change"}, {"", Align::right}, {"earlier", Align::right}});
        columns.push_back({last_title_});
        Table table(columns);
        for (const Row& row : rows_) {
            auto cells = row.ends;
            if (has_changes_) cells.insert(cells.end(), row.changes.begin(), row.changes.end());
            cells.push_back(row.name);
            table.add_row(cells);
        }
        table.write(out, style_);
    }

  private:
    struct Row {
        std::vector<Cell> ends, changes;
        Cell name;
    };

    [[nodiscard]] std::string name_of(std::size_t profile) const {
        constexpr std::size_t width = 24;
        auto name = engine::display_name(profiles_.names[profile]);
        return style_.width == 0 ? name : engine::shorten(name, width, style_);
    }

    const Profiles& profiles_;
    const char* last_title_;
    const engine::Style& style_;
    std::vector<Row> rows_;
    bool has_changes_ = false;
};

void write_trend_text(std::string& out, const Profiles& profiles, const Trend& trend, std::size_t limit,
                      const engine::Style& style) {
    const auto count = profiles.names.size();
    const auto first = engine::display_name(profiles.names.front());
    out += count == 1 ? fmt::format("1 profile, {}\n\n", first)
                      : fmt::format("{} profiles, from {} to {}\n\n", count, first,
                                    engine::display_name(profiles.names.back()));
    TrendTable totals(profiles, "event type", style);
    for (const TotalTrend& total : trend.totals)
        totals.add(total.totals, total.changes, engine::display_name(total.event));
    totals.write(out);
    if (trend.functions.empty()) {
        out += "\nNo function moved.\n";
        return;
    }
    out += fmt::format("\nFunctions that moved, by self {}\n", engine::display_name(trend.measure.name));
    TrendTable functions(profiles, "function", style);
    const auto shown = std::min(limit, trend.functions.size());
    for (std::size_t i = 0; i < shown; ++i) {
        const FunctionTrend& function = trend.functions[i];
        Cell name(engine::display_name(function.name));
        if (function.file != "???") name.details = {"  " + engine::display_name(function.file)};
        functions.add(function.self, function.changes, std::move(name));
    }
    if (shown < trend.functions.size())
        functions.add_note(fmt::format("({} more)", trend.functions.size() - shown));
    functions.write(out);
}

void write_series(engine::JsonWriter& json, std::string_view name, const Series& series,
                  const std::vector<ChangePoint>& changes) {
    json.key(name);
    json.begin_array();
    for (const auto& value : series) json.value(value);
    json.end_array();
    json.key("changes");
    json.begin_array();
    for (const ChangePoint& change : changes) {
        json.begin_object();
        json.member("profile", change.at);
        json.member("before", change.level.before);
        json.member("after", change.level.after);
        json.end_object();
    }
    json.end_array();
}

void write_trend_json(std::string& out, const Profiles& profiles, const Trend& trend) {
    engine::JsonWriter json(out);
    json.begin_object(engine::JsonLayout::rows);
    json.member("schema", "callcost.trend/1");
    json.key("profiles");
    json.begin_array(engine::JsonLayout::rows);
    for (std::size_t i = 0; i < profiles.names.size(); ++i) {
        json.begin_object();
        json.member("name", profiles.names[i]);
        json.member("saved", engine::if_any(profiles.saved[i]));
        json.end_object();
    }
    json.end_array();
    json.key("totals");
    json.begin_array(engine::JsonLayout::rows);
    for (const TotalTrend& total : trend.totals) {
        json.begin_object();
        json.member("event", total.event);
        write_series(json, "costs", total.totals, total.changes);
        json.end_object();
    }
    json.end_array();
    json.member("event", trend.measure.name);
    json.key("functions");
    json.begin_array(engine::JsonLayout::rows);
    for (const FunctionTrend& function : trend.functions) {
        json.begin_object();
        json.member("function", function.name);
        json.member("file", function.file);
        json.member("object", function.object);
        write_series(json, "self", function.self, function.changes);
        json.end_object();
    }
    json.end_array();
    json.end_object();
    out += '\n';
}

void write_trend_csv(std::string& out, const Profiles& profiles, const Trend& trend,
                     const TrendCommandOptions& options) {
    engine::CsvWriter csv(out, csv_names(options.output));
    csv.header({"kind", "event", "function", "file", "object", "profile", "cost"});
    const auto write = [&](std::string_view event, const FunctionTrend& function, const Series& series) {
        for (std::size_t i = 0; i < series.size(); ++i) {
            if (!series[i]) continue;
            csv.text(function.name.empty() ? "total" : "function");
            csv.text(event);
            for (const auto text : {function.name, function.file, function.object})
                text.empty() ? csv.empty() : csv.text(text);
            csv.text(profiles.names[i]);
            csv.number(*series[i]);
            csv.end_row();
        }
    };
    for (const TotalTrend& total : trend.totals) write(total.event, {}, total.totals);
    for (const FunctionTrend& function : trend.functions) write(trend.measure.name, function, function.self);
}

Exit show_trend(const TrendCommandOptions& options, const Console& console) {
    const auto profiles = profiles_of(options, console);
    if (!profiles) return profiles.error();
    TrendOptions wanted;
    if (!options.measure.event.empty()) wanted.measure = options.measure.event;
    if (options.threshold) wanted.threshold = *options.threshold;
    const auto result = trend(profiles->graphs, wanted);
    if (!result) {
        console.say(Severity::error,
                    fmt::format("{} does not record '{}'", engine::display_name(profiles->names.back()),
                                engine::display_name(options.measure.event)),
                    "'callcost info --events' lists what a profile records");
        return Exit::usage;
    }
    Output output(console);
    if (options.output.json) {
        write_trend_json(output.text(), *profiles, *result);
    } else if (options.output.csv) {
        write_trend_csv(output.text(), *profiles, *result, options);
    } else {
        write_trend_text(output.text(), *profiles, *result, limit_or(options.limit, options.output, 10),
                         console.out);
    }
    return output.finish() ? Exit::ok : Exit::error;
}

int run_trend(const TrendCommandOptions& options, const Console& console) {
    return status(show_trend(options, console));
}

}  // namespace

Run trend_command(CommandLine& line) {
    line.describe("[OPTION...] [FILE...]",
                  "Show how totals, and the functions that changed most, developed over all baselines of a "
                  "directory, oldest first, followed by FILE.");
    const auto options = std::make_shared<TrendCommandOptions>();
    line.words(options->input.files);
    declare_input(line, options->input);
    line.value("--dir", "DIRECTORY", "directory of the baselines (default: .callcost)",
               [options = options.get()](const std::string& text) {
                   if (!text.empty()) options->directory = text;
               });
    line.value("--series", "NAME", "all entries of a series of the history, instead of baselines",
               options->series);
    line.heading("Selection");
    line.value("-e,--event", "NAME", "measure functions by this event type or formula",
               options->measure.event);
    declare_limit(line, options->limit, "show N functions; 0: all (default: 10)");
    line.percentage("--threshold",
                    "omit functions that changed by less than this share of the total (default: 0.1%)",
                    options->threshold);
    declare_output(line, options->output, {.links = false});
    return [options] { return run_trend(*options, open_console(options->output)); };
}

}  // namespace callcost::program
