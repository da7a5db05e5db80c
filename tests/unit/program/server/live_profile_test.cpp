#include "server/live_profile.hpp"

#include <string>

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

}  // namespace
