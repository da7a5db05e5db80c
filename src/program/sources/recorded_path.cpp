#include "sources/recorded_path.hpp"

#include <algorithm>
#include <charconv>

namespace callcost::program {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
char in_lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }
bool is_slash(char c) { return c == '/' || c == '\\'; }

}  // namespace

bool is_windows_path(std::string_view name) {
    if (name.size() >= 3 && is_letter(name[0]) && name[1] == ':' && is_slash(name[2])) return true;
    return name.starts_with("\\\\") ||
           (name.find('\\') != std::string_view::npos && name.find('/') == std::string_view::npos);
}

std::string path_of_name(std::string_view name) {
    std::string_view rest = name;
    for (const std::string_view scheme : {"file:///", "file://localhost/"})
        if (name.starts_with(scheme)) rest = name.substr(scheme.size() - 1);
    if (rest.size() == name.size()) return std::string(name);
    if (is_windows_path(rest.substr(1))) rest.remove_prefix(1);
    std::string path;
    while (!rest.empty()) {
        unsigned byte = 0;
        const auto* const digits = rest.data() + 1;
        if (rest.size() > 2 && rest.front() == '%' &&
            std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
            path.push_back(static_cast<char>(byte));
            rest.remove_prefix(3);
        } else {
            path.push_back(rest.front());
            rest.remove_prefix(1);
        }
    }
    return path;
}

std::string with_slashes(std::string_view name) {
    std::string path(name);
    if (is_windows_path(name)) std::replace(path.begin(), path.end(), '\\', '/');
    return path;
}

std::optional<std::string_view> rest_below(std::string_view directory, std::string_view name) {
    const bool is_windows = is_windows_path(name);
    if (directory.empty()) {
        const bool has_drive = name.size() > 1 && name[1] == ':';
        const bool is_absolute = !name.empty() && (is_slash(name[0]) || has_drive);
        return is_absolute ? std::nullopt : std::optional(name);
    }
    const auto is_same = [&](char a, char b) {
        if (!is_windows || a == b) return a == b;
        return is_slash(a) ? is_slash(b) : in_lower_case(a) == in_lower_case(b);
    };
    if (name.size() < directory.size() ||
        !std::equal(directory.begin(), directory.end(), name.begin(), is_same))
        return std::nullopt;
    const auto rest = name.substr(directory.size());
    if (rest.empty() || is_slash(rest.front()) || directory == "/") return rest;
    return std::nullopt;
}

RecordedPath recorded_path(std::string_view name) {
    const std::string_view between = is_windows_path(name) ? "/\\" : "/";
    RecordedPath path;
    while (!name.empty()) {
        const std::size_t end = std::min(name.find_first_of(between), name.size());
        const std::string_view component = name.substr(0, end);
        name.remove_prefix(std::min(end + 1, name.size()));
        if (component.empty() || component == ".") continue;
        if (component != "..") {
            path.components.push_back(component);
        } else if (!path.components.empty()) {
            path.components.pop_back();
        } else {
            path.goes_up = true;
        }
    }
    return path;
}

}  // namespace callcost::program
