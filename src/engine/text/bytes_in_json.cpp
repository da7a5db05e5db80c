#include "text/bytes_in_json.hpp"

namespace callcost::engine {

std::string characters_of(std::string_view bytes) {
    std::string text;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80) {
            text += c;
        } else {
            text += static_cast<char>(0xc0U | byte >> 6U);
            text += static_cast<char>(0x80U | (byte & 0x3fU));
        }
    }
    return text;
}

std::optional<std::string> bytes_of(std::string_view characters) {
    std::string bytes;
    for (std::size_t at = 0; at < characters.size(); ++at) {
        const auto first = static_cast<unsigned char>(characters[at]);
        if (first < 0x80) {
            bytes += characters[at];
            continue;
        }
        if ((first != 0xc2 && first != 0xc3) || ++at == characters.size()) return std::nullopt;
        const auto second = static_cast<unsigned char>(characters[at]);
        if (second < 0x80 || second > 0xbf) return std::nullopt;
        bytes += static_cast<char>((first & 3U) << 6U | (second & 0x3fU));
    }
    return bytes;
}

}  // namespace callcost::engine
