/// Runs a program in our place: with our input, output, terminal and process group.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include <sys/types.h>

#include <callcost/error.hpp>

namespace callcost::program {

/// What happens while it runs.
struct ForegroundWatch {
    std::function<void(pid_t process)> on_begin{};
    std::function<void()> on_tick{};  ///< about twice a second; empty: nobody wants to know
    /// It still runs a second after it was interrupted (Ctrl-C).
    std::function<void()> on_waiting{};
    std::function<void(pid_t process)> on_second_interrupt{};  ///< before it is killed
};

/// Where it runs, and where its output goes; empty: as ours.
struct ForegroundPlace {
    std::string directory{};
    std::string output{};  ///< a file that is appended to
    std::string errors{};
};

struct EndedProcess {
    pid_t process = 0;
    int exit_status = 0;  ///< 128 and the signal, if one ended it
    int signal = 0;       ///< the one that ended it, or 0
    bool was_interrupted = false;
    bool was_killed = false;  ///< by a second interrupt
};

/// Signals of the terminal reach it as they reach us; SIGTERM and SIGHUP are passed on. It is waited for in
/// any case. The error is what errno would be: it could not be started.
[[nodiscard]] tl::expected<EndedProcess, int> run_in_foreground(std::vector<std::string> words,
                                                                const ForegroundWatch& watch,
                                                                const ForegroundPlace& place = {});

}  // namespace callcost::program
