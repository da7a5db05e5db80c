#include "encodings/lz4_block.hpp"

#include <optional>
#include <string>

#include <gtest/gtest.h>

namespace {

using std::string_literals::operator""s;

/// What a block unpacks to where there is room for so many bytes.
std::optional<std::string> unpacked(const std::string& packed, std::size_t room = 1000) {
    std::string to(room, '#');
    const auto size = callcost::engine::unpack_lz4_block(packed, to);
    if (!size) return std::nullopt;
    return to.substr(0, *size);
}

TEST(Lz4Block, literals_are_as_they_are) {
    EXPECT_EQ(unpacked("\x50hello"s), "hello");
    EXPECT_EQ(unpacked("\0"s), "");
    EXPECT_EQ(unpacked(""), "");
    const std::string text(15 + 255 + 7, 'x');
    EXPECT_EQ(unpacked("\xf0\xff\x07"s + text), text);
    EXPECT_EQ(unpacked("\xf0\0"s + std::string(15, 'y')), std::string(15, 'y'));
}

TEST(Lz4Block, a_match_repeats_what_was_before_and_may_go_into_itself) {
    EXPECT_EQ(unpacked("\x40home\x04\0\x10!"s), "homehome!");
    EXPECT_EQ(unpacked("\x33"s + "abc\x03\0\0"s), "abcabcabca");
    EXPECT_EQ(unpacked("\x1f"s + "z\x01\0\xff\x01\0"s), std::string(1 + 4 + 15 + 256, 'z'));
}

TEST(Lz4Block, of_a_block_that_is_cut_there_is_what_comes_before) {
    EXPECT_EQ(unpacked("\x50hel"s), "hel");
    EXPECT_EQ(unpacked("\x40home\x04"s), "home");
    EXPECT_EQ(unpacked("\xf0\xff"s), "");
    EXPECT_EQ(unpacked("\x4fhome\x04\0"s), "home" + std::string("homehomehomehomehome").substr(0, 19));
}

TEST(Lz4Block, damage_is_noticed) {
    EXPECT_EQ(unpacked("\x40home\0\0\0"s), std::nullopt) << "a match at no distance";
    EXPECT_EQ(unpacked("\x40home\x05\0\0"s), std::nullopt) << "before the beginning";
}

TEST(Lz4Block, nothing_is_written_beyond_the_room) {
    EXPECT_EQ(unpacked("\x50hello"s, 5), "hello");
    EXPECT_EQ(unpacked("\x50hello"s, 4), std::nullopt);
    EXPECT_EQ(unpacked("\x40home\x04\0\0"s, 8), "homehome");
    EXPECT_EQ(unpacked("\x40home\x04\0\0"s, 7), std::nullopt);
    EXPECT_EQ(unpacked("\x10z"s, 0), std::nullopt);
}

}  // namespace
