#include "sources/recorded_path.hpp"

#include <algorithm>

namespace callcost::program {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_slash(char c) { return c == '/' || c == '\\'; }

}  // namespace

bool is_windows_path(std::string_view name) {
    if (name.size() >= 3 && is_letter(name[0]) && name[1] == ':' && is_slash(name[2])) return true;
    return name.starts_with("\\\\") ||
           (name.find('\\') != std::string_view::npos && name.find('/') == std::string_view::npos);
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
