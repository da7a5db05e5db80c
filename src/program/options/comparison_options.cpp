// The options of `diff`, `baseline` and `trend`.
#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "options/option_reader.hpp"

namespace callcost::program {
namespace {

constexpr std::array<std::pair<std::string_view, DiffFormat>, 12> diff_formats = {
    {{"text", DiffFormat::text},
     {"json", DiffFormat::json},
     {"csv", DiffFormat::csv},
     {"md", DiffFormat::markdown},
     {"markdown", DiffFormat::markdown},
     {"junit", DiffFormat::junit},
     {"github", DiffFormat::github},
     {"openmetrics", DiffFormat::openmetrics},
     {"gitlab", DiffFormat::openmetrics},
     {"benchmark-action", DiffFormat::benchmark_action},
     {"folded", DiffFormat::folded},
     {"txt", DiffFormat::text}}};

constexpr std::array<std::pair<std::string_view, When>, 3> occasions = {
    {{"auto", When::automatic}, {"always", When::always}, {"never", When::never}}};

/// By the end of its name.
std::optional<DiffFormat> diff_format_of(std::string_view path) {
    constexpr std::array<std::pair<std::string_view, DiffFormat>, 7> suffixes = {
        {{".txt", DiffFormat::text},
         {".json", DiffFormat::json},
         {".csv", DiffFormat::csv},
         {".md", DiffFormat::markdown},
         {".xml", DiffFormat::junit},
         {".prom", DiffFormat::openmetrics},
         {".folded", DiffFormat::folded}}};
    for (const auto& [suffix, format] : suffixes)
        if (path.ends_with(suffix)) return format;
    return std::nullopt;
}

}  // namespace

void OptionReader::declare_comparison_options() {
    if (facts_.command == Command::diff) {
        values("--old", "FILE", options_.comparison.before,
               "a file of the old side, which may be several; instead of OLD");
        values("--new", "FILE", options_.comparison.after, "a file of the new side; instead of NEW");
        return declare_diff_options();
    }
    auto& baseline = options_.baseline;
    value("--dir", "DIRECTORY", baseline.directory, "where the baselines are (default .callcost)");
    if (facts_.command == Command::baseline) {
        value("--note", "TEXT", baseline.note, "save: kept with the baseline, such as a commit");
        flag("--replace", baseline.replace, "save: in place of the baseline of that name");
        value("--keep", "N", texts_.keep_newest, "prune: remove all but the N newest");
        return declare_diff_options();
    }
    group_ = "What is shown";
    value("-e,--event", "NAME", texts_.event, "event type or formula that functions are measured by");
    value("-n,--limit", "N", texts_.limit, "functions to show; 0: all of them (default 10)");
    value("--threshold", "P%", texts_.threshold,
          "leave out functions that moved by less than this share of the total (default 0.1%)");
    group_ = "How it is shown";
    declare_output_options();
}

void OptionReader::declare_diff_options() {
    auto& comparison = options_.comparison;
    flag("--force", comparison.force, "compare profiles of different commands or event types, too");
    group_ = "What is the same";
    value("--match", "HOW", texts_.match,
          "exact: names as they are; canonical: without what compilers add; fuzzy: renamed functions, too "
          "(default)");
    values("--path-prefix", "OLD=NEW", texts_.path_prefixes, "paths of OLD that begin so are those of NEW");
    values("--mod-filename", "s/OLD/NEW/", texts_.file_names, "rewrite the names of files first");
    values("--mod-funcname", "s/OLD/NEW/", texts_.function_names, "rewrite the names of functions first");
    group_ = "What is asked";
    values("--fail-if", "RULE", comparison.fail_if, "exit status 3 if it is so, such as 'Ir > +0.5%'");
    value("--accept", "FILE", comparison.accept, "regressions that are acknowledged, a line each");
    value("--today", "YYYY-MM-DD", comparison.today, "what day it is for those (default: today, UTC)");
    flag("--fail-on-improvement", comparison.fail_on_improvement,
         "exit status 5 if a rule that asks for less is met");
    flag("--exit-zero", comparison.exit_zero, "exit status 0 whatever the rules say");
    group_ = "What is shown";
    value("-e,--event", "NAME", texts_.event, "event type or formula to compare by");
    value("--sort", "KEY", texts_.order, "change (default), relative, dearer, cheaper or name");
    value("-n,--limit", "N", texts_.limit, "rows of each list; 0: all of them (default 10)");
    value("--threshold", "P%", texts_.threshold, "leave out changes below this share of the old total");
    flag("--no-lines", comparison.no_lines, "no source lines: less to read, and less memory");
    group_ = "How it is shown";
    values("-o,--output", "[FORMAT=]FILE", texts_.outputs,
           "also write FILE, as often as you like: md, json, csv, junit, github, openmetrics, "
           "benchmark-action, folded or text; without FORMAT by its suffix");
    value("--format", "FORMAT", texts_.format, "one of these on standard output (default text)");
    value("--name", "NAME", comparison.name, "what reports call it (default callcost)");
    flag_or_value("--github{always}", "[=WHEN]", texts_.github,
                  "annotations, step summary and outputs of GitHub Actions: auto, always or never");
    declare_output_options();
}

void OptionReader::understand_comparison() {
    if (!is_comparison(facts_.command)) return;
    if (texts_.contexts.empty()) texts_.contexts = "fold";
    understand_baseline();
    if (facts_.command == Command::trend) return;
    constexpr std::array<std::pair<std::string_view, MatchMode>, 3> modes = {
        {{"exact", MatchMode::exact}, {"canonical", MatchMode::canonical}, {"fuzzy", MatchMode::fuzzy}}};
    constexpr std::array<std::pair<std::string_view, DiffOrder>, 5> orders = {
        {{"change", DiffOrder::change},
         {"relative", DiffOrder::relative},
         {"dearer", DiffOrder::dearer},
         {"cheaper", DiffOrder::cheaper},
         {"name", DiffOrder::name}}};
    auto& comparison = options_.comparison;
    comparison.match = choose("--match", texts_.match, modes).value_or(MatchMode::fuzzy);
    comparison.order = choose("--sort", texts_.order, orders).value_or(DiffOrder::change);
    comparison.github = choose("--github", texts_.github, occasions).value_or(When::automatic);
    comparison.file_names = substitutions("--mod-filename", texts_.file_names);
    comparison.function_names = substitutions("--mod-funcname", texts_.function_names);
    if (comparison.name.empty()) comparison.name = "callcost";
    for (const auto& text : texts_.path_prefixes) {
        const auto sign = text.find('=');
        if (sign == std::string::npos || sign == 0)
            return fail(fmt::format("--path-prefix needs OLD=NEW, not '{}'", text));
        comparison.path_prefixes.emplace_back(text.substr(0, sign), text.substr(sign + 1));
    }
    understand_outputs();
    if (facts_.command == Command::diff) understand_sides();
}

void OptionReader::understand_outputs() {
    auto& comparison = options_.comparison;
    for (const auto& text : texts_.outputs) {
        const auto sign = text.find('=');
        std::optional<DiffFormat> format;
        if (sign != std::string::npos && text.find('/') >= sign) {
            format = choose("-o", text.substr(0, sign), diff_formats);
            if (!format) return;
        } else {
            format = diff_format_of(text);
        }
        const auto path = sign != std::string::npos && text.find('/') >= sign ? text.substr(sign + 1) : text;
        if (!format)
            return fail(fmt::format("-o {}: the name does not tell the format", text),
                        fmt::format("such as -o md={}", text));
        if (path.empty()) return fail(fmt::format("-o {}: the name of the file is missing", text));
        for (const DiffOutput& other : comparison.outputs)
            if (std::filesystem::path(other.path).lexically_normal() ==
                std::filesystem::path(path).lexically_normal())
                return fail(fmt::format("-o names '{}' twice", path));
        comparison.outputs.push_back({*format, path});
    }
    if (const auto format = choose("--format", texts_.format, diff_formats)) comparison.format = *format;
    if (options_.json) comparison.format = DiffFormat::json;
    if (options_.csv) comparison.format = DiffFormat::csv;
}

/// Two names, or more than two with --old and --new.
void OptionReader::understand_sides() {
    auto& comparison = options_.comparison;
    auto& files = options_.files;
    for (auto* side : {&comparison.before, &comparison.after}) {
        if (!side->empty()) continue;
        if (files.empty()) return fail("callcost diff needs two profiles", "'callcost diff OLD NEW'");
        side->push_back(files.front());
        files.erase(files.begin());
    }
    if (!files.empty())
        fail(fmt::format("'{}' is one profile too many", files.front()),
             "--old FILE and --new FILE make a side of several files");
}

void OptionReader::understand_baseline() {
    constexpr std::array<std::pair<std::string_view, BaselineVerb>, 5> verbs = {
        {{"save", BaselineVerb::save},
         {"list", BaselineVerb::list},
         {"show", BaselineVerb::show},
         {"compare", BaselineVerb::compare},
         {"prune", BaselineVerb::prune}}};
    auto& baseline = options_.baseline;
    if (baseline.directory.empty()) baseline.directory = ".callcost";
    baseline.keep = number("--keep", texts_.keep_newest);
    if (facts_.command != Command::baseline) return;
    auto& words = options_.files;
    if (words.empty()) return fail("callcost baseline needs a verb", "save, list, show, compare or prune");
    baseline.verb = choose("the verb", words.front(), verbs);
    if (!baseline.verb) return;
    words.erase(words.begin());
    switch (*baseline.verb) {
        case BaselineVerb::save:
        case BaselineVerb::show:
        case BaselineVerb::compare:
            if (words.empty())
                return fail("the name of the baseline is missing",
                            fmt::format("such as 'callcost baseline {} main'",
                                        verbs.at(static_cast<std::size_t>(*baseline.verb)).first));
            baseline.names = {words.front()};
            words.erase(words.begin());
            break;
        case BaselineVerb::prune:
            baseline.names = std::move(words);
            words.clear();
            if (baseline.names.empty() && !baseline.keep)
                return fail("callcost baseline prune needs names or --keep N");
            break;
        case BaselineVerb::list:
            break;
    }
    const bool reads = *baseline.verb == BaselineVerb::save || *baseline.verb == BaselineVerb::compare;
    if (!reads && !words.empty()) fail(fmt::format("'{}' is one name too many", words.front()));
}

}  // namespace callcost::program
