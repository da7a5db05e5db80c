// Inlined code as functions, in the page's answers.
#include <gmock/gmock.h>

#include "text/inline_maps_json.hpp"
#include "unit/engine/session/asking.hpp"
#include <callcost/inlining.hpp>

namespace callcost::engine {
namespace {

using testing::ElementsAre;

/// main has mid at line 2, which has hot at line 7, which calls work. hot is a function of its own, too.
const std::string recorded =
    "positions: instr line\nevents: Ir\nob=prog\nfl=main.c\nfn=main\n0x10 1 5\n"
    "fi=vec.h\n0x14 7 3\n0x18 9 4\ncfi=main.c\ncfn=work\ncalls=2 0x50\n0x1c 9 20\n0x1c 9 6\n"
    "fe=main.c\n0x20 3 1\ncfi=vec.h\ncfn=hot\ncalls=1 0x40\n0x24 3 30\n"
    "fl=vec.h\nfn=hot\n0x40 9 30\nfl=main.c\nfn=work\n0x50 20 20\n";
const std::string maps =
    R"({"maps":[{"object":"prog","files":["main.c","vec.h"],"functions":[["mid","vec.h",5],["hot","vec.h",8]],)"
    R"("sites":[-1,0,0,2,20,0,1,1,7,24],"runs":[20,0,4,1,8,-1]}]})";

Profile expanded(const std::string& text) {
    return expand_inlined(profile_of(text), *inline_maps_from_json(maps)).value();
}

Answer ask(const std::string& question, bool compares = false) {
    std::optional<Profile> before;
    if (compares) before = expanded(recorded);
    Session session(expanded(recorded), before, {});
    return Answer(session.answer(question));
}

TEST(InlinedAnswers, say_which_part_of_a_function_is_inlined_and_how_often_it_was_entered) {
    const auto list = ask(R"({"ask":"functions"})");
    EXPECT_THAT(list.names(), ElementsAre("hot", "work", "main", "mid"));
    EXPECT_EQ(list.number("/rows/0/self/0"), 40);
    EXPECT_EQ(list.number("/rows/0/inlined/0"), 10);
    EXPECT_EQ(list.number("/rows/0/called"), 1);
    EXPECT_EQ(list.number("/rows/0/entries"), 4);
    EXPECT_FALSE(list.has("/rows/1/inlined"));
    EXPECT_FALSE(list.has("/rows/1/entries"));
    EXPECT_EQ(list.number("/rows/3/inlined/0"), 3);
    EXPECT_TRUE(list.is_null("/rows/3/called"));
    EXPECT_EQ(list.number("/total/0"), 69);
    const auto both = ask(R"({"ask":"functions","compare":true})", true);
    EXPECT_EQ(both.number("/rows/0/inlined_before/0"), 10);
    EXPECT_EQ(both.number("/rows/0/entries_before"), 4);
}

TEST(InlinedAnswers, name_what_the_caller_is_inlined_in) {
    const auto id = std::to_string(ask(R"({"ask":"find","name":"hot"})").number("/id"));
    const auto hot = ask(R"({"ask":"function","id":)" + id + R"(,"sites":true})");
    EXPECT_THAT(hot.names("/callers/rows"), ElementsAre("main", "mid"));
    EXPECT_TRUE(hot.at("/callers/rows/1/inlined")->GetBool());
    EXPECT_EQ(hot.text("/callers/rows/1/hosts/0"), "main");
    EXPECT_FALSE(hot.at("/callers/rows/1/active")->GetBool());
    EXPECT_TRUE(hot.is_null("/callers/rows/1/count"));
    EXPECT_FALSE(hot.has("/callers/rows/0/inlined"));
    EXPECT_THAT(hot.names("/callees/rows"), ElementsAre("work"));
    EXPECT_FALSE(hot.has("/callees/rows/0/inlined"));
}

TEST(InlinedAnswers, mark_frames_and_calls) {
    const auto tree = ask(R"({"ask":"tree"})");
    ASSERT_EQ(tree.size("/frames/inlined"), 2U);
    EXPECT_EQ(tree.number("/frames/level/" + std::to_string(tree.number("/frames/inlined/0"))), 2);
    EXPECT_EQ(tree.number("/frames/level/" + std::to_string(tree.number("/frames/inlined/1"))), 3);
    const auto graph = ask(R"({"ask":"graph"})");
    std::size_t inlined = 0;
    for (std::size_t row = 0; row < graph.size("/arcs"); ++row)
        if (graph.has("/arcs/" + std::to_string(row) + "/inlined")) ++inlined;
    EXPECT_EQ(inlined, 2U);
}

TEST(InlinedAnswers, say_whether_there_is_any_and_why_not) {
    EXPECT_TRUE(ask(R"({"ask":"profile"})").at("/has/inlined")->GetBool());
    Host host;
    host.inlined_option = "yes";
    host.inlined_problem = "no program";
    Session session(profile_of(recorded), {}, std::move(host));
    const Answer facts(session.answer(R"({"ask":"profile"})"));
    EXPECT_FALSE(facts.at("/has/inlined")->GetBool());
    EXPECT_EQ(facts.text("/inlined_option"), "yes");
    EXPECT_EQ(facts.text("/inlined_problem/message"), "no program");
}

TEST(InlinedAnswers, of_a_source_file_do_not_ask_where_shown_functions_are_inlined) {
    bool is_asked = false;
    Host host;
    host.inlined_code = [&](Build, std::string_view, std::string_view, std::span<const AddressRange>) {
        is_asked = true;
        return InlinedCode{};
    };
    // work has a line of another file that the map does not know: its code is asked for.
    Session session(expanded(recorded + "fi=other.h\n0x54 1 1\n"), {}, std::move(host));
    const auto of = [&](const std::string& name) {
        const Answer found(session.answer(R"({"ask":"find","name":")" + name + "\"}"));
        return Answer(
            session.answer(R"({"ask":"source","function":)" + std::to_string(found.number("/id")) + "}"));
    };
    const auto main = of("main");
    EXPECT_EQ(main.number("/self/0"), 6);
    EXPECT_FALSE(main.has("/inlined"));
    EXPECT_EQ(of("hot").number("/self/0"), 40);
    EXPECT_FALSE(is_asked);
    EXPECT_EQ(of("work").number("/inlined/self/0"), 1);
    EXPECT_TRUE(is_asked);
}

}  // namespace
}  // namespace callcost::engine
