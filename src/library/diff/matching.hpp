/// Which function of one profile is which of another (callcost/diff.hpp says by what).
#pragma once

#include <vector>

#include "callcost/call_graph.hpp"
#include "callcost/diff.hpp"

namespace callcost {

/// One of the profiles.
struct ProfileSide {
    const CallGraph* graph = nullptr;
    Measure measure{};
};

/// Every node of both graphs is in exactly one match. In no special order.
[[nodiscard]] std::vector<FunctionMatch> match_functions(const ProfileSide& before, const ProfileSide& after,
                                                         const DiffOptions& options);

}  // namespace callcost
