#include "text/json.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include <fmt/format.h>
#include <rapidjson/writer.h>

#include "text/names.hpp"

namespace callcost::render {
namespace {

/// RapidJSON's idea of an output stream, over a string.
struct StringStream {
    using Ch = char;  // NOLINT(readability-identifier-naming)
    std::string* out;

    void Put(char c) { out->push_back(c); }  // NOLINT(readability-identifier-naming)
    void Flush() {}                          // NOLINT(readability-identifier-naming)
};

struct Container {
    JsonLayout layout;
    bool is_array;
    std::size_t values = 0;  // keys count as well
};

bool needs_escapes(std::string_view utf8) {
    if (std::none_of(utf8.begin(), utf8.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x7f; }))
        return false;
    while (!utf8.empty()) {
        const auto [character, length] = front_character(utf8);
        if (character >= 0x7f && is_deceptive(character)) return true;
        utf8.remove_prefix(length);
    }
    return false;
}

/// A JSON string in which deceptive characters are written as numbers, as JSON itself only demands below
/// U+0020.
std::string escaped(std::string_view utf8) {
    std::string text = "\"";
    const auto to_text = std::back_inserter(text);
    while (!utf8.empty()) {
        const auto [character, length] = front_character(utf8);
        const auto code = static_cast<unsigned>(character);
        if (code == '"' || code == '\\') {
            text.append(1, '\\').append(utf8.substr(0, 1));
        } else if (!is_deceptive(character)) {
            text += utf8.substr(0, length);
        } else if (code < 0x10000) {
            fmt::format_to(to_text, "\\u{:04X}", code);
        } else {
            fmt::format_to(to_text, "\\u{:04X}\\u{:04X}", 0xd800 + ((code - 0x10000) >> 10),
                           0xdc00 + (code & 0x3ff));
        }
        utf8.remove_prefix(length);
    }
    return text += '"';
}

}  // namespace

/// RapidJSON writes the values; where lines end is decided here.
struct JsonWriter::Writer : rapidjson::Writer<StringStream> {
    using Base = rapidjson::Writer<StringStream>;
    using Base::WriteBool;
    using Base::WriteInt64;
    using Base::WriteNull;
    using Base::WriteUint64;

    explicit Writer(std::string& target) : Base(stream), stream{&target}, out(&target) {}

    void before_value() {
        if (containers.empty()) return;
        auto& level = containers.back();
        if (!level.is_array && level.values % 2 == 1) {
            *out += level.layout == JsonLayout::rows ? ": " : ":";
        } else {
            if (level.values > 0) *out += ',';
            if (level.layout == JsonLayout::rows) new_line(containers.size());
        }
        ++level.values;
    }

    void new_line(std::size_t depth) const {
        *out += '\n';
        out->append(depth, ' ');
    }

    void begin(char bracket, JsonLayout layout, bool is_array) {
        before_value();
        *out += bracket;
        containers.push_back({layout, is_array});
    }

    void end(char bracket) {
        const auto level = containers.back();
        containers.pop_back();
        if (level.layout == JsonLayout::rows && level.values > 0) new_line(containers.size());
        *out += bracket;
    }

    void string(std::string_view utf8) {
        before_value();
        WriteString(utf8.data(), static_cast<rapidjson::SizeType>(utf8.size()));
    }

    StringStream stream;
    std::string* out;
    std::vector<Container> containers;
};

JsonWriter::JsonWriter(std::string& out) : writer_(std::make_unique<Writer>(out)) {}
JsonWriter::~JsonWriter() = default;

void JsonWriter::begin_object(JsonLayout layout) { writer_->begin('{', layout, false); }
void JsonWriter::end_object() { writer_->end('}'); }
void JsonWriter::begin_array(JsonLayout layout) { writer_->begin('[', layout, true); }
void JsonWriter::end_array() { writer_->end(']'); }
void JsonWriter::key(std::string_view name) { value(name); }

void JsonWriter::value(std::string_view bytes) {
    const auto utf8 = to_utf8(bytes);
    if (needs_escapes(utf8)) {
        writer_->before_value();
        *writer_->out += escaped(utf8);
    } else {
        writer_->string(utf8);
    }
}

void JsonWriter::null() {
    writer_->before_value();
    writer_->WriteNull();
}

void JsonWriter::decimal(std::string_view digits) {
    if (digits.empty()) return null();
    writer_->before_value();
    *writer_->out += digits;
}

void JsonWriter::boolean(bool boolean) {
    writer_->before_value();
    writer_->WriteBool(boolean);
}

void JsonWriter::integer(std::int64_t number) {
    writer_->before_value();
    writer_->WriteInt64(number);
}

void JsonWriter::natural(std::uint64_t number) {
    writer_->before_value();
    writer_->WriteUint64(number);
}

}  // namespace callcost::render
