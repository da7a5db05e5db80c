#include "server/live_profile.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit/program/input/temporary_directory.hpp"

namespace {

using callcost::program::LiveProfile;
using callcost::test::TemporaryDirectory;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class ALiveProfile : public testing::Test {
  protected:
    ALiveProfile() { write("old"); }

    void write(const std::string& name) {
        directory_.write("callgrind.out", "version: 1\nevents: Ir\nfn=" + name + "\n1 5\n");
    }
    callcost::program::PageOptions options() {
        callcost::program::PageOptions options;
        options.input.files = {directory_.path("callgrind.out")};
        return options;
    }
    std::string ask(const std::string& question) {
        return profile_.answer(question, [] { return true; });
    }

    TemporaryDirectory directory_;
    LiveProfile profile_{options(), {}};
};

TEST_F(ALiveProfile, answers_none_who_have_gone_while_it_is_read) {
    EXPECT_THAT(profile_.answer(R"({"ask":"profile"})", [] { return false; }), IsEmpty());
    EXPECT_THAT(profile_.answer(R"({"ask":"reload"})", [] { return false; }), IsEmpty());
    EXPECT_THAT(ask(R"({"ask":"status"})"), StartsWith(R"({"generation":0,)"));
    ASSERT_TRUE(profile_.read().has_value());
    EXPECT_THAT(profile_.answer(R"({"ask":"profile"})", [] { return false; }), IsEmpty());
    EXPECT_THAT(ask(R"({"ask":"profile"})"), StartsWith(R"({"generation":1,"protocol":1)"));
}

TEST_F(ALiveProfile, refuses_questions_about_what_was_read_before) {
    ASSERT_TRUE(profile_.read().has_value());
    const std::string about_first = R"({"ask":"functions","generation":1})";
    EXPECT_THAT(ask(about_first), HasSubstr("old"));
    write("new");
    EXPECT_THAT(ask(R"({"ask":"reload","generation":1})"), StartsWith(R"({"generation":2,)"));
    EXPECT_THAT(ask(about_first), StartsWith(R"({"error":{"id":"stale")"));
    EXPECT_THAT(ask(R"({"ask":"functions","generation":2})"), HasSubstr("new"));
    EXPECT_THAT(ask(R"({"ask":"functions"})"), HasSubstr("new"));
    EXPECT_THAT(ask(R"({"ask":"functions","generation":"1"})"), Not(HasSubstr("stale"))) << "no number";
}

TEST_F(ALiveProfile, does_not_wait_for_what_has_taken_the_place_of_its_file) {
    ASSERT_TRUE(profile_.read().has_value());
    const auto file = directory_.path("callgrind.out");
    const auto asked_again = [&] { return ask(R"({"ask":"reload"})"); };
    ASSERT_EQ(::unlink(file.c_str()), 0);
    ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
    EXPECT_THAT(asked_again(), StartsWith(R"({"error":{"id":"cannot-read")"));
    ASSERT_EQ(::unlink(file.c_str()), 0);
    ASSERT_EQ(::symlink("/dev/zero", file.c_str()), 0);
    EXPECT_THAT(asked_again(), StartsWith(R"({"error":{"id":"cannot-read")"));
    EXPECT_THAT(ask(R"({"ask":"functions"})"), HasSubstr("old")) << "what was read stays";
    ASSERT_EQ(::unlink(file.c_str()), 0);
    write("new");
    EXPECT_THAT(asked_again(), StartsWith(R"({"generation":2,)"));
}

/// What a run of this process has written, which is about to be renamed.
class ALiveProfileOfARun : public ALiveProfile {
  protected:
    callcost::program::LiveControl control_{
        callcost::program::started_callgrind(::getpid(), "./program", directory_.path("callgrind.out"))};
    LiveProfile run_{{}, {}, &control_};

