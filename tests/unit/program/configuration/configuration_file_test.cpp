#include "configuration/configuration_file.hpp"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit/library/base/without_root.hpp"
#include "unit/program/input/temporary_directory.hpp"

namespace callcost::program {
namespace {

namespace fs = std::filesystem;

using testing::HasSubstr;

/// A project that the test works in, with a directory `a/b`; `.git` ends the search.
class ConfigurationFile : public testing::Test {
  protected:
    void SetUp() override {
        fs::create_directories(root() / "a/b");
        fs::create_directory(root() / ".git");
        fs::current_path(root() / "a/b");
    }
    void TearDown() override { fs::current_path(before_); }

    [[nodiscard]] fs::path root() const { return directory_.path(); }

    test::TemporaryDirectory directory_;

  private:
    fs::path before_ = fs::current_path();
};

std::string read_error() {
    const auto read = read_configuration();
    return read ? "(none)" : read.error().text();
}

TEST_F(ConfigurationFile, IsSearchedUpwardToTheRepository) {
    EXPECT_EQ(find_configuration(), std::nullopt);
    EXPECT_TRUE(read_configuration()->path.empty());
    (void)directory_.write("callcost.toml", "");
    EXPECT_EQ(find_configuration(), "../../callcost.toml");
    (void)directory_.write("a/callcost.toml", "");
    EXPECT_EQ(find_configuration(), "../callcost.toml");
    fs::current_path(root());
    EXPECT_EQ(find_configuration(), "callcost.toml");
}

TEST_F(ConfigurationFile, IsNotSearchedAboveARepository) {
    (void)directory_.write("callcost.toml", "");
    fs::create_directory(root() / "a/.git");
    EXPECT_EQ(find_configuration(), std::nullopt);
    (void)directory_.write("a/callcost.toml", "");
    EXPECT_EQ(find_configuration(), "../callcost.toml") << "beside .git";
}

TEST_F(ConfigurationFile, IsNotThatOfAnotherUserWhereEverybodyMayWrite) {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
    const auto path = directory_.write("callcost.toml", "");
    constexpr uid_t other = 65'534;
    ASSERT_EQ(::chown(path.c_str(), other, other), 0);
    EXPECT_EQ(find_configuration(), "../../callcost.toml") << "a checkout of somebody else";
    ASSERT_EQ(::chmod(root().c_str(), 01777), 0);
    EXPECT_EQ(find_configuration(), std::nullopt);
}

TEST_F(ConfigurationFile, MustBeAFile) {
    fs::create_directory(root() / "callcost.toml");
    EXPECT_EQ(read_error(), "../../callcost.toml: is a directory, not a regular file");
    fs::remove(root() / "callcost.toml");
    ASSERT_EQ(::mkfifo((root() / "callcost.toml").c_str(), 0600), 0);
    EXPECT_EQ(read_error(), "../../callcost.toml: is a named pipe, not a regular file");
    fs::remove(root() / "callcost.toml");
    fs::create_symlink("nowhere", root() / "callcost.toml");
    EXPECT_EQ(read_error(), "../../callcost.toml: is a symbolic link to a file that does not exist");
}

TEST_F(ConfigurationFile, MustBeReadable) {
    const auto path = directory_.write("callcost.toml", "");
    ASSERT_EQ(::chmod(path.c_str(), 0), 0);
    const test::WithoutRoot without_root(directory_.path());
    EXPECT_EQ(read_error(), "../../callcost.toml: Permission denied");
}

TEST_F(ConfigurationFile, MustNotBeHuge) {
    (void)directory_.write("callcost.toml", std::string(100'000, '#'));
    EXPECT_THAT(read_error(), HasSubstr("larger than 64000 bytes"));
}

}  // namespace
}  // namespace callcost::program
