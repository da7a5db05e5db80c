// Change points: every step of exact series, level shifts of noisy ones, and no others.
#include <cmath>
#include <cstdint>
#include <ctime>
#include <functional>
#include <optional>
#include <random>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <callcost/change_points.hpp>

namespace callcost {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Series = std::vector<std::optional<Cost>>;
using Random = std::mt19937_64;

double uniform(Random& random) { return static_cast<double>(random() >> 11U) * 0x1p-53; }
double normal(Random& random) {
    return std::sqrt(-2 * std::log(1 - uniform(random))) * std::cos(6.283185307179586 * uniform(random));
}

std::vector<std::size_t> positions(const Series& series) {
    std::vector<std::size_t> found;
    for (const ChangePoint& point : change_points(series).points) found.push_back(point.at);
    return found;
}

/// Relative noise around 10 million, and from `at` on a higher level.
Series noisy(std::uint64_t seed, std::size_t size, const std::function<double(Random&)>& noise,
             std::size_t at = SIZE_MAX, double step = 0) {
    Random random(seed);
    Series series;
    for (std::size_t i = 0; i < size; ++i)
        series.emplace_back(std::llround(1e7 * (1 + noise(random) + (i < at ? 0 : step))));
    return series;
}

/// How many of 100 series have a change point.
int alarms(const std::function<double(Random&)>& noise) {
    int count = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed)
        count += positions(noisy(seed, 100, noise)).empty() ? 0 : 1;
    return count;
}

double bimodal(Random& random) { return (uniform(random) < 0.5 ? 0 : 0.1) + 0.003 * normal(random); }

/// 60 commits with five regressions of 0.3 % to 20 %.
Series five_regressions(Cost jitter) {
    Random random(1);
    Series series;
    Cost level = 10'000'000;
    for (std::size_t i = 0; i < 60; ++i) {
        if (i == 7) level += 500'000;
        if (i == 19) level += 31'500;
        if (i == 20) level += 2'000'000;
        if (i == 41) level += 100'000;
        if (i == 59) level += 900'000;
        series.emplace_back(level + static_cast<std::int64_t>(random() % 401) * jitter - 200 * jitter);
    }
    return series;
}

TEST(ChangePoints, of_exact_series_are_every_step) {
    for (const Cost jitter : {0, 1}) {
        const auto series = five_regressions(jitter);
        EXPECT_THAT(positions(series), ElementsAre(7, 19, 20, 41, 59)) << "also of the newest commit";
        EXPECT_TRUE(change_points(series).exact);
        EXPECT_LT(change_points(series).noise, 0.0001);
    }
    const auto points = change_points(five_regressions(0)).points;
    EXPECT_EQ(points[2].level, (Change{10'531'500, 12'531'500}));
    EXPECT_EQ(points[2].count_before, 1U);
    EXPECT_EQ(points[2].count_after, 21U);
}

TEST(ChangePoints, of_a_commit_and_its_reversal_are_two) {
    EXPECT_THAT(positions({100, 100, 100, 100, 150, 100, 100, 100}), ElementsAre(4, 5));
    EXPECT_THAT(positions({100, 100, 100, 100, 150, 150, 100}), ElementsAre(4, 6));
    EXPECT_THAT(positions({100, 100, 100, 150, 100, 100, 150, 100}), ElementsAre(3, 4, 6, 7)) << "twice";
}

TEST(ChangePoints, are_not_what_is_below_the_threshold) {
    const Series series = {10000, 10000, 10009, 10009, 10009, 10020, 10020};
    EXPECT_THAT(positions(series), ElementsAre(5));
    EXPECT_THAT(change_points(series, {.threshold = 0}).points, testing::SizeIs(2));
    EXPECT_THAT(change_points(series, {.threshold = 0.01}).points, IsEmpty());
    for (const double none : {-1.0, -HUGE_VAL, std::nan("")})
        EXPECT_EQ(change_points(series, {.threshold = none}).points,
                  change_points(series, {.threshold = 0}).points);
}

TEST(ChangePoints, of_exact_series_have_the_costs_on_either_side) {
    const auto points = change_points(Series{100'000, 100'000, 100'050, 101'000, 101'050, 101'050}).points;
    ASSERT_EQ(points.size(), 1U);
    EXPECT_EQ(points[0].level, (Change{100'050, 101'000}));
}

TEST(ChangePoints, of_short_series_are_their_steps) {
    EXPECT_THAT(positions({}), IsEmpty());
    EXPECT_THAT(positions({std::nullopt}), IsEmpty());
    EXPECT_THAT(positions({5}), IsEmpty());
    EXPECT_THAT(positions({5, 6}), ElementsAre(1));
    EXPECT_THAT(positions({5, 6, 8, 9}), ElementsAre(1, 2, 3));
    const Series six = {500, 600, 650, 660, 640, 700};
    EXPECT_THAT(positions(six), IsEmpty()) << "may be noise";
    EXPECT_THAT(change_points(six, {.exact = true}).points, testing::SizeIs(5));
    EXPECT_TRUE(counts_exactly("Ir"));
    EXPECT_FALSE(counts_exactly("D1mr"));
    EXPECT_FALSE(counts_exactly("ns"));
}

TEST(ChangePoints, pass_over_values_that_are_missing) {
    const Series series = {std::nullopt, 10, 10, std::nullopt, 10, std::nullopt, 20, 20, std::nullopt};
    ASSERT_THAT(positions(series), ElementsAre(6));
    EXPECT_EQ(change_points(series).points[0].count_before, 3U);
    EXPECT_EQ(change_points(series).points[0].count_after, 2U);
}

