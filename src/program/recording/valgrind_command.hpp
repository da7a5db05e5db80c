/// Valgrind's and perf's command lines: from what somebody wants to know to the options that record it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "recording/language_profiler.hpp"

namespace callcost::program {

enum class RecordingTool : std::uint8_t {
    callgrind,
    cachegrind,
    perf,
    language  ///< the profiler of a script's language
};

/// Callers that functions are kept apart by unless somebody says how many: more make more paths certain,
/// and take more time (docs/record.md has the figures).
constexpr std::size_t default_callers = 3;

/// What is recorded, and where.
struct Recording {
    RecordingTool tool = RecordingTool::callgrind;
    bool cache = false;                    ///< simulated caches
    bool branches = false;                 ///< simulated branch prediction
    bool without_instructions = false;     ///< source lines only, neither instructions nor jumps
    bool separate_threads = false;         ///< each on its own
    bool children = false;                 ///< programs that the program starts, too
    bool starts_off = false;               ///< until somebody switches it on
    bool runtime_names = true;             ///< runtimes are told to name the code that they compile
    bool one_file = false;                 ///< has all dumps and threads, not only the last one
    std::optional<std::size_t> callers;    ///< functions are kept apart by as many; 0: by none
    std::vector<std::string> only;         ///< functions in which costs are collected
    std::vector<std::string> zero_before;  ///< functions at whose entry costs are set to zero
    std::vector<std::string> environment;  ///< NAME=VALUE for the program
    std::vector<std::string> options;      ///< for the program, before its arguments
    std::vector<std::string> more;         ///< options in Valgrind's own words
    std::vector<std::string> more_perf;    ///< options in perf's own words
    bool interpreter = false;              ///< of a script, rather than the script
    std::optional<Script> script;          ///< for the profiler of its language
    std::string directory;                 ///< in which the program runs; empty: the working directory
    std::string output;                    ///< file names begin with it; the process follows
};

/// The words that start it. Messages go to a file of each process whose name begins with `log`; empty: to
/// standard error.
[[nodiscard]] std::vector<std::string> valgrind_command(const Recording& recording, const std::string& log,
                                                        const std::vector<std::string>& program);

/// The words that have perf take samples, with call stacks, into the file `data`.
[[nodiscard]] std::vector<std::string> perf_command(const Recording& recording, const std::string& data,
                                                    const std::vector<std::string>& program);

/// Cuts at blanks, as a shell does without expanding anything: '...', "..." and \ quote. Nothing if a quote
/// is not closed.
[[nodiscard]] std::optional<std::vector<std::string>> unquoted_words(std::string_view text);

/// The option of `more` that decides where output goes, which we have to know; empty if there is none.
[[nodiscard]] std::string reserved_option(const std::vector<std::string>& more);

/// "Callgrind"
[[nodiscard]] std::string name_of(RecordingTool tool);

}  // namespace callcost::program
