#include "exporters/dot.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/engine/exporters/written.hpp"
#include "unit/library/call_graph/questions.hpp"

namespace callcost::engine {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string dot(const CallGraph& graph, const DotOptions& options = {}) {
    return test::written_by([&](const Sink& sink) { return write_dot(graph, options, sink); });
}

std::string dot(const std::string& body) { return dot(test::graph_of(test::plain_profile(body))); }

TEST(Dot, draws_functions_and_calls) {
    EXPECT_EQ(dot(test::graph_of(test::profile_of(test::small_profile))), R"dot(digraph callcost {
graph [bgcolor="transparent", fontname="Helvetica,Arial,sans-serif", fontcolor="#7a7a7a", fontsize=12,
  labelloc=t, labeljust=l, nodesep=0.3, ranksep=0.45, tooltip="callcost", label="./small\lIr (Instructions): total 113\l3 of 3 functions shown\l"];
node [shape=box, style="filled,rounded", fontname="Helvetica,Arial,sans-serif", fontcolor="#1f1f1f", margin="0.14,0.07"];
edge [fontname="Helvetica,Arial,sans-serif", fontsize=10, fontcolor="#7a7a7a", arrowsize=0.7];
n1 [label="main\nself 13 (11.50%)\nincl 113 (100.00%)\n", fontsize=16.6, fillcolor="#f6e0c9", color="#d96b1d", tooltip="main | a.c | a.out"];
n2 [label="g\nself 50 (44.25%)\nincl 60 (53.10%)\n", fontsize=22.0, fillcolor="#f9cca2", color="#b57a51", tooltip="g | g.c | lib.so"];
n3 [label="f\nself 50 (44.25%)\n", fontsize=22.0, fillcolor="#f9cca2", color="#ae7d5b", tooltip="f | a.c | a.out"];
n1 -> n2 [label="  60 (53.10%) \n  1× \n", penwidth=3.12, weight=54, color="#c4743b", tooltip="main → g", labeltooltip="main → g"];
n1 -> n3 [label="  40 (35.40%) \n  2× \n", penwidth=2.42, weight=36, color="#ba784a", tooltip="main → f", labeltooltip="main → f"];
n2 -> n3 [label="  10 (8.85%) \n  1× \n", penwidth=1.35, weight=10, color="#a3826b", tooltip="g → f", labeltooltip="g → f"];
n3 -> n3 [label="  30 \n  3× \n", penwidth=1.00, weight=1, color="#8c8c8c", tooltip="f → f", labeltooltip="f → f", arrowhead=empty];
}
)dot");
}

TEST(Dot, frames_cycles_and_gives_their_calls_no_percentage) {
    const auto text =
        dot("fn=main\n1 10\ncfn=a\ncalls=1 0\n1 90\nfn=a\n1 40\ncfn=b\ncalls=5 0\n1 500\nfn=b\n1 "
            "50\ncfn=a\ncalls=4 0\n1 400\n");
    EXPECT_THAT(text, HasSubstr("subgraph cluster_cycle1 {"));
    EXPECT_THAT(text, HasSubstr("cycle 1: 2 functions\\linclusive 90 (90.00%)\\l"));
    EXPECT_THAT(text, HasSubstr("label=\"  90 (90.00%) \\n  1\u00d7 \\n\""));
    EXPECT_THAT(text, HasSubstr("label=\"  500 \\n  5\u00d7 \\n\""));
}

TEST(Dot, shows_unknown_counts_as_such) {
    EXPECT_THAT(dot("fn=f\n1 1\ncfn=g\ncalls=0 0\n1 1\n"), HasSubstr("  ?\u00d7 \\n\""));
}

