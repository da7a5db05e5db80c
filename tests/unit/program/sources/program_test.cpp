#include "sources/program.hpp"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <string>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "unit/program/input/temporary_directory.hpp"

namespace {

using callcost::program::ProgramOutput;
using callcost::program::run_program;

ProgramOutput shell(const std::string& script, const callcost::program::ProgramLimits& limits = {}) {
    auto output = run_program({"sh", "-c", script}, limits);
    EXPECT_TRUE(output.has_value());
    return output.value_or(ProgramOutput{});
}

TEST(RunProgram, takes_what_is_printed) {
    const auto output = shell("echo out; echo err >&2; exit 3");
    EXPECT_EQ(output.text, "out\n");
    EXPECT_EQ(output.errors, "err\n");
    EXPECT_TRUE(output.has_failed);
    EXPECT_FALSE(output.was_stopped);
    EXPECT_FALSE(shell("exit 0").has_failed);
    EXPECT_TRUE(shell("kill -9 $$").has_failed);
}

TEST(RunProgram, words_are_no_shell_words) {
    const auto output = run_program({"printf", "%s|", "$HOME; `id`", "a b", "", "-n", "\n"}, {});
    ASSERT_TRUE(output.has_value());
    EXPECT_EQ(output->text, "$HOME; `id`|a b||-n|\n|");
}

TEST(RunProgram, there_is_no_input_and_the_language_is_English) {
    ::setenv("LC_ALL", "de_DE.UTF-8", 1);
    ::setenv("DEBUGINFOD_URLS", "http://localhost:1/", 1);
    EXPECT_EQ(shell("cat; echo $LC_ALL,$DEBUGINFOD_URLS").text, "C,\n");
    ::unsetenv("LC_ALL");
    ::unsetenv("DEBUGINFOD_URLS");
}

TEST(RunProgram, files_of_ours_stay_with_us) {
    EXPECT_EQ(shell("ls /proc/self/fd | wc -l").text, "4\n") << "three and the directory";
}

TEST(RunProgram, says_why_there_is_no_program) {
    EXPECT_EQ(run_program({"/no/such/program"}, {}).error(), ENOENT);
    EXPECT_EQ(run_program({"callcost-has-no-such-program"}, {}).error(), ENOENT);
    EXPECT_EQ(run_program({"/etc/passwd"}, {}).error(), EACCES);
}

TEST(RunProgram, ends_what_prints_too_much) {
    const auto output = shell("yes; sleep 100", {.max_bytes = 100'000});
    EXPECT_TRUE(output.was_stopped);
    EXPECT_GE(output.text.size(), 100'000U);
    EXPECT_LT(output.text.size(), 1'000'000U);
    EXPECT_LE(shell("yes x | head -c 1000000 >&2").errors.size(), 4096U)
        << "of errors the beginning is enough";
}

TEST(RunProgram, can_survive_what_it_starts_itself) {
    const std::string script = "kill -PIPE $$; echo alive";
    EXPECT_EQ(shell(script).text, "");
    EXPECT_EQ(shell(script, {.survives_broken_pipes = true}).text, "alive\n");
}

TEST(RunProgram, reads_what_it_is_given) {
    const callcost::test::TemporaryDirectory directory;
    const int file = ::open(directory.write("input", "in\n").c_str(), O_RDONLY | O_CLOEXEC);
    ASSERT_GE(file, 0);
    EXPECT_EQ(shell("cat; echo out", {.input = file}).text, "in\nout\n");
    ::close(file);
}

TEST(RunProgram, ends_what_takes_too_long_with_all_that_it_started) {
    using namespace std::chrono_literals;
    const auto start = std::chrono::steady_clock::now();
    EXPECT_TRUE(shell("sleep 100 & sleep 100", {.max_time = 100ms}).was_stopped);
    EXPECT_TRUE(shell("exec >&- 2>&-; sleep 100", {.max_time = 100ms}).was_stopped)
        << "its output being closed";
    EXPECT_LT(std::chrono::steady_clock::now() - start, 20s);
}

TEST(RunProgram, ends_what_nobody_waits_for_any_more) {
    using namespace std::chrono_literals;
    const auto start = std::chrono::steady_clock::now();
    int looks = 0;
    callcost::program::ProgramLimits limits;
    limits.is_wanted = [&] { return ++looks < 3; };
    EXPECT_TRUE(shell("sleep 100", limits).was_stopped);
    EXPECT_TRUE(shell("yes > /dev/null", limits).was_stopped);
    EXPECT_EQ(shell("echo out").text, "out\n");
    EXPECT_LT(std::chrono::steady_clock::now() - start, 20s);
}

}  // namespace
