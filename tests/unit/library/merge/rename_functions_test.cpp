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

TEST(Renaming, needs_a_name_for_each) {
    EXPECT_EQ(rename_functions(read(with_addresses), {}).error().code, ErrorCode::bad_argument);
}

}  // namespace
}  // namespace callcost::test
