/// JSON of a source as it comes: no more of it is held than a block. For importers, which take what RapidJSON
/// finds.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <rapidjson/reader.h>

#include <callcost/error.hpp>
#include <callcost/event_type.hpp>
#include <callcost/source.hpp>

namespace callcost::engine {

/// A whole number where `fraction` is 0; else `whole` is the next one below.
struct JsonNumber {
    std::int64_t whole = 0;  ///< the nearest one that there is
    double fraction = 0;

    [[nodiscard]] static JsonNumber of(double number) {
        constexpr double most = 9e18;
        const double limited = std::clamp(number, -most, most);
        const auto towards_0 = static_cast<std::int64_t>(limited);
        const double rest = limited - static_cast<double>(towards_0);
        return rest < 0 ? JsonNumber{towards_0 - 1, rest + 1} : JsonNumber{towards_0, rest};
    }
    [[nodiscard]] std::int64_t rounded() const { return fraction < 0.5 ? whole : whole + 1; }
    [[nodiscard]] double value() const { return static_cast<double>(whole) + fraction; }
    /// A whole number of parts; wraps (F82).
    [[nodiscard]] Cost times(std::int64_t factor) const {
        return Cost(whole) * factor + std::llround(fraction * static_cast<double>(factor));
    }
    JsonNumber& operator+=(JsonNumber other) {  // wraps
        auto sum = static_cast<std::uint64_t>(whole) + static_cast<std::uint64_t>(other.whole);
        fraction += other.fraction;
        if (fraction >= 1) {
            fraction -= 1;
            ++sum;
        }
        whole = static_cast<std::int64_t>(sum);
        return *this;
    }
    friend JsonNumber operator-(JsonNumber a, JsonNumber b);
    friend bool operator==(const JsonNumber&, const JsonNumber&) = default;
};

/// Of 15 digits, as many as all numbers have in 64 bits.
[[nodiscard]] int decimals_of(JsonNumber number);

/// The bytes of a source as RapidJSON asks for them, and where they are. A byte order mark is skipped.
class JsonStream {
  public:
    using Ch = char;

    explicit JsonStream(const Source& source);

    [[nodiscard]] char Peek() const { return *next_; }  // NOLINT(readability-identifier-naming)
    char Take() {                                       // NOLINT(readability-identifier-naming)
        const char byte = *next_;
        if (++next_ == end_) fill();
        return byte;
    }
    [[nodiscard]] std::size_t Tell() const {  // NOLINT(readability-identifier-naming)
        return before_ + static_cast<std::size_t>(next_ - begin_);
    }
    /// How many bytes follow in the block that stand for themselves in a string.
    [[nodiscard]] std::size_t plain_bytes() const;
    void take(std::size_t count, void* to) {
        std::memcpy(to, next_, count);
        next_ += count;
        if (next_ == end_) fill();
    }
    char* PutBegin() { return nullptr; }     // NOLINT(readability-identifier-naming)
    void Put(char) {}                        // NOLINT(readability-identifier-naming)
    void Flush() {}                          // NOLINT(readability-identifier-naming)
    std::size_t PutEnd(char*) { return 0; }  // NOLINT(readability-identifier-naming)

    /// Of the source; empty_file.
    [[nodiscard]] const std::optional<Error>& error() const { return error_; }
    /// What is wrong at an offset in the last block, or in a number or string that began before it.
    [[nodiscard]] Error error_at(std::size_t offset, std::string reason) const;
    [[nodiscard]] bool is_at_end() const { return is_at_end_; }
    [[nodiscard]] std::uint64_t bytes() const { return before_ + static_cast<std::size_t>(end_ - begin_); }

  private:
    void fill();

    Source::Read read_;
    std::vector<char> block_;
    const char* begin_;  // of the block, or of the end's NUL
    const char* next_;
    const char* end_;
    std::size_t before_ = 0;               // bytes before the block
    std::uint64_t line_ = 1;               // of the block's first byte
    std::optional<std::size_t> line_end_;  // offset of the last one before the block
    bool is_at_end_ = false;
    std::optional<Error> error_;
};

inline std::size_t JsonStream::plain_bytes() const {
    constexpr std::uint64_t ones = 0x0101010101010101U, highest = 0x80 * ones;
    const char* at = next_;
    for (; static_cast<std::size_t>(end_ - at) >= sizeof ones; at += sizeof ones) {
        std::uint64_t word = 0;
        std::memcpy(&word, at, sizeof word);
        const std::uint64_t quote = word ^ ('"' * ones), backslash = word ^ ('\\' * ones);
        const std::uint64_t others =
            (((word - ' ' * ones) & ~word) | ((quote - ones) & ~quote) | ((backslash - ones) & ~backslash)) &
            highest;
        if (others == 0) continue;
        if constexpr (std::endian::native == std::endian::little) at += std::countr_zero(others) / 8;
        break;
    }
    while (at != end_ && static_cast<unsigned char>(*at) >= ' ' && *at != '"' && *at != '\\') ++at;
    return static_cast<std::size_t>(at - next_);
}

/// The Error of JSON that is nested deeper than the format can be.
[[nodiscard]] Error nested_too_deep();

/// How deep arrays and objects may be in one another.
enum class JsonNesting : std::uint8_t {
    any,
    bounded,  ///< to 200, which takes less time; for formats that do not nest stacks
};

/// What RapidJSON calls, in fewer words. A handler has `begin(is_array)`, `end()`, `key(text)`, `text(text)`,
/// `number(JsonNumber)`, `boolean(bool)` and `null()`, of which those here do nothing.
template <class Handler, JsonNesting Nesting = JsonNesting::any>
class JsonHandler : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Handler> {
  public:
    static constexpr JsonNesting nesting = Nesting;

