/// What of a function's name stays the same when the program is built again.
#pragma once

#include <string>
#include <string_view>

namespace callcost {

struct CanonicalName {
    std::string text;
    /// It has lost a number that only counts: of a lambda, a closure, a clone. Functions of one canonical
    /// name are then told apart by that number, which another build gives to another function.
    bool was_counted = false;
};

/// What a function without a name, which is called by its address, is called.
constexpr std::string_view address_name = "0x";

/// Without what compilers and linkers add: `[clone .constprop.0]`, `.part.0`, `.llvm.123`, hashes of Rust,
/// symbol versions, inline namespaces of the standard libraries; without the numbers of lambdas and closures,
/// the lines that PHP names closures after, and the addresses that functions without a name are called by. In
/// linear time.
[[nodiscard]] CanonicalName canonical_name(std::string_view name);

/// A name without template arguments and parameters; as it is if its brackets do not fit.
[[nodiscard]] std::string name_without_arguments(std::string_view name);

}  // namespace callcost
