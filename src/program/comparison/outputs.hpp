/// Where a comparison goes: standard output, files, and what GitHub Actions reads.
#pragma once

#include "comparison/comparison.hpp"
#include "loading/preparation.hpp"
#include "options/options.hpp"
#include "terminal/terminal.hpp"

namespace callcost::compare {

/// All outputs that the options ask for. What failed has been said.
[[nodiscard]] cli::Exit write_outputs(const Comparison& comparison, const cli::Options& options,
                                      const cli::Console& console);

}  // namespace callcost::compare
