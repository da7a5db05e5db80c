#include "recording/run_variation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <callcost/read.hpp>

namespace callcost::program {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

void add_run(RunVariation& variation, const std::string& functions) {
    const auto profile = read_profile(from_memory("events: Ir\nob=prog\nfl=a.c\n" + functions));
    ASSERT_TRUE(profile);
    const auto graph = call_graph(*profile);
    ASSERT_TRUE(graph);
    variation.add(*graph, default_measure(*graph));
}

MATCHER_P3(IsRow, name, least, most, "") {
    return arg.name == name && arg.least == least && arg.most == most && arg.object == "prog";
}

TEST(RunVariation, ListsFunctionsWhoseCostIsNotAlwaysTheSame) {
    RunVariation variation;
    add_run(variation, "fn=same\n1 10\nfn=small\n2 5\nfn=large\n3 100\n");
    add_run(variation, "fn=same\n1 10\nfn=small\n2 7\nfn=large\n3 50\n");
    add_run(variation, "fn=same\n1 10\nfn=small\n2 6\nfn=large\n3 70\nfn=new\n4 30\n");
    EXPECT_THAT(variation.rows(),
                ElementsAre(IsRow("large", 50, 100), IsRow("new", 0, 30), IsRow("small", 5, 7)));
    std::string text;
    variation.write(text, {});
    EXPECT_THAT(text, HasSubstr("Not deterministic: 3 of 4 functions, by their self cost (Ir) in 3 runs; the "
                                "total varies by 49.\n"));
    EXPECT_THAT(text, HasSubstr("50     50   100  large"));
}

TEST(RunVariation, SaysIfThereIsNone) {
    RunVariation variation;
    for (int run = 0; run < 2; ++run) add_run(variation, "fn=same\n1 10\n");
    EXPECT_THAT(variation.rows(), ElementsAre());
    std::string text;
    variation.write(text, {});
    EXPECT_EQ(text, "Deterministic: the self cost (Ir) of 1 function is the same in 2 runs.\n");
}

}  // namespace
}  // namespace callcost::program
