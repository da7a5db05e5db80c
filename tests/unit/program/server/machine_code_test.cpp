#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "server/opened_profile.hpp"
#include "session/session.hpp"
#include "unit/program/input/temporary_directory.hpp"

namespace {

using callcost::test::TemporaryDirectory;
using testing::HasSubstr;
using testing::Not;

const std::string program_directory = CALLCOST_TEST_PROFILES "/../golden/asm_program";

/// A session about loop.out, with a disassembler that prints what is in att.txt.
callcost::engine::Session open_loop(const std::string& objdump) {
    callcost::program::PageOptions options;
    options.sources.source_map = {{"/home/user/src", program_directory}};
    options.sources.disassembler = objdump;
    auto opened = callcost::program::open_profile(options, {program_directory + "/loop.out"}, {});
    EXPECT_TRUE(opened.has_value());
    const auto profile = opened->recorded;
    const callcost::program::OpenedSides sides{*std::move(opened), std::nullopt, options, {}};
    return {profile, std::nullopt, callcost::program::host_of(sides, options)};
}

TEST(ThePage, gets_the_machine_code_of_a_function) {
    const TemporaryDirectory directory;
    const auto objdump = directory.write("objdump", "#!/bin/sh\ncat '" + program_directory + "/att.txt'\n");
    ::chmod(objdump.c_str(), 0755);
    auto session = open_loop(objdump);
    EXPECT_THAT(session.answer(R"({"ask":"find","name":"twice"})"), Not(HasSubstr("null")));
    const auto found = session.answer(R"({"ask":"find","name":"twice"})");
    const auto id = found.substr(found.find(':') + 1);
    const auto answer = session.answer(R"({"ask":"instructions","id":)" + id);
    EXPECT_THAT(answer, HasSubstr(R"("text":"lea (%rdi,%rdi,1),%eax")"));
    EXPECT_THAT(answer, HasSubstr("/asm_program/loop"));
}

TEST(ThePage, is_told_why_there_is_no_machine_code) {
    auto session = open_loop("/no/such/objdump");
    const auto answer = session.answer(R"({"ask":"instructions","id":0})");
    EXPECT_THAT(answer, HasSubstr("'/no/such/objdump' cannot be run"));
}

}  // namespace
