#include "output/compression.hpp"

#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include "unit/engine/exporters/conversions.hpp"

namespace callcost::test {
namespace {

std::string unzipped(const std::string& bytes) {
    z_stream z{};
    EXPECT_EQ(inflateInit2(&z, MAX_WBITS + 16), Z_OK);
    std::string text, buffer(65'536, '\0');
    z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    z.avail_in = static_cast<uInt>(bytes.size());
    int status = Z_OK;
    while (status == Z_OK) {
        z.next_out = reinterpret_cast<Bytef*>(buffer.data());
        z.avail_out = static_cast<uInt>(buffer.size());
        status = inflate(&z, Z_NO_FLUSH);
        text.append(buffer, 0, buffer.size() - z.avail_out);
    }
    EXPECT_EQ(status, Z_STREAM_END);
    inflateEnd(&z);
    return text;
}

TEST(Gzip, gives_back_what_was_written) {
    std::string text;
    for (int i = 0; i < 100'000; ++i) text += std::to_string(i * 7919);
    for (const auto level : {program::GzipLevel::fast, program::GzipLevel::normal}) {
        std::string bytes;
        const auto in_two = [&](const Sink& sink) {
            EXPECT_TRUE(sink(text.substr(0, 5)).has_value());
            return sink(text.substr(5));
        };
        ASSERT_TRUE(program::gzip(to_memory(bytes), in_two, level).has_value());
        EXPECT_LT(bytes.size(), text.size());
        EXPECT_EQ(unzipped(bytes), text);
    }
}

TEST(Gzip, fails_as_its_sink_or_its_writer_does) {
    const auto nothing = [](const Sink&) -> Result<void> { return {}; };
    EXPECT_FALSE(program::gzip(failing_sink(), nothing).has_value());
    const auto broken = [](const Sink&) -> Result<void> {
        return tl::unexpected(Error{ErrorCode::read_failed, 0, 0, 0, {}});
    };
    std::string bytes;
    EXPECT_FALSE(program::gzip(to_memory(bytes), broken).has_value());
}

TEST(Compression, is_chosen_by_the_suffix_of_a_path) {
    std::string text;
    for (int i = 0; i < 200'000; ++i) text += std::to_string(i * 7919);
    for (const char* path : {"a.gz", "a.zst", "a.out"}) {
        SCOPED_TRACE(path);
        std::string bytes;
        const auto in_two = [&](const Sink& sink) {
            EXPECT_TRUE(sink(text.substr(0, 5)).has_value());
            return sink(text.substr(5));
        };
        ASSERT_TRUE(program::compress_as(path, to_memory(bytes), in_two).has_value());
        if (std::string_view(path) == "a.out") {
            EXPECT_EQ(bytes, text);
            continue;
        }
        EXPECT_LT(bytes.size(), text.size() / 2);
        if (std::string_view(path) == "a.gz") {
            EXPECT_EQ(unzipped(bytes), text);
            continue;
        }
        EXPECT_EQ(ZSTD_getFrameContentSize(bytes.data(), bytes.size()), ZSTD_CONTENTSIZE_UNKNOWN);
        std::string back(text.size() + 1, '\0');
        EXPECT_EQ(ZSTD_decompress(back.data(), back.size(), bytes.data(), bytes.size()), text.size());
        back.pop_back();
        EXPECT_EQ(back, text);
    }
}

TEST(Compression, passes_on_what_the_sink_and_the_writer_say) {
    const auto fails = [](std::string_view) -> Result<void> {
        return tl::unexpected(Error{.code = ErrorCode::cannot_open, .detail = "full"});
    };
    const auto nothing = [](const Sink&) -> Result<void> { return {}; };
    const auto refuses = [](const Sink&) -> Result<void> {
        return tl::unexpected(Error{.code = ErrorCode::bad_argument, .detail = "no"});
    };
    for (const char* path : {"a.gz", "a.zst"}) {
        EXPECT_EQ(program::compress_as(path, fails, nothing).error().detail, "full");
        std::string bytes;
        EXPECT_EQ(program::compress_as(path, to_memory(bytes), refuses).error().detail, "no");
    }
}

}  // namespace
}  // namespace callcost::test
