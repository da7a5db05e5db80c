// Source files of two sides, as they are found: which of them are believed.
#include "comparison/compared_texts.hpp"

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "unit/program/input/temporary_directory.hpp"
#include <callcost/file.hpp>
#include <callcost/read.hpp>

namespace {

using callcost::Profile;
using callcost::program::ComparedTexts;
using callcost::program::SideSources;
using callcost::program::SideTexts;
using callcost::program::SourceSearchOptions;
using callcost::test::TemporaryDirectory;

/// Files that were written `hours` after the first.
class Texts : public testing::Test {
  protected:
    std::string write(const std::string& name, const std::string& text, int hours) const {
        auto path = directory_.path(name);
        std::filesystem::create_directories(std::filesystem::path(path).parent_path());
        directory_.write(name, text);
        std::filesystem::last_write_time(path, start_ + std::chrono::hours(hours));
        return path;
    }
    [[nodiscard]] Profile profile(const std::string& name, int hours) const {
        return *callcost::read_profile(*callcost::from_file(write(name, "events: Ir\nfn=f\n1 1\n", hours)));
    }
    /// What line of the old text the first of the new one is; nothing if the texts are not known.
    [[nodiscard]] std::optional<unsigned> first_line(const std::string& before, const std::string& after) {
        ComparedTexts texts(SideTexts(profile("old/out", 2), both_, old_, std::nullopt),
                            SideTexts(profile("new/out", 4), both_, new_, std::nullopt));
        const auto* match = texts.match(before, after);
        return match == nullptr ? std::nullopt : std::optional<unsigned>(match->before.at(1));
    }

    TemporaryDirectory directory_;
    SourceSearchOptions both_;
    SideSources old_, new_;

  private:
    std::filesystem::file_time_type start_ =
        std::filesystem::file_time_type::clock::now() - std::chrono::hours(100);
};

constexpr auto first_text = "int a;\nint b;\n", second_text = "int b;\n";

TEST_F(Texts, are_those_of_the_recorded_paths) {
    EXPECT_EQ(first_line(write("1/a.c", first_text, 1), write("2/a.c", second_text, 3)), 2U);
    EXPECT_EQ(first_line(write("1/a.c", first_text, 1), "/nowhere/a.c"), std::nullopt);
}

TEST_F(Texts, are_not_believed_if_they_are_newer_than_the_profile) {
    EXPECT_EQ(first_line(write("1/a.c", first_text, 3), write("2/a.c", second_text, 3)), std::nullopt);
    EXPECT_EQ(first_line(write("1/a.c", first_text, 1), write("2/a.c", second_text, 5)), std::nullopt);
}

TEST_F(Texts, of_one_path_are_both_sides_only_if_the_file_is_older_than_both) {
    const auto changed = write("a.c", first_text, 3), same = write("b.c", first_text, 1);
    EXPECT_EQ(first_line(changed, changed), std::nullopt) << "changed between the profiles";
    EXPECT_EQ(first_line(same, same), 1U);
}

TEST_F(Texts, of_one_file_that_is_found_for_two_names_are_not_both_sides) {
    write("moved/a.c", first_text, 1);
    both_.include_directories = {directory_.path("moved")};
    EXPECT_EQ(first_line("/build/1.0/a.c", "/build/2.0/a.c"), std::nullopt);
    EXPECT_EQ(first_line("/build/a.c", "/build/a.c"), 1U);
}

TEST_F(Texts, are_those_that_an_option_names_for_the_side) {
    const auto recorded = write("a.c", second_text, 3);
    write("before/a.c", first_text, 9);  // unpacked today
    old_.directories = {directory_.path("before")};
    EXPECT_EQ(first_line(recorded, recorded), 2U);
    new_.directories = {directory_.path("before")};
    EXPECT_EQ(first_line(recorded, recorded), 1U);
}

TEST_F(Texts, are_where_the_map_of_the_side_says) {
    const auto recorded = write("src/a.c", second_text, 3);
    write("before/a.c", first_text, 9);
    old_.map = {{directory_.path("src"), directory_.path("before")}};
    EXPECT_EQ(first_line(recorded, recorded), 2U);
    old_.map = {{"/elsewhere", directory_.path("before")}};
    EXPECT_EQ(first_line(recorded, recorded), std::nullopt) << "newer than the old profile";
}

TEST_F(Texts, of_relative_names_are_beside_the_profile_rather_than_in_the_working_directory) {
    write("old/a.c", first_text, 1);
    write("new/a.c", second_text, 1);
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(directory_.path("new"));
    EXPECT_EQ(first_line("a.c", "a.c"), 2U);
    std::filesystem::current_path(before);
}

TEST_F(Texts, that_were_rejected_stay_so) {
    const auto path = write("a.c", first_text, 1);
    ComparedTexts texts(SideTexts(profile("old/out", 2), both_, old_, std::nullopt),
                        SideTexts(profile("new/out", 4), both_, new_, std::nullopt));
    EXPECT_NE(texts.match(path, path), nullptr);
    texts.reject(path, path);
    EXPECT_EQ(texts.match(path, path), nullptr);
}

}  // namespace
