#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/library/call_graph/questions.hpp"
#include <callcost/call_graph.hpp>
#include <callcost/lines.hpp>

namespace callcost::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const char* const two_parts =
    "version: 1\ncreator: callgrind-3.19.0\npid: 42\ncmd: x\npart: 1\nthread: 1\nevents: Ir Dr\n"
    "fn=main\n1 10 1\ncfn=f\ncalls=2 5\n2 20 2\nfn=f\n5 20 2\ntotals: 30 3\n\n"
    "part: 2\nthread: 3\nevents: Dr Ir\n"
    "fn=f\n5 4 40\ncfn=g\ncalls=0 7\n6 1 3\nfn=g\n7 1 3\ntotals: 5 43\n";

TEST(Selection, parts_are_chosen_by_all_their_numbers_together) {
    const Profile profile = profile_of(two_parts);
    EXPECT_THAT(selected_parts(profile, {}), SizeIs(2));
    EXPECT_THAT(selected_parts(profile, {.parts = {2}}), ElementsAre(PartId(std::size_t{1})));
    EXPECT_THAT(selected_parts(profile, {.threads = {3, 1}}), SizeIs(2));
    EXPECT_THAT(selected_parts(profile, {.parts = {1}, .threads = {3}}), IsEmpty());
    EXPECT_THAT(selected_parts(profile, {.pids = {42}}), SizeIs(2));
    EXPECT_THAT(selected_parts(profile, {.pids = {43}}), IsEmpty());
}

TEST(Selection, parts_are_chosen_by_their_rows) {
    const Profile profile = profile_of(two_parts);
    EXPECT_THAT(selected_parts(profile, {.rows = {1}}), ElementsAre(PartId(std::size_t{1})));
    EXPECT_THAT(selected_parts(profile, {.rows = {1, 0, 9}}), SizeIs(2));
    EXPECT_THAT(selected_parts(profile, {.parts = {1}, .rows = {1}}), IsEmpty());
}

TEST(Selection, a_part_without_numbers_is_part_1_of_thread_1_of_process_0) {
    const Profile profile = plain_profile("fn=f\n1 1\n");
    EXPECT_THAT(selected_parts(profile, {.parts = {1}, .threads = {1}, .pids = {0}}), SizeIs(1));
    EXPECT_THAT(selected_parts(profile, {.parts = {0}}), IsEmpty());
}

TEST(Selection, what_matches_no_part_is_refused_and_says_what_there_is) {
    const auto graph = call_graph(profile_of(two_parts), {.parts = {7}});
    ASSERT_FALSE(graph.has_value());
    EXPECT_EQ(graph.error().code, ErrorCode::nothing_selected);
    EXPECT_EQ(graph.error().detail, "part 1, 2; thread 1, 3; pid 42");
}

TEST(Selection, many_numbers_are_said_in_ranges) {
    std::string text = "events: Ir\n";
    for (int part = 1; part <= 5000; ++part)
        if (part != 100) text += "part: " + std::to_string(part) + "\nfn=f\n1 1\n";
    const auto graph = call_graph(profile_of(text), {.parts = {100}});
    ASSERT_FALSE(graph.has_value());
    EXPECT_THAT(graph.error().detail, HasSubstr("part 1-99, 101-5000;"));
}

TEST(Selection, leaving_out_parts_needs_the_details) {
    const Profile profile = profile_of(two_parts, Detail::functions);
    const auto graph = call_graph(profile, {.parts = {1}});
    ASSERT_FALSE(graph.has_value());
    EXPECT_EQ(graph.error().code, ErrorCode::needs_detail);
    EXPECT_TRUE(call_graph(profile, {.parts = {1, 2}}).has_value()) << "leaves out none";
}

TEST(Selection, a_part_has_costs_counts_functions_and_arcs_of_its_own) {
    const Profile profile = profile_of(two_parts);
    const Measure ir = measure_of(profile, "Ir");
    const CallGraph first = graph_of(profile, {.parts = {1}});
    EXPECT_EQ(first.size(), 2U);
    EXPECT_EQ(first.arc_count(), 1U);
    EXPECT_EQ(first.total(ir), 30);
    EXPECT_EQ(first.inclusive(node_called(first, "main"), ir), 30);
    EXPECT_EQ(first.call_count(node_called(first, "f")).known, 2U);

    const CallGraph second = graph_of(profile, {.parts = {2}});
    EXPECT_EQ(second.total(ir), 43);
    EXPECT_EQ(second.total(measure_of(profile, "Dr")), 5) << "the columns come in another order";
    EXPECT_EQ(second.self(node_called(second, "f"), ir), 40);
    EXPECT_EQ(second.call_count(node_called(second, "f")).known, 0U);
    EXPECT_TRUE(second.call_count(node_called(second, "g")).at_least);

    std::size_t absent = 0;
    for (std::size_t row = 0; row < profile.function_count(); ++row)
        if (!second.node_of(FunctionId(row)).valid()) ++absent;
    EXPECT_EQ(absent, 1U) << "main";
}

