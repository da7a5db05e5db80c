/// Records while they are put in order and added up.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

#include "callcost/profile.hpp"

namespace callcost {

/// What distinguishes records; those with equal keys are added up.
struct RowKey {
    FileId file;
    std::uint64_t address = 0, line = 0;
    Record::Kind kind = Record::Kind::cost;
    bool is_special = false;  // a call of unknown count, a conditional jump
    ArcId arc;                // call
    FunctionId target_function;
    FileId target_file;
    std::uint64_t target_address = 0, target_line = 0;                // jump
    friend auto operator<=>(const RowKey&, const RowKey&) = default;  // NOLINT(modernize-use-nullptr)
};

struct Row {
    RowKey key;
    std::uint64_t count = 0;                            // calls, or jumps executed
    std::uint64_t followed = 0;                         // jumps
    std::uint64_t target_address = 0, target_line = 0;  // call: information only (F58)
    std::size_t costs = 0, size = 0;                    // where they are
};

inline std::uint64_t saturated_sum(std::uint64_t a, std::uint64_t b) {
    std::uint64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

/// The smaller target that is known, whatever comes first.
inline void settle_target(Row& row, const Row& other) {
    const std::pair mine(row.target_address, row.target_line);
    const std::pair its(other.target_address, other.target_line);
    const std::pair<std::uint64_t, std::uint64_t> unknown;
    if (mine == unknown || (its != unknown && its < mine))
        std::tie(row.target_address, row.target_line) = its;
}

}  // namespace callcost
