/// Names and places of functions in debug information.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <dwarf.h>
#include <elfutils/libdw.h>

#include "inlining/type_names.hpp"

namespace callcost::program {

/// An attribute of the entry itself.
[[nodiscard]] std::string_view own_string(Dwarf_Die& die, unsigned attribute);
/// Also of those that it refers to as its origin. The linkage name is what the linker knows; empty: none.
[[nodiscard]] std::string_view linkage_name(Dwarf_Die& die);

/// A row of the file table of a unit; empty if there is none.
[[nodiscard]] std::string_view file_name(Dwarf_CU* unit, Dwarf_Word row);

/// The entry that says what a function is: what a copy or an inlined piece refers to.
[[nodiscard]] Dwarf_Die origin_of(const Dwarf_Die& die);

/// Names of functions.
class DebugNames {
  public:
    explicit DebugNames(bool is_mangled) : is_mangled_(is_mangled) {}

    /// As Valgrind names a copy that is not inlined, as far as that is known; never empty.
    [[nodiscard]] std::string name_of(Dwarf_Die& die) { return name_of(die, 0); }

    /// The entry that says where it is declared: the function, or the type of a lambda.
    [[nodiscard]] Dwarf_Die declaration_of(const Dwarf_Die& function);

  private:
    struct Scope {
        Dwarf_Die die{};
        const void* end = nullptr;  // where the next entry begins; null: with that around it
    };
    std::string name_of(Dwarf_Die& die, int depth);
    std::vector<Dwarf_Die> scopes_around(const Dwarf_Die& die);  // the unit first
    std::string name_of_scope(const Dwarf_Die& around, Dwarf_Die& die, int depth);
    std::size_t types_before(const Dwarf_Die& around, const Dwarf_Die& type, std::string_view name,
                             int depth);
    const std::vector<Scope>& scopes_in(Dwarf_Die die);
    std::string names_of_scopes(std::vector<Dwarf_Die>& scopes, int depth);
    NameOfType name_of_type(int depth);
    std::string scoped_name(Dwarf_Die& die, std::string_view name, int depth);

    bool is_mangled_;
    std::unordered_map<const void*, std::vector<Scope>> scopes_;  // by the entry that they are in
};

}  // namespace callcost::program
