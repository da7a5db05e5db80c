#include "text/names.hpp"

#include <gtest/gtest.h>

namespace callcost::engine {
namespace {

using namespace std::string_literals;

TEST(Names, valid_utf8_stays_as_it_is) {
    EXPECT_EQ(to_utf8("main"), "main");
    EXPECT_EQ(to_utf8("gr\u00fc\u00dfe \U0001f600"), "gr\u00fc\u00dfe \U0001f600");
    EXPECT_EQ(to_utf8(""), "");
}

TEST(Names, other_bytes_are_read_as_latin1_as_a_whole) {
    EXPECT_EQ(to_utf8("gr\xfc\xdf"), "gr\u00fc\u00df");
    // One bad byte, and the good sequence before it is Latin-1 as well: a name has one encoding (F2).
    EXPECT_EQ(to_utf8("\xc3\xbc\xff"), "\u00c3\u00bc\u00ff");
    EXPECT_EQ(to_utf8("cut \xc3"), "cut \u00c3");
}

TEST(Names, overlong_sequences_and_surrogates_are_not_utf8) {
    EXPECT_EQ(to_utf8("\xc0\xaf"), "\u00c0\u00af");
    EXPECT_EQ(to_utf8("\xed\xa0\x80"), "\u00ed\u00a0\u0080");
}

TEST(Names, control_characters_become_visible) {
    EXPECT_EQ(display_name("a\nb\tc\rd"), "a\\nb\\tc\\rd");
    EXPECT_EQ(display_name("\x1b[31mred\x07"), "\\x1b[31mred\\x07");
    EXPECT_EQ(display_name("class@anonymous\0/x.php"s), "class@anonymous\\0/x.php");
    EXPECT_EQ(display_name("\x7f"), "\\x7f");
    EXPECT_EQ(display_name("\u009b31m"), "\\x9b31m") << "the one-character form of ESC [";
    EXPECT_EQ(display_name("\x9b"
                           "31m"),
              "\\x9b31m")
        << "the same as a Latin-1 byte";
}

TEST(Names, direction_marks_and_invisible_characters_become_visible) {
    EXPECT_EQ(display_name("a\u202egnp.exe"), "a\\u202egnp.exe");
    EXPECT_EQ(display_name("a\u2066b\u2028c\ufeff"), "a\\u2066b\\u2028c\\ufeff");
    EXPECT_EQ(display_name("\U000e0041"), "\\U000e0041");
    EXPECT_EQ(display_name("\u0915\u094d\u200d\u0937"), "\u0915\u094d\u200d\u0937")
        << "a joiner is part of the spelling";
}

TEST(Names, backslashes_are_left_alone) { EXPECT_EQ(display_name("D:\\www\\x.php"), "D:\\www\\x.php"); }

TEST(Names, an_endless_name_loses_its_middle_and_says_so) {
    const auto shown = display_name(std::string(1000000, 'N') + "end");
    EXPECT_LT(shown.size(), 17000U);
    EXPECT_NE(shown.find("983619 bytes of the name left out"), std::string::npos) << shown.substr(8100, 200);
    EXPECT_TRUE(shown.ends_with("NNend"));
}

TEST(Names, an_endless_name_is_not_cut_inside_a_character) {
    std::string name;
    for (int i = 0; i < 20000; ++i) name += "\u00e4";
    name.insert(0, 1, 'x');
    EXPECT_EQ(to_utf8(display_name(name)), display_name(name));
}

TEST(Names, tabs_in_source_lines_go_to_the_next_of_every_eight_columns) {
    EXPECT_EQ(display_line("\tx"), "        x");
    EXPECT_EQ(display_line("ab\tx"), "ab      x");
    EXPECT_EQ(display_line("\u00e4b\tx"), "\u00e4b      x");
}

TEST(Names, width_is_in_columns_not_in_bytes) {
    EXPECT_EQ(display_width("abc"), 3U);
    EXPECT_EQ(display_width("\u00e4\u00f6"), 2U);
    EXPECT_EQ(display_width("\u6f22\u5b57"), 4U) << "two wide characters";
    EXPECT_EQ(display_width("e\u0301"), 1U) << "a letter and its accent";
}

TEST(Names, shortening_keeps_both_ends) {
    const Style ascii;
    EXPECT_EQ(shorten("std::vector<int>::push_back", 15, ascii), "std::v...h_back");
    EXPECT_EQ(shorten("short", 15, ascii), "short");
    EXPECT_EQ(shorten("0123456789", 10, ascii), "0123456789");
    EXPECT_EQ(shorten("0123456789", 9, ascii), "012...789");
    EXPECT_EQ(shorten("0123456789", 3, ascii), "...");
    EXPECT_EQ(shorten("0123456789", 1, ascii), ".");
    EXPECT_EQ(shorten("0123456789", 9, {.color = false, .unicode = true, .separators = false, .width = 0}),
              "0123\u20266789");
}

TEST(Names, shortening_never_exceeds_the_width_nor_cuts_a_character) {
    const std::string text = "a\u6f22\u5b57e\u0301\u00e4\u6f22\u5b57b\U0001f600z";
    for (std::size_t width = 0; width < 20; ++width) {
        for (const auto& cut : {shorten(text, width, {}), cut_end(text, width, {})}) {
            EXPECT_LE(display_width(cut), width);
            EXPECT_EQ(to_utf8(cut), cut);
        }
    }
}

TEST(Names, cutting_leaves_out_the_end) {
    EXPECT_EQ(cut_end("int main() {", 8, {}), "int m...");
    EXPECT_EQ(cut_end("int main() {", 12, {}), "int main() {");
    EXPECT_EQ(cut_end("int main() {", 2, {}), "..");
}

}  // namespace
}  // namespace callcost::engine
