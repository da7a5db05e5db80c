/// Writes JSON: costs as integers, names as valid UTF-8 whatever bytes they are, one row of a list per line,
/// so that `grep` and `diff` can be used on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace callcost::render {

enum class JsonLayout : std::uint8_t {
    line,  ///< the whole object or array on one line
    rows,  ///< every member on a line of its own
};

class JsonWriter {
  public:
    /// Appends to `out`, which must outlive the writer.
    explicit JsonWriter(std::string& out);
    JsonWriter(const JsonWriter&) = delete;
    JsonWriter& operator=(const JsonWriter&) = delete;
    ~JsonWriter();

    void begin_object(JsonLayout layout = JsonLayout::line);
    void end_object();
    void begin_array(JsonLayout layout = JsonLayout::line);
    void end_array();
    void key(std::string_view name);

    void value(std::string_view bytes);  ///< made UTF-8 by F2; what could deceive a terminal is escaped
    void value(const char* text) { value(std::string_view(text)); }
    void null();
    /// A number that is no integer, in decimal digits; null if there are none.
    void decimal(std::string_view digits);
    template <class Number>
    requires std::is_arithmetic_v<Number>
    void value(Number number) {
        if constexpr (std::is_same_v<Number, bool>) {
            boolean(number);
        } else if constexpr (std::is_signed_v<Number>) {
            integer(number);
        } else {
            natural(number);
        }
    }
    template <class Value>
    void value(const std::optional<Value>& optional) {
        if (optional) {
            value(*optional);
        } else {
            null();
        }
    }

    template <class Value>
    void member(std::string_view name, const Value& member_value) {
        key(name);
        value(member_value);
    }

  private:
    void boolean(bool boolean);
    void integer(std::int64_t number);
    void natural(std::uint64_t number);

    struct Writer;
    std::unique_ptr<Writer> writer_;
};

/// With more event types than this, the costs of a row or part are those only that are not 0: a hostile file
/// of 100 kB can have parts times event types by the million.
constexpr std::size_t most_costs_with_zeros = 32;

/// Empty text is what a file does not say: null.
[[nodiscard]] inline std::optional<std::string_view> if_any(std::string_view text) {
    return text.empty() ? std::nullopt : std::optional(text);
}

}  // namespace callcost::render
