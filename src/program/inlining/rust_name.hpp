/// Names of Rust's newer mangling ("_R..."), as Valgrind writes them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace callcost::program {

/// Without hashes and types of constants; nothing if it is no such name.
[[nodiscard]] std::optional<std::string> demangled_rust_name(std::string_view mangled);

}  // namespace callcost::program
