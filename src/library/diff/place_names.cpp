#include "diff/place_names.hpp"

#include <algorithm>

namespace callcost {
namespace {

constexpr std::string_view unknown = "???";

char in_upper_case(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

bool is_version(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return is_digit(c) || c == '.'; });
}

/// Windows has two.
constexpr std::string_view separators = "/\\";

/// Calls `use` with each component between separators.
template <class Use>
void for_each_component(std::string_view path, const Use& use) {
    for (std::size_t at = 0; at <= path.size();) {
        const auto end = std::min(path.find_first_of(separators, at), path.size());
        use(path.substr(at, end - at));
        at = end + 1;
    }
}

/// The component as it is in every build; `above` is the one before it.
std::string_view of_any_build(std::string_view component, std::string_view above) {
    if (above == "rustc") return "*";
    const auto dash = component.find('-');
    if (dash == std::string_view::npos) return component;
    if (above == "build" || above == "debug") return component.substr(0, dash);
    for (const std::string_view registry : {"index.crates.io", "github.com"})
        if (component.starts_with(registry) && component.substr(registry.size()).starts_with('-'))
            return registry;
    return component;
}

}  // namespace

std::string_view base_name(std::string_view path) {
    const auto slash = path.find_last_of(separators);
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string normal_path(std::string_view path) {
    if (path == unknown) return {};
    std::string normal;
    std::string_view above;
    bool is_first = true;
    for_each_component(path, [&](std::string_view component) {
        if (component == "." || (component.empty() && !is_first)) return;
        if (!is_first && !normal.ends_with('/')) normal += '/';
        if (is_first && component.empty()) normal += '/';
        normal += of_any_build(component, above);
        if (is_first && component.size() == 2 && component[1] == ':') normal[0] = in_upper_case(normal[0]);
        above = component;
        is_first = false;
    });
    return normal;
}

std::size_t common_tail(std::string_view a, std::string_view b) {
    std::size_t components = 0;
    while (!a.empty() && !b.empty()) {
        const auto last = base_name(a);
        if (last != base_name(b)) break;
        ++components;
        a.remove_suffix(std::min(a.size(), last.size() + 1));
        b.remove_suffix(std::min(b.size(), last.size() + 1));
    }
    return components;
}

bool begins_with_path(std::string_view path, std::string_view beginning) {
    const bool has_drive = path.size() > 1 && path[1] == ':';
    const bool is_windows =
        has_drive || (!path.starts_with('/') && path.find('\\') != std::string_view::npos);
    const auto is_same = [&](char a, char b) {
        if (!is_windows || a == b) return a == b;
        return is_separator(a) ? is_separator(b) : in_upper_case(a) == in_upper_case(b);
    };
    return path.size() >= beginning.size() &&
           std::equal(beginning.begin(), beginning.end(), path.begin(), is_same);
}

int compare_from_end(std::string_view a, std::string_view b) {
    const auto [first, second] = std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend());
    const auto rank = [](auto at, auto end) {  // a component that has ended before a longer one
        return at == end ? -2 : is_separator(*at) ? -1 : static_cast<int>(static_cast<unsigned char>(*at));
    };
    return rank(first, a.rend()) - rank(second, b.rend());
}

std::string object_key(std::string_view object) {
    if (object == unknown) return {};
    auto name = base_name(object);
    const auto so = name.find(".so");
    const bool is_library = so != std::string_view::npos && is_version(name.substr(so + 3));
    auto stem = is_library ? name.substr(0, so) : name;
    if (const auto dash = stem.rfind('-');
        dash != std::string_view::npos && dash > 0 && is_version(stem.substr(dash + 1)))
        stem = stem.substr(0, dash);
    return std::string(stem) + (is_library ? ".so" : "");
}

}  // namespace callcost
