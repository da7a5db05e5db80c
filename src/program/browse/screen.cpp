#include "browse/screen.hpp"

#include <algorithm>

#include "text/names.hpp"
#include "text/utf8.hpp"

namespace callcost::program {

namespace {

/// Terminals differ in how wide characters are that are joined, or have a variant.
std::string without_joiners(const std::string& text) {
    std::string others;
    for (std::size_t at = 0; at < text.size();) {
        const auto [value, length] = engine::front_character(std::string_view(text).substr(at));
        const auto size = std::max<std::size_t>(length, 1);
        const bool is_joiner = value == U'\u200c' || value == U'\u200d';
        const bool is_variation =
            (value >= U'\ufe00' && value <= U'\ufe0f') || (value >= U'\U000e0100' && value <= U'\U000e01ef');
        if (!is_joiner && !is_variation) others.append(text, at, size);
        at += size;
    }
    return others;
}

}  // namespace

std::size_t ScreenLine::width() const {
    std::size_t columns = 0;
    for (const auto& piece : texts) columns += engine::display_width(piece.text);
    return columns;
}

std::string ScreenLine::text() const {
    std::string all;
    for (const auto& piece : texts) all += piece.text;
    return all;
}

void ScreenLine::fit(std::size_t columns, const engine::Style& style) {
    std::size_t used = 0;
    for (auto& piece : texts) {
        piece.text = without_joiners(engine::display_name(piece.text));
        const auto room = columns - used;
        if (engine::display_width(piece.text) > room)
            piece.text = room > 0 ? engine::cut_end(piece.text, room, style) : std::string();
        used += engine::display_width(piece.text);
    }
}

}  // namespace callcost::program
