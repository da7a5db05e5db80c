/// The commands about baselines. Each takes what the user asks for and returns the exit status.
#pragma once

#include "options/options.hpp"
#include "terminal/terminal.hpp"

namespace callcost::program {

[[nodiscard]] int run_baseline(const Options& options, const Console& console);
[[nodiscard]] int run_trend(const Options& options, const Console& console);

}  // namespace callcost::program
