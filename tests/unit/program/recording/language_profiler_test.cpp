#include "recording/language_profiler.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace callcost::program {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Scripts : public testing::Test {
  public:
    Scripts(const Scripts&) = delete;
    Scripts& operator=(const Scripts&) = delete;

  protected:
    Scripts() {
        std::string path = testing::TempDir() + "callcost-scripts.XXXXXX";
        if (::mkdtemp(path.data()) == nullptr) ADD_FAILURE() << path;
        folder = path + "/";
    }
    ~Scripts() override {
        std::error_code ignored;
        std::filesystem::remove_all(folder, ignored);
    }

    std::string write(const std::string& name, const std::string& text, bool is_executable = false) const {
        std::ofstream(folder + name) << text;
        if (is_executable) std::filesystem::permissions(folder + name, std::filesystem::perms::owner_all);
        return folder + name;
    }

    std::string folder{};
};

TEST_F(Scripts, AreFoundByTheEndingOfTheirNames) {
    (void)write("a.py", "print(1)\n");
    (void)write("-b.mjs", "");
    const auto python = script_named("a.py", folder);
    ASSERT_TRUE(python);
    EXPECT_EQ(python->language, Language::python);
    EXPECT_EQ(python->path, "a.py");
    EXPECT_THAT(python->interpreter, ElementsAre("python3"));
    const auto javascript = script_named("-b.mjs", folder);
    ASSERT_TRUE(javascript);
    EXPECT_EQ(javascript->path, "./-b.mjs") << "no option of its interpreter";
    EXPECT_FALSE(script_named("c.rb", folder)) << "there is none";
    std::filesystem::create_directory(folder + "d.php");
    EXPECT_FALSE(script_named("d.php", folder)) << "a directory";
}

TEST_F(Scripts, HaveTheInterpreterOfTheirFirstLine) {
    const auto tool = write("tool", "#!/usr/bin/env -S perl -T\n", true);
    const auto perl = script_named(tool, {});
    ASSERT_TRUE(perl);
    EXPECT_EQ(perl->language, Language::perl);
    EXPECT_THAT(perl->interpreter, ElementsAre("/usr/bin/env", "-S", "perl", "-T"));
    const auto other = write("a.py", "#!/usr/bin/python3.11\n");
    EXPECT_THAT(script_named(other, {})->interpreter, ElementsAre("/usr/bin/python3.11"));
    EXPECT_FALSE(script_named(write("b.py", "#!/bin/sh\n", true), {})) << "a shell runs it";
    EXPECT_FALSE(script_named(write("c", "#!/usr/bin/env awk -f\n", true), {}));
    EXPECT_FALSE(script_named(write("d", "#!/usr/bin/perl\n"), {})) << "nothing that can be run";
    EXPECT_FALSE(script_named("true", {}));
}

TEST_F(Scripts, AreFoundBehindTheirInterpreter) {
    (void)write("a.py", "");
    EXPECT_EQ(script_among({"/usr/bin/python3.11", "-u", "a.py", "b.py"}, folder), "a.py");
    EXPECT_EQ(script_among({"python3", "-c", "b.py"}, folder), "");
    EXPECT_EQ(script_among({"node", "a.py"}, folder), "") << "of another language";
    EXPECT_EQ(script_among({"cat", "a.py"}, folder), "");
    EXPECT_EQ(script_among({"python3"}, folder), "");
}

Script script(Language language, const std::string& interpreter) {
    return {.language = language, .path = "./s", .interpreter = {interpreter}, .options = {}};
}

TEST(LanguageProfiler, IsStartedWithoutAShell) {
    const std::vector<std::string> program{"s", "--", "a b"};
    EXPECT_THAT(profiler_command(script(Language::javascript, "node"), "/t/", program),
                ElementsAre("node", "--cpu-prof", "--cpu-prof-dir=/t/", "./s", "--", "a b"));
    EXPECT_THAT(profiler_command(script(Language::perl, "perl"), "/a:b/", program),
                ElementsAre("env", "NYTPROF=file=/a\\:b/profile:addpid=0:sigexit=int", "perl", "-d:NYTProf",
                            "./s", "--", "a b"));
    EXPECT_THAT(profiler_command(script(Language::ruby, "ruby"), "/t/", program),
                ElementsAre("ruby", "-r/t/profile.rb", "./s", "--", "a b"));
    EXPECT_THAT(profiler_command(script(Language::python, "python3"), "/t/", program),
                ElementsAre("python3", "-c", HasSubstr("import cProfile"), "/t/profile", "./s", "--", "a b"));
    const auto php = profiler_command(script(Language::php, "php"), "/t/", program);
    EXPECT_THAT(php, testing::Contains("xdebug.output_dir='/t/'"));
    EXPECT_THAT(profiler_command(script(Language::php, "php"), "/a'b\"\\${HOME}/", program),
                testing::Contains("xdebug.output_dir='/a'\"'\"'b\"\\${HOME}/'"));
    EXPECT_EQ(php.back(), "a b");
}

TEST(LanguageProfiler, NamesThePackageOfWhatIsMissing) {
    auto missing = script(Language::ruby, "/no/such/ruby");
    const auto interpreter = find_profiler(missing, {});
    ASSERT_TRUE(interpreter);
    EXPECT_EQ(interpreter->message, "/no/such/ruby, the interpreter of ./s, was not found");
    EXPECT_THAT(interpreter->hint, HasSubstr("apt install ruby"));
    missing.interpreter = {"/usr/bin/env", "-S", "ruby9", "-w"};
    EXPECT_EQ(find_profiler(missing, {})->message, "ruby9, the interpreter of ./s, was not found");
    auto without = script(Language::php, "/bin/false");
    const auto profiler = find_profiler(without, {});
    ASSERT_TRUE(profiler);
    EXPECT_THAT(profiler->message, HasSubstr("Xdebug is not installed for /bin/false"));
    EXPECT_THAT(profiler->hint, HasSubstr("apt install php-xdebug"));
}

TEST_F(Scripts, LeaveTheProfilesOfTheirThreads) {
    (void)write("CPU.20260101.120000.77.1.002.cpuprofile", "thread");
    (void)write("CPU.20260101.120000.77.0.001.cpuprofile", "main");
    (void)write("CPU.20260101.120000.78.0.001.cpuprofile", "another process");
    std::string problem;
    const auto base = folder + "out.77";
    EXPECT_THAT(take_profiles(script(Language::javascript, "node"), folder, 77, base, problem),
                ElementsAre(base, base + "-01"));
    std::string text;
    std::getline(std::ifstream(base), text);
    EXPECT_EQ(text, "main");
    EXPECT_THAT(take_profiles(script(Language::php, "php"), folder, 77, base, problem), IsEmpty());
    EXPECT_EQ(problem, "");
    (void)write("callgrind.out.77.104", "thread");
    (void)write("callgrind.out.77", "main");
    EXPECT_THAT(take_profiles(script(Language::ruby, "ruby"), folder, 77, folder + "r", problem),
                ElementsAre(folder + "r", folder + "r-01"));
    std::getline(std::ifstream(folder + "r"), text);
    EXPECT_EQ(text, "main");
}

}  // namespace
}  // namespace callcost::program
