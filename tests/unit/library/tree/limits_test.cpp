// Trees of graphs that are deep, wide or hostile.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "unit/library/parser/sanitized.hpp"
#include "unit/library/tree/trees.hpp"

namespace callcost::test {
namespace {

std::string call(const std::string& callee, std::int64_t cost) {
    return "cfn=" + callee + "\ncalls=1 1\n1 " + std::to_string(cost) + '\n';
}

TEST(LimitsOfTrees, do_not_include_the_depth_of_a_chain) {
    constexpr int depth = is_sanitized ? 60'000 : 300'000;
    std::string body;
    for (int i = 0; i < depth; ++i) {
        body += "fn=f" + std::to_string(i) + "\n1 1\n";
        if (i + 1 < depth) body += call('f' + std::to_string(i + 1), depth - i - 1);
    }
    const Profile profile = plain_profile(body);
    const CallGraph graph = graph_of(profile);
    const Tree tree = estimate_tree(graph, {.max_frames = depth});
    ASSERT_EQ(tree.functions, depth);
    EXPECT_EQ(tree.frames.size(), depth);
    EXPECT_EQ(tree.frames.back().level, depth);
    EXPECT_EQ(tree.frames.back().self.least, 1);
    EXPECT_EQ(tree.certainty(), 20'000.0 / depth);

    const Tree usual = estimate_tree(graph);
    EXPECT_EQ(usual.functions, 20'000U);
    EXPECT_EQ(usual.not_expanded, depth - 20'000);
    EXPECT_EQ(usual.certainty(), tree.certainty());

    const Tree inverted = estimate_tree(graph, {.direction = TreeDirection::callers});
    EXPECT_EQ(inverted.functions, 20'000U);
}

TEST(LimitsOfTrees, may_be_along_one_path) {
    const std::string body = "fn=main\n1 5\n" + call("a", 100) + call("b", 30) + "fn=a\n1 20\n" +
                             call("b", 70) + call("c", 10) + "fn=b\n1 40\n" + call("c", 60) + "fn=c\n1 70\n";
    const Profile profile = plain_profile(body);
    const CallGraph graph = graph_of(profile);
    const Tree whole = estimate_tree(graph);
    const auto is_called = [&](NodeId node, std::string_view name) { return graph.name(node) == name; };
    TreeOptions options;
    options.expands = [&](NodeId node, std::size_t level) {
        return (level == 1 && is_called(node, "main")) || (level == 2 && is_called(node, "b"));
    };
    const Tree tree = estimate_tree(graph, options);
    EXPECT_EQ(tree.inclusive, whole.inclusive);
    std::vector<std::string> frames;
    for (const Frame& frame : tree.frames) {
        const auto* const in_whole =
            &*std::find_if(whole.frames.begin(), whole.frames.end(), [&](const Frame& one) {
                return one.level == frame.level && one.node == frame.node &&
                       (one.level < 3 || whole.frames[one.parent].node == tree.frames[frame.parent].node);
            });
        frames.push_back(std::to_string(frame.level) +
                         (frame.kind == FrameKind::function ? std::string(graph.name(frame.node)) : "..."));
        if (frame.kind == FrameKind::function) {
            EXPECT_EQ(in_whole->inclusive.estimate, frame.inclusive.estimate) << frames.back();
        }
    }
    EXPECT_EQ(frames, (std::vector<std::string>{"1main", "2a", "3...", "2b", "3c"}));
}

TEST(LimitsOfTrees, share_out_small_costs_beside_enormous_ones) {
    const std::string body = "fn=caller\n1 0\n" + call("f", 2988) +
                             "fn=f\n1 453\n"
                             "cfn=g0\ncalls=4 1\n1 658574592487014192\ncfn=g1\ncalls=5 1\n1 415\n";
    const Profile profile = plain_profile(body);
    for (const auto direction : {TreeDirection::callees, TreeDirection::callers}) {
        const TreeOptions options{.direction = direction};
        expect_sound(estimate_tree(graph_of(profile), options), options);
    }
}

TEST(LimitsOfTrees, do_not_include_the_width_of_a_function) {
    constexpr int width = 40'000;
    std::string hub = "fn=hub\n1 0\n";
    std::string leaves;
    for (int i = 0; i < width; ++i) {
        const std::string leaf = "leaf" + std::to_string(i);
        hub += call(leaf, 2);
        leaves += "fn=" + leaf + "\n1 1\n" + call("hub", 1);
    }
    const Profile profile = plain_profile(hub + leaves);
    const CallGraph graph = graph_of(profile);
    const TreeOptions options{.max_frames = 100'000};
    const Tree tree = estimate_tree(graph, options);
    expect_sound(tree, options);
    EXPECT_EQ(tree.inclusive, width);
    EXPECT_EQ(tree.functions, options.max_frames);
}

TEST(LimitsOfTrees, do_not_include_the_number_of_visits_of_a_wide_function) {
    // Every one of many functions calls one that calls many: no visit may look at all of its calls.
    constexpr int callers = 15'000;
    constexpr int callees = 40'000;
    std::string body;
    for (int i = 0; i < callers; ++i) body += "fn=a" + std::to_string(i) + "\n1 0\n" + call("hub", callees);
    body += "fn=hub\n1 0\n";
    for (int i = 0; i < callees; ++i) body += call('b' + std::to_string(i), callers);
    for (int i = 0; i < callees; ++i)
        body += "fn=b" + std::to_string(i) + "\n1 " + std::to_string(callers) + '\n';
    const Profile profile = plain_profile(body);
    const CallGraph graph = graph_of(profile);
    const TreeOptions options{.max_frames = 40'000};
    const Tree tree = estimate_tree(graph, options);
    expect_sound(tree, options);
    EXPECT_EQ(tree.functions, options.max_frames);
}

TEST(LimitsOfTrees, do_not_include_costs) {
    const std::string most = std::to_string(std::numeric_limits<std::int64_t>::max());
    const std::string least = std::to_string(std::numeric_limits<std::int64_t>::min());
    for (const std::string& a :
         {most, least, std::string("-1"), std::string("1"), std::string("18446744073709551615")}) {
        for (const std::string& b : {most, least, std::string("0"), std::string("5")}) {
            SCOPED_TRACE(testing::Message() << a << ' ' << b);
            const std::string_view pieces[] = {"fn=main\n1 ",
                                               a,
                                               "\ncfn=main\ncalls=1 1\n1 ",
                                               b,
                                               "\ncfn=x\ncalls=1 1\n1 ",
                                               a,
                                               "\ncfn=y\ncalls=1 1\n1 ",
                                               b,
                                               "\nfn=x\n1 ",
                                               b,
                                               "\ncfn=y\ncalls=1 1\n1 ",
                                               most,
                                               "\nfn=y\n1 ",
                                               a,
                                               "\ncfn=x\ncalls=1 1\n1 ",
                                               most,
                                               "\ncfn=z\ncalls=1 1\n1 ",
                                               b,
                                               "\n"};
            std::string text;
            for (const std::string_view piece : pieces) text += piece;
            const Profile profile = plain_profile(text);
            const CallGraph graph = graph_of(profile);
            for (const auto direction : {TreeDirection::callees, TreeDirection::callers}) {
                for (const auto recursion : {Recursion::fold, Recursion::unfold}) {
                    TreeOptions options{.direction = direction, .recursion = recursion, .max_frames = 300};
                    expect_sound(estimate_tree(graph, options), options);
                    options.root = [](NodeId node) { return node.value % 2 == 1; };
                    expect_sound(estimate_tree(graph, options), options);
                }
            }
        }
    }
}

TEST(LimitsOfTrees, leave_negative_costs_out_and_say_so) {
    const Profile profile =
        plain_profile("fn=main\n1 10\n" + call("a", 5) + call("b", -7) + "fn=a\n1 5\nfn=b\n1 -7\n");
    const CallGraph graph = graph_of(profile);
    const Tree tree = estimate_tree(graph);
    EXPECT_EQ(tree.negative, -7);
    EXPECT_EQ(tree.inclusive, 15);
    EXPECT_EQ(tree_text(graph, tree),
              "main 15 [15 15] self 10 [10 10]\n"
              " a 5 [5 5] self 5 [5 5]\n");
}

TEST(LimitsOfTrees, let_every_kind_of_profile_through) {
    for (const char* name :
         {"callgrind/all-events.out", "callgrind/threads-separate-combined.out",
          "callgrind/sepcallers1-seprecs3.out", "cachegrind/branch.out", "xdebug/plain.cachegrind.out",
          "yappi/cpu.callgrind", "remake/process-1.callgrind", "stackprof/cpu.callgrind",
          "nytprof/plain.callgrind"}) {
        SCOPED_TRACE(name);
        const Profile profile = profile_file(name, Detail::functions);
        const CallGraph graph = graph_of(profile);
        for (const Measure& measure : measures(profile)) {
            for (const auto direction : {TreeDirection::callees, TreeDirection::callers}) {
                const TreeOptions options{.measure = measure, .direction = direction, .max_frames = 3000};
                expect_sound(estimate_tree(graph, options), options);
            }
        }
    }
}

}  // namespace
}  // namespace callcost::test
