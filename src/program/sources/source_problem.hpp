/// Why a source file has no text, in words.
#pragma once

#include <string>

#include "sources/source_text.hpp"

namespace callcost::program {

/// Empty if it was just not found, or the profile has no name for it.
[[nodiscard]] std::string reason_text(const SourceProblem& problem);

}  // namespace callcost::program
