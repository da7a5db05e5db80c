/// The one part of a sum.
#pragma once

#include <cstdint>
#include <span>

#include "merge/rebuild.hpp"
#include "profile/profile_data.hpp"

namespace callcost {

/// By event.
struct SummedPart {
    std::span<const Cost> self, inclusive;
};

/// Its lines begin with an address (F15).
[[nodiscard]] bool has_addresses(const Part& part);

/// Adds the part to the data, with what all parts that count say of themselves.
void describe_part(std::span<const RebuildInput> inputs, Part part, const SummedPart& sums,
                   ProfileData& data);

}  // namespace callcost
