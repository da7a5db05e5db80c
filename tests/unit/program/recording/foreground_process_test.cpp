#include "recording/foreground_process.hpp"

#include <csignal>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>
#include <unistd.h>

#include "unit/program/input/temporary_directory.hpp"

namespace callcost::program {
namespace {

EndedProcess run_shell(const std::string& text, const ForegroundWatch& watch = {}) {
    const auto ended = run_in_foreground({"sh", "-c", text}, watch);
    EXPECT_TRUE(ended);
    return *ended;
}

TEST(ForegroundProcess, EndsWithTheStatusOfTheProgram) {
    EXPECT_EQ(run_shell("exit 0").exit_status, 0);
    EXPECT_EQ(run_shell("exit 42").exit_status, 42);
    EXPECT_GT(run_shell("exit 0").process, 0);
}

TEST(ForegroundProcess, EndsWith128AndTheSignalThatEndedIt) {
    const auto ended = run_shell("kill -SEGV $$");
    EXPECT_EQ(ended.exit_status, 128 + SIGSEGV);
    EXPECT_EQ(ended.signal, SIGSEGV);
    EXPECT_FALSE(ended.was_interrupted);
}

TEST(ForegroundProcess, CanRunElsewhereAndWriteToFiles) {
    const test::TemporaryDirectory directory;
    const auto file = directory.write("out", "before\n");
    const auto ended = run_in_foreground({"sh", "-c", "pwd; echo no >&2"}, {},
                                         {.directory = directory.path(), .output = file, .errors = file});
    ASSERT_TRUE(ended);
    std::ifstream text(file);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(text), {}),
              "before\n" + directory.path() + "\nno\n");
    EXPECT_EQ(run_in_foreground({"true"}, {}, {.directory = directory.path("none")}).error(), ENOENT);
}

TEST(ForegroundProcess, MustBeFound) {
    EXPECT_EQ(run_in_foreground({"no-such-program"}, {}).error(), ENOENT);
}

TEST(ForegroundProcess, GetsTerminationThatIsMeantForUs) {
    const auto ended = run_shell("trap 'exit 7' TERM; kill -TERM $PPID; while :; do sleep 0.01; done");
    EXPECT_EQ(ended.exit_status, 7);
}

TEST(ForegroundProcess, IsWaitedForAfterAnInterrupt) {
    bool said = false;
    const auto ended =
        run_shell("trap '' INT; kill -INT $PPID; sleep 1.7; exit 3", {.on_waiting = [&] { said = true; }});
    EXPECT_EQ(ended.exit_status, 3);
    EXPECT_TRUE(ended.was_interrupted);
    EXPECT_FALSE(ended.was_killed);
    EXPECT_TRUE(said);
}

TEST(ForegroundProcess, IsKilledByASecondInterrupt) {
    pid_t asked = 0;
    const auto ended =
        run_shell("trap '' INT; kill -INT $PPID; sleep 0.2; kill -INT $PPID; while :; do sleep 0.01; done",
                  {.on_second_interrupt = [&](pid_t process) { asked = process; }});
    EXPECT_EQ(ended.exit_status, 128 + SIGKILL);
    EXPECT_TRUE(ended.was_killed);
    EXPECT_EQ(asked, ended.process);
}

TEST(ForegroundProcess, HasTheSignalMaskThatWeHadAndLeavesIt) {
    sigset_t before{}, after{};
    pthread_sigmask(SIG_SETMASK, nullptr, &before);
    EXPECT_EQ(run_shell("kill -TERM $$; exit 1").signal, SIGTERM);
    pthread_sigmask(SIG_SETMASK, nullptr, &after);
    EXPECT_EQ(sigismember(&before, SIGTERM), sigismember(&after, SIGTERM));
}

TEST(ForegroundProcess, StaysInOurGroup) {
    const auto group = std::to_string(::getpgrp());
    EXPECT_EQ(run_shell("set -- $(cut -d ')' -f 2 /proc/$$/stat); test $3 = " + group).exit_status, 0);
}

TEST(ForegroundProcess, TellsThatItGoesOn) {
    int ticks = 0;
    EXPECT_EQ(run_shell("sleep 1.2", {.on_tick = [&] { ++ticks; }}).exit_status, 0);
    EXPECT_GE(ticks, 2);
}

}  // namespace
}  // namespace callcost::program
