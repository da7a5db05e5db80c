#include "terminal/text_table.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

#include <gtest/gtest.h>

#include "text/names.hpp"

namespace callcost::program {
namespace {

std::string text_of(const Table& table, const Style& style = {}, std::size_t indent = 0) {
    std::string out;
    table.write(out, style, indent);
    return out;
}

TEST(Tables, columns_are_as_wide_as_their_widest_cell) {
    Table table({{"self", Align::right}, {"kind"}, {"function"}});
    table.add_row({"5", "a", "main"});
    table.add_row({"12345", "bc", "chop"});
    EXPECT_EQ(text_of(table),
              " self  kind  function\n"
              "    5  a     main\n"
              "12345  bc    chop\n");
}

TEST(Tables, of_many_rows_can_be_taken_away_row_by_row) {
    Table table({{"number", Align::right}, {"text"}});
    std::string expected = "number  text\n";
    for (int i = 10000; i < 30000; ++i) {
        const auto detail = i % 2 == 0 ? std::string("even") : std::string();
        table.add_row({std::to_string(i), {i % 3 == 0 ? "" : "text", engine::Tone::plain, {detail}}});
        expected += " " + std::to_string(i) + (i % 3 == 0 && detail.empty() ? "" : "  ");
        expected += (i % 3 == 0 ? "" : "text") + (detail.empty() ? "" : "  " + detail) + "\n";
    }
    EXPECT_EQ(text_of(table), expected);
    std::string out, all;
    std::size_t longest = 0;
    table.write(out, {}, 0, [&] {
        longest = std::max(longest, out.size());
        all += std::exchange(out, {});
    });
    EXPECT_EQ(all, expected);
    EXPECT_LT(longest, 50U);
}

TEST(Tables, width_is_measured_in_columns_of_the_terminal) {
    Table table({{""}, {""}});
    table.add_row({"\u6f22\u5b57", "x"});
    table.add_row({"abc", "y"});
    EXPECT_EQ(text_of(table), "\u6f22\u5b57  x\nabc   y\n");
}

TEST(Tables, no_line_ends_in_blanks) {
    Table table({{"self", Align::right}, {"kind"}, {"function"}});
    table.add_row({"5", "a", ""});
    table.add_row({"5", "", ""});
    table.add_row({"", "", "x"});
    std::istringstream lines(text_of(table, {}, 2));
    for (std::string line; std::getline(lines, line);) {
        EXPECT_FALSE(line.ends_with(' ')) << '"' << line << '"';
    }
}

TEST(Tables, empty_cells_keep_their_place) {
    Table table({{"", Align::right}, {"", Align::right}, {""}});
    table.add_row({"100", "1", "a"});
    table.add_row({"", "22", "b"});
    table.add_row({"3", "", "c"});
    EXPECT_EQ(text_of(table), "100   1  a\n     22  b\n  3      c\n");
}

TEST(Tables, a_last_column_of_numbers_is_aligned_too) {
    Table table({{""}, {"", Align::right}});
    table.add_row({"functions", "5"});
    table.add_row({"files", "123"});
    EXPECT_EQ(text_of(table), "functions    5\nfiles      123\n");
}

TEST(Tables, on_a_terminal_the_last_column_gives_way) {
    const Style narrow = {.color = false, .unicode = false, .separators = false, .width = 40};
    Table table({{"self", Align::right}, {"function"}});
    table.add_row({"12345",
                   {"std::vector<std::string>::push_back(std::string const&)",
                    engine::Tone::plain,
                    {"/usr/include/c++/12/vector"}}});
    table.add_row({"5", {"main", engine::Tone::plain, {"/usr/src/some/where/deep/small.cpp"}}});
    std::istringstream lines(text_of(table, narrow));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(engine::display_width(line), 40U) << line;
}

TEST(Tables, on_a_pipe_nothing_is_left_out) {
    const std::string name(5000, 'x');
    Table table({{"self", Align::right}, {"function"}});
    table.add_row({"5", {name, engine::Tone::plain, {"file.c"}}});
    EXPECT_TRUE(text_of(table) == "self  function\n   5  " + name + "  file.c\n");
}

TEST(Tables, the_longest_detail_that_fits_is_taken) {
    const Style style;
    const Cell cell("main", engine::Tone::plain,
                    {"/home/user/src/small.cpp [/bin/small]", "small.cpp [small]", "small.cpp"});
    EXPECT_EQ(fit(cell, 0, style), "main  /home/user/src/small.cpp [/bin/small]");
    EXPECT_EQ(fit(cell, 50, style), "main  /home/user/src/small.cpp [/bin/small]");
    EXPECT_EQ(fit(cell, 40, style), "main  small.cpp [small]");
    EXPECT_EQ(fit(cell, 20, style), "main  small.cpp");
    EXPECT_EQ(fit(cell, 12, style), "main");
}

TEST(Tables, a_detail_is_shortened_where_it_is_the_only_one) {
    const Cell cell("main", engine::Tone::plain, {"a/very/long/path/small.cpp"});
    EXPECT_EQ(fit(cell, 20, {}), "main  a/very...l.cpp");
}

TEST(Tables, a_name_comes_before_its_detail) {
    EXPECT_EQ(fit({"a_rather_long_name", engine::Tone::plain, {"small.cpp"}}, 20, {}), "a_rather_long_name");
    EXPECT_EQ(fit({"a_name_that_is_too_long_for_the_line", engine::Tone::plain, {"small.cpp"}}, 20, {}),
              "a_name_th...the_line");
}

TEST(Tables, a_function_is_shortened_by_what_its_name_is_made_of) {
    const NameText name{.before = "> ", .name = "space::Class::method(int, long)", .after = " (cycle 1)"};
    EXPECT_EQ(fit({name, engine::Tone::plain, {"x.c"}}, 0, {}),
              "> space::Class::method(int, long) (cycle 1)  x.c");
    EXPECT_EQ(fit({name, engine::Tone::plain, {"x.c"}}, 42, {}),
              "> space::Class::method(...) (cycle 1)  x.c");
    EXPECT_EQ(fit({name, engine::Tone::plain, {"x.c"}}, 36, {}), "> ...::Class::method(...) (cycle 1)");
}

TEST(Tables, functions_that_would_look_alike_keep_what_tells_them_apart) {
    Table table({{"n", Align::right}, {"function"}});
    table.add_row({"1", NameText{.name = "space::Class::method(unsigned long)"}});
    table.add_row({"2", NameText{.name = "space::Class::method(unsigned char)"}});
    table.add_row({"3", "no function"});
    EXPECT_EQ(text_of(table, {.width = 36}),
              "n  function\n"
              "1  space::Class::method(...long)\n"
              "2  space::Class::method(...char)\n"
              "3  no function\n");
}

TEST(Tables, links_take_no_space_and_hold_the_shortened_text) {
    const Style linked = {.color = false, .unicode = false, .links = true, .separators = false, .width = 12};
    Cell cell("a_rather_long_name");
    cell.url = engine::file_url("host", "/a b/\x1b.cpp");
    EXPECT_EQ(fit(cell, 12, linked), "\x1b]8;;file://host/a%20b/%1B.cpp\x1b\\a_rat...name\x1b]8;;\x1b\\");
    EXPECT_EQ(fit(cell, 0, {}), "a_rather_long_name");
}

TEST(Tables, colours_take_no_space) {
    const Style colored = {.color = true, .unicode = false, .separators = false, .width = 0};
    Table table({{"", Align::right}, {""}});
    table.add_row({{"5", engine::Tone::hot}, "x"});
    table.add_row({"1234", "y"});
    EXPECT_EQ(text_of(table, colored), "   \x1b[1;31m5\x1b[0m  x\n1234  y\n");
}

}  // namespace
}  // namespace callcost::program
