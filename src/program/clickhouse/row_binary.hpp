/// Rows of ClickHouse's format RowBinary: values one after the other, numbers as on x86, strings behind their
/// length. No byte of a value has a meaning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace callcost::program {

class RowWriter {
  public:
    RowWriter& byte(bool value) { return *this << (value ? '\1' : '\0'); }
    RowWriter& number32(std::uint32_t value) { return fixed(value, 4); }
    /// UInt64 or Int64.
    RowWriter& number(std::uint64_t value) { return fixed(value, 8); }
    RowWriter& number(std::int64_t value) { return fixed(static_cast<std::uint64_t>(value), 8); }
    RowWriter& text(std::string_view bytes) {
        size(bytes.size());
        bytes_ += bytes;
        return *this;
    }
    /// Begins an array: its elements follow.
    RowWriter& size(std::size_t count);

    [[nodiscard]] const std::string& bytes() const { return bytes_; }

  private:
    RowWriter& operator<<(char byte) {
        bytes_ += byte;
        return *this;
    }
    RowWriter& fixed(std::uint64_t value, std::size_t bytes);

    std::string bytes_;
};

/// Throws ServerFailure at an unexpected end of data.
class RowReader {
  public:
    /// The bytes must outlive it.
    explicit RowReader(std::string_view bytes) : rest_(bytes) {}

    [[nodiscard]] bool at_end() const { return rest_.empty(); }
    bool byte() { return take(1).front() != '\0'; }
    std::uint32_t number32() { return static_cast<std::uint32_t>(fixed(4)); }
    std::uint64_t number() { return fixed(8); }
    std::int64_t signed_number() { return static_cast<std::int64_t>(fixed(8)); }
    std::string_view text() { return take(size()); }
    std::size_t size();

  private:
    std::string_view take(std::size_t count);
    std::uint64_t fixed(std::size_t bytes);

    std::string_view rest_;
};

}  // namespace callcost::program
