#include "history_page/history_answers.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "history_reports/cost_changes.hpp"
#include "history_reports/entry_lists.hpp"
#include "names/short_names.hpp"
#include "options/patterns.hpp"
#include "series/thinning.hpp"
#include "session/answers.hpp"
#include "text/names.hpp"

namespace callcost::program {
namespace {

using engine::JsonWriter;
using engine::Question;

constexpr std::size_t max_runs = 2000;    // of a chart
constexpr std::size_t max_changes = 200;  // of a chart
constexpr std::size_t name_width = 60;    // characters
constexpr std::size_t max_offset = 1'000'000;
constexpr std::string_view unknown = "???";  // as profiles write it

/// What is asked for does not exist, or the store does not answer.
tl::unexpected<engine::QueryError> refused(const char* id, std::string message, std::string hint = {}) {
    return tl::unexpected(
        engine::QueryError{.id = id, .message = std::move(message), .hint = std::move(hint)});
}
tl::unexpected<engine::QueryError> no_answer(const StoreProblem& problem) {
    return refused("no-store", problem.text, problem.advice);
}
template <class T>
using Answered = tl::expected<T, engine::QueryError>;

/// Which costs of which entries, as the common members of the questions say.
struct Chosen {
    std::string branch, machine, event;
    bool all_branches = false;
    std::vector<std::string> tags;  ///< KEY=VALUE
    std::optional<std::int64_t> since, until;
    std::optional<StoredFunction> function;  ///< as text
    bool by_inclusive = false;
    std::size_t runs = 0;
};

Chosen chosen_by(Question& question) {
    Chosen chosen;
    chosen.branch = question.text("branch");
    chosen.machine = question.text("machine");
    chosen.event = question.text("event");
    chosen.all_branches = question.flag("all_branches", false);
    chosen.tags = question.texts("tags");
    if (question.has("since")) chosen.since = question.integer("since", 0);
    if (question.has("until")) chosen.until = question.integer("until", 0);
    if (question.has("name"))
        chosen.function = {std::string(question.text("name")), std::string(question.text("file")),
                           std::string(question.text("object"))};
    chosen.by_inclusive = question.flag("inclusive", false);
    chosen.runs = std::max<std::size_t>(question.count("width", 60, max_runs), 1);
    return chosen;
}

std::set<std::string> tags_of(const Entry& entry) {
    std::set<std::string> tags;
    for (const auto& [key, value] : entry.facts.tags)
        tags.insert(engine::to_utf8(fmt::format("{}={}", key, value)));
    return tags;
}

bool is_chosen_by(const Chosen& chosen, const Entry& entry) {
    const auto& facts = entry.facts;
    if (chosen.since && facts.time < *chosen.since) return false;
    if (chosen.until && facts.time >= *chosen.until) return false;
    if (!chosen.branch.empty() && !engine::is_text(facts.branch, chosen.branch)) return false;
    if (!chosen.machine.empty() && !engine::is_text(facts.machine, chosen.machine)) return false;
    if (chosen.tags.empty()) return true;
    const auto tags = tags_of(entry);
    return std::all_of(chosen.tags.begin(), chosen.tags.end(),
                       [&](const auto& tag) { return tags.contains(tag); });
}

Answered<HistoryQuestion> question_of(std::vector<Entry> entries, const Chosen& chosen) {
    std::erase_if(entries, [&](const Entry& entry) { return !is_chosen_by(chosen, entry); });
    if (!chosen.all_branches && chosen.branch.empty()) keep_main_branch(entries);
    if (entries.empty()) return refused("no-such-entry", "no entry is chosen by these filters");
    auto event = chosen.event;
    for (const Entry& entry : entries)  // names are bytes
        for (const auto& total : entry.totals)
            if (total.first != event && engine::is_text(total.first, chosen.event)) event = total.first;
    auto question = question_about(std::move(entries), event);
    if (!question) return refused("unknown-event", question.error().text);
    question->by_inclusive = chosen.by_inclusive;
    return *std::move(question);
}

bool is_named(std::string_view stored, std::string_view text) {
    return engine::is_text(stored, text) || ((stored.empty() || stored == unknown) && text.empty());
}

using Costs = std::vector<std::optional<Cost>>;

/// Nothing if no entry has the function.
Stored<std::optional<FunctionHistory>> history_of(Store& store, HistoryQuestion question,
                                                  const StoredFunction& wanted) {
    question.limit = 1;
    auto found = function_histories(store, question, [&](const StoredFunction& function) {
        return is_named(function.name, wanted.name) && is_named(function.file, wanted.file) &&
               is_named(function.object, wanted.object);
    });
    if (!found) return tl::unexpected(found.error());
    return found->rows.empty() ? std::nullopt : std::optional(std::move(found->rows.front()));
}

engine::Search search_of(Question& question) {
    engine::Host host;
    host.compile = compile_expression;
    return {question, "search", host};
}

void write_change(JsonWriter& json, const HistoryQuestion& question, const ChangePoint& point) {
    json.member("at", point.at);
    json.member("before", point.level.before);
    json.member("after", point.level.after);
    json.key("entry");
    write_page_entry(json, question.entries[point.at]);
    json.key("entry_before");
    write_page_entry(json, question.entries[point.at - 1]);
}

void write_last_change(JsonWriter& json, const HistoryQuestion& question, const ChangePoints& changes) {
    if (changes.points.empty()) return;
    json.key("change");
    json.begin_object();
    write_change(json, question, changes.points.back());
    json.end_object();
}

template <class Value>
void write_list(JsonWriter& json, std::string_view name, const std::vector<std::size_t>& places,
                Value value) {
    json.key(name);
    json.begin_array();
    for (const auto place : places) json.value(value(place));
    json.end_array();
}

void write_points(JsonWriter& json, const Costs& costs, std::size_t runs,
                  const std::vector<Entry>* entries = nullptr) {
    const auto places = kept_places(costs, runs);
    json.key("points");
    json.begin_object();
    write_list(json, "at", places, [](auto place) { return place; });
    write_list(json, "cost", places, [&](auto place) { return *costs[place]; });
    if (entries != nullptr) {
        write_list(json, "entry", places, [&](auto place) { return (*entries)[place].id; });
        write_list(json, "time", places, [&](auto place) { return (*entries)[place].facts.time; });
        write_list(json, "commit", places,
                   [&](auto place) { return std::string_view((*entries)[place].facts.commit); });
    }
    json.end_object();
}

std::optional<Cost> first_of(const Costs& costs) {
    const auto known = std::find_if(costs.begin(), costs.end(), [](const auto& cost) { return cost; });
    return known == costs.end() ? std::nullopt : *known;
}

void write_texts(JsonWriter& json, std::string_view name, const std::set<std::string>& texts) {
    json.key(name);
    json.begin_array();
    for (const auto& text : texts) json.value(text);
    json.end_array();
}

// --- the questions ----------------------------------------------------------------------------------------

/// The series with a row for each that has such costs.
Answered<void> answer_series_list(Store& store, const std::string& name, Question& question,
                                  JsonWriter& json) {
    const auto chosen = chosen_by(question);
    const auto search = search_of(question);
    const auto offset = question.count("offset", 0, max_offset);
    const auto limit = question.count("limit", 12, 100);
    if (question.error()) return tl::unexpected(*question.error());
    auto series = store.series();
    if (!series) return no_answer(series.error());
    std::erase_if(*series, [&](const SeriesFacts& one) { return !search.finds(engine::to_utf8(one.name)); });

    json.member("store", name);
    json.key("rows");
    json.begin_array();
    std::size_t matching = 0;
    for (const SeriesFacts& one : *series) {
        const bool is_shown = matching >= offset && matching < offset + limit;
        if (!is_shown && !chosen.function) {
            ++matching;
            continue;
        }
        auto entries = store.entries(one.name);
        if (!entries) return no_answer(entries.error());
        const auto asked = question_of(*std::move(entries), chosen);
        Costs costs;
        if (asked && chosen.function) {
            auto found = history_of(store, *asked, *chosen.function);
            if (!found) return no_answer(found.error());
            if (*found) costs = std::move((*found)->costs);
        } else if (asked) {
            costs = totals_of(asked->entries, asked->event);
        }
        if (chosen.function && costs.empty()) continue;
        ++matching;
        if (!is_shown) continue;
        json.begin_object();
        json.member("series", one.name);
        json.member("entries", one.entries);
        json.member("newest", one.newest);
        json.member("event", asked ? std::string_view(asked->event) : std::string_view());
        json.member("first", first_of(costs));
        json.member("last", costs.empty() ? std::nullopt : costs.back());
        write_points(json, costs, chosen.runs);
        const auto changes = change_points(costs, asked ? asked->changes : ChangePointOptions());
        json.member("changes", changes.points.size());
        json.key("changed");
        json.begin_array();
        const auto left_out = changes.points.size() - std::min(changes.points.size(), max_changes);
        for (const ChangePoint& point : std::span(changes.points).subspan(left_out)) json.value(point.at);
        json.end_array();
        if (asked) write_last_change(json, *asked, changes);
        json.end_object();
    }
    json.end_array();
    json.member("matching", matching);
    return {};
}

/// What entries of a series can be chosen by, and the chosen ones.
struct Series {
    std::vector<Entry> all;
    HistoryQuestion chosen;
};
Answered<Series> series_of(Store& store, Question& question, const Chosen& chosen) {
    if (question.error()) return tl::unexpected(*question.error());
    const auto name = series_named(store, question.text("series"));
    if (!name) return refused("no-such-series", name.error().text, name.error().advice);
    auto entries = store.entries(*name);
    if (!entries) return no_answer(entries.error());
    auto asked = question_of(*entries, chosen);
    if (!asked) return tl::unexpected(asked.error());
    return Series{*std::move(entries), *std::move(asked)};
}

/// A list of functions whose names stand together; `write` writes what a row has besides.
template <class Rows, class Write>
void write_functions(JsonWriter& json, std::string_view name, const Rows& rows, Write write) {
    std::vector<engine::NameToShorten> names;
    names.reserve(rows.size());
    for (const auto& row : rows) names.push_back({row.function.name, name_width});
    const auto short_names = engine::short_names(names, {}, engine::by_characters());
    auto short_name = short_names.begin();
    json.objects(
        name, rows,
        [&](const auto& row) {
            json.member("name", row.function.name);
            if (!engine::is_text(row.function.name, *short_name)) json.member("short", *short_name);
            ++short_name;
            json.member("file", row.function.file);
            json.member("object", row.function.object);
            write(row);
        },
        engine::JsonLayout::line);
}

void write_choices(JsonWriter& json, const std::vector<Entry>& entries) {
    std::set<std::string> events, branches, machines, tags;
    for (const Entry& entry : entries) {
        for (const auto& total : entry.totals) events.insert(engine::to_utf8(total.first));
        if (!entry.facts.branch.empty()) branches.insert(engine::to_utf8(entry.facts.branch));
        if (!entry.facts.machine.empty()) machines.insert(engine::to_utf8(entry.facts.machine));
        tags.merge(tags_of(entry));
    }
    write_texts(json, "events", events);
    write_texts(json, "branches", branches);
    write_texts(json, "machines", machines);
    write_texts(json, "tags", tags);
}

/// The branch of all of them; empty if there are several.
std::string_view branch_of(const std::vector<Entry>& entries) {
    const auto& branch = entries.front().facts.branch;
    const bool is_one = std::all_of(entries.begin(), entries.end(),
                                    [&](const Entry& entry) { return entry.facts.branch == branch; });
    return is_one ? std::string_view(branch) : std::string_view();
}

Answered<void> answer_series(Store& store, Question& question, JsonWriter& json) {
    const auto chosen = chosen_by(question);
    const auto series = series_of(store, question, chosen);
    if (!series) return tl::unexpected(series.error());
    const auto& asked = series->chosen;
    TotalHistory history;
    if (chosen.function) {
        auto found = history_of(store, asked, *chosen.function);
        if (!found) return no_answer(found.error());
        if (!*found) return refused("unknown-function", "no entry of this series has the function");
        auto& [function, costs, changes] = **found;
        history = {std::move(costs), changes.exact, changes.noise, {}};
        for (const ChangePoint& point : changes.points) history.changes.push_back({point, {}, {}});
    } else {
        auto total = total_history(store, asked, max_changes);
        if (!total) return no_answer(total.error());
        history = *std::move(total);
    }
    json.member("series", asked.series());
    json.member("event", asked.event);
    write_choices(json, series->all);
    json.member("branch", branch_of(asked.entries));
    json.member("entries", asked.entries.size());
    json.member("first", first_of(history.totals));
    json.member("last", history.totals.back());
    write_points(json, history.totals, chosen.runs, &asked.entries);
    json.member("exact", history.is_exact);
    json.member("noise", history.noise);
    const auto shown = std::min(history.changes.size(), max_changes);
    json.key("changes");
    json.begin_array();
    for (auto change = history.changes.rbegin();
         change != history.changes.rbegin() + static_cast<std::ptrdiff_t>(shown); ++change) {
        json.begin_object();
        write_change(json, asked, change->point);
        if (!chosen.function)
            write_functions(json, "functions", change->functions, [&](const FunctionChange& one) {
                json.member("before", one.cost.before);
                json.member("after", one.cost.after);
            });
        json.end_object();
    }
    json.end_array();
    json.member("omitted_changes", history.changes.size() - shown);
    return {};
}

Answered<void> answer_functions(Store& store, Question& question, JsonWriter& json) {
    const auto chosen = chosen_by(question);
    const auto search = search_of(question);
    const auto offset = question.count("offset", 0, max_offset);
    const auto limit = question.count("limit", 50, 500);
    const auto series = series_of(store, question, chosen);
    if (!series) return tl::unexpected(series.error());
    auto asked = series->chosen;
    asked.offset = offset;
    asked.limit = limit;
    std::function<bool(const StoredFunction&)> where;  // none: the store need not look at all
    if (!question.text("search").empty())
        where = [&](const StoredFunction& function) { return search.finds(engine::to_utf8(function.name)); };
    const auto found = function_histories(store, asked, where);
    if (!found) return no_answer(found.error());
    json.member("matching", found->matching);
    json.member("total", totals_of(asked.entries, asked.event).back());
    write_functions(json, "rows", found->rows, [&](const FunctionHistory& row) {
        json.member("cost", row.costs.back());
        write_points(json, row.costs, chosen.runs);
        write_last_change(json, asked, row.changes);
    });
    return {};
}

Answered<void> answer_entries(Store& store, Question& question, JsonWriter& json) {
    const auto chosen = chosen_by(question);
    const auto offset = question.count("offset", 0, max_offset);
    const auto limit = question.count("limit", 100, 1000);
    const auto series = series_of(store, question, chosen);
    if (!series) return tl::unexpected(series.error());
    const auto& entries = series->chosen.entries;
    auto costs = totals_of(entries, series->chosen.event);
    if (chosen.function) {
        const auto found = history_of(store, series->chosen, *chosen.function);
        if (!found) return no_answer(found.error());
        costs = *found ? (*found)->costs : Costs(entries.size());
    }
    const auto before = places_before(entries);
    json.member("matching", entries.size());
    json.key("rows");
    json.begin_array();
    const auto end = entries.size() - std::min(offset, entries.size());
    for (std::size_t i = end; i-- > end - std::min(limit, end);) {
        json.begin_object();
        json.key("entry");
        write_page_entry(json, entries[i]);
        json.member("at", i);
        json.member("cost", costs[i]);
        if (before[i] && costs[*before[i]]) {
            json.member("cost_before", costs[*before[i]]);
            json.member("entry_before", entries[*before[i]].id);
        }
        json.end_object();
    }
    json.end_array();
    return {};
}

}  // namespace

bool is_history_question(std::string_view ask) {
    constexpr std::array<std::string_view, 4> questions = {"history", "history_series", "history_functions",
                                                           "history_entries"};
    return std::find(questions.begin(), questions.end(), ask) != questions.end();
}

std::string answer_about_history(Store& store, const std::string& name, Question& question) {
    std::string text;
    JsonWriter json(text, engine::page_json);
    json.begin_object();
    const auto ask = question.text("ask");
    const auto done = ask == "history_series"      ? answer_series(store, question, json)
                      : ask == "history_functions" ? answer_functions(store, question, json)
                      : ask == "history_entries"   ? answer_entries(store, question, json)
                                                   : answer_series_list(store, name, question, json);
    json.end_object();
    if (question.error()) return engine::error_answer(*question.error());
    if (!done) return engine::error_answer(done.error());
    if (json.is_full())
        return engine::error_answer({.id = "too-large", .message = "the answer would be too long"});
    return text;
}

Stored<std::string> series_named(Store& store, std::string_view text) {
    const auto series = store.series();
    if (!series) return tl::unexpected(series.error());
    const auto found = std::find_if(series->begin(), series->end(),
                                    [&](const SeriesFacts& one) { return engine::is_text(one.name, text); });
    if (found != series->end()) return found->name;
    return tl::unexpected(StoreProblem{fmt::format("the store has no series '{}'", text)});
}

void write_page_entry(JsonWriter& json, const Entry& entry) {
    const auto& facts = entry.facts;
    json.begin_object();
    json.member("series", facts.series);
    json.member("entry", entry.id);
    json.member("commit", facts.commit);
    json.member("modified", facts.is_modified);
    json.member("branch", facts.branch);
    json.member("time", facts.time);
    json.member("machine", facts.machine);
    write_texts(json, "tags", tags_of(entry));
    json.member("command", facts.command);
    json.end_object();
}

}  // namespace callcost::program
