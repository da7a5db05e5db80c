#include "encodings/message_pack.hpp"

#include <string>

#include <gtest/gtest.h>

namespace {

using callcost::engine::MessagePackReader;
using callcost::engine::PackedKind;
using std::string_literals::operator""s;

/// The values one after the other: `7`, `"text"`, `[2]`, `{1}`, `?`; `!` where they break off.
std::string values(const std::string& bytes) {
    MessagePackReader reader(bytes);
    std::string text;
    while (!reader.is_at_end()) {
        const auto value = reader.next();
        if (!value) return text + "!";
        switch (value->kind) {
            case PackedKind::integer:
                text += std::to_string(static_cast<std::int64_t>(value->number)) + " ";
                break;
            case PackedKind::text:
                text += '"' + std::string(value->text) + "\" ";
                break;
            case PackedKind::array:
                text += '[' + std::to_string(value->number) + "] ";
                break;
            case PackedKind::map:
                text += '{' + std::to_string(value->number) + "} ";
                break;
            case PackedKind::other:
                text += "? ";
        }
    }
    return text;
}

TEST(MessagePack, integers_are_of_any_size) {
    EXPECT_EQ(values("\0\x7f"s), "0 127 ");
    EXPECT_EQ(values("\xff\xe0"s), "-1 -32 ");
    EXPECT_EQ(values("\xcc\xff\xcd\x01\x02\xce\x01\x02\x03\x04"s), "255 258 16909060 ");
    EXPECT_EQ(values("\xcf\x7f\xff\xff\xff\xff\xff\xff\xff"s), "9223372036854775807 ");
    EXPECT_EQ(values("\xd0\x80\xd1\xff\xfe\xd2\xff\xff\xff\xfd"s), "-128 -2 -3 ");
    EXPECT_EQ(values("\xd3\x80\0\0\0\0\0\0\0"s), "-9223372036854775808 ");
}

TEST(MessagePack, text_arrays_and_maps_are_of_any_size) {
    EXPECT_EQ(values("\xa0\xa2hi\xd9\x02ho\xda\0\x01x\xdb\0\0\0\x01y"s), "\"\" \"hi\" \"ho\" \"x\" \"y\" ");
    EXPECT_EQ(values("\x92\xdc\x01\0\xdd\xff\xff\xff\xff"s), "[2] [256] [4294967295] ");
    EXPECT_EQ(values("\x81\xde\x01\0\xdf\0\0\0\x02"s), "{1} {256} {2} ");
}

TEST(MessagePack, other_values_are_passed) {
    EXPECT_EQ(values("\xc0\xc2\xc3"s), "? ? ? ");
    EXPECT_EQ(values("\xca"s + "1234\xcb"s + "12345678\x01"s), "? ? 1 ");
    EXPECT_EQ(values("\xc4\x01-\xc5\0\x01-\xc6\0\0\0\x01-\x02"s), "? ? ? 2 ");
    EXPECT_EQ(values("\xc7\x01t-\xc8\0\x01t-\xc9\0\0\0\x01t-\x03"s), "? ? ? 3 ");
    EXPECT_EQ(values("\xd4t1\xd5t12\xd6t1234\xd7t12345678\xd8t1234567812345678\x04"s), "? ? ? ? ? 4 ");
}

TEST(MessagePack, what_is_cut_or_no_value_ends_it) {
    EXPECT_EQ(values("\x01\xc1\x02"s), "1 !");
    for (const std::string& cut : {"\xcd\x01"s, "\xa3hi"s, "\xdb\xff\xff\xff\xff"s, "\xdc\0"s,
                                   "\xc9\xff\xff\xff\xff"s, "\xd8"s, "\xcb"s})
        EXPECT_EQ(values(cut), "!");
}

TEST(MessagePack, values_are_left_out_with_all_that_is_in_them) {
    const std::string bytes = "\x92\x91\x81\xa1k\x01\xa1x\x07"s;
    MessagePackReader reader(bytes);
    EXPECT_TRUE(reader.skip(1));
    EXPECT_EQ(reader.next()->number, 7U);
    EXPECT_TRUE(reader.skip(0));
    EXPECT_FALSE(reader.skip(1));
    const std::string deep(1'000'000, '\x91');
    EXPECT_FALSE(MessagePackReader(deep).skip(1));
    const std::string giant = "\xdf\xff\xff\xff\xff\xdd\xff\xff\xff\xff"s;
    EXPECT_FALSE(MessagePackReader(giant).skip(UINT32_MAX));
}

}  // namespace
