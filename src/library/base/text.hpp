/// Blanks around text.
#pragma once

#include <string_view>

namespace callcost {

[[nodiscard]] constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// Without leading and trailing blanks.
[[nodiscard]] constexpr std::string_view trim(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

}  // namespace callcost
