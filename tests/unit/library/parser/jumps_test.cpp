// F62 to F65 and F80: jumps, and lines of hidden options.
#include <gtest/gtest.h>

#include "unit/library/parser/every_way.hpp"

namespace callcost::test {
namespace {

// F62
TEST(Jumps, have_counts_and_a_target) {
    const std::string text = in_function("1 2\njump=5 9\n3\njcnd=2/6 10\n4\njcnd=6 2 11\n5\n");
    EXPECT_EQ(records_of(text), (Lines{"a:1 costs 2", "a:3 jump 5/5 to a:9 in a:f",
                                       "a:4 jcnd 2/6 to a:10 in a:f", "a:5 jcnd 2/6 to a:11 in a:f"}));
    EXPECT_EQ(diagnostics_of(text), Lines{});
}

// F62
TEST(Jumps, executed_less_often_than_followed_are_swapped) {
    EXPECT_EQ(records_of(in_function("jcnd=2 6 11\n5\n")), (Lines{"a:5 jcnd 2/6 to a:11 in a:f"}));
    EXPECT_EQ(diagnostics_of(in_function("jcnd=2 6 11\n5\n")), (Lines{"jcnd-order at 4:6"}));
    EXPECT_EQ(records_of(in_function("jcnd=6/2 11\n5\n")), (Lines{"a:5 jcnd 6/2 to a:11 in a:f"}));
    EXPECT_EQ(diagnostics_of(in_function("jcnd=6/2 11\n5\n")), Lines{});
}

// F62
TEST(Jumps, may_lack_their_target) {
    EXPECT_EQ(records_of(in_function("jump=5\n3\n")), (Lines{"a:3 jump 5/5 to a:nowhere in a:f"}));
    EXPECT_EQ(diagnostics_of(in_function("jump=5\n3\n")), (Lines{"jump-target-short at 4"}));
}

// F62: targets are relative to the base as those of calls.
TEST(Jumps, targets_may_be_relative) {
    EXPECT_EQ(records_of("positions: instr line\nevents: Ir\nfl=a\nfn=f\n0x10 5 1\njump=3 +4 -2\n* * \n"),
              (Lines{"a:5@16 costs 1", "a:5@16 jump 3/3 to a:3@20 in a:f"}));
}

// F63
TEST(Jumps, begin_at_a_line_without_costs) {
    const std::string text = in_function("7 1\njump=1 9\n*\njump=2 9\n* \n8 2\n");
    EXPECT_EQ(records_of(text), (Lines{"a:7 costs 1", "a:7 jump 1/1 to a:9 in a:f",
                                       "a:7 jump 2/2 to a:9 in a:f", "a:8 costs 2"}));
    EXPECT_EQ(diagnostics_of(text), Lines{});
}

// F63
TEST(Jumps, without_source_are_kept) {
    const std::string costs = in_function("jump=1 9\n3 4\n");
    EXPECT_EQ(records_of(costs), (Lines{"a:nowhere jump 1/1 to a:9 in a:f", "a:3 costs 4"}));
    EXPECT_EQ(diagnostics_of(costs), (Lines{"jump-without-source at 5"}));
    EXPECT_EQ(diagnostics_of(in_function("jump=1 9\njump=1 8\n3\n")), (Lines{"jump-without-source at 5"}));
    EXPECT_EQ(diagnostics_of(in_function("jump=1 9\nfn=g\n3 1\n")), (Lines{"jump-without-source at 5"}));
    const std::string part = in_function("jump=1 9\npart: 2\nevents: Ir\npositions: line\nfn=g\n3 1\n");
    EXPECT_EQ(diagnostic_ids_of(part), (Lines{"jump-without-source"}));
    EXPECT_EQ(diagnostics_of(in_function("1 1\njump=1 9\n")),
              (Lines{"truncated-file at 5", "jump-without-source at 5"}));
}

// F64
TEST(Jumps, to_other_functions_name_them) {
    const std::string text = in_function("1 1\njfi=b\njfn=g\njump=1 9\n2\njump=1 4\n3\nfl=b\nfn=g\n9 1\n");
    EXPECT_EQ(records_of(text), (Lines{"a:1 costs 1", "a:2 jump 1/1 to b:9 in b:g",
                                       "a:3 jump 1/1 to a:4 in a:f", "b:9 costs 1"}));
    EXPECT_EQ(diagnostics_of(text), Lines{});
}

// F64: in the file of the line, or of the last plain line in Callgrind's files
TEST(Jumps, without_jfi_stay_in_the_file) {
    const std::string body = "fl=a\nfn=f\n1 1\nfi=b\njump=1 9\n2\n";
    EXPECT_EQ(records_of(by_others(body)).back(), "b:2 jump 1/1 to b:9 in a:f");
    EXPECT_EQ(records_of(by_callgrind(body)).back(), "b:2 jump 1/1 to a:9 in a:f");
}

// F64: jfi= is where the target is located; the function may be of another file.
TEST(Jumps, find_their_function_by_its_name_if_only_one_has_it) {
    const std::string text = by_callgrind(
        "fl=h\nfn=x\n1 1\nfl=a\nfn=(1) f\n1 1\njfi=h\njfn=(1)\njump=1 9\n2\n"
        "fl=b\nfn=g\n1 1\njfi=h\njfn=(1)\njump=1 9\n3\n");
    const Lines records = records_of(text);
    ASSERT_EQ(records.size(), 5U);
    EXPECT_EQ(records[2], "a:2 jump 1/1 to h:9 in a:f");
    EXPECT_EQ(records[4], "b:3 jump 1/1 to h:9 in a:f");
}

// F64
TEST(Jumps, to_a_function_that_nothing_tells_of_have_none) {
    const std::string text = in_function("1 1\njfi=b\njfn=g\njump=1 9\n2\n");
    EXPECT_EQ(records_of(text).back(), "a:2 jump 1/1 to b:9 in no function");
}

// F65
TEST(HiddenOptions, their_lines_are_skipped) {
    const std::string text = in_function("bb=0x10 3\nln=5\nmp=(1) x\n1 2\n");
    EXPECT_EQ(functions_of(text), (Lines{"a:f 2"}));
    EXPECT_EQ(diagnostics_of(text), (Lines{"hidden-option-line x3 at 4"}));
}

// F65
TEST(HiddenOptions, rec_and_frfn_restart_base_and_file) {
    for (const char* line : {"rec=2", "frfn=(7) caller", "frfn=(spontaneous)"}) {
        const std::string text = in_function("9 1\nfi=b\n10 1\n" + std::string(line) + "\n+3 1\n");
        EXPECT_EQ(records_of(text), (Lines{"a:9 costs 1", "b:10 costs 1", "a:3 costs 1"})) << line;
        EXPECT_EQ(diagnostics_of(text), (Lines{"hidden-option-line at 7"})) << line;
    }
    for (const char* line : {"rec=2", "frfn=(7) caller"}) {
        const std::string text =
            by_callgrind("fl=a\nfn=f\n9 1\nfi=b\n10 1\n" + std::string(line) + "\n+3 1\n");
        EXPECT_EQ(records_of(text).back(), "a:3 costs 1") << line;
    }
    EXPECT_EQ(functions_of(in_function("frfn=(7) caller\n1 2\nfn=(7)\n3 4\n")),
              (Lines{"a:f 2", "a:caller 4"}));
}

// F80
TEST(Jumps, are_no_cost) {
    const Profile profile = read_every_way(in_function("1 2\njfn=g\njump=5 9\n3\njcnd=2/6 10\n4\n"));
    EXPECT_EQ(profile.total(EventId(0U)), 2);
    EXPECT_EQ(profile.arc_count(), 0U);
    EXPECT_EQ(profile.parts()[0].jumps, 2U);
    EXPECT_EQ(profile.parts()[0].cost_lines, 1U);
    EXPECT_EQ(functions_of(profile), (Lines{"a:f 2"}));
}

}  // namespace
}  // namespace callcost::test
