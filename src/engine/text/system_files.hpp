/// Which source files are not the program's own, by their names.
#pragma once

#include <string_view>

namespace callcost::engine {

/// Whether a file belongs to the system or the compiler, not to the program: headers and libraries below
/// /usr.
[[nodiscard]] bool is_system_file(std::string_view name);

/// The same of libraries.
[[nodiscard]] bool is_system_object(std::string_view name);

}  // namespace callcost::engine
