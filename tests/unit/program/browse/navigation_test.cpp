#include "browse/navigation.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "options/patterns.hpp"
#include "text/names.hpp"
#include <callcost/read.hpp>

namespace callcost::program {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* profile_text = R"(events: Ir Dr
fl=a.c
fn=main
1 10 1
cfn=work
calls=2 5
2 80 8
cfn=idle
calls=1 9
3 10 1
fn=work
5 60 6
cfn=idle
calls=4 9
6 20 2
fn=idle
9 30 3
)";
constexpr const char* source_text =
    "int main() {\n    work();\n    idle();\n}\nvoid work() {\n    idle();\n}\n\nvoid idle() {}\n";

Profile read(std::string_view text) { return read_profile(from_memory(std::string(text))).value(); }

engine::Host host() {
    engine::Host host;
    host.compile = compile_expression;
    host.source = [](std::string_view name) {
        engine::SourceFile file;
        file.path = std::string(name);
        file.text = source_text;
        return file;
    };
    return host;
}

/// Somebody who presses keys, and sees a screen.
class Person {
  public:
    explicit Person(std::string_view text = profile_text,
                    std::optional<std::string_view> before = std::nullopt, SortBy sort = SortBy::self,
                    const std::string& event = {})
        : profile_(read(text), before ? std::optional(read(*before)) : std::nullopt, host(),
                   {.separators = true}) {
        EXPECT_TRUE(profile_.ask({.event = event}).has_value());
        navigation_.emplace(profile_, sort);
        (void)screen();  // as keys are about what is seen
    }

    void press(Key::Kind kind) { EXPECT_TRUE(navigation_->press({.kind = kind})); }
    void type(std::string_view characters) {
        for (const char each : characters)
            EXPECT_TRUE(navigation_->press({.character = static_cast<char32_t>(each)}));
    }
    bool ends_by(char32_t character) { return !navigation_->press({.character = character}); }
    void click(std::size_t row, std::size_t column) {
        EXPECT_TRUE(navigation_->press({.kind = Key::Kind::click, .row = row, .column = column}));
    }

    std::string screen() {
        std::string text;
        for (const auto& line : navigation_->draw(size).lines) text += line.text() + '\n';
        return text;
    }
    std::string line(std::size_t row) { return navigation_->draw(size).lines.at(row).text(); }
    std::string last_line() { return line(size.rows - 1); }
    std::string selected() {
        for (const auto& each : navigation_->draw(size).lines)
            if (each.ground == ScreenLine::Ground::selected) return each.text();
        return {};
    }

    ScreenSize size{24, 80};

  private:
    BrowsedProfile profile_;
    std::optional<Navigation> navigation_;
};

TEST(Browsing, begins_with_the_functions_by_self_cost) {
    Person person;
    EXPECT_THAT(person.line(0), HasSubstr("Ir 100"));
    EXPECT_EQ(person.line(2), " *self  inclusive  called  function");
    EXPECT_EQ(person.line(3), "60.00%     80.00%       2  work  a.c");
    EXPECT_EQ(person.line(4), "30.00%     30.00%       5  idle  a.c");
    EXPECT_EQ(person.selected(), person.line(3));
    EXPECT_TRUE(person.ends_by(U'q'));
}

TEST(Browsing, sorts_and_switches_to_numbers) {
    Person person;
    person.type("o");
    EXPECT_EQ(person.line(3), "10.00%     100.00%       0  main  a.c");
    person.type("%");
    EXPECT_EQ(person.line(3), "  10         100       0  main  a.c");
}

TEST(Browsing, searches_while_it_is_typed) {
    Person person;
    person.type("/ma");
    EXPECT_THAT(person.selected(), HasSubstr("main"));
    person.press(Key::Kind::escape);
    EXPECT_THAT(person.selected(), HasSubstr("work"));
    person.type("/i");
    person.press(Key::Kind::enter);
    EXPECT_THAT(person.selected(), HasSubstr("idle"));
    person.type("n");
    EXPECT_THAT(person.selected(), HasSubstr("main"));
    person.type("n");
    EXPECT_THAT(person.selected(), HasSubstr("idle"));
    person.type("/nothing");
    person.press(Key::Kind::enter);
    EXPECT_THAT(person.last_line(), HasSubstr("'nothing' is in no row"));
}

