// Trees of paths, estimated from the call graph (F75 to F77).
#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "unit/library/tree/trees.hpp"

namespace callcost::test {
namespace {

TreeOptions by_ir(const CallGraph& graph) { return {.measure = measure_of(graph.profile())}; }

void expect_close(double found, double expected, double slack, const std::string& what) {
    EXPECT_NEAR(found, expected, expected * slack + 1e-6) << what;
}

/// A program without recursion, in which what arrives at a function is what it spends and passes on.
std::string program_without_recursion(unsigned seed) {
    std::minstd_rand chance(seed);
    const auto below = [&](std::uint64_t end) { return end == 0 ? 0 : (chance() >> 4U) % end; };
    constexpr std::size_t functions = 14;
    std::vector<std::uint64_t> arrives(functions, 0);
    arrives[0] = 1'000'000;
    arrives[1] = 77'777;
    std::string body;
    for (std::size_t i = 0; i < functions; ++i) {
        body += "fn=f" + std::to_string(i) + '\n';
        std::uint64_t left = arrives[i];
        for (std::size_t callee = i + 1; callee < functions; ++callee) {
            if (below(3) != 0) continue;
            const std::uint64_t cost = below(left + 1);
            left -= cost;
            arrives[callee] += cost;
            body += "cfn=f" + std::to_string(callee) + "\ncalls=1 1\n1 " + std::to_string(cost) + '\n';
        }
        body += "1 " + std::to_string(left) + '\n';
    }
    return body;
}

void expect_everything_back(const CallGraph& graph, double slack) {
    TreeOptions options = by_ir(graph);
    options.recursion = Recursion::unfold;
    options.max_frames = 1'000'000;
    const Tree tree = estimate_tree(graph, options);
    expect_sound(tree, options);
    const TreeSums sums = sums_of(graph, tree);
    for (std::size_t row = 0; row < graph.size(); ++row)
        expect_close(sums.self[row], static_cast<double>(graph.self(NodeId(row), *options.measure)), slack,
                     std::string(graph.name(NodeId(row))));
    for (std::size_t row = 0; row < graph.arc_count(); ++row) {
        const ArcId arc(row);
        const auto found = sums.arcs.find({graph.caller(arc).value, graph.callee(arc).value});
        expect_close(found == sums.arcs.end() ? 0 : found->second,
                     static_cast<double>(graph.cost(arc, *options.measure)), slack, "an arc");
    }
}

TEST(Tree, gives_every_self_cost_and_every_arc_back) {
    for (unsigned seed = 1; seed <= 60; ++seed) {
        SCOPED_TRACE(seed);
        const Profile profile = plain_profile(program_without_recursion(seed));
        expect_everything_back(graph_of(profile), 1e-9);
    }
}

TEST(Tree, gives_back_recursion_of_any_kind_when_it_is_expanded_far_enough) {
    const Profile profile = plain_profile(
        "fn=main\n1 10\ncfn=a\ncalls=1 1\n1 100\ncfn=b\ncalls=1 1\n1 25\n"
        "fn=a\n1 40\ncfn=a\ncalls=3 1\n1 30\ncfn=b\ncalls=2 1\n1 80\n"
        "fn=b\n1 85\ncfn=a\ncalls=1 1\n1 20\n");
    expect_everything_back(graph_of(profile), 1e-9);
}

TEST(Tree, gives_back_real_profiles_up_to_what_is_not_expanded) {
    for (const char* name :
         {"callgrind/default.out", "callgrind/paths.out", "callgrind/stl-O2-instr-jumps.out",
          "callgrind/sepcallers-chain.out", "callgrind/python-instr-jumps.out"}) {
        SCOPED_TRACE(name);
        const Profile profile = profile_file(name, Detail::functions);
        const CallGraph graph = graph_of(profile);
        TreeOptions options = by_ir(graph);
        options.max_frames = 50'000;
        options.recursion = Recursion::unfold;
        const Tree tree = estimate_tree(graph, options);
        expect_sound(tree, options);
        const auto total = static_cast<double>(graph.total(*options.measure));
        expect_close(tree.inclusive, total, 1e-9, "total");
        EXPECT_EQ(tree.unbalanced, 0);
        double self = 0;
        const TreeSums sums = sums_of(graph, tree);
        for (std::size_t row = 0; row < graph.size(); ++row) {
            const auto real = static_cast<double>(graph.self(NodeId(row), *options.measure));
            self += sums.self[row];
            EXPECT_LE(sums.self[row], real * (1 + 1e-9) + 1e-6) << graph.name(NodeId(row));
            EXPECT_GE(sums.self[row], real - tree.not_expanded - total * 1e-9) << graph.name(NodeId(row));
        }
        expect_close(self + tree.not_expanded, total, 1e-9, "self cost and what is not expanded");
    }
}

/// `cheap` calls f a hundred times for 10, `dear` twice for 1010; only two calls of f can have called g.
std::string program_of_two_callers(const std::string& calls_of_cheap) {
    return "fn=main\n1 1\ncfn=cheap\ncalls=1 1\n1 1000\ncfn=dear\ncalls=1 1\n1 2020\n"
           "fn=cheap\n1 0\ncfn=f\ncalls=" +
           calls_of_cheap +
           " 1\n1 1000\nfn=dear\n1 0\ncfn=f\ncalls=2 1\n1 2020\n"
           "fn=f\n1 1020\ncfn=g\ncalls=2 1\n1 2000\nfn=g\n1 2000\n";
}

TEST(Tree, puts_what_costs_much_at_a_time_where_calls_cost_much) {
    const Profile profile = plain_profile(program_of_two_callers("100"));
    const CallGraph graph = graph_of(profile);
    TreeOptions options = by_ir(graph);
    const Tree tree = estimate_tree(graph, options);
    expect_sound(tree, options);
    const auto self_below = [&](std::string_view caller) {
        const auto found = std::find_if(tree.frames.begin(), tree.frames.end(), [&](const Frame& frame) {
            return frame.level == 3 && graph.name(tree.frames[frame.parent].node) == caller;
        });
        return found == tree.frames.end() ? -1.0 : found->self.estimate;
    };
    EXPECT_GT(self_below("cheap"), 950);  // 338 if it were in proportion to the cost
    EXPECT_LT(self_below("dear"), 70);
    expect_everything_back(graph, 1e-9);
}

/// main calls eval once, which calls step many times, and step eval. An eval spends 500, an inner one 500 in
/// leaf.
std::string program_that_recurs(std::uint64_t calls, std::uint64_t step) {
    const auto count = "calls=" + std::to_string(calls) + " 1\n1 ";
    const auto cost = [](std::uint64_t ir) { return std::to_string(ir) + '\n'; };
    return "fn=main\n1 0\ncfn=eval\ncalls=1 1\n1 " + cost(500 + calls * (step + 1000)) + "fn=eval\n1 " +
           cost(500 + calls * 500) + "cfn=leaf\n" + count + cost(calls * 500) + "cfn=step\n" + count +
           cost(calls * (step + 1000)) + "fn=step\n1 " + cost(calls * step) + "cfn=eval\n" + count +
           cost(calls * 1000) + "fn=leaf\n1 " + cost(calls * 500);
}

TEST(Tree, leaves_to_recursive_calls_what_they_spend) {
    for (const auto& [calls, step] : {std::pair(800, 100), std::pair(20'000, 10'000)}) {
        const Profile profile = plain_profile(
            program_that_recurs(static_cast<std::uint64_t>(calls), static_cast<std::uint64_t>(step)));
        const CallGraph graph = graph_of(profile);
        const TreeOptions options = by_ir(graph);
        const Tree tree = estimate_tree(graph, options);
        expect_sound(tree, options);
        ASSERT_GT(tree.frames.size(), 3U);
        EXPECT_EQ(graph.name(tree.frames[1].node), "eval");
        EXPECT_LT(tree.frames[1].self.estimate, 0.005 * 500 * calls);  // it is 500
        EXPECT_EQ(graph.name(tree.frames[3].node), "eval");
        EXPECT_NEAR(tree.frames[3].self.estimate, 500 * calls, 0.005 * 500 * calls);
        expect_everything_back(graph, 1e-9);
    }
}

TEST(Tree, is_in_proportion_to_costs_where_calls_are_not_counted) {
    const Profile profile = plain_profile(program_of_two_callers("0"));
    const CallGraph graph = graph_of(profile);
    const Tree tree = estimate_tree(graph);
    for (const Frame& frame : tree.frames) {
        if (frame.kind != FrameKind::function || graph.name(frame.node) != "f") continue;
        EXPECT_NEAR(frame.self.estimate / frame.inclusive.estimate, 1020.0 / 3020, 1e-12);
    }
}

TEST(Tree, knows_between_which_bounds_a_path_is) {
    const Profile profile = plain_profile(
        "fn=main\n1 1\ncfn=a\ncalls=1 1\n1 30\ncfn=b\ncalls=1 1\n1 70\n"
        "fn=a\n1 10\ncfn=c\ncalls=1 1\n1 20\nfn=b\n1 10\ncfn=c\ncalls=1 1\n1 60\n"
        "fn=c\n1 30\ncfn=d\ncalls=1 1\n1 50\nfn=d\n1 50\n");
    const CallGraph graph = graph_of(profile);
    EXPECT_EQ(tree_text(graph, estimate_tree(graph)),
              "main 101 [101 101] self 1 [1 1]\n"
              " b 70 [70 70] self 10 [10 10]\n"
              "  c 60 [60 60] self 19.525366 [10 30]\n"
              "   d 40.474634 [30 50] self 40.474634 [30 50]\n"
              " a 30 [30 30] self 10 [10 10]\n"
              "  c 20 [20 20] self 10.474634 [0 20]\n"
              "   d 9.525366 [0 20] self 9.525366 [0 20]\n");
    // Of the whole cost, not of what the limits leave.
    for (const TreeOptions& limits :
         {TreeOptions{}, TreeOptions{.max_frames = 1}, TreeOptions{.max_frames = 3},
          TreeOptions{.max_levels = 1}, TreeOptions{.min_weight = 50}})
        EXPECT_NEAR(estimate_tree(graph, limits).certainty(), 61.0 / 101, 1e-12);
}

TEST(Tree, stands_on_its_head_when_inverted) {
    const Profile profile = plain_profile(
        "fn=main\n1 1\ncfn=a\ncalls=1 1\n1 30\ncfn=b\ncalls=1 1\n1 70\n"
        "fn=a\n1 10\ncfn=c\ncalls=1 1\n1 20\nfn=b\n1 10\ncfn=c\ncalls=1 1\n1 60\nfn=c\n1 80\n");
    const CallGraph graph = graph_of(profile);
    EXPECT_EQ(tree_text(graph, estimate_tree(graph, {.direction = TreeDirection::callers})),
              "c 80 [80 80] self 0 [0 0]\n"
              " b 60 [60 60] self 0 [0 0]\n"
              "  main 60 [60 60] self 60 [60 60]\n"
              " a 20 [20 20] self 0 [0 0]\n"
              "  main 20 [20 20] self 20 [20 20]\n"
              "a 10 [10 10] self 0 [0 0]\n"
              " main 10 [10 10] self 10 [10 10]\n"
              "b 10 [10 10] self 0 [0 0]\n"
              " main 10 [10 10] self 10 [10 10]\n"
              "main 1 [1 1] self 1 [1 1]\n");
}

TEST(Tree, has_the_same_paths_inverted) {
    for (unsigned seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE(seed);
        const Profile profile = plain_profile(program_without_recursion(seed));
        const CallGraph graph = graph_of(profile);
        const auto paths = [&](TreeDirection direction) {
            TreeOptions options = by_ir(graph);
            options.direction = direction;
            options.max_frames = 1'000'000;
            const Tree tree = estimate_tree(graph, options);
            expect_sound(tree, options);
            std::map<std::vector<NodeId>, double> costs;
            for (const Frame& frame : tree.frames) {
                if (frame.self.estimate < 1e-3) continue;
                std::vector<NodeId> path{frame.node};
                for (std::uint32_t up = frame.parent; up != Frame::none; up = tree.frames[up].parent)
                    path.push_back(tree.frames[up].node);
                if (direction == TreeDirection::callers) std::reverse(path.begin(), path.end());
                costs[path] = frame.self.estimate;
            }
            return costs;
        };
        const auto down = paths(TreeDirection::callees);
        const auto up = paths(TreeDirection::callers);
        ASSERT_EQ(down.size(), up.size());
        for (const auto& [path, cost] : down) {
            ASSERT_TRUE(up.contains(path));
            EXPECT_NEAR(up.at(path), cost, cost * 1e-9);
        }
    }
}

TEST(Tree, folds_direct_recursion_into_one_frame) {
    const Profile profile = plain_profile(
        "fn=main\n1 10\ncfn=a\ncalls=1 1\n1 90\n"
        "fn=a\n1 40\ncfn=a\ncalls=3 1\n1 110\ncfn=b\ncalls=2 1\n1 50\nfn=b\n1 50\n");
    const CallGraph graph = graph_of(profile);
    EXPECT_EQ(tree_text(graph, estimate_tree(graph)),
              "main 100 [100 100] self 10 [10 10]\n"
              " a 90 [90 90] self 40 [40 40]\n"
              "  b 50 [50 50] self 50 [50 50]\n");
    const Tree inverted = estimate_tree(graph, {.direction = TreeDirection::callers});
    EXPECT_EQ(tree_text(graph, inverted),
              "b 50 [50 50] self 0 [0 0]\n"
              " a 50 [50 50] self 0 [0 0]\n"
              "  main 50 [50 50] self 50 [50 50]\n"
              "a 40 [40 40] self 0 [0 0]\n"
              " main 40 [40 40] self 40 [40 40]\n"
              "main 10 [10 10] self 10 [10 10]\n");
}

TEST(Tree, folds_levels_and_contexts_of_a_function_next_to_each_other_F72) {
    const Profile profile = profile_of(
        "creator: callgrind-3.19\nevents: Ir\nfn=main\n1 10\ncfn=f\ncalls=1 1\n1 90\n"
        "fn=f\n1 20\ncfn=g\ncalls=1 1\n1 30\ncfn=f'2\ncalls=1 1\n1 40\n"
        "fn=f'2\n1 15\ncfn=g\ncalls=1 1\n1 20\ncfn=g'f\ncalls=1 1\n1 5\nfn=g\n1 50\nfn=g'f\n1 5\n");
    const CallGraph graph = graph_of(profile);
    EXPECT_EQ(tree_text(graph, estimate_tree(graph)),
              "main 100 [100 100] self 10 [10 10]\n"
              " f 90 [90 90] self 35 [35 35]\n"
              "  g 55 [55 55] self 55 [55 55]\n");
    EXPECT_EQ(tree_text(graph, estimate_tree(graph, {.recursion = Recursion::unfold})),
              "main 100 [100 100] self 10 [10 10]\n"
              " f 90 [90 90] self 20 [20 20]\n"
              "  f 40 [40 40] self 15 [15 15]\n"
              "   g 20 [20 20] self 20 [20 20]\n"
              "   g 5 [5 5] self 5 [5 5]\n"
              "  g 30 [30 30] self 30 [30 30]\n");
}

TEST(Tree, does_not_know_the_self_cost_of_levels_that_are_not_expanded) {
    const Profile profile = profile_of(
        "creator: callgrind-3.19\nevents: Ir\nfn=main\n1 10\ncfn=f\ncalls=1 1\n1 90\n"
        "fn=f\n1 20\ncfn=g\ncalls=1 1\n1 30\ncfn=f'2\ncalls=1 1\n1 40\n"
        "fn=f'2\n1 15\ncfn=g\ncalls=1 1\n1 25\nfn=g\n1 55\n");
    const CallGraph graph = graph_of(profile);
    EXPECT_EQ(tree_text(graph, estimate_tree(graph, {.max_frames = 2})),
              "main 100 [100 100] self 10 [10 10]\n"
              " f 90 [90 90] self 35 [20 35]\n"
              "  (not expanded) 55 [55 70]\n");
    EXPECT_EQ(tree_text(graph, estimate_tree(graph, {.recursion = Recursion::unfold, .max_frames = 2})),
              "main 100 [100 100] self 10 [10 10]\n"
              " f 90 [90 90] self 20 [20 20]\n"
              "  (not expanded) 70 [70 70]\n");
}

TEST(Tree, shows_what_is_not_expanded_where_it_is) {
    const Profile profile = plain_profile(
        "fn=main\n1 1\ncfn=a\ncalls=1 1\n1 30\ncfn=b\ncalls=1 1\n1 20\ncfn=c\ncalls=1 1\n1 5\n"
        "fn=a\n1 30\nfn=b\n1 10\ncfn=c\ncalls=1 1\n1 10\nfn=c\n1 15\nfn=other\n1 4\n");
    const CallGraph graph = graph_of(profile);
    EXPECT_EQ(tree_text(graph, estimate_tree(graph, {.max_frames = 3})),
              "main 56 [56 56] self 1 [1 1]\n"
              " a 30 [30 30] self 30 [30 30]\n"
              " b 20 [20 20] self 10 [10 10]\n"
              "  (not expanded) 10 [10 10]\n"
              " (not expanded) 5 [5 5]\n"
              "(not expanded) 4 [4 4]\n");
    EXPECT_EQ(tree_text(graph, estimate_tree(graph, {.max_levels = 1})),
              "main 56 [56 56] self 1 [1 1]\n"
              " (not expanded) 55 [55 55]\n"
              "other 4 [4 4] self 4 [4 4]\n");
    EXPECT_EQ(tree_text(graph, estimate_tree(graph, {.min_weight = 20})),
              "main 56 [56 56] self 1 [1 1]\n"
              " a 30 [30 30] self 30 [30 30]\n"
              " b 20 [20 20] self 10 [10 10]\n"
              "  (not expanded) 10 [10 10]\n"
              " (not expanded) 5 [5 5]\n"
              "(not expanded) 4 [4 4]\n");
    EXPECT_EQ(tree_text(graph, estimate_tree(graph, {.max_frames = 0})), "(not expanded) 60 [60 60]\n");
    EXPECT_EQ(estimate_tree(graph, {.max_frames = 3}).not_expanded, 19);
}

TEST(Tree, shows_what_does_not_add_up) {
    const Profile profile = plain_profile(
        "fn=main\n1 10\ncfn=a\ncalls=1 1\n1 60\ncfn=b\ncalls=1 1\n1 40\ncfn=gone\ncalls=1 1\n1 7\n"
        "fn=a\n1 45\nfn=b\n1 55\n");
    const CallGraph graph = graph_of(profile);
    const Tree tree = estimate_tree(graph);
    EXPECT_EQ(tree_text(graph, tree),
              "main 117 [117 117] self 10 [10 10]\n"
              " a 60 [60 60] self 45 [45 45]\n"
              "  (unbalanced) 15 [15 15]\n"
              " b 40 [40 40] self 40 [40 40]\n"
              " gone 7 [7 7] self 0 [0 0]\n"
              "  (unbalanced) 7 [7 7]\n"
              "b 15 [15 15] self 15 [15 15] partly paid\n");
    EXPECT_EQ(tree.unbalanced, 22);
    EXPECT_EQ(tree.partly_paid, 15);
}

TEST(Tree, enters_a_cycle_without_root_where_most_was_not_paid_for) {
    const Profile profile =
        plain_profile("fn=a\n1 50\ncfn=b\ncalls=1 1\n1 30\nfn=b\n1 30\ncfn=a\ncalls=1 1\n1 10\n");
    const CallGraph graph = graph_of(profile);
    const Tree tree = estimate_tree(graph, {.max_frames = 1000});
    EXPECT_EQ(tree.inclusive, 80);
    EXPECT_EQ(tree.partly_paid, 80);
    const TreeSums sums = sums_of(graph, tree);
    expect_close(sums.self[0], 50, 1e-9, "a");
    expect_close(sums.self[1], 30, 1e-9, "b");
}

TEST(Tree, leaves_out_calls_that_enter_nowhere_and_spend_nothing) {
    const Profile profile =
        plain_profile("fn=a\n1 0\ncfn=b\ncalls=1 1\n1 30\nfn=b\n1 0\ncfn=a\ncalls=1 1\n1 30\nfn=main\n1 5\n");
    const CallGraph graph = graph_of(profile);
    EXPECT_EQ(tree_text(graph, estimate_tree(graph)), "main 5 [5 5] self 5 [5 5]\n");
}

TEST(Tree, begins_at_chosen_functions_and_counts_nothing_twice) {
    const Profile profile = plain_profile(
        "fn=main\n1 1\ncfn=a\ncalls=1 1\n1 60\ncfn=b\ncalls=1 1\n1 40\n"
        "fn=a\n1 10\ncfn=b\ncalls=1 1\n1 50\nfn=b\n1 70\ncfn=c\ncalls=1 1\n1 20\nfn=c\n1 20\n");
    const CallGraph graph = graph_of(profile);
    const auto tree_at = [&](std::vector<std::string> names) {
        return tree_text(graph, estimate_tree(graph, {.root = [&](NodeId node) {
                                                  return std::find(names.begin(), names.end(),
                                                                   graph.name(node)) != names.end();
                                              }}));
    };
    EXPECT_EQ(tree_at({"b"}),
              "b 90 [90 90] self 70 [70 70]\n"
              " c 20 [20 20] self 20 [20 20]\n");
    EXPECT_EQ(tree_at({"a", "b"}),
              "a 60 [60 60] self 10 [10 10]\n"
              " b 50 [50 50] self 38.888889 [30 50]\n"
              "  c 11.111111 [0 20] self 11.111111 [0 20]\n"
              "b 40 [40 40] self 31.111111 [20 40]\n"
              " c 8.888889 [0 20] self 8.888889 [0 20]\n");
    EXPECT_EQ(tree_at({"none"}), "");
}

TEST(Tree, begins_in_cycles_without_going_above_what_entered_them) {
    const Profile profile = plain_profile(
        "fn=main\n1 0\ncfn=a\ncalls=1 1\n1 100\n"
        "fn=a\n1 50\ncfn=b\ncalls=9 1\n1 150\nfn=b\n1 50\ncfn=a\ncalls=8 1\n1 100\n");
    const CallGraph graph = graph_of(profile);
    for (const char* name : {"a", "b"}) {
        const TreeOptions options{.root = [&](NodeId node) { return graph.name(node) == name; }};
        const Tree tree = estimate_tree(graph, options);
        expect_sound(tree, options);
        EXPECT_GT(tree.inclusive, 60);
        EXPECT_LE(tree.inclusive, 100 + 1e-9) << name;
    }
}

TEST(Tree, begins_at_chosen_functions_inverted_too) {
    const Profile profile = plain_profile(
        "fn=main\n1 1\ncfn=a\ncalls=1 1\n1 60\ncfn=b\ncalls=1 1\n1 40\n"
        "fn=a\n1 10\ncfn=b\ncalls=1 1\n1 50\nfn=b\n1 90\n");
    const CallGraph graph = graph_of(profile);
    const Tree tree = estimate_tree(graph, {.direction = TreeDirection::callers,
                                            .root = [&](NodeId node) { return graph.name(node) == "b"; }});
    EXPECT_EQ(tree_text(graph, tree),
              "b 90 [90 90] self 0 [0 0]\n"
              " a 50 [50 50] self 0 [0 0]\n"
              "  main 50 [50 50] self 50 [50 50]\n"
              " main 40 [40 40] self 40 [40 40]\n");
}

TEST(Tree, is_empty_where_nothing_adds_up_F78) {
    const Profile profile = plain_profile("fn=main\n1 10\n");
    const CallGraph graph = graph_of(profile);
    Measure ratio = measure_of(profile);
    ratio.additive = false;
    EXPECT_TRUE(estimate_tree(graph, {.measure = ratio}).frames.empty());
    EXPECT_EQ(estimate_tree(graph, {.measure = ratio}).certainty(), 1);
    const Profile nothing = plain_profile("fn=main\n1 0\n");
    EXPECT_TRUE(estimate_tree(graph_of(nothing)).frames.empty());
}

TEST(Tree, does_not_depend_on_the_order_of_the_file) {
    std::vector<std::string> blocks = {"fn=main\n1 1\ncfn=a\ncalls=1 1\n1 40\ncfn=b\ncalls=1 1\n1 40\n",
                                       "fn=a\n1 10\ncfn=c\ncalls=1 1\n1 30\n",
                                       "fn=b\n1 10\ncfn=c\ncalls=1 1\n1 30\n",
                                       "fn=c\n1 20\ncfn=d\ncalls=1 1\n1 20\ncfn=e\ncalls=1 1\n1 20\n",
                                       "fn=d\n1 20\n",
                                       "fn=e\n1 20\n"};
    std::string expected;
    std::minstd_rand chance(1);
    for (int round = 0; round < 50; ++round) {
        std::string body;
        for (const std::string& block : blocks) body += block;
        const Profile profile = plain_profile(body);
        const CallGraph graph = graph_of(profile);
        std::string text;
        for (const std::size_t frames : {3U, 5U, 100U})
            for (const auto direction : {TreeDirection::callees, TreeDirection::callers})
                text +=
                    tree_text(graph, estimate_tree(graph, {.direction = direction, .max_frames = frames}));
        if (expected.empty()) expected = text;
        ASSERT_EQ(text, expected);
        std::shuffle(blocks.begin(), blocks.end(), chance);
    }
}

TEST(Tree, puts_equal_costs_in_the_order_of_their_names) {
    const Profile profile = plain_profile(
        "fn=main\n1 1\ncfn=z\ncalls=1 1\n1 5\ncfn=y\ncalls=1 1\n1 5\ncfn=x\ncalls=1 1\n1 5\n"
        "fn=x\n1 5\nfn=y\n1 5\nfn=z\n1 5\n");
    const CallGraph graph = graph_of(profile);
    EXPECT_EQ(tree_text(graph, estimate_tree(graph, {.max_frames = 3})),
              "main 16 [16 16] self 1 [1 1]\n"
              " x 5 [5 5] self 5 [5 5]\n"
              " y 5 [5 5] self 5 [5 5]\n"
              " (not expanded) 5 [5 5]\n");
}

}  // namespace
}  // namespace callcost::test
