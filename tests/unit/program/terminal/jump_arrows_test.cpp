#include "terminal/jump_arrows.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace {

using callcost::engine::Style;
using callcost::program::Arrow;
using callcost::program::JumpArrows;

/// All rows under each other, their ends marked.
std::string drawn(const std::vector<Arrow>& all, std::size_t rows, const Style& style = {}) {
    const JumpArrows arrows(all);
    std::string text = "\n";
    for (std::size_t row = 0; row < rows; ++row) text += arrows.at(row, style) + "|\n";
    return text;
}

TEST(JumpArrowsOf, a_loop_and_a_branch_are_nested) {
    EXPECT_EQ(drawn({{4, 0, true}, {1, 3, false}}, 5), R"(
/..> |
:/-- |
:|   |
:\-> |
\... |
)");
    EXPECT_EQ(drawn({{4, 0, true}, {1, 3, false}}, 5, {.unicode = true}), R"(
┌┄┄> |
┆┌── |
┆│   |
┆└─> |
└┄┄┄ |
)");
}

TEST(JumpArrowsOf, jumps_to_one_row_share_their_line) {
    EXPECT_EQ(drawn({{0, 3, false}, {1, 3, false}, {5, 3, false}}, 6), R"(
/-- |
+-- |
|   |
+-> |
|   |
\-- |
)");
}

TEST(JumpArrowsOf, jumps_from_one_row_share_their_line) {
    EXPECT_EQ(drawn({{1, 0, false}, {1, 2, false}, {1, 4, false}}, 5, {.unicode = true}), R"(
┌─> |
├── |
├─> |
│   |
└─> |
)");
}

TEST(JumpArrowsOf, jumps_that_cross_each_other_do_it_in_one_place) {
    EXPECT_EQ(drawn({{0, 2, false}, {1, 3, true}}, 4), R"(
 /-- |
/|.. |
:\-> |
\..> |
)");
    EXPECT_EQ(drawn({{0, 1, true}, {1, 2, false}}, 3), R"(
 /.. |
/+.> |
\--> |
)") << "where the one ends the other begins";
}

TEST(JumpArrowsOf, lines_between_rows_are_crossed) {
    const JumpArrows arrows(std::vector<Arrow>{{0, 2, false}, {0, 1, true}});
    EXPECT_EQ(arrows.width(), 5U);
    EXPECT_EQ(arrows.below(0, {}), "|:   ");
    EXPECT_EQ(arrows.below(1, {}), "|    ");
    EXPECT_EQ(arrows.below(2, {}), "     ");
}

TEST(JumpArrowsOf, no_jumps_take_no_room) {
    const JumpArrows none(std::vector<Arrow>{{3, 3, true}});
    EXPECT_EQ(none.width(), 0U) << "itself is not drawn";
    EXPECT_EQ(none.at(3, {}), "");
    EXPECT_EQ(JumpArrows().below(0, {}), "");
}

TEST(JumpArrowsOf, too_many_jumps_are_counted) {
    std::vector<Arrow> arrows;
    for (std::size_t i = 0; i < 40; ++i) arrows.push_back({i, 100 - i, false});
    const JumpArrows drawn_ones(arrows);
    EXPECT_EQ(drawn_ones.width(), 17U);
    EXPECT_EQ(drawn_ones.omitted(), 26U);
    EXPECT_EQ(drawn_ones.at(0, {}), std::string(17, ' ')) << "the longest are missing";
}

TEST(JumpArrowsOf, many_thousand_jumps_are_drawn_at_once) {
    std::vector<Arrow> arrows;
    for (std::size_t i = 0; i < 100'000; ++i)
        arrows.push_back({(i * 7919) % 100'003, (i * 104'729) % 100'003, i % 2 == 0});
    EXPECT_GT(JumpArrows(arrows).omitted(), 90'000U);
}

TEST(JumpArrowsOf, kinds_have_colours) {
    const JumpArrows arrows(std::vector<Arrow>{{0, 1, true}, {2, 3, false}});
    EXPECT_EQ(arrows.at(0, {.color = true}), "\x1b[1;36m/..\x1b[0m ");
    EXPECT_EQ(arrows.at(2, {.color = true}), "\x1b[32m/--\x1b[0m ");
}

}  // namespace
