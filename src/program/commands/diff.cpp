#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "commands/commands.hpp"
#include "comparison/compared_texts.hpp"
#include "comparison/comparison.hpp"
#include "comparison/gate.hpp"
#include "comparison/outputs.hpp"
#include "comparison/rule.hpp"
#include "comparison/setting.hpp"
#include "input/open.hpp"
#include "loading/preparation.hpp"
#include "query/filtered_difference.hpp"
#include "query/filtered_functions.hpp"
#include "query/function_hint.hpp"
#include "query/view.hpp"
#include "reports/filtering.hpp"
#include "text/diagnostics.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"
#include <callcost/diff.hpp>

namespace callcost::program {
namespace {

/// With the column, for logs, and a caret under what is wrong.
void report_rule(const Console& console, std::string_view where, std::string_view line,
                 const RuleError& error) {
    Place place;
    place.line = error.line;
    place.excerpt = line;
    place.excerpt_column = static_cast<std::uint32_t>(error.column);
    std::string text;
    engine::write_message(text, Severity::error,
                          fmt::format("{}: {} (column {})", where, error.message, error.column), {},
                          console.err);
    engine::write_excerpt(text, place, console.err);
    if (!error.hint.empty()) text += "  hint: " + error.hint + '\n';
    console.print_error(text);
}

std::optional<std::vector<Rule>> rules_of(const ComparisonOptions& options, const Console& console) {
    std::vector<Rule> all;
    for (const auto& text : options.fail_if) {
        auto rules = parse_rules(text);
        if (!rules) {
            report_rule(console, options.rules_place.empty() ? "--fail-if" : options.rules_place, text,
                        rules.error());
            return std::nullopt;
        }
        for (auto& rule : *rules) all.push_back(std::move(rule));
    }
    return all;
}

std::string line_of(std::string_view text, std::size_t number) {
    for (; number > 1; --number) text.remove_prefix(std::min(text.find('\n') + 1, text.size()));
    return std::string(text.substr(0, text.find('\n')));
}

/// All of a small file; an error says why not.
Result<std::string> text_of_file(const std::string& path) {
    constexpr std::size_t longest = 16'000'000;
    auto source = open_source(path, {.decompress_on_thread = false});
    if (!source) return tl::unexpected(source.error());
    std::string text;
    std::array<char, 65'536> block{};
    for (;;) {
        const auto count = source->read(block);
        if (!count) return tl::unexpected(count.error());
        if (*count == 0 || text.size() > longest) return text;
        text.append(block.data(), *count);
    }
}

tl::expected<Acceptances, Exit> acceptances_of(const ComparisonOptions& options, const Console& console) {
    const auto& path = options.accept;
    Acceptances acceptances{{}, options.today};
    if (acceptances.today.empty()) acceptances.today = utc_day();
    if (!is_date(acceptances.today)) {
        console.say(Severity::error, "--today needs a date (YYYY-MM-DD)");
        return tl::unexpected(Exit::usage);
    }
    if (path.empty()) return acceptances;
    const auto text = text_of_file(path);
    if (!text) {
        console.say(Severity::error, fmt::format("--accept {}: {}", engine::display_name(path),
                                                 engine::display_name(text.error().message())));
        return tl::unexpected(Exit::error);
    }
    auto all = parse_acceptances(*text);
    if (!all) {
        report_rule(console, fmt::format("{}:{}", engine::display_name(path), all.error().line),
                    line_of(*text, all.error().line), all.error());
        return tl::unexpected(Exit::usage);
    }
    acceptances.all = *std::move(all);
    return acceptances;
}

bool writes_stacks(const ComparisonOptions& options) {
    return options.format == DiffFormat::folded ||
           std::any_of(options.outputs.begin(), options.outputs.end(),
                       [](const DiffOutput& output) { return output.format == DiffFormat::folded; });
}

InputOptions side_input(const ComparisonOptions& options, const std::vector<std::string>& files,
                        const std::string& perf_map, const SideSources& own) {
    auto side = options.input;
    side.files = files;
    side.perf_map = perf_map;
    side.force = options.force;
    side.keeps_stacks = writes_stacks(options) || !options.filters.focus.patterns.empty() ||
                        !options.filters.ignore.patterns.empty();
    if (options.no_lines) side.inlined = When::never;
    auto& programs = side.programs;
    programs = options.sources;
    programs.include_directories.insert(programs.include_directories.begin(), own.directories.begin(),
                                        own.directories.end());
    programs.source_map.insert(programs.source_map.end(), own.map.begin(), own.map.end());
    return side;
}

tl::expected<ComparedProfiles, Exit> prepare_sides(const ComparisonOptions& options, const Console& console) {
    return prepare_compared(
        side_input(options, options.before, options.perf_map_before, options.sources_before),
        side_input(options, options.after, options.perf_map_after, options.sources_after), console,
        options.no_lines ? least_detail(options.input.selection) : Detail::full);
}

/// Those that source files are read from, before anything takes long.
struct Commits {
    std::optional<GitCommit> before, after;
};

tl::expected<Commits, Exit> open_commits(const ComparisonOptions& options, const Console& console) {
    Commits commits;
    if (options.no_lines) return commits;
    const auto open = [&](const char* option, const SideSources& side, std::optional<GitCommit>& target) {
        if (side.commit.empty()) return true;
        auto commit = GitCommit::open(side.commit);
        if (commit) {
            target = *std::move(commit);
        } else {
            console.say(Severity::error, fmt::format("{} {}: {}", option, engine::display_name(side.commit),
                                                     engine::display_name(commit.error())));
        }
        return target.has_value();
    };
    if (!open("--old-commit", options.sources_before, commits.before) ||
        !open("--new-commit", options.sources_after, commits.after))
        return tl::unexpected(Exit::error);
    return commits;
}

ComparedTexts compared_texts(const PreparedProfile& before, const PreparedProfile& after,
                             const ComparisonOptions& options, Commits commits) {
    return {{before.profile(), options.sources, options.sources_before, std::move(commits.before)},
            {after.profile(), options.sources, options.sources_after, std::move(commits.after)}};
}

/// Who says where sources are, expects lines that are no guess.
void warn_of_texts(const ComparedTexts& texts, const ComparisonOptions& options, const Console& console) {
    for (const auto& directories : {options.sources.include_directories, options.sources_before.directories,
                                    options.sources_after.directories}) {
        for (const auto& directory : directories) {
            std::error_code ignored;
            if (!std::filesystem::is_directory(directory, ignored))
                console.say(Severity::warning,
                            fmt::format("there is no directory '{}'", engine::display_name(directory)));
        }
    }
    if (!options.sources_before.is_given() && !options.sources_after.is_given()) return;
    const auto warn = [&](const SideTexts& side, std::string_view name) {
        if (side.newer().empty()) return;
        const auto others = side.newer().size() - 1;
        console.say(Severity::warning,
                    fmt::format("{} {} changed after the {} profile was written, so lines are guessed",
                                engine::display_name(side.newer().front()),
                                others > 0 ? fmt::format("and {} more were", others) : "was", name),
                    fmt::format("--{0}-source or --{0}-commit says where its source files are", name));
    };
    if (!texts.rejected().empty())
        console.say(Severity::warning,
                    fmt::format("{}: the source files are not those that were measured, so lines are guessed",
                                engine::display_name(texts.rejected().front())),
                    "lines that have a cost are blank, or beyond the end of the file");
    warn(texts.before(), "old");
    warn(texts.after(), "new");
}

DiffOptions diff_options(const ComparisonOptions& options) {
    DiffOptions how;
    how.match = options.match;
    how.path_prefixes = options.path_prefixes;
    if (!options.measure.event.empty()) how.measure = options.measure.event;
    if (!options.file_names.empty())
        how.file_name = [&](std::string_view name) { return rewritten(options.file_names, name); };
    if (!options.function_names.empty())
        how.function_name = [&](std::string_view name) { return rewritten(options.function_names, name); };
    return how;
}

SideFacts facts_of(const PreparedProfile& side) {
    SideFacts facts;
    facts.stacks = side.stacks;
    for (const auto& source : side.profile().sources()) facts.files.emplace_back(source.name);
    for (const PartId row : side.graph.parts()) {
        const Part& part = side.profile().parts()[row.value];
        if (facts.creator.empty()) facts.creator = original_creator(part.creator);
        if (facts.command.empty()) facts.command = part.command;
    }
    return facts;
}

Exit verdict(const Comparison& comparison, const ComparisonOptions& options) {
    if (options.exit_zero) return Exit::ok;
    if (comparison.is_broken()) return Exit::regression;
    return comparison.is_improved() && options.fail_on_improvement ? Exit::improvement : Exit::ok;
}

/// With the event type that both record, if they were told to be compared in any case.
Result<Diff> diff_of(const PreparedProfile& before, const PreparedProfile& after,
                     const ComparisonOptions& options) {
    auto how = diff_options(options);
    auto result = diff(before.graph, after.graph, how);
    if (result || !options.force || how.measure) return result;
    for (const Measure& measure : after.measures) {
        if (!measure.formula.empty()) continue;
        how.measure = measure.name;
        if (auto other = diff(before.graph, after.graph, how)) return other;
    }
    return result;
}

Exit report_incomparable(const std::string& why, const ComparisonOptions& options, const Console& console) {
    console.say(Severity::error, "the profiles cannot be compared: " + why,
                options.force ? std::string() : "--force compares them all the same");
    return Exit::not_comparable;
}

void say_if_empty(const engine::FilteredDifference& filtered, const FilterTextsByOption& filter,
                  const Console& console) {
    const auto& functions = filtered.diff().functions();
    if (std::any_of(functions.begin(), functions.end(),
                    [&](const FunctionMatch& function) { return filtered.lists(function.id); }))
        return;
    std::vector<std::string> texts;
    for (const auto& [option, some] : filter)
        if (option == "focus" || option == "show") texts.insert(texts.end(), some.begin(), some.end());
    console.say(Severity::note, "no function matches the filters",
                engine::function_hint(filtered.diff().after(), texts));
}

/// What there is no diff by. What no side has heard of is a mistake in the command line.
Exit report_missing_event(const PreparedProfile& before, const PreparedProfile& after,
                          const ComparisonOptions& options, const Console& console) {
    const auto& name = options.measure.event.empty() ? after.measure.name : options.measure.event;
    const auto in_before = find_measure(before.profile(), name);
    const auto in_after = find_measure(after.profile(), name);
    if (in_before || in_after)
        return report_incomparable(fmt::format("the one {} does not record '{}'",
                                               in_before ? "after" : "before", engine::display_name(name)),
                                   options, console);
    std::string recorded;
    constexpr std::size_t enough = 60;
    for (const Measure& measure : after.measures)
        if (measure.formula.empty() && recorded.size() < enough)
            recorded += (recorded.empty() ? "they record " : ", ") + engine::display_name(measure.name);
    console.say(Severity::error, fmt::format("neither profile records '{}'", engine::display_name(name)),
                in_after.error().code == ErrorCode::unknown_event
                    ? recorded
                    : engine::display_name(in_after.error().message()));
    return Exit::usage;
}

/// Whether any cost has a source line.
bool has_lines(const Profile& profile) {
    for (std::size_t row = 0; row < profile.function_count(); ++row) {
        auto cursor = profile.records(FunctionId(row));
        for (Record record; cursor.next(record);)
            if (record.kind == Record::Kind::cost && record.line != 0) return true;
    }
    return false;
}

/// Why a comparison has no source lines, if only one of the profiles has any.
void say_if_lines_are_missing(const Comparison& comparison, const PreparedProfile& before,
                              const PreparedProfile& after, const Console& console) {
    if (comparison.is_unchanged() || !comparison.lines.empty()) return;
    const bool had = has_lines(before.profile()), has = has_lines(after.profile());
    if (had == has) return;
    console.say(
        Severity::note,
        fmt::format("the {} profile has no source lines, so changes are by function", has ? "old" : "new"),
        has ? "'callcost convert' without --without-lines keeps them" : "");
}

/// The filters of both sides.
struct SideFilters {
    SideFilters(const Diff& diff, const ComparisonOptions& options, const PreparedProfile& old,
                const PreparedProfile& now)
        : before(diff.before(), patterns_of(options.filters), old.stacks),
          after(diff.after(), patterns_of(options.filters), now.stacks) {}

