/// The options of callgrind_annotate under their own names, for `annotate --style=valgrind` and for a program
/// that is called so.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <callcost/error.hpp>

namespace callcost::program {

/// `EVENT` or `EVENT:PERCENT`.
struct SortKey {
    std::string event;
    std::string threshold;  ///< as written; empty: none
};

enum class CallTree : std::uint8_t { none, callers, callees, both };

struct ValgrindOptions {
    std::string profile;               ///< empty: the newest one here
    std::vector<std::string> sources;  ///< files to annotate
    std::vector<std::string> show;     ///< empty: all events
    std::vector<SortKey> sort;         ///< empty: all events in their order
    std::string threshold = "99";      ///< percent, as written
    bool percentages = true;
    bool annotate_all = true;  ///< every source file with a function that is listed
    bool inclusive = false;
    CallTree tree = CallTree::none;
    std::uint64_t context = 8;
    std::vector<std::string> include_directories;  ///< each ends with '/'
};

/// Takes `--style=valgrind` out of the arguments; true if it was there (the last `--style` counts).
[[nodiscard]] bool take_valgrind_style(std::vector<std::string>& arguments);

/// Whether the program was called by the name of the tool whose manners it then has.
[[nodiscard]] bool is_called_callgrind_annotate(std::string_view program);

}  // namespace callcost::program
