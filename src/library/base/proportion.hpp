/// Shares of a cost, exact to 64 bits.
#pragma once

#include <bit>
#include <cstdint>

namespace callcost {

struct Proportion {
    std::uint64_t quotient = 0;
    std::uint64_t remainder = 0;
};

/// factor * part / whole, for part <= whole, 0 < whole < 2^63. A product of more than 64 bits is divided bit
/// by bit: compilers have no numbers of 128 bits for processors of 32.
[[nodiscard]] constexpr Proportion proportion_of(std::uint64_t factor, std::uint64_t part,
                                                 std::uint64_t whole) {
    if (std::bit_width(factor) + std::bit_width(part) <= 64)
        return {factor * part / whole, factor * part % whole};
    Proportion result;
    const auto add = [&](std::uint64_t number) {
        result.remainder += number;
        if (result.remainder < whole) return;
        result.remainder -= whole;
        ++result.quotient;
    };
    for (auto bit = static_cast<unsigned>(std::bit_width(factor)); bit-- > 0;) {
        result.quotient *= 2;
        add(result.remainder);
        if ((factor >> bit & 1U) != 0) add(part);
    }
    return result;
}

}  // namespace callcost
