#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/library/call_graph/questions.hpp"
#include <callcost/call_graph.hpp>
#include <callcost/groups.hpp>

namespace callcost::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

const char* const small_text =
    "events: Ir\n"
    "fn=main\n1 10\ncfn=big\ncalls=1 1\n1 70\ncfn=small\ncalls=9 1\n1 20\n"
    "fn=small\n1 20\nfn=big\n1 50\ncfn=leaf_b\ncalls=2 1\n1 10\ncfn=leaf_a\ncalls=2 1\n1 10\n"
    "fn=leaf_b\n1 10\nfn=leaf_a\n1 10\n";

std::vector<std::string> names_in(const CallGraph& graph, const FunctionList& list) {
    std::vector<std::string> names;
    for (const FunctionRow& row : list.rows) names.emplace_back(graph.name(row.node));
    return names;
}

TEST(Functions, and_groups_need_no_options) {
    const CallGraph graph = graph_of(profile_of(small_text));
    EXPECT_THAT(functions(graph).rows, SizeIs(graph.size()));
    EXPECT_EQ(functions(graph).total, 100);
    EXPECT_THAT(groups(graph, GroupBy::file).rows, SizeIs(1));
}

TEST(Functions, come_by_self_cost_and_then_by_name) {
    const Profile profile = profile_of(small_text);
    const CallGraph graph = graph_of(profile);
    EXPECT_THAT(names_in(graph, functions(graph, {.measure = measure_of(profile)})),
                ElementsAre("big", "small", "leaf_a", "leaf_b", "main"));
}

TEST(Functions, are_measured_by_the_first_event_type_that_adds_up_if_nothing_else_is_said) {
    const Profile profile = profile_of(small_text);
    const CallGraph graph = graph_of(profile);
    const FunctionList list = functions(graph, {.limit = 1});
    ASSERT_THAT(list.rows, SizeIs(1));
    EXPECT_EQ(list.rows[0].self, 50);
    EXPECT_EQ(list.total, 100);
    EXPECT_EQ(groups(graph, GroupBy::object, {}).total, 100);
    EXPECT_THAT(functions(graph_of(profile_of("events: Ir\n")), {}).rows, IsEmpty());
}

TEST(Functions, that_cover_a_share_of_the_total_are_as_few_as_can_be) {
    const Profile profile = profile_of(small_text);
    const CallGraph graph = graph_of(profile);
    const FunctionList list = functions(graph, {.coverage = 0.6});
    EXPECT_THAT(names_in(graph, list), ElementsAre("big", "small"));
    EXPECT_EQ(list.omitted_rows, 3U);
    EXPECT_EQ(list.omitted_self, 30);
    EXPECT_THAT(names_in(graph, functions(graph, {.coverage = 0.5})), ElementsAre("big"));
    EXPECT_THAT(functions(graph, {.coverage = 1}).rows, SizeIs(5));
    EXPECT_THAT(functions(graph, {.by = SortBy::name, .coverage = 0.5}).rows, SizeIs(5));
}

TEST(Functions, that_cover_a_share_by_inclusive_cost_are_above_what_it_leaves) {
    const Profile profile = profile_of(small_text);
    const CallGraph graph = graph_of(profile);
    EXPECT_THAT(names_in(graph, functions(graph, {.by = SortBy::inclusive, .coverage = 0.8})),
                ElementsAre("main", "big", "small"));
}

TEST(Functions, come_by_inclusive_cost_calls_or_name) {
    const Profile profile = profile_of(small_text);
    const CallGraph graph = graph_of(profile);
    const Measure ir = measure_of(profile);
    EXPECT_THAT(names_in(graph, functions(graph, {.measure = ir, .by = SortBy::inclusive})),
                ElementsAre("main", "big", "small", "leaf_a", "leaf_b"));
    EXPECT_THAT(names_in(graph, functions(graph, {.measure = ir, .by = SortBy::called})),
                ElementsAre("small", "leaf_a", "leaf_b", "big", "main"));
    EXPECT_THAT(names_in(graph, functions(graph, {.measure = ir, .by = SortBy::name})),
                ElementsAre("big", "leaf_a", "leaf_b", "main", "small"));
}

TEST(Functions, of_equal_name_come_by_object_and_file) {
    const Profile profile =
        plain_profile("ob=y\nfl=b\nfn=f\n1 1\nob=x\nfl=z\nfn=f\n1 1\nob=x\nfl=a\nfn=f\n1 1\n");
    const CallGraph graph = graph_of(profile);
    std::vector<std::string> places;
    for (const FunctionRow& row : functions(graph, {.measure = measure_of(profile)}).rows)
        places.push_back(std::string(graph.object(row.node)) + " " + std::string(graph.file(row.node)));
    EXPECT_THAT(places, ElementsAre("x a", "x z", "y b"));
}

