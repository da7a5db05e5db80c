#include <algorithm>

#include <gmock/gmock.h>

#include "unit/engine/session/asking.hpp"

namespace callcost::engine {
namespace {

using testing::ElementsAre;

// main(5) calls work(20) twice, which calls leaf(70), and leaf(30) itself; work calls other(10), too.
const std::string work_and_leaf =
    "events: Ir\nob=p\nfl=x.c\n"
    "fn=main\n1 5\ncfn=work\ncalls=2 10\n2 100\ncfn=leaf\ncalls=1 20\n3 30\n"
    "fn=work\n10 20\ncfn=leaf\ncalls=7 20\n11 70\ncfn=other\ncalls=1 30\n12 10\n"
    "fn=leaf\n20 100\nfn=other\n30 10\n";

std::int64_t id(Asking& ask, const std::string& name) {
    return ask(R"({"ask":"find","name":")" + name + "\"}").number("/id");
}

std::vector<std::int64_t> column(const Answer& answer, const std::string& level, const std::string& name) {
    std::vector<std::int64_t> all;
    for (std::size_t i = 0; i < answer.size(level + "/rows"); ++i) {
        std::string place = level + "/rows/";
        place.append(std::to_string(i)).append("/").append(name);
        all.push_back(answer.number(place));
    }
    return all;
}

/// Level by level.
std::vector<std::vector<std::string>> names_of_levels(const Answer& answer) {
    std::vector<std::vector<std::string>> names;
    for (std::size_t i = 0; i < answer.size("/levels"); ++i)
        names.push_back(answer.names("/levels/" + std::to_string(i) + "/rows"));
    return names;
}

TEST(CallTreeAnswer, has_what_a_path_leads_on_to) {
    Asking ask(work_and_leaf);
    const auto roots = ask(R"({"ask":"call_tree"})");
    EXPECT_EQ(roots.number("/whole"), 135);
    EXPECT_THAT(names_of_levels(roots), ElementsAre(ElementsAre("main")));
    EXPECT_TRUE(roots.is_null("/levels/0/rows/0/calls")) << "nothing calls it";
    const auto main_id = std::to_string(id(ask, "main"));
    const auto below = ask(R"({"ask":"call_tree","path":[)" + main_id + "]}");
    EXPECT_THAT(names_of_levels(below), ElementsAre(ElementsAre("work", "leaf")));
    EXPECT_THAT(column(below, "/levels/0", "inclusive"), ElementsAre(100, 30));
    EXPECT_THAT(column(below, "/levels/0", "self"), ElementsAre(20, 30));
    EXPECT_THAT(column(below, "/levels/0", "calls"), ElementsAre(2, 1));
    EXPECT_THAT(column(below, "/levels/0", "per_call"), ElementsAre(50, 30));
    EXPECT_TRUE(below.at("/levels/0/rows/0/leads_on")->GetBool());
    EXPECT_FALSE(below.at("/levels/0/rows/1/leads_on")->GetBool());
    EXPECT_EQ(below.number("/levels/0/path/0"), std::stoi(main_id));
}

TEST(CallTreeAnswer, goes_up_to_the_callers) {
    Asking ask(work_and_leaf);
    const auto selves = ask(R"({"ask":"call_tree","direction":"callers"})");
    EXPECT_THAT(names_of_levels(selves), ElementsAre(ElementsAre("leaf", "work", "other", "main")));
    EXPECT_THAT(column(selves, "/levels/0", "inclusive"), ElementsAre(100, 20, 10, 5));
    EXPECT_EQ(selves.number("/levels/0/rows/0/calls"), 8);
    const auto leaf = std::to_string(id(ask, "leaf"));
    const auto work = std::to_string(id(ask, "work"));
    const auto above = ask(R"({"ask":"call_tree","direction":"callers","path":[)" + leaf + "]}");
    EXPECT_THAT(names_of_levels(above), ElementsAre(ElementsAre("work", "main")));
    EXPECT_THAT(column(above, "/levels/0", "calls"), ElementsAre(7, 1));
    const auto further =
        ask(R"({"ask":"call_tree","direction":"callers","path":[)" + leaf + "," + work + "]}");
    EXPECT_THAT(names_of_levels(further), ElementsAre(ElementsAre("main")));
    EXPECT_THAT(column(further, "/levels/0", "inclusive"), ElementsAre(70));
    EXPECT_THAT(column(further, "/levels/0", "calls"), ElementsAre(7));
}

TEST(CallTreeAnswer, begins_at_a_function) {
    Asking ask(work_and_leaf);
    const auto root = R"("root":)" + std::to_string(id(ask, "work"));
    const auto below = ask(R"({"ask":"call_tree",)" + root + "}");
    EXPECT_THAT(names_of_levels(below), ElementsAre(ElementsAre("work")));
    EXPECT_EQ(below.number("/levels/0/rows/0/calls"), 2);
    const auto callers = ask(R"({"ask":"call_tree","direction":"callers","unfold":"hottest",)" + root + "}");
    EXPECT_THAT(names_of_levels(callers), ElementsAre(ElementsAre("work"), ElementsAre("main")));
}

TEST(CallTreeAnswer, limits_rows_and_says_what_it_omits) {
    Asking ask(work_and_leaf);
    const auto some = ask(R"({"ask":"call_tree","direction":"callers","limit":2})");
    EXPECT_THAT(names_of_levels(some), ElementsAre(ElementsAre("leaf", "work")));
    EXPECT_EQ(some.number("/levels/0/omitted_rows"), 2);
    EXPECT_EQ(some.number("/levels/0/omitted_cost"), 15);
}

TEST(CallTreeAnswer, has_rows_from_an_offset_on) {
    Asking ask(work_and_leaf);
    const auto some = ask(R"({"ask":"call_tree","direction":"callers","offset":1,"limit":2})");
    EXPECT_THAT(names_of_levels(some), ElementsAre(ElementsAre("work", "other")));
    EXPECT_EQ(some.number("/levels/0/omitted_rows"), 1) << "not those before";
    EXPECT_EQ(some.number("/levels/0/omitted_cost"), 5);
    const auto none = ask(R"({"ask":"call_tree","direction":"callers","offset":9})");
    EXPECT_EQ(none.size("/levels/0/rows"), 0U);
    EXPECT_EQ(none.number("/levels/0/omitted_rows"), 0);
}

TEST(CallTreeAnswer, has_matches_beyond_the_limit_of_any_level) {
    Asking ask(work_and_leaf);
    const auto level =
        ask(R"({"ask":"call_tree","direction":"callers","offset":1,"limit":1,"search":"MAIN"})");
    EXPECT_THAT(names_of_levels(level), ElementsAre(ElementsAre("work", "other", "main")))
        << "main is found, and leads on to other";
    EXPECT_EQ(level.number("/levels/0/omitted_rows"), 0);
}

TEST(CallTreeAnswer, has_the_levels_of_several_paths) {
    Asking ask(work_and_leaf);
    const auto main_id = std::to_string(id(ask, "main"));
    const auto work = main_id + " " + std::to_string(id(ask, "work"));
    const auto both = ask(R"({"ask":"call_tree","paths":[")" + main_id + R"(",")" + work + R"("]})");
    EXPECT_THAT(names_of_levels(both),
                ElementsAre(ElementsAre("work", "leaf"), ElementsAre("leaf", "other")));
    EXPECT_EQ(both.size("/levels/1/path"), 2U);
    std::string many;
    for (int i = 0; i < 1001; ++i) many += i == 0 ? R"("")" : R"(,"")";
    EXPECT_EQ(ask(R"({"ask":"call_tree","paths":[)" + many + "]}").error(), "bad-request");
    EXPECT_EQ(ask(R"({"ask":"call_tree","paths":[1]})").error(), "bad-request");
    EXPECT_EQ(ask(R"({"ask":"call_tree","paths":["0 a"]})").error(), "bad-request");
    EXPECT_EQ(ask(R"({"ask":"call_tree","paths":["0 "]})").error(), "bad-request");
    EXPECT_EQ(ask(R"({"ask":"call_tree","paths":["99"]})").error(), "unknown-function");
}

TEST(CallTreeAnswer, unfolds_the_hottest_path) {
    Asking ask(work_and_leaf);
    const auto all = ask(R"({"ask":"call_tree","unfold":"hottest"})");
    EXPECT_THAT(names_of_levels(all),
                ElementsAre(ElementsAre("main"), ElementsAre("work", "leaf"), ElementsAre("leaf", "other")));
    const auto much = ask(R"({"ask":"call_tree","unfold":"hottest","least":0.6})");
    EXPECT_THAT(names_of_levels(much),
                ElementsAre(ElementsAre("main"), ElementsAre("work", "leaf"), ElementsAre("leaf", "other")))
        << "work has 74 %";
    const auto more = ask(R"({"ask":"call_tree","unfold":"hottest","least":0.8})");
    EXPECT_THAT(names_of_levels(more), ElementsAre(ElementsAre("main"), ElementsAre("work", "leaf")));
}

TEST(CallTreeAnswer, unfolds_what_is_sought) {
    Asking ask(work_and_leaf);
    const auto found = ask(R"({"ask":"call_tree","unfold":"matches","search":"OTHER","limit":1})");
    EXPECT_THAT(names_of_levels(found),
                ElementsAre(ElementsAre("main"), ElementsAre("work"), ElementsAre("leaf", "other")))
        << "matches are beyond the limit";
    EXPECT_EQ(found.number("/levels/1/omitted_cost"), 30);
    const auto focus =
        ask(R"({"ask":"call_tree","unfold":"matches","direction":"callers","focus":["function:work"]})");
    EXPECT_THAT(names_of_levels(focus)[0], testing::Contains("leaf"));
    EXPECT_GT(focus.size("/levels"), 1U) << focus.json();
    EXPECT_EQ(ask(R"({"ask":"call_tree","search":"/(/"})").error(), "bad-pattern");
}

/// A chain of calls, and beside each many leaves of little cost: more than a tree of 20,000 frames has.
std::string deep_profile() {
    constexpr int levels = 300;
    constexpr int leaves = 100;
    std::string text = "events: Ir\nfl=x.c\n";
    std::int64_t inclusive = 1;
    std::vector<std::string> functions;
    for (int level = levels; level-- > 0;) {
        auto of = "fn=f" + std::to_string(level) + "\n1 1\n";
        if (level + 1 < levels)
            of += "cfn=f" + std::to_string(level + 1) + "\ncalls=1 1\n1 " + std::to_string(inclusive) + "\n";
        inclusive += 1 + leaves;
        for (int leaf = 0; leaf < leaves; ++leaf) of += "cfn=g" + std::to_string(leaf) + "\ncalls=1 1\n1 1\n";
        functions.push_back(of);
    }
    std::reverse(functions.begin(), functions.end());
    for (const auto& of : functions) text += of;
    for (int leaf = 0; leaf < leaves; ++leaf)
        text += "fn=g" + std::to_string(leaf) + "\n1 " + std::to_string(levels) + "\n";
    return text;
}

TEST(CallTreeAnswer, unfolds_what_no_whole_tree_has) {
    Asking ask(deep_profile());
    const auto hottest = ask(R"({"ask":"call_tree","unfold":"hottest","limit":3})");
    ASSERT_EQ(hottest.size("/levels"), 100U);
    for (std::size_t i = 1; i + 1 < hottest.size("/levels"); ++i)
        EXPECT_EQ(hottest.number("/levels/" + std::to_string(i) + "/omitted_rows"), 98) << i;
    std::string path;
    for (int level = 0; level < 290; ++level)
        path += (level == 0 ? "" : ",") + std::to_string(id(ask, "f" + std::to_string(level)));
    const auto deep = ask(R"({"ask":"call_tree","limit":200,"path":[)" + path + "]}");
    EXPECT_EQ(deep.size("/levels/0/rows"), 101U);
    EXPECT_EQ(deep.text("/levels/0/rows/0/name"), "f290");
    EXPECT_EQ(ask(R"({"ask":"call_tree","path":[)" + path + "," + path + "]}").size("/levels"), 0U);
}

TEST(CallTreeAnswer, has_the_costs_of_the_tree) {
    Asking ask(work_and_leaf);
    for (const std::string direction : {"callees", "callers"}) {
        const auto also = R"(,"direction":")" + direction + "\"";
        const auto tree = ask(R"({"ask":"tree")" + also + "}");
        const auto table = ask(R"({"ask":"call_tree","unfold":"hottest")" + also + "}");
        EXPECT_EQ(table.number("/levels/0/rows/0/inclusive"), tree.number("/frames/inclusive/0"));
        EXPECT_EQ(table.number("/levels/1/rows/0/inclusive"), tree.number("/frames/inclusive/1"));
        EXPECT_EQ(table.number("/whole"), tree.number("/whole"));
    }
}

TEST(CallTreeAnswer, of_two_profiles_is_one_tree) {
    const std::string before =
        "events: Ir\nob=p\nfl=x.c\nfn=main\n1 5\ncfn=work\ncalls=1 10\n2 40\ncfn=gone\ncalls=1 20\n3 7\n"
        "fn=work\n10 40\nfn=gone\n20 7\n";
    Asking ask(work_and_leaf, before);
    const auto both = ask(R"({"ask":"call_tree","compare":true,"unfold":"hottest"})");
    EXPECT_EQ(both.number("/whole_before"), 52);
    EXPECT_THAT(names_of_levels(both)[1], ElementsAre("work", "leaf", "gone"));
    EXPECT_THAT(column(both, "/levels/1", "inclusive"), ElementsAre(100, 30, 0));
    EXPECT_THAT(column(both, "/levels/1", "inclusive_before"), ElementsAre(40, 0, 7));
    EXPECT_LT(both.number("/levels/1/rows/2/id"), 0);
}

TEST(CallTreeAnswer, refuses_what_it_cannot_answer) {
    Asking ask(work_and_leaf);
    EXPECT_EQ(ask(R"({"ask":"call_tree","path":[99]})").error(), "unknown-function");
    EXPECT_EQ(ask(R"({"ask":"call_tree","path":["a"]})").error(), "bad-request");
    EXPECT_EQ(ask(R"({"ask":"call_tree","unfold":"all"})").error(), "bad-request");
    EXPECT_EQ(ask(R"({"ask":"call_tree","limit":-1})").error(), "bad-request");
}

}  // namespace
}  // namespace callcost::engine
