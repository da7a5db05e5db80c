#include "options/profile_options.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>

#include <fmt/format.h>

#include "text/shell.hpp"
#include "text/suggest.hpp"

namespace callcost::program {
namespace {

/// The diagnostics and, of `check`, the checks that a name stands for.
void add_strict(Strict& strict, const std::string& name, bool with_checks) {
    const auto ids = diagnostic_ids(name);
    strict.ids.insert(strict.ids.end(), ids.begin(), ids.end());
    if (!ids.empty()) return;
    std::vector<std::string_view> names;
    bool is_check = false;
    for (std::size_t id = 0; id < check_count && with_checks; ++id) {
        const CheckKind& kind = kind_of(static_cast<CheckId>(id));
        names.insert(names.end(), {kind.name, kind.number});
        if (name != kind.name && name != kind.number) continue;
        strict.checks.push_back(static_cast<CheckId>(id));
        is_check = true;
    }
    if (is_check) return;
    for (std::size_t id = 0; id < diagnostic_id_count; ++id)
        names.push_back(kind_of(static_cast<DiagnosticId>(id)).name);
    auto hint = engine::did_you_mean(name, names);
    if (hint.empty()) hint = "callcost-format(5) lists all";
    throw UsageError(fmt::format("unknown diagnostic '{}' for --strict", name), hint);
}

/// The last --strict counts.
void set_strict(Strict& strict, const std::string& text, bool with_checks) {
    strict = {};
    strict.everything = text == "all";
    if (strict.everything) return;
    for (const auto& name : split_at(text, ','))
        if (!name.empty()) add_strict(strict, name, with_checks);
}

}  // namespace

void add_configured_sources(const std::vector<ConfiguredOption>& configured, SourceSearchOptions& options) {
    for (const auto& option : configured) {
        if (option.option == "--include") {
            options.include_directories.insert(options.include_directories.end(), option.values.begin(),
                                               option.values.end());
            continue;
        }
        // Of equal ones the last counts.
        std::vector<PathMapping> mappings;
        for (const auto& value : option.values)
            if (auto mapping = parse_path_mapping(value)) mappings.push_back(*std::move(mapping));
        options.source_map.insert(options.source_map.begin(), mappings.begin(), mappings.end());
    }
}

void declare_store(CommandLine& line, std::string& store) {
    line.value("--store", "STORE", "store of the history, which has files named history:SERIES@COMMIT",
               store);
}

void declare_input(CommandLine& line, InputOptions& options, InputKind kind) {
    line.heading("Input");
    auto& selection = options.selection;
    const bool is_whole = kind == InputKind::whole || kind == InputKind::checked;
    if (!is_whole) {
        line.numbers("--part", "read only these parts (dumps)", selection.parts);
        line.numbers("--thread", "read only these threads", selection.threads);
        line.numbers("--pid", "read only these processes", selection.pids);
    }
    if (kind == InputKind::unfolded || kind == InputKind::checked) selection.contexts = Contexts::keep;
    if (kind == InputKind::profile || kind == InputKind::compared)
        line.choice<Contexts>("--contexts", "keep|fold",
                              "fold (default): add recursion levels and callers, such as f'2 and f'caller, "
                              "to f; keep: list them",
                              {{"keep", Contexts::keep}, {"fold", Contexts::fold}}, selection.contexts);
    line.flag("--with-parts",
              is_whole ? "treat FILE and its part files FILE.N, FILE-NN as one profile"
                       : "read the part files FILE.N and FILE-NN of FILE, too",
              options.with_parts);
    declare_store(line, options.store);
    if (kind == InputKind::profile || kind == InputKind::unfolded) {
        line.value("--perf-map", "FILE",
                   "name functions that a runtime compiled by its map for perf, /tmp/perf-PID.map",
                   options.perf_map);
        line.flag("--debuginfod",
                  "ask the servers of DEBUGINFOD_URLS for the names of functions in stripped libraries",
                  options.debuginfod);
    }
    const bool is_checked = kind == InputKind::checked;
    line.flag_or_value(
        "--strict", "all", "[=ID,...]",
        is_checked ? "treat warnings, or the named diagnostics, as errors"
                   : "treat warnings, or the named diagnostics, as fatal",
        [&options, is_checked](const std::string& text) { set_strict(options.strict, text, is_checked); });
    line.value("--max-line", "SIZE", "cut longer lines, with a diagnostic (default: 16M)",
               [&options](const std::string& text) {
                   if (!text.empty()) options.longest_line = size_of_text("--max-line", text);
               });
    if (kind != InputKind::compared)
        line.flag("--force", "lift the limits on what small files may expand to", options.force);
    line.value(
        "--threads", "N", "number of threads (default: all cores)", [&options](const std::string& text) {
            constexpr std::uint64_t most = 64;
            if (!text.empty())
                options.threads =
                    static_cast<unsigned>(std::clamp<std::uint64_t>(number_of("--threads", text), 1, most));
        });
}

void declare_inlined(CommandLine& line, InputOptions& options, const SourceSearchOptions* sources) {
    options.inlined = When::automatic;
    line.choice<When>("--inlined", "auto|yes|no",
                      "show inlined code as functions, by the program's debug information (default: auto, "
                      "where there is any)",
                      {{"auto", When::automatic}, {"yes", When::always}, {"no", When::never}},
                      options.inlined);
    line.check([&options] { options.leaves_addresses = options.inlined == When::never; });
    if (sources == nullptr) return declare_sources(line, options.programs, SearchedFiles::programs);
    line.check([&options, sources] { options.programs = *sources; });
}

void declare_event(CommandLine& line, MeasureOptions& options) {
    line.value("-e,--event", "NAME",
               "measure by this event type or formula (default: first event type with a non-zero total)",
               options.event);
}

void declare_columns(CommandLine& line, MeasureOptions& options) {
    line.value("--columns", "EVENT,...", "show these event types, in this order (default: that of --event)",
               [&options](const std::string& text) {
                   options.shown.clear();
                   if (text.empty()) return;
                   options.shown = listed(text);
                   if (std::find(options.shown.begin(), options.shown.end(), "") != options.shown.end())
                       throw UsageError("--columns needs event types, separated by commas");
               });
}

void declare_sources(CommandLine& line, SourceSearchOptions& options, SearchedFiles files) {
    line.values("-I,--include", "DIR",
                fmt::format("search this directory for {}", files == SearchedFiles::sources ? "source files"
                                                            : files == SearchedFiles::programs
                                                                ? "programs and libraries"
                                                                : "source files, programs and libraries"),
                [&options](const std::string& text) {  // -I=DIR, too
                    const bool has_sign = text.size() > 1 && text.front() == '=';
                    options.include_directories.push_back(has_sign ? text.substr(1) : text);
                });
    line.values("--source-map", "OLD=NEW", "look for files recorded under OLD in NEW",
                [&options](const std::string& text) {
                    auto mapping = parse_path_mapping(text);
                    if (!mapping)
                        throw UsageError(fmt::format("--source-map needs OLD=NEW, not '{}'", text),
                                         "such as --source-map /build/src=src");
                    options.source_map.push_back(*std::move(mapping));
                });
    line.complete([&line, &options] { add_configured_sources(line.configuration().sources, options); });
}

void declare_disassembler(CommandLine& line, SourceSearchOptions& options) {
    line.value("--objdump", "PROGRAM",
               "use this disassembler (default: $OBJDUMP, or one that knows the processor)",
               options.disassembler);
}

void declare_filters(CommandLine& line, FilterOptions& options) {
    line.patterns("--focus", "keep only cost of matching functions and their callees", NameScope::any,
                  options.focus);
    line.patterns("--ignore", "drop cost of matching functions and their callees", NameScope::any,
                  options.ignore);
    declare_listed(line, options);
}

void declare_listed(CommandLine& line, FilterOptions& options) {
    line.patterns("--show", "list only matching functions", NameScope::any, options.show);
    line.patterns("--hide", "do not list matching functions", NameScope::any, options.hide);
    line.patterns("--file", "list only functions of matching source files", NameScope::file, options.file);
    line.patterns("--object", "list only functions of matching programs and libraries", NameScope::object,
                  options.object);
}

void declare_level(CommandLine& line, std::optional<GroupBy>& group) {
    line.choice<GroupBy>("--group", "BY", "take functions together by object, file, directory or namespace",
                         {{"object", GroupBy::object},
                          {"file", GroupBy::file},
                          {"directory", GroupBy::directory},
                          {"namespace", GroupBy::name_space}},
                         group);
}

void declare_sort(CommandLine& line, std::optional<SortBy>& sort) {
    line.choice<SortBy>("--sort", "KEY", "sort functions by self, inclusive, called or name",
                        {sort_keys.begin(), sort_keys.end()}, sort);
}

void declare_inclusive(CommandLine& line, std::optional<SortBy>& sort) {
    const auto is_inclusive = std::make_shared<bool>(false);
    line.flag_or_value(
        "--inclusive", "yes", "[=yes|no]", "sort by inclusive cost, as --sort inclusive",
        [is_inclusive](const std::string& text) {
            *is_inclusive = CommandLine::chosen<bool>("--inclusive", text, {{"yes", true}, {"no", false}});
        });
    line.check([is_inclusive, &sort] {
        if (*is_inclusive) sort = SortBy::inclusive;
    });
}

void declare_limit(CommandLine& line, std::optional<std::size_t>& limit, const std::string& help) {
    line.number("-n,--limit", help, limit);
}

void declare_page(CommandLine& line, PageOptions& options, bool with_programs) {
    line.words(options.input.files);
    declare_input(line, options.input, InputKind::unfolded);
    declare_inlined(line, options.input, &options.sources);
    line.list("--diff", "OLD", "compare with this profile; several are added up", options.before);
    declare_sources(line, options.sources, with_programs ? SearchedFiles::all : SearchedFiles::sources);
    line.choice<PageSources>("--sources", "near|all",
                             "near: only source files below the working directory, the directory of the "
                             "profile, -I and --source-map (default); all: any that the profile names",
                             {{"near", PageSources::near}, {"all", PageSources::all}}, options.from);
    if (with_programs) declare_disassembler(line, options.sources);
}

void declare_pattern_and_files(CommandLine& line, Filter& pattern, std::vector<std::string>& files) {
    line.words(files);
    line.check([name = line.name(), &pattern, &files] {
        if (files.empty())
            throw UsageError(fmt::format("{} needs a pattern", name),
                             fmt::format("such as 'callcost {} main'", name));
        std::error_code ignored;
        if (files.size() == 1 && std::filesystem::exists(files.front(), ignored))
            throw UsageError(
                fmt::format("{} needs a pattern before the file", name),
                fmt::format("such as {}", engine::quoted_command({"callcost", name, "main", files.front()})));
        pattern = {{files.front()}, patterns_of("PATTERN", {files.front()}, NameScope::function)};
        files.erase(files.begin());
    });
}

void declare_output(CommandLine& line, OutputOptions& options, OutputKinds kinds) {
    line.heading("Output");
    line.flag("--json", "write JSON: costs as integers, names as valid UTF-8", options.json);
    if (kinds.csv)
        line.flag("--csv",
                  fmt::format("write CSV: all rows{}, costs as integers",
                              kinds.limit ? " unless --limit is given" : ""),
                  options.csv);
    if (kinds.quickfix)
        line.flag("--quickfix", "write FILE:LINE:COLUMN: TEXT for lists of editors, and no warnings",
                  options.quickfix);
    line.flag("--raw", "never truncate names or group digits, and print costs as numbers: 3880, not 3.88 ms",
              options.raw);
    line.occasion("--color", "use colors: auto (default), always or never", options.color);
    if (kinds.links)
        line.occasion("--hyperlink", "link source lines: auto (default), always or never", options.hyperlink);
    const auto has_no_color = std::make_shared<bool>(false);
    line.flag("--no-color", "same as --color=never", *has_no_color);
    line.flag_off("--no-pager", "do not use a pager", options.pager);
    line.occasion("--progress", "show progress: auto (default), always or never", options.progress);
    line.flag("-q,--quiet", "print errors only, no warnings or notes", options.quiet);
    line.check([has_no_color, &options] {
        if (*has_no_color) options.color = When::never;
        if (options.json && options.csv) throw UsageError("--json and --csv cannot be combined");
        if (options.quickfix && (options.json || options.csv))
            throw UsageError("--quickfix cannot be combined with --json or --csv");
        // Editors read both streams, and a diagnostic is the place of a profile.
        if (options.quickfix) options.quiet = true;
    });
}

void declare_messages(CommandLine& line, OutputOptions& options) {
    line.heading("Output");
    line.occasion("--color", "use colors: auto (default), always or never", options.color);
    line.occasion("--progress", "show progress: auto (default), always or never", options.progress);
    line.flag("-q,--quiet", "print errors only, no warnings or notes", options.quiet);
}

}  // namespace callcost::program
