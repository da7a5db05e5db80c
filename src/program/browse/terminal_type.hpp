/// What the terminal can do, by TERM and the system's descriptions of terminals.
#pragma once

#include <cstdint>

namespace callcost::program {

enum class TerminalType : std::uint8_t {
    no_library,  ///< ncurses is not installed
    unknown,     ///< there is no description of it
    lines_only,  ///< it writes one line after the other, as TERM=dumb
    full_screen,
};
[[nodiscard]] TerminalType terminal_type(int descriptor);

}  // namespace callcost::program
