// F46 to F52: what function and file a cost line belongs to.
#include <gtest/gtest.h>

#include "unit/library/parser/every_way.hpp"

namespace callcost::test {
namespace {

// F46
TEST(CostLines, are_jump_sources_or_calls_before_they_are_plain) {
    const std::string text = in_function("cfn=g\ncalls=1 5\njump=1 9\n3\n4 7\n5 6\n");
    EXPECT_EQ(arcs_of(text), (Lines{"a:f > a:g x1: 7"}));
    EXPECT_EQ(functions_of(text), (Lines{"a:f 6", "a:g called only"}));
    EXPECT_EQ(records_of(text)[0], "a:3 jump 1/1 to a:9 in a:f");
}

// F46, F63: calls= is not among what ends a pending jump.
TEST(CostLines, are_jump_sources_first_although_the_call_began_later) {
    const std::string text = in_function("cfn=g\njump=1 9\ncalls=1 5\n3\n4 7\n5 6\n");
    EXPECT_EQ(records_of(text),
              (Lines{"a:3 jump 1/1 to a:9 in a:f", "a:4 calls a:g x1 at 5, costs 7", "a:5 costs 6"}));
    EXPECT_EQ(arcs_of(text), (Lines{"a:f > a:g x1: 7"}));
    EXPECT_EQ(functions_of(text), (Lines{"a:f 6", "a:g called only"}));
}

// F47
TEST(Functions, may_have_many_blocks) {
    const std::string text = by_others("fl=a\nfn=f\n1 2\nfn=g\n3 4\nfn=f\n5 6\n");
    EXPECT_EQ(functions_of(text), (Lines{"a:f 8", "a:g 4"}));
    EXPECT_EQ(records_of(text), (Lines{"a:1 costs 2", "a:5 costs 6", "a:3 costs 4"}));
}

// F47
TEST(Functions, set_the_file_back) {
    EXPECT_EQ(records_of(in_function("1 2\nfi=b\n3 4\nfn=g\n5 6\n")),
              (Lines{"a:1 costs 2", "b:3 costs 4", "a:5 costs 6"}));
}

// F47
TEST(Functions, drop_what_is_pending) {
    const std::string call = in_function("cob=o\ncfi=b\ncfn=g\nfn=h\n1 2\ncfn=i\ncalls=1 1\n3 4\n");
    EXPECT_EQ(functions_of(call), (Lines{"a:h 2", "a:i called only"}));
    EXPECT_EQ(diagnostics_of(call), (Lines{"function-without-records at 7", "dangling-cfn at 7"}));
    const std::string jump = in_function("1 2\njump=1 9\nfn=h\n3\n");
    EXPECT_EQ(records_of(jump), (Lines{"a:1 costs 2", "a:nowhere jump 1/1 to a:9 in a:f", "a:3 costs 0"}));
    EXPECT_EQ(diagnostics_of(jump), (Lines{"jump-without-source at 6"}));
}

// F47
TEST(Functions, without_records_are_only_names) {
    const std::string text = by_others("fl=a\nfn=(1) f\nfn=(2) g\nfn=(3) h\n1 2\n");
    EXPECT_EQ(functions_of(text), (Lines{"a:h 2"}));
    EXPECT_EQ(diagnostics_of(text), (Lines{"function-without-records x2 at 4"}));
}

// F48
TEST(Functions, costs_before_any_belong_to_an_unknown_one) {
    const std::string text = by_others("fl=a\n1 2\n3 4\nfn=f\n5 6\n");
    const Profile profile = read_every_way(text);
    ASSERT_EQ(profile.function_count(), 2U);
    EXPECT_EQ(profile.name(FunctionId(0U)), "???");
    EXPECT_EQ(profile.self(FunctionId(0U), EventId(0U)), 6);
    EXPECT_EQ(profile.diagnostics().size(), 1U);
    EXPECT_EQ(profile.diagnostics()[0].id, DiagnosticId::cost_before_fn);
    EXPECT_EQ(profile.diagnostics()[0].places[0].line, 3U);
    EXPECT_EQ(records_of(text), (Lines{"a:1 costs 2", "a:3 costs 4", "a:5 costs 6"}));
}

// F48
TEST(Functions, are_not_ended_by_ob_or_fl) {
    const std::string text = in_function("1 2\nob=o\n3 4\nfl=b\n5 6\nfn=g\n7 8\n");
    EXPECT_EQ(functions_of(text), (Lines{"a:f 12", "o:b:g 8"}));
    EXPECT_EQ(records_of(text), (Lines{"a:1 costs 2", "a:3 costs 4", "b:5 costs 6", "b:7 costs 8"}));
    EXPECT_EQ(diagnostics_of(text), Lines{});
}

// F49
TEST(Files, fi_and_fe_count_as_fl_until_there_is_one) {
    const std::string text =
        by_others("fi=a\nfn=f\n1 2\nfe=b\nfn=g\n3 4\nfl=c\nfn=h\n5 6\nfi=d\nfn=i\n7 8\n");
    EXPECT_EQ(functions_of(text), (Lines{"a:f 2", "b:g 4", "c:h 6", "c:i 8"}));
    EXPECT_EQ(diagnostics_of(text), (Lines{"fi-without-fl x2 at 2"}));
}

// F49: in this part
TEST(Files, fi_counts_as_fl_again_in_another_part) {
    EXPECT_EQ(functions_of(in_function("1 2\npart: 2\nevents: Ir\npositions: line\nfi=b\nfn=g\n3 4\n")),
              (Lines{"a:f 2", "b:g 4"}));
}

// F50
TEST(Files, fl_without_fn_begins_an_unspecified_function_in_cachegrind_files) {
    const std::string body = "fl=a\n1 2\nfn=f\n3 4\nfl=b\n5 6\n7 8\nfl=c\nfn=g\n9 1\n";
    const std::string text = "cmd: x\nevents: Ir\n" + body + "summary: 21\n";
    EXPECT_EQ(functions_of(text), (Lines{"a:<unspecified> 2", "a:f 4", "b:<unspecified> 14", "c:g 1"}));
    EXPECT_EQ(diagnostics_of(text), (Lines{"unspecified-function x2 at 4"}));
    EXPECT_EQ(functions_of("version: 1\ncmd: x\nevents: Ir\n" + body)[1], "a:f 18");
}

// F51
TEST(Files, of_callgrind_bind_the_next_plain_line) {
    const std::string body = "fl=a\nfn=f\n1 1\nfi=b\n2 1\n3 1\nfe=a\n4 1\n5 1\n";
    EXPECT_EQ(records_of(by_callgrind(body)),
              (Lines{"a:1 costs 1", "b:2 costs 1", "b:3 costs 1", "a:4 costs 1", "a:5 costs 1"}));
}

// F51
TEST(Files, of_callgrind_bind_one_group_of_calls) {
    const std::string body =
        "fl=a\nfn=f\n1 1\nfi=b\ncfn=g\ncalls=1 5\n7 10\ncfn=h\ncalls=1 6\n7 20\n"
        "cfn=g\ncalls=1 5\n8 30\n9 1\n";
    EXPECT_EQ(records_of(by_callgrind(body)),
              (Lines{"a:1 costs 1", "b:7 calls a:g x1 at 5, costs 10", "b:7 calls a:h x1 at 6, costs 20",
                     "a:8 calls a:g x1 at 5, costs 30", "a:9 costs 1"}));
    EXPECT_EQ(records_of(by_others(body)),
              (Lines{"a:1 costs 1", "b:7 calls b:g x1 at 5, costs 10", "b:7 calls b:h x1 at 6, costs 20",
                     "b:8 calls b:g x1 at 5, costs 30", "b:9 costs 1"}));
}

// F51
TEST(Files, of_callgrind_after_a_call_are_those_of_the_last_plain_line) {
    const std::string body = "fl=a\nfn=f\n1 1\nfi=b\n2 1\nfe=c\ncfn=g\ncalls=1 5\n7 10\n3 1\n";
    EXPECT_EQ(records_of(by_callgrind(body)),
              (Lines{"a:1 costs 1", "b:2 costs 1", "c:7 calls b:g x1 at 5, costs 10", "b:3 costs 1"}));
}

// F52
TEST(Files, fi_and_fe_are_the_same) {
    const Lines expected{"a:1 costs 1", "b:2 costs 1", "c:3 costs 1", "a:4 costs 1"};
    EXPECT_EQ(records_of(in_function("1 1\nfi=b\n2 1\nfi=c\n3 1\nfe=a\n4 1\n")), expected);
    EXPECT_EQ(records_of(in_function("1 1\nfe=b\n2 1\nfe=c\n3 1\nfi=a\n4 1\n")), expected);
    EXPECT_EQ(functions_of(in_function("1 1\nfi=b\n2 1\n")), (Lines{"a:f 2"}));
}

}  // namespace
}  // namespace callcost::test
