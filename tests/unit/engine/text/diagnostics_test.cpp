#include "text/diagnostics.hpp"

#include <gtest/gtest.h>

#include "text/names.hpp"

namespace callcost::engine {
namespace {

const Style plain;

TEST(Diagnostics, are_shown_with_place_line_caret_and_hint) {
    Place place;
    place.line = 12;
    place.column = 4;
    place.excerpt = "12 x3";
    place.excerpt_column = 4;
    std::string out;
    write_diagnostic(out, DiagnosticId::number_overflow, place, "a.out", plain);
    EXPECT_EQ(out,
              "a.out:12:4: error: a number is larger than 64 bits hold [number-overflow]\n"
              "    12 | 12 x3\n"
              "       |    ^\n"
              "  hint: its lowest 64 bits were used\n");
}

TEST(Diagnostics, the_caret_stands_under_its_character_whatever_comes_before) {
    Place place;
    place.line = 1;
    place.column = 8;
    place.excerpt =
        "\t\u6f22\x1b"
        "ab!";
    place.excerpt_column = 8;  // the "!"
    std::string out;
    write_diagnostic(out, DiagnosticId::bad_cost, place, "a.out", plain);
    const auto caret_line = out.substr(0, out.rfind('^'));
    const auto caret = caret_line.size() - caret_line.rfind('\n') - 1;
    const auto first = out.find('\n') + 1;
    const auto line = out.substr(first, out.find('\n', first) - first);
    EXPECT_EQ(display_width(line.substr(0, line.find('!'))), caret) << out;
}

TEST(Diagnostics, long_lines_are_cut_around_the_caret_on_a_terminal) {
    const Style narrow = {.color = false, .unicode = false, .separators = false, .width = 60};
    Place place;
    place.line = 1;
    place.column = 500;
    place.excerpt = std::string(120, 'a') + "!" + std::string(30, 'b');
    place.excerpt_column = 121;
    std::string out;
    write_diagnostic(out, DiagnosticId::bad_cost, place, "a.out", narrow);
    const auto first = out.find('\n') + 1;
    const auto line = out.substr(first, out.find('\n', first) - first);
    EXPECT_LE(line.size(), 60U);
    EXPECT_NE(line.find('!'), std::string::npos);
    const auto caret = out.rfind('^');
    EXPECT_EQ(line.find('!'), caret - out.rfind('\n', caret) - 1) << out;
}

TEST(Diagnostics, unknown_places_are_left_out) {
    EXPECT_EQ(place_text("a", 0, 0), "a");
    EXPECT_EQ(place_text("a", 5, 0), "a:5");
    EXPECT_EQ(place_text("a\n", 5, 6), "a\\n:5:6");
}

TEST(Diagnostics, are_counted_in_words) {
    EXPECT_EQ(severity_counts(0, 0, 0, plain), "");
    EXPECT_EQ(severity_counts(0, 1, 0, plain), "1 warning");
    EXPECT_EQ(severity_counts(0, 3, 2, plain), "3 warnings and 2 notes");
    EXPECT_EQ(severity_counts(1, 3, 2, plain), "1 error, 3 warnings and 2 notes");
}

TEST(Errors, show_the_line_and_a_caret) {
    Error error;
    error.code = ErrorCode::not_a_profile;
    error.line = 3;
    std::string out;
    write_error(out, error, "notes.txt", plain, "  some text");
    EXPECT_TRUE(
        out.starts_with("notes.txt:3:3: error: this is not a profile in the Callgrind or Cachegrind "
                        "format [not-a-profile]\n"
                        "     3 |   some text\n"
                        "       |   ^\n"
                        "  hint: "))
        << out;
}

TEST(Errors, say_why_a_file_may_be_empty) {
    Error error;
    error.code = ErrorCode::empty_file;
    std::string out;
    write_error(out, error, "callgrind.out.1", plain);
    EXPECT_TRUE(out.starts_with("callgrind.out.1: error: the file is empty [empty-file]\n  hint: ")) << out;
    EXPECT_NE(out.find("still be running"), std::string::npos);
    EXPECT_NE(out.find("-01"), std::string::npos);
}

TEST(Errors, details_from_outside_are_made_harmless) {
    Error error;
    error.code = ErrorCode::cannot_open;
    error.detail = "\x1b[2Jgone";
    std::string out;
    write_error(out, error, "\x1b[2Jx", plain);
    EXPECT_EQ(out.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace callcost::engine
