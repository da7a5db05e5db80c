/// What dropped functions cost, as a cost of the kept ones that lead to them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "callcost/profile.hpp"
#include "callcost/writer.hpp"
#include "merge/rebuild.hpp"

namespace callcost {

/// What takes the place of the calls of dropped functions, and of what these do.
struct Charges {
    std::vector<AddedRecord> records;  // by function
    std::vector<bool> stays;           // by FunctionId: dropped, but its cost is that of "(filtered)"
    std::size_t stay_count = 0;
    std::vector<Cost> costs;  // what the records refer to
};

/// For a profile of one part. Dropped functions that call each other in circles are one. Each of these has a
/// pool: what its functions cost, what the kept functions cost that it leads to, and what its callers say
/// beyond that. Every call takes its cost from the pool, in proportion to what is left there, by largest
/// remainder: so each call's cost is preserved, and what is taken is never more than there was. What is left
/// in the end belongs to "(filtered)". `max_cells` bounds the memory: numbers that are held for pairs of a
/// component and a kept function, or of a call and such a function.
[[nodiscard]] Charges charges_of(const Profile& profile, const std::vector<bool>& dropped,
                                 std::size_t max_cells);

constexpr std::size_t max_charged_cells = std::size_t{1} << 23U;

/// charged_to_callers with another bound.
[[nodiscard]] Result<ChargedProfile> charged_within(const Profile& profile,
                                                    const std::function<bool(FunctionId)>& dropped,
                                                    std::span<const PartId> parts, std::size_t max_cells);

}  // namespace callcost
