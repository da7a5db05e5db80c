// A profile with calls and one of Cachegrind, which records none.
#include <gtest/gtest.h>

#include "callcost/callcost.hpp"
#include "unit/library/parser/profile_text.hpp"

namespace callcost::test {
namespace {

TEST(Diff, compares_no_calls_with_a_profile_of_cachegrind) {
    const auto before =
        *call_graph(read("version: 1\ncreator: callgrind-3.19.0\npositions: line\nevents: Ir\n"
                         "fl=a.c\nfn=main\n1 2\ncfn=f\ncalls=3 5\n1 30\nfn=f\n5 30\n"));
    const auto after =
        *call_graph(read("desc: I1 cache: none\ncmd: a\nevents: Ir\n"
                         "fl=a.c\nfn=main\n1 2\nfn=f\n5 30\nsummary: 32\n"));
    for (const bool swaps : {false, true}) {
        const auto result = swaps ? diff(after, before) : diff(before, after);
        ASSERT_TRUE(result);
        EXPECT_FALSE(result->compares_calls());
        EXPECT_TRUE(result->arcs().empty());
        for (const FunctionMatch& function : result->functions()) {
            EXPECT_EQ(result->inclusive(function), result->self(function));
            EXPECT_EQ(result->call_count(function), std::pair(CallCount{}, CallCount{}));
        }
    }
    EXPECT_TRUE(diff(before, before)->compares_calls());
    EXPECT_TRUE(diff(after, after)->compares_calls());
}

}  // namespace
}  // namespace callcost::test
