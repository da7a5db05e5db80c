/// What this very binary is.
#pragma once

#include <string>

namespace callcost::program {

/// The identifier that the linker gave the program, in hexadecimal; empty if it gave none.
[[nodiscard]] std::string build_id();

}  // namespace callcost::program
