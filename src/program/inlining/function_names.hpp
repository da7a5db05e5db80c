/// Names of functions as Valgrind writes them, from those that linkers know.
#pragma once

#include <string>

namespace callcost::program {

/// Of C++ and Rust; the name itself if it is of neither. Rust's hashes are left out.
[[nodiscard]] std::string readable_name(const std::string& linkage_name);

}  // namespace callcost::program
