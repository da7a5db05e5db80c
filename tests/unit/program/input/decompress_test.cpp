#include <algorithm>
#include <array>
#include <chrono>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "input/decompressing_reader.hpp"
#include "input/open.hpp"
#include "unit/library/parser/sanitized.hpp"
#include "unit/program/input/compressed.hpp"
#include "unit/program/input/read_all.hpp"
#include "unit/program/input/temporary_directory.hpp"

namespace {

using callcost::ErrorCode;
using callcost::Source;
using callcost::program::Compression;
using callcost::program::detect_compression;
using callcost::program::open_source;
using callcost::test::compress;
using callcost::test::profile_text;
using callcost::test::read_all;
using callcost::test::TemporaryDirectory;

/// Every format, with and without a thread.
class Decompress : public testing::TestWithParam<std::tuple<Compression, bool>> {
  protected:
    [[nodiscard]] static std::string compressed(std::string_view text) {
        return compress(std::get<0>(GetParam()), text);
    }
    /// A Source over a file of these bytes.
    [[nodiscard]] Source open(std::string_view bytes) const {
        auto source = open_source(directory_.write("profile", bytes),
                                  {.decompress_on_thread = std::get<1>(GetParam())});
        if (!source) throw std::runtime_error("open_source failed");
        return std::move(*source);
    }

