#include "base/words.hpp"

#include <string>

#include <gtest/gtest.h>

namespace callcost::test {
namespace {

TEST(Words, find_where_a_number_ends_and_read_it) {
    for (const std::string digits : {"0", "7", "42", "007", "1234", "99999", "123456", "9999999"}) {
        for (const char end : {' ', '\n', '/', ':', '\0', '\x80', '\xff', 'a'}) {
            const std::string text = digits + end + std::string(8, '5');
            const std::uint64_t word = word_at(text.data());
            const std::uint64_t others = no_digits(word);
            ASSERT_NE(others, 0U);
            EXPECT_EQ(first_byte(others), digits.size()) << digits;
            EXPECT_EQ(decimal_value(word, first_byte(others)), std::stoull(digits)) << digits;
        }
    }
    EXPECT_EQ(no_digits(word_at("12345678")), 0U);
    EXPECT_EQ(decimal_value(word_at("12345678"), 8), 12'345'678U);
}

TEST(Words, find_the_first_of_equal_bytes) {
    EXPECT_EQ(bytes_equal(word_at("abcdefgh"), '\n'), 0U);
    EXPECT_EQ(first_byte(bytes_equal(word_at("abc\ne\ngh"), '\n')), 3U);
    EXPECT_EQ(first_byte(bytes_equal(word_at("\x8a\x0b\x09\n5678"), '\n')), 3U);
    EXPECT_EQ(first_byte(bytes_equal(word_at("1234567\n"), '\n')), 7U);
}

}  // namespace
}  // namespace callcost::test
