/// The commands that show a profile as a page. Each takes what the user asks for and returns the exit status.
#pragma once

#include "options/options.hpp"
#include "terminal/terminal.hpp"

namespace callcost::program {

int run_view(const Options& options, const Console& console);
int run_report(const Options& options, const Console& console);

}  // namespace callcost::program
