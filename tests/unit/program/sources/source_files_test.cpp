#include "sources/source_files.hpp"

#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "unit/program/input/temporary_directory.hpp"

namespace {

using callcost::program::FileIndex;
using callcost::program::NoSource;
using callcost::program::parse_path_mapping;
using callcost::program::SourceFinder;
using callcost::program::SourceFinderOptions;
using callcost::program::SourceProblem;
using callcost::test::TemporaryDirectory;
using testing::ElementsAre;
using testing::IsEmpty;

/// Two trees and a place for the profile. The text of each file is its path in the directory.
class SourceFiles : public testing::Test {
  protected:
    void write(std::initializer_list<const char*> names) const {
        for (const char* name : names) directory_.write(name, name);
    }
    [[nodiscard]] std::string path(std::string_view name) const { return directory_.path(name); }

    /// Options that search "work" for relative names and "profile" beside the profile.
    [[nodiscard]] SourceFinderOptions options() const {
        SourceFinderOptions options;
        options.working_directory = path("work");
        options.profile_directory = path("profile");
        return options;
    }
    [[nodiscard]] SourceFinderOptions including(std::initializer_list<const char*> directories) const {
        SourceFinderOptions result = options();
        for (const char* directory : directories) result.include_dirs.push_back(path(directory));
        return result;
    }

