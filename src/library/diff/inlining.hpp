/// Functions that were inlined into their callers, or taken out of them.
#pragma once

#include <vector>

#include "callcost/diff.hpp"

namespace callcost {

/// From the matches and arcs of a diff.
[[nodiscard]] std::vector<Inlining> find_inlinings(const Diff& diff);

}  // namespace callcost
