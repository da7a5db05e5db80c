// F53 to F61: calls and whom they reach.
#include <gtest/gtest.h>

#include "unit/library/parser/every_way.hpp"

namespace callcost::test {
namespace {

// F53
TEST(Calls, name_the_callee_in_any_order) {
    const std::string expected = "a:f > p:b:g x1: 4";
    for (const char* names : {"cob=p\ncfi=b\ncfn=g\n", "cfn=g\ncfi=b\ncob=p\n", "cfl=b\ncfn=g\ncob=p\n",
                              "cfn=g\ncob=p\ncfl=b\n", "cfi=x\ncfl=b\ncob=p\ncfn=g\n"}) {
        const std::string text = in_function(std::string(names) + "calls=1 5\n3 4\n");
        EXPECT_EQ(arcs_of(text), (Lines{expected})) << names;
        EXPECT_EQ(diagnostics_of(text), Lines{}) << names;
    }
}

// F54
TEST(Calls, inherit_object_and_file_of_the_caller_only) {
    const std::string text = by_others(
        "ob=o\nfl=a\nfn=f\ncob=p\ncfi=b\ncfn=g\ncalls=1 5\n3 4\n"
        "cfn=h\ncalls=1 5\n3 4\nfi=c\ncfn=i\ncalls=1 5\n3 4\n");
    EXPECT_EQ(arcs_of(text), (Lines{"o:a:f > p:b:g x1: 4", "o:a:f > o:a:h x1: 4", "o:a:f > o:c:i x1: 4"}));
}

// F54
TEST(Calls, of_callgrind_are_in_the_file_of_the_last_plain_line) {
    const std::string text = by_callgrind(
        "ob=o\nfl=a\nfn=f\n1 1\nfi=c\ncfn=i\ncalls=1 5\n3 4\nfi=b\n2 1\nfi=c\ncfn=g\ncalls=1 5\n3 4\n");
    EXPECT_EQ(arcs_of(text), (Lines{"o:a:f > o:a:i x1: 4", "o:a:f > o:b:g x1: 4"}));
}

// F54: the object of the function, not of `ob=` after it.
TEST(Calls, inherit_the_object_of_the_function) {
    EXPECT_EQ(arcs_of(by_others("ob=o\nfl=a\nfn=f\nob=p\ncfn=g\ncalls=1 5\n3 4\n")),
              (Lines{"o:a:f > o:a:g x1: 4"}));
}

// F55
TEST(Calls, a_callee_that_is_named_but_not_called_is_dropped) {
    const std::string text = in_function("cob=p\ncfi=b\ncfn=g\ncfn=h\ncalls=1 5\n3 4\n");
    EXPECT_EQ(arcs_of(text), (Lines{"a:f > a:h x1: 4"}));
    EXPECT_EQ(diagnostics_of(text), (Lines{"dangling-cfn at 7"}));
    EXPECT_EQ(arcs_of(in_function("cfn=g\ncfi=b\ncfn=h\ncalls=1 5\n3 4\n")), (Lines{"a:f > b:h x1: 4"}));
    EXPECT_EQ(diagnostics_of(in_function("1 2\ncfn=g\nfn=h\n3 4\n")), (Lines{"dangling-cfn at 6"}));
    const std::string part = in_function("1 2\ncfn=g\npart: 2\nevents: Ir\npositions: line\nfn=h\n3 4\n");
    EXPECT_EQ(diagnostic_ids_of(part), (Lines{"dangling-cfn"}));
}

// F55
TEST(Calls, callees_before_a_nested_definition_are_definitions) {
    const std::string text =
        by_callgrind("fl=a\nfn=f\n1 1\ncob=p\ncfi=b\ncfn=(2) g\ncfn=(3) (2)'2\ncalls=1 5\n3 4\n");
    EXPECT_EQ(arcs_of(text), (Lines{"a:f > p:b:g'2 x1: 4"}));
    EXPECT_EQ(diagnostics_of(text), (Lines{"nested-name-id at 9:5"}));
}

// F56
TEST(Calls, without_calls_line_are_calls_but_in_callgrind_files) {
    const std::string body = "fl=a\nfn=f\n1 2\ncfn=g\n3 4\n5 6\n";
    EXPECT_EQ(arcs_of(by_others(body)), (Lines{"a:f > a:g x>=0: 4"}));
    EXPECT_EQ(functions_of(by_others(body)), (Lines{"a:f 8", "a:g called only"}));
    EXPECT_EQ(diagnostics_of(by_others(body)), (Lines{"call-without-calls at 6"}));
    EXPECT_EQ(read(by_others(body)).parts()[0].call_records, 0U);
    EXPECT_EQ(functions_of(by_callgrind(body)), (Lines{"a:f 12"}));
    EXPECT_EQ(arcs_of(by_callgrind(body)), Lines{});
}

// F57
TEST(Calls, more_than_can_be_counted_are_at_least_as_many_as_can) {
    const auto counted = [](const std::string& first, const std::string& second) {
        const Profile profile =
            read(in_function("cfn=g\ncalls=" + first + " 5\n3 4\ncfn=g\ncalls=" + second + " 5\n3 4\n"));
        return profile.count(ArcId(0U));
    };
    EXPECT_EQ(counted("9223372036854775806", "1"), (CallCount{CallCount::most, false}));
    EXPECT_EQ(counted("9223372036854775807", "1"), (CallCount{CallCount::most, true}));
    EXPECT_EQ(counted("18446744073709551615", "7"), (CallCount{CallCount::most, true}));
}

TEST(Calls, have_a_count_or_none) {
    const auto call = [](const std::string& count) {
        return in_function("cfn=g\ncalls=" + count + " 5\n3 4\n");
    };
    EXPECT_EQ(arcs_of(call("0x10")), (Lines{"a:f > a:g x16: 4"}));
    EXPECT_EQ(arcs_of(call("0")), (Lines{"a:f > a:g x>=0: 4"}));
    EXPECT_EQ(diagnostics_of(call("0")), Lines{});
    EXPECT_EQ(arcs_of(call("-1")), (Lines{"a:f > a:g x>=0: 4"}));
    EXPECT_EQ(diagnostics_of(call("-1")), (Lines{"unknown-call-count at 5:7"}));
    EXPECT_EQ(arcs_of(call("many")), (Lines{"a:f > a:g x>=0: 4"}));
    EXPECT_EQ(diagnostics_of(call("many")), (Lines{"bad-call-count at 5:7"}));
    EXPECT_EQ(functions_of(call("0")), (Lines{"a:f 0", "a:g called only"}));
}

// F57
TEST(Calls, with_rcalls_are_calls) {
    const std::string text = in_function("cfn=g\nrcalls=3 5\n3 4\n");
    EXPECT_EQ(arcs_of(text), (Lines{"a:f > a:g x3: 4"}));
    EXPECT_EQ(diagnostics_of(text), (Lines{"deprecated-rcalls at 5"}));
}

// F58
TEST(Calls, targets_may_have_too_few_or_too_many_numbers) {
    const std::string few = in_function("cfn=g\ncalls=1\n3 4\n");
    EXPECT_EQ(records_of(few), (Lines{"a:3 calls a:g x1 at nowhere, costs 4"}));
    EXPECT_EQ(diagnostics_of(few), (Lines{"call-target-short at 5"}));
    const std::string many = in_function("cfn=g\ncalls=1 7 0\n3 4\n");
    EXPECT_EQ(records_of(many), (Lines{"a:3 calls a:g x1 at 7, costs 4"}));
    EXPECT_EQ(diagnostics_of(many), (Lines{"call-target-extra at 5:11"}));
    EXPECT_EQ(records_of("positions: instr line\nevents: Ir\nfl=a\nfn=f\ncfn=g\ncalls=1 0x20\n0x10 3 4\n"),
              (Lines{"a:3@16 calls a:g x1 at 0@32, costs 4"}));
}

// F58
TEST(Calls, targets_are_relative_to_the_base_and_do_not_move_it) {
    EXPECT_EQ(records_of(in_function("10 1\ncfn=g\ncalls=1 +20\n+2 4\n")),
              (Lines{"a:10 costs 1", "a:12 calls a:g x1 at 30, costs 4"}));
    EXPECT_EQ(functions_of(in_function("cfn=g\ncalls=1 5\n3 4\ncfn=g\ncalls=1 6\n3 4\n")).size(), 2U);
}

// F59
TEST(Calls, blank_lines_and_comments_do_not_split_them) {
    EXPECT_EQ(diagnostics_of(in_function("cfn=g\ncalls=1 5\n\n# x\n3 4\n")), Lines{});
}

// F59
TEST(Calls, other_lines_split_them) {
    const std::string text = in_function("cfn=g\ncalls=1 5\nfi=b\ncob=p\n3 4\n");
    EXPECT_EQ(records_of(text), (Lines{"b:3 calls p:b:g x1 at 5, costs 4"}));
    EXPECT_EQ(diagnostics_of(text), (Lines{"split-call at 6"}));
    const std::string jump = in_function("cfn=g\ncalls=1 5\njump=1 9\n2\n3 4\n");
    EXPECT_EQ(records_of(jump), (Lines{"a:2 jump 1/1 to a:9 in a:f", "a:3 calls a:g x1 at 5, costs 4"}));
    EXPECT_EQ(diagnostics_of(jump), (Lines{"split-call at 6"}));
    EXPECT_EQ(diagnostics_of(in_function("cfn=g\ncalls=1 5\njcnd=1/2 9\n2\n3 4\n")),
              (Lines{"split-call at 6"}));
}

// F59
TEST(Calls, without_cost_line_are_kept) {
    const std::string function = in_function("cfn=g\ncalls=7 5\nfn=h\n3 4\n");
    EXPECT_EQ(records_of(function), (Lines{"a:nowhere calls a:g x7 at 5, costs 0", "a:3 costs 4"}));
    EXPECT_EQ(arcs_of(function), (Lines{"a:f > a:g x7: 0"}));
    EXPECT_EQ(diagnostics_of(function), (Lines{"calls-without-cost-line at 6"}));
    const std::string again = in_function("cfn=g\ncalls=7 5\ncalls=2 5\n3 4\n");
    EXPECT_EQ(arcs_of(again), (Lines{"a:f > a:g x9: 4"}));
    EXPECT_EQ(diagnostics_of(again), (Lines{"calls-without-cost-line at 6"}));
    const std::string part =
        in_function("cfn=g\ncalls=7 5\npart: 2\npositions: line\nevents: Ir\nfn=h\n3 4\n");
    EXPECT_EQ(arcs_of(part), (Lines{"a:f > a:g x7: 0"}));
    EXPECT_EQ(diagnostic_ids_of(part), (Lines{"calls-without-cost-line"}));
}

// F60
TEST(Calls, without_callee_reach_the_unknown_function) {
    const std::string text = in_function("1 2\ncalls=1 5\n3 4\n");
    EXPECT_EQ(arcs_of(text), (Lines{"a:f > a:??? x1: 4"}));
    EXPECT_EQ(diagnostics_of(text), (Lines{"call-without-callee at 5"}));
    EXPECT_EQ(functions_of(text)[0], "a:f 2");
}

// F60
TEST(Calls, of_one_place_add_up) {
    EXPECT_EQ(arcs_of(in_function("cfn=g\ncalls=2 5\n3 4\ncfn=g\ncalls=3 5\n3 5\n")),
              (Lines{"a:f > a:g x5: 9"}));
}

// F61 (a)
TEST(Links, a_callee_in_another_file_is_the_function_of_its_id) {
    const std::string text = by_others(
        "fl=b\nfn=(2) g\n1 1\nfl=c\nfn=(3) g\n1 1\nfl=a\nfn=(1) f\n"
        "cfn=(2)\ncalls=1 5\n3 4\ncfi=x\ncfn=(3)\ncalls=1 5\n3 4\n");
    EXPECT_EQ(arcs_of(text), (Lines{"a:f > b:g x1: 4", "a:f > c:g x1: 4"}));
    ASSERT_EQ(read(text).diagnostics().size(), 1U);
    EXPECT_EQ(diagnostics_of(text)[0].substr(0, 24), "callee-linked-by-name x2");
}

// F61 (b)
TEST(Links, a_callee_in_another_file_is_the_only_function_of_its_name) {
    const std::string text = by_others(
        "fl=a\nfn=f\ncfn=g\ncalls=1 5\n3 4\ncfn=h\ncalls=1 5\n3 4\n"
        "fl=b\nfn=g\n1 1\nfn=h\n1 1\nfl=c\nfn=h\n1 1\n");
    EXPECT_EQ(arcs_of(text), (Lines{"a:f > b:g x1: 4", "a:f > a:h x1: 4"}));
    EXPECT_EQ(read(text).diagnostics()[0].count, 1U);
}

// F61: a function of the very identity is not linked elsewhere.
TEST(Links, a_recorded_callee_stays_itself) {
    EXPECT_EQ(diagnostics_of(by_others("fl=a\nfn=g\n1 1\nfn=f\ncfn=g\ncalls=1 5\n3 4\n")), Lines{});
}

// F61: `???` is no name to link by.
TEST(Links, unknown_names_are_not_linked) {
    const std::string text =
        by_others("fl=b\nfn=???\n1 1\nfl=a\nfn=f\n1 1\ncfi=a\ncfn=???\ncalls=1 5\n3 4\n");
    EXPECT_EQ(functions_of(text), (Lines{"b:??? 1", "a:f 1", "a:??? called only"}));
}

// F61 (a): the function that used the id under whatever number it has.
TEST(Links, a_function_of_two_ids_is_found_by_either) {
    const std::string text = by_others(
        "fl=a\nfn=(1) f\n1 1\nfn=(2) f\n1 1\nfl=b\nfn=(3) f\n1 1\nfl=c\nfn=(4) h\n"
        "cfn=(1)\ncalls=1 5\n3 4\ncfi=d\ncfn=(2)\ncalls=1 5\n3 5\n");
    EXPECT_EQ(arcs_of(text), (Lines{"c:h > a:f x2: 9"}));
}

// F61 (a): whatever chunk the definition, the record and the call are in.
TEST(Links, do_not_depend_on_where_chunks_end) {
    for (std::size_t comment = 0; comment < 70; ++comment) {
        const std::string text = by_others(
            "fl=b\nfn=(2) g\n1 1\nfl=c\nfn=(3) g\n1 1\n#" + std::string(comment, 'x') +
            "\nfl=a\nfn=(1) f\ncfn=(2)\ncalls=1 5\n3 4\n#" + std::string(comment, 'y') +
            "\ncfi=x\ncfn=(3)\ncalls=1 5\n3 4\nfl=b\nfn=(4) k\n2 2\ncfi=c\ncfn=(2)\ncalls=1 1\n4 4\n");
        EXPECT_EQ(arcs_of(text), (Lines{"a:f > b:g x1: 4", "a:f > c:g x1: 4", "b:k > c:g x1: 4"})) << comment;
    }
}

// F61 (a): the id is used by calls before the function has its record.
TEST(Links, by_id_work_before_the_function_is_recorded) {
    std::string text = by_others("fl=a\nfn=(1) f\ncfi=x\ncfn=(2) g\ncalls=1 5\n3 4\n");
    for (int i = 0; i < 20; ++i) text += "1 1\n";
    text += "fl=b\nfn=(2)\n1 1\nfl=c\nfn=(3) g\n1 1\n";
    EXPECT_EQ(arcs_of(text), (Lines{"a:f > b:g x1: 4"}));
}

// F61 (a): an id that only calls use is none that the function was recorded under.
TEST(Links, by_id_need_a_record_under_the_id) {
    const std::string text = by_others(
        "fl=a\nfn=f\ncfn=(5) g\ncalls=1 5\n3 4\ncfi=x\ncfn=(5)\ncalls=1 5\n3 4\ncfi=y\ncfn=(6) g\ncalls=1 5\n"
        "3 4\nfl=a\nfn=g\n1 1\nfn=(6)\n1 1\nfl=c\nfn=g\n1 1\n");
    EXPECT_EQ(arcs_of(text), (Lines{"a:f > a:g x2: 8", "a:f > x:g x1: 4"}));
}

}  // namespace
}  // namespace callcost::test