TEST(ChangePoints, from_and_to_nothing_are_found) {
    EXPECT_THAT(positions({0, 0, 0, 7, 7, 7, 0, 0}), ElementsAre(3, 6));
    EXPECT_THAT(positions({0, 0, 0, 0, 0}), IsEmpty());
}

TEST(ChangePoints, of_the_greatest_and_least_costs_do_not_overflow) {
    const Cost least = INT64_MIN, greatest = INT64_MAX;
    EXPECT_THAT(positions({least, least, least, greatest, greatest, greatest}), ElementsAre(3));
    EXPECT_THAT(positions({-10, -10, -10, -20, -20, -20}), ElementsAre(3));
    Random random(1);
    Series series;
    for (int i = 0; i < 1000; ++i) series.emplace_back(Cost(random()));
    EXPECT_FALSE(change_points(series).exact);
    EXPECT_TRUE(std::isfinite(change_points(series).noise));
}

TEST(ChangePoints, are_rare_where_there_is_only_noise) {
    EXPECT_LE(alarms([](Random& random) { return 0.02 * normal(random); }), 3) << "gaussian";
    EXPECT_LE(alarms([](Random& random) { return 0.0005 * normal(random); }), 3) << "little";
    EXPECT_LE(alarms(bimodal), 3);
    EXPECT_LE(alarms([](Random& random) { return uniform(random) < 0.5 ? 0 : 0.1; }), 0) << "two values";
    EXPECT_LE(alarms([](Random& random) { return 0.02 * normal(random) + (uniform(random) < 0.05); }), 3)
        << "outliers";
    EXPECT_FALSE(change_points(noisy(1, 100, bimodal)).exact);
    EXPECT_NEAR(change_points(noisy(1, 100, [](Random& r) { return 0.02 * normal(r); })).noise, 0.016, 0.003)
        << "a normal distribution's mean deviation is 0.8 standard deviations";
}

TEST(ChangePoints, are_found_in_noise) {
    int gaussian = 0, two_modes = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const auto near = [](const Series& series) {
            const auto found = positions(series);
            return found.size() == 1 && found[0] >= 58 && found[0] <= 62 ? 1 : 0;
        };
        gaussian += near(noisy(
            seed, 100, [](Random& random) { return 0.02 * normal(random); }, 60, 0.06));
        two_modes += near(noisy(seed, 100, bimodal, 60, 0.15));
    }
    EXPECT_GE(gaussian, 95);
    EXPECT_GE(two_modes, 95);
    EXPECT_THAT(positions(noisy(
                    1, 100, [](Random& random) { return 0.02 * normal(random); }, 97, 0.1)),
                ElementsAre(97))
        << "5 standard deviations in the newest three";
    const auto series = noisy(
        1, 100, [](Random& random) { return 0.02 * normal(random); }, 60, 0.06);
    const auto points = change_points(series).points;
    ASSERT_EQ(points.size(), 1U);
    EXPECT_NEAR(static_cast<double>(points[0].level.before), 1e7, 1e5) << "medians";
    EXPECT_NEAR(static_cast<double>(points[0].level.after), 1.06e7, 1e5);
    EXPECT_THAT(change_points(series, {.threshold = 0.1}).points, IsEmpty());
}

TEST(ChangePoints, are_found_between_equal_levels) {
    auto series = noisy(
        1, 100, [](Random& random) { return 0.02 * normal(random); }, 40, 0.1);
    for (std::size_t i = 60; i < 100; ++i) series[i] = *series[i] - 1'000'000;
    const auto found = positions(series);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_NEAR(static_cast<double>(found[0]), 40, 1);
    EXPECT_NEAR(static_cast<double>(found[1]), 60, 1);
}

TEST(ChangePoints, of_little_noise_are_large_steps_and_small_shifts) {
    auto series = noisy(
        1, 100, [](Random& random) { return 0.0005 * normal(random); }, 40, 0.002);
    series.back() = *series.back() + 200'000;
    const auto found = positions(series);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_NEAR(static_cast<double>(found[0]), 40, 2) << "4 standard deviations";
    EXPECT_EQ(found[1], 99U) << "40 standard deviations";
}

TEST(ChangePoints, are_the_same_for_the_same_values) {
    const auto series = noisy(3, 300, bimodal, 100, 0.1);
    EXPECT_EQ(change_points(series).points, change_points(series).points);
    auto higher = series;
    for (auto& value : higher) value = *value * 3;
    EXPECT_EQ(positions(series), positions(higher)) << "whatever the unit";
}

TEST(ChangePoints, of_long_series_take_no_quadratic_time) {
    const auto seconds = [](std::size_t size) {
        const auto series = noisy(1, size, bimodal, size / 2, 0.1);
        const auto begin = std::clock();
        EXPECT_EQ(positions(series).size(), 1U);
        return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    };
    EXPECT_LT(seconds(100'000), 100 * (seconds(10'000) + 0.01)) << "of 10 times as many values";
    const auto seconds_of_none = [](std::size_t size) {
        auto series = noisy(1, size, [](Random& random) { return 0.02 * normal(random); });
        for (std::size_t i = 0; i < size; ++i)
            if (i / 25 % 2 == 1) series[i] = *series[i] + 2'000'000;
        const auto begin = std::clock();
        EXPECT_THAT(change_points(series, {.threshold = 0.9}).points, IsEmpty());
        return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    };
    EXPECT_LT(seconds_of_none(100'000), 40 * (seconds_of_none(10'000) + 0.01)) << "all below the threshold";
}

}  // namespace
}  // namespace callcost
