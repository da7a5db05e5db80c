#include "text/style.hpp"

#include <fmt/format.h>

namespace callcost::engine {
namespace {

// The sixteen basic colors only: the terminal's owner has chosen them to be readable, on dark and on light.
std::string_view escape_sequence(Tone tone) {
    switch (tone) {
        case Tone::plain:
            return {};
        case Tone::heading:
            return "\x1b[1m";
        case Tone::strong:
            return "\x1b[1m";
        case Tone::dim:
            return "\x1b[2m";
        case Tone::hot:
            return "\x1b[1;31m";
        case Tone::good:
            return "\x1b[32m";
        case Tone::note:
            return "\x1b[1;36m";
        case Tone::warning:
            return "\x1b[1;35m";
        case Tone::error:
            return "\x1b[1;31m";
    }
    return {};
}

}  // namespace

std::string paint(std::string_view text, Tone tone, const Style& style) {
    const auto begin = escape_sequence(tone);
    std::string painted;
    if (!style.color || begin.empty() || text.empty()) {
        painted = text;
    } else {
        painted.reserve(begin.size() + text.size() + 4);
        painted.append(begin).append(text).append("\x1b[0m");
    }
    return painted;
}

std::string link(std::string_view text, std::string_view url, const Style& style) {
    if (!style.links || url.empty() || text.empty()) return std::string(text);
    std::string linked = "\x1b]8;;";
    linked.append(url).append("\x1b\\").append(text).append("\x1b]8;;\x1b\\");
    return linked;
}

std::string file_url(std::string_view host, std::string_view absolute_path) {
    constexpr std::string_view harmless =
        "/-._~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    std::string url = "file://";
    for (const auto text : {host, absolute_path}) {
        for (const char c : text) {
            if (harmless.find(c) != std::string_view::npos) {
                url += c;
            } else {
                url += fmt::format("%{:02X}", static_cast<unsigned char>(c));
            }
        }
    }
    return url;
}

}  // namespace callcost::engine
