#include "exporters/folded.hpp"

#include <cmath>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "unit/engine/exporters/conversions.hpp"

namespace callcost::test {
namespace {

std::string folded(const CallGraph& graph,
                   const TreeOptions& options = engine::StackOptions::default_tree()) {
    std::string text;
    EXPECT_TRUE(engine::write_folded(graph, estimate_tree(graph, options), to_memory(text)).has_value());
    return text;
}

TEST(Folded, has_a_line_per_stack) {
    const Profile profile = plain_profile(
        "fn=main\n1 1\ncfn=a\ncalls=1 1\n1 30\ncfn=b\ncalls=1 1\n1 20\n"
        "fn=a\n1 30\nfn=b\n1 0\ncfn=c\ncalls=1 1\n1 15\nfn=c\n1 15\n");
    EXPECT_EQ(folded(graph_of(profile)), "main 1\nmain;a 30\nmain;b;c 15\n");
    EXPECT_EQ(folded(graph_of(profile), {.max_frames = 2}), "main 1\nmain;a 30\nmain;(not expanded);c 15\n");
}

TEST(Folded, is_written_from_the_root_when_inverted) {
    const Profile profile = plain_profile("fn=main\n1 1\ncfn=a\ncalls=1 1\n1 30\nfn=a\n1 30\n");
    TreeOptions options{.direction = TreeDirection::callers};
    EXPECT_EQ(folded(graph_of(profile), options), "main;a 30\nmain 1\n");
    options.max_levels = 1;
    EXPECT_EQ(folded(graph_of(profile), options), "(not expanded);a 30\nmain 1\n");
}

TEST(Folded, separates_names_whatever_they_are) {
    const Profile profile = plain_profile(
        "fn=ma;in\n1 1\ncfn=\xe9t\xe9\x01 x 5\ncalls=1 1\n1 30\ncfn=x\ncalls=1 1\n1 2\n"
        "fn=\xe9t\xe9\x01 x 5\n1 30\nfn=x\n1 2\n");
    EXPECT_EQ(folded(graph_of(profile)), "ma:in 1\nma:in;\u00e9t\u00e9  x 5 30\nma:in;x 2\n");
}

TEST(Folded, adds_up_to_the_tree_exactly) {
    for (const std::string& name : converted_profiles) {
        SCOPED_TRACE(name);
        const Profile profile = profile_file(name);
        const CallGraph graph = graph_of(profile);
        for (const auto direction : {TreeDirection::callees, TreeDirection::callers}) {
            auto options = engine::StackOptions::default_tree();
            options.direction = direction;
            options.max_frames = 1000;
            const Tree tree = estimate_tree(graph, options);
            std::istringstream lines(folded(graph, options));
            std::int64_t sum = 0;
            for (std::string line; std::getline(lines, line);) {
                const auto blank = line.rfind(' ');
                ASSERT_NE(blank, std::string::npos);
                sum += std::stoll(line.substr(blank + 1));
            }
            if (direction == TreeDirection::callers) {
                EXPECT_EQ(sum, std::llround(tree.inclusive - tree.unbalanced));
            } else if (tree.negative == 0) {
                EXPECT_EQ(sum, graph.total(tree.measure));
            }
        }
    }
}

TEST(Folded, rounds_so_that_nothing_is_lost) {
    const Profile profile = plain_profile(
        "fn=main\n1 0\ncfn=a\ncalls=1 1\n1 1\ncfn=b\ncalls=1 1\n1 1\ncfn=c\ncalls=1 1\n1 1\n"
        "fn=a\n1 0\ncfn=x\ncalls=1 1\n1 1\nfn=b\n1 0\ncfn=x\ncalls=1 1\n1 1\nfn=c\n1 0\ncfn=x\ncalls=1 1\n1 "
        "1\n"
        "fn=x\n1 2\ncfn=y\ncalls=1 1\n1 1\nfn=y\n1 1\n");
    EXPECT_EQ(folded(graph_of(profile)), "main;a;x 1\nmain;a;x;y 1\nmain;b;x 1\n");
}

TEST(Folded, hands_on_errors_of_the_sink) {
    const Profile profile = plain_profile("fn=main\n1 1\n");
    const CallGraph graph = graph_of(profile);
    const auto result = engine::write_folded(graph, estimate_tree(graph), failing_sink());
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().detail, "no space left");
}

}  // namespace
}  // namespace callcost::test
