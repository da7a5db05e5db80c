#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/library/call_graph/questions.hpp"
#include <callcost/call_graph.hpp>

namespace callcost::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

std::vector<std::pair<std::string, std::int64_t>> roots_in(const Profile& profile) {
    const CallGraph graph = graph_of(profile);
    std::vector<std::pair<std::string, std::int64_t>> found;
    for (const Root& root : roots(graph, measure_of(profile)))
        found.emplace_back(graph.name(root.node), root.weight);
    return found;
}

std::vector<std::pair<std::string, std::uint64_t>> diagnostics_of(const Profile& profile,
                                                                  const Selection& selection = {}) {
    std::vector<std::pair<std::string, std::uint64_t>> found;
    for (const Diagnostic& diagnostic : analysis_diagnostics(graph_of(profile, selection)))
        found.emplace_back(kind_of(diagnostic.id).name, diagnostic.count);
    return found;
}

TEST(Conservation, is_exact_in_single_threaded_callgrind_files) {  // F75
    for (const char* name :
         {"callgrind/pos-plain.out", "callgrind/pos-compressed.out", "callgrind/templates-same-line.out",
          "callgrind/python-instr-jumps.out", "callgrind/stl-O2-instr-jumps.out", "callgrind/stripped.out",
          "callgrind/names-latin1-utf8-long.out", "callgrind/unloaded-library.out",
          "callgrind/client-requests.out", "callgrind/toggle-collect.out", "callgrind/fork-child.out"}) {
        const Profile profile = profile_file(name);
        const CallGraph graph = graph_of(profile);
        const Measure ir = measure_of(profile);
        std::int64_t entered = 0;  // cost that no caller paid for
        for (std::size_t row = 0; row < graph.size(); ++row) {
            const NodeId node(row);
            if (graph.cycle(node).valid()) continue;
            const std::int64_t imbalance = conservation(graph, node, ir).imbalance();
            EXPECT_GE(imbalance, 0) << name << " " << graph.name(node);
            entered += imbalance;
        }
        for (std::size_t cycle = 0; cycle < graph.cycle_count(); ++cycle)
            EXPECT_EQ(conservation(graph, CycleId(cycle), ir).imbalance(), 0) << name;
        EXPECT_EQ(entered, graph.total(ir)) << name;
        EXPECT_LE(roots(graph, ir).size(), 2U) << name;
    }
}

TEST(Conservation, leaves_out_direct_recursion_and_the_inside_of_cycles) {
    const Profile profile = profile_of(
        "events: Ir\nfn=main\n1 1\ncfn=f\ncalls=1 1\n1 60\n"
        "fn=f\n1 10\ncfn=f\ncalls=5 1\n1 40\ncfn=g\ncalls=1 1\n1 50\n"
        "fn=g\n1 20\ncfn=f\ncalls=1 1\n1 33\ncfn=h\ncalls=1 1\n1 30\nfn=h\n1 30\n");
    const CallGraph graph = graph_of(profile);
    const Measure ir = measure_of(profile);
    const Conservation f = conservation(graph, node_called(graph, "f"), ir);
    EXPECT_EQ(f.self, 10);
    EXPECT_EQ(f.in, 60 + 33);
    EXPECT_EQ(f.out, 50);
    const Conservation cycle = conservation(graph, graph.cycle(node_called(graph, "f")), ir);
    EXPECT_EQ(cycle.self, 30);
    EXPECT_EQ(cycle.in, 60);
    EXPECT_EQ(cycle.out, 30);
    EXPECT_EQ(cycle.imbalance(), 0);
}

TEST(Roots, are_what_costs_more_than_its_callers_paid) {  // F77
    EXPECT_THAT(roots_in(profile_file("hostile/cycle-entered-late.out")),
                ElementsAre(Pair("both_root_and_called", 80), Pair("zmain", 80), Pair("caller", 21),
                            Pair("self_only", 5)));
}

