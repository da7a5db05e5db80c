// F43 to F45: the numbers after the positions.
#include <gtest/gtest.h>

#include "unit/library/parser/every_way.hpp"

namespace callcost::test {
namespace {

/// The self cost of one line with this cost.
std::string cost_of(const std::string& token) {
    const std::string line = records_of(in_function("1 " + token + '\n')).at(0);
    return line.substr(line.rfind(' ') + 1);
}
Lines complaints_of(const std::string& token) { return diagnostics_of(in_function("1 " + token + '\n')); }

// F43
TEST(CostLines, may_leave_costs_out) {
    const std::string text = "events: Ir Dr Dw\nfl=a\nfn=f\n1 2 3 4\n2 5\n121\n";
    EXPECT_EQ(records_of(text), (Lines{"a:1 costs 2 3 4", "a:2 costs 5", "a:121 costs 0"}));
    EXPECT_EQ(functions_of(text), (Lines{"a:f 7 3 4"}));
    EXPECT_EQ(diagnostics_of(text), Lines{});
}

// F43
TEST(CostLines, surplus_costs_are_ignored) {
    const std::string text = "events: Ir Dr\nfl=a\nfn=f\n1 2 3 4 5\n2 6 7\n";
    EXPECT_EQ(functions_of(text), (Lines{"a:f 8 10"}));
    EXPECT_EQ(diagnostics_of(text), (Lines{"surplus-costs at 4:7"}));
    EXPECT_EQ(diagnostics_of(in_function("1 2 3\n")), (Lines{"surplus-costs at 4:5"}));
}

// F44
TEST(CostNumbers, are_decimal_or_hexadecimal) {
    EXPECT_EQ(cost_of("0x1f"), "31");
    EXPECT_EQ(cost_of("0XFF"), "255");
    EXPECT_EQ(cost_of("0010"), "10");
    EXPECT_EQ(cost_of("9223372036854775807"), "9223372036854775807");
    EXPECT_EQ(complaints_of("0x1f"), Lines{});
}

// F44
TEST(CostNumbers, are_taken_modulo_2_to_the_64) {
    EXPECT_EQ(cost_of("18446744073709551032"), "-584");
    EXPECT_EQ(cost_of("-584"), "-584");
    EXPECT_EQ(complaints_of("18446744073709551032"), (Lines{"negative-cost at 4:3"}));
    EXPECT_EQ(complaints_of("-584"), (Lines{"negative-cost at 4:3"}));
    EXPECT_EQ(cost_of("18446744073709551617"), "1");
    EXPECT_EQ(complaints_of("18446744073709551617"), (Lines{"number-overflow at 4:3"}));
    EXPECT_EQ(complaints_of("-0"), Lines{});
}

// F44
TEST(CostNumbers, with_a_plus_sign_are_read_without_it) {
    EXPECT_EQ(cost_of("+5"), "5");
    EXPECT_EQ(complaints_of("+5"), (Lines{"signed-cost at 4:3"}));
}

// F44
TEST(CostNumbers, with_decimals_are_rounded_to_nearest) {
    EXPECT_EQ(cost_of("2.4"), "2");
    EXPECT_EQ(cost_of("2.6"), "3");
    EXPECT_EQ(cost_of("1.5e3"), "1500");
    EXPECT_EQ(cost_of("12."), "12");
    EXPECT_EQ(complaints_of("2.6"), (Lines{"fractional-cost at 4:3"}));
}

// F44
TEST(CostNumbers, that_are_none_count_0) {
    for (const char* token : {"*", "abc", "1x", "0x", "-", "+", "1e", "--1", "."}) {
        EXPECT_EQ(cost_of(token), "0") << token;
        EXPECT_EQ(complaints_of(token), (Lines{"bad-cost at 4:3"})) << token;
    }
}

// F44
TEST(CostNumbers, of_calls_are_read_alike) {
    const std::string text = in_function("cfn=g\ncalls=1 5\n3 -7\ncfn=g\ncalls=1 5\n3 0x10\n");
    EXPECT_EQ(arcs_of(text), (Lines{"a:f > a:g x2: 9"}));
    EXPECT_EQ(diagnostics_of(text), (Lines{"negative-cost at 6:3"}));
}

// F45
TEST(CostLines, of_zeros_make_the_function_known) {
    const std::string text = in_function("0 0\n");
    EXPECT_EQ(functions_of(text), (Lines{"a:f 0"}));
    EXPECT_EQ(diagnostics_of(text), Lines{});
    EXPECT_EQ(read(text).parts()[0].cost_lines, 1U);
}

}  // namespace
}  // namespace callcost::test
