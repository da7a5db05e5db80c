// https://github.com/msgpack/msgpack/blob/master/spec.md
#include "encodings/message_pack.hpp"

namespace callcost::engine {
namespace {

PackedValue integer(std::uint64_t number) { return {.kind = PackedKind::integer, .number = number}; }

/// With the sign of a number of so many bytes.
std::uint64_t sign_extended(std::uint64_t number, std::size_t bytes) {
    const std::size_t unused = 64 - 8 * bytes;
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(number << unused) >>
                                      static_cast<int>(unused));
}

}  // namespace

std::optional<std::uint64_t> MessagePackReader::big_endian(std::size_t size) {
    if (bytes_.size() - at_ < size) return std::nullopt;
    std::uint64_t number = 0;
    for (const std::size_t end = at_ + size; at_ < end; ++at_)
        number = number << 8U | static_cast<std::uint8_t>(bytes_[at_]);
    return number;
}

std::optional<PackedValue> MessagePackReader::with_bytes(PackedKind kind, std::uint64_t size) {
    if (bytes_.size() - at_ < size) return std::nullopt;
    const PackedValue value{.kind = kind, .text = bytes_.substr(at_, static_cast<std::size_t>(size))};
    at_ += static_cast<std::size_t>(size);
    return value;
}

std::optional<PackedValue> MessagePackReader::sized(PackedKind kind, std::size_t size_of_number,
                                                    std::size_t more) {
    const auto number = big_endian(size_of_number);
    if (!number) return std::nullopt;
    if (kind == PackedKind::array || kind == PackedKind::map)
        return PackedValue{.kind = kind, .number = *number};
    return with_bytes(kind, *number + more);
}

std::optional<PackedValue> MessagePackReader::next() {
    const auto first = big_endian(1);
    if (!first) return std::nullopt;
    const auto type = static_cast<unsigned>(*first);
    if (type < 0x80) return integer(type);
    if (type < 0x90) return PackedValue{.kind = PackedKind::map, .number = type & 0xfU};
    if (type < 0xa0) return PackedValue{.kind = PackedKind::array, .number = type & 0xfU};
    if (type < 0xc0) return with_bytes(PackedKind::text, type & 0x1fU);
    if (type >= 0xe0) return integer(sign_extended(type, 1));
    const auto one_two_four = [type](unsigned least) { return std::size_t{1} << (type - least); };
    if (type == 0xc1) return std::nullopt;                                          // never used
    if (type < 0xc4) return PackedValue{};                                          // nil, booleans
    if (type < 0xc7) return sized(PackedKind::other, one_two_four(0xc4), 0);        // bytes
    if (type < 0xca) return sized(PackedKind::other, one_two_four(0xc7), 1);        // extensions
    if (type < 0xcc) return with_bytes(PackedKind::other, 4 * one_two_four(0xca));  // floating point
    if (type >= 0xd4 && type < 0xd9)
        return with_bytes(PackedKind::other, 1 + one_two_four(0xd4));  // extensions
    if (type >= 0xd9 && type < 0xdc) return sized(PackedKind::text, one_two_four(0xd9), 0);
    if (type >= 0xdc)
        return sized(type < 0xde ? PackedKind::array : PackedKind::map, 2 * one_two_four(type & 0xfeU), 0);
    const bool is_signed = type >= 0xd0;
    const std::size_t size = one_two_four(is_signed ? 0xd0 : 0xcc);
    const auto number = big_endian(size);
    if (!number) return std::nullopt;
    return integer(is_signed ? sign_extended(*number, size) : *number);
}

std::optional<PackedValue> MessagePackReader::next(PackedKind kind) {
    const auto value = next();
    return value && value->kind == kind ? value : std::nullopt;
}

bool MessagePackReader::skip(std::uint64_t values) {
    for (; values > 0; --values) {
        const auto value = next();
        if (!value) return false;
        // Each is a byte at least: no more than there are bytes can be added up without loss.
        if (value->kind == PackedKind::array) values += value->number;
        if (value->kind == PackedKind::map) values += 2 * value->number;
    }
    return true;
}

}  // namespace callcost::engine
