/// Fewer values of a long series, for a chart.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <callcost/event_type.hpp>

namespace callcost::program {

/// Places of values that are known, ascending: all of at most twice so many, else the lowest and the highest
/// of each of `runs` runs of neighbors. `runs`: at least 1.
[[nodiscard]] std::vector<std::size_t> kept_places(std::span<const std::optional<Cost>> values,
                                                   std::size_t runs);

}  // namespace callcost::program
