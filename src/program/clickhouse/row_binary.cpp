#include "clickhouse/row_binary.hpp"

#include "clickhouse/server_failure.hpp"

namespace callcost::program {

RowWriter& RowWriter::size(std::size_t count) {
    for (; count >= 0x80; count >>= 7U) bytes_ += static_cast<char>(count | 0x80U);
    return *this << static_cast<char>(count);
}

RowWriter& RowWriter::fixed(std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i, value >>= 8U) bytes_ += static_cast<char>(value);
    return *this;
}

std::size_t RowReader::size() {
    std::size_t count = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        const auto part = static_cast<unsigned char>(take(1).front());
        count |= std::size_t{part & 0x7fU} << shift;
        if (part < 0x80) break;
    }
    return count;
}

std::string_view RowReader::take(std::size_t count) {
    if (count > rest_.size()) throw ServerFailure{0, "its answer is incomplete"};
    const auto taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
}

std::uint64_t RowReader::fixed(int bytes) {
    std::uint64_t value = 0;
    const auto taken = take(static_cast<std::size_t>(bytes));
    for (std::size_t i = taken.size(); i-- > 0;) value = value << 8U | static_cast<unsigned char>(taken[i]);
    return value;
}

}  // namespace callcost::program
