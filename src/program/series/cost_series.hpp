/// A cost over several profiles.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <callcost/diff.hpp>

namespace callcost::program {

/// A cost in each profile, oldest first; nothing where it is not recorded.
using Series = std::vector<std::optional<Cost>>;

/// The first and the last one that is known.
[[nodiscard]] Change ends(const Series& series);

/// A character for each value, high for high ones; a blank where there is none.
[[nodiscard]] std::string sparkline(const Series& series, bool unicode);

}  // namespace callcost::program
