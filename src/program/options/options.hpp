/// What the user asks for, as values. options.cpp alone knows how it is spelt.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "options/patterns.hpp"
#include "options/valgrind_options.hpp"
#include "sources/source_files.hpp"
#include <callcost/call_graph.hpp>
#include <callcost/check.hpp>
#include <callcost/diff.hpp>
#include <callcost/error.hpp>

namespace callcost::program {

enum class Command : std::uint8_t {
    help,
    version,
    info,
    top,
    annotate,
    assembly,
    peek,
    tree,
    lines,
    parts,
    events,
    check,
    diff,
    baseline,
    trend,
    convert,
    merge,
    split,
    filter,
    view,
    report
};

/// What `check` writes its findings as.
enum class CheckFormat : std::uint8_t { text, json, csv, sarif, github };

enum class When : std::uint8_t { automatic, always, never };

/// Functions by patterns; none: not asked for.
struct Filter {
    std::vector<std::string> texts;  ///< as they were written
    Patterns patterns;
};

/// What `convert` and the other commands that write files write.
enum class FileFormat : std::uint8_t {
    portable,
    compact,
    strict,
    cachegrind,
    pprof,
    speedscope,
    folded,
    dot,
    svg,
    json,
    csv,
    tsv
};

[[nodiscard]] constexpr bool is_made_of_stacks(FileFormat format) {
    return format == FileFormat::pprof || format == FileFormat::speedscope || format == FileFormat::folded;
}

/// What `split` makes a file for.
enum class SplitBy : std::uint8_t { part, thread, pid, object };

/// Where `filter` puts the cost of what it drops.
enum class DroppedCost : std::uint8_t { function, callers };

/// What a row of a table is.
enum class TableRow : std::uint8_t { functions, arcs, lines };

/// Of the commands that write files.
struct FileOptions {
    std::string output;                ///< a path, "-" = standard output; of `split`: a directory
    std::optional<FileFormat> format;  ///< empty: by the name of the output
    bool canonical = false;
    bool without_calls = false;
    bool count_unknown_as_one = false;
    bool keep_parts = false;                               ///< `merge`
    std::vector<Substitution> file_names, function_names;  ///< `merge`
    std::optional<SplitBy> split_by;
    Filter keep, drop;  ///< `filter`
    DroppedCost dropped = DroppedCost::function;
    TableRow rows = TableRow::functions;
    bool integers_as_strings = false;  ///< JSON
    std::optional<std::size_t> nodes;  ///< DOT, SVG; frames of estimated trees
};

/// What a comparison can be written as.
enum class DiffFormat : std::uint8_t {
    text,
    json,
    csv,
    markdown,
    junit,
    github,
    openmetrics,
    benchmark_action,
    folded
};

struct DiffOutput {
    DiffFormat format = DiffFormat::text;
    std::string path;  ///< "-" = standard output
};

/// In which order the rows of a comparison are.
enum class DiffOrder : std::uint8_t { change, relative, increase, decrease, name };

/// What `baseline` does.
enum class BaselineVerb : std::uint8_t { save, list, show, compare, prune };

/// Of `diff` and `baseline compare`.
struct ComparisonOptions {
    std::vector<std::string> before, after;  ///< the files of each side
    MatchMode match = MatchMode::fuzzy;
    std::vector<std::pair<std::string, std::string>> path_prefixes;
    std::vector<Substitution> file_names, function_names;
    std::vector<std::string> fail_if;
    std::string accept;  ///< a file of acceptances; empty: none
    std::string today;   ///< YYYY-MM-DD; empty: as the clock says
    bool fail_on_improvement = false;
    bool exit_zero = false;
    bool force = false;  ///< compare what is not comparable
    bool no_lines = false;
    DiffOrder order = DiffOrder::change;
    DiffFormat format = DiffFormat::text;  ///< of standard output
    std::vector<DiffOutput> outputs;       ///< besides
    std::string name;                      ///< of the comparison in reports
    When github = When::automatic;
};

/// Of `baseline` and `trend`.
struct BaselineOptions {
    std::optional<BaselineVerb> verb;
    std::string directory;
    std::vector<std::string> names;  ///< of baselines
    std::string note;
    std::optional<std::size_t> keep;  ///< `prune`: as many of the newest
    bool replace = false;
};

/// Of `view` and `report`: the page and what is in it.
struct PageOptions {
    std::vector<std::string> before;  ///< files to compare with
    std::uint16_t port = 0;           ///< 0: any that is free
    bool opens_browser = true;
    std::string output;  ///< a path, "-" = standard output
    bool with_sources = true;
    std::uint64_t most_bytes = 0;  ///< of the file, sources included; 0: any number
};

/// Diagnostics that end the command with an error: `--strict`, `--strict=id,...`.
struct Strict {
    bool everything = false;  ///< all warnings and errors
    std::vector<DiagnosticId> ids;
    std::vector<CheckId> checks;  ///< `check` only
};

/// Its result is a file, not a text to look at.
[[nodiscard]] constexpr bool writes_files(Command command) {
    return command == Command::convert || command == Command::merge || command == Command::split ||
           command == Command::filter;
}

[[nodiscard]] constexpr bool is_comparison(Command command) {
    return command == Command::diff || command == Command::baseline || command == Command::trend;
}

[[nodiscard]] constexpr bool makes_pages(Command command) {
    return command == Command::view || command == Command::report;
}

/// What --sort can be, besides an event type in `annotate`.
constexpr std::array<std::pair<std::string_view, SortBy>, 4> sort_keys = {{{"self", SortBy::self},
                                                                           {"inclusive", SortBy::inclusive},
                                                                           {"called", SortBy::called},
                                                                           {"name", SortBy::name}}};

/// How machine code is shown.
struct CodeOptions {
    std::string
        program;  ///< the disassembler; empty: objdump of the environment, or one that knows the processor
    bool intel = false;    ///< Intel's syntax
    bool bytes = false;    ///< the bytes of instructions
    bool sources = false;  ///< source lines between them
};

/// The command names functions by a pattern before its files.
[[nodiscard]] constexpr bool takes_pattern(Command command) {
    return command == Command::peek || command == Command::assembly;
}

struct Options {
    Command command = Command::top;
    std::string help_text;  ///< of Command::help: what to show

