#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "commands/commands.hpp"
#include "commands/history_add.hpp"
#include "history/entry_name.hpp"
#include "history/entry_origin.hpp"
#include "history_reports/cost_changes.hpp"
#include "history_reports/entry_lists.hpp"
#include "history_reports/history_tables.hpp"
#include "output/written_profile.hpp"
#include "terminal/output.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"
#include "text/shell.hpp"

namespace callcost::program {
namespace {

using engine::display_name;

struct HistoryOptions {
    InputOptions input;
    EntryOptions entry;
    OutputOptions output;
    std::vector<std::string> words;  ///< behind the subcommand
    std::string event;
    std::optional<std::size_t> limit;
    std::string out;                           ///< `export`
    std::optional<std::size_t> keep;           ///< `prune`: so many of the newest of each series
    std::optional<std::int64_t> since, until;  ///< seconds since 1970, UTC
    std::optional<double> threshold;           ///< a share from 0 to 1
    Filter pattern;                            ///< `functions`
    bool dry_run = false;
    bool by_inclusive = false;
    bool all_branches = false;
};

Exit fail(const Console& console, const StoreProblem& problem) {
    say(console, problem);
    return Exit::error;
}

/// `SERIES@WHERE`, with or without `history:` before it.
Stored<EntryName> name_of(const std::string& word) {
    return parse_entry_name(is_entry_name(word) ? word : "history:" + word);
}

/// Those that the options let through.
void drop_others(std::vector<Entry>& entries, const HistoryOptions& options) {
    EntryChoice choice;
    if (!options.entry.branch.empty()) choice.branch = options.entry.branch;
    choice.tags = options.entry.tags;
    entries = chosen_entries(std::move(entries), choice);
    std::erase_if(entries, [&](const Entry& entry) {
        return (options.since && entry.facts.time < *options.since) ||
               (options.until && entry.facts.time >= *options.until) ||
               (!options.entry.machine.empty() && entry.facts.machine != options.entry.machine);
    });
}

/// Of the series and commits that a word names; at least one.
Stored<std::vector<Entry>> entries_of(Store& store, const std::string& word, const HistoryOptions& options) {
    const auto name = name_of(word);
    if (!name) return tl::unexpected(name.error());
    auto entries = find_entries(store, *name);
    if (!entries) return entries;
    drop_others(*entries, options);
    if (entries->empty())
        return tl::unexpected(StoreProblem{
            fmt::format("no entry of series '{}' is chosen by these options", display_name(name->series)),
            engine::quoted_command({"callcost", "history", "list", name->series}) + " lists them"});
    return entries;
}

Exit list(const HistoryOptions& options, Store& store, const Console& console) {
    Output output(console);
    if (options.words.empty()) {
        const auto series = store.series();
        if (!series) return fail(console, series.error());
        if (series->empty()) console.say(Severity::note, "the history is empty");
        write_series(output.text(), *series, options.output, console.out);
    } else {
        auto entries = entries_of(store, options.words.front(), options);
        if (!entries) return fail(console, entries.error());
        const auto limit = limit_or(options.limit, options.output, 20);
        std::vector<std::size_t> shown(std::min(limit, entries->size()));
        std::iota(shown.begin(), shown.end(), entries->size() - shown.size());
        find_subjects(*entries, shown);
        write_entries(output.text(), *entries, event_of(*entries, options.event), limit, options.output,
                      console.out);
    }
    return output.finish() ? Exit::ok : Exit::error;
}

// --- questions --------------------------------------------------------------------------------------------

Stored<HistoryQuestion> question_about(Store& store, const std::string& word, const HistoryOptions& options,
                                       std::size_t default_limit) {
    auto entries = entries_of(store, word, options);
    if (!entries) return tl::unexpected(entries.error());
    if (!options.all_branches && options.entry.branch.empty()) keep_main_branch(*entries);
    auto question = question_about(*std::move(entries), options.event);
    if (!question) return question;
    if (options.threshold) question->changes.threshold = *options.threshold;
    question->by_inclusive = options.by_inclusive;
    question->limit = limit_or(options.limit, options.output, default_limit);
    return question;
}

/// The words, or all series.
Stored<std::vector<std::string>> words_or_series(Store& store, std::vector<std::string> words) {
    if (!words.empty()) return words;
    const auto series = store.series();
    if (!series) return tl::unexpected(series.error());
    for (const auto& one : *series) words.push_back(one.name);
    if (words.empty())
        return tl::unexpected(
            StoreProblem{"the history is empty", "'callcost history add FILE' adds an entry"});
    return words;
}

/// Those that have such entries: of all series, where none is named.
Stored<std::vector<HistoryQuestion>> questions_about(Store& store, const HistoryOptions& options,
                                                     std::size_t default_limit) {
    const auto words = words_or_series(store, options.words);
    if (!words) return tl::unexpected(words.error());
    std::vector<HistoryQuestion> questions;
    std::optional<StoreProblem> problem;
    for (const auto& word : *words) {
        auto question = question_about(store, word, options, default_limit);
        if (question) {
            questions.push_back(*std::move(question));
        } else {
            problem = question.error();
            if (!options.words.empty()) return tl::unexpected(*problem);
        }
    }
    if (questions.empty()) return tl::unexpected(*problem);
    return questions;
}

Exit show(const HistoryOptions& options, Store& store, const Console& console) {
    const auto words = words_or_series(store, options.words);
    if (!words) return fail(console, words.error());
    if (words->size() > 1)
        return fail(console, {fmt::format("the history has {} series", words->size()),
                              "name one; 'callcost history list' lists them"});
    auto question = question_about(store, words->front(), options, 10);
    if (!question) return fail(console, question.error());
    const auto explained = options.output.csv    ? 0
                           : options.output.json ? question->entries.size()
                                                 : question->limit;
    const auto history = total_history(store, *question, explained);
    if (!history) return fail(console, history.error());
    std::vector<std::size_t> changed;
    for (const TotalChange& change : history->changes) changed.push_back(change.point.at);
    find_subjects(question->entries, changed);
    Output output(console);
    write_total_history(output.text(), *question, *history, options.output, console.out);
    return output.finish() ? Exit::ok : Exit::error;
}

/// Of all series that have any.
Stored<std::vector<SeriesFunctions>> functions_of(Store& store, const HistoryOptions& options,
                                                  const std::function<bool(const StoredFunction&)>& where) {
    auto questions = questions_about(store, options, 20);
    if (!questions) return tl::unexpected(questions.error());
    std::vector<SeriesFunctions> found;
    for (HistoryQuestion& question : *questions) {
        auto rows = function_histories(store, question, where);
        if (!rows) return tl::unexpected(rows.error());
        if (rows->rows.empty()) continue;
        std::set<std::size_t> changed;
        for (const FunctionHistory& row : rows->rows)
            for (const ChangePoint& point : row.changes.points) changed.insert(point.at);
        find_subjects(question.entries, std::vector(changed.begin(), changed.end()));
        found.push_back({std::move(question), *std::move(rows)});
    }
    return found;
}

Exit functions(const HistoryOptions& options, Store& store, const Console& console) {
    const auto found = functions_of(store, options, [&](const StoredFunction& function) {
        const FunctionNames names{function.name, function.object, function.file};
        return std::any_of(options.pattern.patterns.begin(), options.pattern.patterns.end(),
                           [&](const NamePattern& pattern) { return pattern.matches(names); });
    });
    if (!found) return fail(console, found.error());
    if (found->empty())
        return fail(console,
                    {fmt::format("no function matches '{}'", display_name(options.pattern.texts.front())),
                     "'callcost history blame SERIES' lists the most expensive ones"});
    Output output(console);
    write_function_histories(output.text(), *found, options.output, console.out);
    return output.finish() ? Exit::ok : Exit::error;
}

Exit blame(const HistoryOptions& options, Store& store, const Console& console) {
    const auto found = functions_of(store, options, {});
    if (!found) return fail(console, found.error());
    Output output(console);
    write_blame(output.text(), *found, options.output, console.out);
    return output.finish() ? Exit::ok : Exit::error;
}

Exit sum(const HistoryOptions& options, Store& store, const Console& console) {
    auto whole = options;
    whole.all_branches = true;
    auto questions = questions_about(store, whole, 20);
    if (!questions) return fail(console, questions.error());
    // One event type for all: costs by others cannot be added to it.
    const auto event = questions->front().event;
    for (HistoryQuestion& question : *questions) {
        question.event = event;
        std::erase_if(question.entries, [&](const Entry& entry) { return !entry.totals.contains(event); });
    }
    std::erase_if(*questions, [](const HistoryQuestion& question) { return question.entries.empty(); });
    const auto sums = function_sums(store, *questions);
    if (!sums) return fail(console, sums.error());
    Output output(console);
    write_function_sums(output.text(), *sums, *questions, questions->front().limit, options.output,
                        console.out);
    return output.finish() ? Exit::ok : Exit::error;
}

// --- keeping ----------------------------------------------------------------------------------------------

Exit prune(const HistoryOptions& options, Store& store, const Console& console) {
    const auto words = words_or_series(store, options.words);
    if (!words) return fail(console, words.error());
    std::vector<EntryId> removed;
    for (const auto& word : *words) {
        auto entries = options.words.empty() ? store.entries(word) : entries_of(store, word, options);
        if (!entries) return fail(console, entries.error());
        if (options.words.empty()) drop_others(*entries, options);
        if (options.keep) entries->resize(entries->size() - std::min(entries->size(), *options.keep));
        for (const Entry& entry : *entries) removed.push_back(entry.id);
    }
    std::sort(removed.begin(), removed.end());
    removed.erase(std::unique(removed.begin(), removed.end()), removed.end());
    if (!options.dry_run)
        if (const auto done = store.remove(removed); !done) return fail(console, done.error());
    console.say(Severity::note,
                fmt::format("{} {} {}", removed.size(), removed.size() == 1 ? "entry" : "entries",
                            options.dry_run ? "to remove" : "removed"));
    return Exit::ok;
}

Exit export_entry(const HistoryOptions& options, Store& store, const Console& console) {
    const auto name = name_of(options.words.front());
    if (!name) return fail(console, name.error());
    const auto entry = find_entry(store, *name);
    if (!entry) return fail(console, entry.error());
    const auto profile = store.profile(entry->id);
    if (!profile) return fail(console, profile.error());
    return write_file(options.out, {}, console, [&](const Sink& sink) { return sink(*profile); });
}

Exit run_history(const std::string& subcommand, const HistoryOptions& options, const Console& console) {
    if (subcommand == "add") return add_to_history(options.input, options.entry, console);
    const auto store = open_store(options.input.store, StoreUse::read);
    if (!store) return fail(console, store.error());
    if (subcommand == "show") return show(options, **store, console);
    if (subcommand == "functions") return functions(options, **store, console);
    if (subcommand == "blame") return blame(options, **store, console);
    if (subcommand == "sum") return sum(options, **store, console);
    if (subcommand == "prune") return prune(options, **store, console);
    if (subcommand == "export") return export_entry(options, **store, console);
    return list(options, **store, console);
}

void check_map(const std::string& subcommand, const InputOptions& input) {
    if (input.perf_map.empty()) return;
    if (subcommand != "add") throw UsageError("--perf-map is for 'history add'");
    if (input.files.size() > 1)
        throw UsageError("--perf-map is of one process, and needs one file", "add each with its own map");
}

void check_words(const std::string& subcommand, HistoryOptions& options) {
    if (subcommand == "add") {
        options.input.files = std::exchange(options.words, {});
    } else if (subcommand == "export") {
        if (options.words.size() != 1)
            throw UsageError("history export needs one entry",
                             "such as 'callcost history export parse@-1 -o FILE'");
        if (options.out.empty()) throw UsageError("history export needs -o");
    } else if (subcommand == "prune") {
        const bool names_series =
            std::any_of(options.words.begin(), options.words.end(),
                        [](const auto& word) { return word.find('@') == std::string::npos; });
        const bool chooses = options.keep || options.since || options.until ||
                             !options.entry.branch.empty() || !options.entry.tags.empty() ||
                             !options.entry.machine.empty();
        if ((options.words.empty() || names_series) && !chooses)
            throw UsageError("history prune needs SERIES@COMMIT, or what to remove of a series",
                             "such as --keep 100, or --until 2026-01-01; --keep 0 removes all entries");
    } else if (subcommand == "functions") {
        if (options.words.empty())
            throw UsageError("history functions needs a pattern",
                             "such as 'callcost history functions main'");
        const auto& text = options.words.front();
        options.pattern = {{text}, patterns_of("PATTERN", {text}, NameScope::function)};
        options.words.erase(options.words.begin());
    } else if ((subcommand == "list" || subcommand == "show") && options.words.size() > 1) {
        throw UsageError(fmt::format("unexpected argument '{}'", options.words[1]));
    }
}

}  // namespace

Run history_command(CommandLine& line) {
    line.describe(
        "add [FILE...] | list [SERIES] | show [SERIES] | functions PATTERN [SERIES...] | blame [SERIES...] | "
        "sum [SERIES...] | prune [ENTRY...] | export ENTRY",
        "Keep the profiles of a project in a store, and ask which commit changed what. The store is "
        ".callcost/history.db at the top of the repository, unless --store or CALLCOST_STORE names "
        "another: a path, or clickhouse://USER@HOST:PORT/DATABASE.\n\n"
        "ENTRY is SERIES, SERIES@COMMIT, SERIES@branch:NAME or SERIES@-N. With 'history:' before it, all "
        "commands read it as FILE.");
    line.examples({{"record --add ./bench", "measure and add an entry"},
                   {"history show bench", "chart of the total, and what changed it"},
                   {"history blame bench", "last change of each function"}});
    line.common({"--store", "--series", "--commit", "--replace", "--branch", "--tag", "--since", "--until",
                 "--event", "--inclusive", "--threshold", "--limit", "--keep", "--output", "--json",
                 "--csv"});
    const auto options = std::make_shared<HistoryOptions>();
    line.subcommand("add", "add profiles, each as an entry", options->words);
    line.subcommand("list", "list the series, or the entries of one", options->words);
    line.subcommand("show", "chart the total of a series, and list what changed it", options->words);
    line.subcommand("functions", "show how the cost of functions went", options->words);
    line.subcommand("blame", "show which entry changed each of the most expensive functions last",
                    options->words);
    line.subcommand("sum", "add up functions over all entries", options->words);
    line.subcommand("prune", "remove entries", options->words);
    line.subcommand("export", "write the profile of an entry to a file", options->words);
    declare_input(line, options->input, InputKind::whole);
    line.heading("Entries");
    declare_entry(line, options->entry);
    line.value("--perf-map", "FILE",
               "add: name functions that a runtime compiled by its map for perf, /tmp/perf-PID.map",
               options->input.perf_map);
    line.value("--branch", "NAME", "add: branch of the commit; else: only entries of this branch",
               options->entry.branch);
    line.values("--tag", "KEY=VALUE", "add: tag the entry; else: only entries with this tag",
                [options = options.get()](const std::string& text) { add_tag(text, options->entry.tags); });
    line.value(
        "--since", "TIME", "only entries from then on",
        [options = options.get()](const std::string& text) { take_time("--since", text, options->since); });
    line.value("--until", "TIME", "only entries before", [options = options.get()](const std::string& text) {
        take_time("--until", text, options->until);
    });
    line.flag("--all-branches", "all branches (default: main, master or trunk, where there is one)",
              options->all_branches);
    line.heading("Selection");
    line.value("-e,--event", "NAME", "measure by this event type (default: Ir, or the one most entries have)",
               options->event);
    line.flag("--inclusive", "functions, blame: by inclusive instead of self cost", options->by_inclusive);
    line.percentage("--threshold", "smallest change that counts (default: 0.1%)", options->threshold);
    declare_limit(line, options->limit, "show N rows; 0: all (default: 20)");
    line.number("--keep", "prune: keep the N newest of each series", options->keep);
    line.flag("--dry-run", "prune: only say how many there are", options->dry_run);
    line.value("-o,--output", "OUT", "export: write to this file; '-': standard output", options->out);
    declare_output(line, options->output, {.links = false});
    const auto subcommand = std::make_shared<std::string>();
    line.check([&line, subcommand, options = options.get()] {
        *subcommand = line.chosen_subcommand();
        check_words(*subcommand, *options);
        check_map(*subcommand, options->input);
    });
    return [options, subcommand] {
        return status(run_history(*subcommand, *options, open_console(options->output)));
    };
}

}  // namespace callcost::program
