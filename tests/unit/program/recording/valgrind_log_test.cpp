#include "recording/valgrind_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace callcost::program {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::string_view preamble =
    "==12== Callgrind, a call-graph generating cache profiler\n"
    "==12== Copyright (C) 2002-2017, and GNU GPL'd, by Josef Weidendorfer et al.\n"
    "==12== Using Valgrind-3.19.0 and LibVEX; rerun with -h for copyright info\n"
    "==12== Command: ./program a\\ b\n"
    "==12== Parent PID: 7\n"
    "==12== \n"
    "==12== For interactive control, run 'callgrind_control -h'.\n";

ValgrindLog log_with(std::string_view rest) { return understand_log(std::string(preamble).append(rest)); }

TEST(ValgrindLog, SaysWhatRanAndWhatItCost) {
    const auto log = log_with("==12== \n==12== Events    : Ir Bc\n==12== Collected : 125619 7\n==12== \n");
    EXPECT_EQ(log.version, "3.19.0");
    EXPECT_EQ(log.command, "./program a\\ b");
    EXPECT_EQ(log.parent, 7U);
    EXPECT_EQ(log.event, "Ir");
    EXPECT_EQ(log.cost, 125'619U);
    EXPECT_THAT(log.unknown_system_calls, IsEmpty());
    EXPECT_EQ(log.unknown_instruction, "");
    EXPECT_FALSE(log.cannot_write);
    EXPECT_FALSE(log.has_crashed);
}

TEST(ValgrindLog, HasNoCostBeforeTheProcessEnds) { EXPECT_EQ(log_with("").cost, std::nullopt); }

TEST(ValgrindLog, ReadsTheCostOfCachegrind) {
    EXPECT_EQ(understand_log("==22390== I   refs:      126,775\n").cost, 126'775U);
}

TEST(ValgrindLog, KnowsInstructionsThatValgrindDoesNot) {
    const auto log = log_with(
        "vex amd64->IR: unhandled instruction bytes: 0x62 0xF1 0x7C\n"
        "vex amd64->IR:   REX=0\n"
        "==12== valgrind: Unrecognised instruction at address 0x10912d.\n");
    EXPECT_EQ(log.unknown_instruction, "0x62 0xF1 0x7C");
    EXPECT_NE(
        understand_log("==1== valgrind: Unrecognised instruction at address 0x1.\n").unknown_instruction, "");
}

TEST(ValgrindLog, ListsSystemCallsThatValgrindDoesNotKnowOnce) {
    EXPECT_THAT(log_with("--12-- WARNING: unhandled amd64-linux syscall: 463\n"
                         "--12-- You may be able to write your own handler.\n"
                         "--12-- WARNING: unhandled amd64-linux syscall: 462\n"
                         "--12-- WARNING: unhandled amd64-linux syscall: 463\n")
                    .unknown_system_calls,
                ElementsAre(462, 463));
}

TEST(ValgrindLog, KnowsThatTheFileCannotBeWritten) {
    EXPECT_TRUE(
        log_with("==12== Error: can not open cache simulation output file `/no/o.12'\n").cannot_write);
}

TEST(ValgrindLog, KnowsThatValgrindFailed) {
    EXPECT_TRUE(log_with("valgrind: the 'impossible' happened:\n   Killed by fatal signal\n").has_crashed);
}

TEST(ValgrindLog, KeepsMessagesButNotTheBeginningOfEveryLog) {
    const auto log = log_with("==12== Something happened\n==12== \n--12-- and more\nvex: bare");
    EXPECT_THAT(log.messages, Not(HasSubstr("Copyright")));
    EXPECT_EQ(log.messages, "==12== Something happened\n--12-- and more\nvex: bare\n");
}

TEST(ValgrindLog, MayHaveTimes) {
    EXPECT_EQ(understand_log("==00:00:00:01.234 12== Collected : 7\n").cost, 7U);
}

TEST(ValgrindLog, IsEmptyIfThereIsNone) {
    const auto log = understand_log("");
    EXPECT_EQ(log.version, "");
    EXPECT_EQ(log.cost, std::nullopt);
}

TEST(ValgrindLog, IgnoresNumbersThatAreNone) {
    const auto log =
        understand_log("==1== Collected : x\n==1== Parent PID: -\n--1-- unhandled syscall: \n==1");
    EXPECT_EQ(log.cost, std::nullopt);
    EXPECT_EQ(log.parent, 0U);
    EXPECT_THAT(log.unknown_system_calls, IsEmpty());
}

}  // namespace
}  // namespace callcost::program
