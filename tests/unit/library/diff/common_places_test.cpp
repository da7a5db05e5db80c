// One name for the places of several versions of a program.
#include <ctime>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "callcost/diff.hpp"

namespace callcost::test {
namespace {

using Files = std::vector<const char*>;

/// Of one object each.
struct Version {
    const char* object;
    Files files;
};

CommonPlaces common_places(const std::vector<Version>& newest_first) {
    CommonPlaces places;
    for (const Version& version : newest_first) {
        std::vector<FunctionPlace> all;
        for (const char* file : version.files) all.push_back({version.object, file});
        places.add(all);
    }
    return places;
}

/// Whether the two files are one, the one in the new version, the other in the old one.
bool are_one(const Files& now, const char* file_now, const Files& old, const char* file_old) {
    const auto places = common_places({{"app", now}, {"app", old}});
    const auto back = common_places({{"app", old}, {"app", now}});
    const bool is_one = places.file(0, file_now) == places.file(1, file_old);
    EXPECT_EQ(is_one, back.file(1, file_now) == back.file(0, file_old)) << "whichever side is the new one";
    return is_one;
}

TEST(CommonPlaces, are_one_wherever_the_tree_was_checked_out) {
    const Files now = {"/tmp/app-1.1/src/a/util.c", "/tmp/app-1.1/src/b/util.c", "/tmp/app-1.1/src/main.c",
                       "/usr/include/c++/12/vector"};
    const Files old = {"/tmp/app-1.0/src/a/util.c", "/tmp/app-1.0/src/b/util.c", "/tmp/app-1.0/src/main.c",
                       "/usr/include/c++/12/vector"};
    EXPECT_TRUE(are_one(now, now[0], old, old[0]));
    EXPECT_TRUE(are_one(now, now[1], old, old[1]));
    EXPECT_TRUE(are_one(now, now[2], old, old[2]));
    EXPECT_TRUE(are_one(now, now[3], old, old[3]));
    EXPECT_FALSE(are_one(now, now[0], old, old[1]));
    EXPECT_TRUE(are_one(now, "/tmp/app-1.1/src/new.c", old, "/tmp/app-1.0/src/new.c"))
        << "what only one of them has, as well";
    EXPECT_TRUE(are_one(now, "/tmp/app-1.1/src/main.c", {"src/main.c", "src/a/util.c", "src/b/util.c"},
                        "src/main.c"));
    EXPECT_TRUE(are_one(now, "/tmp/app-1.1/src/main.c", {"./src/main.c"}, "./src/main.c"));
    EXPECT_TRUE(are_one({"C:/new/app/main.c"}, "C:/new/app/main.c", {"c:\\old\\app\\main.c"},
                        "c:\\old\\app\\main.c"));
}

TEST(CommonPlaces, are_one_in_a_directory_with_the_version_in_its_name) {
    const Files now = {"bench.c", "lib/lua-5.4.8/lvm.c", "lib/lua-5.4.8/lapi.c",
                       "/usr/include/c++/12/vector"};
    const Files old = {"bench.c", "lib/lua-5.4.0/lvm.c", "lib/lua-5.4.0/lapi.c",
                       "/usr/include/c++/11/vector"};
    EXPECT_TRUE(are_one(now, now[1], old, old[1])) << "though the tree around it stayed where it was";
    EXPECT_TRUE(are_one(now, now[3], old, old[3]));
    EXPECT_TRUE(are_one({"/a/v2/lib/z-1.3/z.c", "/a/v2/main.c"}, "/a/v2/lib/z-1.3/z.c",
                        {"/a/v1/lib/z-1.2/z.c", "/a/v1/main.c"}, "/a/v1/lib/z-1.2/z.c"))
        << "one in the other";
    EXPECT_FALSE(are_one({"main.c", "x64/f.c"}, "x64/f.c", {"main.c", "x86/f.c"}, "x86/f.c"))
        << "which is no version";
}

TEST(CommonPlaces, of_what_moved_within_the_tree_are_two) {
    EXPECT_FALSE(are_one({"/p/main.c", "/p/b/x.c"}, "/p/b/x.c", {"/p/main.c", "/p/a/x.c"}, "/p/a/x.c"));
    EXPECT_FALSE(are_one({"main.c", "b/x.c"}, "b/x.c", {"main.c", "a/x.c"}, "a/x.c"));
    const Files now = {"/tmp/app-1.1/src/main.c", "/tmp/app-1.1/src/y.c", "/tmp/app-1.1/lib/x.c"};
    const Files old = {"/tmp/app-1.0/src/main.c", "/tmp/app-1.0/src/y.c", "/tmp/app-1.0/src/x.c"};
    EXPECT_FALSE(are_one(now, now[2], old, old[2]));
    EXPECT_TRUE(are_one(now, now[1], old, old[1]));
    EXPECT_EQ(common_places({{"app", now}, {"app", old}}).file(1, old[2]), "/tmp/app-1.1/src/x.c");
    EXPECT_FALSE(are_one({"/p/a/x.c", "/p/c/x.c"}, "/p/c/x.c", {"/p/a/x.c", "/p/b/x.c"}, "/p/b/x.c"));
    EXPECT_FALSE(are_one({"/p/a/x.c"}, "/p/a/x.c", {"/q/a/x.c", "/q/b/x.c"}, "/q/b/x.c"));
}

TEST(CommonPlaces, do_not_mix_up_the_trees_of_objects) {
    CommonPlaces places;
    places.add(std::vector<FunctionPlace>{{"app", "new/main.c"}, {"libc.so.6", "malloc/malloc.c"}});
    places.add(std::vector<FunctionPlace>{{"app", "old/main.c"}, {"libc-2.31.so", "malloc/malloc.c"}});
    EXPECT_EQ(places.file(1, "old/main.c"), places.file(0, "new/main.c"));
    EXPECT_EQ(places.file(1, "malloc/malloc.c"), places.file(0, "malloc/malloc.c"));
    EXPECT_EQ(places.object(1, "libc-2.31.so"), places.object(0, "libc.so.6"));
}

TEST(CommonPlaces, are_one_in_a_program_of_another_name) {
    const auto places =
        common_places({{"/new/prog", {"a.c"}}, {"/old/program", {"a.c"}}, {"prog-0.9", {"a.c"}}});
    EXPECT_EQ(places.object(1, "/old/program"), places.object(0, "/new/prog"));
    EXPECT_EQ(places.object(2, "prog-0.9"), places.object(0, "/new/prog"));
    EXPECT_NE(places.object(1, "libx.so"), places.object(0, "/new/prog"));
}

TEST(CommonPlaces, of_many_versions_are_called_as_in_the_first) {
    std::vector<Version> versions;
    for (const Files& files :
         {Files{"lua-5.4.8/lvm.c", "lua-5.4.8/lapi.c"}, Files{"lua-5.4.6/lvm.c"}, Files{"???"},
          Files{"lua-5.4.3/lvm.c", "lua-5.4.3/old.c"}, Files{"lua-5.4.0/old.c"}})
        versions.push_back({"lua", files});
    const auto places = common_places(versions);
    EXPECT_EQ(places.file(1, "lua-5.4.6/lvm.c"), "lua-5.4.8/lvm.c");
    EXPECT_EQ(places.file(2, "???"), "");
    EXPECT_EQ(places.file(3, "lua-5.4.3/lvm.c"), "lua-5.4.8/lvm.c");
    EXPECT_EQ(places.file(3, "lua-5.4.3/old.c"), "lua-5.4.8/old.c");
    EXPECT_EQ(places.file(4, "lua-5.4.0/old.c"), "lua-5.4.8/old.c");
}

TEST(CommonPlaces, of_very_many_directories_take_little_time) {
    std::vector<std::string> names;
    for (int i = 0; i < 40'000; ++i) {
        const auto number = std::to_string(i);
        for (const char* middle : {"/x/", "/y/"})
            names.push_back(std::string("/").append(number).append(middle).append(number).append("/main.c"));
    }
    Files now, old;
    for (std::size_t i = 0; i < names.size(); i += 2) {
        now.push_back(names[i].c_str());
        old.push_back(names[i + 1].c_str());
    }
    const std::clock_t begin = std::clock();
    common_places({{"app", now}, {"app", old}});
    EXPECT_LT(std::clock() - begin, 20 * CLOCKS_PER_SEC);
}

callcost::Part part(std::string_view command, std::string_view creator = "callgrind-3.22") {
    callcost::Part made;
    made.command = command;
    made.creator = creator;
    return made;
}

TEST(CommonCommand, does_not_depend_on_where_anything_is) {
    EXPECT_EQ(common_command(part("/tmp/lua-5.4.0/lua /tmp/lua-5.4.0/work.lua 3")), "lua work.lua 3");
    EXPECT_EQ(common_command(part("./lua-5.4.8  work.lua 3")), "lua work.lua 3");
    EXPECT_EQ(common_command(part("prog in-1.2")), "prog in-1.2");
    EXPECT_EQ(common_command(part("")), "");
}

TEST(CommonCommand, of_xdebug_is_one_path) {
    EXPECT_EQ(common_command(part("/srv/a b/shop.php", "xdebug 3.2.0")), "shop.php");
    EXPECT_EQ(common_command(part("/srv/a b/shop.php", "callcost-0.1.0 from xdebug 3.2.0")), "shop.php");
}

}  // namespace
}  // namespace callcost::test
