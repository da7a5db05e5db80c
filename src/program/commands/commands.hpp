/// The commands of the program: one file and one row of the table each (docs/add-a-command.md).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "options/command_line.hpp"
#include "options/comparison_options.hpp"
#include "options/file_options.hpp"
#include "options/profile_options.hpp"
#include "terminal/terminal.hpp"

namespace callcost::program {

/// Runs a command whose options are parsed; returns the exit status. docs/exit-codes.md has them.
using Run = std::function<int()>;

struct PreparedProfile;  // loading/preparation.hpp

struct Command {
    std::string_view name;
    std::string_view summary;  ///< its line in `callcost --help`
    /// Declares the command's options; what it returns runs the command with them.
    Run (*options)(CommandLine& line);
};

/// In the order of `callcost --help`.
[[nodiscard]] std::span<const Command> command_table();

/// What the words of a command line ask for. Throws UsageError.
[[nodiscard]] Run resolve(std::string_view program, std::span<const char* const> words);

/// What `diff` and `record` share.
[[nodiscard]] int compare_profiles(const ComparisonOptions& options, const Console& console);
/// What is wrong with them is said.
[[nodiscard]] bool are_rules_valid(const ComparisonOptions& options, const Console& console);

/// What `top` and `record` share: the summary and the most expensive functions. `advice` is how to see the
/// others, the longest text first.
[[nodiscard]] int show_functions(const PreparedProfile& prepared, const InputOptions& input,
                                 std::size_t limit, std::vector<std::string> advice, const Console& console);

Run annotate_command(CommandLine& line);
Run asm_command(CommandLine& line);
Run browse_command(CommandLine& line);
Run check_command(CommandLine& line);
Run completion_command(CommandLine& line);
Run convert_command(CommandLine& line);
Run diff_command(CommandLine& line);
Run filter_command(CommandLine& line);
Run history_command(CommandLine& line);
Run info_command(CommandLine& line);
Run lines_command(CommandLine& line);
Run merge_command(CommandLine& line);
Run peek_command(CommandLine& line);
Run record_command(CommandLine& line);
Run report_command(CommandLine& line);
Run split_command(CommandLine& line);
Run top_command(CommandLine& line);
Run tree_command(CommandLine& line);
Run view_command(CommandLine& line);

}  // namespace callcost::program
