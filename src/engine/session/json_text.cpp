#include "session/json_text.hpp"

#include <algorithm>
#include <cmath>

#include <rapidjson/writer.h>

#include "text/utf8.hpp"

namespace callcost::answer {
namespace {

constexpr std::uint64_t most_exact = (1ULL << 53) - 1;

/// RapidJSON's idea of an output stream, over a string.
struct AnswerStream {
    using Ch = char;  // NOLINT(readability-identifier-naming)
    std::string* out;

    void Put(char c) {  // NOLINT(readability-identifier-naming)
        if (!is_full()) out->push_back(c);
    }
    void Flush() {}  // NOLINT(readability-identifier-naming)
    [[nodiscard]] bool is_full() const { return out->size() >= JsonText::most_bytes; }
};

}  // namespace

struct JsonText::Writer {
    explicit Writer(std::string& target) : stream{&target}, json(stream) {}

    AnswerStream stream;
    rapidjson::Writer<AnswerStream> json;
};

JsonText::JsonText(std::string& out) : writer_(std::make_unique<Writer>(out)) {}
JsonText::~JsonText() = default;

void JsonText::begin_object() { writer_->json.StartObject(); }
void JsonText::end_object() { writer_->json.EndObject(); }
void JsonText::begin_array() { writer_->json.StartArray(); }
void JsonText::end_array() { writer_->json.EndArray(); }
void JsonText::key(std::string_view name) {
    writer_->json.Key(name.data(), static_cast<rapidjson::SizeType>(name.size()));
}
void JsonText::null() { writer_->json.Null(); }
bool JsonText::is_full() const { return writer_->stream.is_full(); }

void JsonText::json(std::string_view value) {
    if (is_full()) return null();
    writer_->json.RawValue(value.data(), value.size(), rapidjson::kObjectType);
}

void JsonText::value(std::string_view bytes) {
    if (is_full()) return null();
    const auto utf8 = render::to_utf8(bytes);
    writer_->json.String(utf8.data(), static_cast<rapidjson::SizeType>(utf8.size()));
}

void JsonText::boolean(bool of) { writer_->json.Bool(of); }

void JsonText::decimal(double of) {
    if (std::isfinite(of)) {
        writer_->json.Double(of);
    } else {
        null();
    }
}

void JsonText::integer(std::int64_t of) {
    const auto bits = static_cast<std::uint64_t>(of);
    const bool is_exact = (of < 0 ? 0 - bits : bits) <= most_exact;
    if (is_exact) {
        writer_->json.Int64(of);
    } else {
        value(std::to_string(of));
    }
}

void JsonText::natural(std::uint64_t of) {
    if (of <= most_exact) {
        writer_->json.Uint64(of);
    } else {
        value(std::to_string(of));
    }
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

}  // namespace callcost::answer