    std::string ask_run(const std::string& question) {
        return run_.answer(question, [] { return true; });
    }
};

TEST_F(ALiveProfileOfARun, goes_on_with_the_names_that_its_files_get) {
    ASSERT_TRUE(run_.read().has_value());
    EXPECT_THAT(ask_run(R"({"ask":"status"})"),
                HasSubstr(R"("changed":false,"new_files":[],"live":{"process")"));
    {
        const std::lock_guard held(control_.files_mutex());
        ASSERT_EQ(::rename(directory_.path("callgrind.out").c_str(), directory_.path("profile").c_str()), 0);
        EXPECT_THAT(ask_run(R"({"ask":"status"})"), HasSubstr(R"("changed":false,"new_files":[])"))
            << "while they are moved";
        control_.set_dumps({directory_.path("profile")});
    }
    EXPECT_THAT(ask_run(R"({"ask":"status"})"), HasSubstr(R"("changed":true)"));
    EXPECT_THAT(ask_run(R"({"ask":"reload"})"), HasSubstr(directory_.path("profile")));
    EXPECT_THAT(ask_run(R"({"ask":"status"})"), HasSubstr(R"("changed":false,"new_files":[])"));
}

TEST_F(ALiveProfileOfARun, is_not_that_of_another_run_if_it_has_written_nothing) {
    ASSERT_EQ(::unlink(directory_.path("callgrind.out").c_str()), 0);
    EXPECT_FALSE(run_.read().has_value());
}

TEST_F(ALiveProfileOfARun, says_so_if_there_will_be_none) {
    std::jthread waiting([&] {
        EXPECT_THAT(ask_run(R"({"ask":"profile"})"),
                    StartsWith(R"({"error":{"id":"cannot-read","message":"none")"));
    });
    run_.give_up("none", "no hint");
    waiting.join();
    EXPECT_THAT(ask_run(R"({"ask":"status"})"), StartsWith(R"({"generation":0,)"));
}

void wait_for(const std::function<bool()>& condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    while (!condition() && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_TRUE(condition());
}

// A reading ends when no question is being answered any more, so one that waits for a disassembler holds it.
TEST(LiveProfileOfSeveralClients, is_read_once_for_all_who_ask_for_it) {
    const TemporaryDirectory directory;
    const auto objdump = directory.write("objdump", "#!/bin/sh\nexec sleep 600\n");
    ASSERT_EQ(::chmod(objdump.c_str(), 0700), 0);
    const std::string program = CALLCOST_TEST_PROFILES "/../golden/asm_program";
    callcost::program::PageOptions options;
    options.input.files = {program + "/loop.out"};
    options.sources.source_map = {{"/home/user/src", program}};
    options.sources.disassembler = objdump;
    LiveProfile profile(options, {});
    ASSERT_TRUE(profile.read().has_value());
    const auto ask = [&](const std::string& question) {
        return profile.answer(question, [] { return true; });
    };
    const auto found = ask(R"({"ask":"find","name":"twice"})");
    const auto about_code = R"({"ask":"instructions","id":)" + found.substr(found.find(':') + 1);

    std::atomic<bool> is_held = true;
    std::atomic<int> polled = 0;
    std::jthread question([&] {
        (void)profile.answer(about_code, [&] {
            ++polled;
            return is_held.load();
        });
    });
    wait_for([&] { return polled > 2; });  // not only before it begins

    constexpr std::size_t clients = 5;
    std::array<std::atomic<bool>, clients> is_waiting{};
    std::array<std::string, clients> answers;
    {
        std::vector<std::jthread> reloads;
        for (std::size_t i = 0; i < clients; ++i)
            reloads.emplace_back([&, i] {
                answers[i] = profile.answer(R"({"ask":"reload"})", [&, i] {
                    is_waiting[i] = true;
                    return true;
                });
            });
        // One reads, and the others wait for it.
        wait_for([&] { return std::count(is_waiting.begin(), is_waiting.end(), true) == clients - 1; });
        EXPECT_THAT(ask(R"({"ask":"status"})"), StartsWith(R"({"generation":1,)"));
        is_held = false;
    }
    EXPECT_THAT(answers, testing::Each(StartsWith(R"({"generation":2,)")));
    EXPECT_THAT(ask(R"({"ask":"status"})"), StartsWith(R"({"generation":2,)"));
}

}  // namespace
