/// The commands that make files of files. Each takes what the user asks for and returns the exit status.
#pragma once

#include "options/options.hpp"
#include "terminal/terminal.hpp"

namespace callcost::program {

int run_convert(const Options& options, const Console& console);
int run_merge(const Options& options, const Console& console);
int run_split(const Options& options, const Console& console);
int run_filter(const Options& options, const Console& console);

}  // namespace callcost::program
