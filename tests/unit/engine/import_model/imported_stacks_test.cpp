#include "import_model/imported_stacks.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "unit/engine/importers/imported.hpp"
#include <callcost/call_graph.hpp>

namespace {

using callcost::ArcId;
using callcost::EventId;
using callcost::Profile;
using callcost::engine::StackFrame;
using callcost::engine::StackProfile;
using callcost::test::FunctionCost;

/// A stack by letters: "abc" is a calling b calling c; every frame is at the line of its position in the
/// stack.
std::vector<StackFrame> frames(StackProfile& profile, std::string_view letters) {
    std::vector<StackFrame> stack;
    for (const char letter : letters)
        stack.push_back({.function = profile.function({}, "x.c", {&letter, 1}),
                         .place = profile.place({}, stack.size() + 1)});
    return stack;
}

void add(StackProfile& profile, std::string_view letters, std::int64_t cost) {
    profile.set_stack(frames(profile, letters));
    profile.add({.event = 0, .cost = cost});
}

StackProfile with_event() {
    StackProfile profile;
    EXPECT_EQ(profile.event("samples", {}), 0U);
    return profile;
}

Profile written(StackProfile& profile) {
    std::string text;
    EXPECT_TRUE(profile.write({}, callcost::to_memory(text)).has_value());
    return callcost::test::read_without_errors(text);
}

TEST(Stacks, a_cost_is_self_cost_of_the_leaf_and_the_cost_of_every_arc) {
    StackProfile profile = with_event();
    add(profile, "abc", 5);
    add(profile, "ab", 2);
    EXPECT_EQ(callcost::test::records_text(written(profile)), "a:1 -> b 7\nb:2 -> c 5\nb:2 2\nc:3 5\n");
}

TEST(Stacks, deeper_occurrences_of_a_function_are_one_function) {
    StackProfile profile = with_event();
    add(profile, "aaaa", 5);
    EXPECT_EQ(callcost::test::records_text(written(profile)), "a'2:2 -> a'2 5\na'2:4 5\na:1 -> a'2 5\n");
}

TEST(Stacks, a_stack_goes_through_an_arc_once) {
    StackProfile profile = with_event();
    add(profile, "abababab", 3);
    EXPECT_EQ(callcost::test::records_text(written(profile)),
              "a'2:3 -> b'2 3\na:1 -> b 3\nb'2:4 -> a'2 3\nb'2:8 3\nb:2 -> a'2 3\n");
}

TEST(Stacks, a_frame_that_goes_on_elsewhere_was_called_from_the_same_place) {
    StackProfile profile = with_event();
    const StackFrame a1{profile.function({}, {}, "a"), profile.place({}, 1)};
    const StackFrame b2{profile.function({}, {}, "b"), profile.place({}, 2)};
    StackFrame b3 = b2;
    b3.place = profile.place({}, 3);
    const StackFrame c{profile.function({}, {}, "c"), profile.place({}, 9)};
    for (const std::vector<StackFrame>& stack : {std::vector{a1, b2}, {a1, b3, c}, {a1, b3}, {a1, b2, c}}) {
        profile.set_stack(stack);
        profile.add({.event = 0, .cost = 1});
    }
    EXPECT_EQ(callcost::test::records_text(written(profile)),
              "a:1 -> b 4\nb:2 -> c 1\nb:2 1\nb:3 -> c 1\nb:3 1\nc:9 2\n");
}

TEST(Stacks, the_order_of_stacks_does_not_matter) {
    const std::vector<std::string> stacks{"abc", "ab", "cab", "aabb", "c"};
    const auto text_of = [](const auto& letters) {
        StackProfile profile = with_event();
        for (const std::string& stack : letters) add(profile, stack, 3);
        std::string text;
        EXPECT_TRUE(profile.write({}, callcost::to_memory(text)).has_value());
        return text;
    };
    EXPECT_EQ(text_of(stacks), text_of(std::vector<std::string>(stacks.rbegin(), stacks.rend())));
}

TEST(Stacks, threads_are_parts) {
    StackProfile profile = with_event();
    profile.set_thread({.process = 7, .number = 9, .name = "worker"});
    add(profile, "ab", 5);
    profile.set_thread({.process = 7, .number = 8, .name = {}});
    add(profile, "ac", 2);
    profile.set_thread({.process = 7, .number = 9, .name = "worker"});
    add(profile, "b", 1);
    const Profile read = written(profile);
    ASSERT_EQ(read.parts().size(), 2U);
    for (const auto& part : read.parts()) {
        EXPECT_EQ(part.profile, 0U) << "they are of one run";
        EXPECT_EQ(part.pid.number, 7U);
        EXPECT_EQ(part.part.number, 1U);
    }
    EXPECT_EQ(read.parts()[0].thread.number, 8U);
    EXPECT_TRUE(read.parts()[0].descriptions.empty());
    EXPECT_EQ((*read.parts()[0].totals)[EventId(std::size_t{0})], 2);
    EXPECT_EQ(read.parts()[1].thread.number, 9U);
    EXPECT_EQ(read.parts()[1].descriptions, (std::vector<std::string>{"Thread name: worker"}));
    EXPECT_EQ((*read.parts()[1].totals)[EventId(std::size_t{0})], 6);
    EXPECT_EQ(callcost::test::records_text(read), "a:1 -> b 5\na:1 -> c 2\nb:1 1\nb:2 5\nc:2 2\n");
}

TEST(Stacks, without_a_thread_there_is_one_part_of_none) {
    StackProfile profile = with_event();
    EXPECT_EQ(written(profile).parts().size(), 1U);
    add(profile, "a", 1);
    const Profile read = written(profile);
    ASSERT_EQ(read.parts().size(), 1U);
    EXPECT_EQ(read.parts()[0].thread.text, "");
    EXPECT_EQ(read.parts()[0].part.text, "");
}

TEST(Stacks, an_empty_stack_is_a_function_of_its_own) {
    StackProfile profile = with_event();
    profile.set_stack({});
    profile.add({.event = 0, .cost = 4});
    EXPECT_EQ(callcost::test::records_text(written(profile)), "(no stack):0 4\n");
}

TEST(Stacks, numbers_of_calls_are_unknown) {
    StackProfile profile = with_event();
    add(profile, "ab", 5);
    const Profile read = written(profile);
    EXPECT_EQ(read.count(ArcId(std::size_t{0})).known, 0U);
    EXPECT_TRUE(read.count(ArcId(std::size_t{0})).at_least);
}

TEST(Stacks, numbers_of_calls_are_kept_where_they_are_given) {
    StackProfile profile = with_event();
    for (const char* const stack : {"a", "ab", "aba", "abab", "c", "ca"}) {
        profile.set_stack(frames(profile, stack));
        profile.add_calls(stack == std::string_view("abab") ? 10 : 1);
    }
    profile.add({.event = 0, .cost = 5});
    const Profile read = written(profile);
    std::map<std::string, std::uint64_t> counts;
    for (std::size_t row = 0; row < read.arc_count(); ++row) {
        const ArcId arc(row);
        EXPECT_FALSE(read.count(arc).at_least);
        counts[std::string(read.name(read.caller(arc))).append(read.name(read.callee(arc)))] =
            read.count(arc).known;
    }
    EXPECT_EQ(counts,
              (std::map<std::string, std::uint64_t>{{"ab", 1}, {"ba'2", 1}, {"a'2b'2", 10}, {"ca", 1}}));
}

TEST(Stacks, costs_wrap) {
    StackProfile profile = with_event();
    add(profile, "ab", INT64_MAX);
    add(profile, "ab", 1);
    EXPECT_EQ(callcost::test::records_text(written(profile)),
              "a:1 -> b -9223372036854775808\nb:2 -9223372036854775808\n");
}

TEST(Stacks, names_of_events_are_such_as_formulas_can_use) {
    StackProfile profile;
    (void)profile.event("cpu-clock:u", "cpu-clock:u");
    (void)profile.event("cpu clock u", {});
    (void)profile.event("2nd", {});
    (void)profile.event("", {});
    profile.set_stack({});
    for (std::uint32_t event = 0; event < 4; ++event) profile.add({.event = event, .cost = 1});
    const Profile read = written(profile);
    ASSERT_EQ(read.events().size(), 4U);
    EXPECT_EQ(read.events()[0].name, "cpu_clock_u");
    EXPECT_EQ(read.events()[1].name, "cpu_clock_u_2");
    EXPECT_EQ(read.events()[2].name, "event_2nd");
    EXPECT_EQ(read.events()[3].name, "event");
}

TEST(Stacks, there_is_a_most_of_events) {
    StackProfile profile;
    for (std::size_t i = 0; i < StackProfile::max_events; ++i)
        EXPECT_EQ(profile.event("e" + std::to_string(i), {}), i);
    EXPECT_EQ(profile.event("more", {}), callcost::engine::no_row);
}

TEST(Stacks, the_creator_says_where_the_contexts_come_from) {
    StackProfile profile = with_event();
    add(profile, "a", 1);
    const Profile read = written(profile);
    EXPECT_TRUE(read.parts()[0].creator.starts_with("callcost-"));
    EXPECT_TRUE(read.parts()[0].creator.ends_with(" from stacks"));
}

TEST(Stacks, deep_stacks_cost_what_is_different_in_them) {
    StackProfile profile = with_event();
    std::vector<StackFrame> stack(100'000, {.function = profile.function({}, {}, "f")});
    profile.set_stack(stack);
    for (int i = 0; i < 1'000'000; ++i) {  // leaves change, 100,000 frames stay
        profile.push({.function = profile.function({}, {}, i % 2 == 0 ? "g" : "h")});
        profile.add({.event = 0, .cost = 1});
        profile.pop();
    }
    EXPECT_EQ(profile.total(0), 1'000'000);
    EXPECT_EQ(callcost::test::records_text(written(profile)),
              "f'2:0 -> f'2 1000000\nf'2:0 -> g 500000\nf'2:0 -> h 500000\nf:0 -> f'2 1000000\ng:0 "
              "500000\nh:0 500000\n");
}

/// What random stacks must add up to, by letter; and the root weights.
struct Expected {
    std::map<std::string, FunctionCost> costs;
    std::map<std::string, std::int64_t> roots;
};

Expected add_random_stacks(StackProfile& profile, unsigned seed) {
    std::mt19937 random(seed);
    Expected expected;
    const auto letters = 2 + random() % 6;
    for (unsigned i = 0; i < 60; ++i) {
        std::string stack;
        for (auto depth = 1 + random() % 12; depth > 0; --depth)
            stack += static_cast<char>('a' + random() % letters);
        const auto cost = static_cast<std::int64_t>(random() % 1000) - (seed % 4 == 0 ? 500 : 0);
        std::vector<StackFrame> path;
        for (const char letter : stack)
            path.push_back({.function = profile.function({}, {}, {&letter, 1}),
                            .place = profile.place(random() % 4 == 0 ? "y.c" : "", random() % 3)});
        profile.set_stack(path);
        profile.add({.event = 0, .cost = cost});
        expected.costs[stack.substr(stack.size() - 1)].self += cost;
        expected.roots[stack.substr(0, 1)] += cost;
        for (const char letter : std::set<char>(stack.begin(), stack.end()))
            expected.costs[std::string(1, letter)].inclusive += cost;
    }
    return expected;
}

TEST(Stacks, folded_costs_are_those_of_the_stacks) {
    for (unsigned seed = 0; seed < 300; ++seed) {
        StackProfile profile = with_event();
        const Expected expected = add_random_stacks(profile, seed);
        std::string text;
        ASSERT_TRUE(profile.write({}, callcost::to_memory(text)).has_value());
        auto costs =
            callcost::test::folded_costs(callcost::test::read_without_errors(text), EventId(std::size_t{0}));
        for (const auto& [name, cost] : expected.costs) EXPECT_EQ(costs[name], cost) << seed << ' ' << name;
    }
}

TEST(Stacks, what_goes_in_comes_out) {
    for (unsigned seed = 0; seed < 300; ++seed) {
        if (seed % 4 == 0) continue;  // roots() cannot tell from less than nothing
        StackProfile profile = with_event();
        Expected expected = add_random_stacks(profile, seed);
        const Profile read = written(profile);
        const auto graph = callcost::call_graph(read, {});
        ASSERT_TRUE(graph.has_value());
        const auto measure = callcost::default_measure(read);
        std::map<std::string, bool> is_in_cycle;
        std::int64_t root_weight = 0;
        for (const callcost::Root& root : callcost::roots(*graph, measure)) root_weight += root.weight;
        EXPECT_EQ(root_weight, read.total(EventId(std::size_t{0}))) << seed;
        for (std::size_t row = 0; row < graph->size(); ++row) {
            const callcost::NodeId node(row);
            if (graph->cycle(node).valid()) continue;
            const auto flow = callcost::conservation(*graph, node, measure);
            EXPECT_EQ(flow.imbalance(), expected.roots[std::string(graph->name(node))])
                << seed << graph->name(node);
        }
    }
}

TEST(Stacks, no_arc_costs_more_than_its_callee) {
    for (unsigned seed = 1; seed < 100; seed += 4) {
        StackProfile profile = with_event();
        const Expected expected = add_random_stacks(profile, seed);
        const Profile read = written(profile);
        for (std::size_t row = 0; row < read.arc_count(); ++row) {
            const std::string callee(read.name(read.callee(ArcId(row))).substr(0, 1));
            EXPECT_LE(read.cost(ArcId(row), EventId(std::size_t{0})), expected.costs.at(callee).inclusive);
        }
    }
}

}  // namespace
