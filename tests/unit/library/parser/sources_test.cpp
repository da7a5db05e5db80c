// Where bytes come from: memory, with and without an owner, and files.
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "callcost/file.hpp"
#include "callcost/read.hpp"
#include "callcost/source.hpp"
#include "unit/library/base/without_root.hpp"

namespace callcost::test {
namespace {

/// All of it, by pieces of three bytes.
std::string bytes_of(const Source& source) {
    std::string all;
    std::vector<char> buffer(3);
    for (;;) {
        const auto size = source.read(buffer);
        if (!size || *size == 0) return all;
        all.append(buffer.data(), *size);
    }
}

TEST(Source, owns_a_string_that_is_moved_into_it) {
    std::string text = "the bytes of a file, too many to be held within a string object";
    const std::string expected = text;
    const Source source = from_memory(std::move(text), "name");
    text = std::string(200, 'x');
    EXPECT_EQ(source.name, "name");
    EXPECT_EQ(source.size, expected.size());
    const Source copy = source;
    EXPECT_EQ(bytes_of(source), expected);
    EXPECT_EQ(bytes_of(copy), expected) << "a copy reads for itself";
}

TEST(Source, reads_texts_that_live_elsewhere) {
    const std::string text = "text";
    EXPECT_EQ(bytes_of(from_memory(text)), "text");
    EXPECT_EQ(bytes_of(from_memory("literal")), "literal");
    EXPECT_EQ(bytes_of(from_memory(std::string_view("view"))), "view");
}

TEST(Source, of_a_file_has_its_name_size_and_bytes) {
    const std::string path = testing::TempDir() + "callcost-source-" + std::to_string(getpid());
    std::ofstream(path, std::ios::binary) << std::string_view("a\0b\r\n", 5);
    const auto source = from_file(path);
    ASSERT_TRUE(source) << source.error();
    EXPECT_EQ(source->name, path);
    EXPECT_EQ(source->size, 5U);
    std::filesystem::remove(path);  // it is open
    EXPECT_EQ(bytes_of(*source), std::string("a\0b\r\n", 5));
}

TEST(Source, of_a_file_that_cannot_be_read_is_the_systems_reason) {
    const auto missing = from_file("/nonexistent/file");
    ASSERT_FALSE(missing);
    EXPECT_EQ(to_string(missing.error()),
              "/nonexistent/file: error: cannot be opened: No such file or directory [cannot-open]");
    const auto folder = from_file("/");
    ASSERT_FALSE(folder);
    EXPECT_EQ(folder.error().message(), "cannot be opened: Is a directory");
    const auto profile = read_profile(from_file("/nonexistent/file"));
    ASSERT_FALSE(profile);
    EXPECT_EQ(profile.error().code, ErrorCode::cannot_open);
}

TEST(Source, of_compressed_data_says_so) {
    const std::string path = testing::TempDir() + "callcost-packed-" + std::to_string(getpid());
    for (const std::string_view front : {"\x1f\x8b\x08", "BZh9",
                                         "\xfd"
                                         "7zXZ",
                                         "\x28\xb5\x2f\xfd"}) {
        std::ofstream(path, std::ios::binary) << front << "and so on";
        const auto source = from_file(path);
        ASSERT_FALSE(source) << front;
        EXPECT_EQ(to_string(source.error()), path +
                                                 ": error: this file is compressed (decompress it first; "
                                                 "from_file does not) [not-a-profile]");
    }
    std::ofstream(path, std::ios::binary) << "BZ";
    EXPECT_TRUE(from_file(path));
    std::filesystem::remove(path);
}

TEST(Source, of_a_file_without_permission_says_so) {
    const std::string path = testing::TempDir() + "callcost-secret-" + std::to_string(getpid());
    std::ofstream(path) << "x";
    std::filesystem::permissions(path, std::filesystem::perms::none);
    const auto source = [&] {
        const WithoutRoot without_root(testing::TempDir());
        return from_file(path);
    }();
    std::filesystem::remove(path);
    ASSERT_FALSE(source);
    EXPECT_EQ(source.error().message(), "cannot be opened: Permission denied");
}

}  // namespace
}  // namespace callcost::test