TEST(Browsing, filters_and_says_what_is_wrong_with_a_pattern) {
    Person person;
    person.type("Hwork");
    person.press(Key::Kind::enter);
    EXPECT_THAT(person.line(0), HasSubstr("hide 'work'"));
    EXPECT_THAT(person.screen(), Not(HasSubstr("work  a.c")));
    person.type("F/(/");
    person.press(Key::Kind::enter);
    EXPECT_THAT(person.last_line(), HasSubstr("invalid pattern"));
    person.type("R");
    EXPECT_THAT(person.screen(), HasSubstr("work  a.c"));
}

TEST(Browsing, goes_to_callers_and_callees_and_back) {
    Person person;
    person.press(Key::Kind::enter);
    EXPECT_EQ(person.line(3), "   80.00%      2    <- main  a.c");
    EXPECT_EQ(person.selected(), "   80.00%      2  work  a.c");
    EXPECT_EQ(person.line(6), "   20.00%      4    -> idle  a.c");
    person.press(Key::Kind::end);
    person.press(Key::Kind::enter);
    EXPECT_THAT(person.selected(), HasSubstr("30.00%      5  idle"));
    person.press(Key::Kind::backspace);
    EXPECT_THAT(person.selected(), HasSubstr("-> idle"));
    person.press(Key::Kind::backspace);
    EXPECT_THAT(person.line(2), HasSubstr("function"));
    person.press(Key::Kind::backspace);  // from the first list there is no way back
    EXPECT_THAT(person.line(3), HasSubstr("work"));
}

TEST(Browsing, opens_and_closes_branches_of_the_call_tree) {
    Person person;
    person.type("t");
    EXPECT_THAT(person.line(3), HasSubstr("- main"));
    EXPECT_THAT(person.line(4), HasSubstr("- work"));
    person.press(Key::Kind::enter);
    EXPECT_THAT(person.selected(), HasSubstr("+ main"));
    EXPECT_EQ(person.line(4), "");
    person.type("*");
    EXPECT_THAT(person.line(5), HasSubstr("idle"));
    person.press(Key::Kind::down);
    person.press(Key::Kind::down);
    person.press(Key::Kind::left);
    EXPECT_THAT(person.selected(), HasSubstr("work"));
    person.press(Key::Kind::left);
    EXPECT_THAT(person.selected(), HasSubstr("+ work"));
    person.type("v");
    EXPECT_THAT(person.line(2), HasSubstr("callers below"));
    EXPECT_THAT(person.line(3), HasSubstr("- work"));
    EXPECT_THAT(person.line(4), HasSubstr("main"));
}

TEST(Browsing, shows_source_with_costs_and_follows_calls) {
    Person person;
    person.type("s");
    EXPECT_EQ(person.selected(), "60.00%     5  void work() {");
    EXPECT_EQ(person.line(9), "20.00%          => idle (4x)  a.c");
    person.press(Key::Kind::down);
    person.press(Key::Kind::down);
    person.press(Key::Kind::enter);
    EXPECT_THAT(person.selected(), HasSubstr("void idle() {}"));
    person.type("c");
    EXPECT_THAT(person.selected(), HasSubstr("idle"));
    EXPECT_THAT(person.line(2), HasSubstr("inclusive"));
}

TEST(Browsing, measures_by_another_event_type_and_stays_at_the_function) {
    Person person;
    person.press(Key::Kind::down);
    person.type("e");
    person.press(Key::Kind::down);
    EXPECT_THAT(person.selected(), HasSubstr("Dr"));
    person.press(Key::Kind::enter);
    EXPECT_THAT(person.line(0), HasSubstr("Dr 10"));
    EXPECT_THAT(person.selected(), HasSubstr("idle"));
}

TEST(Browsing, shows_what_changed) {
    std::string before = profile_text;
    before.replace(before.find("5 60"), 4, "5 50");
    Person person(profile_text, before);
    person.type("d");
    EXPECT_EQ(person.line(3), "55.56%  60.00%     +10   +20.00%  work  a.c");
    EXPECT_THAT(person.last_line(), HasSubstr("total 90 before, 100 after (+11.11%)"));
    person.press(Key::Kind::enter);
    EXPECT_THAT(person.selected(), HasSubstr("+10"));
    Person alone;
    alone.type("d");
    EXPECT_THAT(alone.last_line(), HasSubstr("--diff OLD"));
}

TEST(Browsing, takes_clicks) {
    Person person;
    person.click(4, 10);
    EXPECT_THAT(person.selected(), HasSubstr("idle"));
    person.click(4, 10);
    EXPECT_THAT(person.line(2), HasSubstr("inclusive  calls"));
    person.click(1, 0);
    EXPECT_THAT(person.line(2), HasSubstr("*self"));
    person.click(1, 25);
    EXPECT_THAT(person.line(2), HasSubstr("callees below"));
    person.click(100, 100);
}

