#include "input/sets.hpp"

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "recording/language_profiler.hpp"
#include "unit/program/input/temporary_directory.hpp"

namespace {

using callcost::program::newest_profile;
using callcost::test::TemporaryDirectory;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> other_parts(const std::string& base) {
    return callcost::program::FileSets().other_parts(base);
}
std::vector<std::string> with_other_parts(const std::string& base) {
    return callcost::program::FileSets().with_other_parts(base);
}

/// The names that are left of paths when the directory is taken off.
std::vector<std::string> names(const TemporaryDirectory& directory, std::vector<std::string> paths) {
    for (std::string& path : paths) {
        EXPECT_TRUE(path.starts_with(directory.path() + "/")) << path;
        path.erase(0, directory.path().size() + 1);
    }
    return paths;
}

void write_all(const TemporaryDirectory& directory, std::initializer_list<const char*> files) {
    for (const char* file : files) directory.write(file);
}

TEST(BaseOf, is_the_file_name_without_part_and_thread) {  // F86
    for (const auto& [path, base] :
         std::vector<std::pair<std::string, std::string>>{{"callgrind.out.7-01", "callgrind.out.7"},
                                                          {"a/callgrind.out.7.2", "a/callgrind.out.7"},
                                                          {"callgrind.out.7.12-03", "callgrind.out.7"},
                                                          {"callgrind.out.7.2.gz", "callgrind.out.7.gz"},
                                                          {"my.out-01", "my.out"},
                                                          {"callgrind.out.7", "callgrind.out.7"},
                                                          {"callgrind.out", "callgrind.out"},
                                                          {"my.out.3", "my.out.3"},
                                                          {"my.out-1", "my.out-1"},
                                                          {"callgrind.out.7.0", "callgrind.out.7.0"},
                                                          {"-01", "-01"},
                                                          {"a-01/b", "a-01/b"}}) {
        EXPECT_EQ(callcost::program::base_of(path), base);
    }
}

TEST(FileSets, parts_and_threads_of_a_base_come_in_order_with_the_final_dump_last) {
    const TemporaryDirectory directory;
    write_all(directory, {"callgrind.out.123", "callgrind.out.123.10", "callgrind.out.123.9",
                          "callgrind.out.123.2-02", "callgrind.out.123.2-01", "callgrind.out.123.2-100"});
    EXPECT_THAT(names(directory, other_parts(directory.path("callgrind.out.123"))),
                ElementsAre("callgrind.out.123.2-01", "callgrind.out.123.2-02", "callgrind.out.123.2-100",
                            "callgrind.out.123.9", "callgrind.out.123.10"));
    EXPECT_THAT(names(directory, with_other_parts(directory.path("callgrind.out.123"))),
                ElementsAre("callgrind.out.123.2-01", "callgrind.out.123.2-02", "callgrind.out.123.2-100",
                            "callgrind.out.123.9", "callgrind.out.123.10", "callgrind.out.123"));
}

TEST(FileSets, an_empty_base_gives_way_to_its_threads) {
    const TemporaryDirectory directory;
    write_all(directory,
              {"callgrind.out.5-01", "callgrind.out.5-02", "callgrind.out.5.1-02", "callgrind.out.5.1-01"});
    directory.write("callgrind.out.5", "");
    EXPECT_THAT(names(directory, with_other_parts(directory.path("callgrind.out.5"))),
                ElementsAre("callgrind.out.5.1-01", "callgrind.out.5.1-02", "callgrind.out.5-01",
                            "callgrind.out.5-02"));
    directory.write("callgrind.out.5", "main thread");
    EXPECT_THAT(names(directory, with_other_parts(directory.path("callgrind.out.5"))),
                ElementsAre("callgrind.out.5.1-01", "callgrind.out.5.1-02", "callgrind.out.5",
                            "callgrind.out.5-01", "callgrind.out.5-02"));
}

TEST(FileSets, a_name_that_only_begins_like_the_base_is_not_taken) {
    const TemporaryDirectory directory;
    write_all(directory,
              {"callgrind.out.1",      "callgrind.out.10",      "callgrind.out.1.old",
               "callgrind.out.1.orig", "callgrind.out.1-x",     "callgrind.out.1.1x",
               "callgrind.out.1.",     "callgrind.out.1-",      "callgrind.out.1-1",
               "callgrind.out.1-001",  "callgrind.out.1.01",    "callgrind.out.1.0",
               "callgrind.out.1.2-3",  "callgrind.out.1-02-03", "callgrind.out.1.2.3",
               "callgrind.out.1.+2",   "callgrind.out.1.-2",    "callgrind.out.1--2",
               "callgrind.out.1~",     "xcallgrind.out.1.2",    "callgrind.out.1.99999999999999999999",
               "callgrind.out.1.2.gz", "callgrind.out.1-00"});
    EXPECT_THAT(other_parts(directory.path("callgrind.out.1")), IsEmpty());
    EXPECT_THAT(names(directory, with_other_parts(directory.path("callgrind.out.1"))),
                ElementsAre("callgrind.out.1"));
}

TEST(FileSets, any_name_can_be_a_base) {
    const TemporaryDirectory directory;
    write_all(directory, {"my profile", "my profile.3", "my profile.1-01", "[x]*.1"});
    EXPECT_THAT(names(directory, other_parts(directory.path("my profile"))),
                ElementsAre("my profile.1-01", "my profile.3"));
    EXPECT_THAT(names(directory, other_parts(directory.path("[x]*"))), ElementsAre("[x]*.1"));
}

TEST(FileSets, the_parts_of_a_base_that_does_not_exist_are_found) {
    const TemporaryDirectory directory;
    write_all(directory, {"callgrind.out.7.1", "callgrind.out.7.2"});
    EXPECT_THAT(names(directory, with_other_parts(directory.path("callgrind.out.7"))),
                ElementsAre("callgrind.out.7.1", "callgrind.out.7.2"));
}

TEST(FileSets, a_missing_file_without_parts_is_kept_for_the_error_message) {
    const TemporaryDirectory directory;
    EXPECT_THAT(names(directory, with_other_parts(directory.path("missing"))), ElementsAre("missing"));
    EXPECT_THAT(with_other_parts("/no/such/directory/x"), ElementsAre("/no/such/directory/x"));
}

TEST(FileSets, compressed_parts_belong_to_a_base_that_is_compressed_alike) {
    const TemporaryDirectory directory;
    write_all(directory, {"c.1.gz", "c.gz", "c.2.gz", "c-01.gz", "c.3", "c.4.xz", "c.gz.1"});
    EXPECT_THAT(names(directory, other_parts(directory.path("c.gz"))),
                ElementsAre("c.1.gz", "c.2.gz", "c-01.gz"));
    EXPECT_THAT(names(directory, other_parts(directory.path("c"))), ElementsAre("c.3"));
}

TEST(FileSets, process_ids_after_callgrind_out_are_not_parts) {
    const TemporaryDirectory directory;
    write_all(directory, {"callgrind.out", "callgrind.out.4711", "callgrind.out.4712"});
    EXPECT_THAT(other_parts(directory.path("callgrind.out")), IsEmpty());
    write_all(directory, {"callgrind.out.1", "callgrind.out.2", "callgrind.out.2-01"});
    EXPECT_THAT(names(directory, other_parts(directory.path("callgrind.out"))),
                ElementsAre("callgrind.out.1", "callgrind.out.2", "callgrind.out.2-01"));
}

TEST(FileSets, a_directory_is_looked_into_once) {
    const TemporaryDirectory directory;
    callcost::program::FileSets sets;
    directory.write("c.1");
    EXPECT_THAT(names(directory, sets.other_parts(directory.path("c"))), ElementsAre("c.1"));
    directory.write("c.2");
    EXPECT_THAT(names(directory, sets.other_parts(directory.path("c"))), ElementsAre("c.1"));
}

TEST(FileSets, only_regular_files_are_parts) {
    const TemporaryDirectory directory;
    directory.write("c");
    std::filesystem::create_directory(directory.path("c.1"));
    ASSERT_EQ(::mkfifo(directory.path("c.2").c_str(), 0600), 0);
    std::filesystem::create_symlink("c", directory.path("c.3"));
    std::filesystem::create_symlink("nowhere", directory.path("c.4"));
    EXPECT_THAT(names(directory, other_parts(directory.path("c"))), ElementsAre("c.3"));
    EXPECT_THAT(other_parts(directory.path() + "/"), IsEmpty());
}

/// Writes a file that is `age` seconds old.
void write_aged(const TemporaryDirectory& directory, const char* name, int age,
                std::string_view bytes = "x") {
    const auto base = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
    std::filesystem::last_write_time(directory.write(name, bytes), base - std::chrono::seconds(age));
}

TEST(NewestProfile, is_the_one_written_last) {
    const TemporaryDirectory directory;
    EXPECT_EQ(newest_profile(directory.path()), std::nullopt);
    write_aged(directory, "callgrind.out.1", 30);
    write_aged(directory, "cachegrind.out.2", 20);
    write_aged(directory, "callgrind.output", 1);
    write_aged(directory, "my.callgrind.out.3", 1);
    write_aged(directory, "callgrind.out.1.txt", 1);
    write_aged(directory, "callgrind.out.1~", 1);
    for (const char* made :
         {"callgrind.out.1.json.gz", "callgrind.out.1.pb.gz", "callgrind.out.1.folded.zst"})
        write_aged(directory, made, 1);
    EXPECT_EQ(newest_profile(directory.path()), directory.path("cachegrind.out.2"));
    write_aged(directory, "callgrind.out", 10);
    EXPECT_EQ(newest_profile(directory.path()), directory.path("callgrind.out"));
    EXPECT_EQ(newest_profile(directory.path() + "/"), directory.path("callgrind.out"));
}

TEST(NewestProfile, is_of_any_profiler_that_record_runs) {
    using enum callcost::program::Language;
    std::vector<std::string> prefixes{"perf.out."};
    for (const auto language : {python, php, javascript, ruby, perl})
        prefixes.emplace_back(callcost::program::profiler_of(language).prefix);
    for (const auto& prefix : prefixes) {
        const TemporaryDirectory directory;
        write_aged(directory, "callgrind.out.1", 20);
        write_aged(directory, (prefix + "2").c_str(), 10);
        EXPECT_EQ(newest_profile(directory.path()), directory.path(prefix + "2"));
        EXPECT_EQ(newest_profile(directory.path(), callcost::program::Recorder::valgrind),
                  directory.path("callgrind.out.1"));
    }
}

TEST(NewestProfile, is_the_first_by_name_of_equally_old_ones) {
    const TemporaryDirectory directory;
    const auto now = std::filesystem::file_time_type::clock::now();
    for (const char* name : {"callgrind.out.2", "callgrind.out.1", "callgrind.out.3"})
        std::filesystem::last_write_time(directory.write(name), now);
    EXPECT_EQ(newest_profile(directory.path()), directory.path("callgrind.out.1"));
}

TEST(NewestProfile, is_an_empty_file_only_if_there_is_nothing_else) {
    const TemporaryDirectory directory;
    write_aged(directory, "callgrind.out.1", 5, "");
    EXPECT_EQ(newest_profile(directory.path()), directory.path("callgrind.out.1"));
    write_aged(directory, "callgrind.out.1-01", 10);
    EXPECT_EQ(newest_profile(directory.path()), directory.path("callgrind.out.1-01"));
}

TEST(NewestProfile, is_no_directory_and_no_pipe) {
    const TemporaryDirectory directory;
    std::filesystem::create_directory(directory.path("callgrind.out.1"));
    ASSERT_EQ(::mkfifo(directory.path("callgrind.out.2").c_str(), 0600), 0);
    EXPECT_EQ(newest_profile(directory.path()), std::nullopt);
    EXPECT_EQ(newest_profile(directory.path("missing")), std::nullopt);
}

TEST(NewestProfile, is_named_without_a_path_in_the_working_directory) {
    const TemporaryDirectory directory;
    directory.write("callgrind.out.1");
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(directory.path());
    EXPECT_EQ(newest_profile("."), "callgrind.out.1");
    EXPECT_EQ(newest_profile(""), "callgrind.out.1");
    EXPECT_THAT(with_other_parts("callgrind.out.1"), ElementsAre("callgrind.out.1"));
    std::filesystem::current_path(before);
}

}  // namespace
