// What is known to be inlined, in two profiles that are compared.
#include <optional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "callcost/callcost.hpp"
#include "unit/library/merge/inline_maps.hpp"
#include "unit/library/parser/profile_text.hpp"

namespace callcost::test {
namespace {

TEST(DiffOfInlined, takes_inlined_code_for_the_function_that_it_is_from) {
    const Profile before =
        expanded(read("positions: instr line\nevents: Ir\nob=p\nfl=a.c\nfn=main\n0x10 1 100\n0x20 5 45\n"),
                 {inline_map("object\tp\nfunction\tf\ta.c\t5\nsite\t-1\t0\t-1\t2\t20\nrun\t20\t0\n")});
    const Profile after = read(
        "positions: instr line\nevents: Ir\nob=p\nfl=a.c\nfn=main\n0x10 1 100\ncfn=f\n"
        "calls=9 0x30 5\n0x18 2 50\nfn=f\n0x30 5 50\n");
    const auto result = diff(*call_graph(before), *call_graph(after));
    ASSERT_TRUE(result.has_value());
    ASSERT_EQ(result->functions().size(), 2U);
    const FunctionMatch& f = result->functions()[0];
    EXPECT_EQ(f.tier, MatchTier::exact);
    EXPECT_EQ(result->self(f), (Change{45, 50}));
    EXPECT_EQ(result->inlined_self(f), (Change{45, 0}));
    EXPECT_EQ(result->entries(f).first, 45U);
    EXPECT_EQ(result->entries(f).second, std::nullopt);
    EXPECT_EQ(result->call_count(f), std::pair(CallCount({0, true}), CallCount({9, false})));
    EXPECT_EQ(result->self(result->functions()[1]), (Change{100, 100}));
}

TEST(DiffOfInlined, does_not_guess_what_was_inlined_where_that_is_known) {
    const std::string head = "positions: instr line\nevents: Ir\nob=p\nfl=a.c\nfn=main\n0x10 1 100\n";
    const std::string map = "object\tp\nfunction\tg\ta.c\t7\nsite\t-1\t0\t-1\t2\t28\nrun\t28\t0\n";
    const Profile before = read(head + "cfn=f\ncalls=9 0x30 5\n0x18 2 50\nfn=f\n0x30 5 50\n");
    const Profile after = read(head + "0x20 5 45\n0x28 7 1\n");
    EXPECT_EQ(diff(*call_graph(before), *call_graph(after))->inlinings().size(), 1U);
    const Profile known = expanded(after, {inline_map(map)});
    EXPECT_EQ(diff(*call_graph(before), *call_graph(known))->inlinings().size(), 0U);
}

}  // namespace
}  // namespace callcost::test
