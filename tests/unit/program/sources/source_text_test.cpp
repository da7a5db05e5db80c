#include "sources/source_text.hpp"

#include <chrono>
#include <cstring>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "unit/library/base/without_root.hpp"
#include "unit/program/input/temporary_directory.hpp"

namespace {

using callcost::program::FileTime;
using callcost::program::load_source;
using callcost::program::modification_time;
using callcost::program::NoSource;
using callcost::program::SourceText;
using callcost::test::TemporaryDirectory;

SourceText text_of(std::string text) { return {"x.c", FileTime(), std::move(text)}; }

TEST(SourceText, lines_are_counted_from_one) {
    const SourceText source = text_of("first\n\nthird");
    EXPECT_EQ(source.line_count(), 3U);
    EXPECT_EQ(source.line(1), "first");
    EXPECT_EQ(source.line(2), "");
    EXPECT_EQ(source.line(3), "third");
}

TEST(SourceText, a_line_that_is_not_there_is_empty) {
    const SourceText source = text_of("only\n");
    EXPECT_EQ(source.line_count(), 1U);
    EXPECT_EQ(source.line(0), "");
    EXPECT_EQ(source.line(2), "");
    EXPECT_EQ(source.line(UINT64_MAX), "");
}

TEST(SourceText, an_empty_file_has_no_lines) {
    EXPECT_EQ(text_of("").line_count(), 0U);
    EXPECT_EQ(text_of("\xef\xbb\xbf").line_count(), 0U);
    EXPECT_EQ(text_of("\n").line_count(), 1U);
}

TEST(SourceText, carriage_returns_and_the_byte_order_mark_are_no_text) {
    const SourceText source = text_of(
        "\xef\xbb\xbf"
        "a\r\nb\rc\r\n\r\nlast\r");
    EXPECT_EQ(source.line_count(), 4U);
    EXPECT_EQ(source.line(1), "a");
    EXPECT_EQ(source.line(2), "b\rc");
    EXPECT_EQ(source.line(3), "");
    EXPECT_EQ(source.line(4), "last");
}

TEST(SourceText, may_be_moved_and_copied) {
    SourceText first = text_of("short");
    const SourceText copy = first;
    const SourceText moved = std::move(first);
    EXPECT_EQ(copy.line(1), "short");
    EXPECT_EQ(moved.line(1), "short");
}

TEST(SourceText, is_newer_than_a_profile_that_was_written_before) {
    const TemporaryDirectory directory;
    const std::string path = directory.write("x.c", "int x;\n");
    const auto modified = modification_time(path);
    ASSERT_TRUE(modified);
    const auto source = load_source(path, 100);
    ASSERT_TRUE(source);
    EXPECT_EQ(source->modified(), *modified);
    EXPECT_FALSE(source->newer_than(*modified));
    EXPECT_TRUE(source->newer_than(*modified - std::chrono::nanoseconds(1)));
    EXPECT_FALSE(source->newer_than(*modified + std::chrono::hours(1)));
    EXPECT_EQ(modification_time(directory.path("missing")), std::nullopt);
}

/// The reason why a file is not read.
NoSource reason(const std::string& path, std::uint64_t max_bytes = 1000) {
    const auto source = load_source(path, max_bytes);
    EXPECT_FALSE(source) << path;
    return source ? NoSource::unnamed : source.error().reason;
}

TEST(LoadSource, a_regular_file_is_read_whole) {
    const TemporaryDirectory directory;
    const std::string text(100'000, 'x');
    const auto source = load_source(directory.write("a b\xff.c", text), 100'000);
    ASSERT_TRUE(source);
    EXPECT_EQ(source->text(), text);
    EXPECT_EQ(source->path(), directory.path("a b\xff.c"));
}

TEST(LoadSource, only_regular_files_are_read_and_nothing_is_waited_for) {
    const TemporaryDirectory directory;
    ASSERT_EQ(::mkfifo(directory.path("pipe").c_str(), 0600), 0);
    std::filesystem::create_symlink("/dev/zero", directory.path("link.c"));
    std::filesystem::create_symlink("loop.c", directory.path("loop.c"));
    for (const std::string& path :
         {directory.path(), directory.path("pipe"), directory.path("link.c"), std::string("/dev/zero"),
          std::string("/dev/null"), std::string("/dev/tty")})
        EXPECT_EQ(reason(path), NoSource::not_a_file) << path;
    EXPECT_EQ(reason(directory.path("missing")), NoSource::missing);
    EXPECT_EQ(reason(directory.path("loop.c")), NoSource::missing);
    EXPECT_EQ(reason(directory.write("file") + "/x"), NoSource::missing);
    EXPECT_EQ(reason(std::string(5000, 'x')), NoSource::missing);
}

TEST(LoadSource, a_socket_is_not_read) {
    const TemporaryDirectory directory;
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string path = directory.path("s");
    ASSERT_LT(path.size(), sizeof address.sun_path);
    std::memcpy(address.sun_path, path.data(), path.size());
    const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(reason(path), NoSource::not_a_file);
    ::close(socket);
}

TEST(LoadSource, the_kernels_answers_are_not_read) {
    for (const char* path : {"/proc/self/environ", "/proc/version", "/sys/kernel/uevent_seqnum"}) {
        if (std::filesystem::exists(path)) {
            EXPECT_EQ(reason(path), NoSource::not_a_file) << path;
        }
    }
    const TemporaryDirectory directory;
    std::filesystem::create_symlink("/proc/self/environ", directory.path("x.c"));
    EXPECT_EQ(reason(directory.path("x.c")), NoSource::not_a_file);
}

TEST(LoadSource, large_and_binary_files_are_refused) {
    const TemporaryDirectory directory;
    EXPECT_EQ(reason(directory.write("large.c", std::string(1001, 'x'))), NoSource::too_large);
    EXPECT_TRUE(load_source(directory.write("fits.c", std::string(1000, 'x')), 1000));
    EXPECT_EQ(reason(directory.write("a.out", std::string("\x7f"
                                                          "ELF\0",
                                                          5))),
              NoSource::binary);
    const std::string huge = directory.write("huge.c");
    std::filesystem::resize_file(huge, 6ULL << 30U);
    EXPECT_EQ(reason(huge, UINT64_MAX), NoSource::too_large);
}

TEST(LoadSource, an_unreadable_file_says_why) {
    const TemporaryDirectory directory;
    const std::string path = directory.write("x.c");
    std::filesystem::permissions(path, std::filesystem::perms::none);
    const callcost::test::WithoutRoot without_root(directory.path());
    const auto source = load_source(path, 1000);
    ASSERT_FALSE(source);
    EXPECT_EQ(source.error().reason, NoSource::unreadable);
    EXPECT_EQ(source.error().detail, "Permission denied");
}

}  // namespace
