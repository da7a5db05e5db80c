/// @file change_points.hpp
/// Change points: where the cost of a series changes from one level to another. Include it to find out which
/// of many runs became more or less expensive.
///
/// In an exact series, such as Ir, these are all steps between neighbors. In a noisy one, such as times, a
/// rank test finds them, which neither outliers nor values that switch between two modes mislead:
///
/// - intervals: Kovács, Bühlmann, Li, Munk, "Seeded binary segmentation", Biometrika 110 (2023)
/// - order: Baranowski, Chen, Fryzlewicz, "Narrowest-over-threshold detection of multiple change points and
///   change-point-like features", J. R. Stat. Soc. B 81 (2019)
/// - statistic: normal scores of ranks, van der Waerden, "Order tests for the two-sample problem" (1952)
///
/// docs/change-points.md has the rules, and the rates of misses and false alarms.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "callcost/diff.hpp"
#include "callcost/event_type.hpp"

namespace callcost {

struct ChangePointOptions {
    /// Smallest change worth reporting, relative to the smaller of the two levels. Below 0, or not a number:
    /// 0.
    double threshold = 0.001;
    bool exact = false;  ///< as counts_exactly(): even 5 to 11 values count as exact, however they differ
};

struct ChangePoint {
    std::size_t at;  ///< index of the first value of the new level
    /// In the unit of the values. Exact series: the two values on either side. Noisy ones: the medians up to
    /// the neighboring change points.
    Change level;
    std::size_t count_before, count_after;  ///< known values up to the neighboring change points
    friend bool operator==(const ChangePoint&, const ChangePoint&) = default;
};

struct ChangePoints {
    std::vector<ChangePoint> points;  ///< in the order of the series
    bool exact = true;                ///< any noise is too small to be taken for a change
    double noise = 0;  ///< mean deviation of the values from the median of their level, relative to it
};

/// Whether an event type is the same in every run that does the same: Ir, Dr, Dw, Bc and Bi. Simulated cache
/// misses and mispredictions vary with addresses.
[[nodiscard]] CALLCOST_API bool counts_exactly(std::string_view event);

/// `values` are costs of one unit in the order of the series, nothing where there is none. They are only read
/// during the call, and nothing of the result refers to them. Any values are a series: there are no errors,
/// and without two known values no change points. The same values always give the same answer, in
/// O(n log² n) time and O(n) memory.
[[nodiscard]] CALLCOST_API ChangePoints change_points(std::span<const std::optional<Cost>> values,
                                                      const ChangePointOptions& options = {});

}  // namespace callcost
