/// What of the names of source files and objects stays the same when a program is built elsewhere or again.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace callcost {

[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

[[nodiscard]] constexpr bool is_separator(char c) { return c == '/' || c == '\\'; }

/// What stands behind the last separator.
[[nodiscard]] std::string_view base_name(std::string_view path);

/// Without `.` components, without the hash or number of a build: `/rustc/HASH/`, `index.crates.io-HASH/`,
/// `/build/NAME-RANDOM/`, `/usr/src/debug/NAME-VERSION/`. With slashes, `C:/x` for `c:\x`. Empty for "???".
[[nodiscard]] std::string normal_path(std::string_view path);

/// How many components at the end of two paths are the same.
[[nodiscard]] std::size_t common_tail(std::string_view a, std::string_view b);

/// On Windows separators and upper and lower case are alike.
[[nodiscard]] bool begins_with_path(std::string_view path, std::string_view beginning);

/// Less than, equal to or greater than 0. Paths that end in the same components are next to each other in
/// this order.
[[nodiscard]] int compare_from_end(std::string_view a, std::string_view b);

/// The base name of an object without its version: `libfoo.so.1.2`, `libfoo-1.2.so` are `libfoo.so`. Empty
/// for "???".
[[nodiscard]] std::string object_key(std::string_view object);

/// An object and a file, by object_key() and rooted_path(); lists of them are sorted.
using PlaceKey = std::pair<std::string, std::string>;

/// A normal_path() whose beginning tells what it is below: `./` of relative ones.
[[nodiscard]] std::string rooted_path(std::string_view path);

/// The directories of one version that hold the files of others in another version, both with a slash at the
/// end: the longest common ending of the paths of files that only one version has tells. They are not within
/// one tree, as files that are in the same place in both versions show. The longest first.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> moved_trees(const std::vector<PlaceKey>& from,
                                                                           const std::vector<PlaceKey>& to);

}  // namespace callcost
