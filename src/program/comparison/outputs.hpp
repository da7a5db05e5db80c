/// Where a comparison goes: standard output, files, and what GitHub Actions reads.
#pragma once

#include "comparison/comparison.hpp"
#include "loading/preparation.hpp"
#include "options/comparison_options.hpp"
#include "terminal/terminal.hpp"

namespace callcost::program {

/// All outputs that the options ask for. What failed has been said.
[[nodiscard]] Exit write_outputs(const Comparison& comparison, const ComparisonOptions& options,
                                 const Console& console);

}  // namespace callcost::program
