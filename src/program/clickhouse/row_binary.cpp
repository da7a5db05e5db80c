#include "clickhouse/row_binary.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "clickhouse/server_failure.hpp"

namespace callcost::program {
namespace {

/// Either way.
std::uint64_t little_endian(std::uint64_t value) {
    return std::endian::native == std::endian::little ? value : __builtin_bswap64(value);
}

}  // namespace

RowWriter& RowWriter::size(std::size_t count) {
    for (; count >= 0x80; count >>= 7U) bytes_ += static_cast<char>(count | 0x80U);
    return *this << static_cast<char>(count);
}

RowWriter& RowWriter::fixed(std::uint64_t value, std::size_t bytes) {
    value = little_endian(value);
    std::array<char, sizeof value> copy{};
    std::memcpy(copy.data(), &value, sizeof value);
    bytes_.append(copy.data(), bytes);
    return *this;
}

std::size_t RowReader::size() {
    std::uint64_t count = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        const auto part = static_cast<unsigned char>(take(1).front());
        count |= std::uint64_t{part & 0x7fU} << shift;
        if (part < 0x80) break;
    }
    return static_cast<std::size_t>(std::min<std::uint64_t>(count, SIZE_MAX));
}

std::string_view RowReader::take(std::size_t count) {
    if (count > rest_.size()) throw ServerFailure{0, "its answer is incomplete"};
    const auto taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
}

std::uint64_t RowReader::fixed(std::size_t bytes) {
    std::uint64_t value = 0;
    std::memcpy(&value, take(bytes).data(), bytes);
    return little_endian(value);
}

}  // namespace callcost::program
