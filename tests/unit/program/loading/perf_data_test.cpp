#include "loading/perf_data.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

namespace callcost::test {
namespace {

/// A header of 104 bytes, whose data begin at 264.
std::string header(std::uint64_t data_size, bool is_big_endian = false, std::uint64_t size = 104) {
    std::string bytes = is_big_endian ? "2ELIFREP" : "PERFILE2";
    for (const std::uint64_t word :
         {size, std::uint64_t{144}, std::uint64_t{120}, std::uint64_t{144}, std::uint64_t{264}, data_size})
        for (std::size_t i = 0; i < sizeof word; ++i)
            bytes += static_cast<char>(word >> 8 * (is_big_endian ? 7 - i : i));
    bytes.resize(104);
    return bytes;
}

std::string damage(const std::string& first_bytes, std::uint64_t file_size) {
    const auto error = program::damage_of_perf_data(first_bytes, file_size);
    return error ? error->detail : "";
}

TEST(PerfData, a_file_that_was_cut_says_how_much_is_there) {
    for (const bool is_big_endian : {false, true}) {
        EXPECT_EQ(damage(header(8848, is_big_endian), 300),
                  "it is a perf.data file that was cut: it has 300 bytes of at least 9112");
        EXPECT_EQ(damage(header(8848, is_big_endian), 9112), "");
    }
    for (const std::size_t size : {8U, 15U, 16U, 103U})
        EXPECT_EQ(
            damage(header(8848).substr(0, size), size),
            "it is a perf.data file that was cut: it has " + std::to_string(size) + " bytes of at least 104");
    EXPECT_EQ(damage(header(UINT64_MAX), 300), "") << "no file is as large";
}

TEST(PerfData, perf_that_was_killed_writes_no_size) {
    EXPECT_EQ(damage(header(0), 9112),
              "it is a perf.data file without the size of its data: perf was killed while it recorded");
}

TEST(PerfData, a_pipe_has_no_sizes) {
    EXPECT_EQ(damage(header(0, false, 16), 300), "");
    EXPECT_EQ(damage(header(0, false, 16).substr(0, 16), 16), "");
}

TEST(PerfData, a_compressed_file_has_to_be_unpacked) {
    const auto hint = [](const char* file) { return program::refusal_of_compressed_perf_data(file).advice; };
    EXPECT_EQ(hint("a/perf.data.gz"), "gzip -dc < a/perf.data.gz > a/perf.data, then callcost a/perf.data");
    EXPECT_EQ(hint("my perf.zst"), "zstd -dc < 'my perf.zst' > 'my perf', then callcost 'my perf'");
    EXPECT_EQ(hint("perf.data"), "") << "its suffix does not say how it is compressed";
}

}  // namespace
}  // namespace callcost::test