    engine::FilteredFunctions before, after;
};

/// `listed is what focus 'parse' keeps: 12 -> 34 Ir, +22 (+183.33%); totals and rules are of all functions`
std::string filter_note(const engine::FilteredDifference& filtered, const std::string& words) {
    const auto& measure = filtered.diff().measure_after();
    auto note = fmt::format("listed is what {} {}", filtered.has_parts() ? "is kept by" : "matches", words);
    if (measure.additive) {
        const auto total = filtered.total();
        const auto side_text = [&](Cost Change::*side) {
            const auto text = [&](Cost cost) { return engine::cost(cost, common_unit(filtered.diff()), {}); };
            const Cost least = total.least.*side, most = total.most.*side;
            return least == most
                       ? text(most)
                       : fmt::format("~{} ({} to {})", text(total.estimate.*side), text(least), text(most));
        };
        const auto share = relative(total.estimate);
        note += fmt::format(": {} -> {} {}{}", side_text(&Change::before), side_text(&Change::after),
                            engine::display_name(measure.name), share.empty() ? "" : ", " + share);
    }
    return note + "; totals and rules are of all functions";
}

Exit run(const ComparisonOptions& options, const Console& console) {
    const auto rules = rules_of(options, console);
    if (!rules) return Exit::usage;
    if (!options.rules_place.empty())
        console.say(Severity::note, fmt::format("rules of {}", options.rules_place));
    const auto acceptances = acceptances_of(options, console);
    if (!acceptances) return acceptances.error();
    auto commits = open_commits(options, console);
    if (!commits) return commits.error();
    const auto sides = prepare_sides(options, console);
    if (!sides) return sides.error();
    const PreparedProfile *const before = &sides->before, *const after = &sides->after;
    if (!options.force) {
        // What misses a file says nothing about a regression. Which one it is has been said.
        if (before->exit != Exit::ok) return before->exit;
        if (after->exit != Exit::ok) return after->exit;
        for (const PreparedProfile* side : {&*before, &*after})
            if (const auto why = damage(*side); !why.empty())
                return report_incomparable(why, options, console);
        if (const auto why = difference_of_commands(*before, *after); !why.empty())
            return report_incomparable(why, options, console);
    }
    const auto result = diff_of(*before, *after, options);
    if (!result) return report_missing_event(*before, *after, options, console);
    if (const auto why = engine::difference_of_units(result->measure_before(), result->measure_after());
        !options.force && !why.empty())
        return report_incomparable(engine::display_name(why), options, console);
    if (const Change total = result->total(); !options.force && (total.before == 0) != (total.after == 0))
        return report_incomparable(
            fmt::format("the one {} recorded nothing", total.before == 0 ? "before" : "after"), options,
            console);
    warn_of_setting(*before, *after, *result, console);
    auto judged = judge(*result, *rules, *acceptances);
    if (!judged) {
        const auto& error = judged.error();
        console.say(
            Severity::error,
            fmt::format("'{}': {}", engine::display_name(error.rule), engine::display_name(error.message)),
            error.hint);
        return error.is_incomparable ? Exit::not_comparable : Exit::usage;
    }
    auto texts = compared_texts(*before, *after, options, *std::move(commits));
    auto filter = texts_by_option(options.filters);
    const auto filters = filter_words(filter);
    std::optional<SideFilters> side_filters;
    if (!filters.empty()) side_filters.emplace(*result, options, *before, *after);
    const auto filtered =
        side_filters ? engine::FilteredDifference(*result, &side_filters->before, &side_filters->after)
                     : engine::FilteredDifference(*result);
    auto comparison = compare(filtered, std::move(judged->rules),
                              {.limit = limit_or(options.limit, options.output, 10),
                               .threshold = options.threshold.value_or(0),
                               .order = options.order,
                               .with_lines = !options.no_lines,
                               .texts = &texts});
    if (!options.no_lines) {
        warn_of_texts(texts, options, console);
        say_if_lines_are_missing(comparison, *before, *after, console);
    }
    comparison.name = options.name;
    comparison.notes = std::move(judged->notes);
    comparison.before = facts_of(*before);
    comparison.after = facts_of(*after);
    const bool asks_for_less =
        std::any_of(comparison.rules.begin(), comparison.rules.end(),
                    [](const RuleResult& rule) { return rule.rule.is_about_improvement; });
    if (options.fail_on_improvement && !asks_for_less)
        console.say(Severity::warning, "--fail-on-improvement needs a rule about an improvement",
                    "such as --fail-if 'Ir < -5%'");
    if (options.format != DiffFormat::text)  // which has them
        for (const auto& note : comparison.notes) console.say(Severity::warning, engine::display_name(note));
    if (filtered.is_filtered()) {
        say_if_empty(filtered, filter, console);
        comparison.filter = std::move(filter);
        comparison.notes.push_back(filter_note(filtered, filters));
    }
    if (const auto exit = write_outputs(comparison, options, console); exit != Exit::ok) return exit;
    if (before->exit != Exit::ok) return before->exit;
    if (after->exit != Exit::ok) return after->exit;
    return verdict(comparison, options);
}

/// Two names, or more than two with --old and --new.
void share_out(std::vector<std::string>& files, ComparisonOptions& options) {
    for (auto* side : {&options.before, &options.after}) {
        if (!side->empty()) continue;
        if (files.empty()) throw UsageError("diff needs two profiles", "'callcost diff OLD NEW'");
        side->push_back(files.front());
        files.erase(files.begin());
    }
    if (!files.empty())
        throw UsageError(fmt::format("unexpected argument '{}'", files.front()),
                         "--old FILE and --new FILE make a side of several files");
}

}  // namespace

bool are_rules_valid(const ComparisonOptions& options, const Console& console) {
    return rules_of(options, console).has_value();
}

int compare_profiles(const ComparisonOptions& options, const Console& console) {
    return status(run(options, console));
}

Run diff_command(CommandLine& line) {
    line.describe(
        "[OPTION...] OLD NEW",
        "Compare two profiles function by function: what costs more or less, and why. Functions that were "
        "moved, renamed or inlined are matched.\n\nA RULE such "
        "as 'Ir > +0.5%' defines a regression; see callcost-diff(1). Exit status: 0 no rule is met, 3 a rule "
        "is met, 4 the profiles are not comparable, 5 unexpected improvement.");
    line.examples({{"diff old.out new.out", "what costs more, what less, and why"},
                   {"diff --fail-if 'Ir > +0.5%' old.out new.out", "exit with status 3 on a regression"},
                   {"diff -o md=summary.md old.out new.out", "report for a pull request"}});
    line.common({"--old-commit", "--include", "--source-map", "--path-prefix", "--fail-if", "--accept",
                 "--fail-on-improvement", "--event", "--sort", "--limit", "--threshold", "--output",
                 "--format", "--json", "--csv"});
    const auto options = std::make_shared<ComparisonOptions>();
    line.words(options->input.files);
    declare_input(line, options->input, InputKind::compared);
    line.list("--old", "FILE", "old profile, instead of OLD; may be repeated", options->before);
    line.list("--new", "FILE", "new profile, instead of NEW; may be repeated", options->after);
    for (const bool is_old : {true, false})
        line.value(
            is_old ? "--old-perf-map" : "--new-perf-map", "FILE",
            fmt::format("name functions that a runtime compiled by its map for perf, for the {} profile",
                        is_old ? "old" : "new"),
            is_old ? options->perf_map_before : options->perf_map_after);
    declare_compared_sources(line, *options);
    declare_comparison(line, *options);
    line.check([options = options.get()] { share_out(options->input.files, *options); });
    return [options] { return compare_profiles(*options, open_console(options->output)); };
}

}  // namespace callcost::program
