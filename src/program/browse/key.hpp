/// What a person at the terminal does: a key, a click, the wheel.
#pragma once

#include <cstddef>
#include <cstdint>

namespace callcost::program {

struct Key {
    enum class Kind : std::uint8_t {
        character,  ///< `character` says which
        enter,
        escape,
        backspace,
        tab,
        up,
        down,
        left,
        right,
        page_up,
        page_down,
        home,
        end,
        click,  ///< at `row` and `column`
        wheel_up,
        wheel_down,
        redraw,  ///< the screen has another size, or is to be drawn again
    };
    Kind kind = Kind::character;
    char32_t character = 0;
    std::size_t row = 0, column = 0;  ///< from 0
};

}  // namespace callcost::program
