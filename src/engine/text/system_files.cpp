#include "text/system_files.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace callcost::engine {
namespace {

/// An absolute path with `.` and `..` resolved in the text.
std::string resolved(std::string_view name) {
    std::vector<std::string_view> components;
    while (!name.empty()) {
        const auto end = std::min(name.find('/'), name.size());
        const auto component = name.substr(0, end);
        name.remove_prefix(std::min(end + 1, name.size()));
        if (component.empty() || component == ".") continue;
        if (component != "..")
            components.push_back(component);
        else if (!components.empty())
            components.pop_back();
    }
    std::string path;
    for (const auto component : components) path.append("/").append(component);
    return path;
}

}  // namespace

bool is_system_file(std::string_view name) {
    constexpr std::array<std::string_view, 9> roots = {
        "/usr/include/",       "/usr/lib/",       "/usr/lib32/",    "/usr/lib64/", "/usr/share/",
        "/usr/local/include/", "/usr/local/lib/", "/usr/local/go/", "/rustc/"};
    constexpr std::array<std::string_view, 3> of_compilers = {"/include/c++/", "/lib/gcc/", "/lib/clang/"};
    if (!name.starts_with('/')) return false;
    const auto path = resolved(name);
    return std::any_of(roots.begin(), roots.end(), [&](auto root) { return path.starts_with(root); }) ||
           std::any_of(of_compilers.begin(), of_compilers.end(),
                       [&](auto piece) { return path.find(piece) != std::string::npos; });
}

bool is_system_object(std::string_view name) {
    return is_system_file(name) || name.starts_with("/lib/") || name.starts_with("/lib64/");
}

}  // namespace callcost::engine
