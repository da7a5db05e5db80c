#include "series/thinning.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace callcost::program {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Values = std::vector<std::optional<Cost>>;

TEST(Thinning, keeps_all_of_a_few) {
    EXPECT_THAT(kept_places(Values{1, std::nullopt, 3, 2}, 2), ElementsAre(0, 2, 3));
    EXPECT_THAT(kept_places(Values{std::nullopt}, 1), IsEmpty());
    EXPECT_THAT(kept_places(Values{}, 1), IsEmpty());
}

TEST(Thinning, keeps_the_lowest_and_the_highest_of_neighbors) {
    EXPECT_THAT(kept_places(Values{5, 9, 1, 5, 5, 5, 5, 7, std::nullopt, 6}, 2), ElementsAre(1, 2, 4, 7));
    EXPECT_THAT(kept_places(Values{2, 2, 2, 2, 2, 3}, 1), ElementsAre(0, 5));
    EXPECT_THAT(kept_places(Values{2, 2, 2}, 1), ElementsAre(0, 2)) << "a level is drawn to its end";
}

TEST(Thinning, a_long_series_keeps_its_extremes) {
    Values values(10'000, 100);
    values[4321] = 1'000'000;
    values[7000] = 3;
    const auto places = kept_places(values, 50);
    EXPECT_LE(places.size(), 100U);
    EXPECT_THAT(places, testing::IsSupersetOf({4321U, 7000U}));
    EXPECT_TRUE(std::is_sorted(places.begin(), places.end()));
}

}  // namespace
}  // namespace callcost::program
