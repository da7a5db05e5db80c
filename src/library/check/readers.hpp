/// What other readers of the format make of a file: which traits it has, and whom they are in the way.
#pragma once

#include <array>
#include <vector>

#include "check/facts.hpp"

namespace callcost {

using TraitUses = std::array<TraitUse, trait_count>;  ///< by Trait
[[nodiscard]] TraitUses trait_uses(const Facts& facts);

/// In the order of Reader.
[[nodiscard]] std::vector<ReaderReport> report_readers(const TraitUses& uses);

}  // namespace callcost
