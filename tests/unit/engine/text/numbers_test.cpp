#include "text/numbers.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace callcost::engine {
namespace {

const Style no_style;
const Style separated = {.color = false, .unicode = false, .separators = true, .width = 0};

TEST(Numbers, separators_stand_between_thousands) {
    EXPECT_EQ(cost(0, separated), "0");
    EXPECT_EQ(cost(999, separated), "999");
    EXPECT_EQ(cost(1000, separated), "1,000");
    EXPECT_EQ(cost(1964552, separated), "1,964,552");
    EXPECT_EQ(cost(-999, separated), "-999");
    EXPECT_EQ(cost(-1000, separated), "-1,000");
    EXPECT_EQ(cost(1964552, no_style), "1964552");
}

TEST(Numbers, the_extremes_are_exact) {
    EXPECT_EQ(cost(std::numeric_limits<std::int64_t>::min(), separated), "-9,223,372,036,854,775,808");
    EXPECT_EQ(count(std::numeric_limits<std::uint64_t>::max(), no_style), "18446744073709551615");
}

TEST(Numbers, differences_always_have_a_sign) {
    EXPECT_EQ(difference(2, no_style), "+2");
    EXPECT_EQ(difference(-2000, separated), "-2,000");
    EXPECT_EQ(difference(2000, separated), "+2,000");
}

const Style in_units = {.units = true};

TEST(Numbers, of_time_and_bytes_are_in_the_unit_that_leaves_few_digits) {
    EXPECT_EQ(cost(3880, "us", in_units), "3.88 ms");
    EXPECT_EQ(cost(850, "us", in_units), "850 us");
    EXPECT_EQ(cost(19, "10ns", in_units), "190 ns");
    EXPECT_EQ(cost(1200000, "bytes", in_units), "1.20 MB");
    EXPECT_EQ(cost(999, "bytes", in_units), "999 B");
    EXPECT_EQ(cost(1000, "bytes", in_units), "1.00 kB");
    EXPECT_EQ(cost(-2500, "ms", in_units), "-2.50 s");
    EXPECT_EQ(cost(0, "ns", in_units), "0");
    EXPECT_EQ(cost(999994999, "ns", in_units), "999.99 ms");
    EXPECT_EQ(cost(999999000, "ns", in_units), "1.00 s");
    EXPECT_EQ(cost(12345678, "s", {.separators = true, .units = true}), "12,345,678 s");
    EXPECT_EQ(cost(42, "us", {.unicode = true, .units = true}), "42 \u00b5s");
    EXPECT_EQ(difference(2500, "ms", in_units), "+2.50 s");
    EXPECT_EQ(difference(-2500, "ms", in_units), "-2.50 s");
    EXPECT_EQ(per_call(100, {3}, "us", in_units), "33.33 us");
    EXPECT_EQ(per_call(100, {3, true}, "us", in_units), "");
    EXPECT_EQ(cost(std::numeric_limits<std::int64_t>::min(), "bytes", in_units), "-9223372.04 TB");
}

TEST(Numbers, of_anything_else_stay_numbers) {
    EXPECT_EQ(cost(3880, "", in_units), "3880");
    EXPECT_EQ(cost(3880, "pages", in_units), "3880");
    EXPECT_EQ(cost(3880, "0ns", in_units), "3880");
    EXPECT_EQ(cost(3880, "99999999999ns", in_units), "3880");
    EXPECT_EQ(cost(3880, "us", no_style), "3880");
}

TEST(Numbers, the_cost_of_a_call_has_two_decimals_and_is_unknown_if_a_call_is_not_counted) {
    EXPECT_EQ(per_call(7, {3}, no_style), "2.33");
    EXPECT_EQ(per_call(-1, {3}, no_style), "-0.33");
    EXPECT_EQ(per_call(1999, {1000}, no_style), "2.00");
    EXPECT_EQ(per_call(-1, {1000}, no_style), "0.00");
    EXPECT_EQ(per_call(4000, {2}, separated), "2,000.00");
    EXPECT_EQ(per_call(std::numeric_limits<std::int64_t>::min(), {1}, no_style), "-9223372036854775808.00");
    EXPECT_EQ(per_call(7, {0}, no_style), "");
    EXPECT_EQ(per_call(7, {3, true}, no_style), "");
}

TEST(Numbers, bars_are_as_long_as_the_share_is_large) {
    EXPECT_EQ(bar(1, 1, 3), "\u2588\u2588\u2588");
    EXPECT_EQ(bar(1, 2, 3), "\u2588\u258c");
    EXPECT_EQ(bar(1, 100, 3), "");
    EXPECT_EQ(bar(-5, 100, 3), "");
    EXPECT_EQ(bar(5, 1, 2), "\u2588\u2588") << "never longer than the column";
    EXPECT_EQ(bar(5, 0, 2), "");
}

TEST(Numbers, shares_have_two_decimals) {
    EXPECT_EQ(percent(1, 3), "33.33%");
    EXPECT_EQ(percent(3, 3), "100.00%");
    EXPECT_EQ(percent(0, 3), "0.00%");
    EXPECT_EQ(percent(-1, 3), "-33.33%");
    EXPECT_EQ(percent(-1, 1000000), "0.00%") << "no minus before a zero";
    EXPECT_EQ(percent(1, 0), "-") << "nothing is a share of nothing";
}

TEST(Numbers, calls_that_are_not_counted_make_a_count_at_least) {
    EXPECT_EQ(calls({.known = 12, .at_least = false}, no_style), "12");
    EXPECT_EQ(calls({.known = 12, .at_least = true}, no_style), "12+");
    EXPECT_EQ(calls({.known = 0, .at_least = true}, no_style), "?");
    EXPECT_EQ(calls({.known = 0, .at_least = false}, no_style), "0");
}

TEST(Numbers, bytes_have_a_unit) {
    EXPECT_EQ(bytes(1), "1 byte");
    EXPECT_EQ(bytes(999), "999 bytes");
    EXPECT_EQ(bytes(1000), "1.0 kB");
    EXPECT_EQ(bytes(999999), "1.0 MB");
    EXPECT_EQ(bytes(1130000000), "1.1 GB");
}

TEST(Numbers, nouns_have_a_plural) {
    EXPECT_EQ(counted(1, "warning", no_style), "1 warning");
    EXPECT_EQ(counted(0, "warning", no_style), "0 warnings");
    EXPECT_EQ(counted(1200, "warning", separated), "1,200 warnings");
}

}  // namespace
}  // namespace callcost::engine
