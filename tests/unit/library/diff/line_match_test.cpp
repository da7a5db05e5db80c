// Two versions of a text, and which line is said to be which.
#include <cstdint>
#include <ctime>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "callcost/diff.hpp"

namespace callcost::test {
namespace {

using testing::ElementsAre;

constexpr auto blank = LineMatch::blank;

std::string text_of(const std::vector<std::string>& lines) {
    std::string text;
    for (const auto& line : lines) text += line + '\n';
    return text;
}

/// By line after, from 1 on, the line before.
std::vector<std::uint32_t> lines_before(const std::vector<std::string>& before,
                                        const std::vector<std::string>& after) {
    auto lines = match_lines(text_of(before), text_of(after)).before;
    lines.erase(lines.begin());
    return lines;
}

TEST(LineMatch, knows_lines_by_their_number) {
    const auto match = match_lines("one\n\ntwo\nthree\n", "one\n\ntwo and more\nthree");
    EXPECT_THAT(match.before, ElementsAre(0, 1, blank, 0, 4));
    EXPECT_THAT(match.after, ElementsAre(0, 1, blank, 0, 4)) << "a text need not end in a line feed";
}

TEST(LineMatch, finds_what_lines_were_inserted_and_deleted) {
    const std::vector<std::string> before = {"int f() {", "  int a = 1;", "  return a;", "}"};
    EXPECT_THAT(lines_before(before, {"int f() {", "  int b = 2;", "  int a = 1;", "  return a;", "}"}),
                ElementsAre(1, 0, 2, 3, 4));
    EXPECT_THAT(lines_before(before, {"int f() {", "  return a;", "}"}), ElementsAre(1, 3, 4));
}

TEST(LineMatch, of_empty_texts_is_empty) {
    EXPECT_THAT(match_lines("", "").before, ElementsAre(0));
    EXPECT_THAT(match_lines("", "a\nb\n").before, ElementsAre(0, 0, 0));
    EXPECT_THAT(match_lines("a\nb\n", "").after, ElementsAre(0, 0, 0));
    EXPECT_THAT(match_lines("\n", " \t\r\n").before, ElementsAre(0, blank));
}

TEST(LineMatch, does_not_regard_ends_of_lines_and_indentation) {
    const auto match =
        match_lines("if (a)\n  call(b);\nend\n", "{\r\n  if (a)\r\n    call( b );\r\n}\r\nend\r\n");
    EXPECT_THAT(match.before, ElementsAre(0, 0, 1, 2, 0, 3));
}

TEST(LineMatch, prefers_lines_that_are_quite_the_same) {
    EXPECT_THAT(lines_before({"start", "  }", "}"}, {"start", "    }", "  }", "}"}), ElementsAre(1, 0, 2, 3));
}

TEST(LineMatch, finds_blocks_that_were_moved) {
    const std::vector<std::string> f = {"void first(int count) {", "  prepare_everything(count);", "}"},
                                   g = {"void second(int size) {", "  clear();", "  use_up_everything(size);",
                                        "}"};
    std::vector<std::string> before = f, after = g;
    before.insert(before.end(), g.begin(), g.end());
    before.emplace_back("// end");
    after.insert(after.end(), f.begin(), f.end());
    after.emplace_back("// end");
    EXPECT_THAT(lines_before(before, after), ElementsAre(4, 5, 6, 7, 1, 2, 3, 8));
}

TEST(LineMatch, does_not_take_a_few_characters_for_a_moved_block) {
    EXPECT_THAT(lines_before({"i++;", "a long line that stays where it is"},
                             {"a long line that stays where it is", "i++;"}),
                ElementsAre(2, 0));
}

TEST(LineMatch, tells_repeated_lines_by_what_is_around_them) {
    const std::vector<std::string> before = {"case 1:", "  n++;", "  break;",
                                             "case 2:", "  n++;", "  break;"};
    std::vector<std::string> after = {"case 0:", "  n++;", "  break;"};
    after.insert(after.end(), before.begin(), before.end());
    EXPECT_THAT(lines_before(before, after), ElementsAre(0, 0, 0, 1, 2, 3, 4, 5, 6));
}

TEST(LineMatch, the_other_way_round_is_the_opposite) {
    const std::string before = "a\nb\nx\nc\nb\nx\na\nd\n", after = "b\na\nx\nb\nc\nd\na\nx\n";
    const auto there = match_lines(before, after), back = match_lines(after, before);
    EXPECT_EQ(there.before, back.after);
    EXPECT_EQ(there.after, back.before);
    for (std::size_t line = 1; line < there.before.size(); ++line)
        EXPECT_TRUE(there.before[line] == 0 || there.after[there.before[line]] == line) << line;
}

class LineMatchTakesLittleTime : public testing::Test {
  protected:
    static void match(const std::string& before, const std::string& after) {
        const std::clock_t start = std::clock();
        const auto found = match_lines(before, after);
        EXPECT_LT(std::clock() - start, 10 * CLOCKS_PER_SEC);  // sanitized, too
        EXPECT_FALSE(found.before.empty());
    }
    static constexpr int many = 100'000;
};

TEST_F(LineMatchTakesLittleTime, for_long_texts) {
    std::string before, after;
    for (int i = 0; i < many; ++i) {
        const auto line = "line " + std::to_string(i) + ";\n";
        if (i % 7 != 0) before += line;
        if (i % 11 != 0) after += line;
        if (i % 3 == 0) (i % 2 == 0 ? before : after) += "}\n";
    }
    match(before, after);
}

TEST_F(LineMatchTakesLittleTime, where_all_lines_are_alike) {
    std::string before, after;
    for (int i = 0; i < many; ++i) {
        before += i % 2 == 0 ? "x\n" : "y\n";
        after += i % 3 == 0 ? "y\n" : "x\n";
    }
    match(before, after);
}

TEST_F(LineMatchTakesLittleTime, where_everything_was_moved) {
    std::string before, after;
    for (int i = 0; i < many; ++i) {
        before += "the line that has the number " + std::to_string(i) + "\n";
        after += "the line that has the number " + std::to_string(many - i) + "\n";
    }
    match(before, after);
}

TEST_F(LineMatchTakesLittleTime, where_each_landmark_splits_off_little) {
    std::string before, after;  // each landmark is unique only once the one around it is found
    for (int i = 0; i < many / 2; ++i) {
        const auto line = "u" + std::to_string(i / 2) + "\n";
        before += line + "a\n";
        after += line + "b\n";
    }
    match(before, after);
}

}  // namespace
}  // namespace callcost::test