    TemporaryDirectory directory_;
};

/// What is found: its text, with a "?" if it is a guess; or the reason why nothing is.
std::string find(SourceFinder& finder, std::string_view name) {
    const auto found = finder.find(name);
    if (found) return found->text() + (found->is_guess() ? "?" : "");
    switch (found.error().reason) {
        case NoSource::unnamed:
            return "(unnamed)";
        case NoSource::missing:
            return "(missing)";
        case NoSource::not_a_file:
            return "(not a file)";
        case NoSource::elsewhere:
            return "(elsewhere)";
        case NoSource::unreadable:
            return "(unreadable)";
        case NoSource::too_large:
            return "(too large)";
        case NoSource::binary:
            return "(binary)";
        case NoSource::ambiguous:
            return "(ambiguous)";
        case NoSource::search_limit:
            return "(search limit)";
    }
    return "";
}

std::string find(const SourceFinderOptions& options, std::string_view name) {
    SourceFinder finder(options);
    return find(finder, name);
}

TEST_F(SourceFiles, an_absolute_name_is_taken_as_it_is) {
    write({"build/src/a.c", "include/a.c"});
    EXPECT_EQ(find(including({"include"}), path("build/src/a.c")), "build/src/a.c");
}

TEST_F(SourceFiles, a_confined_search_opens_nothing_outside_its_directories) {
    write({"work/a.c", "profile/b.c", "include/c.c", "mapped/d.c", "other/secret.c", "working/near.c"});
    std::filesystem::create_symlink(path("other/secret.c"), path("work/link.c"));
    std::filesystem::create_symlink(path("work/a.c"), path("other/link.c"));
    auto wanted = including({"include"});
    wanted.source_map = {{"/build", path("mapped")}};
    wanted.is_confined = true;
    SourceFinder finder(wanted);
    EXPECT_EQ(find(finder, "a.c"), "work/a.c");
    EXPECT_EQ(find(finder, "b.c"), "profile/b.c");
    EXPECT_EQ(find(finder, path("include/c.c")), "include/c.c");
    EXPECT_EQ(find(finder, "/build/d.c"), "mapped/d.c");
    EXPECT_EQ(find(finder, path("other/link.c")), "work/a.c") << "where a link leads counts";
    for (const auto& name : {path("other/secret.c"), std::string("../other/secret.c"), std::string("link.c"),
                             path("working/near.c")})
        EXPECT_EQ(find(finder, name), "(elsewhere)") << name;
    EXPECT_EQ(find(finder, path("other/nothing.c")), "(missing)");
    wanted.is_confined = false;
    EXPECT_EQ(find(wanted, "link.c"), "other/secret.c");
}

TEST_F(SourceFiles, what_lies_beside_the_profile_is_found_though_the_recorded_file_is_elsewhere) {
    write({"build/src/a.c", "build/src/b.c", "profile/a.c"});
    auto wanted = options();
    wanted.is_confined = true;
    EXPECT_EQ(find(wanted, path("build/src/a.c")), "profile/a.c?");
    EXPECT_EQ(find(wanted, path("build/src/b.c")), "(elsewhere)");
    wanted.ignores_elsewhere = true;
    EXPECT_EQ(find(wanted, path("build/src/a.c")), "profile/a.c?");
    EXPECT_EQ(find(wanted, path("build/src/b.c")), "(missing)") << "as if there were none";
}

TEST_F(SourceFiles, file_addresses_are_paths) {
    write({"build/a b.js", "build/50%.js", "profile/c.js"});
    EXPECT_EQ(find(options(), "file://" + path("build/a%20b.js")), "build/a b.js");
    EXPECT_EQ(find(options(), "file://localhost" + path("build/50%.js")), "build/50%.js");
    EXPECT_EQ(find(options(), "file:///C:/site/c.js"), "profile/c.js?");
    EXPECT_EQ(find(options(), "file:///nowhere/a%00b.js"), "(missing)");
    EXPECT_EQ(find(options(), "https://example.org" + path("build/50%.js")), "(missing)");
    auto mapped = options();
    mapped.source_map = {{"/app", path("build")}, {"file:///site%201/", path("profile")}};
    EXPECT_EQ(find(mapped, "file:///app/a%20b.js"), "build/a b.js");
    EXPECT_EQ(find(mapped, "file:///site%201/c.js"), "profile/c.js");
    EXPECT_EQ(SourceFinder(mapped).path_here("file:///app/new%20one.js"), path("build/new one.js"));
}

TEST_F(SourceFiles, a_relative_name_starts_at_the_working_directory_then_at_the_profile) {
    write({"work/src/a.c", "profile/src/a.c", "profile/src/b.c", "shared.c"});
    EXPECT_EQ(find(options(), "src/a.c"), "work/src/a.c");
    EXPECT_EQ(find(options(), "./src/b.c"), "profile/src/b.c");
    EXPECT_EQ(find(options(), "../shared.c"), "shared.c");
    EXPECT_EQ(find(options(), "src/c.c"), "(missing)");
}

TEST_F(SourceFiles, include_directories_hold_the_whole_name_or_its_end) {
    write({"one/usr/src/x/a.c", "two/x/b.c", "two/c.c", "one/c.c", "two/x/c.c"});
    const auto both = including({"one", "two"});
    EXPECT_EQ(find(both, "/usr/src/x/a.c"), "one/usr/src/x/a.c");
    EXPECT_EQ(find(both, "/usr/src/x/b.c"), "two/x/b.c?");
    EXPECT_EQ(find(both, "/usr/src/x/c.c"), "two/x/c.c?") << "the longer end counts more than the order";
    EXPECT_EQ(find(both, "/usr/src/y/c.c"), "one/c.c?");
    EXPECT_EQ(find(both, "c.c"), "one/c.c");
    EXPECT_EQ(find(both, "/usr/src/x/d.c"), "(missing)");
}

TEST_F(SourceFiles, dots_inside_a_name_are_resolved_for_include_directories) {
    write({"glibc/sysdeps/x86/a.c", "glibc/nptl/b.c", "outside.c"});
    const auto glibc = including({"glibc"});
    EXPECT_EQ(find(glibc, "./elf/../sysdeps/x86/a.c"), "glibc/sysdeps/x86/a.c");
    EXPECT_EQ(find(glibc, "./nptl/./nptl/b.c"), "glibc/nptl/b.c?");
    EXPECT_EQ(find(glibc, "../../../sysdeps/x86/a.c"), "glibc/sysdeps/x86/a.c?");
}

TEST_F(SourceFiles, no_name_leaves_an_include_directory) {
    write({"outside.c", "tree/inside/a.c"});
    auto tree = including({"tree/inside"});
    tree.profile_directory = std::nullopt;
    for (const char* name : {"../../outside.c", "a/../../../outside.c", "/x/../../outside.c"})
        EXPECT_EQ(find(tree, name), "(missing)") << name;
}

TEST_F(SourceFiles, the_end_of_a_name_is_looked_for_beside_the_profile) {
    write({"profile/src/a.c", "profile/a.c", "profile/b.c"});
    EXPECT_EQ(find(options(), "/build/src/a.c"), "profile/src/a.c?");
    EXPECT_EQ(find(options(), "/build/src/b.c"), "profile/b.c?");
    auto no_file = options();
    no_file.profile_directory = std::nullopt;
    EXPECT_EQ(find(no_file, "/build/src/b.c"), "(missing)");
}

TEST_F(SourceFiles, a_unique_file_anywhere_below_an_include_directory_is_found) {
    write({"tree/lib/deep/down/a.c", "tree/x/b.c", "tree/y/b.c", "tree/z/y/b.c"});
    EXPECT_EQ(find(including({"tree"}), "/build/a.c"), "tree/lib/deep/down/a.c?");
    EXPECT_EQ(find(including({"tree"}), "/build/z/y/b.c"), "tree/z/y/b.c?");
    EXPECT_EQ(find(including({"tree"}), "/build/x/b.c"), "tree/x/b.c?");
}

TEST_F(SourceFiles, of_several_equal_matches_none_is_taken) {
    write({"tree/x/b.c", "tree/t/y/b.c", "tree/z/y/b.c"});
    SourceFinder finder(including({"tree"}));
    auto found = finder.find("/build/w/b.c");
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().reason, NoSource::ambiguous);
    EXPECT_EQ(found.error().path, "/build/w/b.c");
    EXPECT_THAT(found.error().candidates,
                ElementsAre(path("tree/x/b.c"), path("tree/t/y/b.c"), path("tree/z/y/b.c")));
    found = finder.find("/build/v/../q/y/b.c");
    ASSERT_FALSE(found);
    EXPECT_THAT(found.error().candidates, ElementsAre(path("tree/t/y/b.c"), path("tree/z/y/b.c")));
}

