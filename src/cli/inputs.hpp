/// From what the user named to one Profile: which files are meant, reading them, and saying what went wrong.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.hpp"
#include "cli/terminal.hpp"
#include <callcost/error.hpp>
#include <callcost/profile.hpp>

namespace callcost::cli {

/// An input that is not in the profile, and why.
struct Failure {
    std::string file;
    Error error;
    std::string line;  ///< the text of error.line, if it is known
};
void report(const Console& console, const Failure& failure, std::string_view better_hint = {});

struct Input {
    Profile profile;
    std::vector<Failure> not_profiles;  ///< `annotate` only: may be names of source files; not reported yet
    bool is_complete = true;            ///< false if a file could not be read and is not in the profile
};

/// Reads all files that are meant, adding them up. What could not be read is said; nothing if no file could.
[[nodiscard]] std::optional<Input> read_input(const Options& options, const Console& console, Detail detail);

}  // namespace callcost::cli
