#include "history_reports/entry_lists.hpp"

#include <algorithm>
#include <map>
#include <span>

#include <fmt/format.h>

#include "history/entry_origin.hpp"
#include "terminal/output.hpp"
#include "text/columns.hpp"
#include "text/csv.hpp"
#include "text/json.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"

namespace callcost::program {
namespace {

using engine::display_name;

std::string tags_text(const EntryFacts& facts) {
    std::string text;
    for (const auto& [key, value] : facts.tags)
        text += fmt::format("{}{}={}", text.empty() ? "" : " ", display_name(key), display_name(value));
    return text;
}

bool differ_in_machine(std::span<const Entry> entries) {
    return std::any_of(entries.begin(), entries.end(), [&](const Entry& entry) {
        return entry.facts.machine != entries.front().facts.machine ||
               entry.facts.tags != entries.front().facts.tags;
    });
}

void write_entries_text(std::string& out, const std::vector<Entry>& entries, const std::string& event,
                        std::size_t limit, const engine::Style& style) {
    std::vector<Column> columns{{"time (UTC)"},
                                {"commit"},
                                {display_name(event), Align::right},
                                {"change", Align::right},
                                {"branch"}};
    const auto shown = std::min(limit, entries.size());
    const bool with_subjects = has_subjects(entries);
    const bool with_machines = !with_subjects || differ_in_machine(std::span(entries).last(shown));
    if (with_machines) columns.push_back({"machine, tags"});
    if (with_subjects) columns.push_back({"subject"});
    Table table(std::move(columns));
    const auto totals = totals_of(entries, event);
    const auto before = places_before(entries);
    for (std::size_t i = entries.size(); i-- > entries.size() - shown;) {
        const auto& facts = entries[i].facts;
        const bool is_compared = before[i] && totals[i] && totals[*before[i]];
        std::vector<Cell> cells{minutes_text(facts.time), facts.commit.empty() ? "" : entry_label(facts),
                                totals[i] ? engine::cost(*totals[i], style) : "",
                                is_compared ? change_text(*totals[*before[i]], *totals[i]) : "",
                                display_name(facts.branch)};
        if (with_machines)
            cells.emplace_back(display_name(facts.machine), engine::Tone::plain,
                               std::vector{tags_text(facts)});
        if (with_subjects) cells.push_back(subject_cell(entries[i]));
        table.add_row(cells);
    }
    table.write(out, style);
    if (shown < entries.size()) out += fmt::format("({} older)\n", entries.size() - shown);
}

}  // namespace

std::vector<std::optional<std::size_t>> places_before(const std::vector<Entry>& entries) {
    std::map<std::string_view, std::size_t> newest;  // by branch
    std::vector<std::optional<std::size_t>> places;
    places.reserve(entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const auto [last, is_first] = newest.try_emplace(entries[i].facts.branch, i);
        places.push_back(is_first ? std::nullopt : std::optional(last->second));
        last->second = i;
    }
    return places;
}

bool has_subjects(const std::vector<Entry>& entries) {
    return std::any_of(entries.begin(), entries.end(),
                       [](const Entry& entry) { return !entry.subject.empty(); });
}

Cell subject_cell(const Entry& entry) {
    Cell cell = display_name(entry.subject);
    cell.is_prose = true;
    return cell;
}

std::string change_text(Cost before, Cost after) {
    if (before == after) return "=";
    if (before == 0) return "";
    const auto text = engine::percent(after - before, before);
    return after > before ? "+" + text : text;
}

std::string event_of(const std::vector<Entry>& entries, const std::string& wanted) {
    if (!wanted.empty()) return wanted;
    std::map<std::string, std::size_t> counts;
    for (const Entry& entry : entries)
        for (const auto& total : entry.totals)
            if (total.second != 0) ++counts[total.first];
    // Where it is recorded, instructions are what others follow from.
    if (const auto instructions = counts.find("Ir"); instructions != counts.end()) return "Ir";
    const auto most = std::max_element(counts.begin(), counts.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    std::string first;  // of the newest entry that has any
    for (const Entry& entry : entries) {
        const auto found = std::find_if(entry.events.begin(), entry.events.end(), [&](const auto& event) {
            const auto count = counts.find(event);
            return count != counts.end() && count->second == most->second;
        });
        if (found != entry.events.end()) first = *found;
    }
    return first;
}

std::vector<std::optional<Cost>> totals_of(const std::vector<Entry>& entries, const std::string& event) {
    std::vector<std::optional<Cost>> totals;
    for (const Entry& entry : entries) {
        const auto found = entry.totals.find(event);
        totals.push_back(found == entry.totals.end() ? std::nullopt : std::optional(found->second));
    }
    return totals;
}

std::string entry_label(const EntryFacts& facts) {
    if (facts.commit.empty()) return minutes_text(facts.time);
    return display_name(facts.commit.substr(0, 12)) + (facts.is_modified ? "+" : "");
}

void write_series(std::string& out, const std::vector<SeriesFacts>& series, const OutputOptions& options,
                  const engine::Style& style) {
    engine::RowColumns<SeriesFacts> columns;
    columns.add("series", [](const SeriesFacts& one) { return std::string_view(one.name); });
    columns.add("entries", [](const SeriesFacts& one) { return one.entries; });
    columns.add("newest", [](const SeriesFacts& one) { return utc_text(one.newest); });
    if (options.json) {
        engine::JsonWriter json(out);
        json.begin_object(engine::JsonLayout::rows);
        json.member("schema", "callcost.history.series/1");
        columns.write(json, "rows", series);
        json.end_object();
        out += '\n';
    } else if (options.csv) {
        engine::CsvWriter csv(out, csv_names(options));
        columns.write(csv, series);
    } else if (!series.empty()) {
        Table table({{"entries", Align::right}, {"newest (UTC)"}, {"series"}});
        for (const SeriesFacts& one : series)
            table.add_row({engine::cost(static_cast<std::int64_t>(one.entries), style),
                           minutes_text(one.newest), display_name(one.name)});
        table.write(out, style);
    }
}

void write_entry_facts(engine::JsonWriter& json, const Entry& entry) {
    const auto& facts = entry.facts;
    json.member("commit", engine::if_any(facts.commit));
    json.member("modified", facts.is_modified);
    json.member("branch", engine::if_any(facts.branch));
    json.member("time", utc_text(facts.time));
    json.member("machine", engine::if_any(facts.machine));
    json.key("tags");
    json.begin_object();
    for (const auto& [key, value] : facts.tags) json.member(key, value);
    json.end_object();
}

void write_entries(std::string& out, const std::vector<Entry>& entries, const std::string& event,
                   std::size_t limit, const OutputOptions& options, const engine::Style& style) {
    if (options.json) {
        engine::JsonWriter json(out);
        json.begin_object(engine::JsonLayout::rows);
        json.member("schema", "callcost.history.entries/1");
        json.member("series", entries.empty() ? std::string_view() : entries.front().facts.series);
        json.objects("rows", entries, [&](const Entry& entry) {
            write_entry_facts(json, entry);
            json.member("subject", engine::if_any(entry.subject));
            json.key("parents");
            json.begin_array();
            for (const auto& parent : entry.facts.parents) json.value(parent);
            json.end_array();
            json.member("command", engine::if_any(entry.facts.command));
            json.member("creator", engine::if_any(entry.facts.creator));
            json.member("added", utc_text(entry.added / 1'000'000));
            json.key("totals");
            json.begin_object();
            for (const auto& [name, total] : entry.totals) json.member(name, total);
            json.end_object();
        });
        json.end_object();
        out += '\n';
    } else if (options.csv) {
        engine::CsvWriter csv(out, csv_names(options));
        csv.header({"series", "commit", "branch", "time", "machine", "event", "total"});
        for (const Entry& entry : entries)
            for (const auto& [name, total] : entry.totals) {
                for (const std::string& text : {entry.facts.series, entry.facts.commit, entry.facts.branch,
                                                utc_text(entry.facts.time), entry.facts.machine, name})
                    csv.text(text);
                csv.number(total);
                csv.end_row();
            }
    } else {
        write_entries_text(out, entries, event, limit, style);
    }
}

}  // namespace callcost::program
