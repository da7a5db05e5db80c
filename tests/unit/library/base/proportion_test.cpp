#include "base/proportion.hpp"

#include <cstdint>

#include <gtest/gtest.h>

namespace callcost::test {
namespace {

constexpr std::uint64_t largest = INT64_MAX;

void expect(Proportion found, std::uint64_t quotient, std::uint64_t remainder) {
    EXPECT_EQ(found.quotient, quotient);
    EXPECT_EQ(found.remainder, remainder);
}

TEST(Proportion, of_small_numbers_is_a_division) {
    expect(proportion_of(10, 1, 3), 3, 1);
    expect(proportion_of(0, 5, 7), 0, 0);
    expect(proportion_of(5, 0, 7), 0, 0);
}

TEST(Proportion, may_have_a_product_of_more_than_64_bits) {
    expect(proportion_of(8'589'934'591, 4'294'967'295, 4'294'967'296), 8589934589, 1);  // by one bit
    expect(proportion_of(largest, largest, largest), largest, 0);
    expect(proportion_of(largest, 1, largest), 1, 0);
    expect(proportion_of(largest, largest - 1, largest), largest - 1, 0);
    expect(proportion_of(largest - 1, largest - 1, largest), largest - 2, 1);
    expect(proportion_of(largest, std::uint64_t{1} << 40U, largest - 1), std::uint64_t{1} << 40U,
           std::uint64_t{1} << 40U);
    expect(proportion_of(10'000'000'000, 30'000'000'000, 70'000'000'001), 4'285'714'285, 45'714'285'715);
}

}  // namespace
}  // namespace callcost::test