TEST(Selection, cycles_and_roots_are_those_of_the_chosen_parts) {
    const Profile profile = profile_of(
        "part: 1\nevents: Ir\nfn=a\n1 1\ncfn=b\ncalls=1 1\n1 2\nfn=b\n1 2\n\n"
        "part: 2\nevents: Ir\nfn=b\n1 1\ncfn=a\ncalls=1 1\n1 5\nfn=a\n1 5\n");
    EXPECT_EQ(graph_of(profile).cycle_count(), 1U);
    EXPECT_EQ(graph_of(profile, {.parts = {1}}).cycle_count(), 0U);
    const CallGraph second = graph_of(profile, {.parts = {2}});
    const auto found = roots(second, measure_of(profile));
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(second.name(found[0].node), "b");
}

TEST(Selection, a_function_that_is_only_called_in_a_part_costs_what_its_callers_paid_there) {
    const Profile profile = profile_of(
        "part: 1\nevents: Ir\nfn=a\n1 1\ncfn=b\ncalls=1 1\n1 2\n\npart: 2\nevents: Ir\nfn=b\n1 9\n");
    const CallGraph first = graph_of(profile, {.parts = {1}});
    EXPECT_EQ(first.inclusive(node_called(first, "b"), measure_of(profile)), 2);
    EXPECT_EQ(graph_of(profile).inclusive(node_called(graph_of(profile), "b"), measure_of(profile)), 9);
}

TEST(Selection, the_parts_add_up_to_the_whole) {
    for (const char* name :
         {"callgrind/every-bb-combined.out", "callgrind/threads-separate-combined.out",
          "callgrind/threads-separate-combined-every-bb.out", "callgrind/dump-before-combined.out",
          "callgrind/combined-instr-jumps-cache.out"}) {
        const Profile profile = profile_file(name);
        const CallGraph whole = graph_of(profile, {.contexts = Contexts::keep});
        ASSERT_GT(profile.parts().size(), 1U) << name;
        for (const Measure& measure : measures(profile)) {
            std::vector<std::int64_t> self(profile.function_count(), 0);
            std::int64_t total = 0;
            std::int64_t arcs = 0;
            std::uint64_t calls = 0;
            // Parts that agree in all three numbers are chosen together, so each combination counts once.
            std::vector<std::vector<PartId>> seen;
            for (const Part& part : profile.parts()) {
                const Selection selection{.parts = {part.part.number.value_or(1)},
                                          .threads = {part.thread.number.value_or(1)},
                                          .pids = {part.pid.number.value_or(0)},
                                          .contexts = Contexts::keep};
                auto parts = selected_parts(profile, selection);
                if (std::find(seen.begin(), seen.end(), parts) != seen.end()) continue;
                seen.push_back(std::move(parts));
                const CallGraph graph = graph_of(profile, selection);
                total += graph.total(measure);
                EXPECT_EQ(sum_of_self(graph, measure), graph.total(measure)) << name;
                for (std::size_t row = 0; row < graph.size(); ++row)
                    self[graph.function(NodeId(row)).value] += graph.self(NodeId(row), measure);
                for (std::size_t row = 0; row < graph.arc_count(); ++row) {
                    arcs += graph.cost(ArcId(row), measure);
                    calls += graph.count(ArcId(row)).known;
                }
            }
            EXPECT_EQ(total, whole.total(measure)) << name;
            for (std::size_t row = 0; row < self.size(); ++row)
                EXPECT_EQ(self[row], whole.self(NodeId(row), measure)) << name;
            for (std::size_t row = 0; row < whole.arc_count(); ++row) {
                arcs -= whole.cost(ArcId(row), measure);
                calls -= whole.count(ArcId(row)).known;
            }
            EXPECT_EQ(arcs, 0) << name;
            EXPECT_EQ(calls, 0U) << name;
        }
    }
}

TEST(Selection, five_thousand_parts_are_no_matter) {
    std::string text;
    for (int part = 1; part <= 5000; ++part)
        text += "part: " + std::to_string(part) + "\nevents: Ir\nfn=f\n1 1\nfn=g" + std::to_string(part) +
                "\n1 2\n";
    const Profile profile = profile_of(text);
    const CallGraph graph = graph_of(profile, {.parts = {1, 2500, 5000}});
    EXPECT_EQ(graph.size(), 4U);
    EXPECT_EQ(graph.total(measure_of(profile)), 9);
}

TEST(Selection, a_hundred_thousand_columns_cost_no_more_than_what_is_written) {
    std::string text = "part: 1\nevents:";
    for (int i = 0; i < 100'000; ++i) text += " E" + std::to_string(i);
    text += "\n";
    for (int i = 0; i < 2'000; ++i) text += "fn=f" + std::to_string(i) + "\n1 1\ncfn=g\ncalls=1 1\n1 1\n";
    text += "fn=g\n1 2000\n\npart: 2\nfn=f0\n1 0 0 0 7\n";
    const Profile profile = profile_of(text);
    const CallGraph first = graph_of(profile, {.parts = {1}});
    EXPECT_EQ(first.total(measure_of(profile, "E0")), 4000);
    const CallGraph second = graph_of(profile, {.parts = {2}});
    EXPECT_EQ(second.total(measure_of(profile, "E3")), 7);
    EXPECT_THAT(analysis_diagnostics(first), IsEmpty());
}

}  // namespace
}  // namespace callcost::test
