#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/library/call_graph/inlining_program.hpp"
#include "unit/library/call_graph/questions.hpp"
#include "unit/library/merge/inline_maps.hpp"
#include "unit/library/tree/programs.hpp"
#include "unit/library/tree/trees.hpp"
#include <callcost/call_graph.hpp>
#include <callcost/diff.hpp>
#include <callcost/groups.hpp>
#include <callcost/lines.hpp>
#include <callcost/tree.hpp>

namespace callcost::test {
namespace {

using testing::UnorderedElementsAre;

/// "name self inclusive called", in no special order.
std::vector<std::string> nodes(const CallGraph& graph, const Measure& measure) {
    std::vector<std::string> all;
    for (std::size_t row = 0; row < graph.size(); ++row) {
        const NodeId node(row);
        const BoundedCost inclusive = graph.inclusive_bounds(node, measure);
        auto text = std::string(graph.name(node)) + " " +
                    std::to_string(std::int64_t{graph.self(node, measure)}) + " " +
                    std::to_string(std::int64_t{inclusive.estimate});
        if (!inclusive.is_exact())
            text += " (" + std::to_string(std::int64_t{inclusive.least}) + " to " +
                    std::to_string(std::int64_t{inclusive.most}) + ")";
        all.push_back(text + " called " + std::to_string(graph.call_count(node).known));
    }
    return all;
}
/// "caller callee cost"
std::vector<std::string> arcs(const CallGraph& graph, const Measure& measure) {
    std::vector<std::string> all;
    for (std::size_t row = 0; row < graph.arc_count(); ++row) {
        const ArcId arc(row);
        all.push_back(std::string(graph.name(graph.caller(arc))) + " " +
                      std::string(graph.name(graph.callee(arc))) + " " +
                      std::to_string(std::int64_t{graph.cost(arc, measure)}));
    }
    return all;
}
/// "  name inclusive self", a line per frame, with bounds where they are not exact.
std::string tree_text(const CallGraph& graph, const Tree& tree) {
    const ContextNames contexts(graph.profile());
    std::string text;
    const auto number = [](const EstimatedCost& cost) {
        auto one = " " + std::to_string(std::lround(cost.estimate));
        if (!cost.certain())
            one += "(" + std::to_string(std::int64_t{cost.least}) + "-" +
                   std::to_string(std::int64_t{cost.most}) + ")";
        return one;
    };
    for (const Frame& frame : tree.frames)
        text += std::string(frame.level - 1, ' ') + std::string(frame_label(graph, contexts, frame)) +
                number(frame.inclusive) + number(frame.self) + "\n";
    return text;
}

// main (app) calls parse (app), which calls sort (lib) twice; sort calls copy (lib) and back compare (app).
const char* const calls_back =
    "events: Ir\n"
    "ob=app\nfl=main.c\nfn=main\n1 10\ncfi=parse.c\ncfn=parse\ncalls=1 1\n1 160\n"
    "fl=parse.c\nfn=parse\n1 20\ncob=lib\ncfi=sort.c\ncfn=sort\ncalls=2 1\n1 140\n"
    "fl=parse.c\nfn=compare\n1 30\n"
    "ob=lib\nfl=sort.c\nfn=sort\n1 40\ncfn=copy\ncalls=6 1\n1 70\n"
    "cob=app\ncfi=parse.c\ncfn=compare\ncalls=9 1\n1 30\n"
    "ob=lib\nfl=sort.c\nfn=copy\n1 70\n";

TEST(GraphOfGroups, has_the_costs_of_their_functions_together_and_the_calls_between_them) {
    const Profile profile = profile_of(calls_back);
    const Measure ir = measure_of(profile);
    const CallGraph files = graph_of_groups(graph_of(profile), GroupBy::file);
    EXPECT_THAT(nodes(files, ir), UnorderedElementsAre("main.c 10 170 called 0", "parse.c 50 160 called 10",
                                                       "sort.c 110 140 called 2"));
    EXPECT_THAT(arcs(files, ir),
                UnorderedElementsAre("main.c parse.c 160", "parse.c sort.c 140", "sort.c parse.c 30"));
    EXPECT_TRUE(is_of_groups(files));
    EXPECT_FALSE(is_of_groups(graph_of(profile)));
}

TEST(GraphOfGroups, has_the_inclusive_costs_of_groups) {
    const Profile profile = profile_of(calls_back);
    const Measure ir = measure_of(profile);
    const CallGraph graph = graph_of(profile);
    for (const GroupBy by : {GroupBy::object, GroupBy::file}) {
        std::map<std::string, BoundedCost> expected, found;
        for (const Group& group : groups(graph, by, {.measure = ir}).rows)
            expected[group.name] = group.inclusive;
        const CallGraph of_groups = graph_of_groups(graph, by);
        for (std::size_t row = 0; row < of_groups.size(); ++row)
            found[std::string(of_groups.name(NodeId(row)))] = of_groups.inclusive_bounds(NodeId(row), ir);
        EXPECT_EQ(found, expected);
    }
}

TEST(GraphOfGroups, names_the_places_that_all_functions_of_a_group_have) {
    const Profile profile = profile_of(calls_back);
    const CallGraph objects = graph_of_groups(graph_of(profile), GroupBy::object);
    std::vector<std::string> names;
    for (std::size_t row = 0; row < objects.size(); ++row) {
        const FunctionNames all = names_of(objects, NodeId(row));
        names.push_back(std::string(all.name) + " " + std::string(all.object) + " " + std::string(all.file));
    }
    EXPECT_THAT(names, UnorderedElementsAre("app app ???", "lib lib sort.c"));
}

TEST(GraphOfGroups, functions_without_a_file_or_class_join_their_object) {
    const Profile profile = profile_of(
        "events: Ir\nob=libc\nfn=0x1234\n1 1\nfn=memcpy\n1 2\nob=app\nfl=a.cc\nfn=ns::A::f()\n1 "
        "4\nfn=main\n1 8\n");
    const Measure ir = measure_of(profile);
    const CallGraph graph = graph_of(profile);
    EXPECT_THAT(nodes(graph_of_groups(graph, GroupBy::file), ir),
                UnorderedElementsAre("libc 3 3 called 0", "a.cc 12 12 called 0"));
    EXPECT_THAT(nodes(graph_of_groups(graph, GroupBy::name_space), ir),
                UnorderedElementsAre("libc 3 3 called 0", "ns::A 4 4 called 0", "app 8 8 called 0"));
}

TEST(GraphOfGroups, neighbours_of_one_group_on_a_path_are_one_frame) {
    const Profile profile = profile_of(calls_back);
    const CallGraph objects = graph_of_groups(graph_of(profile), GroupBy::object);
    const Tree tree = estimate_tree(objects);
    expect_sound(tree);
    // As exact as the paths of functions: only compare, called back, comes out of lib again.
    EXPECT_EQ(tree_text(objects, tree), "app 170 30\n lib 140 110\n  app 30 30\n");
    for (const TreeOptions& options : {TreeOptions{.max_frames = 2}, TreeOptions{.min_weight = 50}}) {
        const Tree heavy = estimate_tree(objects, options);
        expect_sound(heavy, options);
        EXPECT_EQ(tree_text(objects, heavy), "app 170 30\n lib 140 110\n  (not expanded) 30 30\n");
    }
    for (std::size_t frames = 0; frames < 4; ++frames) {  // also of groups with the same cost
        const Profile chain = profile_of(
            "events: Ir\nob=a\nfn=f\n1 0\ncob=b\ncfn=g\ncalls=1 1\n1 5\nob=b\nfn=g\n1 0\ncob=c\ncfn=h\n"
            "calls=1 1\n1 5\nob=c\nfn=h\n1 5\n");
        const CallGraph graph = graph_of_groups(graph_of(chain), GroupBy::object);
        EXPECT_EQ(estimate_tree(graph, {.max_frames = frames}).functions, std::min<std::size_t>(frames, 3));
    }
    const Tree below =
        estimate_tree(objects, {.root = [&](NodeId node) { return objects.name(node) == "lib"; }});
    EXPECT_EQ(tree_text(objects, below), "lib 140 110\n app 30 30\n");
}

/// app calls lib by two functions of it, one of which calls back.
std::shared_ptr<Stacks> recorded() {
    auto stacks = std::make_shared<Stacks>();
    const auto ir = stacks->event("Ir");
    const auto add = [&](std::uint32_t caller, const char* name, const char* file, const char* object,
                         Cost cost) {
        const auto row = stacks->stack(caller, stacks->function(name, file, object));
        stacks->add(row, ir, cost);
        return row;
    };
    const auto main = add(Stacks::none, "main", "main.c", "app", 10);
    const auto parse = add(main, "parse", "parse.c", "app", 20);
    const auto sort = add(parse, "sort", "sort.c", "lib", 40);
    add(sort, "copy", "sort.c", "lib", 70);
    add(sort, "compare", "parse.c", "app", 30);
    return stacks;
}

TEST(GraphOfGroups, trees_of_recorded_stacks_stay_exact) {
    const Profile profile = profile_of(calls_back);
    const CallGraph objects = graph_of_groups(graph_of(profile), GroupBy::object);
    const auto tree = exact_tree(objects, {recorded()});
    ASSERT_TRUE(tree);
    // 10 + 20 before lib, 30 in what it calls back; 40 + 70 in lib.
    EXPECT_EQ(tree_text(objects, *tree),
              "app 170 30\n"
              " lib 140 110\n"
              "  app 30 30\n");
    const auto inverted = exact_tree(objects, {recorded()}, {.direction = TreeDirection::callers});
    ASSERT_TRUE(inverted);
    EXPECT_EQ(tree_text(objects, *inverted),
              "lib 110 0\n"
              " app 110 110\n"
              "app 60 30\n"
              " lib 30 0\n"
              "  app 30 30\n");
}

/// Files by which every fourth function of a program belongs together.
std::string file_of(unsigned function) { return "g" + std::to_string(function % 4); }

std::string in_files(const std::string& text) {
    std::string result;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const auto function = line.find("fn=f");
        if (function != std::string::npos)
            result += (function == 0 ? "fl=" : "cfi=") +
                      file_of(static_cast<unsigned>(std::stoul(line.substr(function + 4)))) + '\n';
        result += line + '\n';
    }
    return result;
}

struct PathCost {
    EstimatedCost inclusive, self;
};
std::map<std::string, PathCost> costs_by_path(const CallGraph& graph, const Tree& tree) {
    std::vector<std::string> paths(tree.frames.size());
    std::map<std::string, PathCost> costs;
    for (std::size_t row = 0; row < tree.frames.size(); ++row) {
        const Frame& frame = tree.frames[row];
        if (frame.kind != FrameKind::function) continue;
        if (frame.parent != Frame::none) paths[row] = paths[frame.parent] + " > ";
        paths[row] += graph.name(frame.node);
        costs[paths[row]] = {frame.inclusive, frame.self};
    }
    return costs;
}

TEST(GraphOfGroups, bounds_of_estimates_hold_for_what_was_spent) {
    std::size_t compared = 0;
    for (unsigned seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const Program random(seed, seed % 2 == 0);
        const Profile profile = profile_of(in_files(random.profile()));
        const Measure ir = measure_of(profile);
        const CallGraph graph = graph_of_groups(graph_of(profile), GroupBy::file);
        Stacks stacks;
        std::map<std::string, std::int64_t> inclusive;
        for (const auto& [functions, cost] : random.stacks()) {
            auto row = Stacks::none;
            std::set<std::string> files;
            for (const auto function : functions) {
                row = stacks.stack(row, stacks.function(name_of(function), file_of(function)));
                files.insert(file_of(function));
            }
            stacks.add(row, stacks.event("Ir"), cost);
            for (const auto& file : files) inclusive[file] += cost;
        }
        for (std::size_t row = 0; row < graph.size(); ++row) {
            const BoundedCost bounds = graph.inclusive_bounds(NodeId(row), ir);
            const std::int64_t truth = inclusive[std::string(graph.name(NodeId(row)))];
            EXPECT_LE(std::int64_t{bounds.least}, truth);
            EXPECT_GE(std::int64_t{bounds.most}, truth);
        }
        const auto exact = exact_tree(graph, {std::make_shared<const Stacks>(std::move(stacks))});
        ASSERT_TRUE(exact);
        const TreeOptions options{.max_frames = 2000, .max_levels = 5};
        const Tree estimated = estimate_tree(graph, options);
        expect_sound(estimated, options);
        const auto estimates = costs_by_path(graph, estimated);
        for (const auto& [path, truth] : costs_by_path(graph, *exact)) {
            const auto found = estimates.find(path);
            if (found == estimates.end()) continue;
            ++compared;
            EXPECT_LE(found->second.inclusive.least, truth.inclusive.least) << path;
            EXPECT_GE(found->second.inclusive.most, truth.inclusive.most) << path;
            EXPECT_LE(found->second.self.least, truth.self.least) << path;
            EXPECT_GE(found->second.self.most, truth.self.most) << path;
        }
    }
    EXPECT_GT(compared, 150U);
}

TEST(GraphOfGroups, takes_inlined_code_as_calls_between_groups) {
    const Profile profile =
        expanded(read(inlining_bytes("tree.out")), {inline_map(inlining_bytes("tree.map"))});
    ASSERT_TRUE(profile.has_inlined());
    const Measure ir = measure_of(profile);
    const CallGraph functions = graph_of(profile);
    for (const GroupBy by : {GroupBy::object, GroupBy::file, GroupBy::directory, GroupBy::name_space}) {
        const CallGraph graph = graph_of_groups(functions, by);
        const Tree tree = estimate_tree(graph);
        expect_sound(tree);
        EXPECT_EQ(static_cast<std::int64_t>(tree.inclusive), std::int64_t{functions.total(ir)});
        Cost self = 0;
        for (std::size_t row = 0; row < graph.size(); ++row) self += graph.self(NodeId(row), ir);
        EXPECT_EQ(self, functions.total(ir));
    }
}

TEST(GraphOfGroups, what_is_apart_is_in_groups_of_its_own) {
    const Profile profile = profile_of(calls_back);
    const Measure ir = measure_of(profile);
    const CallGraph graph = graph_of(profile);
    const auto is_parse = [&](NodeId node) { return graph.name(node) == "parse" ? 1U : 0U; };
    EXPECT_THAT(nodes(graph_of_groups(graph, GroupBy::object, is_parse), ir),
                UnorderedElementsAre(testing::StartsWith("app (others) 40 "), testing::StartsWith("app 20 "),
                                     testing::StartsWith("lib 110 ")));
}

TEST(GraphOfGroups, of_the_selected_parts_only) {
    const Profile profile = profile_of(
        "events: Ir\npart: 1\nob=a\nfn=f\n1 1\ncob=b\ncfn=g\ncalls=1 1\n1 2\nob=b\nfn=g\n1 2\n"
        "\nversion: 1\nevents: Ir\npart: 2\nob=a\nfn=f\n1 10\nob=c\nfn=h\n1 5\n");
    const auto graph = call_graph(profile, {.rows = {1}});
    ASSERT_TRUE(graph);
    EXPECT_THAT(nodes(graph_of_groups(*graph, GroupBy::object), measure_of(profile)),
                UnorderedElementsAre("a 10 10 called 0", "c 5 5 called 0"));
}

TEST(GraphOfGroups, folds_contexts_and_levels_of_recursion) {
    const Profile profile = profile_of(
        "version: 1\ncreator: callgrind-3.19\nevents: Ir\n"
        "ob=a\nfn=f\n1 1\ncfn=f'2\ncalls=1 1\n1 12\nfn=f'2\n1 2\ncob=b\ncfn=g\ncalls=1 1\n1 "
        "10\nob=b\nfn=g\n1 10\n");
    const Measure ir = measure_of(profile);
    const CallGraph graph = graph_of_groups(graph_of(profile), GroupBy::object);
    EXPECT_THAT(nodes(graph, ir), UnorderedElementsAre("a 3 13 called 0", "b 10 10 called 1"));
    EXPECT_EQ(tree_text(graph, estimate_tree(graph)), "a 13 3\n b 10 10\n");
    const ContextNames contexts(profile);
    EXPECT_EQ(context_name(graph, contexts, NodeId(0)).name, "a");
    EXPECT_EQ(context_name(graph_of(profile), contexts, NodeId(0)).name, "f");
}

TEST(GraphOfGroups, compares_groups_by_their_names) {
    const Profile before = profile_of(calls_back);
    std::string text = calls_back;
    text.replace(text.find("1 40"), 4, "1 90");
    const Profile after = profile_of(text);
    const auto found = diff(graph_of_groups(graph_of(before), GroupBy::object),
                            graph_of_groups(graph_of(after), GroupBy::object));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->functions().size(), 2U);
    for (const FunctionMatch& match : found->functions()) {
        EXPECT_EQ(match.before.size(), 1U);
        EXPECT_EQ(match.after.size(), 1U);
    }
}

TEST(GraphOfGroups, lines_have_the_calls_that_leave_a_group) {
    const Profile profile = profile_of(calls_back);
    const Measure ir = measure_of(profile);
    const CallGraph objects = graph_of_groups(graph_of(profile), GroupBy::object);
    for (std::size_t row = 0; row < objects.size(); ++row) {
        const auto lines = function_lines(objects, NodeId(row), std::span(&ir, 1));
        ASSERT_TRUE(lines);
        std::size_t calls = 0;
        for (const auto& file : *lines)
            for (const auto& line : file.lines) calls += line.calls.size();
        EXPECT_EQ(calls, 1U);
    }
}

TEST(GraphOfGroups, of_a_profile_without_functions_is_empty) {
    const Profile profile = profile_of("events: Ir\n");
    EXPECT_EQ(graph_of_groups(graph_of(profile), GroupBy::object).size(), 0U);
}

}  // namespace
}  // namespace callcost::test
