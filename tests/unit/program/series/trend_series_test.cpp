// A trend says what became of totals and functions.
#include "series/trend_series.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/library/parser/profile_text.hpp"
#include <callcost/callcost.hpp>

namespace callcost::program {
namespace {

using test::read;
using testing::ElementsAre;

CallGraph graph_of(const std::string& text) {
    return *call_graph(read("events: Ir\n" + text), {.contexts = Contexts::fold});
}

TEST(Trend, follows_each_function) {
    const std::vector<CallGraph> graphs = {graph_of("fl=a.c\nfn=f\n1 100\nfn=g\n1 7\n"),
                                           graph_of("fl=a.c\nfn=g\n1 7\n"),
                                           graph_of("fl=b/a.c\nfn=f\n1 160\nfn=g\n1 7\n")};
    const auto result = trend(graphs, {});
    ASSERT_TRUE(result.has_value());
    ASSERT_EQ(result->totals.size(), 1U);
    EXPECT_EQ(result->totals[0].totals, (Series{107, 7, 167}));
    ASSERT_EQ(result->functions.size(), 1U) << "g has not moved";
    EXPECT_EQ(result->functions[0].self, (Series{100, 0, 160}));
    EXPECT_FALSE(trend(graphs, {.measure = "Dr"}).has_value());
}

TEST(Trend, orders_exactly_and_equal_rows_as_the_library_does) {
    // As doubles, the first two have moved equally far.
    const auto at = [](const std::string& f, const std::string& g, const std::string& twin) {
        return graph_of("ob=z\nfl=x.c\nfn=twin\n1 " + twin + "\nfn=f\n1 " + f + "\nob=a\nfn=twin\n1 " + twin +
                        "\nfn=g\n1 " + g + "\n");
    };
    const std::vector<CallGraph> graphs = {at("1", "1", "1"),
                                           at("9007199254740992", "9007199254740993", "3")};
    const auto result = trend(graphs, {.threshold = 0});
    ASSERT_TRUE(result.has_value());
    std::vector<std::string> names;
    for (const FunctionTrend& function : result->functions)
        names.push_back(std::string(function.name) + " in " + std::string(function.object));
    EXPECT_THAT(names, ElementsAre("g in a", "f in z", "twin in a", "twin in z"));
}

TEST(Trend, has_change_points_of_totals_and_functions) {
    const auto of = [](const std::string& event) {
        std::vector<CallGraph> graphs;
        for (const auto* cost : {"100", "120", "125", "140", "135", "160"})
            graphs.push_back(
                *call_graph(read("events: " + event + "\nfl=a.c\nfn=f\n1 " + cost + "\nfn=g\n1 7\n"), {}));
        return *trend(graphs, {});
    };
    const auto exact = of("Ir");
    ASSERT_EQ(exact.functions.size(), 1U);
    ASSERT_EQ(exact.functions[0].changes.size(), 5U);
    EXPECT_EQ(exact.functions[0].changes[4].level, (Change{135, 160}));
    ASSERT_EQ(exact.totals[0].changes.size(), 5U);
    EXPECT_EQ(exact.totals[0].changes[4].level, (Change{142, 167}));
    const auto noisy = of("ns");
    EXPECT_TRUE(noisy.functions[0].changes.empty()) << "so few times do not show what is noise";
    EXPECT_TRUE(noisy.totals[0].changes.empty());
}

TEST(Trend, draws_a_line) {
    EXPECT_EQ(sparkline({0, 7, std::nullopt, 3}, false), "_# -");
    EXPECT_EQ(sparkline({5, 5}, true), "▁▁");
    EXPECT_EQ(sparkline({INT64_MIN, INT64_MAX}, false), "_#");
    EXPECT_EQ(sparkline({}, false), "");
    EXPECT_EQ(ends({std::nullopt, 4, 9, std::nullopt}), (Change{4, 9}));
}

}  // namespace
}  // namespace callcost::program
