// Maps that runtimes write for perf.
#include "sources/perf_map.hpp"

#include <cstdio>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace callcost::program {
namespace {

TEST(PerfMap, names_what_is_in_an_entry) {
    const PerfMap map(
        "1000 10 JS:*fib n.js:1:13\n0x1010 0x8 'quoted'\n\nno line\n2000 0 empty\n3000 zz bad\n");
    EXPECT_EQ(map.at(0xfff).name, "");
    EXPECT_EQ(map.at(0x1000).name, "JS:*fib n.js:1:13");
    EXPECT_EQ(map.at(0x100f).name, "JS:*fib n.js:1:13");
    EXPECT_EQ(map.at(0x1017).name, "\"quoted\"") << "' separates callers in names";
    EXPECT_EQ(map.at(0x1018).name, "");
    EXPECT_EQ(map.at(0x2000).name, "");
    EXPECT_EQ(map.at(0x3000).name, "");
}

TEST(PerfMap, guesses_nothing) {
    const PerfMap map("10 10 a\n18 10 b\n40 10 c\n40 8 c\nfffffffffffffff0 f d\nfffffffffffffff0 20 e\n");
    EXPECT_EQ(map.at(0x17).name, "a");
    EXPECT_TRUE(map.at(0x18).is_ambiguous);
    EXPECT_EQ(map.at(0x18).name, "");
    EXPECT_EQ(map.at(0x20).name, "b");
    EXPECT_EQ(map.at(0x28).name, "");
    EXPECT_FALSE(map.at(0x28).is_ambiguous);
    EXPECT_EQ(map.at(0x40).name, "c") << "the same name twice";
    EXPECT_EQ(map.at(UINT64_MAX - 2).name, "d");
    EXPECT_EQ(map.at(UINT64_MAX).name, "");
}

TEST(PerfMap, pieces_of_names) {
    EXPECT_EQ(address_as_name("0x00000000049479e0"), 0x49479e0U);
    EXPECT_EQ(address_as_name("0xfg"), std::nullopt);
    EXPECT_EQ(address_as_name("fib"), std::nullopt);
    const auto named = with_pieces("0x1'f'0x1'2", [](std::string_view piece, bool is_caller) {
        return piece != "0x1" ? std::string_view() : is_caller ? std::string_view("caller") : "own";
    });
    EXPECT_EQ(named, "own'f'caller'2");
}

TEST(PerfMap, of_a_run_is_a_file_of_this_user) {
    const auto path = testing::TempDir() + "perf-map-test.map";
    const auto link = path + ".link";
    std::ofstream(path) << "1 1 f\n";
    (void)::chmod(path.c_str(), 0644);
    EXPECT_EQ(read_perf_map_of_run(path, 0), "1 1 f\n");
    EXPECT_EQ(read_perf_map_of_run(path, INT64_MAX), std::nullopt) << "older than the run";
    (void)std::remove(link.c_str());
    ASSERT_EQ(::symlink(path.c_str(), link.c_str()), 0);
    EXPECT_EQ(read_perf_map_of_run(link, 0), std::nullopt);
    EXPECT_EQ(read_perf_map(link), "1 1 f\n") << "one that was named is read as it is";
    (void)::chmod(path.c_str(), 0666);
    EXPECT_EQ(read_perf_map_of_run(path, 0), std::nullopt);
    EXPECT_EQ(read_perf_map("/dev/zero"), std::nullopt);
    (void)std::remove(link.c_str());
    (void)std::remove(path.c_str());
}

}  // namespace
}  // namespace callcost::program
