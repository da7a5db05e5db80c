#include "text/shell.hpp"

#include <gtest/gtest.h>

namespace {

using callcost::engine::quoted;
using callcost::engine::quoted_command;

TEST(Shell, words_are_quoted_where_they_are_not_plain) {
    EXPECT_EQ(quoted({"valgrind", "--a=b/c.%p"}), "valgrind --a=b/c.%p");
    EXPECT_EQ(quoted({"a b", "", "it's", "$(id)", "*"}), R"('a b' '' 'it'\''s' '$(id)' '*')");
}

TEST(Shell, a_command_in_a_sentence_has_one_kind_of_quotes) {
    EXPECT_EQ(quoted_command({"callcost", "info", "a.out"}), "'callcost info a.out'");
    EXPECT_EQ(quoted_command({"callcost", "info", "my run.out"}), "callcost info 'my run.out'");
}

}  // namespace
