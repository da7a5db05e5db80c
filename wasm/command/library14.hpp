/// Included before everything else: what C++20 and our code want of the standard library, and that of
/// emscripten 3.1.6, which is LLVM's of version 13, does not have.
#pragma once

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <system_error>
#include <type_traits>

// NOLINTBEGIN(cert-dcl58-cpp): they are the standard's own names
namespace std {

template <class To, class From>
constexpr To bit_cast(const From& from) {
    return __builtin_bit_cast(To, from);
}

template <class Array>
unique_ptr<Array> make_unique_for_overwrite(size_t size) {
    return unique_ptr<Array>(new remove_extent_t<Array>[size]);
}

/// Of digits with a point and, unless fixed, an exponent: neither "inf" nor "nan", which are errors for all
/// callers.
inline from_chars_result from_chars(const char* first, const char* last, double& value,
                                    chars_format format = chars_format::general) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const char* end = first;
    const auto skip_digits = [&] {
        const char* const begin = end;
        while (end != last && is_digit(*end)) ++end;
        return end - begin;
    };
    if (end != last && *end == '-') ++end;
    auto digits = skip_digits();
    if (end != last && *end == '.') {
        ++end;
        digits += skip_digits();
    }
    if (digits == 0) return {first, errc::invalid_argument};
    if (format == chars_format::general && end != last && (*end == 'e' || *end == 'E')) {
        const char* const before = end++;
        if (end != last && (*end == '-' || *end == '+')) ++end;
        if (skip_digits() == 0) end = before;
    }
    const double read = strtod(string(first, end).c_str(), nullptr);
    if (read == __builtin_huge_val() || read == -__builtin_huge_val())
        return {end, errc::result_out_of_range};
    value = read;
    return {end, errc()};
}

}  // namespace std
// NOLINTEND(cert-dcl58-cpp)
