/// `annotate --style=valgrind`: what callgrind_annotate 3.19 prints, byte for byte where that tool is right
/// (docs/valgrind-style.md).
#pragma once

#include "options/valgrind_options.hpp"
#include "terminal/terminal.hpp"

namespace callcost::program {

/// Returns the exit status.
int run_valgrind_annotate(const ValgrindOptions& asked, const Console& console);

}  // namespace callcost::program
