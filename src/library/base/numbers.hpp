/// Numbers as text: decimal or 0x-hexadecimal, of any length, modulo 2^64.
#pragma once

#include <cstdint>
#include <string_view>

namespace callcost {

[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// What a token of digits says.
struct ParsedNumber {
    std::uint64_t value = 0;  ///< modulo 2^64
    bool ok = false;          ///< the whole token was a number
    bool negative = false;    ///< had a minus sign; `value` is the complement already
    bool plus = false;        ///< had a plus sign
    bool fraction = false;    ///< was a decimal fraction or had an exponent; rounded to nearest
    bool overflow = false;    ///< did not fit into 64 bits
};

/// Digits only: decimal, or hexadecimal after "0x".
[[nodiscard]] ParsedNumber parse_unsigned(std::string_view token);

/// A cost: sign, decimal or hexadecimal digits, or a decimal fraction with or without exponent.
[[nodiscard]] ParsedNumber parse_cost(std::string_view token);

}  // namespace callcost
