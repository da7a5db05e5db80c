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
        values("--old", "FILE", options_.comparison.before, "old profile, instead of OLD; may be repeated");
        values("--new", "FILE", options_.comparison.after, "new profile, instead of NEW; may be repeated");
        return declare_diff_options();
    }
    auto& baseline = options_.baseline;
    value("--dir", "DIRECTORY", baseline.directory, "directory of the baselines (default: .callcost)");
    if (facts_.command == Command::baseline) {
        value("--note", "TEXT", baseline.note, "save: store TEXT with the baseline, such as a commit");
        flag("--replace", baseline.replace, "save: replace an existing baseline");
        value("--keep", "N", texts_.keep_newest, "prune: remove all but the N newest");
        return declare_diff_options();
    }
    group_ = "Selection";
    value("-e,--event", "NAME", texts_.event, "measure functions by this event type or formula");
    value("-n,--limit", "N", texts_.limit, "show N functions; 0: all (default: 10)");
    value("--threshold", "P%", texts_.threshold,
          "omit functions that changed by less than this share of the total (default: 0.1%)");
    group_ = "Output";
    declare_output_options();
}

void OptionReader::declare_diff_options() {
    auto& comparison = options_.comparison;
    flag("--force", comparison.force, "compare profiles of different commands or event types");
    group_ = "Matching";
    value("--match", "HOW", texts_.match,
          "exact: names as they are; canonical: names without compiler suffixes; fuzzy (default): renamed "
          "functions, too");
    values("--path-prefix", "OLD=NEW", texts_.path_prefixes,
           "match paths under OLD in the old profile with NEW");
    values("--mod-filename", "s/OLD/NEW/", texts_.file_names, "rewrite file names before matching");
    values("--mod-funcname", "s/OLD/NEW/", texts_.function_names, "rewrite function names before matching");
    group_ = "Rules";
    values("--fail-if", "RULE", comparison.fail_if, "exit with status 3 if RULE is met; may be repeated");
    value("--accept", "FILE", comparison.accept, "accept the regressions listed in FILE, one per line");
    value("--today", "YYYY-MM-DD", comparison.today,
          "date at which acceptances expire (default: today, UTC)");
    flag("--fail-on-improvement", comparison.fail_on_improvement,
         "exit with status 5 if a rule for improvements is met");
    flag("--exit-zero", comparison.exit_zero, "exit with status 0 even if a rule is met");
    group_ = "Selection";
    value("-e,--event", "NAME", texts_.event, "compare by this event type or formula");
    value("--sort", "KEY", texts_.order, "sort by change (default), relative, increase, decrease or name");
    value("-n,--limit", "N", texts_.limit, "show N rows of each list; 0: all (default: 10)");
    value("--threshold", "P%", texts_.threshold, "omit changes below this share of the old total");
    flag("--no-lines", comparison.no_lines, "omit source lines; needs less memory");
    group_ = "Output";
    values("-o,--output", "[FORMAT=]FILE", texts_.outputs,
           "also write FILE; may be repeated: md, json, csv, junit, github, openmetrics, benchmark-action, "
           "folded or text (default: by the suffix of FILE)");
    value("--format", "FORMAT", texts_.format, "format of standard output, as for -o (default: text)");
    value("--name", "NAME", comparison.name, "name of the comparison in reports (default: callcost)");
    flag_or_value(
        "--github{always}", "[=WHEN]", texts_.github,
        "write annotations, step summary and outputs for GitHub Actions: auto (default), always or never");
    declare_output_options();
}

void OptionReader::resolve_comparison() {
    if (!is_comparison(facts_.command)) return;
    if (texts_.contexts.empty()) texts_.contexts = "fold";
    resolve_baseline();
    if (facts_.command == Command::trend) return;
    constexpr std::array<std::pair<std::string_view, MatchMode>, 3> modes = {
        {{"exact", MatchMode::exact}, {"canonical", MatchMode::canonical}, {"fuzzy", MatchMode::fuzzy}}};
    constexpr std::array<std::pair<std::string_view, DiffOrder>, 7> orders = {
        {{"change", DiffOrder::change},
         {"relative", DiffOrder::relative},
         {"increase", DiffOrder::increase},
         {"decrease", DiffOrder::decrease},
         {"name", DiffOrder::name},
         {"dearer", DiffOrder::increase},  // the earlier words
         {"cheaper", DiffOrder::decrease}}};
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
    resolve_outputs();
    if (facts_.command == Command::diff) resolve_sides();
}

void OptionReader::resolve_outputs() {
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
            return fail(fmt::format("-o {}: unknown format", text), fmt::format("such as -o md={}", text));
        if (path.empty()) return fail(fmt::format("-o {}: missing file name", text));
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
void OptionReader::resolve_sides() {
    auto& comparison = options_.comparison;
    auto& files = options_.files;
    for (auto* side : {&comparison.before, &comparison.after}) {
        if (!side->empty()) continue;
        if (files.empty()) return fail("callcost diff needs two profiles", "'callcost diff OLD NEW'");
        side->push_back(files.front());
        files.erase(files.begin());
    }
    if (!files.empty())
        fail(fmt::format("unexpected argument '{}'", files.front()),
             "--old FILE and --new FILE make a side of several files");
}

void OptionReader::resolve_baseline() {
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
    if (words.empty())
        return fail("callcost baseline needs a subcommand", "save, list, show, compare or prune");
    baseline.verb = choose("the subcommand", words.front(), verbs);
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
    if (!reads && !words.empty()) fail(fmt::format("unexpected argument '{}'", words.front()));
}

}  // namespace callcost::program
