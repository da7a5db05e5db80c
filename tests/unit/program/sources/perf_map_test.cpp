// Maps that runtimes write for perf.
#include "sources/perf_map.hpp"

#include <array>
#include <cstdio>
#include <fstream>

#include <fcntl.h>
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

TEST(PerfMap, long_names_are_left_out) {
    const PerfMap map("10 10 " + std::string(max_new_name, 'a') + "\n20 10 " +
                      std::string(max_new_name + 1, 'b') + '\n');
    EXPECT_EQ(map.at(0x10).name, std::string(max_new_name, 'a'));
    EXPECT_EQ(map.at(0x20).name, "");
}

TEST(PerfMap, names_of_many_pieces_have_little_room) {
    const std::string name(max_new_name, 'a');
    std::string pieces = "0x1";
    for (int i = 0; i < 10'000; ++i) pieces += "'0x1";
    const auto replacement = [&](std::string_view, bool) -> std::string_view { return name; };
    EXPECT_EQ(with_pieces(pieces, replacement, 1000), "");
    RoomForNames room(pieces.size());
    const auto first = room.named("0x1'0x1", replacement);
    EXPECT_EQ(first, name + '\'' + name);
    EXPECT_EQ(room.named("same", [](std::string_view, bool) { return std::string_view(); }), "");
    EXPECT_FALSE(room.is_full());
    std::size_t size = 0;
    for (int i = 0; i < 3; ++i) size += room.named(pieces.substr(0, 40'000), replacement).size();
    EXPECT_TRUE(room.is_full());
    EXPECT_LE(size, (64U << 20U) + 16 * pieces.size());
    EXPECT_EQ(room.named("0x1", replacement), "");
}

TEST(PerfMap, of_a_run_is_a_file_of_this_user) {
    const auto path = testing::TempDir() + "perf-map-test.map";
    const auto link = path + ".link";
    std::ofstream(path) << "1 1 f\n";
    (void)::chmod(path.c_str(), 0644);
    const auto map = read_perf_map_of_run(path, 0);
    ASSERT_TRUE(map.has_value());
    EXPECT_EQ(map->text, "1 1 f\n");
    EXPECT_FALSE(read_perf_map_of_run(path, INT64_MAX)) << "older than the run";
    (void)std::remove(link.c_str());
    ASSERT_EQ(::symlink(path.c_str(), link.c_str()), 0);
    EXPECT_FALSE(read_perf_map_of_run(link, 0));
    EXPECT_EQ(read_perf_map(link), "1 1 f\n") << "one that was named is read as it is";
    (void)::chmod(path.c_str(), 0666);
    EXPECT_FALSE(read_perf_map_of_run(path, 0));
    EXPECT_EQ(read_perf_map("/dev/zero"), std::nullopt);
    remove_perf_map_of_run(link, *map);
    EXPECT_EQ(::access(link.c_str(), F_OK), 0) << "a link";
    remove_perf_map_of_run(path, {.text = {}, .device = map->device, .number = map->number + 1});
    EXPECT_EQ(::access(path.c_str(), F_OK), 0) << "another file";
    remove_perf_map_of_run(path, *map);
    EXPECT_NE(::access(path.c_str(), F_OK), 0);
    (void)std::remove(link.c_str());
}

TEST(PerfMap, of_a_run_was_made_in_it) {
    const auto path = testing::TempDir() + "perf-map-born.map";
    std::ofstream(path) << "1 1 f\n";
    (void)::chmod(path.c_str(), 0644);
    struct stat facts {};
    ASSERT_EQ(::stat(path.c_str(), &facts), 0);
    const auto later = facts.st_mtim.tv_sec + 1000;
    const std::array<timespec, 2> times{timespec{later, 0}, timespec{later, 0}};
    ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times.data(), 0), 0);
    EXPECT_TRUE(read_perf_map_of_run(path, 0));
#ifdef STATX_BTIME
    struct statx born {};
    if (::statx(AT_FDCWD, path.c_str(), 0, STATX_BTIME, &born) == 0 && (born.stx_mask & STATX_BTIME) != 0) {
        EXPECT_FALSE(read_perf_map_of_run(path, later)) << "written to later, but there before";
    }
#endif
    (void)std::remove(path.c_str());
}

}  // namespace
}  // namespace callcost::program