TEST(Browsing, fits_any_size) {
    std::string text = "events: Ir\n";
    for (int i = 0; i < 300; ++i)
        text += "fn=function" + std::to_string(i) + "\n1 " + std::to_string(i + 1) + "\n";
    for (const ScreenSize size : {ScreenSize{0, 0}, {1, 1}, {3, 5}, {5, 20}, {24, 80}, {60, 200}}) {
        Person person(text);
        person.size = size;
        for (const auto* const keys : {"", "G", "t", "s", "e", "?", "/x"}) {
            person.type(keys);
            const auto screen = person.screen();
            EXPECT_EQ(static_cast<std::size_t>(std::count(screen.begin(), screen.end(), '\n')), size.rows);
            for (std::size_t begin = 0; begin < screen.size(); begin = screen.find('\n', begin) + 1)
                EXPECT_LE(engine::display_width(screen.substr(begin, screen.find('\n', begin) - begin)),
                          size.columns);
        }
    }
}

TEST(Browsing, scrolls_so_that_the_selected_row_is_seen) {
    std::string text = "events: Ir\n";
    for (int i = 0; i < 300; ++i) text += "fn=f" + std::to_string(i) + "\n1 1\n";
    Person person(text);
    for (const auto kind : {Key::Kind::page_down, Key::Kind::down, Key::Kind::end, Key::Kind::page_up,
                            Key::Kind::up, Key::Kind::wheel_down, Key::Kind::home}) {
        person.press(kind);
        EXPECT_NE(person.selected(), "");
    }
    person.press(Key::Kind::end);
    EXPECT_EQ(person.selected(), person.line(22));
}

TEST(Browsing, shows_no_control_characters) {
    Person person("events: Ir\nfn=a\x1b[2J\u202e\n1 1\n");
    for (const auto* const keys : {"", "c", "t", "s", "?"}) {
        person.type(keys);
        for (const char each : person.screen())
            EXPECT_TRUE(each == '\n' || static_cast<unsigned char>(each) >= 0x20);
        EXPECT_THAT(person.screen(), Not(HasSubstr("\u202e")));
    }
}

TEST(Browsing, shows_no_characters_that_terminals_measure_differently) {
    Person person("events: Ir\nfn=a\u200d\u2764\ufe0fb\n1 1\n");
    EXPECT_EQ(person.selected(), "100.00%  a\u2764b");
}

TEST(Browsing, breaks_what_is_too_long_for_the_last_line) {
    Person person;
    person.size = {24, 40};
    person.type("d");
    EXPECT_EQ(person.line(22), "there is nothing to compare with:");
    EXPECT_EQ(person.last_line(), "callcost browse NEW --diff OLD");
    person.press(Key::Kind::down);
    EXPECT_THAT(person.line(22), Not(HasSubstr("nothing")));
}

TEST(Browsing, sorts_by_what_the_profile_has) {
    Person person("events: Ir\nfn=a\n1 1\nfn=b\n1 2\n", std::nullopt, SortBy::inclusive);
    EXPECT_EQ(person.line(2), " *self  function");
    EXPECT_THAT(person.selected(), HasSubstr("b"));
    person.type("o");
    EXPECT_EQ(person.line(2), "  self  *function");
    person.type("o");
    EXPECT_EQ(person.line(2), " *self  function");
}

TEST(Browsing, keeps_a_formula_among_the_event_types) {
    Person person(profile_text, std::nullopt, SortBy::self, "Ir + 10 Dr");
    EXPECT_THAT(person.line(0), HasSubstr("Ir + 10 Dr 200"));
    person.type("e");
    EXPECT_THAT(person.selected(), HasSubstr("Ir + 10 Dr"));
    person.press(Key::Kind::home);
    person.press(Key::Kind::enter);
    EXPECT_THAT(person.line(0), HasSubstr("Ir 100"));
    person.type("e");
    EXPECT_THAT(person.screen(), HasSubstr("Ir + 10 Dr"));
}

TEST(Browsing, takes_a_profile_without_anything) {
    Person person("events: Ir\n");
    for (const char* key = "fctsde?oFx%nN*vRh"; *key != '\0'; ++key) person.type(std::string(1, *key));
    person.press(Key::Kind::enter);
    person.press(Key::Kind::end);
    EXPECT_NE(person.screen(), "");
}

}  // namespace
}  // namespace callcost::program
