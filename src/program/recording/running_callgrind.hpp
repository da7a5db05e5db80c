/// Callgrind in processes that are running, and what its monitor commands do, through callgrind_control.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include <callcost/error.hpp>

namespace callcost::program {

struct RunningCallgrind {
    pid_t process = 0;
    std::string program;      ///< as it was named, without its arguments
    std::string directory;    ///< where it was started
    std::string output_file;  ///< of the dump at its end; the others are beside it. Empty: not known
    std::uint64_t start = 0;  ///< of the process, in ticks since boot: no later process of this number has it

    /// Whether it is still running.
    [[nodiscard]] bool is_running() const;
};

/// The one that this process has just started, or is about to become.
[[nodiscard]] RunningCallgrind started_callgrind(pid_t process, std::string program, std::string output_file);

/// Those of this user.
[[nodiscard]] std::vector<RunningCallgrind> running_callgrinds();

/// Whether `name` means it: the number of the process, the program as it was started, its name without
/// directory, or a path of its file.
[[nodiscard]] bool is_meant(const RunningCallgrind& callgrind, const std::string& name);

/// What Valgrind makes of `--callgrind-out-file=TEXT`: `%p`, `%q{VARIABLE}` and `%%` are replaced.
/// `environment` has VARIABLE=VALUE, each ended by a zero byte. Nothing for what Valgrind refuses, or what is
/// not known here.
[[nodiscard]] std::optional<std::string> expand_file_name(std::string_view text, pid_t process,
                                                          std::string_view environment);

enum class MonitorCommand : std::uint8_t { dump, zero, instrument, stop_instrumenting };

/// Returns once it is done; the error is what callgrind_control says.
[[nodiscard]] tl::expected<void, std::string> control(pid_t process, MonitorCommand command);

/// The call stack of a thread, the function that is running first.
struct ThreadStack {
    struct Frame {
        std::string function;
        std::string calls;  ///< since the last dump: digits
    };
    unsigned thread = 0;
    std::vector<Frame> frames;
};
struct RunningStacks {
    bool is_instrumented = true;  ///< without, Callgrind knows no stacks
    std::vector<ThreadStack> threads;
};
[[nodiscard]] tl::expected<RunningStacks, std::string> current_stacks(pid_t process);
/// What `callgrind_control -b` prints.
[[nodiscard]] RunningStacks parse_stacks(std::string_view text);

}  // namespace callcost::program
