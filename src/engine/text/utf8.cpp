#include "text/utf8.hpp"

namespace callcost::engine {
namespace {

bool is_utf8(std::string_view bytes) {
    while (!bytes.empty()) {
        const auto length = front_character(bytes).length;
        if (length == 0) return false;
        bytes.remove_prefix(length);
    }
    return true;
}

std::string latin1_to_utf8(std::string_view bytes) {
    std::string text;
    text.reserve(bytes.size() + bytes.size() / 4);
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80) {
            text += c;
        } else {
            text += static_cast<char>(0xc0 | (byte >> 6));
            text += static_cast<char>(0x80 | (byte & 0x3f));
        }
    }
    return text;
}

}  // namespace

Character front_character(std::string_view text) {
    if (text.empty()) return {};
    const auto first = static_cast<unsigned char>(text.front());
    if (first < 0x80) return {first, 1};
    const std::size_t length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    if (length == 0 || text.size() < length) return {};
    auto value = static_cast<char32_t>(first & (0x7fU >> length));
    for (std::size_t i = 1; i < length; ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if ((byte & 0xc0) != 0x80) return {};
        value = (value << 6) | (byte & 0x3fU);
    }
    constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};  // by length: a shorter form is the right one
    const bool is_surrogate = value >= 0xd800 && value < 0xe000;
    return value < least[length] || value > 0x10ffff || is_surrogate ? Character{} : Character{value, length};
}

std::string to_utf8(std::string_view bytes) {
    return is_utf8(bytes) ? std::string(bytes) : latin1_to_utf8(bytes);
}

bool is_text(std::string_view bytes, std::string_view utf8) {
    if (bytes == utf8) return true;
    // Latin-1 characters take two bytes each: a text that is longer has some.
    return bytes.size() < utf8.size() && to_utf8(bytes) == utf8;
}

}  // namespace callcost::engine
