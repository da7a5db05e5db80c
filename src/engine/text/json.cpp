#include "text/json.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <rapidjson/writer.h>

#include "text/names.hpp"
#include "text/numbers.hpp"
#include "text/utf8.hpp"

namespace callcost::engine {
namespace {

/// RapidJSON's idea of an output stream, over a string that grows up to a limit.
struct StringStream {
    using Ch = char;  // NOLINT(readability-identifier-naming)
    std::string* out;
    std::size_t max_bytes;

    [[nodiscard]] bool is_full() const { return out->size() >= max_bytes; }
    void Put(char c) {  // NOLINT(readability-identifier-naming)
        if (!is_full()) out->push_back(c);
    }
    void Flush() {}  // NOLINT(readability-identifier-naming)
    void append(std::string_view text) const {
        if (!is_full()) *out += text;
    }
};

struct Container {
    JsonLayout layout;
    bool is_array;
    std::size_t values = 0;  // keys count as well
};

void append_escape(std::string& text, std::uint32_t utf16) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    text += "\\u";
    for (unsigned shift = 16; shift != 0;) text += digits[utf16 >> (shift -= 4) & 15];
}

/// A JSON string in which some characters are written as numbers, as JSON itself only demands below U+0020.
std::string escaped(std::string_view utf8, const JsonDialect& dialect) {
    std::string text = "\"";
    while (!utf8.empty()) {
        const auto [character, length] = front_character(utf8);
        const auto code = static_cast<std::uint32_t>(character);
        if (code == '"' || code == '\\') {
            text.append(1, '\\').append(utf8.substr(0, 1));
        } else if (code >= ' ' && !dialect.is_escaped(character)) {
            text += utf8.substr(0, length);
        } else if (code < 0x10000) {
            append_escape(text, code);
        } else {
            append_escape(text, 0xd800 + ((code - 0x10000) >> 10));
            append_escape(text, 0xdc00 + (code & 0x3ff));
        }
        utf8.remove_prefix(length);
    }
    return text += '"';
}

/// As it is in JSON whatever the dialect: printable ASCII without quotes and backslashes, as most names.
bool is_plain(std::string_view bytes) {
    return std::all_of(bytes.begin(), bytes.end(),
                       [](char c) { return c >= ' ' && c < 0x7f && c != '"' && c != '\\'; });
}

bool needs_escapes(std::string_view utf8, const JsonDialect& dialect) {
    if (dialect.is_escaped == nullptr ||
        std::none_of(utf8.begin(), utf8.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x7f; }))
        return false;
    while (!utf8.empty()) {
        const auto [character, length] = front_character(utf8);
        if (character >= 0x7f && dialect.is_escaped(character)) return true;
        utf8.remove_prefix(length);
    }
    return false;
}

}  // namespace

const JsonDialect terminal_json{.is_escaped = is_deceptive};

/// RapidJSON writes the values; where lines end is decided here.
struct JsonWriter::Writer : rapidjson::Writer<StringStream> {
    using Base = rapidjson::Writer<StringStream>;
    using Base::WriteBool;
    using Base::WriteDouble;
    using Base::WriteInt64;
    using Base::WriteNull;
    using Base::WriteString;
    using Base::WriteUint64;

    Writer(std::string& target, const JsonDialect& how)
        : Base(stream), stream{&target, how.max_bytes}, dialect(how) {}

    void before_value() {
        if (containers.empty()) return;
        auto& level = containers.back();
        if (!level.is_array && level.values % 2 == 1) {
            stream.append(level.layout == JsonLayout::rows ? ": " : ":");
        } else {
            if (level.values > 0) stream.Put(',');
            if (level.layout == JsonLayout::rows) new_line(containers.size());
        }
        ++level.values;
    }

    void new_line(std::size_t depth) {
        stream.Put('\n');
        stream.append(std::string(depth, ' '));
    }

    void begin(char bracket, JsonLayout layout, bool is_array) {
        before_value();
        stream.Put(bracket);
        containers.push_back({layout, is_array});
    }

    void end(char bracket) {
        const auto level = containers.back();
        containers.pop_back();
        if (level.layout == JsonLayout::rows && level.values > 0) new_line(containers.size());
        stream.Put(bracket);
    }

    void plain(std::string_view text) {
        before_value();
        stream.Put('"');
        stream.append(text);
        stream.Put('"');
    }

    void string(std::string_view utf8) {
        before_value();
        if (needs_escapes(utf8, dialect)) {
            stream.append(escaped(utf8, dialect));
        } else {
            WriteString(utf8.data(), static_cast<rapidjson::SizeType>(utf8.size()));
        }
    }

    StringStream stream;
    JsonDialect dialect;
    std::vector<Container> containers;
};

JsonWriter::JsonWriter(std::string& out, const JsonDialect& dialect)
    : writer_(std::make_unique<Writer>(out, dialect)) {}
JsonWriter::~JsonWriter() = default;

bool JsonWriter::is_full() const { return writer_->stream.is_full(); }
void JsonWriter::begin_object(JsonLayout layout) { writer_->begin('{', layout, false); }
void JsonWriter::end_object() { writer_->end('}'); }
void JsonWriter::begin_array(JsonLayout layout) { writer_->begin('[', layout, true); }
void JsonWriter::end_array() { writer_->end(']'); }
void JsonWriter::key(std::string_view name) { value(name); }
void JsonWriter::value(std::string_view bytes) {
    if (is_full()) return;
    if (is_plain(bytes)) return writer_->plain(bytes);
    writer_->string(to_utf8(bytes));
}

void JsonWriter::null() {
    writer_->before_value();
    writer_->WriteNull();
}

void JsonWriter::json(std::string_view value) {
    writer_->before_value();
    writer_->stream.append(value);
}

void JsonWriter::decimal(std::string_view digits) {
    if (digits.empty()) return null();
    json(digits);
}

void JsonWriter::boolean(bool boolean) {
    writer_->before_value();
    writer_->WriteBool(boolean);
}

void JsonWriter::real(double number) {
    if (!std::isfinite(number)) return null();
    writer_->before_value();
    writer_->WriteDouble(number);
}

void JsonWriter::integer(std::int64_t number) {
    const auto bits = static_cast<std::uint64_t>(number);
    if ((number < 0 ? 0 - bits : bits) > writer_->dialect.max_integer) return value(std::to_string(number));
    writer_->before_value();
    writer_->WriteInt64(number);
}

void JsonWriter::natural(std::uint64_t number) {
    if (number > writer_->dialect.max_integer) return value(std::to_string(number));
    writer_->before_value();
    writer_->WriteUint64(number);
}

std::string base64(std::string_view bytes) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const auto count = std::min<std::size_t>(3, bytes.size() - at);
        std::uint32_t group = 0;
        for (std::size_t i = 0; i < 3; ++i)
            group = group << 8 | (i < count ? static_cast<unsigned char>(bytes[at + i]) : 0U);
        for (std::size_t i = 0; i < 4; ++i) text += i <= count ? digits[group >> (18 - 6 * i) & 63] : '=';
    }
    return text;
}

void write_unit(JsonWriter& json, std::string_view unit) {
    const auto scale = unit_scale(unit);
    json.member("unit", if_any(unit));
    json.member("base_unit", scale ? std::optional(scale->base) : std::nullopt);
    json.member("scale", scale ? std::optional(scale->factor) : std::nullopt);
}

}  // namespace callcost::engine
