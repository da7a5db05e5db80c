/// What the name of a function is made of, in the languages whose profiles are read: C, C++, Rust, Swift, D,
/// Go, PHP, Python, Ruby, Perl, Java, Scala, JavaScript.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace callcost::engine {

enum class NamePartKind : std::uint8_t {
    before,      ///< a return type, "static", "non-virtual thunk to"
    scope,       ///< a namespace, class, package or directory, and the separator behind it
    outer,       ///< a scope inside `<T as Trait>`: what T is in
    inner,       ///< arguments inside `<T as Trait>`: those of T
    own,         ///< what the function itself is called
    arguments,   ///< `<int>`, with the brackets: template, generic or type arguments
    parameters,  ///< `(int)`, with the parentheses
    after,       ///< ` const`, ` -> Int`
    mark,        ///< ` [clone .part.0]`, `.cold`, `[abi:cxx11]`, the hash of Rust
};

/// Bytes of the name. Together they are the whole name, in its order.
struct NamePart {
    NamePartKind kind = NamePartKind::own;
    std::size_t begin = 0, end = 0;
    std::size_t scope = no_scope;  ///< for what belongs to a scope: which one, from the left

    static constexpr std::size_t no_scope = SIZE_MAX;
    [[nodiscard]] bool is_in_scope() const { return scope != no_scope; }

    friend bool operator==(const NamePart&, const NamePart&) = default;
};

/// Any bytes are a name. What is not understood belongs to the function's own name.
[[nodiscard]] std::vector<NamePart> name_parts(std::string_view name);

}  // namespace callcost::engine
