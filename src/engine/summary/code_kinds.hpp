/// What a function's code is for, where its name and its object file tell: a program's own code, or code that
/// others wrote.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace callcost::engine {

enum class CodeKind : std::uint8_t {
    unknown,
    dynamic_linking,    ///< the loader: `ld-linux-x86-64.so.2`
    memory_allocation,  ///< `malloc`, `_int_free`, `operator new`
    c_library,          ///< `libc.so.6`, `libm`, `libpthread`, but not its allocator
    cpp_library,        ///< `libstdc++`, `libc++`, `libgcc_s`
    built_in,           ///< functions of an interpreter: `php::strlen`, `<built-in method ...>`
};
constexpr std::size_t code_kinds = 6;

/// What all functions of an object file are, but for its allocator.
[[nodiscard]] CodeKind kind_of_object(std::string_view object);
/// What a function of such an object is.
[[nodiscard]] CodeKind kind_of_function(std::string_view function, CodeKind of_object);
/// "memory allocation"; empty for unknown code.
[[nodiscard]] std::string_view to_string(CodeKind kind);

}  // namespace callcost::engine
