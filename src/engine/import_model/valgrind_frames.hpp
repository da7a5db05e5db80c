/// Frames as DHAT and Massif print them.
#pragma once

#include <cstdint>
#include <string_view>

namespace callcost::engine {

/// `0x10917B: record (adhoc.c:2)`, `0x48FD7B9: operator new(unsigned long) (in /usr/lib/libstdc++.so.6)`.
struct ValgrindFrame {
    std::string_view name;              ///< where neither file nor object is known, all of the text
    std::string_view file{}, object{};  ///< one of them, or none
    std::uint64_t line = 0;
};
[[nodiscard]] ValgrindFrame parse_valgrind_frame(std::string_view text);

}  // namespace callcost::engine
