/// One run of a program under a tool, and what is left of it.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include <sys/types.h>

#include "recording/foreground_process.hpp"
#include "recording/valgrind_command.hpp"
#include "recording/valgrind_log.hpp"
#include "terminal/terminal.hpp"
#include <callcost/error.hpp>

namespace callcost::program {

struct RecordedRun {
    EndedProcess ended;
    std::map<pid_t, ValgrindLog> logs;                   ///< by Valgrind
    std::vector<std::string> files;                      ///< of the program
    std::map<pid_t, std::vector<std::string>> children;  ///< files of other processes
    std::vector<pid_t> running;                          ///< other processes that have not ended
    std::string tool_problem;    ///< why perf or a language's profiler left none, if known
    bool lacks_callers = false;  ///< most of perf's samples

    [[nodiscard]] bool has_begun() const { return logs.contains(ended.process); }
    [[nodiscard]] ValgrindLog log() const { return has_begun() ? logs.at(ended.process) : ValgrindLog{}; }
};

/// Who else wants to know of it.
struct RunWatch {
    std::function<void(pid_t process)> on_begin{};
    std::function<void()> on_end{};  ///< before anything is done to its files
};

/// Runs the program in the foreground under the tool. Its files are `OUTPUT` and the process. The error says
/// why it could not be started.
[[nodiscard]] tl::expected<RecordedRun, std::string> record_run(const Recording& recording,
                                                                const std::vector<std::string>& program,
                                                                const Console& console,
                                                                const RunWatch& others = {});

}  // namespace callcost::program