TEST(Roots, a_cycle_without_callers_is_one_root) {
    EXPECT_THAT(
        roots_in(plain_profile("fn=a\n1 10\ncfn=b\ncalls=1 1\n1 20\nfn=b\n1 20\ncfn=a\ncalls=1 1\n1 5\n")),
        ElementsAre(Pair("a", 30)));
}

TEST(Roots, carry_the_whole_cost_of_a_complete_profile) {
    for (const char* name : {"callgrind/default.out", "callgrind/threads-separate-combined.out",
                             "callgrind/python-instr-jumps.out"}) {
        const Profile profile = profile_file(name);
        std::int64_t sum = 0;
        for (const auto& [function, weight] : roots_in(profile)) sum += weight;
        EXPECT_EQ(sum, graph_of(profile).total(measure_of(profile))) << name;
    }
}

TEST(AnalysisDiagnostics, functions_above_the_total_are_reported_once_each) {  // F76 (d)
    const Profile profile =
        profile_of("events: Ir Dr\nfn=f\n1 5 5\ncfn=g\ncalls=1 1\n1 90 90\nfn=g\n1 3 3\n");
    EXPECT_THAT(diagnostics_of(profile), ElementsAre(Pair("inclusive-exceeds-total", 1)));
    EXPECT_EQ(analysis_diagnostics(graph_of(profile))[0].places[0].excerpt, "f");
}

TEST(AnalysisDiagnostics, cycles_above_the_total_are_reported_as_one) {
    const Profile profile = plain_profile(
        "fn=f\n1 5\ncfn=g\ncalls=1 1\n1 9\nfn=g\n1 5\ncfn=f\ncalls=1 1\n1 9\ncfn=h\ncalls=1 1\n1 90\nfn=h\n1 "
        "1\n");
    EXPECT_THAT(diagnostics_of(profile), ElementsAre(Pair("inclusive-exceeds-total", 1)));
}

TEST(AnalysisDiagnostics, rounding_and_what_only_the_summary_counts_explain_an_excess) {  // F70, F77
    const auto excess = [](const std::string& summary, int inclusive) {
        const std::string cost = std::to_string(inclusive);
        return diagnostics_of(profile_of("events: Ir\n" + summary + "fn=f\n1 5\ncfn=g\ncalls=1 1\n1 " + cost +
                                         "\nfn=g\n1 5\n"));
    };
    EXPECT_THAT(excess("", 5 + 3), IsEmpty());  // three records
    EXPECT_THAT(excess("", 5 + 4), ElementsAre(Pair("inclusive-exceeds-total", 1)));
    EXPECT_THAT(excess("summary: 20\n", 15 + 3), IsEmpty());
    EXPECT_THAT(excess("summary: 20\n", 15 + 4), ElementsAre(Pair("inclusive-exceeds-total", 1)));
}

TEST(AnalysisDiagnostics, a_limit_beyond_the_largest_cost_is_not_exceeded) {  // F82
    EXPECT_THAT(diagnostics_of(profile_of("events: Ir\nfn=f\n1 9223372036854775807\n")), IsEmpty());
    EXPECT_THAT(diagnostics_of(profile_of("events: Ir\nsummary: 9223372036854775807\nfn=f\n1 5\n"
                                          "part: 2\nsummary: 9223372036854775807\nfn=f\n1 5\n")),
                IsEmpty());
}

TEST(AnalysisDiagnostics, a_negative_call_between_positive_lines_means_that_the_counters_were_zeroed) {
    const std::string body = "fn=f\n1 5\ncfn=g\ncalls=1 1\n1 -900\nfn=g\n1 5\n";
    const std::string head = "creator: callgrind-3.19.0\nevents: Ir\n";
    const Profile zeroed = profile_of(head + body);
    EXPECT_THAT(diagnostics_of(zeroed), ElementsAre(Pair("counters-zeroed", 1)));
    EXPECT_EQ(analysis_diagnostics(graph_of(zeroed))[0].places[0].excerpt, "g");
    EXPECT_THAT(diagnostics_of(profile_of(head + "fn=h\n1 -1\n" + body)),
                IsEmpty());                                                     // a difference of profiles
    EXPECT_THAT(diagnostics_of(profile_of("events: Ir\n" + body)), IsEmpty());  // another producer
}