TEST_F(SourceFiles, links_to_one_file_and_overlapping_directories_are_not_ambiguous) {
    write({"tree/x/a.c"});
    std::filesystem::create_directory(path("tree/y"));
    std::filesystem::create_symlink("../x/a.c", path("tree/y/a.c"));
    EXPECT_EQ(find(including({"tree", "tree/", "tree/x/.."}), "/build/a.c"), "tree/x/a.c?");
}

TEST_F(SourceFiles, loops_of_links_end) {
    write({"tree/x/a.c"});
    std::filesystem::create_directory_symlink("..", path("tree/x/up"));
    std::filesystem::create_directory_symlink(".", path("tree/here"));
    EXPECT_EQ(find(including({"tree"}), "/build/a.c"), "tree/x/a.c?");
    EXPECT_EQ(find(including({"tree"}), "/build/b.c"), "(missing)");
}

TEST_F(SourceFiles, a_search_that_is_not_complete_finds_nothing_for_sure) {
    for (int i = 0; i < 50; ++i) directory_.write("tree/f" + std::to_string(i) + "/x.c");
    auto few = including({"tree"});
    few.max_entries = 60;
    EXPECT_EQ(find(few, "/build/x.c"), "(search limit)");
    EXPECT_EQ(find(few, "/build/y.c"), "(search limit)");
    EXPECT_EQ(find(few, "/build/f7/x.c"), "x?") << "this one needs no search";
    EXPECT_EQ(find(including({"tree"}), "/build/x.c"), "(ambiguous)");
}

TEST_F(SourceFiles, the_longest_mapping_wins_and_ends_at_a_component) {
    write({"here/a.c", "special/b.c", "here2/a.c"});
    auto mapped = options();
    mapped.source_map = {{"/home/me", path("here2")},
                         {"/home/me/src/", path("here/")},
                         {"/home/me/src/x", path("special")},
                         {"/home", "/nowhere"}};
    EXPECT_EQ(find(mapped, "/home/me/src/a.c"), "here/a.c");
    EXPECT_EQ(find(mapped, "/home/me/src/x/b.c"), "special/b.c");
    EXPECT_EQ(find(mapped, "/home/me/a.c"), "here2/a.c");
    EXPECT_EQ(find(mapped, "/home/me/src/xx/a.c"), "(missing)");
    SourceFinder finder(mapped);
    EXPECT_EQ(finder.mapped("/home/me/src"), path("here/"));
    EXPECT_EQ(finder.mapped("/homer/a.c"), "/homer/a.c");
    EXPECT_EQ(finder.mapped("/home/me/srcs/a.c"), path("here2/srcs/a.c"));
}

