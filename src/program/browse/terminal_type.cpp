#include "browse/terminal_type.hpp"

#include "browse/curses_library.hpp"

// After all others: term.h has macros such as `lines` and `columns`.
#include <curses.h>
#include <term.h>

namespace callcost::program {

TerminalType terminal_type(int descriptor) {
    const auto set_up = CALLCOST_CURSES(setupterm);
    const auto text_of = CALLCOST_CURSES(tigetstr);
    if (set_up == nullptr || text_of == nullptr) return TerminalType::no_library;
    int problem = 0;
    if (set_up(nullptr, descriptor, &problem) != OK) return TerminalType::unknown;
    return text_of("cup") != nullptr ? TerminalType::full_screen : TerminalType::lines_only;
}

}  // namespace callcost::program
