/// Numbers in as few bytes as they need: seven bits a byte, the lowest first.
#pragma once

#include <cstdint>
#include <cstring>

namespace callcost {

inline unsigned char* put_varint(unsigned char* to, std::uint64_t value) {
    while (value >= 0x80) {
        *to++ = static_cast<unsigned char>(value | 0x80U);
        value >>= 7U;
    }
    *to++ = static_cast<unsigned char>(value);
    return to;
}

inline std::uint64_t get_varint(const unsigned char*& from) {
    std::uint64_t value = *from & 0x7fU;
    for (unsigned shift = 7; (*from++ & 0x80U) != 0; shift += 7)
        value |= std::uint64_t{*from & 0x7fU} << shift;
    return value;
}

/// Small numbers of either sign become small unsigned ones.
inline std::uint64_t zigzag(std::int64_t value) {
    return (static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63);
}
inline std::int64_t unzigzag(std::uint64_t value) {
    return static_cast<std::int64_t>((value >> 1U) ^ (0 - (value & 1U)));
}

inline unsigned char* put_u32(unsigned char* to, std::uint32_t value) {
    std::memcpy(to, &value, sizeof value);
    return to + sizeof value;
}
inline std::uint32_t get_u32(const unsigned char*& from) {
    std::uint32_t value = 0;
    std::memcpy(&value, from, sizeof value);
    from += sizeof value;
    return value;
}

}  // namespace callcost
