#include <cstdint>
#include <map>
#include <numeric>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "callcost/event_type.hpp"

namespace callcost::test {
namespace {

template <class A, class B>
concept Addable = requires(A a, B b) {
    a + b;
};
template <class A, class B>
concept Multipliable = requires(A a, B b) {
    a* b;
};

TEST(Cost, wraps_modulo_2_64) {  // F82
    constexpr Cost least = INT64_MIN, most = INT64_MAX;
    static_assert(most + Cost(1) == INT64_MIN && most + 1 == INT64_MIN && 1 + most == INT64_MIN);
    static_assert(least - Cost(1) == INT64_MAX && least - 1 == INT64_MAX);
    static_assert(INT64_MAX - Cost(-1) == INT64_MIN && -2 - most == INT64_MAX);
    static_assert(-least == INT64_MIN && least * -1 == INT64_MIN && -1 * least == INT64_MIN);
    static_assert(most * 2 == -2 && INT64_MIN * Cost(2) == 0);
    Cost sum = INT64_MAX;
    sum += 1;
    EXPECT_EQ(sum, INT64_MIN);
    sum -= 1;
    EXPECT_EQ(sum, INT64_MAX);
    const std::vector<Cost> costs = {INT64_MAX, INT64_MAX, 3};
    EXPECT_EQ(std::accumulate(costs.begin(), costs.end(), Cost()), 1);
}

TEST(Cost, adds_up_with_integers_of_any_type) {
    static_assert(Cost(2) + 3 == 5 && 2 - Cost(3) == -1 && Cost(2) * -3 == -6);
    static_assert(Cost(-1) + std::uint64_t{3} == 2 && std::uint64_t{3} * Cost(-1) == -3 &&
                  Cost(5) - 7U == -2);
    static_assert(Cost(-1) + UINT64_MAX == -2);
    static_assert(std::is_same_v<decltype(Cost() + 1), Cost>);
    static_assert(std::is_same_v<decltype(1L * Cost()), Cost>);
    static_assert(std::is_same_v<decltype(Cost() + 0.5), double> && 0.5 * Cost(3) == 1.5);
    static_assert(Cost(7) / 2 == 3 && Cost(7) % 4 == 3);
    static_assert(Addable<Cost, Cost> && Multipliable<Cost, int> && !Multipliable<Cost, Cost>);
}

TEST(Cost, converts_to_and_from_integers_that_fit) {
    static_assert(std::is_convertible_v<int, Cost> && std::is_convertible_v<std::uint32_t, Cost>);
    static_assert(std::is_convertible_v<Cost, std::int64_t> && std::is_convertible_v<Cost, double>);
    static_assert(!std::is_convertible_v<std::uint64_t, Cost> && !std::is_constructible_v<Cost, double>);
    static_assert(Cost() == 0 && Cost(UINT64_MAX) == -1);
    static_assert(static_cast<std::uint64_t>(Cost(-1)) == UINT64_MAX);
    static_assert(!std::is_constructible_v<Cost, std::string> && !std::is_constructible_v<Cost, int*>);
}

TEST(Cost, has_a_magnitude_however_small_it_is) {
    static_assert(Cost(-5).magnitude() == 5 && Cost(5).magnitude() == 5 && Cost().magnitude() == 0);
    static_assert(Cost(INT64_MIN).magnitude() == std::uint64_t{1} << 63U);
    static_assert(Cost(INT64_MAX).magnitude() == INT64_MAX);
}

TEST(Cost, is_kept_and_handed_over_as_a_plain_number) {
    static_assert(sizeof(Cost) == sizeof(std::int64_t));
    static_assert(alignof(Cost) == alignof(std::int64_t));
    static_assert(std::is_trivially_copyable_v<Cost> && std::is_standard_layout_v<Cost>);
    static_assert(std::is_trivially_destructible_v<Cost> && std::is_nothrow_default_constructible_v<Cost>);
}

TEST(Cost, prints_and_compares_as_a_number) {
    std::ostringstream out;
    out << Cost(-12) << ' ' << std::to_string(Cost(34)) << ' ' << testing::PrintToString(Cost(56));
    EXPECT_EQ(out.str(), "-12 34 56");
    EXPECT_LT(Cost(-1), 0);
    EXPECT_LT(Cost(INT64_MIN), Cost(INT64_MAX));
    EXPECT_EQ((std::vector<Cost>{1, 2}), (std::vector<Cost>{1, 2}));
    EXPECT_LT((std::map<Cost, int>{{1, 2}}), (std::map<Cost, int>{{2, 1}}));
}

}  // namespace
}  // namespace callcost::test
