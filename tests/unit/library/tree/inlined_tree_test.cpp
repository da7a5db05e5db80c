// Trees of profiles with inlined code.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/library/call_graph/inlining_program.hpp"
#include "unit/library/parser/sanitized.hpp"
#include "unit/library/tree/trees.hpp"

namespace callcost::test {
namespace {

TEST(InlinedTree, has_inlined_code_where_it_is) {
    const Profile profile =
        expanded(read(inlining_bytes("tree.out")), {inline_map(inlining_bytes("tree.map"))});
    const CallGraph graph = call_graph(profile).value();
    const Tree tree = estimate_tree(graph);
    expect_sound(tree);
    std::vector<std::string> found;
    for (const Frame& frame : tree.frames) {
        if (frame.inlined) {
            EXPECT_EQ(graph.name(frame.node), "each");
            EXPECT_TRUE(frame.inclusive.certain());
        }
        if (!frame.node.valid() || graph.name(frame.node) != "work(unsigned int)") continue;
        const Frame& each = tree.frames[frame.parent];
        EXPECT_TRUE(each.inlined);
        EXPECT_TRUE(frame.inclusive.certain());
        found.push_back(std::string(graph.name(tree.frames[each.parent].node)) + ' ' +
                        std::to_string(frame.inclusive.least));
    }
    EXPECT_THAT(found, testing::UnorderedElementsAre("a(unsigned int) 1050", "b(unsigned int) 140350"));
    EXPECT_EQ(tree.certainty(), 1);
}

/// Of programs without recursion: the true cost of every path is within its bounds.
TEST(InlinedTree, is_near_the_truth) {
    double total = 0, wrong = 0;
    for (unsigned seed = 1; seed <= (is_sanitized ? 40 : 150); ++seed) {
        const InliningProgram program(seed, true, true);
        SCOPED_TRACE("seed " + std::to_string(seed));
        const Profile profile = expanded(read(program.text()), {program.map()});
        const CallGraph graph = call_graph(profile).value();
        const Tree tree = estimate_tree(graph);
        expect_sound(tree);
        std::vector<std::string> paths(tree.frames.size());
        std::map<std::string, EstimatedCost> estimates;
        for (std::size_t row = 0; row < tree.frames.size(); ++row) {
            const Frame& frame = tree.frames[row];
            ASSERT_EQ(frame.kind, FrameKind::function);
            if (frame.parent != Frame::none) paths[row] = paths[frame.parent] + " > ";
            paths[row] += graph.name(frame.node);
            EstimatedCost& sum = estimates[paths[row]];
            sum.estimate += frame.self.estimate;
            sum.least += frame.self.least;
            sum.most += frame.self.most;
        }
        for (const auto& [path, truth] : program.of_paths) {
            ASSERT_TRUE(estimates.contains(path)) << path;
            ASSERT_LE(estimates[path].least, truth) << path;
            ASSERT_GE(estimates[path].most, truth) << path;
            total += static_cast<double>(truth);
            wrong += std::max(0.0, static_cast<double>(truth) - estimates[path].estimate);
        }
    }
    EXPECT_LT(wrong, 0.18 * total);
}

/// By the functions of a path that are not inlined: what ends there.
std::map<std::string, double> of_hosts(const CallGraph& graph, TreeDirection direction) {
    const Tree tree = estimate_tree(graph, {.direction = direction});
    std::vector<std::string> paths(tree.frames.size());
    std::map<std::string, double> sums;
    for (std::size_t row = 0; row < tree.frames.size(); ++row) {
        const Frame& frame = tree.frames[row];
        if (frame.parent != Frame::none) paths[row] = paths[frame.parent];
        if (!frame.inlined) paths[row].append(" > ").append(graph.name(frame.node));
        if (frame.self.estimate > 0) sums[paths[row]] += frame.self.estimate;
    }
    return sums;
}

/// What is inlined is unfolded in the function around it, whose paths are those that it has without.
TEST(InlinedTree, has_the_paths_that_there_are_without_inlined_code) {
    for (unsigned seed = 1; seed <= (is_sanitized ? 20 : 80); ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const InliningProgram program(seed, true, true);
        const Profile recorded = read(program.text());
        const CallGraph graph = call_graph(recorded).value();
        const CallGraph inlined = call_graph(expanded(recorded, {program.map()})).value();
        for (const TreeDirection direction : {TreeDirection::callees, TreeDirection::callers}) {
            const auto wanted = of_hosts(graph, direction);
            const auto found = of_hosts(inlined, direction);
            EXPECT_EQ(found.size(), wanted.size());
            for (const auto& [path, cost] : wanted) {
                ASSERT_TRUE(found.contains(path)) << path;
                ASSERT_NEAR(found.at(path), cost, 1e-6) << path;
            }
        }
    }
}

double estimate_of(const CallGraph& graph, std::string_view caller, std::string_view callee) {
    const Tree tree = estimate_tree(graph);
    for (const Frame& frame : tree.frames) {
        if (frame.level < 4 || graph.name(frame.node) != callee) continue;
        const Frame& above = tree.frames[tree.frames[frame.parent].parent];
        if (graph.name(above.node) == caller) return frame.inclusive.estimate;
    }
    return -1;
}

/// What is inlined does not hide how calls follow each other.
TEST(InlinedTree, guesses_as_without_it) {
    const Profile whole = read(
        "creator: callgrind-3.19.0\npositions: instr line\nevents: Ir\nob=prog\nfl=p.c\n"
        "fn=main\n16 1 10\ncfn=a\ncalls=1 1\n16 1 60\ncfn=b\ncalls=1 1\n16 1 60\n"
        "fn=a\n17 2 0\ncfn=f\ncalls=1 1\n17 2 60\nfn=b\n18 3 0\ncfn=f\ncalls=9 1\n18 3 60\n"
        "fn=f\n32 4 20\ncfn=h\ncalls=2 1\n40 4 100\nfn=h\n50 5 100\n");
    const InlineMap map = inline_map(
        "object\tprog\nfile\tp.c\nfunction\tk\tp.c\t1\nsite\t-1\t0\t0\t4\t20\nrun\t20\t0\nrun\t28\t-1\n");
    const CallGraph graph = call_graph(whole).value();
    const CallGraph inlined = call_graph(expanded(whole, {map})).value();
    const double of_a = estimate_of(graph, "a", "h");
    EXPECT_GT(of_a, 53);  // more than in proportion
    EXPECT_NEAR(estimate_of(inlined, "a", "h"), of_a, 1e-9);
    EXPECT_NEAR(estimate_of(inlined, "a", "k"), 60 - of_a, 1e-9);
}

/// "f 100 (40)", by levels, of frames with cost.
std::vector<std::string> frames_of(const Tree& tree, const CallGraph& graph) {
    std::vector<std::string> lines;
    for (const Frame& frame : tree.frames) {
        if (std::lround(frame.inclusive.estimate) == 0) continue;
        lines.push_back(std::string(frame.level - 1, ' ') +
                        (frame.node.valid() ? std::string(graph.name(frame.node)) : "(other)") + ' ' +
                        std::to_string(std::lround(frame.inclusive.estimate)) + " (" +
                        std::to_string(std::lround(frame.self.estimate)) + ')');
    }
    return lines;
}

bool is_within(const EstimatedCost& whole, const EstimatedCost& part) {
    constexpr double rounding = 1e-6;
    return static_cast<double>(part.least) <= whole.estimate + rounding &&
           static_cast<double>(part.most) >= whole.estimate - rounding;
}

/// Calls of a function by code that is inlined in it are levels of its direct recursion, as they were
/// recorded.
TEST(InlinedTree, folds_direct_recursion_by_inlined_code) {
    const std::string direct =
        "creator: callgrind-3.19.0\npositions: instr line\nevents: Ir\nob=prog\nfl=p.c\n"
        "fn=main\n16 1 10\ncfn=f\ncalls=1 1\n16 1 100\n"
        "fn=f\n32 4 40\n40 5 25\ncfn=leaf\ncalls=4 1\n44 5 35\ncfn=f\ncalls=3 1\n48 5 60\n"
        "fn=leaf\n64 7 35\n";
    const std::string levels =
        "creator: callgrind-3.19.0\npositions: instr line\nevents: Ir\nob=prog\nfl=p.c\n"
        "fn=main\n16 1 10\ncfn=f\ncalls=1 1\n16 1 100\n"
        "fn=f\n32 4 10\n40 5 5\ncfn=leaf\ncalls=1 1\n44 5 10\ncfn=f'2\ncalls=1 1\n48 5 75\n"
        "fn=f'2\n32 4 30\n40 5 20\ncfn=leaf\ncalls=3 1\n44 5 25\ncfn=f'2\ncalls=2 1\n48 5 45\n"
        "fn=leaf\n64 7 35\n";
    const InlineMap map = inline_map(
        "object\tprog\nfile\tp.c\nfunction\tg\tp.c\t1\nfunction\th\tp.c\t2\n"
        "site\t-1\t0\t0\t4\t28\nsite\t0\t1\t0\t9\t2c\nrun\t28\t0\nrun\t2c\t1\nrun\t40\t-1\n");
    for (const auto& text : {direct, levels}) {
        const CallGraph graph = call_graph(expanded(read(text), {map})).value();
        Tree tree = estimate_tree(graph);
        expect_sound(tree);
        EXPECT_THAT(frames_of(tree, graph),
                    testing::ElementsAre("main 110 (10)", " f 100 (40)", "  g 60 (25)", "   h 35 (0)",
                                         "    leaf 35 (35)"));
        tree = estimate_tree(graph, {.direction = TreeDirection::callers});
        expect_sound(tree);
        const auto callers = frames_of(tree, graph);
        EXPECT_THAT(callers, testing::Contains(" main 40 (40)"));
        EXPECT_THAT(callers, testing::Contains("g 25 (0)"));
        EXPECT_THAT(callers, testing::Each(testing::Not(testing::ContainsRegex("^ {4,}f "))));
        tree = estimate_tree(graph, {.recursion = Recursion::unfold});
        expect_sound(tree);
        EXPECT_THAT(frames_of(tree, graph), testing::Contains(testing::StartsWith("    f")));
        // What is not expanded may be anywhere: the bounds say so.
        const Tree whole = estimate_tree(graph);
        for (std::size_t most = 1; most < 9; ++most) {
            const Tree cut = estimate_tree(graph, {.max_frames = most});
            expect_sound(cut, {.max_frames = most});
            for (const Frame& frame : cut.frames) {
                if (frame.kind != FrameKind::function) continue;
                const auto* const in_whole =
                    &*std::find_if(whole.frames.begin(), whole.frames.end(), [&](const Frame& one) {
                        return one.level == frame.level && graph.name(one.node) == graph.name(frame.node);
                    });
                EXPECT_TRUE(is_within(in_whole->self, frame.self)) << most << graph.name(frame.node);
                EXPECT_TRUE(is_within(in_whole->inclusive, frame.inclusive))
                    << most << graph.name(frame.node);
            }
        }
        // A limit on levels, or on what is expanded, changes no figure of what is left.
        for (std::uint32_t levels_shown = 3; levels_shown < 5; ++levels_shown) {
            const Tree cut = estimate_tree(graph, {.max_levels = levels_shown});
            const Tree along = estimate_tree(
                graph, {.expands = [&](NodeId, std::uint32_t level) { return level < levels_shown; }});
            for (const Tree* part : {&cut, &along}) {
                expect_sound(*part, {.max_levels = 9});
                auto shown = frames_of(*part, graph);
                shown.resize(levels_shown);
                const std::vector<std::string> all{"main 110 (10)", " f 100 (40)", "  g 60 (25)",
                                                   "   h 35 (0)"};
                EXPECT_EQ(shown, std::vector<std::string>(all.begin(), all.begin() + levels_shown));
            }
        }
    }
}

/// The function around inlined code is there, too, in parts where only that code cost something.
TEST(InlinedTree, has_the_function_around_inlined_code_in_each_part) {
    const Profile profile = read(
        "creator: callgrind-3.19.0\npart: 1\nevents: Ir\nfl=p.c\nfn=main\n1 10\ncfn=f\ncalls=1 1\n2 9\n"
        "fn=f\n4 4\ncfn=f'2\ncalls=1 1\n5 5\nfn=f'2\n4 5\n\n"
        "part: 2\nevents: Ir\nfl=p.c\nfn=f\ncfni=g\n6 7\ncfn=f'2\ncalls=1 1\n6 8\nfn=f'2\ncfni=g\n6 8\n");
    const CallGraph graph = call_graph(profile, {.parts = {2}}).value();
    for (const TreeDirection direction : {TreeDirection::callees, TreeDirection::callers}) {
        const Tree tree = estimate_tree(graph, {.direction = direction});
        expect_sound(tree);
        EXPECT_EQ(tree.inclusive, 15);
    }
    EXPECT_THAT(frames_of(estimate_tree(graph), graph), testing::ElementsAre("f 15 (0)", " g 15 (15)"));
}

}  // namespace
}  // namespace callcost::test
