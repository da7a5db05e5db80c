/// The tokens of cost, `calls=` and jump lines in every notation the format allows. The scanner's fast path
/// knows only the plain notation of well-behaved writers; whatever it does not recognise comes here.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/numbers.hpp"
#include "callcost/event_type.hpp"
#include "parser/diagnostic_log.hpp"

namespace callcost {

/// Takes the next blank-separated token off the front of a line; empty at its end.
[[nodiscard]] inline std::string_view take_token(std::string_view& rest) {
    std::size_t from = 0;
    while (from < rest.size() && (rest[from] == ' ' || rest[from] == '\t')) ++from;
    std::size_t to = from;
    while (to < rest.size() && rest[to] != ' ' && rest[to] != '\t') ++to;
    const std::string_view token = rest.substr(from, to - from);
    rest.remove_prefix(to);
    return token;
}

/// A position as written: an absolute number, or a difference to the base of its column (F38).
struct PositionToken {
    std::uint64_t value = 0;  ///< a difference is in two's complement
    bool relative = false;
    bool minus_one = false;  ///< literally "-1" (F39)
    bool down = false;       ///< written with a minus sign
};

[[nodiscard]] PositionToken parse_position(std::string_view token, const LineView& line, DiagnosticLog& log);

/// A cost; its problems are reported (F44).
[[nodiscard]] Cost parse_cost_token(std::string_view token, const LineView& line, DiagnosticLog& log);

/// `(4)'2'(5)`: a name made of other functions' ids (F36). The whole text must match.
[[nodiscard]] bool is_nested_name(std::string_view text);

}  // namespace callcost
