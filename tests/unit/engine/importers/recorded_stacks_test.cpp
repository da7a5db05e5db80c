// Stacks that are read come out as they are.
#include <map>
#include <memory>
#include <random>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "exporters/folded.hpp"
#include "importers/importers.hpp"
#include <callcost/callcost.hpp>

namespace callcost::engine {
namespace {

struct Imported {
    StacksOfSources stacks;
    std::optional<CallGraph> graph;
};

Imported import(const std::string& text) {
    Imported imported;
    std::string bytes;
    const auto stacks = std::make_shared<Stacks>();
    EXPECT_TRUE(
        engine::import_folded(from_memory(text), {.stacks = stacks.get()}, to_memory(bytes)).has_value());
    imported.stacks.push_back(stacks);
    const auto profile = read_profile(from_memory(bytes));
    EXPECT_TRUE(profile.has_value());
    imported.graph = *call_graph(*profile);
    return imported;
}

std::map<std::string, std::int64_t> lines_of(const std::string& text) {
    std::map<std::string, std::int64_t> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        const auto blank = line.rfind(' ');
        lines[line.substr(0, blank)] += std::stoll(line.substr(blank + 1));
    }
    return lines;
}

const TreeOptions everything{.recursion = Recursion::unfold, .max_frames = 1'000'000};

TEST(RecordedStacks, has_every_stack_that_was_read) {
    std::mt19937 random(7);
    for (int round = 0; round < 50; ++round) {
        std::string text;
        for (int i = 0; i < 60; ++i) {
            const auto depth = 1 + random() % 8;
            for (unsigned level = 0; level < depth; ++level)
                text += std::string(level > 0 ? ";" : "") + static_cast<char>('a' + random() % 4);
            text += ' ' + std::to_string(1 + random() % 100) + '\n';
        }
        const auto imported = import(text);
        const auto tree = exact_tree(*imported.graph, imported.stacks, everything);
        ASSERT_TRUE(tree.has_value());
        EXPECT_EQ(tree->certainty(), 1);
        std::string folded;
        ASSERT_TRUE(engine::write_folded(*imported.graph, *tree, to_memory(folded)).has_value());
        EXPECT_EQ(lines_of(folded), lines_of(text));
        for (std::uint32_t row = 0; row < tree->frames.size(); ++row) {  // in preorder, with what is below
            const Frame& frame = tree->frames[row];
            std::int64_t below = frame.self.least;
            for (auto child = row + 1; child < frame.end; child = tree->frames[child].end)
                below += tree->frames[child].inclusive.least;
            EXPECT_EQ(frame.inclusive.least, below);
        }
    }
}

TEST(RecordedStacks, is_as_deep_as_the_stacks_are) {
    std::string text = "f";
    for (int i = 0; i < 100'000; ++i) text += ";f";
    const auto imported = import(text + " 5\n");
    const auto tree = exact_tree(*imported.graph, imported.stacks, everything);
    ASSERT_TRUE(tree.has_value());
    EXPECT_EQ(tree->frames.size(), 100'001U);
    EXPECT_EQ(tree->frames[0].inclusive.least, 5);
    EXPECT_EQ(tree->frames[0].end, 100'001U);
}

TEST(RecordedStacks, is_none_if_the_stacks_are_not_those_of_the_graph) {
    const auto imported = import("a;b 5\n");
    const auto elsewhere = import("c 5\n");
    EXPECT_FALSE(exact_tree(*elsewhere.graph, imported.stacks).has_value());
    const auto less = import("a;b 4\n");
    EXPECT_FALSE(exact_tree(*imported.graph, less.stacks).has_value());
    EXPECT_FALSE(exact_tree(*imported.graph, {nullptr}).has_value());
    EXPECT_FALSE(exact_tree(*imported.graph, {}).has_value());
}

TEST(RecordedStacks, of_a_thread_are_those_of_the_graph_of_the_thread) {
    const std::string text = R"({"$schema":"https://www.speedscope.app/file-format-schema.json","shared":)"
                             R"({"frames":[{"name":"a"},{"name":"b"},{"name":"c"}]},"profiles":[)"
                             R"({"type":"sampled","name":"x","unit":"bytes","startValue":0,"endValue":3,)"
                             R"("samples":[[0,1],[0]],"weights":[2,1]},)"
                             R"({"type":"sampled","name":"y","unit":"bytes","startValue":0,"endValue":9,)"
                             R"("samples":[[0,2],[2]],"weights":[4,5]}]})";
    for (const std::uint64_t wanted : {1U, 2U}) {
        SCOPED_TRACE(wanted);
        std::string bytes;
        const auto stacks = std::make_shared<Stacks>();
        ImportOptions options{.stacks = stacks.get()};
        options.stacks.of_thread = [&](std::optional<std::uint64_t> process, std::uint64_t thread) {
            return !process && thread == wanted;
        };
        ASSERT_TRUE(import_stacks(ImportFormat::speedscope, from_memory(text), options, to_memory(bytes))
                        .has_value());
        const auto profile = read_profile(from_memory(bytes));
        ASSERT_TRUE(profile.has_value());
        EXPECT_FALSE(exact_tree(*call_graph(*profile), {stacks}).has_value()) << "of all threads";
        const auto graph = call_graph(*profile, {.threads = {wanted}});
        ASSERT_TRUE(graph.has_value());
        const auto tree = exact_tree(*graph, {stacks}, everything);
        ASSERT_TRUE(tree.has_value());
        std::string folded;
        ASSERT_TRUE(write_folded(*graph, *tree, to_memory(folded)).has_value());
        EXPECT_EQ(folded, wanted == 1 ? "a 1\na;b 2\n" : "c 5\na;c 4\n");
    }
}

}  // namespace
}  // namespace callcost::engine
