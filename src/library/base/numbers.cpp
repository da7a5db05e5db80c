#include "base/numbers.hpp"

#include <algorithm>

namespace callcost {

namespace {

int hex_value(char c) {
    if (is_digit(c)) return c - '0';
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

void push_digit(ParsedNumber& number, unsigned base, unsigned digit) {
    std::uint64_t next = 0;
    if (__builtin_mul_overflow(number.value, std::uint64_t{base}, &next)) number.overflow = true;
    next = number.value * base;
    if (__builtin_add_overflow(next, std::uint64_t{digit}, &number.value)) number.overflow = true;
}

/// `12.5`, `.5`, `1e3`: the digits with the decimal point moved by the exponent, rounded half up.
ParsedNumber parse_fraction(std::string_view token) {
    constexpr std::int64_t far = 1'000'000;  // digits further away than this are as good as infinitely far
    std::size_t at = 0;
    std::int64_t point = -1;  // digits before the decimal point
    std::int64_t digits = 0;
    for (; at < token.size(); ++at) {
        if (is_digit(token[at])) {
            ++digits;
        } else if (token[at] == '.' && point < 0) {
            point = digits;
        } else {
            break;
        }
    }
    ParsedNumber number;
    if (digits == 0) return number;
    if (point < 0) point = digits;
    const std::string_view mantissa = token.substr(0, at);
    if (at < token.size()) {
        if ((token[at] | 0x20) != 'e' || ++at == token.size()) return number;
        const bool minus = token[at] == '-';
        if (token[at] == '-' || token[at] == '+') ++at;
        if (at == token.size()) return number;
        std::int64_t exponent = 0;
        for (; at < token.size(); ++at) {
            if (!is_digit(token[at])) return number;
            exponent = std::min(far, exponent * 10 + (token[at] - '0'));
        }
        point += minus ? -exponent : exponent;
    }
    number.ok = number.fraction = true;
    std::int64_t seen = 0;
    bool nonzero = false;
    for (const char c : mantissa) {
        if (c == '.') continue;
        if (seen == point && c >= '5') push_digit(number, 1, 1);
        if (seen < point) push_digit(number, 10, static_cast<unsigned>(c - '0'));
        nonzero = nonzero || c != '0';
        ++seen;
    }
    for (; seen < point && nonzero && !(number.overflow && number.value == 0); ++seen)
        push_digit(number, 10, 0);
    return number;
}

}  // namespace

ParsedNumber parse_unsigned(std::string_view token) {
    ParsedNumber number;
    if (token.size() > 2 && token[0] == '0' && (token[1] | 0x20) == 'x') {
        for (const char c : token.substr(2)) {
            const int digit = hex_value(c);
            if (digit < 0) return {};
            push_digit(number, 16, static_cast<unsigned>(digit));
        }
        number.ok = true;
        return number;
    }
    for (const char c : token) {
        if (!is_digit(c)) return {};
        push_digit(number, 10, static_cast<unsigned>(c - '0'));
    }
    number.ok = !token.empty();
    return number;
}

ParsedNumber parse_cost(std::string_view token) {
    const bool minus = !token.empty() && token[0] == '-';
    const bool plus = !token.empty() && token[0] == '+';
    if (minus || plus) token.remove_prefix(1);
    ParsedNumber number = parse_unsigned(token);
    if (!number.ok) number = parse_fraction(token);
    if (!number.ok) return {};
    number.negative = minus;
    number.plus = plus;
    if (minus) number.value = 0 - number.value;
    return number;
}

}  // namespace callcost
