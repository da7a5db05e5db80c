/// The common first steps of every command: read, select parts, choose the event type, report problems.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "loading/inputs.hpp"
#include "options/profile_options.hpp"
#include "query/view.hpp"
#include "tables/budget.hpp"
#include "terminal/terminal.hpp"
#include "text/json.hpp"
#include <callcost/call_graph.hpp>
#include <callcost/event_type.hpp>
#include <callcost/profile.hpp>

namespace callcost::program {

/// Exit statuses; docs/exit-codes.md.
enum class Exit : std::uint8_t {
    ok = 0,
    error = 1,
    usage = 2,
    regression = 3,
    not_comparable = 4,
    improvement = 5
};
[[nodiscard]] constexpr int status(Exit exit) { return static_cast<int>(exit); }

struct PreparedProfile {
    std::vector<Failure> not_profiles;  ///< see Input
    Exit exit = Exit::ok;               ///< error if an input is missing from the profile
    CallGraph graph;
    std::vector<Measure> measures;        ///< all that the profile has
    Measure measure;                      ///< the selected one
    std::vector<Measure> shown;           ///< those of --columns, each once; empty: there is no such option
    std::vector<Diagnostic> diagnostics;  ///< of reading, of the formulas and of the analyses
    std::vector<std::optional<ImportedFile>> imported;  ///< see Input
    StacksOfSources stacks;                             ///< see Input

    [[nodiscard]] const Profile& profile() const { return graph.profile(); }
    /// As the engine's answers take it, by `measure`. Must not outlive this.
    [[nodiscard]] engine::View view() const;
};

/// Those of reading, of the formulas and of the analyses.
[[nodiscard]] std::vector<Diagnostic> all_diagnostics(const CallGraph& graph, const Measures& measures);

/// The least detail that answers questions about functions under this selection.
[[nodiscard]] Detail least_detail(const Selection& selection);

/// The budget, unless --force lifts it.
[[nodiscard]] inline engine::Budget unless_forced(const InputOptions& input, const engine::Budget& budget) {
    return input.force ? engine::no_budget : budget;
}
/// In bytes, decompressed.
[[nodiscard]] std::uint64_t bytes_read(const Profile& profile);
/// How much may be written of what the profile was read from.
[[nodiscard]] engine::OutputLimit output_limit(const InputOptions& input, const Profile& profile);

/// Errors are reported on standard error.
[[nodiscard]] tl::expected<PreparedProfile, Exit> prepare(const InputOptions& options,
                                                          const MeasureOptions& wanted,
                                                          const Console& console, Detail detail,
                                                          const OnReading& on_reading = {});

/// Reports EventUnits::difference().
[[nodiscard]] Exit refuse_units(const Console& console, const std::string& difference);

struct ComparedProfiles {
    PreparedProfile before, after;
};
/// The same of two profiles that are compared: inlined code is functions in both or in none.
[[nodiscard]] tl::expected<ComparedProfiles, Exit> prepare_compared(const InputOptions& before,
                                                                    const InputOptions& after,
                                                                    const Console& console, Detail detail);

/// `"schema"` and `"profile"`, the first members of all lists: the inputs and their problems.
void write_origin(engine::JsonWriter& json, std::string_view schema, const PreparedProfile& prepared);

/// The measures a program gets: those of --columns, or all raw event types, and the one asked for if it is
/// another; that one alone where a hostile file has event types and functions by the thousand.
[[nodiscard]] std::vector<Measure> machine_measures(const PreparedProfile& prepared);
/// The same for tables with a number in every cell: the one asked for alone if they are too many (a hostile
/// file has event types by the thousand).
[[nodiscard]] std::vector<Measure> table_measures(const PreparedProfile& prepared);
/// The one asked for, and behind it, if it is for a program, the others of those.
[[nodiscard]] std::vector<Measure> measured_first(const PreparedProfile& prepared,
                                                  const OutputOptions& options);

/// Number of rows: --limit, or all for CSV, or the default.
[[nodiscard]] std::size_t limit_or(std::optional<std::size_t> limit, const OutputOptions& options,
                                   std::size_t usual);

}  // namespace callcost::program
