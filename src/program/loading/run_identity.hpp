/// Which run a file is of, by its first header lines.
#pragma once

#include <string>

namespace callcost::program {

/// What is empty is not known.
struct RunIdentity {
    std::string pid, command;
};

/// Of a file that need not be readable, or a profile.
[[nodiscard]] RunIdentity run_identity(const std::string& file);

/// Why two files are not of one run, such as "process 12, not 11"; empty if nothing says so (F87).
[[nodiscard]] std::string difference(const RunIdentity& one, const RunIdentity& other);

}  // namespace callcost::program
