#include "diff/canonical_name.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "diff/place_names.hpp"

namespace callcost {
namespace {

bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }

bool is_number(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

std::size_t digits_at(std::string_view text, std::size_t at) {
    std::size_t end = at;
    while (end < text.size() && is_digit(text[end])) ++end;
    return end - at;
}

/// What GCC and LLVM put behind a name, with numbers or without.
bool is_clone_suffix(std::string_view word) {
    constexpr std::array<std::string_view, 12> words = {"constprop", "isra",     "part",   "cold",
                                                        "lto_priv",  "llvm",     "__uniq", "Tgm",
                                                        "clone",     "resolver", "ifunc",  "localalias"};
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// `f.part.0`, `f.constprop.0.isra.1`, `f.cold`, `f.llvm.123`.
void strip_clone_suffixes(std::string_view& name, bool& was_counted) {
    auto end = name.size();
    bool is_number_behind = false;
    for (;;) {
        const auto dot = name.substr(0, end).rfind('.');
        if (dot == std::string_view::npos || dot == 0) return;
        const auto word = name.substr(dot + 1, end - dot - 1);
        const bool may_stand_alone = word == "cold" || word == "localalias";
        if (is_clone_suffix(word) && (is_number_behind || may_stand_alone)) {
            was_counted = was_counted || is_number_behind;
            name = name.substr(0, dot);
            is_number_behind = false;
        } else if (is_number(word)) {
            is_number_behind = true;
        } else {
            return;
        }
        end = dot;
    }
}

/// ` [clone .part.0]`, once or more often.
void strip_clones(std::string_view& name, bool& was_counted) {
    while (name.ends_with(']')) {
        const auto open = name.rfind(" [clone ");
        if (open == std::string_view::npos || open == 0) return;
        was_counted = was_counted ||
                      std::any_of(name.begin() + static_cast<std::ptrdiff_t>(open), name.end(), is_digit);
        name = name.substr(0, open);
    }
}

/// `::h0123456789abcdef` of Rust, `@@GLIBC_2.17` of the linker.
void strip_hash_and_version(std::string_view& name) {
    constexpr std::size_t hash = 16;
    if (name.size() > hash + 3 && name.substr(name.size() - hash - 3, 3) == "::h") {
        const auto digits = name.substr(name.size() - hash);
        if (std::all_of(digits.begin(), digits.end(), is_hex)) name.remove_suffix(hash + 3);
    }
    const auto at = name.rfind('@');
    if (at == std::string_view::npos || at == 0 || at + 1 == name.size()) return;
    const auto version = name.substr(at + 1);
    const auto is_part = [](char c) { return is_digit(c) || (c >= 'A' && c <= 'Z') || c == '_' || c == '.'; };
    if (!std::all_of(version.begin(), version.end(), is_part)) return;
    name = name.substr(0, name[at - 1] == '@' ? at - 1 : at);
}

/// Go counts functions in functions: `main.f.func1.2`.
void strip_go_numbers(std::string& text, bool& was_counted) {
    const auto func = text.rfind(".func");
    if (func == std::string::npos) return;
    const auto rest = std::string_view(text).substr(func + 5);
    if (rest.empty() || !is_digit(rest[0])) return;
    if (!std::all_of(rest.begin(), rest.end(), [](char c) { return is_digit(c) || c == '.'; })) return;
    text.resize(func + 5);
    was_counted = true;
}

/// As starts_with, of a text that is not empty; nearly always the first characters differ.
bool begins_with(std::string_view rest, std::string_view word) {
    return rest[0] == word[0] && rest.starts_with(word);
}

/// What stands inside of a name. Each takes what it knows from the beginning of `rest`, and says how much.
struct Inside {
    std::string text;
    bool was_counted = false;

    /// What take() knows begins with one of these.
    static bool may_begin(char c) {
        return c == '(' || c == '_' || c == 's' || c == '{' || c == '#' || c == '$' || c == '[';
    }

    std::size_t take(std::string_view rest) {
        if (!may_begin(rest[0])) return 0;
        constexpr std::array<std::string_view, 2> nothing = {"(anonymous namespace)::", "_GLOBAL__N_1::"};
        for (const auto word : nothing)
            if (begins_with(rest, word)) return word.size();
        constexpr std::array<std::string_view, 3> inline_namespaces = {
            "std::__1::", "std::__cxx11::", "std::__ndk1::"};
        for (const auto word : inline_namespaces) {
            if (!begins_with(rest, word)) continue;
            text += "std::";
            return word.size();
        }
        if (const auto size = php_closure(rest); size > 0) return size;
        if (rest.starts_with('#') || rest.starts_with("$_")) return counted(rest);
        if (rest.starts_with('[')) return hash(rest);
        return 0;
    }

  private:
    /// `#2` of `{lambda(int)#2}` and `{closure#2}`, `$_2` of clang.
    std::size_t counted(std::string_view rest) {
        const std::size_t sign = rest[0] == '#' ? 1 : 2;
        const auto digits = digits_at(rest, sign);
        const bool is_closed = sign == 2 || (sign + digits < rest.size() && rest[sign + digits] == '}');
        if (digits == 0 || !is_closed) return 0;
        text += rest.substr(0, sign);
        was_counted = true;
        return sign + digits;
    }

    /// `core[8f2a6f5c3b1e9d47]::fmt` of Rust.
    static std::size_t hash(std::string_view rest) {
        constexpr std::size_t fewest = 8, most = 17;
        std::size_t end = 1;
        while (end < rest.size() && end <= most && is_hex(rest[end])) ++end;
        return end > fewest && end < rest.size() && rest[end] == ']' ? end + 1 : 0;
    }

    /// `/x`, `C:\x`, `\\server\x`
    static bool is_absolute(std::string_view path) {
        return begins_with(path, "/") || begins_with(path, "\\\\") ||
               (path.size() > 2 && path[1] == ':' && is_separator(path[2]));
    }

    /// `{closure:/srv/app/a.php:12-14}` of Xdebug.
    std::size_t php_closure(std::string_view rest) {
        constexpr std::string_view begin = "{closure:";
        constexpr std::size_t longest = 4096;
        if (!begins_with(rest, begin) || !is_absolute(rest.substr(begin.size()))) return 0;
        const auto end = rest.substr(0, longest).find('}');
        if (end == std::string_view::npos) return 0;
        auto path = rest.substr(0, end);
        while (!path.empty() && (is_digit(path.back()) || path.back() == '-')) path.remove_suffix(1);
        if (!path.ends_with(':')) return 0;
        path.remove_suffix(1);
        text += begin;
        text += base_name(path);
        text += '}';
        was_counted = true;
        return end + 1;
    }
};

/// ` [1/3]`, which pprof puts behind names that are not unique.
bool strip_number_of_many(std::string_view& name) {
    if (!name.ends_with(']')) return false;
    const auto open = name.rfind(" [");
    const auto slash = name.rfind('/');
    if (open == std::string_view::npos || open == 0 || slash == std::string_view::npos || slash < open)
        return false;
    if (!is_number(name.substr(open + 2, slash - open - 2)) ||
        !is_number(name.substr(slash + 1, name.size() - slash - 2)))
        return false;
    name = name.substr(0, open);
    return true;
}

bool is_address(std::string_view name) {
    return name.size() > 2 && name.starts_with("0x") && std::all_of(name.begin() + 2, name.end(), is_hex);
}

constexpr std::string_view operator_word = "operator";

/// Behind `operator`: the signs of `operator<<`, `operator()`.
std::size_t operator_size(std::string_view rest) {
    if (rest.starts_with("()")) return 2;
    return std::min(rest.find_first_not_of("<>=-!&|^~%+*/,"), rest.size());
}

}  // namespace

std::string name_without_arguments(std::string_view name) {
    if (name.empty() || name[0] == '(' || name[0] == '<') return std::string(name);
    std::string text;
    std::string open;
    for (std::size_t at = 0; at < name.size(); ++at) {
        const char c = name[at];
        if (c == operator_word[0] && name.substr(at).starts_with(operator_word)) {
            const auto size = operator_word.size() + operator_size(name.substr(at + operator_word.size()));
            if (open.empty()) text += name.substr(at, size);
            at += size - 1;
        } else if (c == '<' || c == '(') {
            open += c;
        } else if (c == '>' || c == ')') {
            if (open.empty() || open.back() != (c == '>' ? '<' : '(')) return std::string(name);
            open.pop_back();
        } else if (open.empty()) {
            text += c;
        }
    }
    return open.empty() ? text : std::string(name);
}

CanonicalName canonical_name(std::string_view name) {
    if (is_address(name)) return {std::string(address_name), true};
    bool was_counted = strip_number_of_many(name);
    strip_clones(name, was_counted);
    strip_clone_suffixes(name, was_counted);
    strip_hash_and_version(name);
    Inside inside;
    for (std::size_t at = 0; at < name.size();) {
        if (const auto size = inside.take(name.substr(at)); size > 0) {
            at += size;
        } else {
            const auto from = name.begin() + static_cast<std::ptrdiff_t>(at);
            const auto end = std::find_if(from + 1, name.end(), Inside::may_begin);
            inside.text.append(from, end);
            at = static_cast<std::size_t>(end - name.begin());
        }
    }
    strip_go_numbers(inside.text, inside.was_counted);
    return {std::move(inside.text), was_counted || inside.was_counted};
}

}  // namespace callcost
