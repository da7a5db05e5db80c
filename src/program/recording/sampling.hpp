/// Samples by perf: whether they can be taken here, and as text.
#pragma once

#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "recording/valgrind_command.hpp"

namespace callcost::program {

struct SamplingProblem {
    std::string message, hint;
};

/// Has perf sample a program that does nothing. Nothing if that works.
[[nodiscard]] std::optional<SamplingProblem> try_sampling(const Recording& recording);

/// From what perf says; `paranoid` is the text of /proc/sys/kernel/perf_event_paranoid.
[[nodiscard]] SamplingProblem understand_perf_errors(std::string_view errors, std::string_view paranoid);

/// Writes the samples of perf's file to `file`, as `perf script` prints them. False if there are none, and
/// `problem` says why if perf knows.
[[nodiscard]] bool write_samples(const std::string& data, const std::string& file,
                                 const std::vector<std::string>& program, std::string& problem);

/// Whether most samples have one function of the program and not who called it, in text of `perf script`:
/// perf has found no frame pointers.
[[nodiscard]] bool lacks_callers(std::istream& samples);

}  // namespace callcost::program
