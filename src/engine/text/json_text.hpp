/// Writes the answers: compact JSON, names as valid UTF-8 whatever bytes they are.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace callcost::engine {

/// Bytes as text, for where JSON or a page holds them.
[[nodiscard]] std::string base64(std::string_view bytes);

class JsonText {
  public:
    /// Of what is written into, about. A name of a megabyte may be in every row.
    static constexpr std::size_t most_bytes = std::size_t{128} << 20U;

    /// Appends to `out`, which must outlive it.
    explicit JsonText(std::string& out);
    JsonText(const JsonText&) = delete;
    JsonText& operator=(const JsonText&) = delete;
    ~JsonText();

    /// Size limit reached: the text is not valid JSON.
    [[nodiscard]] bool is_full() const;

    void begin_object();
    void end_object();
    void begin_array();
    void end_array();
    void key(std::string_view name);
    void null();
    void json(std::string_view value);  ///< as it is

    void value(std::string_view bytes);  ///< made UTF-8 by F2
    void value(const char* text) { value(std::string_view(text)); }
    /// Integers: in quotes beyond 2^53 - 1, where a number of JavaScript loses its last digits.
    template <class Value>
    requires std::is_arithmetic_v<Value>
    void value(Value of) {
        if constexpr (std::is_same_v<Value, bool>) {
            boolean(of);
        } else if constexpr (std::is_floating_point_v<Value>) {
            decimal(of);
        } else if constexpr (std::is_signed_v<Value>) {
            integer(of);
        } else {
            natural(of);
        }
    }

    template <class Value>
    void member(std::string_view name, const Value& of) {
        key(name);
        value(of);
    }
    /// Null for what is not known.
    template <class Value>
    void member_or_null(std::string_view name, const std::optional<Value>& of) {
        key(name);
        if (of) {
            value(*of);
        } else {
            null();
        }
    }
    /// What a file does not say is omitted.
    void member_if_any(std::string_view name, std::string_view bytes) {
        if (!bytes.empty()) member(name, bytes);
    }

  private:
    void boolean(bool of);
    void decimal(double of);  ///< null if it is not finite
    void integer(std::int64_t of);
    void natural(std::uint64_t of);

    struct Writer;
    std::unique_ptr<Writer> writer_;
};

}  // namespace callcost::engine
