#include "options/comparison_options.hpp"

#include <array>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "input/sets.hpp"

namespace callcost::program {
namespace {

constexpr std::array<Choice<DiffFormat>, 13> diff_formats = {
    {{"text", DiffFormat::text},
     {"json", DiffFormat::json},
     {"csv", DiffFormat::csv},
     {"md", DiffFormat::markdown},
     {"markdown", DiffFormat::markdown, true},
     {"junit", DiffFormat::junit},
     {"github", DiffFormat::github},
     {"openmetrics", DiffFormat::openmetrics},
     {"gitlab", DiffFormat::openmetrics, true},
     {"benchmark-action", DiffFormat::benchmark_action},
     {"folded", DiffFormat::folded},
     {"quickfix", DiffFormat::quickfix},
     {"txt", DiffFormat::text, true}}};

/// By the end of its name.
std::optional<DiffFormat> diff_format_of(std::string_view path) {
    path.remove_suffix(compression_suffix(path).size());
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

DiffFormat format_named(const std::string& option, const std::string& name) {
    return CommandLine::chosen<DiffFormat>(option, name, {diff_formats.begin(), diff_formats.end()});
}

/// `FORMAT=FILE`, or a name that tells the format.
DiffOutput output_of(const std::string& text) {
    const auto sign = text.find('=');
    const bool is_named = sign != std::string::npos && text.find('/') >= sign;
    const auto format = is_named ? format_named("-o", text.substr(0, sign)) : diff_format_of(text);
    const auto path = is_named ? text.substr(sign + 1) : text;
    if (!format)
        throw UsageError(fmt::format("-o {}: unknown format", text), fmt::format("such as -o md={}", text));
    if (path.empty()) throw UsageError(fmt::format("-o {}: missing file name", text));
    return {*format, path};
}

void add_output(std::vector<DiffOutput>& outputs, const std::string& text) {
    const auto output = output_of(text);
    const auto normal = [](const std::string& path) {
        return std::filesystem::path(path).lexically_normal();
    };
    for (const DiffOutput& other : outputs)
        if (normal(other.path) == normal(output.path))
            throw UsageError(fmt::format("-o names '{}' twice", output.path));
    outputs.push_back(output);
}

void declare_matching(CommandLine& line, ComparisonOptions& options) {
    line.heading("Matching");
    declare_inlined(line, options.input, &options.sources);
    line.choice<MatchMode>(
        "--match", "HOW",
        "exact: names as they are; canonical: names without compiler suffixes; fuzzy (default): renamed "
        "functions, too",
        {{"exact", MatchMode::exact}, {"canonical", MatchMode::canonical}, {"fuzzy", MatchMode::fuzzy}},
        options.match);
    line.values("--path-prefix", "OLD=NEW", "match paths under OLD in the old profile with NEW",
                [&options](const std::string& text) {
                    const auto sign = text.find('=');
                    if (sign == std::string::npos || sign == 0)
                        throw UsageError(fmt::format("--path-prefix needs OLD=NEW, not '{}'", text));
                    options.path_prefixes.emplace_back(text.substr(0, sign), text.substr(sign + 1));
                });
    line.substitutions("--mod-filename", "rewrite file names before matching", options.file_names);
    line.substitutions("--mod-funcname", "rewrite function names before matching", options.function_names);
}

void declare_rules(CommandLine& line, ComparisonOptions& options) {
    line.heading("Rules");
    line.list("--fail-if", "RULE", "exit with status 3 if RULE is met; may be repeated", options.fail_if);
    line.value("--accept", "FILE", "accept the regressions listed in FILE, one per line", options.accept);
    line.value("--today", "YYYY-MM-DD", "date at which acceptances expire (default: today, UTC)",
               options.today);
    line.flag_or_no("--fail-on-improvement", "exit with status 5 if a rule for improvements is met",
                    options.fail_on_improvement);
    line.flag("--exit-zero", "exit with status 0 even if a rule is met", options.exit_zero);
}

/// What callcost.toml has of --fail-if and the like, where somebody asks for a comparison.
void complete_rules(CommandLine& line, ComparisonOptions& options) {
    if (const auto subcommand = line.chosen_subcommand(); !subcommand.empty() && subcommand != "compare")
        return;
    for (const auto& option : line.configuration().gate) {
        if (option.option == "--compare") continue;  // of `record` alone
        if (option.option == "--fail-if" && !line.is_given(option.option)) options.rules_place = option.place;
        line.set_default(option);
    }
}

void declare_reports(CommandLine& line, ComparisonOptions& options) {
    line.heading("Output");
    line.values("-o,--output", "[FORMAT=]FILE",
                "also write FILE; may be repeated: md, json, csv, junit, github, openmetrics, "
                "benchmark-action, folded, quickfix or text (default: by the suffix of FILE)",
                [&options](const std::string& text) { add_output(options.outputs, text); });
    const auto has_format = std::make_shared<bool>(false);
    line.value("--format", "FORMAT", "format of standard output, as for -o (default: text)",
               [&options, has_format](const std::string& text) {
                   if (text.empty()) return;
                   options.format = format_named("--format", text);
                   *has_format = true;
               });
    line.value("--name", "NAME", "name of the comparison in reports (default: callcost)",
               [&options](const std::string& text) {
                   if (!text.empty()) options.name = text;
               });
    line.occasion(
        "--github",
        "write annotations, step summary and outputs for GitHub Actions: auto (default), always or never",
        options.github);
    declare_output(line, options.output, {.links = false, .quickfix = true});
    line.check([&options, has_format] {
        if (*has_format && !options.output.is_text())
            throw UsageError("--format cannot be combined with --json, --csv or --quickfix",
                             "such as --format=json");
        if (options.output.json) options.format = DiffFormat::json;
        if (options.output.csv) options.format = DiffFormat::csv;
        if (options.output.quickfix) options.format = DiffFormat::quickfix;
        if (options.format != DiffFormat::quickfix) return;
        options.output.quickfix = options.output.quiet = true;
        if (options.no_lines) throw UsageError("--no-lines cannot be combined with --quickfix");
    });
}

/// `[FROM=]DIR`
void add_source(SideSources& side, const std::string& option, const std::string& text) {
    const auto sign = text.find('=');
    if (text.empty() || sign == 0 || sign + 1 == text.size())
        throw UsageError(fmt::format("{} needs DIR or FROM=DIR, not '{}'", option, text));
    if (sign == std::string::npos) {
        side.directories.push_back(text);
    } else {
        side.map.push_back({text.substr(0, sign), text.substr(sign + 1)});
    }
}

void declare_side(CommandLine& line, const std::string& side, SideSources& sources) {
    const auto directory = "--" + side + "-source", commit = "--" + side + "-commit";
    line.values(
        directory, "[FROM=]DIR",
        fmt::format("find the source files of the {} profile in DIR, or those recorded under FROM; may "
                    "be repeated",
                    side),
        [&sources, directory](const std::string& text) { add_source(sources, directory, text); });
    line.value(commit, "COMMIT",
               fmt::format("read the source files of the {} profile from this git commit", side),
               [&sources, commit](const std::string& text) {
                   if (text.starts_with('-'))
                       throw UsageError(fmt::format("{} needs a commit, not '{}'", commit, text));
                   sources.commit = text;
               });
    line.check([&sources, directory, commit] {
        if (!sources.commit.empty() && !sources.directories.empty())
            throw UsageError(fmt::format("{} cannot be combined with {}", commit, directory),
                             fmt::format("{} FROM=DIR says where a directory is in the commit", directory));
    });
}

}  // namespace

void declare_compared_sources(CommandLine& line, ComparisonOptions& options) {
    line.heading("Source lines");
    declare_side(line, "old", options.sources_before);
    declare_side(line, "new", options.sources_after);
    declare_sources(line, options.sources, SearchedFiles::all);
}

void declare_comparison(CommandLine& line, ComparisonOptions& options) {
    line.flag(
        "--force",
        "compare profiles of different commands or event types; lift the limits on what small files may "
        "expand to",
        options.force);
    declare_matching(line, options);
    declare_rules(line, options);
    line.complete([&line, &options] { complete_rules(line, options); });
    line.heading("Selection");
    line.value("-e,--event", "NAME", "compare by this event type or formula", options.measure.event);
    line.choice<engine::ChangeOrder>("--sort", "KEY",
                                     "sort by change (default), relative, increase, decrease or name",
                                     {{"change", engine::ChangeOrder::change},
                                      {"relative", engine::ChangeOrder::relative},
                                      {"increase", engine::ChangeOrder::increase},
                                      {"decrease", engine::ChangeOrder::decrease},
                                      {"name", engine::ChangeOrder::name},
                                      {"dearer", engine::ChangeOrder::increase, true},  // the earlier words
                                      {"cheaper", engine::ChangeOrder::decrease, true}},
                                     options.order);
    declare_filters(line, options.filters);
    declare_limit(line, options.limit, "show N rows of each list; 0: all (default: 10)");
    line.percentage("--threshold", "omit changes below this share of the old total", options.threshold);
    line.flag("--no-lines", "omit source lines; needs less memory", options.no_lines);
    declare_reports(line, options);
}

}  // namespace callcost::program
