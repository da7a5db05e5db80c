/// Runs another program and captures its output.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <callcost/error.hpp>

namespace callcost::program {

struct ProgramLimits {
    std::size_t max_bytes = 64U << 20U;  ///< of what is printed
    std::chrono::milliseconds max_time = std::chrono::seconds(30);
    std::function<bool()> is_wanted{};     ///< polled: whether the result is still wanted; empty: always
    std::vector<std::string> variables{};  ///< NAME=VALUE, set for it
    int input = -1;                        ///< an open file that it reads; negative: no input
    bool survives_broken_pipes = false;    ///< when what it starts itself reads no more: SIGPIPE is blocked
};

struct ProgramOutput {
    std::string text;
    std::string errors;       ///< the beginning of what it printed on standard error
    bool has_failed = false;  ///< its exit status was not 0
    /// It printed too much, took too long or was wanted no more; the text is what there was until then.
    bool was_stopped = false;
};

/// The first word is the program, a path or a name in $PATH; no shell sees any of them. It speaks English.
/// The error is what the system says: there is no such program, for example.
[[nodiscard]] tl::expected<ProgramOutput, int> run_program(const std::vector<std::string>& words,
                                                           const ProgramLimits& limits);

}  // namespace callcost::program
