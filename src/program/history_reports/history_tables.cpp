#include "history_reports/history_tables.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "history/entry_origin.hpp"
#include "history_reports/entry_lists.hpp"
#include "history_reports/line_chart.hpp"
#include "series/cost_series.hpp"
#include "terminal/output.hpp"
#include "terminal/text_table.hpp"
#include "text/columns.hpp"
#include "text/csv.hpp"
#include "text/json.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"

namespace callcost::program {
namespace {

using engine::display_name;

constexpr std::size_t sparkline_width = 24;

/// Names that are not known are written `???` in profiles.
std::string known_name(const std::string& name) { return name == "???" ? std::string() : display_name(name); }

Cell function_cell(const StoredFunction& function, std::string_view remark = {}) {
    const auto file = known_name(function.file), object = known_name(function.object);
    std::vector<std::string> places;
    if (!object.empty())
        places.push_back(file.empty() ? fmt::format("[{}]", object) : fmt::format("{} [{}]", file, object));
    if (!file.empty()) places.push_back(file);
    return {NameText{{}, display_name(function.name), std::string(remark)}, engine::Tone::plain,
            std::move(places)};
}

engine::Tone tone_of(const Change& change) {
    return change.after > change.before ? engine::Tone::hot : engine::Tone::good;
}

/// `12 entries of series 'parse', from 2026-01-01 to 2026-11-25, branch main`
std::string heading(const HistoryQuestion& question) {
    const auto& entries = question.entries;
    auto text = fmt::format("{} {} of series '{}'", entries.size(), entries.size() == 1 ? "entry" : "entries",
                            display_name(question.series()));
    const auto day = [](const Entry& entry) { return minutes_text(entry.facts.time).substr(0, 10); };
    if (entries.size() > 1) text += fmt::format(", {} to {}", day(entries.front()), day(entries.back()));
    const auto& branch = entries.front().facts.branch;
    const bool one_branch = std::all_of(entries.begin(), entries.end(),
                                        [&](const Entry& entry) { return entry.facts.branch == branch; });
    if (one_branch && !branch.empty()) text += ", branch " + display_name(branch);
    return text + '\n';
}

void write_names(engine::JsonWriter& json, const StoredFunction& function) {
    json.member("function", function.name);
    json.member("file", engine::if_any(function.file));
    json.member("object", engine::if_any(function.object));
}

void write_names(engine::CsvWriter& csv, const StoredFunction& function) {
    for (const std::string& text : {function.name, function.file, function.object})
        text.empty() ? csv.empty() : csv.text(text);
}

void write_change(engine::JsonWriter& json, const HistoryQuestion& question, const ChangePoint& point) {
    write_entry_facts(json, question.entries[point.at]);
    json.member("subject", engine::if_any(question.entries[point.at].subject));
    json.member("before", point.level.before);
    json.member("after", point.level.after);
}

void write_values(engine::JsonWriter& json, std::string_view name,
                  const std::vector<std::optional<Cost>>& values) {
    json.key(name);
    json.begin_array();
    for (const auto& value : values) json.value(value);
    json.end_array();
}

void write_entries_member(engine::JsonWriter& json, const HistoryQuestion& question) {
    json.objects("entries", question.entries, [&](const Entry& entry) { write_entry_facts(json, entry); });
}

// --- the total --------------------------------------------------------------------------------------------

void write_total_json(std::string& out, const HistoryQuestion& question, const TotalHistory& history) {
    engine::JsonWriter json(out);
    json.begin_object(engine::JsonLayout::rows);
    json.member("schema", "callcost.history.show/1");
    json.member("series", question.series());
    json.member("event", question.event);
    json.member("exact", history.is_exact);
    write_entries_member(json, question);
    write_values(json, "totals", history.totals);
    json.objects("changes", history.changes, [&](const TotalChange& change) {
        write_change(json, question, change.point);
        json.objects(
            "functions", change.functions,
            [&](const FunctionChange& function) {
                write_names(json, function.function);
                json.member("before", function.cost.before);
                json.member("after", function.cost.after);
            },
            engine::JsonLayout::line);
        if (!change.inclusive) return;
        json.key("inclusive");
        json.begin_object();
        write_names(json, change.inclusive->function);
        json.member("before", change.inclusive->cost.before);
        json.member("after", change.inclusive->cost.after);
        json.end_object();
    });
    json.end_object();
    out += '\n';
}

void write_total_csv(std::string& out, const HistoryQuestion& question, const TotalHistory& history,
                     const OutputOptions& options) {
    engine::CsvWriter csv(out, csv_names(options));
    csv.header({"series", "commit", "time", "event", "total", "changed"});
    std::vector<bool> changed(history.totals.size());
    for (const TotalChange& change : history.changes) changed[change.point.at] = true;
    for (std::size_t i = 0; i < history.totals.size(); ++i) {
        const auto& facts = question.entries[i].facts;
        csv.text(facts.series);
        csv.text(facts.commit);
        csv.text(utc_text(facts.time));
        csv.text(question.event);
        history.totals[i] ? csv.number(*history.totals[i]) : csv.empty();
        csv.text(changed[i] ? "yes" : "no");
        csv.end_row();
    }
}

void write_total_text(std::string& out, const HistoryQuestion& question, const TotalHistory& history,
                      const engine::Style& style) {
    out += heading(question);
    const Change whole = ends(history.totals);
    out += fmt::format("total  {} -> {} {}  {}\n", engine::cost(whole.before, style),
                       engine::cost(whole.after, style), display_name(question.event),
                       change_text(whole.before, whole.after));
    if (!history.is_exact)
        out += fmt::format("noise  {:.2g}%: changes are those of the level, not of single entries\n",
                           history.noise * 100);
    out += '\n';
    std::vector<std::size_t> marks;
    for (const TotalChange& change : history.changes) marks.push_back(change.point.at);
    write_line_chart(out, history.totals, marks, style);
    if (history.changes.empty()) {
        out += "\nNo entry changed the total.\n";
        return;
    }
    out += "\nEntries that changed the total, and the functions that changed most, by self cost\n";
    Table table({{"time (UTC)"}, {"commit"}, {"change", Align::right}, {"", Align::right}, {"function"}});
    const auto shown = std::min(question.limit, history.changes.size());
    for (std::size_t i = history.changes.size(); i-- > history.changes.size() - shown;) {
        const TotalChange& change = history.changes[i];
        const auto& level = change.point.level;
        const auto& facts = question.entries[change.point.at].facts;
        table.add_row({minutes_text(facts.time),
                       facts.commit.empty() ? "" : entry_label(facts),
                       {engine::difference(level.delta(), style), tone_of(level)},
                       {change_text(level.before, level.after), tone_of(level)},
                       subject_cell(question.entries[change.point.at])});
        const auto add = [&](const FunctionChange& function, std::string_view remark) {
            table.add_row({"", "", engine::difference(function.cost.delta(), style),
                           function.cost.before == 0 ? "new"
                           : function.cost.after == 0
                               ? "removed"
                               : change_text(function.cost.before, function.cost.after),
                           function_cell(function.function, remark)});
        };
        for (const FunctionChange& function : change.functions) add(function, {});
        if (change.inclusive) add(*change.inclusive, "  (inclusive)");
    }
    table.write(out, style);
    if (shown < history.changes.size())
        out += fmt::format("({} older)  --limit 0 lists all\n", history.changes.size() - shown);
}

// --- functions --------------------------------------------------------------------------------------------

void write_functions_json(std::string& out, const std::vector<SeriesFunctions>& series) {
    engine::JsonWriter json(out);
    json.begin_object(engine::JsonLayout::rows);
    json.member("schema", "callcost.history.functions/1");
    json.key("series");
    json.begin_array(engine::JsonLayout::rows);
    for (const SeriesFunctions& one : series) {
        json.begin_object(engine::JsonLayout::rows);
        json.member("series", one.question.series());
        json.member("event", one.question.event);
        json.member("cost", one.question.by_inclusive ? "inclusive" : "self");
        write_entries_member(json, one.question);
        json.objects("rows", one.functions.rows, [&](const FunctionHistory& row) {
            write_names(json, row.function);
            write_values(json, "costs", row.costs);
            json.objects(
                "changes", row.changes.points,
                [&](const ChangePoint& point) { write_change(json, one.question, point); },
                engine::JsonLayout::line);
        });
        json.member("omitted", one.functions.omitted);
        json.end_object();
    }
    json.end_array();
    json.end_object();
    out += '\n';
}

void write_functions_csv(std::string& out, const std::vector<SeriesFunctions>& series,
                         const OutputOptions& options) {
    engine::CsvWriter csv(out, csv_names(options));
    csv.header({"series", "function", "file", "object", "commit", "time", "event", "cost"});
    for (const SeriesFunctions& one : series)
        for (const FunctionHistory& row : one.functions.rows)
            for (std::size_t i = 0; i < row.costs.size(); ++i) {
                if (!row.costs[i]) continue;
                const auto& facts = one.question.entries[i].facts;
                csv.text(facts.series);
                write_names(csv, row.function);
                csv.text(facts.commit);
                csv.text(utc_text(facts.time));
                csv.text(one.question.event);
                csv.number(*row.costs[i]);
                csv.end_row();
            }
}

std::string cost_kind(const HistoryQuestion& question) {
    return fmt::format("{} {}", question.by_inclusive ? "inclusive" : "self", display_name(question.event));
}

void write_one_function(std::string& out, const HistoryQuestion& question, const FunctionHistory& row,
                        const engine::Style& style) {
    const Change whole = ends(row.costs);
    out += fmt::format("{}  {} -> {}  {}\n\n", cost_kind(question), engine::cost(whole.before, style),
                       engine::cost(whole.after, style), change_text(whole.before, whole.after));
    std::vector<std::size_t> marks;
    for (const ChangePoint& point : row.changes.points) marks.push_back(point.at);
    write_line_chart(out, row.costs, marks, style);
    if (marks.empty()) {
        out += "\nNo entry changed it.\n";
        return;
    }
    out += '\n';
    std::vector<Column> columns{{"time (UTC)"},           {"commit"},
                                {"before", Align::right}, {"after", Align::right},
                                {"change", Align::right}, {"", Align::right}};
    const bool with_subjects = has_subjects(question.entries);
    if (with_subjects) columns.push_back({"subject"});
    Table table(std::move(columns));
    for (std::size_t i = row.changes.points.size(); i-- > 0;) {
        const ChangePoint& point = row.changes.points[i];
        const auto& facts = question.entries[point.at].facts;
        std::vector<Cell> cells{minutes_text(facts.time),
                                facts.commit.empty() ? "" : entry_label(facts),
                                engine::cost(point.level.before, style),
                                engine::cost(point.level.after, style),
                                {engine::difference(point.level.delta(), style), tone_of(point.level)},
                                {change_text(point.level.before, point.level.after), tone_of(point.level)}};
        if (with_subjects) cells.push_back(subject_cell(question.entries[point.at]));
        table.add_row(cells);
    }
    table.write(out, style);
}

/// `2026-11-25 1a2b3c4d5e6f +1.5%`, in cells.
std::vector<Cell> change_cells(const HistoryQuestion& question, const FunctionHistory& row) {
    if (row.changes.points.empty()) return {"", "", ""};
    const ChangePoint& point = row.changes.points.back();
    const auto& facts = question.entries[point.at].facts;
    return {minutes_text(facts.time).substr(0, 10),
            facts.commit.empty() ? "" : entry_label(facts),
            {change_text(point.level.before, point.level.after), tone_of(point.level)}};
}

void write_functions_text(std::string& out, const SeriesFunctions& series, const engine::Style& style) {
    out += heading(series.question);
    const auto& rows = series.functions.rows;
    if (rows.size() == 1) {
        Table name({{""}});
        name.add_row({function_cell(rows.front().function)});
        name.write(out, style);
        write_one_function(out, series.question, rows.front(), style);
        return;
    }
    out += fmt::format("{}, and the last change of each function\n\n", cost_kind(series.question));
    Table table({{"trend"},
                 {"first", Align::right},
                 {"newest", Align::right},
                 {"changed"},
                 {"commit"},
                 {"change", Align::right},
                 {"function"}});
    for (const FunctionHistory& row : rows) {
        const Change whole = ends(row.costs);
        std::vector<Cell> cells = {sparkline(thinned(row.costs, sparkline_width), style.unicode),
                                   engine::cost(whole.before, style),
                                   row.costs.back() ? engine::cost(*row.costs.back(), style) : "removed"};
        for (auto& cell : change_cells(series.question, row)) cells.push_back(std::move(cell));
        cells.push_back(function_cell(row.function));
        table.add_row(cells);
    }
    table.write(out, style);
    if (series.functions.omitted > 0)
        out += fmt::format("({} more functions)  --limit 0 lists all\n", series.functions.omitted);
}

void write_blame_text(std::string& out, const SeriesFunctions& functions, const engine::Style& style) {
    const auto& question = functions.question;
    out += heading(question);
    out +=
        fmt::format("The most expensive functions of the newest entry, by {}, and what changed each last\n\n",
                    cost_kind(question));
    const auto total = totals_of(question.entries, question.event).back().value_or(Cost());
    Table table({{question.by_inclusive ? "inclusive" : "self", Align::right},
                 {"", Align::right},
                 {"changed"},
                 {"commit"},
                 {"change", Align::right},
                 {"function"}});
    for (const FunctionHistory& row : functions.functions.rows) {
        if (!row.costs.back()) continue;
        std::vector<Cell> cells = {engine::cost(*row.costs.back(), style),
                                   total == 0 ? "" : engine::percent(*row.costs.back(), total)};
        for (auto& cell : change_cells(question, row)) cells.push_back(std::move(cell));
        cells.push_back(function_cell(row.function));
        table.add_row(cells);
    }
    table.write(out, style);
    if (functions.functions.omitted > 0)
        out += fmt::format("({} more functions)  --limit 0 lists all\n", functions.functions.omitted);
}

}  // namespace

void write_total_history(std::string& out, const HistoryQuestion& question, const TotalHistory& history,
                         const OutputOptions& options, const engine::Style& style) {
    if (options.json) {
        write_total_json(out, question, history);
    } else if (options.csv) {
        write_total_csv(out, question, history, options);
    } else {
        write_total_text(out, question, history, style);
    }
}

void write_function_histories(std::string& out, const std::vector<SeriesFunctions>& series,
                              const OutputOptions& options, const engine::Style& style) {
    if (options.json) {
        write_functions_json(out, series);
    } else if (options.csv) {
        write_functions_csv(out, series, options);
    } else {
        for (const SeriesFunctions& one : series) {
            if (!out.empty()) out += '\n';
            write_functions_text(out, one, style);
        }
    }
}

void write_blame(std::string& out, const std::vector<SeriesFunctions>& series, const OutputOptions& options,
                 const engine::Style& style) {
    if (options.json || options.csv) {
        write_function_histories(out, series, options, style);
        return;
    }
    for (const SeriesFunctions& one : series) {
        if (!out.empty()) out += '\n';
        write_blame_text(out, one, style);
    }
}

void write_function_sums(std::string& out, const std::vector<FunctionSum>& sums,
                         const std::vector<HistoryQuestion>& questions, std::size_t limit,
                         const OutputOptions& options, const engine::Style& style) {
    std::size_t entries = 0;
    Cost total = 0;
    for (const HistoryQuestion& question : questions) {
        entries += question.entries.size();
        for (const auto& cost : totals_of(question.entries, question.event)) total += cost.value_or(Cost());
    }
    const auto& event = questions.front().event;
    const auto shown = std::min(limit, sums.size());
    const auto rows = std::span(sums).first(shown);
    engine::RowColumns<FunctionSum> columns;
    const auto name = [&](std::string_view title, std::string StoredFunction::*text) {
        columns.add(title, [text](const FunctionSum& sum) { return std::string_view(sum.function.*text); });
    };
    name("function", &StoredFunction::name);
    name("file", &StoredFunction::file);
    name("object", &StoredFunction::object);
    columns.add({"event"}, {}, [&event](engine::CsvWriter& csv, const FunctionSum&) { csv.text(event); });
    columns.add("self", [](const FunctionSum& sum) { return sum.cost.self; });
    columns.add("inclusive", [](const FunctionSum& sum) { return sum.cost.inclusive; });
    columns.add("calls", [](const FunctionSum& sum) { return sum.cost.calls; });
    columns.add("entries", [](const FunctionSum& sum) { return sum.entries; });
    if (options.json) {
        engine::JsonWriter json(out);
        json.begin_object(engine::JsonLayout::rows);
        json.member("schema", "callcost.history.sum/1");
        json.member("event", event);
        json.member("entries", entries);
        json.member("total", total);
        columns.write(json, "rows", rows);
        json.end_object();
        out += '\n';
        return;
    }
    if (options.csv) {
        engine::CsvWriter csv(out, csv_names(options));
        columns.write(csv, rows);
        return;
    }
    out += fmt::format("{} {} of {} series\ntotal  {} {}\n\n", entries, entries == 1 ? "entry" : "entries",
                       questions.size(), engine::cost(total, style), display_name(event));
    Table table({{"self", Align::right},
                 {"self%", Align::right},
                 {"inclusive", Align::right},
                 {"calls", Align::right},
                 {"entries", Align::right},
                 {"function"}});
    for (std::size_t i = 0; i < shown; ++i) {
        const auto& cost = sums[i].cost;
        table.add_row({engine::cost(cost.self, style), total == 0 ? "" : engine::percent(cost.self, total),
                       engine::cost(cost.inclusive, style),
                       engine::cost(static_cast<std::int64_t>(cost.calls), style),
                       engine::cost(static_cast<std::int64_t>(sums[i].entries), style),
                       function_cell(sums[i].function)});
    }
    table.write(out, style);
    if (shown < sums.size())
        out += fmt::format("({} more functions)  --limit 0 lists all\n", sums.size() - shown);
}

}  // namespace callcost::program