    // Input.
    std::vector<std::string> files;  ///< as given; `annotate`: may be names of source files, too
    bool with_parts = false;
    std::string from;      ///< the format of `files`; empty: their content tells
    unsigned threads = 0;  ///< 0: as the machine has processors
    Selection selection;
    Strict strict;

    // What to show.
    Filter pattern;  ///< `peek`, `asm`: which functions
    Filter focus, ignore, show, hide;
    Filter root;                       ///< `tree`: where it begins
    bool inverted = false;             ///< `tree`: callers below the functions they call
    std::optional<std::size_t> depth;  ///< `tree`: levels; 0: all
    std::string event;                 ///< empty: the first one of the profile
    bool event_is_sort_key = false;    ///< it was --sort that named it
    std::vector<std::string>
        show_events;  ///< `annotate`, `asm`: names or formulas; empty: the one of `event`
    std::optional<SortBy> sort;
    std::optional<GroupBy> group;
    std::optional<std::size_t> limit;  ///< 0: all
    std::optional<double> threshold;   ///< a share from 0 to 1
    std::vector<std::string> include_directories;
    std::vector<PathMapping> source_map;
    std::size_t context_lines = 8;
    CodeOptions code;
    CallTree tree = CallTree::none;  ///< `annotate`
    bool annotate_all = true;        ///< `annotate`: source files that are not named, too
    std::optional<ValgrindOptions>
        valgrind;  ///< `annotate --style=valgrind`; then nothing else of these counts

    FileOptions file;  ///< of the commands that write files
    ComparisonOptions comparison;
    BaselineOptions baseline;
    PageOptions page;
    /// What is written is made of stacks: those that are read are wanted as they are.
    [[nodiscard]] bool keeps_stacks() const {
        return command == Command::convert && file.format && is_made_of_stacks(*file.format) &&
               files.size() == 1;
    }

    // How.
    bool json = false;
    bool csv = false;
    bool percentages = true;  ///< beside costs in text
    CheckFormat check_format = CheckFormat::text;
    bool raw = false;    ///< no thousands separators, no truncation
    bool quiet = false;  ///< errors only on standard error
    bool pager = true;
    When color = When::automatic;
    When hyperlink = When::automatic;
    When progress = When::automatic;
};

struct UsageError {
    std::string message;
    std::string hint;
};

/// By the name of a file; nothing if that does not tell.
[[nodiscard]] std::optional<FileFormat> format_of(std::string_view path);

/// The arguments without the program's name. Help is wrapped at a width in columns.
[[nodiscard]] tl::expected<Options, UsageError> parse_command_line(std::span<const char* const> arguments,
                                                                   std::size_t help_width = 80);

/// The same for a program called callgrind_annotate.
[[nodiscard]] tl::expected<Options, UsageError> parse_valgrind_command_line(
    std::span<const char* const> arguments);

}  // namespace callcost::program
