#include "options/patterns.hpp"

#include <gtest/gtest.h>

#include <callcost/read.hpp>

namespace callcost::program {
namespace {

CallGraph graph_of_one(const std::string& object, const std::string& file, const std::string& name) {
    const std::string text = "events: Ir\nob=" + object + "\nfl=" + file + "\nfn=" + name + "\n1 1\n";
    return *call_graph(*read_profile(from_memory(text, "test")));
}

bool matches(std::string_view pattern, const CallGraph& graph, NameScope usual = NameScope::any) {
    const auto parsed = parse_pattern(pattern, usual);
    EXPECT_TRUE(parsed.has_value()) << pattern;
    return parsed && parsed->matches(names_of(graph, NodeId(std::size_t{0})));
}

TEST(Patterns, are_pieces_of_names_or_expressions_between_slashes) {
    const auto graph = graph_of_one("/lib/libc.so.6", "malloc/malloc.c", "_int_malloc");
    EXPECT_TRUE(matches("nt_mal", graph));
    EXPECT_FALSE(matches("^_int", graph)) << "no expression";
    EXPECT_TRUE(matches("/^_int.*c$/", graph));
    EXPECT_FALSE(matches("/^malloc$/", graph));
}

TEST(Patterns, are_about_one_name_if_they_say_so) {
    const auto graph = graph_of_one("/lib/libc.so.6", "malloc/arena.c", "_int_free");
    EXPECT_TRUE(matches("libc.so", graph));
    EXPECT_TRUE(matches("object:libc.so", graph));
    EXPECT_TRUE(matches("file:/arena[.]c$/", graph, NameScope::function) == matches("file:arena.c", graph));
    EXPECT_FALSE(matches("file:libc.so", graph));
    EXPECT_FALSE(matches("libc.so", graph, NameScope::function));
}

TEST(Patterns, leave_the_colons_of_a_name_alone) {
    const auto graph = graph_of_one("x", "y", "std::file::open");
    EXPECT_TRUE(matches("file::open", graph, NameScope::function));
}

TEST(Patterns, see_names_that_are_no_utf8_as_they_are_shown) {
    const auto graph = graph_of_one("x", "y", "caf\xe9");
    EXPECT_TRUE(matches("/^caf.$/", graph, NameScope::function));
    EXPECT_TRUE(matches("/caf\u00e9/", graph, NameScope::function));
}

TEST(Patterns, that_are_wrong_say_why) {
    EXPECT_EQ(parse_pattern("", NameScope::any).error().message, "the pattern is empty");
    EXPECT_NE(parse_pattern("/a(/", NameScope::any).error().message, "");
}

TEST(Patterns, take_linear_time) {
    const auto graph = graph_of_one("x", "y", std::string(100'000, 'a'));
    EXPECT_FALSE(matches("/(a*)*b$/", graph));
}

}  // namespace
}  // namespace callcost::program
