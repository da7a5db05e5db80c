/// The options of `record`, and what callcost.toml adds to them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "commands/history_add.hpp"
#include "options/command_line.hpp"
#include "options/comparison_options.hpp"
#include "recording/valgrind_command.hpp"

namespace callcost::program {

struct RecordOptions {
    Recording recording;
    std::vector<std::string> program;  ///< and its arguments
    /// The words that run the program if it is a script that cannot be started itself.
    std::vector<std::string> interpreter;
    std::string output;  ///< empty: as the tool names it
    std::string hint;    ///< if there is no such program: one of the file that is meant, maybe
    bool only_prints = false;
    bool writes_configuration = false;
    bool replaces = false;  ///< the configuration that is there
    bool opens_page = false;
    bool opens_browser = true;
    bool samples = false;  ///< --sample
    std::size_t runs = 1;
    bool adds = false;  ///< to the history
    EntryOptions entry;
    ComparisonOptions comparison;
    std::vector<ConfiguredOption>
        configured_rules;  ///< of the file, if it is used: also those that are not applied
    OutputOptions messages;
};

/// Exit status of what fails before the program runs, as env, nohup and timeout have it.
constexpr int recording_failed = 125;

/// Declares them; the options must outlive the line.
void declare_record(CommandLine& line, RecordOptions& options);

}  // namespace callcost::program
