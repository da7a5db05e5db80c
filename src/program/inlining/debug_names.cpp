#include "inlining/debug_names.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>

#include "inlining/function_names.hpp"
#include "inlining/type_names.hpp"

namespace callcost::program {

namespace {

constexpr int max_references = 16;      // from an entry to its origin
constexpr std::size_t max_scopes = 64;  // around a function
constexpr std::string_view lambda = "<lambda";

bool has_scopes(Dwarf_Die& unit) {
    switch (::dwarf_srclang(&unit)) {
        case DW_LANG_C_plus_plus:
        case DW_LANG_C_plus_plus_03:
        case DW_LANG_C_plus_plus_11:
        case DW_LANG_C_plus_plus_14:
        case 0x2a:  // C++17
        case 0x2b:  // C++20
        case DW_LANG_ObjC_plus_plus:
        case DW_LANG_D:
        case DW_LANG_Rust:
        case DW_LANG_Swift:
            return true;
        default:
            return false;
    }
}

bool refers(Dwarf_Die& die, unsigned attribute, Dwarf_Die& target) {
    Dwarf_Attribute reference;
    return ::dwarf_attr(&die, attribute, &reference) != nullptr &&
           ::dwarf_formref_die(&reference, &target) != nullptr;
}

bool is_type(Dwarf_Die& die) {
    const auto tag = ::dwarf_tag(&die);
    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/// The function that a lambda is; g++ leaves out the name of its type.
bool find_call(Dwarf_Die& type, Dwarf_Die& call) {
    if (::dwarf_child(&type, &call) != 0) return false;
    do {
        if (::dwarf_tag(&call) == DW_TAG_subprogram && own_string(call, DW_AT_name) == "operator()")
            return true;
    } while (::dwarf_siblingof(&call, &call) == 0);
    return false;
}

/// The linker knows the destructor of a type without a name, and with it the type.
std::string scope_of_destructor(Dwarf_Die& type) {
    Dwarf_Die member;
    if (::dwarf_tag(&type) == DW_TAG_namespace || ::dwarf_child(&type, &member) != 0) return {};
    do {
        if (::dwarf_tag(&member) != DW_TAG_subprogram) continue;
        const auto whole = readable_name(std::string(own_string(member, DW_AT_linkage_name)));
        if (const auto end = whole.rfind("::~"); end != std::string::npos) return whole.substr(0, end);
    } while (::dwarf_siblingof(&member, &member) == 0);
    return {};
}

}  // namespace

std::string_view own_string(Dwarf_Die& die, unsigned attribute) {
    Dwarf_Attribute text;
    const char* const found = ::dwarf_formstring(::dwarf_attr(&die, attribute, &text));
    return found == nullptr ? std::string_view() : found;
}

std::string_view linkage_name(Dwarf_Die& die) {
    Dwarf_Attribute text;
    for (const unsigned attribute : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name})
        if (const char* const found = ::dwarf_formstring(::dwarf_attr_integrate(&die, attribute, &text)))
            return found;
    return {};
}

std::string_view file_name(Dwarf_CU* unit, Dwarf_Word row) {
    Dwarf_Die top;
    Dwarf_Files* files = nullptr;
    std::size_t count = 0;
    if (unit == nullptr ||
        ::dwarf_cu_die(unit, &top, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr) == nullptr ||
        ::dwarf_getsrcfiles(&top, &files, &count) != 0 || row >= count)
        return {};
    const char* const name = ::dwarf_filesrc(files, static_cast<std::size_t>(row), nullptr, nullptr);
    return name == nullptr ? std::string_view() : name;
}

Dwarf_Die origin_of(const Dwarf_Die& die) {
    Dwarf_Die found = die;
    Dwarf_Die next;
    for (int i = 0; i < max_references && refers(found, DW_AT_abstract_origin, next); ++i) found = next;
    return found;
}

std::string DebugNames::name_of(Dwarf_Die& die, int depth) {
    if (const auto linkage = linkage_name(die); !linkage.empty())
        return is_mangled_ ? std::string(linkage) : readable_name(std::string(linkage));
    Dwarf_Attribute text;
    const char* const found = ::dwarf_formstring(::dwarf_attr_integrate(&die, DW_AT_name, &text));
    const std::string_view name = found == nullptr || *found == '\0' ? "???" : found;
    Dwarf_Die declared = origin_of(die);
    Dwarf_Die specification;
    if (refers(declared, DW_AT_specification, specification)) declared = specification;
    return scoped_name(declared, name, depth);
}

std::vector<Dwarf_Die> DebugNames::scopes_around(const Dwarf_Die& die) {
    std::vector<Dwarf_Die> found;
    Dwarf_Die copy = die, unit;
    if (::dwarf_diecu(&copy, &unit, nullptr, nullptr) == nullptr) return found;
    found.push_back(unit);
    while (found.size() < max_scopes) {
        const auto& scopes = scopes_in(found.back());
        const auto after = std::upper_bound(
            scopes.begin(), scopes.end(), die.addr,
            [](const void* address, const Scope& scope) { return std::less<>()(address, scope.die.addr); });
        if (after == scopes.begin()) break;
        const auto& scope = *std::prev(after);
        if (scope.die.addr == die.addr || (scope.end != nullptr && !std::less<>()(die.addr, scope.end)))
            break;
        found.push_back(scope.die);
    }
    return found;
}

Dwarf_Die DebugNames::declaration_of(const Dwarf_Die& function) {
    Dwarf_Die die = function;
    Dwarf_Attribute line;
    if (::dwarf_attr_integrate(&die, DW_AT_decl_line, &line) != nullptr) return die;
    const auto scopes = scopes_around(die);
    return scopes.size() > 1 ? scopes.back() : die;
}

std::string DebugNames::scoped_name(Dwarf_Die& die, std::string_view name, int depth) {
    auto scopes = scopes_around(die);
    if (depth > max_references || scopes.empty() || !has_scopes(scopes.front())) return std::string(name);
    const auto around = names_of_scopes(scopes, depth);
    auto scoped = around + std::string(name);
    // Of functions that C could call, mangled names have no parameters. clang writes all mangled names.
    const bool is_gnu = own_string(scopes.front(), DW_AT_producer).starts_with("GNU");
    if (is_gnu && name.ends_with('>')) {
        const auto type = is_type(scopes.back()) ? own_string(scopes.back(), DW_AT_name) : "";
        const bool is_constructor = type.substr(0, type.find('<')) == name.substr(0, name.find('<'));
        if (auto whole = template_function(die, around, name, !is_constructor, name_of_type(depth)))
            return *std::move(whole);
    }
    if (is_gnu && (is_type(scopes.back()) || ::dwarf_hasattr(&die, DW_AT_external) == 0))
        scoped += parameter_list(die, name_of_type(depth)).value_or("");
    return scoped;
}

NameOfType DebugNames::name_of_type(int depth) {
    return [this, depth](Dwarf_Die& type) {
        auto scopes = scopes_around(type);
        if (depth > max_references || scopes.empty()) return std::string();
        auto names = names_of_scopes(scopes, depth + 1);
        if (const auto name = own_string(type, DW_AT_name); !name.empty()) return names += name;
        if (auto whole = scope_of_destructor(type); !whole.empty()) return whole;
        while (scopes.size() > 1 && ::dwarf_tag(&scopes.back()) == DW_TAG_lexical_block) scopes.pop_back();
        constexpr int one_in_another = 4;  // names of lambdas have those of their parameters
        return names += name_of_scope(scopes.back(), type, depth + one_in_another);
    };
}

std::string DebugNames::names_of_scopes(std::vector<Dwarf_Die>& scopes, int depth) {
    std::string scoped;
    Dwarf_Die around = scopes.front();  // what types are numbered in
    for (auto scope = scopes.begin() + 1; scope != scopes.end(); ++scope) {
        const auto tag = ::dwarf_tag(&*scope);
        if (tag == DW_TAG_lexical_block) continue;
        auto whole = own_string(*scope, DW_AT_name).empty() ? scope_of_destructor(*scope) : std::string();
        // The name of a function has all that is around it.
        if (tag == DW_TAG_subprogram || !whole.empty()) scoped.clear();
        scoped += (whole.empty() ? name_of_scope(around, *scope, depth) : whole) + "::";
        around = *scope;
    }
    return scoped;
}

std::string DebugNames::name_of_scope(const Dwarf_Die& around, Dwarf_Die& die, int depth) {
    const auto tag = ::dwarf_tag(&die);
    if (tag == DW_TAG_subprogram) return name_of(die, depth + 1);
    const auto name = own_string(die, DW_AT_name);
    if (tag == DW_TAG_namespace && name.empty()) return "(anonymous namespace)";
    if (!name.empty() && !name.starts_with(lambda)) return std::string(name);
    const auto number = '#' + std::to_string(types_before(around, die, name, 0) + 1) + '}';
    if (!name.empty())
        return '{' + std::string(name.substr(1, name.size() - 1 - (name.ends_with('>') ? 1 : 0))) + number;
    Dwarf_Die call;
    if (!find_call(die, call)) return "{unnamed type" + number;
    auto parameters = parameter_list(call, name_of_type(depth)).value_or("");
    return "{lambda" + parameters.substr(0, parameters.rfind(')') + 1) + number;
}

/// Types of the same name in a scope or its blocks, in front of one.
std::size_t DebugNames::types_before(const Dwarf_Die& around, const Dwarf_Die& type, std::string_view name,
                                     int depth) {
    std::size_t count = 0;
    Dwarf_Die whole = type, call;
    const bool is_lambda = find_call(whole, call);
    for (Scope other : scopes_in(around)) {
        if (!std::less<>()(other.die.addr, type.addr)) break;
        if (::dwarf_tag(&other.die) == DW_TAG_lexical_block && depth < max_references) {
            count += types_before(other.die, type, name, depth + 1);
        } else if (is_type(other.die) && own_string(other.die, DW_AT_name) == name) {
            if (find_call(other.die, call) == is_lambda) ++count;
        }
    }
    return count;
}

const std::vector<DebugNames::Scope>& DebugNames::scopes_in(Dwarf_Die die) {
    const auto [place, is_new] = scopes_.try_emplace(die.addr);
    auto& scopes = place->second;
    Dwarf_Die child;
    if (!is_new || ::dwarf_child(&die, &child) != 0) return scopes;
    bool is_open = false;  // the one before
    for (int state = 0; state == 0;) {
        if (is_open) scopes.back().end = child.addr;
        is_open = ::dwarf_haschildren(&child) > 0;
        if (is_open) scopes.push_back({child, nullptr});
        Dwarf_Die next;
        state = ::dwarf_siblingof(&child, &next);
        child = next;
    }
    return scopes;
}

}  // namespace callcost::program
