// Trees of recorded stacks, which no call graph could tell.
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <callcost/callcost.hpp>

namespace callcost {
namespace {

// start;backup;read 4 and end;backup;write 4: by arcs alone, start may as well have come to write.
constexpr std::string_view arcs_only =
    "events: Ir\n"
    "fn=start\ncfn=backup\ncalls=0 0\n0 4\n"
    "fn=end\ncfn=backup\ncalls=0 0\n0 4\n"
    "fn=backup\ncfn=read\ncalls=0 0\n0 4\ncfn=write\ncalls=0 0\n0 4\n"
    "fn=read\n0 4\nfn=write\n0 4\n";

CallGraph graph_of(const std::vector<std::string_view>& texts) {
    ProfileReader reader;
    for (const auto text : texts) EXPECT_TRUE(reader.add(from_memory(text)).has_value());
    return *call_graph(std::move(reader).finish());
}

std::shared_ptr<const Stacks> stacks_of(const std::vector<std::pair<std::vector<std::string>, Cost>>& all) {
    Stacks stacks;
    const auto event = stacks.event("Ir");
    for (const auto& [functions, cost] : all) {
        auto row = Stacks::none;
        for (const auto& name : functions) row = stacks.stack(row, stacks.function(name));
        stacks.add(row, event, cost);
    }
    return std::make_shared<const Stacks>(std::move(stacks));
}

std::shared_ptr<const Stacks> recorded() {
    return stacks_of({{{"start", "backup", "read"}, 4}, {{"end", "backup", "write"}, 4}});
}

std::string text_of(const CallGraph& graph, const std::optional<Tree>& tree) {
    if (!tree) return "none";
    const ContextNames contexts(graph.profile());
    std::string text;
    for (const Frame& frame : tree->frames) {
        EXPECT_TRUE(frame.inclusive.certain() && frame.self.certain());
        text += std::string(frame.level - 1, ' ') + std::string(frame_label(graph, contexts, frame)) + ' ' +
                std::to_string(frame.inclusive.least) + '/' + std::to_string(frame.self.least) + '\n';
    }
    return text;
}

TEST(ExactTree, has_the_recorded_paths) {
    const auto graph = graph_of({arcs_only});
    EXPECT_EQ(text_of(graph, exact_tree(graph, {recorded()})),
              "end 4/0\n backup 4/0\n  write 4/4\nstart 4/0\n backup 4/0\n  read 4/4\n");
    EXPECT_EQ(text_of(graph, exact_tree(graph, {recorded()}, {.direction = TreeDirection::callers})),
              "read 4/0\n backup 4/0\n  start 4/4\nwrite 4/0\n backup 4/0\n  end 4/4\n");
    EXPECT_EQ(exact_tree(graph, {recorded()})->certainty(), 1);
    EXPECT_LT(estimate_tree(graph).certainty(), 0.5);
}

TEST(ExactTree, keeps_to_the_limits_and_stays_exact) {
    const auto graph = graph_of({arcs_only});
    EXPECT_EQ(text_of(graph, exact_tree(graph, {recorded()}, {.max_frames = 2})),
              "end 4/0\n backup 4/0\n  (not expanded) 4/4\n(not expanded) 4/4\n");
    EXPECT_EQ(text_of(graph, exact_tree(graph, {recorded()}, {.max_levels = 1})),
              "end 4/0\n (not expanded) 4/4\nstart 4/0\n (not expanded) 4/4\n");
    EXPECT_EQ(text_of(graph, exact_tree(graph, {recorded()}, {.min_weight = 5})), "(not expanded) 8/8\n");
    EXPECT_EQ(exact_tree(graph, {recorded()}, {.max_frames = 2})->certainty(), 1);
}

TEST(ExactTree, begins_at_chosen_functions) {
    const auto graph = graph_of({arcs_only});
    const auto is_backup = [&](NodeId node) { return graph.name(node) == "backup"; };
    EXPECT_EQ(text_of(graph, exact_tree(graph, {recorded()}, {.root = is_backup})),
              "backup 8/0\n read 4/4\n write 4/4\n");
    EXPECT_EQ(text_of(graph, exact_tree(graph, {recorded()},
                                        {.direction = TreeDirection::callers, .root = is_backup})),
              "backup 8/0\n end 4/4\n start 4/4\n");
}

TEST(ExactTree, filters_stack_by_stack) {
    const auto graph = graph_of({arcs_only});
    const auto is = [&](std::string_view name) {
        return [&graph, name](NodeId node) { return graph.name(node) == name; };
    };
    EXPECT_EQ(text_of(graph, exact_tree(graph, {recorded()}, {}, {.focus = is("start")})),
              "start 4/0\n backup 4/0\n  read 4/4\n");
    EXPECT_EQ(text_of(graph, exact_tree(graph, {recorded()}, {.direction = TreeDirection::callers},
                                        {.ignore = is("start")})),
              "write 4/0\n backup 4/0\n  end 4/4\n");
}

TEST(ExactTree, folds_direct_recursion_or_not) {
    const auto graph = graph_of({"events: Ir\nfn=f\n0 7\n"});
    const auto stacks = stacks_of({{{"f"}, 1}, {{"f", "f"}, 2}, {{"f", "f", "f"}, 4}});
    EXPECT_EQ(text_of(graph, exact_tree(graph, {stacks})), "f 7/7\n");
    EXPECT_EQ(text_of(graph, exact_tree(graph, {stacks}, {.direction = TreeDirection::callers})), "f 7/7\n");
    EXPECT_EQ(text_of(graph, exact_tree(graph, {stacks}, {.recursion = Recursion::unfold})),
              "f 7/1\n f 6/2\n  f 4/4\n");
}

TEST(ExactTree, has_names_that_look_like_contexts_whether_these_are_folded_or_not) {
    const auto profile = *read_profile(
        from_memory("creator: callgrind-3.20.0\nevents: Ir\nfn=f\ncfn=f'2\ncalls=0 0\n0 7\nfn=f'2\n0 7\n"
                    "fn=g'2\n0 1\n"));
    const auto stacks = stacks_of({{{"f", "f'2"}, 7}, {{"g'2"}, 1}});
    const auto kept = *call_graph(profile, {.contexts = Contexts::keep});
    EXPECT_EQ(text_of(kept, exact_tree(kept, {stacks})), "f 7/0\n f 7/7\ng 1/1\n");
    const auto folded = *call_graph(profile, {.contexts = Contexts::fold});
    EXPECT_EQ(text_of(folded, exact_tree(folded, {stacks})), "f 7/7\ng 1/1\n");
}

TEST(ExactTree, adds_up_sources_and_needs_the_stacks_of_all) {
    const auto graph = graph_of({arcs_only, "events: Ir\nfn=start\n0 3\n"});
    const auto more = stacks_of({{{"start"}, 3}});
    EXPECT_EQ(text_of(graph, exact_tree(graph, {recorded(), more})),
              "start 7/3\n backup 4/0\n  read 4/4\nend 4/0\n backup 4/0\n  write 4/4\n");
    EXPECT_FALSE(exact_tree(graph, {recorded(), nullptr}).has_value());
    EXPECT_FALSE(exact_tree(graph, {recorded()}).has_value());
    EXPECT_FALSE(exact_tree(graph, {recorded(), stacks_of({{{"start"}, 2}})}).has_value());
}

TEST(ExactTree, gives_its_frames_one_by_one) {
    const auto graph = graph_of({arcs_only});
    for (const TreeOptions& options : {TreeOptions{},
                                       {.recursion = Recursion::unfold},
                                       {.max_frames = 2},
                                       {.max_levels = 0},
                                       {.max_levels = 2},
                                       {.min_weight = 5},
                                       {.direction = TreeDirection::callers}}) {
        const auto tree = exact_tree(graph, {recorded()}, options);
        Tree frames;
        const auto keep = [&](const Frame& frame) { frames.frames.push_back(frame); };
        EXPECT_TRUE(exact_frames(graph, {recorded()}, options, {}, NegativeCosts::omit, keep));
        EXPECT_EQ(text_of(graph, frames), text_of(graph, tree));
        for (std::size_t row = 0; row < frames.frames.size(); ++row)
            EXPECT_EQ(frames.frames[row].parent, tree->frames[row].parent);
    }
    const auto never = [](const Frame&) { ADD_FAILURE() << "no frame"; };
    EXPECT_FALSE(exact_frames(graph, {nullptr}, {}, {}, NegativeCosts::omit, never));
}

TEST(ExactTree, goes_on_behind_what_is_too_deep) {
    const auto graph = graph_of({arcs_only});
    EXPECT_EQ(text_of(graph, exact_tree(graph, {recorded()}, {.max_levels = 2})),
              "end 4/0\n backup 4/0\n  (not expanded) 4/4\nstart 4/0\n backup 4/0\n  (not expanded) 4/4\n");
}

TEST(Stacks, go_on_after_they_were_packed) {
    Stacks stacks;
    stacks.pack();
    const auto event = stacks.event("Ir");
    const auto f = stacks.function("f");
    const auto first = stacks.stack(Stacks::none, f);
    std::uint32_t last = first;
    for (int i = 0; i < 1000; ++i) last = stacks.stack(last, f);
    stacks.add(last, event, 7);
    stacks.pack();
    EXPECT_EQ(stacks.self(last, event), 7);
    EXPECT_EQ(stacks.stack(Stacks::none, f), first);
    EXPECT_EQ(stacks.function("f"), f);
    EXPECT_EQ(stacks.stack(last, f), 1001U);
    EXPECT_EQ(stacks.stack(last, f), 1001U);
}

TEST(Stacks, are_added_to_others) {
    Stacks sum;
    sum.add(*stacks_of({{{"a"}, 1}, {{"b", "c"}, 2}}));
    sum.add(*stacks_of({{{"b"}, 4}, {{"b", "c"}, 8}, {{"a", "c"}, 16}}));
    const auto graph = graph_of({"events: Ir\nfn=a\n0 1\nfn=b\n0 4\nfn=c\n0 26\n"});
    EXPECT_EQ(text_of(graph, exact_tree(graph, {std::make_shared<const Stacks>(std::move(sum))})),
              "a 17/1\n c 16/16\nb 14/4\n c 10/10\n");
}

TEST(ExactTree, keeps_negative_costs_only_if_asked) {
    const auto graph = graph_of({"events: Ir\nfn=a\n0 5\ncfn=b\ncalls=0 0\n0 -2\nfn=b\n0 -2\n"});
    const auto stacks = stacks_of({{{"a"}, 5}, {{"a", "b"}, -2}});
    EXPECT_EQ(text_of(graph, exact_tree(graph, {stacks})), "a 5/5\n");
    EXPECT_EQ(exact_tree(graph, {stacks})->negative, -2);
    EXPECT_EQ(text_of(graph, exact_tree(graph, {stacks}, {}, {}, NegativeCosts::keep)), "a 3/5\n b -2/-2\n");
}

TEST(ExactTree, is_as_deep_as_the_stacks_are) {
    std::string text = "events: Ir\n";
    std::vector<std::string> path;
    path.reserve(20'000);
    for (int i = 0; i < 20'000; ++i) path.push_back("f" + std::to_string(i));
    for (const auto& name : path) text += "fn=" + name + "\n0 0\n";
    text += "fn=f19999\n0 5\n";
    const auto graph = graph_of({text});
    for (const auto direction : {TreeDirection::callees, TreeDirection::callers}) {
        const auto tree = exact_tree(graph, {stacks_of({{path, 5}})}, {.direction = direction});
        ASSERT_TRUE(tree.has_value());
        EXPECT_EQ(tree->frames.size(), 20'000U);
        EXPECT_EQ(tree->frames[0].end, 20'000U);
    }
}

}  // namespace
}  // namespace callcost
