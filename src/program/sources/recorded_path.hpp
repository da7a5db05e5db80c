/// The name of a source file as a profile has it, in pieces.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace callcost::program {

using PathComponents = std::vector<std::string_view>;

/// C:\x, C:/x, \\server\x, dir\x.
[[nodiscard]] bool is_windows_path(std::string_view name);

/// The path of a `file:///` address; other names as they are.
[[nodiscard]] std::string path_of_name(std::string_view name);

/// With slashes, if it is one of Windows.
[[nodiscard]] std::string with_slashes(std::string_view name);

/// What follows `directory` in `name`, if `name` is that or below it. An empty directory has all relative
/// names. In names of Windows separators and upper and lower case are alike.
[[nodiscard]] std::optional<std::string_view> rest_below(std::string_view directory, std::string_view name);

/// The components with `.` and `..` resolved in the text. A `..` that leads out of it is left out, and
/// `goes_up`.
struct RecordedPath {
    PathComponents components;
    bool goes_up = false;
};
[[nodiscard]] RecordedPath recorded_path(std::string_view name);

}  // namespace callcost::program
