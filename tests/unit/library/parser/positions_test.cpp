// F37 to F42: where costs are.
#include <gtest/gtest.h>

#include "unit/library/parser/every_way.hpp"

namespace callcost::test {
namespace {

/// A generic profile with addresses; the lines of text begin in line 5.
std::string with_addresses(std::string_view body) {
    return "positions: instr line\nevents: Ir\nfl=a\nfn=f\n" + std::string(body);
}

// F37
TEST(Positions, are_decimal_or_hexadecimal_numbers_of_64_bits) {
    const std::string text =
        with_addresses("0x10 0x1F 1\n16 0010 1\n18446744073709551615 0XFFFFFFFFFFFFFFFF 1\n0 0 1\n");
    EXPECT_EQ(records_of(text),
              (Lines{"a:31@16 costs 1", "a:10@16 costs 1",
                     "a:18446744073709551615@18446744073709551615 costs 1", "a:0 costs 1"}));
    EXPECT_EQ(diagnostics_of(text), Lines{});
}

// F37
TEST(Positions, that_are_missing_are_0) {
    EXPECT_EQ(records_of(with_addresses("0x10\n")), (Lines{"a:0@16 costs 0"}));
    EXPECT_EQ(diagnostics_of(with_addresses("0x10\n")), (Lines{"short-position at 5:5"}));
}

// F37, F44
TEST(Positions, above_64_bits_overflow) {
    EXPECT_EQ(diagnostics_of(in_function("18446744073709551617 2\n")), (Lines{"number-overflow at 4:1"}));
    EXPECT_EQ(records_of(in_function("18446744073709551617 2\n")), (Lines{"a:1 costs 2"}));
}

// F38
TEST(Positions, may_be_relative) {
    EXPECT_EQ(records_of(with_addresses("0x100 10 1\n+16 +5 1\n-0x10 -3 1\n* * 1\n+0x10 7 1\n0x5 +1 1\n")),
              (Lines{"a:10@256 costs 1", "a:15@272 costs 1", "a:12@256 costs 1", "a:12@256 costs 1",
                     "a:7@272 costs 1", "a:8@5 costs 1"}));
    EXPECT_EQ(records_of(in_function("+5 1\n")), (Lines{"a:5 costs 1"}));
}

// F38
TEST(Positions, addresses_wrap) {
    EXPECT_EQ(records_of(with_addresses("0x10 1 1\n-0x11 * 1\n+2 * 1\n")),
              (Lines{"a:1@16 costs 1", "a:1@18446744073709551615 costs 1", "a:1@1 costs 1"}));
    EXPECT_EQ(diagnostics_of(with_addresses("0x10 1 1\n-0x11 * 1\n+2 * 1\n")), Lines{});
}

// F38
TEST(Positions, lines_do_not_fall_below_0) {
    EXPECT_EQ(records_of(in_function("5 1\n-6 1\n+2 1\n")),
              (Lines{"a:5 costs 1", "a:0 costs 1", "a:2 costs 1"}));
    EXPECT_EQ(diagnostics_of(in_function("5 1\n-6 1\n+2 1\n")), (Lines{"negative-position at 5:1"}));
    EXPECT_EQ(diagnostics_of(in_function("5 1\n-5 1\n")), Lines{});
}

// F38: a difference of more than 63 bits is one, too.
TEST(Positions, far_below_0_are_0) {
    for (const char* text : {"-18446744073709551615", "-9223372036854775808", "-0xffffffffffffffff"}) {
        EXPECT_EQ(records_of(in_function("5 1\n" + std::string(text) + " 1\n")),
                  (Lines{"a:5 costs 1", "a:0 costs 1"}))
            << text;
        EXPECT_EQ(diagnostics_of(in_function("5 1\n" + std::string(text) + " 1\n")),
                  (Lines{"negative-position at 5:1"}))
            << text;
    }
}

// F38, F39: with another relative line, -1 is one less than the line before.
TEST(Positions, minus_one_below_0_is_negative_where_other_lines_are_relative) {
    EXPECT_EQ(records_of(in_function("-1 1\n+1 1\n")), (Lines{"a:0 costs 1", "a:1 costs 1"}));
    EXPECT_EQ(diagnostics_of(in_function("-1 1\n+1 1\n")), (Lines{"negative-position at 4:1"}));
    EXPECT_EQ(records_of(in_function("9 1\n-1 1\n+1 1\n")),
              (Lines{"a:9 costs 1", "a:8 costs 1", "a:9 costs 1"}));
    EXPECT_EQ(diagnostics_of(in_function("9 1\n-1 1\n+1 1\n")), Lines{});
}

// F39
TEST(Positions, minus_one_means_no_line_where_no_other_line_is_relative) {
    const std::string text = in_function("7 1\n-1 2\n9 3\ncfn=g\ncalls=1 5\n-1 4\n");
    EXPECT_EQ(records_of(text),
              (Lines{"a:7 costs 1", "a:0 costs 2", "a:9 costs 3", "a:0 calls a:g x1 at 5, costs 4"}));
    EXPECT_EQ(diagnostics_of(text), (Lines{"minus-one-line x2 at 5:1"}));
}

// F39
TEST(Positions, minus_one_is_relative_for_callgrind_and_callcost) {
    EXPECT_EQ(records_of("creator: callcost-1\n" + in_function("7 1\n-1 2\n")),
              (Lines{"a:7 costs 1", "a:6 costs 2"}));
    EXPECT_EQ(records_of(by_callgrind("fl=a\nfn=f\n7 1\n-1 2\n")), (Lines{"a:7 costs 1", "a:6 costs 2"}));
}

// F39
TEST(Positions, minus_one_as_the_target_of_a_call_is_no_line_either) {
    const std::string text = in_function("7 1\n-1 2\ncfn=g\ncalls=1 -1\n9 4\n");
    EXPECT_EQ(records_of(text).back(), "a:9 calls a:g x1 at 0, costs 4");
    EXPECT_EQ(records_of(text)[1], "a:0 costs 2");
}

// F39: addresses are not lines.
TEST(Positions, relative_addresses_do_not_change_what_minus_one_means) {
    EXPECT_EQ(records_of(with_addresses("0x10 7 1\n+1 -1 2\n-1 8 3\n")),
              (Lines{"a:7@16 costs 1", "a:0@17 costs 2", "a:8@16 costs 3"}));
}

// F40
TEST(Positions, count_from_the_last_plain_line_in_callgrind_files) {
    const std::string body = "fl=a\nfn=f\n12 1\n+3 2\ncfn=g\ncalls=1 +9\n+1 125\n+1 2\n";
    EXPECT_EQ(records_of(by_callgrind(body)),
              (Lines{"a:12 costs 1", "a:15 costs 2", "a:16 calls a:g x1 at 24, costs 125", "a:16 costs 2"}));
}

// F40
TEST(Positions, count_from_the_last_line_of_any_kind_elsewhere) {
    EXPECT_EQ(records_of(in_function("12 1\n+3 2\ncfn=g\ncalls=1 +9\n+1 125\n+1 2\njump=1 +4\n+5\n+1 1\n")),
              (Lines{"a:12 costs 1", "a:15 costs 2", "a:16 calls a:g x1 at 24, costs 125", "a:17 costs 2",
                     "a:22 jump 1/1 to a:21 in a:f", "a:23 costs 1"}));
}

// F40
TEST(Positions, of_jumps_do_not_move_the_base_in_callgrind_files) {
    EXPECT_EQ(records_of(by_callgrind("fl=a\nfn=f\n12 1\njump=1 +4\n+5\n+1 1\n")),
              (Lines{"a:12 costs 1", "a:17 jump 1/1 to a:16 in a:f", "a:13 costs 1"}));
}

// F41
TEST(Positions, go_on_over_names) {
    EXPECT_EQ(records_of(with_addresses("0x10 5 1\nfl=b\nfn=g\n+16 +1 2\nfi=c\n+16 +1 3\n")),
              (Lines{"a:5@16 costs 1", "b:6@32 costs 2", "c:7@48 costs 3"}));
}

// F42
TEST(Positions, of_ranges_the_first_number_counts) {
    const std::string text = in_function("5-9 1\n6:9 2\n7+2 3\n0x10-0x12 4\n+1 5\n");
    EXPECT_EQ(records_of(text),
              (Lines{"a:5 costs 1", "a:6 costs 2", "a:7 costs 3", "a:16 costs 4", "a:17 costs 5"}));
    EXPECT_EQ(diagnostics_of(text), (Lines{"position-range x4 at 4:1"}));
}

}  // namespace
}  // namespace callcost::test
