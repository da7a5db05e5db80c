/// @file version.hpp
/// Which callcost this is. Include it to say so in a log or a bug report.
#pragma once

#include <string_view>

/// What a program may use. Everything else is hidden where the library is a shared one.
#if defined(__GNUC__)
#define CALLCOST_API __attribute__((visibility("default")))
#else
#define CALLCOST_API
#endif

namespace callcost {

/// The version of the library that the program runs with, such as "0.1.0".
[[nodiscard]] CALLCOST_API std::string_view version();

}  // namespace callcost
