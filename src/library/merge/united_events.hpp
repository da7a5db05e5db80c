/// The columns of several profiles as the columns of one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "callcost/error.hpp"
#include "callcost/profile.hpp"

namespace callcost {

/// What becomes of ratios and snapshots, which cannot be combined (F78). Sums of sums leave them out last:
/// what is known to differ must not depend on what was added first.
enum class OddColumns : std::uint8_t { keep, leave_out };

struct UnitedEvents {
    static constexpr std::uint32_t left_out = UINT32_MAX;

    std::vector<EventType> events;
    std::vector<EventFormula> formulas;               // by name
    std::vector<std::vector<std::uint32_t>> columns;  // by profile and EventId there: row of `events`
};

[[nodiscard]] bool can_be_combined(const EventType& event);

/// By name (aliases are different names: what was read is written back, F68). Lists that are equal keep their
/// order; else Valgrind's order comes first, then the alphabet, so that the result does not depend on the
/// order of the profiles. Error: too_large for more than 64 names in lists that differ.
[[nodiscard]] Result<UnitedEvents> unite_events(std::span<const Profile* const> profiles,
                                                OddColumns odd_columns);

}  // namespace callcost
