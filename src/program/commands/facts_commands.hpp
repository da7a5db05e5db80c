/// The commands about what a profile and its files are, before what the program spent. Each takes what the
/// user asks for and returns the exit status.
#pragma once

#include "options/options.hpp"
#include "terminal/terminal.hpp"

namespace callcost::program {

int run_info(const Options& options, const Console& console);
int run_parts(const Options& options, const Console& console);
int run_events(const Options& options, const Console& console);
int run_check(const Options& options, const Console& console);

}  // namespace callcost::program
