#include "series/cost_series.hpp"

#include <gtest/gtest.h>

namespace callcost::program {
namespace {

TEST(CostSeries, is_drawn_as_a_line) {
    EXPECT_EQ(sparkline({0, 7, std::nullopt, 3}, false), "_# -");
    EXPECT_EQ(sparkline({5, 5}, true), "▁▁");
    EXPECT_EQ(sparkline({INT64_MIN, INT64_MAX}, false), "_#");
    EXPECT_EQ(sparkline({}, false), "");
}

TEST(CostSeries, has_ends_where_it_is_known) {
    EXPECT_EQ(ends({std::nullopt, 4, 9, std::nullopt}), (Change{4, 9}));
}

}  // namespace
}  // namespace callcost::program
