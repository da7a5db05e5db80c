/// MessagePack, value by value. For importers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace callcost::engine {

enum class PackedKind : std::uint8_t {
    integer,
    text,
    array,  ///< so many values follow
    map,    ///< so many pairs of values follow
    other,  ///< nil, a boolean, a floating-point number, bytes
};

struct PackedValue {
    PackedKind kind = PackedKind::other;
    std::uint64_t number = 0;  ///< an integer (a negative one modulo 2^64), or how many follow
    std::string_view text{};
};

class MessagePackReader {
  public:
    explicit MessagePackReader(std::string_view bytes) : bytes_(bytes) {}

    /// The next value, without what is in it; nothing at the end, and where the bytes are cut or damaged.
    [[nodiscard]] std::optional<PackedValue> next();
    /// Leaves out so many values with all that is in them; false if the bytes end before.
    [[nodiscard]] bool skip(std::uint64_t values);

    /// A value of this kind, or nothing.
    [[nodiscard]] std::optional<PackedValue> next(PackedKind kind);
    [[nodiscard]] bool is_at_end() const { return at_ == bytes_.size(); }

  private:
    [[nodiscard]] std::optional<std::uint64_t> big_endian(std::size_t size);
    [[nodiscard]] std::optional<PackedValue> sized(PackedKind kind, std::size_t size_of_number,
                                                   std::size_t more);
    [[nodiscard]] std::optional<PackedValue> with_bytes(PackedKind kind, std::uint64_t size);

    std::string_view bytes_;
    std::size_t at_ = 0;
};

}  // namespace callcost::engine
