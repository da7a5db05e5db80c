/// The page as it was built into this program.
#pragma once

#include <optional>
#include <string>

#include "terminal/terminal.hpp"

namespace callcost::program {

/// HTML; nothing, with a word on standard error, if the program was built without it.
[[nodiscard]] std::optional<std::string> embedded_page(const Console& console);

}  // namespace callcost::program
