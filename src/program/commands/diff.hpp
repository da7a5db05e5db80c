/// The command that compares two profiles.
#pragma once

#include "options/options.hpp"
#include "terminal/terminal.hpp"

namespace callcost::program {

/// The files are those of Options::comparison; without any after, the newest profile here. Exit status:
/// docs/exit-codes.md.
[[nodiscard]] int run_diff(const Options& options, const Console& console);

}  // namespace callcost::program
