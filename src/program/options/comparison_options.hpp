/// What is compared, and how that is reported.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "answers/changed_functions.hpp"
#include "options/profile_options.hpp"
#include <callcost/diff.hpp>

namespace callcost::program {

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
    folded,
    quickfix
};

struct DiffOutput {
    DiffFormat format = DiffFormat::text;
    std::string path;  ///< "-" = standard output
};

/// Where a text has the verdict: at the beginning and, with rules, at the end; or at the end only.
enum class VerdictAt : std::uint8_t { both_ends, end };

/// Where the source files of one side are, if that is said for this side alone.
struct SideSources {
    std::vector<std::string> directories;
    std::vector<PathMapping> map;
    std::string commit;  ///< as git names it; empty: none

    [[nodiscard]] bool is_given() const { return !directories.empty() || !map.empty() || !commit.empty(); }
};

/// Of `diff`.
struct ComparisonOptions {
    InputOptions input{
        .files = {}, .inlined = When::automatic, .selection = {}};  ///< of both sides, but for the files
    MeasureOptions measure;
    OutputOptions output;
    std::optional<std::size_t> limit;
    std::optional<double> threshold;
    std::vector<std::string> before, after;       ///< the files of each side
    std::string perf_map_before, perf_map_after;  ///< InputOptions::perf_map of each
    MatchMode match = MatchMode::fuzzy;
    std::vector<std::pair<std::string, std::string>> path_prefixes;
    std::vector<Substitution> file_names, function_names;
    std::vector<std::string> fail_if;
    std::string rules_place;  ///< of those that are from callcost.toml; empty: they are not
    std::string accept;       ///< a file of acceptances; empty: none
    std::string today;        ///< YYYY-MM-DD; empty: as the clock says
    bool fail_on_improvement = false;
    bool exit_zero = false;
    bool force = false;  ///< compare what is not comparable
    bool no_lines = false;
    SourceSearchOptions sources;                    ///< of both sides
    SideSources sources_before{}, sources_after{};  ///< come first
    engine::ChangeOrder order = engine::ChangeOrder::change;
    FilterOptions filters{};  ///< of lists
    VerdictAt verdict = VerdictAt::both_ends;
    DiffFormat format = DiffFormat::text;  ///< of standard output
    std::vector<DiffOutput> outputs;       ///< besides
    std::string name = "callcost";         ///< of the comparison in reports
    When github = When::automatic;
};

/// What `diff` has, besides the names of what is compared.
void declare_comparison(CommandLine& line, ComparisonOptions& options);
/// Where source texts are, by which lines are matched.
void declare_compared_sources(CommandLine& line, ComparisonOptions& options);

}  // namespace callcost::program
