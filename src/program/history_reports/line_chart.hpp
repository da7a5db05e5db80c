/// A series of costs as a chart of characters.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "text/style.hpp"
#include <callcost/event_type.hpp>

namespace callcost::program {

/// Lines with the costs at their left; under the columns of `marks` (indices of values) an arrow.
void write_line_chart(std::string& out, std::span<const std::optional<Cost>> values,
                      std::span<const std::size_t> marks, const engine::Style& style);

/// In one line of at most `most` characters: the largest of the values that share a place.
[[nodiscard]] std::vector<std::optional<Cost>> thinned(std::span<const std::optional<Cost>> values,
                                                       std::size_t most);

}  // namespace callcost::program
