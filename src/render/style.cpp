#include "render/style.hpp"

namespace callcost::render {
namespace {

// The sixteen basic colours only: the terminal's owner has chosen them to be readable, on dark and on light.
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

}  // namespace callcost::render