TEST_F(SourceFiles, mappings_cover_relative_windows_and_root_names) {
    auto options = SourceFinderOptions();
    options.source_map = {
        {"", "/rel"}, {"/", "/root"}, {"D:\\www", "/srv"}, {"/build/gone", ""}, {"/build/gone", "x"}};
    const SourceFinder finder(options);
    EXPECT_EQ(finder.mapped("a.c"), "/rel/a.c");
    EXPECT_EQ(finder.mapped("/usr/a.c"), "/root/usr/a.c");
    EXPECT_EQ(finder.mapped("D:\\www\\lib\\a.php"), "/srv/lib/a.php");
    EXPECT_EQ(finder.mapped("/build/gone/a.c"), "x/a.c");
}

TEST_F(SourceFiles, mappings_of_windows_names_take_either_separator_and_any_case) {
    auto options = SourceFinderOptions();
    options.source_map = {{"C:/xampp/htdocs", "/srv"}, {"\\\\server\\share", "/mnt"}, {"", "/rel"}};
    const SourceFinder finder(options);
    EXPECT_EQ(finder.mapped("C:\\xampp\\htdocs\\lib\\a.php"), "/srv/lib/a.php");
    EXPECT_EQ(finder.mapped("c:\\XAMPP\\htdocs/lib\\a.php"), "/srv/lib/a.php");
    EXPECT_EQ(finder.mapped("//server/share/a.php"), "//server/share/a.php");  // may be a path of Linux
    EXPECT_EQ(finder.mapped("\\\\SERVER\\share\\b\\a.php"), "/mnt/b/a.php");
    EXPECT_EQ(finder.mapped("C:\\xampp\\htdocs2\\a.php"), "C:\\xampp\\htdocs2\\a.php");
    EXPECT_EQ(finder.mapped("lib\\a.php"), "/rel/lib/a.php");
    EXPECT_EQ(finder.mapped("/Srv/a.php"), "/Srv/a.php");
}

TEST_F(SourceFiles, an_empty_target_makes_names_relative) {
    write({"work/src/a.c"});
    auto mapped = options();
    mapped.source_map = {{"/build/project", ""}};
    EXPECT_EQ(find(mapped, "/build/project/src/a.c"), "work/src/a.c");
}

TEST_F(SourceFiles, a_relative_target_may_start_at_the_profile) {
    write({"profile/p.out", "sources/small.cpp"});
    auto mapped = options();
    EXPECT_EQ(find(mapped, "/home/user/src/small.cpp"), "(missing)");
    mapped.source_map = {{"/home/user/src", "../sources"}};
    EXPECT_EQ(find(mapped, "/home/user/src/small.cpp"), "sources/small.cpp");
}

TEST_F(SourceFiles, a_mapping_is_written_with_an_equals_sign) {
    const auto mapping = parse_path_mapping("/old=/new=er");
    ASSERT_TRUE(mapping);
    EXPECT_EQ(mapping->from, "/old");
    EXPECT_EQ(mapping->to, "/new=er");
    EXPECT_FALSE(parse_path_mapping("/old"));
    EXPECT_FALSE(parse_path_mapping("=/new"));
}

TEST_F(SourceFiles, windows_names_are_found_by_their_end) {
    write({"tree/lib/a.php", "tree/b.c", "work/odd\\name.c"});
    EXPECT_EQ(find(including({"tree"}), "D:\\www\\lib\\a.php"), "tree/lib/a.php?");
    EXPECT_EQ(find(including({"tree"}), "\\\\server\\share\\b.c"), "tree/b.c?");
    EXPECT_EQ(find(including({"tree"}), "C:/x\\lib/a.php"), "tree/lib/a.php?");
    EXPECT_EQ(find(including({"tree"}), "odd\\name.c"), "work/odd\\name.c");
}

