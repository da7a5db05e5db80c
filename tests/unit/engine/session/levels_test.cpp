// Functions taken together by file, class and so on, in all answers that have levels.
#include <gmock/gmock.h>

#include "unit/engine/session/asking.hpp"

namespace callcost::engine {
namespace {

using testing::ElementsAre;

// main and parse (app) call sort and copy (lib), which call compare (app) back.
const std::string calls_back =
    "events: Ir\n"
    "ob=app\nfl=main.c\nfn=main\n1 10\ncfi=parse.c\ncfn=parse\ncalls=1 1\n1 160\n"
    "fl=parse.c\nfn=parse\n1 20\ncob=lib\ncfi=sort.c\ncfn=sort\ncalls=2 1\n1 140\n"
    "fl=parse.c\nfn=compare\n1 30\n"
    "ob=lib\nfl=sort.c\nfn=sort\n1 40\ncfn=copy\ncalls=6 1\n1 70\n"
    "cob=app\ncfi=parse.c\ncfn=compare\ncalls=9 1\n1 30\n"
    "ob=lib\nfl=sort.c\nfn=copy\n1 70\n";

TEST(Levels, lists_groups_as_functions) {
    Asking ask(calls_back);
    const auto list = ask(R"({"ask":"functions","level":"file"})");
    EXPECT_THAT(list.names("/rows"), ElementsAre("sort.c", "parse.c", "main.c"));
    EXPECT_EQ(list.number("/rows/0/self/0"), 110);
    EXPECT_EQ(list.number("/rows/0/inclusive/0"), 140);
    EXPECT_EQ(list.number("/rows/0/called"), 2) << "calls within the file are none";
    EXPECT_EQ(list.text("/rows/0/object"), "lib");
    EXPECT_EQ(list.number("/rows/1/called"), 10);
}

TEST(Levels, has_the_costs_of_groups) {
    Asking ask(calls_back);
    for (const std::string by : {"object", "file"}) {
        const auto groups = ask(R"({"ask":"groups","by":")" + by + "\"}");
        const auto list = ask(R"({"ask":"functions","level":")" + by + "\"}");
        ASSERT_EQ(list.size("/rows"), groups.size("/rows")) << by;
        for (std::size_t row = 0; row < list.size("/rows"); ++row) {
            const auto at = "/rows/" + std::to_string(row);
            EXPECT_EQ(list.text(at + "/name"), groups.text(at + "/name"));
            EXPECT_EQ(list.number(at + "/inclusive/0"), groups.number(at + "/inclusive/0"));
            EXPECT_EQ(list.number(at + "/called"), groups.number(at + "/called"));
        }
    }
}

TEST(Levels, finds_groups_by_name_and_by_the_ids_of_their_functions) {
    Asking ask(calls_back);
    const auto lib = ask(R"({"ask":"find","name":"lib","level":"object"})").number("/id");
    const auto by_group = ask(R"({"ask":"function","level":"object","id":)" + std::to_string(lib) + "}");
    EXPECT_EQ(by_group.text("/function/name"), "lib");
    EXPECT_THAT(by_group.names("/callers/rows"), ElementsAre("app"));
    EXPECT_EQ(by_group.number("/callers/rows/0/cost/0"), 140);
    EXPECT_EQ(by_group.number("/callees/rows/0/cost/0"), 30);
    const auto copy = ask(R"({"ask":"find","name":"copy"})").number("/id");
    const auto by_function = ask(R"({"ask":"function","level":"object","id":)" + std::to_string(copy) + "}");
    EXPECT_EQ(by_function.text("/function/name"), "lib");
    EXPECT_TRUE(ask(R"({"ask":"find","name":"lib"})").is_null("/id")) << "no function has that name";
}

TEST(Levels, folds_neighbours_of_one_group_on_a_path) {
    Asking ask(calls_back);
    const auto tree = ask(R"({"ask":"tree","level":"object","levels":3})");
    EXPECT_EQ(tree.number("/whole"), 170);
    EXPECT_THAT(tree.names("/functions"), ElementsAre("app", "lib"));
    EXPECT_EQ(tree.number("/frames/inclusive/0"), 170);
    EXPECT_EQ(tree.number("/frames/function/1"), 1) << "lib is directly below app";
    EXPECT_EQ(tree.number("/frames/inclusive/1"), 140);
    const auto level = ask(R"({"ask":"call_tree","level":"object","unfold":"hottest"})");
    EXPECT_THAT(level.names("/levels/0/rows"), ElementsAre("app"));
    EXPECT_THAT(level.names("/levels/1/rows"), ElementsAre("lib"));
}

TEST(Levels, draws_groups_as_a_graph) {
    Asking ask(calls_back);
    const auto graph = ask(R"({"ask":"graph","level":"file"})");
    EXPECT_THAT(graph.names("/nodes"), testing::UnorderedElementsAre("main.c", "parse.c", "sort.c"));
    EXPECT_EQ(graph.size("/arcs"), 3U);
}

TEST(Levels, filters_choose_functions) {
    Asking ask(calls_back);
    const auto shown = ask(R"({"ask":"functions","level":"object","show":["function:compare"]})");
    EXPECT_THAT(shown.names("/rows"), ElementsAre("app"));
    EXPECT_EQ(shown.number("/rows/0/self/0"), 30);
    const auto ignored = ask(R"({"ask":"functions","level":"object","ignore":["function:sort"]})");
    EXPECT_THAT(ignored.names("/rows"), ElementsAre("app"));
    EXPECT_EQ(ignored.number("/rows/0/self/0"), 30) << "main and parse";
    const auto focused = ask(R"({"ask":"functions","level":"object","focus":["function:parse"]})");
    EXPECT_THAT(focused.names("/rows"), ElementsAre("lib", "app (others)", "app"));
    EXPECT_EQ(focused.number("/listed_self/0"), 160);
}

TEST(Levels, of_two_profiles) {
    auto after = calls_back;
    after.replace(after.find("1 40"), 4, "1 90");
    Asking ask(after, calls_back);
    const auto list = ask(R"({"ask":"functions","level":"object","compare":true,"sort":"self_change"})");
    EXPECT_THAT(list.names("/rows"), ElementsAre("lib", "app"));
    EXPECT_EQ(list.number("/rows/0/self/0"), 160);
    EXPECT_EQ(list.number("/rows/0/self_before/0"), 110);
    const auto tree = ask(R"({"ask":"tree","level":"object","compare":true,"levels":2})");
    EXPECT_EQ(tree.number("/whole"), 220);
    EXPECT_EQ(tree.number("/whole_before"), 170);
}

TEST(Levels, are_those_that_there_are) {
    Asking ask(calls_back);
    EXPECT_EQ(ask(R"({"ask":"functions","level":"cycle"})").text("/error/member"), "level");
    EXPECT_EQ(ask(R"({"ask":"functions","level":"function"})").size("/rows"), 5U);
    EXPECT_EQ(ask(R"({"ask":"search","text":"","level":"object"})").number("/matching"), 5)
        << "all other questions are about functions";
}

}  // namespace
}  // namespace callcost::engine
