// A file is there as a whole or not at all.
#include "output/output_file.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/stat.h>

namespace callcost::program {
namespace {

namespace fs = std::filesystem;

class OutputFileTest : public testing::Test {
  protected:
    OutputFileTest()
        : folder_(fs::temp_directory_path() / ("callcost-output-" + std::to_string(::getpid()))) {
        fs::create_directories(folder_);
    }
    ~OutputFileTest() override { fs::remove_all(folder_); }

    [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }
    void put(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }
    [[nodiscard]] std::string text_of(const std::string& name) const {
        std::ifstream file(path(name));
        return {std::istreambuf_iterator<char>(file), {}};
    }
    [[nodiscard]] std::size_t files() const {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), {}));
    }

  private:
    fs::path folder_;
};

void write(const std::string& path, const std::string& text, bool commits = true) {
    auto file = OutputFile::open(path, {});
    ASSERT_TRUE(file.has_value()) << file.error().detail;
    ASSERT_TRUE(file->sink()(text));
    if (commits) {
        ASSERT_TRUE(file->commit());
    }
}

TEST_F(OutputFileTest, appears_when_it_is_committed) {
    auto file = OutputFile::open(path("new"), {});
    ASSERT_TRUE(file.has_value());
    ASSERT_TRUE(file->sink()("half"));
    EXPECT_FALSE(fs::exists(path("new")));
    ASSERT_TRUE(file->sink()(" and half"));
    ASSERT_TRUE(file->commit());
    EXPECT_EQ(text_of("new"), "half and half");
    EXPECT_EQ(files(), 1U);
}

TEST_F(OutputFileTest, is_no_larger_than_the_budget_covers) {
    put("written", "old");
    auto file = OutputFile::open(path("written"), {});
    ASSERT_TRUE(file.has_value());
    const Sink sink = within({.budget = {.bytes = 100, .factor = 10}, .read = 20}, file->sink());
    const std::string block(100, 'b');
    EXPECT_TRUE(sink(block));
    EXPECT_TRUE(sink(block));
    const auto refused = sink(block);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, ErrorCode::too_large);
    EXPECT_EQ(refused.error().hint(), "--force lifts this limit");
    EXPECT_EQ(text_of("written"), "old");
    EXPECT_TRUE(within({}, file->sink())(block));
}

TEST_F(OutputFileTest, is_made_where_a_link_leads_to) {
    fs::create_symlink("not-there", path("link"));
    fs::create_symlink("link", path("link-to-link"));
    write(path("link-to-link"), "text");
    EXPECT_TRUE(fs::is_symlink(path("link")));
    EXPECT_EQ(text_of("not-there"), "text");
}

TEST_F(OutputFileTest, leaves_the_old_file_and_nothing_else_without_a_commit) {
    put("old", "old");
    write(path("old"), "new", false);
    EXPECT_EQ(text_of("old"), "old");
    EXPECT_EQ(files(), 1U);
}

TEST_F(OutputFileTest, replaces_the_file_behind_a_link_and_keeps_its_mode) {
    put("real", "old");
    fs::permissions(path("real"), fs::perms::owner_read | fs::perms::owner_write);
    fs::create_symlink(path("real"), path("link"));
    write(path("link"), "new");
    EXPECT_TRUE(fs::is_symlink(path("link")));
    EXPECT_EQ(text_of("real"), "new");
    EXPECT_EQ(fs::status(path("real")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(OutputFileTest, is_none_of_the_inputs_whatever_they_are_called) {
    put("input", "text");
    fs::create_symlink(path("input"), path("same"));
    const std::string inputs[] = {path("other"), path("same")};
    const auto file = OutputFile::open(path("input"), inputs);
    ASSERT_FALSE(file.has_value());
    EXPECT_EQ(file.error().code, ErrorCode::bad_argument);
    EXPECT_EQ(text_of("input"), "text");
}

TEST_F(OutputFileTest, says_why_it_cannot_be_opened) {
    const auto file = OutputFile::open(path("no/such/folder"), {});
    ASSERT_FALSE(file.has_value());
    EXPECT_EQ(file.error().detail, "No such file or directory");
    EXPECT_FALSE(OutputFile::open(path("."), {}).has_value());
}

TEST_F(OutputFileTest, writes_to_devices_as_they_are) {
    write("/dev/null", "text");
    auto full = OutputFile::open("/dev/full", {});
    ASSERT_TRUE(full.has_value());
    const auto done = full->sink()("text");
    ASSERT_FALSE(done.has_value());
    EXPECT_EQ(done.error().detail, "No space left on device");
}

TEST_F(OutputFileTest, of_several_writers_that_do_not_replace_one_wins) {
    for (const char* open_files : {"/proc/self/fd", "/nowhere"}) {
        const auto target = path(std::string("new") + open_files[1]);
        std::vector<OutputFile> writers;
        writers.reserve(6);
        for (int i = 0; i < 6; ++i) {
            auto file = OutputFile::open(target, {}, {.replaces = false, .open_files = open_files});
            ASSERT_TRUE(file.has_value());
            ASSERT_TRUE(file->sink()(std::to_string(i)));
            writers.push_back(*std::move(file));
        }
        for (std::size_t i = 0; i < writers.size(); ++i) {
            const auto done = writers[i].commit();
            EXPECT_EQ(done.has_value(), i == 0);
            if (!done) {
                EXPECT_EQ(done.error().detail, already_exists);
            }
        }
        writers.clear();
        std::ifstream file(target);
        EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "0");
    }
    EXPECT_EQ(files(), 2U) << "nothing else is left";
}

TEST_F(OutputFileTest, is_written_without_proc_too) {
    put("old", "before");
    auto file = OutputFile::open(path("old"), {}, {.open_files = "/nowhere"});
    ASSERT_TRUE(file.has_value()) << file.error().detail;
    ASSERT_TRUE(file->sink()("after"));
    EXPECT_EQ(text_of("old"), "before");
    ASSERT_TRUE(file->commit());
    EXPECT_EQ(text_of("old"), "after");
    EXPECT_EQ(files(), 1U);
}

}  // namespace
}  // namespace callcost::program
