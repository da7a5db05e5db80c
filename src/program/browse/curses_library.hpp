/// ncurses, which is loaded when a full screen is first wanted: its relocations would take a fifth of the
/// start of every command. The static command has it in it.
#pragma once

namespace callcost::program {

/// Null if there is no such library, or it is too old. It stays loaded for good.
[[nodiscard]] void* curses_symbol(const char* name);

}  // namespace callcost::program

#ifdef CALLCOST_STATIC
#define CALLCOST_CURSES(name) (&::name)
#else
#define CALLCOST_CURSES(name) reinterpret_cast<decltype(&::name)>(::callcost::program::curses_symbol(#name))
#endif