    void text(std::string_view) {}
    void number(JsonNumber) {}
    void boolean(bool) {}
    void null() {}

    // NOLINTBEGIN(readability-identifier-naming)
    bool StartObject() { return open(false); }
    bool StartArray() { return open(true); }
    bool EndObject(rapidjson::SizeType) { return close(); }
    bool EndArray(rapidjson::SizeType) { return close(); }
    bool Key(const char* text, rapidjson::SizeType length, bool) {
        self().key({text, length});
        return true;
    }
    bool String(const char* text, rapidjson::SizeType length, bool) {
        self().text({text, length});
        return true;
    }
    bool Int(int number) { return whole(number); }
    bool Uint(unsigned number) { return whole(number); }
    bool Int64(std::int64_t number) { return whole(number); }
    bool Uint64(std::uint64_t number) {
        return whole(static_cast<std::int64_t>(std::min<std::uint64_t>(number, INT64_MAX)));
    }
    bool Double(double number) {
        self().number(JsonNumber::of(number));
        return true;
    }
    bool Bool(bool value) {
        self().boolean(value);
        return true;
    }
    bool Null() {
        self().null();
        return true;
    }
    // NOLINTEND(readability-identifier-naming)

    [[nodiscard]] bool is_too_deep() const { return Nesting == JsonNesting::bounded && depth_ > max_depth; }

  private:
    static constexpr std::size_t max_depth = 200;

    [[nodiscard]] Handler& self() { return static_cast<Handler&>(*this); }
    bool open(bool is_array) {
        ++depth_;
        if (is_too_deep()) return false;
        self().begin(is_array);
        return true;
    }
    bool close() {
        --depth_;
        self().end();
        return true;
    }
    bool whole(std::int64_t number) {
        self().number({.whole = number});
        return true;
    }

    std::size_t depth_ = 0;
};

/// A key that is compared with few others. Takes less time than `==` does.
template <std::size_t Size>
[[nodiscard]] bool is_key(std::string_view key, const char (&wanted)[Size]) {
    return key.size() == Size - 1 && std::memcmp(key.data(), wanted, Size - 1) == 0;
}

/// The Error of JSON that cannot be read.
[[nodiscard]] Error json_error(const JsonStream& stream, const rapidjson::ParseResult& result);

/// Reads all of it. Errors: of the source; empty_file; not_a_profile with line and column
/// where it is no JSON.
template <class Handler>
[[nodiscard]] Result<void> read_json(JsonStream& stream, Handler& handler) {
    rapidjson::Reader reader;
    // Iterative where arrays of any depth would be a danger to the stack.
    constexpr unsigned flags =
        Handler::nesting == JsonNesting::any ? rapidjson::kParseIterativeFlag : rapidjson::kParseDefaultFlags;
    const auto result = reader.Parse<flags>(stream, handler);
    if (stream.error()) return tl::unexpected(*stream.error());
    if (handler.is_too_deep()) return tl::unexpected(nested_too_deep());
    if (result.IsError()) return tl::unexpected(json_error(stream, result));
    if (!stream.is_at_end()) return tl::unexpected(stream.error_at(stream.Tell(), "a NUL byte"));
    return {};
}

}  // namespace callcost::engine

// RapidJSON has the same for its own streams.
namespace rapidjson {

template <>
inline void SkipWhitespace(callcost::engine::JsonStream& is) {
    for (char c = is.Peek(); c == ' ' || c == '\n' || c == '\r' || c == '\t'; c = is.Peek()) is.Take();
}

template <>
template <>
inline void Reader::ScanCopyUnescapedString(callcost::engine::JsonStream& from, StackStream<char>& to) {
    if (const std::size_t count = from.plain_bytes(); count != 0)
        from.take(count, to.Push(static_cast<SizeType>(count)));
}

}  // namespace rapidjson
