/// Text eight bytes at a time. No branch depends on how long a number is: for those whose lengths vary, such
/// as costs and ids.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace callcost {

/// Eight bytes of text, the first one lowest on every machine.
[[nodiscard]] inline std::uint64_t word_at(const char* text) {
    std::uint64_t word = 0;
    std::memcpy(&word, text, sizeof word);
    if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
    return word;
}

/// The same byte eight times.
[[nodiscard]] constexpr std::uint64_t word_of(unsigned char byte) { return 0x0101010101010101U * byte; }

/// The lowest bit that is set is bit 7 of the first byte of `word` that is no digit; 0 if all are digits.
[[nodiscard]] constexpr std::uint64_t no_digits(std::uint64_t word) {
    const std::uint64_t digits = word ^ word_of('0');
    return ((digits + word_of(0x80 - 10)) | digits) & word_of(0x80);
}

/// The same for the first byte that equals `byte`.
[[nodiscard]] constexpr std::uint64_t bytes_equal(std::uint64_t word, unsigned char byte) {
    const std::uint64_t different = word ^ word_of(byte);
    return (different - word_of(1)) & ~different & word_of(0x80);
}

/// Which byte a bit of these stands for.
[[nodiscard]] constexpr unsigned first_byte(std::uint64_t bits) {
    return static_cast<unsigned>(std::countr_zero(bits)) >> 3U;
}

/// The value of the first `count` bytes, 1 to 8 digits.
[[nodiscard]] constexpr std::uint64_t decimal_value(std::uint64_t word, unsigned count) {
    std::uint64_t digits = (word ^ word_of('0')) << (64 - 8 * count);
    digits = (digits * (1 + (10U << 8U))) >> 8U & 0x00ff00ff00ff00ffU;
    digits = (digits * (1 + (100U << 16U))) >> 16U & 0x0000ffff0000ffffU;
    return (digits * (1 + (std::uint64_t{10000} << 32U))) >> 32U;
}

}  // namespace callcost