TEST_F(SourceFiles, names_that_are_no_files_find_nothing) {
    write({"tree/a.c", "work/a.c"});
    SourceFinder finder(including({"tree"}));
    EXPECT_EQ(find(finder, ""), "(unnamed)");
    EXPECT_EQ(find(finder, "???"), "(unnamed)");
    std::string long_name = "a.c";
    long_name.resize(10'000'000, '/');
    for (const std::string& name :
         {std::string("~"), std::string("<string>"), std::string("php:internal"), std::string("a.c\0", 4),
          std::string("/p.php(13) : eval()'d code"), std::string("http://x/etc/hostname"),
          std::string("\\\\s\\x\\x.c"), std::string("/no/such/\xff\xfe"), long_name})
        EXPECT_EQ(find(finder, name), "(missing)") << name.substr(0, 100);
    for (const char* name : {".", "..", "/", "/dev/zero", "/proc/self/environ", "./"})
        EXPECT_EQ(find(finder, name), "(not a file)") << name;
}

TEST_F(SourceFiles, what_is_not_there_hides_nothing_that_is) {
    write({"tree/a/b.c", "work/c/d.c"});
    SourceFinder finder(including({"tree"}));
    EXPECT_EQ(find(finder, "/gone/a/x.c"), "(missing)");
    EXPECT_EQ(find(finder, "/gone/a/b.c"), "tree/a/b.c?");
    EXPECT_EQ(find(finder, "c/e.c"), "(missing)");
    EXPECT_EQ(find(finder, "c/d.c"), "work/c/d.c");
}

TEST_F(SourceFiles, a_directory_that_very_many_names_may_be_in_is_listed_once) {
    write({"work/a.c", "work/\xc3\xa4.c", "work/dir/b.c"});
    SourceFinder finder(options());
    for (int i = 0; i < 2000; ++i) EXPECT_EQ(find(finder, std::to_string(i) + ".c"), "(missing)");
    EXPECT_EQ(find(finder, "a.c"), "work/a.c");
    EXPECT_EQ(find(finder, "\xc3\xa4.c"), "work/\xc3\xa4.c");
    EXPECT_EQ(find(finder, "dir"), "(not a file)");
    EXPECT_EQ(find(finder, "dir/.."), "(not a file)");
    EXPECT_EQ(find(finder, "dir/b.c"), "work/dir/b.c");
    write({"work/later.c"});
    EXPECT_EQ(find(finder, "later.c"), "(missing)") << "it is not listed again";
}

TEST_F(SourceFiles, a_name_of_very_many_components_is_searched_in_time) {
    write({"tree/a.c"});
    std::string name;
    while (name.size() < 4000) name += "/x";
    EXPECT_EQ(find(including({"tree"}), name), "(missing)");
}

TEST_F(SourceFiles, a_file_that_cannot_be_shown_is_not_replaced_by_another) {
    directory_.write("work/src/a.c", std::string("a\0b", 3));
    directory_.write("work/large.c", std::string(2000, 'x'));
    write({"tree/src/a.c", "tree/large.c", "tree/dir"});
    std::filesystem::create_directory(path("work/dir"));
    auto small = including({"tree"});
    small.max_bytes = 1000;
    EXPECT_EQ(find(small, "src/a.c"), "(binary)");
    EXPECT_EQ(find(small, "large.c"), "(too large)");
    EXPECT_EQ(find(small, "dir"), "tree/dir") << "a directory is not the file that was meant";
}

TEST_F(SourceFiles, the_end_of_a_name_is_looked_for_below_the_working_directory_after_the_profile_s) {
    write({"work/src/a.c", "work/src/b.c", "profile/src/b.c"});
    EXPECT_EQ(find(options(), "/build/gone/src/a.c"), "work/src/a.c?");
    EXPECT_EQ(find(options(), "/build/gone/src/b.c"), "profile/src/b.c?");
    auto confined = options();
    confined.is_confined = true;
    EXPECT_EQ(find(confined, "/build/gone/src/a.c"), "work/src/a.c?");
    EXPECT_EQ(find(confined, "/build/gone/../../outside.c"), "(missing)");
}

