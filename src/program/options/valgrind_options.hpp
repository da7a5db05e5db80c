/// The options of callgrind_annotate under their own names, for `annotate --style=valgrind` and for a program
/// that is called so.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "terminal/terminal.hpp"
#include <callcost/source.hpp>

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
    std::vector<std::string> include_directories;       ///< each ends with '/'
    std::uint64_t longest_line = default_longest_line;  ///< bytes
    bool force = false;                                 ///< no limits on what files expand to
};

/// What a command line in this style asks for.
struct ValgrindCommandLine {
    ValgrindOptions options;
    OutputOptions output;
    std::string answer;  ///< not empty: to be printed instead, help or version
};

/// Takes out `--style`. Throws UsageError.
[[nodiscard]] ValgrindCommandLine read_valgrind_command_line(std::span<const char* const> arguments);

/// Whether the last `--style` is that of valgrind.
[[nodiscard]] bool has_valgrind_style(std::span<const char* const> arguments);

/// Whether the program was called by the name of the tool whose manners it then has.
[[nodiscard]] bool is_called_callgrind_annotate(std::string_view program);

}  // namespace callcost::program
