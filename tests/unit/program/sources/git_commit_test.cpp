// A repository with two commits, and what of them is found under the names that profiles have.
#include "sources/git_commit.hpp"

#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sources/program.hpp"
#include "unit/program/input/temporary_directory.hpp"

namespace {

using callcost::program::GitCommit;
using callcost::program::NoSource;
using callcost::program::run_program;
using callcost::test::TemporaryDirectory;
using testing::HasSubstr;

class GitCommits : public testing::Test {
  protected:
    void SetUp() override {
        if (!git({"init", "-q"})) GTEST_SKIP() << "no git";
        std::filesystem::create_directories(directory_.path("src/inner"));
        std::filesystem::create_directories(directory_.path("other"));
        directory_.write("src/a.c", "first\n");
        directory_.write("src/inner/a.c", "inner\n");
        directory_.write("src/same.c", "one\n");
        directory_.write("other/same.c", "two\n");
        directory_.write("src/binary.c", std::string("a\0b", 3));
        std::filesystem::create_symlink("/etc/passwd", directory_.path("src/link.c"));
        commit();
        directory_.write("src/a.c", "second\n");
        commit();
        std::filesystem::current_path(directory_.path("src"));
    }
    void TearDown() override { std::filesystem::current_path(before_); }

    bool git(std::vector<std::string> words) const {
        const auto top = directory_.path("");
        words.insert(words.begin(), {"git", "-C", top, "-c", "user.name=a", "-c", "user.email=a@b", "-c",
                                     "commit.gpgsign=false"});
        const auto output = run_program(words, {});
        return output && !output->has_failed;
    }
    void commit() const {
        ASSERT_TRUE(git({"add", "-A"}));
        ASSERT_TRUE(git({"commit", "-q", "-m", "a commit"}));
    }

    TemporaryDirectory directory_;
    std::filesystem::path before_ = std::filesystem::current_path();
};

std::string text(const GitCommit& commit, std::string_view name) {
    const auto found = commit.find(name);
    if (found) return found->text();
    return found.error().reason == NoSource::ambiguous ? "(ambiguous)"
           : found.error().reason == NoSource::binary  ? "(binary)"
                                                       : "(missing)";
}

TEST_F(GitCommits, have_the_text_that_files_had_then) {
    const auto old = GitCommit::open("HEAD~1"), now = GitCommit::open("HEAD");
    ASSERT_TRUE(old && now);
    const auto recorded = directory_.path("src/a.c");
    EXPECT_EQ(text(*old, recorded), "first\n");
    EXPECT_EQ(text(*now, recorded), "second\n");
}

TEST_F(GitCommits, find_files_by_their_paths_in_the_repository) {
    const auto commit = GitCommit::open("HEAD");
    ASSERT_TRUE(commit);
    EXPECT_EQ(text(*commit, "/elsewhere/src/a.c"), "second\n") << "the path in the repository is its end";
    EXPECT_EQ(text(*commit, "/build/src/../src/./inner/a.c"), "inner\n");
    EXPECT_EQ(text(*commit, "a.c"), "second\n") << "relative to the working directory";
    EXPECT_EQ(text(*commit, "inner/a.c"), "inner\n");
    EXPECT_EQ(text(*commit, "same.c"), "one\n");
    EXPECT_EQ(text(*commit, "../other/same.c"), "two\n");
    EXPECT_EQ(text(*commit, "/usr/include/a.c"), "(missing)") << "another file of that name";
    EXPECT_EQ(text(*commit, "C:\\code\\src\\a.c"), "second\n");
    EXPECT_EQ(text(*commit, "binary.c"), "(binary)");
    std::filesystem::current_path(directory_.path("src/inner"));
    EXPECT_EQ(text(*GitCommit::open("HEAD"), "same.c"), "(ambiguous)");
}

TEST_F(GitCommits, give_hostile_names_nothing) {
    const auto commit = GitCommit::open("HEAD");
    ASSERT_TRUE(commit);
    for (const std::string name : {"", "/", "..", "--output=stolen", "-c", "$(touch stolen)",
                                   "`touch stolen`", "src/a.c\n--output=stolen", "HEAD:src/a.c", "link.c",
                                   "/etc/passwd", "../../../../../../etc/passwd", ".git/config"})
        EXPECT_EQ(text(*commit, name), "(missing)") << name;
    EXPECT_EQ(text(*commit, std::string_view("a.c\0", 4)), "(missing)");
    EXPECT_FALSE(std::filesystem::exists(directory_.path("src/stolen")));
}

TEST_F(GitCommits, are_commits) {
    for (const std::string name :
         {"", "--help", "-h", "--all", "HEAD:src", "HEAD^{tree}", "none", "HEAD --", "a..b"})
        EXPECT_FALSE(GitCommit::open(name)) << name;
    EXPECT_EQ(GitCommit::open("none").error(), "no such commit");
    std::filesystem::current_path("/");
    EXPECT_THAT(GitCommit::open("HEAD").error(), HasSubstr("not a git repository"));
}

}  // namespace
