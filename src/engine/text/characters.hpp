/// ASCII characters and the names of files, whatever the locale is.
#pragma once

#include <string>
#include <string_view>

namespace callcost::engine {

[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
[[nodiscard]] inline std::string lower(std::string_view text) {
    std::string lowered(text);
    for (char& c : lowered) c = lower(c);
    return lowered;
}
/// What stands behind the last slash of either kind; all of it if there is none.
[[nodiscard]] constexpr std::string_view base_name(std::string_view path) {
    return path.substr(path.find_last_of("/\\") + 1);
}

}  // namespace callcost::engine
