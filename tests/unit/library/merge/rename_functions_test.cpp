// Functions with other names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "callcost/writer.hpp"
#include "unit/library/parser/profile_dump.hpp"

namespace callcost::test {
namespace {

constexpr std::string_view with_addresses =
    "positions: line\nevents: Ir\npart: 1\nob=o\nfl=a.c\nfn=(1) 0x1\n1 10\ncfn=(2) 0x2\ncalls=3 1\n1 5\n"
    "jump=2 4\n1\nfn=(2)\n4 7\ncfn=(3) 0x3\ncalls=1 1\n4 6\nfn=(3)\n5 6\n"
    "part: 2\nevents: Ir\nob=o\nfl=a.c\nfn=(3)\n5 2\ncfn=(1)\ncalls=1 1\n5 1\nfn=(1)\n1 1\n";

std::string with_names() {
    std::string text(with_addresses);
    for (const std::string_view address : {"0x1", "0x3"})
        text.replace(text.find(address), address.size(), "main");
    return text;
}

std::vector<std::string> names_for(const Profile& profile) {
    std::vector<std::string> names;
    for (const FunctionId function : all_functions(profile))
        names.emplace_back(profile.name(function) == "0x2" ? "" : "main");
    return names;
}

TEST(Renaming, is_as_reading_a_file_with_those_names) {
    for (const Detail detail : {Detail::full, Detail::functions}) {
        ReadOptions how;
        how.detail = detail;
        const Profile before = read(with_addresses, how);
        const Result<Profile> after = rename_functions(before, names_for(before));
        ASSERT_TRUE(after);
        EXPECT_EQ(first_difference(columns_dump(*after), columns_dump(read(with_names(), how))), "");
        EXPECT_EQ(after->function_count(), 2U);
        if (detail == Detail::full) {
            EXPECT_EQ(first_difference(model_dump(*after), model_dump(read(with_names()))), "");
        }
        const Result<Profile> again = rename_functions(*after, std::vector<std::string>{"x", "x"});
        ASSERT_TRUE(again);
        EXPECT_EQ(again->function_count(), 1U);
        EXPECT_EQ(again->arc_count(), 1U);
    }
}

TEST(Renaming, keeps_inlined_code) {
    constexpr std::string_view before =
        "events: Ir\npart: 1\nob=o\nfl=a.c\nfn=0x1\n1 1\nfi=b.h\ncfni=g\n2 2\n"
        "part: 2\nevents: Ir\nob=o\nfl=a.c\nfn=0x2\n3 4\nfi=b.h\ncfni=g\n2 8\ncfni=h\n3 16\n"
        "fe=a.c\nfn=k\n5 32\nfi=b.h\ncfni=0x1\n7 64\n";
    std::string after(before);
    for (auto at = after.find("0x"); at != std::string::npos; at = after.find("0x"))
        after.replace(at, 3, "main");
    for (const Detail detail : {Detail::full, Detail::functions}) {
        ReadOptions how;
        how.detail = detail;
        const Profile profile = read(before, how);
        std::vector<std::string> names;
        for (const FunctionId function : all_functions(profile))
            names.emplace_back(profile.name(function).starts_with("0x") ? "main" : "");
        const Result<Profile> renamed = rename_functions(profile, names);
        ASSERT_TRUE(renamed);
        const Profile expected = read(after, how);
        EXPECT_EQ(first_difference(columns_dump(*renamed), columns_dump(expected)), "");
        ASSERT_EQ(renamed->function_count(), 5U) << "main and k; g and h in main, main in k";
        EXPECT_EQ(renamed->has_inlined(), expected.has_inlined());
        if (detail == Detail::full) {
            EXPECT_TRUE(renamed->has_inlined());
            EXPECT_EQ(first_difference(model_dump(*renamed), model_dump(expected)), "");
        }
        const Result<Profile> same = rename_functions(*renamed, std::vector<std::string>(5));
        ASSERT_TRUE(same);
        EXPECT_EQ(first_difference(columns_dump(*same), columns_dump(*renamed)), "");
    }
}

TEST(Renaming, needs_a_name_for_each) {
    EXPECT_EQ(rename_functions(read(with_addresses), {}).error().code, ErrorCode::bad_argument);
}

}  // namespace
}  // namespace callcost::test
