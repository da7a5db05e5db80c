/// @file version.hpp
/// Which callcost this is. Include it to say so in a log or a bug report.
#pragma once

#include <string_view>

namespace callcost {

/// The version of the library that the program runs with, such as "0.1.0".
[[nodiscard]] std::string_view version();

}  // namespace callcost
