#include "convert/output.hpp"

#include <algorithm>

#include <utf8proc.h>

namespace callcost::convert {
namespace {

bool is_utf8(std::string_view bytes) {
    while (!bytes.empty()) {
        utf8proc_int32_t character = 0;
        const auto length = utf8proc_iterate(
            reinterpret_cast<const utf8proc_uint8_t*>(bytes.data()),
            static_cast<utf8proc_ssize_t>(std::min<std::size_t>(bytes.size(), 4)), &character);
        if (length <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(length));
    }
    return true;
}

}  // namespace

std::string utf8_of(std::string_view bytes) {
    if (is_utf8(bytes)) return std::string(bytes);
    std::string text;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80) {
            text += c;
        } else {
            text += static_cast<char>(0xc0U | (byte >> 6U));
            text += static_cast<char>(0x80U | (byte & 0x3fU));
        }
    }
    return text;
}

}  // namespace callcost::convert
