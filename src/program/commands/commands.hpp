/// The commands. Each takes what the user asks for and returns the exit status.
#pragma once

#include "options/options.hpp"
#include "terminal/terminal.hpp"

namespace callcost::program {

int run_top(const Options& options, const Console& console);
int run_annotate(const Options& options, const Console& console);
int run_asm(const Options& options, const Console& console);
int run_peek(const Options& options, const Console& console);
int run_tree(const Options& options, const Console& console);
int run_lines(const Options& options, const Console& console);

}  // namespace callcost::program
