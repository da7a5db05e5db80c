#include "recording/written_files.hpp"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/program/input/temporary_directory.hpp"

namespace callcost::program {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(WrittenFiles, HaveTheProcessInTheirNames) {
    EXPECT_EQ(process_of_file("a/callgrind.out.12", "a/callgrind.out."), 12);
    EXPECT_EQ(process_of_file("o.12.3", "o."), 12);
    EXPECT_EQ(process_of_file("o.12-04", "o."), 12);
    EXPECT_EQ(process_of_file("o.12.3-04", "o."), 12);
    EXPECT_EQ(process_of_file("o.12.old", "o."), 0);
    EXPECT_EQ(process_of_file("o.12a", "o."), 0);
    EXPECT_EQ(process_of_file("o.", "o."), 0);
    EXPECT_EQ(process_of_file("o.x", "o."), 0);
    EXPECT_EQ(process_of_file("other.12", "o."), 0);
    EXPECT_EQ(process_of_file("o.99999999999999999999", "o."), 0);
}

TEST(WrittenFiles, AreThoseOfTheProcesses) {
    const test::TemporaryDirectory directory;
    for (const auto* name : {"o.12", "o.12.10", "o.12.2", "o.13", "o.14", "p.12"}) directory.write(name);
    EXPECT_THAT(written_files(directory.path("o."), {12, 13, 15}),
                ElementsAre(Pair(12, ElementsAre(directory.path("o.12"), directory.path("o.12.2"),
                                                 directory.path("o.12.10"))),
                            Pair(13, ElementsAre(directory.path("o.13")))));
}

TEST(WrittenFiles, AreNotEmpty) {
    const test::TemporaryDirectory directory;
    for (const auto* name : {"o.1", "o.2", "o.3"}) directory.write(name, "");
    for (const auto* name : {"o.2.1", "o.3-01", "o.3-02"}) directory.write(name, "cost");
    EXPECT_THAT(written_files(directory.path("o."), {1, 2, 3}),
                ElementsAre(Pair(2, ElementsAre(directory.path("o.2"))),
                            Pair(3, ElementsAre(directory.path("o.3-01"), directory.path("o.3-02")))));
    EXPECT_FALSE(std::filesystem::exists(directory.path("o.1")));
    EXPECT_EQ(std::filesystem::file_size(directory.path("o.2")), 4U);
    EXPECT_FALSE(std::filesystem::exists(directory.path("o.2.1")));
    EXPECT_TRUE(std::filesystem::exists(directory.path("o.3")));  // which says that there are others
}

TEST(WrittenFiles, AreNoneInADirectoryThatThereIsNot) {
    EXPECT_TRUE(written_files("/no/such/o.", {1}).empty());
}

TEST(WrittenFiles, AreRenamedWithTheirNumbers) {
    const test::TemporaryDirectory directory;
    std::vector<std::string> files{directory.write("o.12"), directory.write("o.12-03")};
    directory.write("o", "before");
    EXPECT_EQ(rename_files(files, directory.path("o."), 12, directory.path("o")), "");
    EXPECT_THAT(files, ElementsAre(directory.path("o"), directory.path("o-03")));
    EXPECT_EQ(std::filesystem::file_size(directory.path("o")), 1U);
    EXPECT_NE(rename_files(files, directory.path("o."), 12, directory.path("no/such")), "");
}

TEST(WrittenFiles, AreRenamedWithTheEmptyOneBesideThem) {
    const test::TemporaryDirectory directory;
    directory.write("o.12", "");
    std::vector<std::string> files{directory.write("o.12-01"), directory.write("o.12-02")};
    EXPECT_EQ(rename_files(files, directory.path("o."), 12, directory.path("o")), "");
    EXPECT_THAT(files, ElementsAre(directory.path("o-01"), directory.path("o-02")));
    EXPECT_TRUE(std::filesystem::exists(directory.path("o")));
    EXPECT_FALSE(std::filesystem::exists(directory.path("o.12")));
}

}  // namespace
}  // namespace callcost::program
