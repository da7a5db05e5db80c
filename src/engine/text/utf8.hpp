/// Bytes of any kind as valid UTF-8. Needs nothing but the standard library.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace callcost::engine {

/// A character and its length in bytes; length 0 if the bytes are not UTF-8.
struct Character {
    char32_t value = 0;
    std::size_t length = 0;
};

/// The one at the front of the text.
[[nodiscard]] Character front_character(std::string_view text);

/// The bytes as valid UTF-8: unchanged if they are, otherwise every byte is read as Latin-1 (F2).
[[nodiscard]] std::string to_utf8(std::string_view bytes);

/// Whether bytes read as this text. Quick where both are the same.
[[nodiscard]] bool is_text(std::string_view bytes, std::string_view utf8);

}  // namespace callcost::engine
