/// What `record` says before and after a run.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <sys/types.h>

#include "recording/foreground_process.hpp"
#include "recording/program_file.hpp"
#include "recording/valgrind_command.hpp"
#include "recording/valgrind_log.hpp"
#include "terminal/terminal.hpp"

namespace callcost::program {

struct RecordedRun {
    EndedProcess ended;
    std::map<pid_t, ValgrindLog> logs;
    std::vector<std::string> files;                      ///< of the program
    std::map<pid_t, std::vector<std::string>> children;  ///< files of other processes
    std::vector<pid_t> running;                          ///< other processes that have not ended

    [[nodiscard]] bool has_begun() const { return logs.contains(ended.process); }
    [[nodiscard]] ValgrindLog log() const { return has_begun() ? logs.at(ended.process) : ValgrindLog{}; }
};

/// "Callgrind"
[[nodiscard]] std::string name_of(RecordingTool tool);

/// Why it cannot be run: the exit status; 0 if it can.
[[nodiscard]] int refuse_program(const ProgramFile& file, const std::string& name, const Console& console);
/// What its profile will lack.
void announce_limits(const ProgramFile& file, const Recording& recording, const Console& console);
/// What is incomplete, and of which processes there are profiles.
void report_run(const RecordedRun& run, const Recording& recording, const Console& console);
/// Why there is no profile; returns the exit status.
[[nodiscard]] int report_missing_profile(const RecordedRun& run, const Recording& recording,
                                         const Console& console);

}  // namespace callcost::program
