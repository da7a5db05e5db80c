/// Types in debug information, as demanglers write them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <elfutils/libdw.h>

namespace callcost::program {

/// The name of a class or another type that has one, with its scopes; empty: it has none.
using NameOfType = std::function<std::string(Dwarf_Die& type)>;

/// "(char const*, int)", for a member function that promises it with " const"; nothing if one of the types
/// cannot be written.
[[nodiscard]] std::optional<std::string> parameter_list(Dwarf_Die& function, const NameOfType& name);

/// "void scope::f<int>(int)" of a template function whose name is "f<...>", without the result if it has none
/// to name, as constructors; nothing if it is no such function, or one of the types cannot be written.
[[nodiscard]] std::optional<std::string> template_function(Dwarf_Die& function, const std::string& scopes,
                                                           std::string_view name, bool has_result,
                                                           const NameOfType& name_of_type);

}  // namespace callcost::program
