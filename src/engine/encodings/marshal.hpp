/// Python's marshal format, value by value, as all versions of Python write it. For importers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace callcost::engine {

enum class MarshalKind : std::uint8_t {
    end,   ///< of a dict
    none,  ///< None, booleans and others without content
    number,
    text,   ///< or bytes
    tuple,  ///< or list, set: `count` values follow
    dict,   ///< pairs of values follow until `end`
    code,   ///< of a function; code_name() reads it
    other,
};

struct MarshalValue {
    /// Of an object that the file does not refer to.
    static constexpr std::uint32_t no_object = UINT32_MAX;

    MarshalKind kind = MarshalKind::other;
    double number = 0;
    std::uint64_t count = 0;
    std::string_view text{};
    std::uint32_t object = no_object;  ///< the same one wherever it is referred to
    /// Stands for an object that came before: what is in it does not follow again.
    bool is_reference = false;
};

/// Memory for 12 bytes per object that can be referred to.
class MarshalReader {
  public:
    explicit MarshalReader(std::string_view bytes) : bytes_(bytes) {}

    /// The next value, without what is in it; nothing where the bytes end, or are no value.
    [[nodiscard]] std::optional<MarshalValue> next();
    /// Behind a value of kind `code`: its name, empty if it is not text. Leaves out the rest of it.
    [[nodiscard]] std::optional<std::string_view> code_name();

    [[nodiscard]] std::size_t offset() const { return at_; }
    /// The last value is not whole.
    [[nodiscard]] bool is_cut() const { return is_cut_; }
    /// All `MarshalValue::object` so far are below it.
    [[nodiscard]] std::size_t objects() const { return objects_.size(); }

  private:
    class Skipping;
    [[nodiscard]] std::optional<std::uint64_t> little_endian(std::size_t size);
    [[nodiscard]] std::optional<MarshalValue> value(char type);
    [[nodiscard]] std::optional<MarshalValue> text(std::size_t size_of_length);
    [[nodiscard]] std::optional<MarshalValue> integer(std::size_t size);
    [[nodiscard]] std::optional<MarshalValue> long_integer();
    [[nodiscard]] std::optional<MarshalValue> binary_float();
    [[nodiscard]] std::optional<MarshalValue> text_float();
    [[nodiscard]] std::optional<MarshalValue> some_bytes(MarshalKind kind, std::uint64_t size);
    [[nodiscard]] std::optional<MarshalValue> reference(std::uint32_t object);

    std::string_view bytes_;
    std::size_t at_ = 0;
    bool is_cut_ = false;
    std::vector<std::size_t> objects_;     // where they begin
    std::vector<std::uint32_t> numbered_;  // objects by the number of a reference
    std::vector<std::uint32_t> interned_;  // the same of Python 2's strings
};

}  // namespace callcost::engine
