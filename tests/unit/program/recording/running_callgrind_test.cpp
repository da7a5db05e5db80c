// What is asked of callgrind_control, and what it says. With Valgrind itself: web/tests/browser/live.test.ts.
#include "recording/running_callgrind.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace callcost::program {
namespace {

using namespace std::string_view_literals;
using testing::ElementsAre;
using testing::SizeIs;

constexpr auto environment = "HOME=/root\0NAME=x y\0NAMED=other\0EMPTY=\0"sv;

std::optional<std::string> expanded(std::string_view text) { return expand_file_name(text, 42, environment); }

TEST(RunningCallgrind, has_a_file_named_as_valgrind_expands_it) {
    EXPECT_EQ(expanded("callgrind.out.%p"), "callgrind.out.42");
    EXPECT_EQ(expanded("/tmp/%p-%p%%p"), "/tmp/42-42%p");
    EXPECT_EQ(expanded("%q{NAME}.%q{EMPTY}%q{MISSING}out"), "x y.out");
    EXPECT_EQ(expanded("plain"), "plain");
    EXPECT_EQ(expanded(""), "");
}

TEST(RunningCallgrind, has_an_unknown_file_where_valgrind_would_refuse_or_knows_more) {
    for (const auto text : {"%", "out.%x", "%q", "%q{NAME", "%qNAME}", "out%"})
        EXPECT_EQ(expanded(text), std::nullopt) << text;
}

std::vector<std::string> names_of(const ThreadStack& stack) {
    std::vector<std::string> names;
    for (const auto& frame : stack.frames) names.push_back(frame.function);
    return names;
}

TEST(RunningCallgrind, has_a_stack_for_each_thread) {
    const auto stacks = parse_stacks(
        "PID 7: ./prog a\n\n"
        "  Frame: Backtrace for Thread 1\n"
        "   [ 0]  std::vector<int, (x)>::f(int (*)(int)) const (35,784 x)\n"
        "   [10]  main (1 x)\n"
        "   [11]  0x000000000001ab70\n"
        "\n"
        "  Frame: Backtrace for Thread 12\n"
        "   [ 0]  [ 3]  odd (x) (2 x)\n");
    EXPECT_TRUE(stacks.is_instrumented);
    ASSERT_THAT(stacks.threads, SizeIs(2));
    EXPECT_EQ(stacks.threads[0].thread, 1U);
    EXPECT_THAT(names_of(stacks.threads[0]),
                ElementsAre("std::vector<int, (x)>::f(int (*)(int)) const", "main", "0x000000000001ab70"));
    EXPECT_EQ(stacks.threads[0].frames[0].calls, "35784");
    EXPECT_EQ(stacks.threads[0].frames[2].calls, "");
    EXPECT_EQ(stacks.threads[1].thread, 12U);
    EXPECT_THAT(names_of(stacks.threads[1]), ElementsAre("[ 3]  odd (x)"));
}

TEST(RunningCallgrind, has_no_stacks_without_instrumentation) {
    const auto stacks =
        parse_stacks("PID 7: ./prog\n  No information available as instrumentation is switched off.\n\n");
    EXPECT_FALSE(stacks.is_instrumented);
    EXPECT_THAT(stacks.threads, SizeIs(0));
}

TEST(RunningCallgrind, may_say_anything) {
    for (const auto text :
         {"", "\n", "   [ 0]  f (1 x)\n", "Backtrace for Thread ", "Backtrace for Thread x\n  [",
          "Backtrace for Thread 1\n   [ 0]  \n   [ 1]  (1 x)\n"})
        (void)parse_stacks(text);
}

TEST(RunningCallgrind, is_meant_by_its_number_its_program_or_its_name) {
    const RunningCallgrind one{4194305, "./no/such/prog", "/tmp", "/tmp/callgrind.out.4194305", 1};
    EXPECT_TRUE(is_meant(one, "4194305"));
    EXPECT_TRUE(is_meant(one, "./no/such/prog"));
    EXPECT_TRUE(is_meant(one, "prog"));
    EXPECT_FALSE(is_meant(one, "419430"));
    EXPECT_FALSE(is_meant(one, "./prog"));
    EXPECT_FALSE(is_meant(one, "such/prog"));
    EXPECT_FALSE(one.is_running()) << "its number is greater than any process can have";
}

TEST(RunningCallgrind, is_meant_by_the_file_of_its_program) {
    const RunningCallgrind one{4194305, "self/exe", "/proc", "/tmp/callgrind.out.4194305", 1};
    EXPECT_TRUE(is_meant(one, "/proc/self/exe"));
    EXPECT_FALSE(is_meant(one, "/bin/sh"));
}

}  // namespace
}  // namespace callcost::program
