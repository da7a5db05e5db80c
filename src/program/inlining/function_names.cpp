#include "inlining/function_names.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "inlining/rust_name.hpp"
#include "sources/elf_file.hpp"

namespace callcost::program {

namespace {

/// "h" and 16 digits that look random: what tells Rust's older names from those of C++.
bool is_rust_hash(std::string_view part) {
    if (part.size() != 17 || part.front() != 'h') return false;
    std::bitset<16> seen;
    for (const char c : part.substr(1)) {
        unsigned digit = 0;
        const auto end = std::from_chars(&c, &c + 1, digit, 16);
        if (end.ptr == &c || (c >= 'A' && c <= 'F')) return false;
        seen.set(digit);
    }
    return seen.count() >= 5;
}

/// What stands for "$LT$"; empty if nothing does.
std::string_view character_of_escape(std::string_view escape) {
    using Escape = std::pair<std::string_view, std::string_view>;
    constexpr std::array known = {
        Escape{"SP", "@"},  Escape{"BP", "*"},  Escape{"RF", "&"},  Escape{"LT", "<"},  Escape{"GT", ">"},
        Escape{"LP", "("},  Escape{"RP", ")"},  Escape{"C", ","},   Escape{"u20", " "}, Escape{"u22", "\""},
        Escape{"u27", "'"}, Escape{"u2b", "+"}, Escape{"u3b", ";"}, Escape{"u3d", "="}, Escape{"u5b", "["},
        Escape{"u5d", "]"}, Escape{"u7b", "{"}, Escape{"u7d", "}"}, Escape{"u7e", "~"}};
    const auto found =
        std::find_if(known.begin(), known.end(), [&](const Escape& one) { return one.first == escape; });
    return found == known.end() ? std::string_view() : found->second;
}

void append_rust_part(std::string& name, std::string_view part) {
    if (part.starts_with("_$")) part.remove_prefix(1);
    while (!part.empty()) {
        std::size_t size = 1;
        if (part.starts_with("..")) {
            name += "::";
            size = 2;
        } else if (part.front() == '$') {
            const auto end = part.find('$', 1);
            const auto character = end == std::string_view::npos
                                       ? std::string_view()
                                       : character_of_escape(part.substr(1, end - 1));
            if (character.empty()) {
                name += part;
                return;
            }
            name += character;
            size = end + 1;
        } else {
            if (part.front() != '.') size = std::min(part.find_first_of(".$"), part.size());
            name += part.substr(0, size);
        }
        part.remove_prefix(size);
    }
}

/// Rust's older names look like nested ones of C++ with a hash at the end.
std::optional<std::string> older_rust_name(std::string_view mangled) {
    if (!mangled.starts_with("_ZN")) return std::nullopt;
    mangled.remove_prefix(3);
    std::string name;
    std::string_view last;
    for (bool is_first = true; !mangled.empty() && mangled.front() != 'E'; is_first = false) {
        std::size_t size = 0;
        const auto end = std::from_chars(mangled.data(), mangled.data() + mangled.size(), size);
        mangled.remove_prefix(static_cast<std::size_t>(end.ptr - mangled.data()));
        if (size == 0 || size > mangled.size()) return std::nullopt;
        if (!is_first) {
            if (!name.empty()) name += "::";
            append_rust_part(name, last);
        }
        last = mangled.substr(0, size);
        mangled.remove_prefix(size);
    }
    if (mangled.empty() || !is_rust_hash(last)) return std::nullopt;
    return name;
}

}  // namespace

std::string readable_name(const std::string& linkage_name) {
    if (auto name = older_rust_name(linkage_name)) return *std::move(name);
    if (auto name = demangled_rust_name(linkage_name)) return *std::move(name);
    return demangled(linkage_name);
}

}  // namespace callcost::program
