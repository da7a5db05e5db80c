#include "encodings/ruby_marshal.hpp"

#include <cstdlib>

namespace callcost::engine {
namespace {

/// Bytes of a string that is read: a name, or a path.
constexpr std::uint64_t longest_text = 65'536;

}  // namespace

bool RubyMarshalReader::take(std::size_t count) {
    if (error_) return false;
    if (auto done = bytes_.take(count, taken_); !done)
        error_ = done.error();
    else if (taken_.size() < count)
        error_ = not_in_format("Ruby data (Marshal) that is cut off", 0, 0, bytes_.bytes());
    return !error_;
}

Error RubyMarshalReader::error() const {
    return error_ ? *error_ : not_in_format("damaged Ruby data (Marshal)", 0, 0, bytes_.bytes());
}

bool RubyMarshalReader::take_version() {
    if (!take(2)) {
        if (bytes_.bytes() == 0 && error_->code == ErrorCode::not_a_profile)
            error_ = Error{.code = ErrorCode::empty_file, .detail = {}};
        return false;
    }
    if (taken_ == "\4\10") return true;
    error_ = not_in_format("not Ruby data (Marshal) of version 4.8");
    return false;
}

std::optional<std::uint8_t> RubyMarshalReader::byte() {
    if (!take(1)) return std::nullopt;
    return static_cast<std::uint8_t>(taken_[0]);
}

/// One byte for small ones, else how many bytes follow, negative if the number is.
std::optional<std::int64_t> RubyMarshalReader::fixnum() {
    const auto first = byte();
    if (!first) return std::nullopt;
    const auto head = static_cast<std::int8_t>(*first);
    constexpr int most_bytes = 4, offset = 5;
    if (head == 0) return 0;
    if (head > most_bytes) return head - offset;
    if (head < -most_bytes) return head + offset;
    const int size = std::abs(static_cast<int>(head));
    if (!take(static_cast<std::size_t>(size))) return std::nullopt;
    std::int64_t number = head < 0 ? -1 : 0;
    for (int i = size - 1; i >= 0; --i)
        number = number * 256 + static_cast<std::uint8_t>(taken_[static_cast<std::size_t>(i)]);
    return number;
}

std::optional<std::uint64_t> RubyMarshalReader::count() {
    const auto number = fixnum();
    if (!number || *number < 0) return std::nullopt;
    return static_cast<std::uint64_t>(*number);
}

std::optional<std::uint32_t> RubyMarshalReader::text() {
    const auto size = count();
    if (!size || *size > longest_text || !take(static_cast<std::size_t>(*size))) return std::nullopt;
    return names_.row(taken_);
}

std::optional<RubyMarshalReader::Value> RubyMarshalReader::next() {
    const auto type = byte();
    return type ? value(*type) : std::nullopt;
}

std::optional<RubyMarshalReader::Value> RubyMarshalReader::value(std::uint8_t type) {
    switch (type) {
        case '0':
        case 'T':
        case 'F':
            return Value{};
        case 'i': {
            const auto number = fixnum();
            return number ? std::optional(Value{.kind = Kind::number, .number = {.whole = *number}})
                          : std::nullopt;
        }
        case 'l':
            return bignum();
        case 'f':
            return floating_point();
        case '"':
            return string();
        case ':':
            return symbol();
        case ';':
            return symbol_link();
        case '@':
            return link();
        case 'I':
            return with_variables();
        case '[':
            return container(Kind::array, false);
        case '{':
            return container(Kind::hash, false);
        case '}':
            return container(Kind::hash, true);
        default:
            error_ = not_in_format("an object of Ruby that is no hash, array, string or number", 0, 0,
                                   bytes_.bytes() - 1);
            return std::nullopt;
    }
}

RubyMarshalReader::Value RubyMarshalReader::value_of(const Object& object) const {
    return {.kind = object.kind,
            .number = object.number,
            .text = object.text == no_row ? std::string_view() : std::string_view(names_[object.text])};
}

RubyMarshalReader::Value RubyMarshalReader::keep(Object object) {
    objects_.push_back(object);
    return value_of(object);
}

std::optional<RubyMarshalReader::Value> RubyMarshalReader::container(Kind kind, bool has_default) {
    const auto size = count();
    if (!size) return std::nullopt;
    objects_.push_back({});
    return Value{.kind = kind, .has_default = has_default, .size = *size};
}

/// A sign and so many pairs of bytes, the lowest first.
std::optional<RubyMarshalReader::Value> RubyMarshalReader::bignum() {
    const auto sign = byte();
    const auto pairs = sign ? count() : std::nullopt;
    if (!pairs || *pairs > longest_text || !take(static_cast<std::size_t>(2 * *pairs))) return std::nullopt;
    std::uint64_t number = 0;
    for (std::size_t i = taken_.size(); i-- > 0;) {
        const auto digit = static_cast<std::uint8_t>(taken_[i]);
        number = number > UINT64_MAX >> 8U ? UINT64_MAX : number << 8U | digit;
    }
    const auto whole = static_cast<std::int64_t>(std::min<std::uint64_t>(number, INT64_MAX));
    return keep({.number = {.whole = *sign == '-' ? -whole : whole}, .kind = Kind::number});
}

/// As text; what is infinite or none is 0.
std::optional<RubyMarshalReader::Value> RubyMarshalReader::floating_point() {
    const auto row = text();
    if (!row) return std::nullopt;
    const auto number = parse_decimal(names_[*row]);
    return keep(
        {.number = {.whole = number && number->decimals == 0 ? number->digits : 0}, .kind = Kind::number});
}

std::optional<RubyMarshalReader::Value> RubyMarshalReader::string() {
    const auto row = text();
    if (!row) return std::nullopt;
    return keep({.text = *row, .kind = Kind::text});
}

std::optional<RubyMarshalReader::Value> RubyMarshalReader::symbol() {
    const auto row = text();
    if (!row) return std::nullopt;
    symbols_.push_back(*row);
    return Value{.kind = Kind::text, .text = names_[*row]};
}

std::optional<RubyMarshalReader::Value> RubyMarshalReader::symbol_link() {
    const auto number = count();
    if (!number || *number >= symbols_.size()) return std::nullopt;
    return Value{.kind = Kind::text, .text = names_[symbols_[static_cast<std::size_t>(*number)]]};
}

std::optional<RubyMarshalReader::Value> RubyMarshalReader::link() {
    const auto number = count();
    if (!number || *number >= objects_.size()) return std::nullopt;
    return value_of(objects_[static_cast<std::size_t>(*number)]);
}

/// A string or symbol, and its encoding.
std::optional<RubyMarshalReader::Value> RubyMarshalReader::with_variables() {
    const auto type = byte();
    if (!type) return std::nullopt;
    if (*type != '"' && *type != ':') return value('o');
    const auto of = value(*type);
    const auto variables = of ? count() : std::nullopt;
    if (!variables) return std::nullopt;
    for (std::uint64_t i = 0; i < 2 * *variables; ++i) {
        const auto part = byte();
        constexpr std::string_view types = "TF0\":;@";
        if (!part) return std::nullopt;
        if (types.find(static_cast<char>(*part)) == std::string_view::npos) return value('o');
        if (!value(*part)) return std::nullopt;
    }
    return of;
}

}  // namespace callcost::engine