TEST(Functions, what_is_left_out_is_accounted_for) {  // promise 4
    const Profile profile = profile_of(small_text);
    const CallGraph graph = graph_of(profile);
    const FunctionList list = functions(graph, {.measure = measure_of(profile), .limit = 2});
    EXPECT_THAT(names_in(graph, list), ElementsAre("big", "small"));
    EXPECT_EQ(list.omitted_rows, 3U);
    EXPECT_EQ(list.omitted_self, 30);
    EXPECT_EQ(list.total, 100);
    const FunctionList none = functions(graph, {.measure = measure_of(profile), .limit = 0});
    EXPECT_EQ(none.omitted_self, 100);
}

TEST(Functions, below_the_threshold_are_left_out) {
    const Profile profile = profile_of(small_text);
    const CallGraph graph = graph_of(profile);
    const Measure ir = measure_of(profile);
    EXPECT_THAT(names_in(graph, functions(graph, {.measure = ir, .threshold = 0.2})),
                ElementsAre("big", "small"));
    EXPECT_THAT(names_in(graph, functions(graph, {.measure = ir, .by = SortBy::inclusive, .threshold = 0.5})),
                ElementsAre("main", "big"));
    EXPECT_THAT(functions(graph, {.measure = ir, .threshold = 1.0}).rows, IsEmpty());
}

TEST(Functions, the_few_and_the_many_are_in_the_same_order) {
    const Profile profile = profile_file("callgrind/stl-O2-instr-jumps.out");
    const CallGraph graph = graph_of(profile);
    for (const SortBy by : {SortBy::self, SortBy::inclusive, SortBy::called, SortBy::name}) {
        const auto all = names_in(graph, functions(graph, {.measure = measure_of(profile), .by = by}));
        EXPECT_THAT(all, SizeIs(graph.size()));
        const auto few =
            names_in(graph, functions(graph, {.measure = measure_of(profile), .by = by, .limit = 20}));
        EXPECT_EQ(few, std::vector(all.begin(), all.begin() + 20));
    }
}

TEST(Functions, costs_of_the_list_are_those_of_the_graph) {
    for (const char* name : {"callgrind/stl-O2-instr-jumps.out", "xdebug/plain.cachegrind.out",
                             "valgrind-xtree/leak.kcg", "hostile/calls-without-cfn.out"}) {
        const Profile profile = profile_file(name);
        const CallGraph graph = graph_of(profile);
        for (const Measure& measure : measures(profile))
            for (const SortBy by : {SortBy::self, SortBy::inclusive})
                for (const FunctionRow& row : functions(graph, {.measure = measure, .by = by}).rows) {
                    EXPECT_EQ(row.self, graph.self(row.node, measure)) << name;
                    EXPECT_EQ(row.inclusive, graph.inclusive(row.node, measure)) << name;
                }
    }
}

TEST(Functions, of_40000_callees_are_no_matter) {
    std::string text = "events: Ir\nfn=main\n1 1\n";
    for (int i = 0; i < 40'000; ++i) text += "cfn=f" + std::to_string(i) + "\ncalls=1 1\n1 2\n";
    for (int i = 0; i < 40'000; ++i) text += "fn=f" + std::to_string(i) + "\n1 2\n";
    const Profile profile = profile_of(text);
    const CallGraph graph = graph_of(profile);
    const auto list = functions(graph, {.measure = measure_of(profile), .by = SortBy::inclusive, .limit = 3});
    EXPECT_THAT(names_in(graph, list), ElementsAre("main", "f0", "f1"));
    EXPECT_EQ(list.rows[0].inclusive, 80'001);
}

TEST(PercentageBase, is_the_total_or_what_the_file_declares_or_the_largest_inclusive_cost) {  // F70
    const auto base = [](const std::string& text) {
        const Profile profile = profile_of(text);
        return percentage_base(graph_of(profile), measure_of(profile));
    };
    EXPECT_EQ(base("events: Ir\nsummary: 9\nfn=f\n1 5\n"), 5);
    EXPECT_EQ(base("events: Ir\nsummary: 9\nfn=f\n1 0\n"), 9);
    EXPECT_EQ(base("events: Ir\nsummary: 0\nfn=f\n1 0\ntotals: 8\n"), 8);
    EXPECT_EQ(base("events: Ir\nfn=f\n1 0\ncfn=g\ncalls=1 1\n1 7\n"), 7);
    EXPECT_EQ(base("events: Ir\nfn=f\n1 0\n"), 0);
}

TEST(PercentageBase, is_nothing_for_columns_that_do_not_add_up) {
    const Profile profile = profile_file("remake/process-1.callgrind");
    EXPECT_EQ(percentage_base(graph_of(profile), measure_of(profile, "Wt")), 0);
}

}  // namespace
}  // namespace callcost::test
