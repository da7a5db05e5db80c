// https://github.com/python/cpython/blob/main/Python/marshal.c: a byte for the type, and what belongs to it.
// Numbers are little-endian.
#include "encodings/marshal.hpp"

#include <array>
#include <bit>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>

namespace callcost::engine {
namespace {

constexpr unsigned can_be_referred_to = 0x80;  // a bit of the type
/// Of values in values: more than Python itself reads.
constexpr std::size_t max_nesting = 2000;

MarshalValue number(double value) { return {.kind = MarshalKind::number, .number = value}; }

}  // namespace

std::optional<std::uint64_t> MarshalReader::little_endian(std::size_t size) {
    is_cut_ = bytes_.size() - at_ < size;
    if (is_cut_) return std::nullopt;
    std::uint64_t number = 0;
    for (std::size_t i = size; i-- > 0;) number = number << 8U | static_cast<std::uint8_t>(bytes_[at_ + i]);
    at_ += size;
    return number;
}

std::optional<MarshalValue> MarshalReader::some_bytes(MarshalKind kind, std::uint64_t size) {
    is_cut_ = bytes_.size() - at_ < size;
    if (is_cut_) return std::nullopt;
    const MarshalValue value{.kind = kind, .text = bytes_.substr(at_, static_cast<std::size_t>(size))};
    at_ += static_cast<std::size_t>(size);
    return value;
}

std::optional<MarshalValue> MarshalReader::text(std::size_t size_of_length) {
    const auto size = little_endian(size_of_length);
    return size ? some_bytes(MarshalKind::text, *size) : std::nullopt;
}

std::optional<MarshalValue> MarshalReader::integer(std::size_t size) {
    const auto bits = little_endian(size);
    if (!bits) return std::nullopt;
    if (size == 4) return number(static_cast<std::int32_t>(*bits));
    return number(static_cast<double>(static_cast<std::int64_t>(*bits)));
}

/// Digits of 15 bits, the lowest first; the sign is that of their number.
std::optional<MarshalValue> MarshalReader::long_integer() {
    const auto bits = little_endian(4);
    if (!bits) return std::nullopt;
    const std::int64_t digits = static_cast<std::int32_t>(*bits);
    const auto count = static_cast<std::size_t>(digits < 0 ? -digits : digits);
    const auto all = some_bytes(MarshalKind::number, 2 * count);
    if (!all) return std::nullopt;
    constexpr std::size_t most = 68;  // beyond the range of double
    if (count > most) return number(std::numeric_limits<double>::infinity());
    double sum = 0;
    for (std::size_t i = count; i-- > 0;)
        sum = sum * 32768 + (static_cast<std::uint8_t>(all->text[2 * i]) |
                             static_cast<unsigned>(static_cast<std::uint8_t>(all->text[2 * i + 1])) << 8U);
    return number(digits < 0 ? -sum : sum);
}

std::optional<MarshalValue> MarshalReader::binary_float() {
    const auto bits = little_endian(8);
    return bits ? std::optional(number(std::bit_cast<double>(*bits))) : std::nullopt;
}

std::optional<MarshalValue> MarshalReader::text_float() {
    const auto digits = text(1);
    if (!digits) return std::nullopt;
    const std::string copy(digits->text);
    char* end = nullptr;
    const double value = std::strtod(copy.c_str(), &end);
    return !copy.empty() && end == copy.c_str() + copy.size() ? std::optional(number(value)) : std::nullopt;
}

/// The value again, but not what is in it.
std::optional<MarshalValue> MarshalReader::reference(std::uint32_t object) {
    const std::size_t back = std::exchange(at_, objects_[object] + 1);
    auto found = value(static_cast<char>(static_cast<unsigned char>(bytes_[objects_[object]]) & 0x7fU));
    at_ = back;
    if (!found) return std::nullopt;
    found->object = object;
    found->is_reference = true;
    return found;
}

std::optional<MarshalValue> MarshalReader::value(char type) {
    const auto container = [&](std::size_t size_of_count) -> std::optional<MarshalValue> {
        const auto count = little_endian(size_of_count);
        if (!count) return std::nullopt;
        return MarshalValue{.kind = MarshalKind::tuple, .count = *count};
    };
    const auto other = [](const std::optional<MarshalValue>& content) -> std::optional<MarshalValue> {
        return content ? std::optional(MarshalValue()) : std::nullopt;
    };
    switch (type) {
        case '0':
            return MarshalValue{.kind = MarshalKind::end};
        case 'N':
        case 'F':
        case 'T':
        case 'S':
        case '.':
            return MarshalValue{.kind = MarshalKind::none};
        case 'i':
            return integer(4);
        case 'I':
            return integer(8);
        case 'l':
            return long_integer();
        case 'f':
            return text_float();
        case 'g':
            return binary_float();
        case 'x':
            return text_float() ? other(text_float()) : std::nullopt;
        case 'y':
            return other(some_bytes(MarshalKind::other, 16));
        case 's':
        case 't':
        case 'u':
        case 'a':
        case 'A':
            return text(4);
        case 'z':
        case 'Z':
            return text(1);
        case ')':
            return container(1);
        case '(':
        case '[':
        case '<':
        case '>':
            return container(4);
        case ':':
            return MarshalValue{.kind = MarshalKind::tuple, .count = 3};  // a slice
        case '{':
            return MarshalValue{.kind = MarshalKind::dict};
        case 'c':
            return MarshalValue{.kind = MarshalKind::code};
        default:
            return std::nullopt;
    }
}

std::optional<MarshalValue> MarshalReader::next() {
    const std::size_t begin = at_;
    const auto byte = little_endian(1);
    if (!byte) return std::nullopt;
    const char type = static_cast<char>(*byte & 0x7fU);
    if (type == 'r' || type == 'R') {
        const auto number = little_endian(4);
        const auto& known = type == 'r' ? numbered_ : interned_;
        return number && *number < known.size() ? reference(known[static_cast<std::size_t>(*number)])
                                                : std::nullopt;
    }
    const bool is_numbered = (*byte & can_be_referred_to) != 0;
    const auto object = static_cast<std::uint32_t>(objects_.size());
    if (is_numbered) numbered_.push_back(object);
    if (type == 't') interned_.push_back(object);
    const bool is_object = is_numbered || type == 't';
    if (is_object) objects_.push_back(begin);
    auto found = value(type);
    if (found && is_object) found->object = object;
    return found;
}

/// What is in a value: what the values in it still miss, without recursion.
class MarshalReader::Skipping {
  public:
    explicit Skipping(MarshalReader& reader) : reader_(reader) {}

