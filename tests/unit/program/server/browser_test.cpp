#include "server/browser.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using callcost::program::browser_commands;
using callcost::program::start_first;
using testing::ElementsAre;

TEST(BrowserCommands, are_those_of_the_environment) {
    EXPECT_THAT(browser_commands("", "URL"), ElementsAre(ElementsAre("xdg-open", "URL")));
    EXPECT_THAT(browser_commands("firefox", "URL"), ElementsAre(ElementsAre("firefox", "URL")));
    EXPECT_THAT(browser_commands("/usr/bin/x --new  %s --last:w3m", "URL"),
                ElementsAre(ElementsAre("/usr/bin/x", "--new", "URL", "--last"), ElementsAre("w3m", "URL")));
    EXPECT_THAT(browser_commands(" : ::", "URL"), ElementsAre());
}

TEST(BrowserCommands, hold_no_words_of_a_shell) {
    EXPECT_THAT(browser_commands("a;b `c` $(d) 'e f'", "URL"),
                ElementsAre(ElementsAre("a;b", "`c`", "$(d)", "'e", "f'", "URL")));
}

TEST(StartFirst, passes_over_what_is_not_there) {
    EXPECT_FALSE(start_first({}));
    EXPECT_FALSE(start_first({{"/nosuch/browser", "URL"}}));
    EXPECT_TRUE(start_first({{"/nosuch/browser", "URL"}, {"true", "URL"}}));
}

}  // namespace
