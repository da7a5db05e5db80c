/// Outputs of a comparison: standard output, files, and GitHub Actions.
#pragma once

#include "comparison/comparison.hpp"
#include "loading/preparation.hpp"
#include "options/comparison_options.hpp"
#include "terminal/terminal.hpp"

namespace callcost::program {

/// Writes all outputs selected by the options. Errors are reported.
[[nodiscard]] Exit write_outputs(const Comparison& comparison, const ComparisonOptions& options,
                                 const Console& console);

}  // namespace callcost::program