    /// Behind 'c'. False if the bytes are no code.
    bool code() {
        if (!begin_code()) return false;
        while (!open_.empty())
            if (!step()) return false;
        return true;
    }
    [[nodiscard]] std::string_view name() const { return name_; }

  private:
    struct Open {
        enum class Kind : std::uint8_t { values, dict, code } kind{};
        std::uint64_t left = 0;  // values
        std::uint32_t read = 0;  // of code
        bool is_new = false;     // code of Python 3.11 and later
    };

    /// Four to six numbers, then the instructions as bytes: how many depends on the version of Python.
    bool begin_code() {
        constexpr std::array<std::size_t, 3> sizes{16, 20, 24};
        for (const std::size_t size : sizes) {
            const std::size_t at = reader_.at_ + size;
            if (reader_.bytes_.size() < at + 5) return false;
            if ((static_cast<unsigned char>(reader_.bytes_[at]) & 0x7fU) != 's') continue;
            MarshalReader there(reader_.bytes_);
            there.at_ = at;
            if (!there.next() || there.at_ == reader_.bytes_.size()) continue;
            const auto after = static_cast<unsigned char>(reader_.bytes_[there.at_]) & 0x7fU;
            if (after != '(' && after != ')' && after != 'r') continue;  // the constants
            reader_.at_ = at;
            open_.push_back({.kind = Open::Kind::code, .left = 9});
            return open_.size() <= max_nesting;
        }
        return false;
    }

    bool step() {
        Open& top = open_.back();
        if (top.left == 0 && top.kind != Open::Kind::dict) {
            open_.pop_back();
            return true;
        }
        const auto value = reader_.next();
        if (!value) return false;
        if (value->kind == MarshalKind::end) {
            if (top.kind != Open::Kind::dict) return false;
            open_.pop_back();
            return true;
        }
        --top.left;
        if (top.kind == Open::Kind::code && !is_of_code(top, *value)) return false;
        return value->is_reference || open(*value);
    }

    /// Objects of code: instructions, constants, names, names of variables; then their kinds, file, name and
    /// qualified name, or two tuples, file and name; the first line, a number; a table of lines, and one of
    /// exceptions.
    bool is_of_code(Open& code, const MarshalValue& value) {
        const std::uint32_t place = code.read++;
        if (place == 4 && value.kind == MarshalKind::text) {
            code.is_new = true;
            ++code.left;
        }
        const std::uint32_t place_of_name = code.is_new ? 6 : 7;
        if (place == place_of_name && open_.size() == 1 && value.kind == MarshalKind::text)
            name_ = value.text;
        return place != 7 || reader_.little_endian(4).has_value();
    }

    bool open(const MarshalValue& value) {
        if (value.kind == MarshalKind::code) return begin_code();
        if (value.kind == MarshalKind::tuple)
            open_.push_back({.kind = Open::Kind::values, .left = value.count});
        if (value.kind == MarshalKind::dict) open_.push_back({.kind = Open::Kind::dict});
        return open_.size() <= max_nesting;
    }

    MarshalReader& reader_;
    std::vector<Open> open_;
    std::string_view name_;
};

std::optional<std::string_view> MarshalReader::code_name() {
    Skipping skipping(*this);
    return skipping.code() ? std::optional(skipping.name()) : std::nullopt;
}

}  // namespace callcost::engine
