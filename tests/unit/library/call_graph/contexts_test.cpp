#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/library/call_graph/questions.hpp"
#include <callcost/call_graph.hpp>
#include <callcost/lines.hpp>

namespace callcost::test {
namespace {

FunctionId function_called(const Profile& profile, std::string_view name) {
    for (std::size_t row = 0; row < profile.function_count(); ++row)
        if (profile.name(FunctionId(row)) == name) return FunctionId(row);
    ADD_FAILURE() << "no function is called " << name;
    return FunctionId(std::size_t{0});
}

Profile callgrind_profile(const std::string& body) {
    return profile_of("version: 1\ncreator: callgrind-3.19.0\ncmd: x\nevents: Ir\n" + body);
}

std::string split(const Profile& profile, std::string_view name) {
    const ContextName parts = context_of(profile, function_called(profile, name));
    return std::string(parts.name) + "|" + std::to_string(parts.recursion) + "|" + std::string(parts.context);
}

TEST(Contexts, are_taken_apart_into_recursion_level_and_callers) {  // F72
    const Profile profile =
        callgrind_profile("fn=main\n1 1\nfn=f'main\n1 1\nfn=f'2'main\n1 1\nfn=g'3\n1 1\nfn=h'f'main\n1 1\n");
    EXPECT_EQ(split(profile, "main"), "main|0|");
    EXPECT_EQ(split(profile, "f'main"), "f|0|'main");
    EXPECT_EQ(split(profile, "f'2'main"), "f|2|'2'main");
    EXPECT_EQ(split(profile, "g'3"), "g|3|'3");
    EXPECT_EQ(split(profile, "h'f'main"), "h|0|'f'main") << "f is known by what stands before its quote";
}

TEST(Contexts, quotes_in_ordinary_names_split_nothing) {
    const Profile profile = callgrind_profile(
        "fn=main\n1 1\nfn=<&'a T as Show>::show\n1 1\nfn=pkg'elab_body\n1 1\nfn=x'1\n1 1\nfn=x'02\n1 "
        "1\nfn='main\n1 1\n"
        "fn=<&'a T as Show>::show'main\n1 1\nfn=x'\n1 1\n");
    EXPECT_EQ(split(profile, "<&'a T as Show>::show"), "<&'a T as Show>::show|0|");
    EXPECT_EQ(split(profile, "pkg'elab_body"), "pkg'elab_body|0|");
    EXPECT_EQ(split(profile, "x'1"), "x'1|0|") << "levels begin at 2";
    EXPECT_EQ(split(profile, "x'02"), "x'02|0|");
    EXPECT_EQ(split(profile, "'main"), "'main|0|") << "a name is never empty";
    EXPECT_EQ(split(profile, "x'"), "x'|0|");
    EXPECT_EQ(split(profile, "<&'a T as Show>::show'main"), "<&'a T as Show>::show|0|'main");
}

TEST(Contexts, are_known_in_callgrinds_own_files_only) {
    const Profile profile = plain_profile("fn=main\n1 1\nfn=f'main\n1 1\nfn=f'2\n1 1\n");
    EXPECT_EQ(split(profile, "f'main"), "f'main|0|");
    EXPECT_EQ(split(profile, "f'2"), "f'2|0|");
    EXPECT_FALSE(ContextNames(profile).any());
}

TEST(Contexts, folding_adds_up_levels_and_callers) {
    const Profile profile = callgrind_profile(
        "fn=main\n1 1\ncfn=f'main\ncalls=1 1\n1 60\n"
        "fn=f'main\n1 10\ncfn=f'2'main\ncalls=2 1\n1 50\n"
        "fn=f'2'main\n1 20\ncfn=g'f\ncalls=3 1\n1 30\n"
        "fn=g'f\n1 30\n");
    const Measure ir = measure_of(profile);
    const CallGraph kept = graph_of(profile, {.contexts = Contexts::keep});
    EXPECT_EQ(kept.size(), 4U);
    const CallGraph folded = graph_of(profile, {.contexts = Contexts::fold});
    EXPECT_EQ(folded.size(), 3U);
    EXPECT_EQ(folded.arc_count(), 3U);
    const NodeId f = node_called(folded, "f");
    EXPECT_EQ(folded.self(f, ir), 30);
    EXPECT_EQ(folded.inclusive(f, ir), 60);
    EXPECT_EQ(folded.call_count(f).known, 3U);
    EXPECT_TRUE(folded.recursive(arc_between(folded, "f", "f")))
        << "a level that calls the next is direct recursion";
    EXPECT_EQ(folded.cycle_count(), 0U);
    EXPECT_EQ(folded.node_of(function_called(profile, "f'2'main")), f);
    EXPECT_EQ(folded.name(folded.node_of(function_called(profile, "g'f"))), "g");
}

TEST(Contexts, folding_keeps_functions_of_other_files_apart) {
    const Profile profile =
        callgrind_profile("fl=a.c\nfn=main\n1 1\nfn=f'main\n1 10\nfn=f'2\n1 5\nfl=b.c\nfn=f'main\n1 10\n");
    EXPECT_EQ(graph_of(profile, {.contexts = Contexts::fold}).size(), 3U);
}

TEST(Contexts, folding_keeps_totals_and_self_costs_of_real_files) {
    for (const char* name : {"callgrind/sepcallers-chain.out", "callgrind/sepcallers1-seprecs3.out",
                             "callgrind/compress-mangled-sepcallers.out"}) {
        const Profile profile = profile_file(name);
        const Measure ir = measure_of(profile);
        const CallGraph kept = graph_of(profile, {.contexts = Contexts::keep});
        const CallGraph folded = graph_of(profile, {.contexts = Contexts::fold});
        EXPECT_LT(folded.size(), kept.size()) << name;
        EXPECT_EQ(folded.total(ir), kept.total(ir)) << name;
        EXPECT_EQ(sum_of_self(folded, ir), kept.total(ir)) << name;
        std::int64_t kept_arcs = 0;
        for (std::size_t row = 0; row < kept.arc_count(); ++row) kept_arcs += kept.cost(ArcId(row), ir);
        std::int64_t folded_arcs = 0;
        for (std::size_t row = 0; row < folded.arc_count(); ++row) folded_arcs += folded.cost(ArcId(row), ir);
        EXPECT_EQ(folded_arcs, kept_arcs) << name;
        for (std::size_t row = 0; row < folded.size(); ++row)
            EXPECT_EQ(folded.name(NodeId(row)).find('\''), std::string_view::npos) << name;
        // The program is the same one that was recorded without contexts.
        const Profile plain = profile_file("callgrind/default.out");
        const CallGraph plain_graph = graph_of(plain);
        for (const char* function : {"main", "fib(unsigned int)"}) {
            bool is_there = false;
            for (std::size_t row = 0; row < plain_graph.size(); ++row)
                is_there |= plain_graph.name(NodeId(row)) == function;
            if (!is_there) continue;
            EXPECT_EQ(folded.self(node_called(folded, function), ir),
                      plain_graph.self(node_called(plain_graph, function), measure_of(plain)))
                << name << " " << function;
        }
    }
}

TEST(Contexts, folding_and_selecting_parts_go_together) {
    const Profile profile = profile_of(
        "version: 1\ncreator: callgrind-3.19.0\ncmd: x\npart: 1\nevents: Ir\nfn=main\n1 1\nfn=f'main\n1 "
        "10\n\n"
        "part: 2\nevents: Ir\nfn=f'2'main\n1 5\ncfn=f'main\ncalls=1 1\n1 3\n");
    const CallGraph second = graph_of(profile, {.parts = {2}, .contexts = Contexts::fold});
    ASSERT_EQ(second.size(), 1U);
    EXPECT_EQ(second.name(NodeId(std::size_t{0})), "f");
    EXPECT_EQ(second.self(NodeId(std::size_t{0}), measure_of(profile)), 5);
    EXPECT_FALSE(second.node_of(function_called(profile, "main")).valid());
}

TEST(Contexts, folding_a_profile_without_contexts_changes_nothing) {
    const Profile profile = profile_file("xdebug/plain.cachegrind.out");
    EXPECT_EQ(graph_of(profile, {.contexts = Contexts::fold}).size(), profile.function_count());
}

TEST(Contexts, line_costs_are_the_same_folded_or_not) {
    const Profile profile = profile_file("callgrind/sepcallers-chain.out");
    const Measure ir = measure_of(profile);
    const auto kept = located_costs(graph_of(profile), ir);
    const auto folded = located_costs(graph_of(profile, {.contexts = Contexts::fold}), ir);
    ASSERT_TRUE(kept.has_value() && folded.has_value());
    EXPECT_EQ(*kept, *folded);
}

}  // namespace
}  // namespace callcost::test
