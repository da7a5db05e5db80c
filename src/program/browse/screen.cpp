#include "browse/screen.hpp"

#include "text/names.hpp"

namespace callcost::program {

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
        piece.text = engine::display_name(piece.text);
        const auto room = columns - used;
        if (engine::display_width(piece.text) > room)
            piece.text = room > 0 ? engine::cut_end(piece.text, room, style) : std::string();
        used += engine::display_width(piece.text);
    }
}

}  // namespace callcost::program
