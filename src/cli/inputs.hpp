/// From what the user named to one Profile: which files are meant, reading them, and saying what went wrong.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "cli/terminal.hpp"
#include <callcost/profile.hpp>

namespace callcost::cli {

struct Input {
    Profile profile;
    std::vector<std::string> not_profiles;  ///< `annotate` only: what was named besides profiles and is none
    bool is_complete = true;                ///< false if a file could not be read and is not in the profile
};

/// Reads all files that are meant, adding them up. What could not be read is said; nothing if no file could.
[[nodiscard]] std::optional<Input> read_input(const Options& options, const Console& console, Detail detail);

}  // namespace callcost::cli
