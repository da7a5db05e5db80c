/// Groups of options that several commands share: input, event types, locations of sources.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "options/command_line.hpp"
#include "sources/source_files.hpp"
#include "terminal/terminal.hpp"
#include <callcost/call_graph.hpp>
#include <callcost/check.hpp>
#include <callcost/error.hpp>
#include <callcost/groups.hpp>
#include <callcost/source.hpp>

namespace callcost::program {

/// Diagnostics that end the command with an error: `--strict`, `--strict=id,...`.
struct Strict {
    bool everything = false;  ///< all warnings and errors
    std::vector<DiagnosticId> ids;
    std::vector<CheckId> checks;  ///< `check` only
};

/// Where source files, programs and libraries are.
struct SourceSearchOptions {
    std::vector<std::string> include_directories;
    std::vector<PathMapping> source_map;
    std::string disassembler;  ///< empty: objdump of the environment, or one that knows the processor
};

/// The files to read, and how.
struct InputOptions {
    std::vector<std::string> files;  ///< as given; none: the newest profile here
    std::string store{};             ///< where entries are that `files` names; empty: the usual place
    bool with_parts = false;
    std::string from{};                                 ///< the format of `files`; empty: their content tells
    unsigned threads = 0;                               ///< 0: as the machine has processors
    std::uint64_t longest_line = default_longest_line;  ///< bytes
    bool force = false;                                 ///< no limits on what files expand to
    std::string perf_map{};                             ///< names functions of compiled code
    bool debuginfod = false;                            ///< may ask its servers for debug files
    When inlined = When::never;                         ///< show inlined code as functions of their own
    bool leaves_addresses = false;   ///< --inlined=no: as names, where only these are known
    SourceSearchOptions programs{};  ///< that have its debug information
    Selection selection;
    Strict strict{};

    // Set by the command, not by the user.
    bool only_regular_files = false;    ///< neither pipes nor devices: reading never waits
    bool may_name_sources = false;      ///< what is no profile may be the name of a source file
    bool keeps_inlined = false;         ///< in the functions that have it: only what is known is wanted
    bool lists_diagnostics = false;     ///< so that they need not be counted on standard error
    bool keeps_stacks = false;          ///< stacks that are read are wanted as they are
    bool unknown_count_as_one = false;  ///< as the program means it that reads what is written
    std::function<void(std::string_view)> on_bytes{};  ///< gets all that is read, uncompressed
};

/// What costs are measured by.
struct MeasureOptions {
    std::string event;               ///< empty: the first event type with a non-zero total
    bool event_is_sort_key = false;  ///< it was --sort that named it
    std::vector<std::string> shown;  ///< names or formulas; empty: the one of `event`
    bool is_noted = true;            ///< say if another one was chosen, or parts do not record it
};

/// Which source files a page has: none, those in ExpectedDirectories, or all that the profile names.
enum class PageSources : std::uint8_t { none, near, all };

/// Of `view` and `report`: what is in the page.
struct PageOptions {
    InputOptions input;
    SourceSearchOptions sources;
    OutputOptions output;
    std::vector<std::string> before;  ///< files to compare with
    PageSources from = PageSources::near;
};

/// What --sort can be, besides an event type in `annotate`.
constexpr std::array<Choice<SortBy>, 4> sort_keys = {{{"self", SortBy::self},
                                                      {"inclusive", SortBy::inclusive},
                                                      {"called", SortBy::called},
                                                      {"name", SortBy::name}}};

/// `unfolded`: without --contexts. `whole`: nor a choice of parts. `checked`: the same, for `check`.
/// `compared`:
/// --force is declared by others.
enum class InputKind : std::uint8_t { profile, unfolded, whole, checked, compared };

void declare_input(CommandLine& line, InputOptions& options, InputKind kind = InputKind::profile);
/// Where `history:` files are.
void declare_store(CommandLine& line, std::string& store);
/// --inlined, and where programs are: as `sources` say, which the command has declared or will; null: -I and
/// --source-map, too.
void declare_inlined(CommandLine& line, InputOptions& options, const SourceSearchOptions* sources = nullptr);
void declare_event(CommandLine& line, MeasureOptions& options);
/// `--columns EVENT,...`
void declare_columns(CommandLine& line, MeasureOptions& options);
enum class SearchedFiles : std::uint8_t { sources, programs, all };
/// -I, --source-map
void declare_sources(CommandLine& line, SourceSearchOptions& options,
                     SearchedFiles files = SearchedFiles::sources);
/// Those of callcost.toml, after those of the command line.
void add_configured_sources(const std::vector<ConfiguredOption>& configured, SourceSearchOptions& options);
void declare_disassembler(CommandLine& line, SourceSearchOptions& options);
/// --focus, --ignore, --show, --hide, --file and --object.
void declare_filters(CommandLine& line, FilterOptions& options);
/// Those that say which functions are listed, and not which cost counts.
void declare_listed(CommandLine& line, FilterOptions& options);
/// Of commands that show paths and calls: they are those of groups then.
void declare_level(CommandLine& line, std::optional<GroupBy>& group);
void declare_sort(CommandLine& line, std::optional<SortBy>& sort);
void declare_limit(CommandLine& line, std::optional<std::size_t>& limit, const std::string& help);
void declare_page(CommandLine& line, PageOptions& options, bool with_programs);

/// A pattern, files: the pattern is the first of the words.
void declare_pattern_and_files(CommandLine& line, Filter& pattern, std::vector<std::string>& files);

/// Lines around those with cost.
[[nodiscard]] inline std::size_t context_or(std::optional<std::size_t> lines, std::size_t usual = 8) {
    constexpr std::size_t most = 1'000'000'000;
    return std::min(lines.value_or(usual), most);
}

/// Of `top`, `annotate`: --inclusive wins over --sort.
void declare_inclusive(CommandLine& line, std::optional<SortBy>& sort);

struct OutputKinds {
    bool csv = true;
    bool links = true;
    bool limit = true;  ///< the command has --limit
    bool quickfix = false;
};
/// How an answer is written: JSON, CSV, text.
void declare_output(CommandLine& line, OutputOptions& options, OutputKinds kinds = {});
/// Of commands whose answer is a file or a page.
void declare_messages(CommandLine& line, OutputOptions& options);

}  // namespace callcost::program