TEST(AnalysisDiagnostics, a_negative_call_counts_once_by_however_many_event_types) {
    std::string text = "creator: callgrind-3.19.0\nevents:";
    std::string own = "1", call = "1";
    for (int i = 0; i < 100; ++i) {
        text += " E" + std::to_string(i);
        own += " 900";
        call += " -5";
    }
    text += "\nfn=f\n" + own + '\n';
    for (int i = 0; i < 20; ++i) text += "cfn=g" + std::to_string(i) + "\ncalls=1 1\n" + call + '\n';
    const Profile profile = profile_of(text);
    EXPECT_THAT(diagnostics_of(profile), ElementsAre(Pair("counters-zeroed", 20)));
    EXPECT_EQ(analysis_diagnostics(graph_of(profile))[0].places[0].excerpt, "g0");
    EXPECT_EQ(analysis_diagnostics(graph_of(profile))[0].places[9].excerpt, "g9");
}

TEST(AnalysisDiagnostics, sound_files_have_none) {
    for (const char* name :
         {"callgrind/python-instr-jumps.out", "callgrind/all-events.out", "cachegrind/branch.out",
          "callgrind/every-bb-combined.out", "hostile/cycle-entered-late.out"}) {
        const Profile profile = profile_file(name);
        EXPECT_THAT(diagnostics_of(profile), IsEmpty()) << name;
    }
}

TEST(AnalysisDiagnostics, negative_costs_prove_nothing) {
    EXPECT_THAT(diagnostics_of(plain_profile("fn=f\n1 5\nfn=g\n1 -9\nfn=h\n1 6\n")), IsEmpty());
}

TEST(AnalysisDiagnostics, columns_that_do_not_add_up_are_reported) {  // F78
    EXPECT_THAT(diagnostics_of(profile_file("remake/process-1.callgrind")),
                ElementsAre(Pair("non-additive-column", 2)));
    EXPECT_THAT(diagnostics_of(profile_file("pprofile/det.callgrind")),
                ElementsAre(Pair("non-additive-column", 1)));
}

TEST(AnalysisDiagnostics, find_the_same_in_wide_tables_and_in_parts) {
    std::string events = "events: Ir";
    for (int i = 0; i < 100; ++i) events += " E" + std::to_string(i);
    const std::string body =
        "\nfn=f\n1 5\ncfn=g\ncalls=1 1\n1 90\ncfn=only_called\ncalls=1 1\n1 80\nfn=g\n1 3 1\n"
        "fn=a\n1 1\ncfn=b\ncalls=1 1\n1 5\nfn=b\n1 1\ncfn=a\ncalls=1 1\n1 5\ncfn=g\ncalls=1 1\n1 70\n";
    const Profile narrow = profile_of("part: 1\nevents: Ir E0" + body + "\npart: 2\nevents: Ir\nfn=x\n1 0\n");
    const Profile wide = profile_of("part: 1\n" + events + body + "\npart: 2\nfn=x\n1 0\n");
    const std::vector<std::pair<std::string, std::uint64_t>> expected{{"inclusive-exceeds-total", 3}};
    EXPECT_EQ(diagnostics_of(narrow), expected);
    EXPECT_EQ(diagnostics_of(wide), expected);
    EXPECT_EQ(diagnostics_of(narrow, {.parts = {1}}), expected);
    EXPECT_EQ(diagnostics_of(wide, {.parts = {1}}), expected);
}

}  // namespace
}  // namespace callcost::test
