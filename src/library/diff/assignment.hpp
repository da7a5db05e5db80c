/// Which of several functions that only a number tells apart (lambdas, clones) is which.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "callcost/event_type.hpp"

namespace callcost {

struct GroupMember {
    std::uint32_t name = 0, file = 0;
    Cost self = 0, inclusive = 0;
    std::vector<std::uint32_t> callees{};  ///< names, sorted
};

struct Assignment {
    std::vector<std::pair<std::size_t, std::size_t>> pairs;  ///< rows of before and after; others have none
    bool is_clear = false;     ///< false: it could as well be otherwise, with other differences
    bool is_too_much = false;  ///< too many members to tell
};

/// The pairs that are most alike altogether, by costs and callees; of pairs equally alike those of one name.
/// Members too unlike any other have no partner. `budget` is how many steps may still be taken.
[[nodiscard]] Assignment assign(const std::vector<GroupMember>& before, const std::vector<GroupMember>& after,
                                std::uint64_t& budget);

}  // namespace callcost
