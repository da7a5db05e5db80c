// Which instruction of a function is which of those of another build.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "callcost/diff.hpp"

namespace callcost::test {
namespace {

using testing::Each;
using testing::ElementsAre;

constexpr auto none = CodeMatch::none;
using Texts = std::vector<std::string>;

std::vector<CodeLine> code_of(const Texts& texts) {
    std::vector<CodeLine> lines;
    for (const auto& text : texts) lines.push_back({0x1000 + 4 * lines.size(), text, {}, 0});
    return lines;
}

std::vector<std::size_t> matched(const Texts& before, const Texts& after) {
    const auto match = match_code(code_of(before), code_of(after));
    EXPECT_EQ(match.by, CodeMatch::By::text);
    return match.before;
}

/// How many rows are matched.
std::size_t expect_ascending(const std::vector<std::size_t>& found) {
    std::size_t count = 0, last = 0;
    for (const auto row : found) {
        if (row == none) continue;
        EXPECT_TRUE(count == 0 || row > last);
        last = row;
        ++count;
    }
    return count;
}

TEST(CodeMatches, the_same_code_is_matched_row_by_row) {
    EXPECT_THAT(matched({"push %rbp", "nop", "nop", "ret"}, {"push %rbp", "nop", "nop", "ret"}),
                ElementsAre(0, 1, 2, 3));
}

TEST(CodeMatches, what_was_inserted_and_removed_is_none) {
    EXPECT_THAT(matched({"push %rbp", "inc %rax", "nop", "ret"}, {"push %rbp", "nop", "dec %rax", "ret"}),
                ElementsAre(0, 2, none, 3));
    EXPECT_THAT(matched({"", "ret"}, {"", "ret"}), ElementsAre(none, 1)) << "no text is not like another";
    EXPECT_THAT(matched({"ret"}, {"nop", "ret", "nop"}), ElementsAre(none, 0, none));
}

TEST(CodeMatches, addresses_do_not_count_but_names_do) {
    EXPECT_THAT(matched({"call 1139 <f>", "jne 1050 <main+0x20>", "lea 0x10(%rip),%rax  # 2000 <text+0x8>",
                         "lea rax,[rip+0x10]  # 2000 <text>", "b.ne 400 <main+0x8>  // b.any"},
                        {"call 2139 <f>", "jne 2054 <main+0x24>", "lea -0x20(%rip),%rax  # 1ff8 <text+0x10>",
                         "lea rax,[rip-0x8]  # 1ff0 <text>", "b.ne 404 <main+0xc>  // b.any"}),
                ElementsAre(0, 1, 2, 3, 4));
    EXPECT_THAT(matched({"call 1139 <f>"}, {"call 1139 <g>"}), ElementsAre(none));
    EXPECT_THAT(matched({"mov $0x10,%eax"}, {"mov $0x11,%eax"}), ElementsAre(none)) << "a constant counts";
    EXPECT_THAT(matched({"mov 0x10(%rbx),%eax"}, {"mov 0x18(%rbx),%eax"}), ElementsAre(none));
    EXPECT_THAT(matched({"add <"}, {"face <"}), ElementsAre(none)) << "a mnemonic of hexadecimal digits";
}

TEST(CodeMatches, repeated_rows_are_matched_in_their_order) {
    const auto found = matched({"nop", "inc", "nop", "inc", "nop"}, {"inc", "nop", "nop", "inc"});
    EXPECT_EQ(expect_ascending(found), 3U) << "as many as can be";
}

TEST(CodeMatches, code_that_was_moved_is_gone_and_new) {
    const auto found = matched({"a", "b", "c", "d", "e"}, {"d", "e", "a", "b", "c"});
    EXPECT_THAT(found, ElementsAre(none, none, 0, 1, 2));
}

TEST(CodeMatches, without_text_neither_side_must_have_been_built_anew) {
    std::vector<CodeLine> before = {{0x10, {}, "a.c", 1}, {0x14, {}, "a.c", 2}, {0x18, {}, "a.c", 3}};
    std::vector<CodeLine> after = {
        {0x10, {}, "a.c", 1}, {0x12, {}, {}, 0}, {0x14, {}, "a.c", 2}, {0x18, {}, {}, 0}};
    auto match = match_code(before, after);
    EXPECT_EQ(match.by, CodeMatch::By::addresses);
    EXPECT_THAT(match.before, ElementsAre(0, none, 1, 2));
    after[2].line = 7;
    match = match_code(before, after);
    EXPECT_EQ(match.by, CodeMatch::By::nothing) << "another line at the same address";
    EXPECT_EQ(match_code(before, after, true).by, CodeMatch::By::nothing);
    EXPECT_THAT(match.before, Each(none));
    EXPECT_EQ(match.before.size(), 4U);
}

TEST(CodeMatches, one_build_may_have_executed_other_code) {
    std::vector<CodeLine> before, after;
    for (std::uint64_t i = 0; i < 12; ++i) {
        const CodeLine line = {0x10 + 4 * i, {}, "a.c", 1 + i};
        if (i < 8) before.push_back(line);
        if (i % 2 == 0) after.push_back(line);
    }
    EXPECT_EQ(match_code(before, after).by, CodeMatch::By::addresses) << "lines agree";
    for (auto& line : before) line.line = 0;
    EXPECT_EQ(match_code(before, after).by, CodeMatch::By::nothing) << "by chance it may be so";
    EXPECT_EQ(match_code(before, after, true).by, CodeMatch::By::addresses) << "but not in one file";
    for (auto& line : before) line.line = 1;
    for (auto& line : after) line.line = 1;
    EXPECT_EQ(match_code(before, after).by, CodeMatch::By::nothing) << "one line tells nothing";
}

TEST(CodeMatches, what_is_not_executed_says_nothing_about_the_build) {
    std::vector<CodeLine> before, after;
    for (std::uint64_t i = 0; i < 12; ++i) {
        const bool has_cost = i == 0 || i == 11;
        before.push_back({0x10 + 4 * i, {}, {}, 0, has_cost});
        after.push_back({0x10 + 4 * i, {}, {}, 0, i < 2});
    }
    EXPECT_EQ(match_code(before, after).by, CodeMatch::By::nothing) << "one address in common";
}

TEST(CodeMatches, names_are_without_what_compilers_add) {
    EXPECT_THAT(matched({"call 10 <walk.constprop.0>", "jne 20 <walk.constprop.0+0x4>",
                         "call 30 <a::b::h0123456789abcdef>"},
                        {"call 10 <walk>", "jne 20 <walk+0x4>", "call 30 <a::b::hfedcba9876543210>"}),
                ElementsAre(0, 1, 2));
    EXPECT_THAT(matched({"call 10 <operator<(a, b)>"}, {"call 10 <operator>(a, b)>"}), ElementsAre(none));
}

TEST(CodeMatches, a_single_row_that_moved_does_not_unmatch_the_others) {
    Texts before = {"mov"}, after;
    for (int i = 0; i < 20; ++i) {
        for (auto* list : {&before, &after}) list->insert(list->end(), {"nop", "add"});
    }
    after.push_back("mov");
    EXPECT_EQ(expect_ascending(matched(before, after)), 40U);
}

TEST(CodeMatches, some_addresses_in_common_are_not_enough) {
    const std::vector<CodeLine> before = {{0x10, {}, {}, 0}, {0x14, {}, {}, 0}, {0x18, {}, {}, 0}};
    const std::vector<CodeLine> after = {
        {0x10, {}, {}, 0}, {0x15, {}, {}, 0}, {0x19, {}, {}, 0}, {0x1c, {}, {}, 0}};
    EXPECT_EQ(match_code(before, after).by, CodeMatch::By::nothing);
    EXPECT_EQ(match_code({}, after).by, CodeMatch::By::nothing);
    EXPECT_EQ(match_code(before, {}).by, CodeMatch::By::nothing);
    const std::vector<CodeLine> unknown = {{0, {}, {}, 0}};
    EXPECT_EQ(match_code(unknown, unknown).by, CodeMatch::By::nothing) << "where it is is not known";
}

TEST(CodeMatches, much_code_takes_no_long_time) {
    // Each row becomes the only one of its kind when the one before is taken away; those between never agree.
    Texts before, after;
    for (int i = 0; i < 50'000; ++i) {
        const auto row = "t" + std::to_string(i), next = "t" + std::to_string(i + 1);
        before.insert(before.end(), {next, row, "old"});
        after.insert(after.end(), {next, row, "new"});
    }
    EXPECT_GT(expect_ascending(matched(before, after)), 0U);
    Texts few = {"x"}, many(200'000, "nop");
    EXPECT_THAT(matched(many, few), ElementsAre(none));
    many.back() = "x";
    EXPECT_EQ(matched(few, many).back(), 0U);
}

TEST(CodeMatches, matches_ascend) {
    Texts before, after;
    for (int i = 0; i < 500; ++i) {
        before.push_back("op" + std::to_string(i * 7919 % 40));
        after.push_back("op" + std::to_string(i * 104'729 % 40));
    }
    EXPECT_GT(expect_ascending(matched(before, after)), 10U);
}

}  // namespace
}  // namespace callcost::test
