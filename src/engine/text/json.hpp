/// Writes JSON: costs as integers, names as valid UTF-8 whatever bytes they are, one row of a list per line,
/// so that `grep` and `diff` can be used on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include <callcost/event_type.hpp>

namespace callcost::engine {

enum class JsonLayout : std::uint8_t {
    line,  ///< the whole object or array on one line
    rows,  ///< every member on a line of its own
};

/// What whoever reads the JSON needs.
struct JsonDialect {
    /// Characters beyond ASCII that are written as numbers (`\u202E`); none: no such.
    bool (*is_escaped)(char32_t) = nullptr;
    std::uint64_t max_integer = std::numeric_limits<std::uint64_t>::max();  ///< larger ones are in quotes
    std::size_t max_bytes = std::numeric_limits<std::size_t>::max();  ///< nothing is written beyond, about
};
/// For programs, and for people who look at it in a terminal.
extern const JsonDialect terminal_json;
/// For JavaScript, whose numbers lose their last digits beyond 2^53 - 1. A name of a megabyte may be in every
/// row.
constexpr JsonDialect page_json{.max_integer = (std::uint64_t{1} << 53U) - 1,
                                .max_bytes = std::size_t{128} << 20U};

class JsonWriter {
  public:
    /// Appends to `out`, which must outlive the writer.
    JsonWriter(std::string& out, const JsonDialect& dialect);
    explicit JsonWriter(std::string& out) : JsonWriter(out, terminal_json) {}
    JsonWriter(const JsonWriter&) = delete;
    JsonWriter& operator=(const JsonWriter&) = delete;
    ~JsonWriter();

    /// The size limit is reached: nothing more is written, and the output is incomplete.
    [[nodiscard]] bool is_full() const;

    void begin_object(JsonLayout layout = JsonLayout::line);
    void end_object();
    void begin_array(JsonLayout layout = JsonLayout::line);
    void end_array();
    void key(std::string_view name);

    void value(std::string_view bytes);  ///< made UTF-8 by F2
    void value(const char* text) { value(std::string_view(text)); }
    void null();
    void json(std::string_view value);  ///< as it is
    /// A number that is no integer, in decimal digits; null if there are none.
    void decimal(std::string_view digits);
    template <class Number>
    requires std::is_arithmetic_v<Number>
    void value(Number number) {
        if constexpr (std::is_same_v<Number, bool>) {
            boolean(number);
        } else if constexpr (std::is_floating_point_v<Number>) {
            real(number);
        } else if constexpr (std::is_signed_v<Number>) {
            integer(number);
        } else {
            natural(number);
        }
    }
    void value(Cost cost) { integer(cost); }
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
    /// What a file does not say is left out.
    void member_if_any(std::string_view name, std::string_view bytes) {
        if (!bytes.empty()) member(name, bytes);
    }

    /// A member: an array with an object per row, one a line or all on one; `write` writes its members.
    template <class Rows, class Write>
    void objects(std::string_view name, const Rows& rows, Write write, JsonLayout layout = JsonLayout::rows) {
        key(name);
        begin_array(layout);
        for (const auto& row : rows) {
            begin_object();
            write(row);
            end_object();
        }
        end_array();
    }

  private:
    void boolean(bool boolean);
    void real(double number);  ///< null if it is not finite
    void integer(std::int64_t number);
    void natural(std::uint64_t number);

    struct Writer;
    std::unique_ptr<Writer> writer_;
};

/// Bytes as text, for where JSON or a page holds them.
[[nodiscard]] std::string base64(std::string_view bytes);

/// With more event types than this, the costs of a row or part are those only that are not 0: a hostile file
/// of 100 kB can have parts times event types by the million.
constexpr std::size_t max_costs_with_zeros = 32;

/// Members: `unit`, and what one of it is in seconds ("s") or bytes ("B"), `base_unit` and `scale`; null: it
/// is neither, or there is none.
void write_unit(JsonWriter& json, std::string_view unit);

/// Empty text is what a file does not say: null.
[[nodiscard]] inline std::optional<std::string_view> if_any(std::string_view text) {
    return text.empty() ? std::nullopt : std::optional(text);
}

}  // namespace callcost::engine