TEST(Dot, escapes_names) {
    const auto text = dot("fn=a\"];b\\n&lt;\\\n1 5\n");
    EXPECT_THAT(text, HasSubstr(R"(label="a\"];b\\n&amp;lt;\\\n5 (100.00%)\n")"));
    EXPECT_THAT(dot("fn=\xef\xbf\xbf\x1b[0m\n1 5\n"), HasSubstr("label=\"\xef\xbf\xbd\\\\x1b[0m\\n"));
}

TEST(Dot, shortens_names_by_their_arguments) {
    const auto label_of = [](const std::string& name) {
        const auto text = dot("fn=" + name + "\n1 5\n");
        const auto begin = text.find("n1 [label=\"") + 11;
        return text.substr(begin, text.find("\\n5 (100", begin) - begin);
    };
    EXPECT_EQ(label_of("std::map<int, long>::at(int)"), "std::map<int, long>::at(int)");
    EXPECT_EQ(label_of("std::map<std::string, std::vector<int>>::at(std::string const&)"),
              "std::map<\u2026>::at(\u2026)");
    EXPECT_EQ(label_of("very_long_namespace_name::operator<< <std::vector<int>>(std::ostream&, int)"),
              "very_long_namespace_name::\\noperator<< <\u2026>(\u2026)");
    EXPECT_EQ(label_of("(anonymous namespace)::a_function_of_some_length(std::vector<int>, int)"),
              "(anonymous namespace)::\\na_function_of_some_length(\u2026)");
    EXPECT_EQ(label_of("<lambda in a language that has spaces in its names>"),
              "<lambda in a languag\u2026"
              "paces in its names>");
    EXPECT_LT(label_of(std::string(100'000, '<')).size(), 200U);
}

TEST(Dot, says_what_is_left_out) {
    std::string text = "fn=main\n1 1\n";
    for (int i = 0; i < 100; ++i)
        text += "cfn=f" + std::to_string(i) + "\ncalls=1 0\n1 " + std::to_string(i < 50 ? 1 : 100) + "\n";
    for (int i = 0; i < 100; ++i)
        text += "fn=f" + std::to_string(i) + "\n1 " + std::to_string(i < 50 ? 1 : 100) + "\n";
    EXPECT_THAT(dot(text), HasSubstr("51 of 101 functions shown; the others have self 50 (0.99%)\\l"
                                     "omitted: functions below 0.5% inclusive\\l"));
    DotOptions options;
    options.pruning.max_nodes = 2;
    options.pruning.node_fraction = 0;
    EXPECT_THAT(dot(test::graph_of(test::plain_profile(text)), options),
                HasSubstr("2 of 101 functions shown; the others have self 4,950 (98.00%)\\l\""));
}

TEST(Dot, has_no_percentages_where_nothing_adds_up) {
    const auto profile = test::profile_of(test::small_profile);
    auto measure = test::measure_of(profile);
    measure.additive = false;
    const auto text = dot(test::graph_of(profile), {.measure = measure});
    EXPECT_THAT(text, Not(HasSubstr("%)")));
    EXPECT_THAT(text, HasSubstr("label=\"main\\n13\\n\""));
}

TEST(Dot, draws_a_profile_without_anything) {
    EXPECT_THAT(dot(test::graph_of(test::profile_of("events: Ir\n"))), HasSubstr("0 of 0 functions shown"));
}

// Graphviz reads no more than 16,384 bytes between quotes.
TEST(Dot, cuts_names_that_are_too_long_to_be_read) {
    const std::string longest(17'000, '&');
    const auto text = dot("fl=" + longest + "\nfn=" + longest + "\n1 5\ncfn=" + longest +
                          "b\ncalls=1 1\n1 2\nfn=" + longest + "b\n1 2\n");
    std::size_t most = 0;
    for (std::size_t at = 0; at < text.size();) {
        const auto end = std::min(text.find('"', at), text.size());
        most = std::max(most, end - at);
        at = end + 1;
    }
    EXPECT_LT(most, 16'000U);
}

TEST(Dot, stops_when_the_sink_fails) {
    const auto graph = test::graph_of(test::profile_of(test::small_profile));
    const auto written = write_dot(graph, {}, test::failing_sink(0));
    ASSERT_FALSE(written.has_value());
    EXPECT_EQ(written.error().detail, "disk full");
}

}  // namespace
}  // namespace callcost::engine
