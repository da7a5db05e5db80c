#include "terminal/terminal.hpp"

#include <gtest/gtest.h>

namespace callcost::program {
namespace {

ColorVariables with(ColorVariables variables) { return variables; }

TEST(Colour, the_option_comes_first) {
    ColorVariables variables;
    variables.no_color = "1";
    EXPECT_TRUE(wants_color(When::always, variables, false));
    variables = {};
    variables.clicolor_force = "1";
    EXPECT_FALSE(wants_color(When::never, variables, true));
}

TEST(Colour, no_color_beats_force) {
    ColorVariables variables;
    variables.no_color = "1";
    variables.clicolor_force = "1";
    EXPECT_FALSE(wants_color(When::automatic, variables, true));
    variables.no_color = "";
    EXPECT_TRUE(wants_color(When::automatic, variables, false)) << "empty means not set";
}

TEST(Colour, force_beats_the_device) {
    ColorVariables variables;
    variables.clicolor_force = "1";
    variables.term = "dumb";
    EXPECT_TRUE(wants_color(When::automatic, variables, false));
    variables.clicolor_force = "0";
    EXPECT_FALSE(wants_color(When::automatic, variables, true));
}

TEST(Colour, the_device_decides_in_the_end) {
    EXPECT_TRUE(wants_color(When::automatic, {}, true));
    EXPECT_FALSE(wants_color(When::automatic, {}, false));
    ColorVariables variables;
    variables.clicolor = "0";
    EXPECT_FALSE(wants_color(When::automatic, with(variables), true));
    variables.clicolor = "1";
    EXPECT_TRUE(wants_color(When::automatic, with(variables), true));
    variables.term = "dumb";
    EXPECT_FALSE(wants_color(When::automatic, with(variables), true));
}

TEST(Links, are_made_on_terminals_that_swallow_what_they_do_not_know) {
    EXPECT_TRUE(wants_links(When::automatic, {"xterm-256color", std::nullopt}, true));
    EXPECT_FALSE(wants_links(When::automatic, {"xterm-256color", std::nullopt}, false));
    EXPECT_FALSE(wants_links(When::automatic, {"xterm-256color", "more"}, true)) << "a pager would show them";
    EXPECT_FALSE(wants_links(When::automatic, {"dumb", std::nullopt}, true));
    EXPECT_FALSE(wants_links(When::automatic, {"linux", std::nullopt}, true));
    EXPECT_FALSE(wants_links(When::automatic, {}, true));
    EXPECT_TRUE(wants_links(When::always, {"dumb", "more"}, false));
    EXPECT_FALSE(wants_links(When::never, {"xterm-256color", std::nullopt}, true));
}

TEST(Links, lead_only_to_files_that_exist) {
    EXPECT_EQ(Links(true).url_of("/no/such/file.c", 3), "");
    EXPECT_EQ(Links(false).url_of(CALLCOST_TEST_PROFILES), "");
    const auto url = Links(true).url_of(CALLCOST_TEST_PROFILES "/MANIFEST.tsv", 3);
    EXPECT_EQ(url.substr(0, 7), "file://");
    EXPECT_NE(url.find("/MANIFEST.tsv#3"), std::string::npos);
}

TEST(Locale, the_first_variable_that_is_set_decides) {
    EXPECT_TRUE(is_utf8_locale("C.UTF-8", std::nullopt, std::nullopt));
    EXPECT_TRUE(is_utf8_locale(std::nullopt, "de_DE.utf8", "C"));
    EXPECT_FALSE(is_utf8_locale("C", "de_DE.utf8", "de_DE.utf8"));
    EXPECT_TRUE(is_utf8_locale("", "", "en_US.UTF-8")) << "empty means not set";
    EXPECT_FALSE(is_utf8_locale(std::nullopt, std::nullopt, std::nullopt));
}

}  // namespace
}  // namespace callcost::program
