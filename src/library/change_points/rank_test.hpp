/// The rank test behind change_points().
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>

namespace callcost {

using Values = std::span<const std::int64_t>;  ///< known costs in the order of the series
using Positions = std::set<std::size_t>;       ///< first values of new levels

/// How far apart two values are, relative to the smaller one; infinity from 0.
[[nodiscard]] double relative_difference(std::int64_t a, std::int64_t b);

/// Of an even number the lower one: always one of the values.
[[nodiscard]] std::int64_t median(Values values);

/// Changes of the level in noise of any distribution, by at least the threshold. The values are some of a
/// series of `size` values; about 1 of 100 series without a change have any (bench/change_points.cpp).
[[nodiscard]] Positions level_changes(Values values, std::size_t size, double threshold);

}  // namespace callcost
