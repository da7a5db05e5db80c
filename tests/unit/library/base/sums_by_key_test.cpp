#include "base/sums_by_key.hpp"

#include <cstdint>
#include <limits>
#include <map>

#include <gtest/gtest.h>

namespace callcost {
namespace {

using Sums = std::map<std::uint64_t, std::int64_t>;

Sums all(const SumsByKey& sums) {
    Sums all;
    sums.for_each([&](std::uint64_t key, std::int64_t sum) { EXPECT_TRUE(all.emplace(key, sum).second); });
    return all;
}

TEST(SumsByKey, what_was_never_added_is_0) {
    const SumsByKey sums;
    EXPECT_EQ(sums.get(0), 0);
    EXPECT_EQ(sums.get(7), 0);
    EXPECT_TRUE(all(sums).empty());
}

TEST(SumsByKey, amounts_of_a_key_are_added_up) {
    SumsByKey sums;
    sums.add(0, 5);
    sums.add(7, 1);
    sums.add(0, -2);
    EXPECT_EQ(sums.get(0), 3);
    EXPECT_EQ(sums.get(7), 1);
    EXPECT_EQ(sums.get(1), 0);
}

TEST(SumsByKey, a_sum_that_has_become_0_is_left_out) {
    SumsByKey sums;
    sums.add(1, 5);
    sums.add(2, 6);
    sums.add(1, -5);
    EXPECT_EQ(all(sums), (Sums{{2, 6}}));
}

TEST(SumsByKey, a_sum_that_is_too_large_wraps) {
    SumsByKey sums;
    sums.add(1, std::numeric_limits<std::int64_t>::max());
    sums.add(1, 1);
    EXPECT_EQ(sums.get(1), std::numeric_limits<std::int64_t>::min());
}

TEST(SumsByKey, very_many_keys_keep_their_sums) {
    SumsByKey sums;
    Sums expected;
    for (std::int64_t i = 1; i <= 20'000; ++i) {
        const auto key = static_cast<std::uint64_t>(i % 3) << 32U | static_cast<std::uint64_t>(i * i % 9973);
        sums.add(key, i);
        expected[key] += i;
    }
    EXPECT_EQ(all(sums), expected);
    for (const auto& [key, sum] : expected) EXPECT_EQ(sums.get(key), sum);
}

}  // namespace
}  // namespace callcost