    TemporaryDirectory directory_;
};

std::string parameter_name(const testing::TestParamInfo<std::tuple<Compression, bool>>& info) {
    static constexpr std::array<const char*, 5> names{"none", "gzip", "bzip2", "xz", "zstd"};
    const auto [compression, on_thread] = info.param;
    return std::string(names[static_cast<std::size_t>(compression)]) +
           (on_thread ? "_on_a_thread" : "_in_place");
}

INSTANTIATE_TEST_SUITE_P(Formats, Decompress,
                         testing::Combine(testing::Values(Compression::gzip, Compression::bzip2,
                                                          Compression::xz, Compression::zstd),
                                          testing::Bool()),
                         parameter_name);

TEST_P(Decompress, yields_the_text) {
    for (const std::size_t size : {0U, 1U, 1000U, 128U * 1024U, 256U * 1024U, 3'000'000U}) {
        const std::string text = profile_text(size);
        const std::string bytes = compressed(text);
        for (const std::size_t buffer_size : {1000U, 100'000U, 1'000'000U}) {
            const auto all = read_all(open(bytes), buffer_size);
            EXPECT_FALSE(all.error);
            EXPECT_EQ(all.text, text);
        }
    }
}

TEST_P(Decompress, concatenated_members_are_one_text) {
    const std::string text = profile_text(400'000);
    std::string bytes;
    for (std::size_t start = 0; start < text.size(); start += 50'000)
        bytes += compressed(text.substr(start, 50'000));
    bytes += compressed("");
    const auto all = read_all(open(bytes));
    EXPECT_FALSE(all.error);
    EXPECT_EQ(all.text, text);
}

TEST_P(Decompress, thousands_of_tiny_members_are_one_text) {
    std::string text;
    std::string bytes;
    for (int i = 0; i < (callcost::test::is_sanitized ? 500 : 5000); ++i) {
        const std::string line = std::to_string(i) + " 1\n";
        text += line;
        if (i % 100 == 0)
            bytes += compressed(text.substr(text.size() - line.size()));
        else
            bytes += compressed(line);
    }
    EXPECT_EQ(read_all(open(bytes)).text, text);
}

TEST_P(Decompress, zeros_after_the_last_member_are_ignored) {
    for (const std::string& tail : {std::string(1, '\0'), std::string(300'000, '\0')}) {
        const auto all = read_all(open(compressed("events: Ir\n") + tail));
        EXPECT_FALSE(all.error);
        EXPECT_EQ(all.text, "events: Ir\n");
    }
}

TEST_P(Decompress, something_else_after_the_last_member_is_left_out_with_an_error) {
    for (const std::string& tail : {std::string("garbage"), std::string(10, '\0') + "garbage"}) {
        const auto all = read_all(open(compressed("events: Ir\n") + tail));
        EXPECT_EQ(all.text, "events: Ir\n");
        ASSERT_TRUE(all.error);
        EXPECT_EQ(all.error->code, ErrorCode::truncated_compression);
        EXPECT_EQ(all.error->detail, "trailing garbage after the compressed data");
    }
}

TEST_P(Decompress, zeros_may_stand_between_members) {
    const auto all = read_all(open(compressed("one ") + std::string(200'000, '\0') + compressed("two")));
    EXPECT_FALSE(all.error);
    EXPECT_EQ(all.text, "one two");
}

TEST_P(Decompress, a_stream_cut_anywhere_yields_its_beginning_and_an_error) {
    const std::string text = profile_text(4000);
    const std::string bytes = compressed(text.substr(0, 2000)) + compressed(text.substr(2000));
    const std::size_t first_member = compressed(text.substr(0, 2000)).size();
    const std::size_t step = callcost::test::is_sanitized ? 5 : 1;
    for (std::size_t size = 6; size < bytes.size(); size += step) {
        const auto all = read_all(open(bytes.substr(0, size)));
        EXPECT_EQ(all.text, text.substr(0, all.text.size()));
        if (size >= first_member) {
            EXPECT_GE(all.text.size(), 2000U);
        }
        if (size == first_member) {  // nobody can know that there was more
            EXPECT_FALSE(all.error);
            continue;
        }
        ASSERT_TRUE(all.error) << size;
        EXPECT_EQ(all.error->code, ErrorCode::truncated_compression);
        EXPECT_EQ(all.error->detail, "unexpected end of compressed data");
        EXPECT_EQ(all.error->offset, all.text.size());
    }
}

TEST_P(Decompress, a_cut_stream_yields_all_but_its_last_block) {
    const std::string text = profile_text(2'000'000);
    const std::string bytes = compressed(text);
    const auto all = read_all(open(bytes.substr(0, bytes.size() - 1)));
    ASSERT_TRUE(all.error);
    EXPECT_GE(all.text.size(), text.size() - 130'000);
    EXPECT_EQ(all.text, text.substr(0, all.text.size()));
}

TEST_P(Decompress, a_damaged_stream_yields_what_comes_before_the_damage) {
    const std::string text = profile_text(2'000'000);
    std::string bytes = compressed(text);
    for (std::size_t i = 0; i < 64; ++i) bytes[bytes.size() / 2 + i] = static_cast<char>(i * 37);
    const auto all = read_all(open(bytes));
    ASSERT_TRUE(all.error);
    EXPECT_EQ(all.error->code, ErrorCode::truncated_compression);
    EXPECT_NE(all.error->detail, "");
    EXPECT_GE(all.text.size(), 800'000U);
    EXPECT_EQ(all.text.substr(0, 800'000), text.substr(0, 800'000));
}

TEST_P(Decompress, any_flipped_byte_is_survived) {
    const std::string text = profile_text(3000);
    const std::string bytes = compressed(text) + compressed(text);
    for (std::size_t i = 0; i < bytes.size(); i += callcost::test::is_sanitized ? 9 : 3) {
        std::string flipped = bytes;
        flipped[i] = static_cast<char>(flipped[i] ^ 0x55);
        const auto all = read_all(open(flipped));
        if (detect_compression(flipped) == Compression::none) continue;
        if (!all.error) {
            EXPECT_EQ(all.text, (text + text).substr(0, all.text.size()));
        }
    }
}

TEST_P(Decompress, random_bytes_behind_the_mark_are_an_error) {
    std::mt19937 random(1);
    const std::string mark = compressed("").substr(0, 6);
    for (int i = 0; i < 200; ++i) {
        std::string bytes = mark;
        for (int j = 0; j < 1000; ++j) bytes += static_cast<char>(random());
        EXPECT_TRUE(read_all(open(bytes)).error);
    }
}

TEST_P(Decompress, the_error_stays) {
    const std::string bytes = compressed(profile_text(100'000));
    const Source source = open(bytes.substr(0, bytes.size() / 2));
    EXPECT_TRUE(read_all(source).error);
    const auto again = read_all(source);
    EXPECT_EQ(again.text, "");
    ASSERT_TRUE(again.error);
    EXPECT_EQ(again.error->code, ErrorCode::truncated_compression);
}

TEST_P(Decompress, progress_counts_compressed_bytes) {
    const std::string bytes = compressed(profile_text(5'000'000)) + std::string(3, '\0');
    const Source source = open(bytes);
    ASSERT_TRUE(source.consumed);
    EXPECT_EQ(source.size, bytes.size());
    EXPECT_EQ(source.consumed(), 0U);
    std::vector<char> buffer(100'000);
    std::uint64_t last = 0;
    std::size_t steps = 0;
    for (;;) {
        const auto count = source.read(buffer);
        ASSERT_TRUE(count);
        if (*count == 0) break;
        EXPECT_GE(source.consumed(), last);
        if (source.consumed() != last) ++steps;
        last = source.consumed();
    }
    EXPECT_EQ(source.consumed(), bytes.size());
    EXPECT_GE(steps, 5U);
}

TEST_P(Decompress, a_source_may_go_at_any_time) {
    const std::string bytes = compressed(profile_text(2'500'000));
    std::vector<char> buffer(1'000'000);
    { const Source unread = open(bytes); }
    for (const std::size_t reads : {1U, 2U, 4U, 7U, 12U}) {
        const Source source = open(bytes);
        for (std::size_t i = 0; i < reads; ++i) EXPECT_TRUE(source.read(buffer));
    }
}

TEST_P(Decompress, a_source_over_a_silent_pipe_may_go) {
    // It fits into the pipe when compressed; and into the ring when not, so that the thread waits for the
    // pipe.
    const std::string bytes = compressed(std::string(600'000, 'x'));
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
    ASSERT_EQ(::write(ends[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    {
        const auto source = open_source("/dev/fd/" + std::to_string(ends[0]));
        ASSERT_TRUE(source);
        std::array<char, 100> buffer{};
        EXPECT_EQ(source->read(buffer), 100U);
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    ::close(ends[0]);
    ::close(ends[1]);
}

TEST_P(Decompress, a_source_may_be_read_on_one_thread_after_another) {
    const std::string text = profile_text(2'000'000);
    const Source source = open(compressed(text));
    std::string all;
    for (bool is_at_end = false; !is_at_end;) {
        std::thread([&] {
            std::vector<char> buffer(300'000);
            const auto count = source.read(buffer);
            is_at_end = count.value_or(0) == 0;
            all.append(buffer.data(), count.value_or(0));
        }).join();
    }
    EXPECT_EQ(all, text);
}

long peak_memory_kb() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

TEST_P(Decompress, a_bomb_of_200_megabytes_is_read_in_bounded_memory) {
    std::string comment;
    comment.resize(20'000'000, '#');
    const std::string member = compressed(comment);
    std::string bytes;
    for (int i = 0; i < 10; ++i) bytes += member;
    const Source source = open(bytes);
    const long before = peak_memory_kb();
    std::vector<char> buffer(64 * 1024);
    std::uint64_t size = 0;
    for (;;) {
        const auto count = source.read(buffer);
        ASSERT_TRUE(count);
        if (*count == 0) break;
        size += *count;
    }
    EXPECT_EQ(size, 200'000'000U);
    EXPECT_LT(peak_memory_kb() - before, 40'000);
}

TEST(DecompressZstd, skippable_frames_are_skipped) {
    const TemporaryDirectory directory;
    const std::string skippable = {"\x50\x2a\x4d\x18\x04\0\0\0size", 12};
    const auto source = open_source(directory.write(
        "p", skippable + callcost::test::zstd("one ") + skippable + callcost::test::zstd("two")));
    ASSERT_TRUE(source);
    const auto all = read_all(*source);
    EXPECT_FALSE(all.error);
    EXPECT_EQ(all.text, "one two");
}

TEST(DecompressZstd, a_window_over_one_gigabyte_is_refused_and_says_so) {
    const TemporaryDirectory directory;
    // Magic, a header without content size and single segment, the window (31 - 10) << 3, an empty last raw
    // block.
    const std::string bytes = {"\x28\xb5\x2f\xfd\x00\xa8\x01\0\0", 9};
    const auto source = open_source(directory.write("p", bytes));
    ASSERT_TRUE(source);
    const auto all = read_all(*source);
    ASSERT_TRUE(all.error);
    EXPECT_EQ(all.error->detail, "zstd: needs more than 1 GiB of memory to decompress");
}

TEST(DecompressZstd, a_long_window_is_read) {
    const TemporaryDirectory directory;
    const std::string text = profile_text(1'000'000);
    const auto source = open_source(directory.write("p", callcost::test::zstd(text, 28)));
    ASSERT_TRUE(source);
    EXPECT_EQ(read_all(*source).text, text);
}

TEST(DetectCompression, knows_formats_by_their_first_bytes) {
    EXPECT_EQ(detect_compression("\x1f\x8b\x08"), Compression::gzip);
    EXPECT_EQ(detect_compression("BZh91A"), Compression::bzip2);
    EXPECT_EQ(detect_compression({"\xfd\x37zXZ\0", 6}), Compression::xz);
    EXPECT_EQ(detect_compression("\x28\xb5\x2f\xfd"), Compression::zstd);
    constexpr const char* cut_xz = "\xfd\x37zX";
    for (const char* other : {"", "\x1f", "BZh", "BZh0", "BZhello", cut_xz, "# callgrind format", "PK"})
        EXPECT_EQ(detect_compression(other), Compression::none) << other;
}

TEST(Decompressing, stops_where_little_expands_to_very_much) {
    using callcost::program::DecompressingReader;
    using callcost::program::FileReader;
    TemporaryDirectory directory;
    const std::string text(1'000'000, ' ');
    const auto packed = compress(Compression::zstd, text);
    directory.write("profile", packed);
    const auto read = [&](callcost::engine::Budget budget) {
        DecompressingReader reader(*FileReader::open(directory.path("profile")), Compression::zstd, budget);
        Source source;
        source.read = [&](std::span<char> buffer) { return reader.read(buffer); };
        return read_all(source);
    };
    const auto refused = read({100'000, 100});
    ASSERT_TRUE(refused.error.has_value());
    EXPECT_EQ(refused.error->code, ErrorCode::too_large);
    EXPECT_EQ(refused.error->hint(), "--force lifts this limit");
    EXPECT_LT(refused.text.size(), 600'000U);
    EXPECT_FALSE(read({2'000'000, 100}).error.has_value()) << "not so much";
    EXPECT_FALSE(read({100'000, 1'000'000}).error.has_value()) << "not so little";
    EXPECT_EQ(read(callcost::engine::no_budget).text, text);
}

}  // namespace
