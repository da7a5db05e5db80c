/// Sums by keys that a file may choose, of which there may be millions. Those of neighbouring keys are kept
/// together, so that what comes in the order of the keys needs few looks into memory that no cache holds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/hash.hpp"
#include "base/paged_vector.hpp"

namespace callcost {

/// A sum of 0 and one that is missing are the same. Sums are modulo 2^64.
class SumsByKey {
  public:
    void add(std::uint64_t key, std::int64_t amount) {
        const std::uint64_t group = key / keys;
        if (groups_.empty() || groups_[last_].number != group) last_ = row_of(group);
        std::int64_t& sum = groups_[last_].sums[key % keys];
        sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum) + static_cast<std::uint64_t>(amount));
    }

    [[nodiscard]] std::int64_t get(std::uint64_t key) const {
        const std::uint32_t entry = index_[slot_of(key / keys)];
        return entry == 0 ? 0 : groups_[entry - 1].sums[key % keys];
    }

    /// Calls f(key, sum) for all sums that are not 0, in the order in which groups of keys came first.
    template <class F>
    void for_each(F f) const {
        for (std::size_t row = 0; row < groups_.size(); ++row)
            for (std::size_t i = 0; i < keys; ++i)
                if (const std::int64_t sum = groups_[row].sums[i]; sum != 0)
                    f(groups_[row].number * keys + i, sum);
    }

  private:
    static constexpr std::size_t keys = 8;  // of a group
    struct Group {
        std::uint64_t number;
        std::array<std::int64_t, keys> sums;
    };

    /// Where the group is in the index, or would be.
    [[nodiscard]] std::size_t slot_of(std::uint64_t group) const {
        const std::size_t mask = index_.size() - 1;
        auto slot = static_cast<std::size_t>(mix(group ^ seed_)) & mask;
        while (index_[slot] != 0 && groups_[index_[slot] - 1].number != group) slot = (slot + 1) & mask;
        return slot;
    }

    std::size_t row_of(std::uint64_t group) {
        std::uint32_t& entry = index_[slot_of(group)];
        if (entry != 0) return entry - 1;
        const std::size_t row = groups_.push_back({group, {}});
        entry = static_cast<std::uint32_t>(row + 1);
        if (groups_.size() * 2 > index_.size()) grow();
        return row;
    }

    void grow() {
        index_.assign(index_.size() * 2, 0);
        for (std::size_t row = 0; row < groups_.size(); ++row)
            index_[slot_of(groups_[row].number)] = static_cast<std::uint32_t>(row + 1);
    }

    std::uint64_t seed_ = seed_for(this);
    PagedVector<Group, 8> groups_;
    std::size_t last_ = 0;                                                  // the row that was added to last
    std::vector<std::uint32_t> index_ = std::vector<std::uint32_t>(16, 0);  // open addressing: row + 1
};

}  // namespace callcost