TEST_F(SourceFiles, the_working_directory_comes_last_and_never_for_an_old_version) {
    write({"work/util.c", "tree/x/lib/util.c"});
    EXPECT_EQ(find(including({"tree"}), "/build/lib/util.c"), "tree/x/lib/util.c?");
    auto old = including({"tree"});
    old.skips_recorded = true;
    write({"work/src/one.c"});
    EXPECT_EQ(find(old, "/build/src/one.c"), "(missing)");
}

TEST_F(SourceFiles, a_file_that_ends_before_the_line_is_another_one) {
    directory_.write("one/src/a.c", "1\n2\n");
    directory_.write("two/src/a.c", "1\n2\n3\n4\n");
    SourceFinder finder(including({"one", "two"}));
    EXPECT_EQ(finder.find("src/a.c")->line_count(), 2U);
    EXPECT_EQ(finder.find("src/a.c", 2)->line_count(), 2U);
    EXPECT_EQ(finder.find("src/a.c", 3)->line_count(), 4U);
    EXPECT_EQ(finder.find("src/a.c", 9)->line_count(), 2U) << "it may have become shorter";
    EXPECT_EQ(finder.find("src/b.c", 9).error().reason, NoSource::missing);
}

TEST_F(SourceFiles, no_hidden_file_is_guessed) {
    write({"work/.ssh/id_rsa", "profile/.ssh/id_rsa", "work/.cache/src/a.c", "work/src/a.c"});
    EXPECT_EQ(find(options(), "/home/user/.ssh/id_rsa"), "(missing)");
    EXPECT_EQ(find(options(), "/home/user/.cache/src/a.c"), "work/src/a.c?");
}

TEST_F(SourceFiles, a_directory_of_somebody_else_does_not_end_the_search) {
    write({"profile/a.c"});
    SourceFinder finder(options());
    const auto is_readable = [&](const std::string& path) -> std::optional<SourceProblem> {
        if (path == "/root/project/a.c")
            return SourceProblem{NoSource::unreadable, path, "Permission denied", {}};
        if (std::filesystem::exists(path)) return std::nullopt;
        return SourceProblem{NoSource::missing, path, {}, {}};
    };
    const auto found = finder.find_path("/root/project/a.c", is_readable);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->path, path("profile/a.c"));
    EXPECT_TRUE(found->is_guess);
}

TEST_F(SourceFiles, the_first_problem_is_reported_when_nothing_is_found) {
    std::filesystem::create_directories(path("tree/x.c"));
    SourceFinder finder(including({"tree"}));
    const auto found = finder.find("/build/x.c");
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().reason, NoSource::not_a_file);
    EXPECT_EQ(found.error().path, path("tree/x.c"));
    EXPECT_EQ(found.error().detail, "is a directory");
}

TEST_F(SourceFiles, pipes_and_version_control_are_not_listed) {
    write({"tree/.git/a.c", "tree/b/.hg/a.c", "tree/.config/b.c"});
    ASSERT_EQ(::mkfifo(path("tree/b/c.c").c_str(), 0600), 0);
    EXPECT_EQ(find(including({"tree"}), "/build/a.c"), "(missing)");
    EXPECT_EQ(find(including({"tree"}), "/build/b.c"), "tree/.config/b.c?");
    EXPECT_EQ(find(including({"tree"}), "/build/c.c"), "(missing)");
    EXPECT_EQ(find(including({"tree/b"}), "/build/c.c"), "(not a file)");
}

TEST_F(SourceFiles, the_index_lists_level_by_level_and_by_name) {
    write({"tree/b/x.c", "tree/a/c/x.c", "tree/a/x.c", "tree/x.c"});
    const FileIndex index({path("tree"), path("missing")}, 1000);
    EXPECT_TRUE(index.is_complete());
    EXPECT_THAT(index.best_matches({"x.c"}),
                ElementsAre(path("tree/x.c"), path("tree/a/x.c"), path("tree/b/x.c"), path("tree/a/c/x.c")));
    EXPECT_THAT(index.best_matches({"c", "x.c"}), ElementsAre(path("tree/a/c/x.c")));
    EXPECT_THAT(index.best_matches({"x.h"}), IsEmpty());
    EXPECT_THAT(index.best_matches({}), IsEmpty());
}

}  // namespace
