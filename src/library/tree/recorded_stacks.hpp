/// The stacks that files hold themselves, of some of the parts.
#pragma once

#include <memory>
#include <span>

#include "callcost/tree.hpp"

namespace callcost {

/// Of one source; null if a part that has records has no trace of its calls.
[[nodiscard]] std::shared_ptr<const Stacks> stacks_of_parts(const Profile& profile,
                                                            std::span<const PartId> parts);

}  // namespace callcost
