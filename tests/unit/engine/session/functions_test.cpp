#include <gmock/gmock.h>

#include "unit/engine/session/asking.hpp"

namespace callcost::engine {
namespace {

using testing::ElementsAre;

// main 5 + 10 in a + 100 in b; a and b call each other.
const std::string cyclic =
    "events: Ir Dr\nob=prog\nfl=x.c\n"
    "fn=main\n1 5 1\ncfn=a\ncalls=1 10\n2 110 20\n"
    "fn=a\n10 10 2\ncfn=b\ncalls=3 20\n11 100 18\ncfn=leaf\ncalls=2 30\n12 4 0\n"
    "fn=b\n20 86 10\ncfn=a\ncalls=2 10\n21 30 4\n"
    "fl=y.c\nfn=leaf\n30 4 0\n";

TEST(FunctionsAnswer, add_up_to_the_total_and_are_in_the_order_asked_for) {
    Asking ask(cyclic);
    const auto by_self = ask(R"({"ask":"functions","columns":["Ir","Dr"]})");
    EXPECT_THAT(by_self.names(), ElementsAre("b", "a", "main", "leaf"));
    EXPECT_EQ(by_self.number("/total/0"), 105);
    EXPECT_EQ(by_self.number("/listed_self/0"), 105);
    EXPECT_EQ(by_self.number("/listed_self/1"), 13);
    EXPECT_THAT(ask(R"({"ask":"functions","sort":"name"})").names(), ElementsAre("a", "b", "leaf", "main"));
    EXPECT_THAT(ask(R"({"ask":"functions","sort":"name","ascending":false})").names(),
                ElementsAre("main", "leaf", "b", "a"));
    EXPECT_THAT(ask(R"({"ask":"functions","sort":"file"})").names(), ElementsAre("a", "b", "main", "leaf"));
    EXPECT_THAT(ask(R"({"ask":"functions","sort":"called","ascending":true})").names(),
                ElementsAre("main", "leaf", "a", "b"));
    EXPECT_THAT(ask(R"({"ask":"functions","columns":["Ir","Dr"],"sort_column":"Dr"})").names(),
                ElementsAre("b", "a", "main", "leaf"));
}

TEST(FunctionsAnswer, say_the_largest_numbers_for_bars) {
    Asking ask(cyclic);
    const auto all = ask(R"({"ask":"functions","columns":["Ir","Dr"],"limit":1})");
    EXPECT_EQ(all.number("/largest/0/self"), 86);
    EXPECT_EQ(all.number("/largest/0/inclusive"), 115);
    EXPECT_EQ(all.number("/largest/1/self"), 10);
    EXPECT_FALSE(all.has("/largest/0/self_change"));
    EXPECT_EQ(ask(R"({"ask":"functions","search":"leaf"})").number("/largest/0/self"), 4);
    EXPECT_EQ(ask(R"({"ask":"groups","by":"file"})").number("/largest/0/self"), 101);
    Asking both("events: Ir\nfn=f\n1 10\nfn=g\n1 7\n", "events: Ir\nfn=f\n1 40\nfn=g\n1 6\n");
    const auto changes = both(R"({"ask":"functions","compare":true})");
    EXPECT_EQ(changes.number("/largest/0/self"), 40);
    EXPECT_EQ(changes.number("/largest/0/self_change"), 30);
}

TEST(FunctionsAnswer, shorten_names_to_the_width_asked_for) {
    const std::string text =
        "events: Ir\nfn=std::map<int, a::Key>::find(a::Key const&)\n1 3\n"
        "fn=std::map<int, b::Key>::find(b::Key const&)\n1 2\nfn=main\n1 1\n";
    Asking ask(text);
    const auto narrow = ask(R"({"ask":"functions","name_width":24})");
    EXPECT_EQ(narrow.text("/rows/0/short"), "std::map<…a…>::find(…)");
    EXPECT_EQ(narrow.text("/rows/1/short"), "std::map<…b…>::find(…)");
    EXPECT_FALSE(narrow.has("/rows/2/short"));
    const auto page = ask(R"({"ask":"functions","name_width":24,"offset":1,"limit":1})");
    EXPECT_EQ(page.text("/rows/0/short"), "std::map<…>::find(…)") << "alike on this page only";
    EXPECT_FALSE(ask(R"({"ask":"functions","name_width":60})").has("/rows/0/short"));
    EXPECT_FALSE(ask(R"({"ask":"functions"})").has("/rows/0/short")) << "60 characters are few enough";
    EXPECT_EQ(ask(R"({"ask":"functions","name_width":-1})").error(), "bad-request");
}

TEST(FunctionsAnswer, leave_room_beside_names_for_marks) {
    const std::string calls =
        "events: Ir\nfn=space::inner::first()\n1 3\ncfn=space::inner::other()\ncalls=1 1\n1 2\n"
        "fn=space::inner::other()\n1 2\n";
    Asking plain(calls);
    EXPECT_FALSE(plain(R"({"ask":"functions","name_width":24})").has("/rows/0/short"));
    Asking cycle(calls + "cfn=space::inner::first()\ncalls=1 1\n1 2\n");
    EXPECT_EQ(cycle(R"({"ask":"functions","name_width":24})").text("/rows/0/short"), "…::inner::first()");
    EXPECT_EQ(cycle(R"({"ask":"function","id":0,"name_width":24})").text("/callees/rows/0/short"),
              "…::inner::other()");
    Asking both(calls, "events: Ir\nfn=space::inner::first()\n1 3\n");
    const auto rows = both(R"({"ask":"functions","compare":true,"name_width":26})");
    EXPECT_THAT(rows.names(), ElementsAre("space::inner::first()", "space::inner::other()"));
    EXPECT_FALSE(rows.has("/rows/0/short"));
    EXPECT_EQ(rows.text("/rows/1/short"), "…::inner::other()") << "beside \"added\"";
}

TEST(FunctionsAnswer, the_first_ones_are_those_of_the_whole_list) {
    std::string text = "events: Ir\nfl=x.c\n";
    for (int i = 0; i < 2500; ++i)
        text += "fn=f" + std::to_string(i * 7919 % 2500) + "\n1 " + std::to_string(i * 31 % 40) + '\n';
    Asking ask(text);
    for (const std::string order : {"self", "name", "called"}) {
        for (const std::string direction : {"true", "false"}) {
            auto question = R"({"ask":"functions","sort":")" + order;
            question.append(R"(","ascending":)").append(direction);
            const auto all = ask(question + R"(,"limit":5000})").names();
            ASSERT_EQ(all.size(), 2500U);
            const auto first = ask(question + R"(,"limit":1000})").names();
            EXPECT_EQ(first, std::vector<std::string>(all.begin(), all.begin() + 1000)) << order << direction;
            const auto behind = ask(question + R"(,"offset":900,"limit":200})").names();
            EXPECT_EQ(behind, std::vector<std::string>(all.begin() + 900, all.begin() + 1100));
        }
    }
}

/// What the library lists, as the command prints it.
std::vector<std::string> listed(const std::string& text, SortBy by) {
    const auto graph = call_graph(profile_of(text));
    std::vector<std::string> names;
    for (const auto& row : functions(*graph, {.by = by}).rows)
        names.push_back(std::string(graph->name(row.node)) + "@" + std::string(graph->object(row.node)));
    return names;
}

TEST(FunctionsAnswer, are_in_the_order_of_the_library_whatever_the_costs_are) {
    // Neighbours beyond 2^53 are one and the same as doubles. Of equal cost are functions that only object
    // and file tell apart, each in another order.
    const std::string text =
        "events: Ir\n"
        "ob=1\nfl=x.c\nfn=a\n1 9007199254740992\n"
        "ob=1\nfl=x.c\nfn=b\n1 9007199254740993\n"
        "ob=1\nfl=x.c\nfn=c\n1 -9007199254740993\n"
        "ob=1\nfl=x.c\nfn=d\n1 -9007199254740992\n"
        "ob=2\nfl=a.c\nfn=e\n1 7\n"
        "ob=1\nfl=b.c\nfn=e\n1 7\n";
    Asking ask(text);
    for (const auto& [sort, by] : {std::pair("self", SortBy::self), std::pair("inclusive", SortBy::inclusive),
                                   std::pair("name", SortBy::name), std::pair("called", SortBy::called)}) {
        const auto answer = ask(R"({"ask":"functions","sort":")" + std::string(sort) + R"("})");
        std::vector<std::string> names;
        for (std::size_t i = 0; i < answer.size("/rows"); ++i) {
            const auto row = "/rows/" + std::to_string(i);
            names.push_back(answer.text(row + "/name") + "@" + answer.text(row + "/object"));
        }
        EXPECT_EQ(names, listed(text, by)) << sort;
    }
    EXPECT_THAT(listed(text, SortBy::self), ElementsAre("b@1", "a@1", "e@1", "e@2", "d@1", "c@1"));
}

TEST(FunctionsAnswer, of_a_comparison_are_in_the_order_of_exact_changes) {
    Asking ask("events: Ir\nfl=x.c\nfn=a\n1 9007199254740992\nfn=b\n1 9007199254740993\n",
               "events: Ir\nfl=x.c\nfn=a\n1 0\nfn=b\n1 0\n");
    EXPECT_THAT(ask(R"({"ask":"functions","compare":true,"sort":"self_change"})").names(),
                ElementsAre("b", "a"));
    EXPECT_THAT(ask(R"({"ask":"functions","compare":true,"sort":"self_change","ascending":true})").names(),
                ElementsAre("a", "b"));
    EXPECT_EQ(ask(R"({"ask":"difference","compare":true})").text("/changed/0/function/name"), "b");
}

TEST(FunctionsAnswer, come_a_page_at_a_time) {
    Asking ask(cyclic);
    EXPECT_THAT(ask(R"({"ask":"functions","limit":2})").names(), ElementsAre("b", "a"));
    const auto second = ask(R"({"ask":"functions","limit":2,"offset":2})");
    EXPECT_THAT(second.names(), ElementsAre("main", "leaf"));
    EXPECT_EQ(second.number("/matching"), 4);
    EXPECT_EQ(ask(R"({"ask":"functions","offset":99})").size("/rows"), 0U);
}

TEST(FunctionsAnswer, know_the_inclusive_cost_with_and_without_cycles) {
    Asking ask(cyclic);
    const auto with = ask(R"({"ask":"functions","sort":"name"})");
    EXPECT_EQ(with.number("/rows/0/cycle"), 1);
    EXPECT_EQ(with.number("/rows/0/inclusive/0"), 110) << "a: all that enters the cycle enters there";
    EXPECT_FALSE(with.has("/rows/0/inclusive_bounds"));
    EXPECT_TRUE(with.has("/rows/1/inclusive_bounds/0/1")) << "b";
    const auto without = ask(R"({"ask":"functions","sort":"name","cycles":false})");
    EXPECT_EQ(without.number("/rows/0/inclusive/0"), 114) << "a: itself and all its calls";
}

TEST(FunctionsAnswer, are_searched_in_either_case_or_by_an_expression) {
    Asking ask(cyclic);
    EXPECT_THAT(ask(R"({"ask":"functions","search":"EA"})").names(), ElementsAre("leaf"));
    EXPECT_THAT(ask(R"({"ask":"functions","search":"/^(a|b)$/"})").names(), ElementsAre("b", "a"));
    EXPECT_EQ(ask(R"({"ask":"functions","search":"/(/"})").error(), "bad-pattern");
}

TEST(FunctionsAnswer, are_those_of_a_group) {
    Asking ask(cyclic);
    const auto files = ask(R"({"ask":"groups","by":"file"})");
    EXPECT_THAT(files.names(), ElementsAre("x.c", "y.c"));
    EXPECT_EQ(files.number("/rows/0/functions"), 3);
    EXPECT_THAT(ask(R"({"ask":"functions","group":{"by":"file","name":"y.c"}})").names(),
                ElementsAre("leaf"));
    const auto cycles = ask(R"({"ask":"groups","by":"cycle"})");
    EXPECT_EQ(cycles.size("/rows"), 2U) << "the cycle, and all that is in none";
    EXPECT_THAT(ask(R"({"ask":"functions","group":{"by":"cycle","name":""}})").names(),
                ElementsAre("main", "leaf"));
    EXPECT_EQ(ask(R"({"ask":"functions","group":{"by":"colour","name":""}})").error(), "bad-request");
}

TEST(FunctionsAnswer, obey_filters_and_say_what_is_only_bounded) {
    Asking ask(cyclic);
    const auto shown = ask(R"({"ask":"functions","show":["a"],"file":["x.c"]})");
    EXPECT_THAT(shown.names(), ElementsAre("a", "main"));
    EXPECT_THAT(ask(R"({"ask":"functions","show":["y.c"]})").names(), ElementsAre("leaf")) << "any name";
    const auto focused = ask(R"({"ask":"functions","focus":["/^leaf$/"]})");
    EXPECT_THAT(focused.names(), ElementsAre("leaf"));
    EXPECT_EQ(focused.number("/filtered/least"), 4);
    EXPECT_EQ(focused.number("/filtered/most"), 4);
    EXPECT_EQ(ask(R"({"ask":"functions","hide":["/(/"]})").error(), "bad-pattern");
}

TEST(FunctionsAnswer, are_ranked_by_what_is_likely_to_be_inside) {
    // libc costs most, but a brings a tenth of it: 10 of 100.
    Asking ask(
        "events: Ir\nfn=main\n1 1\ncfn=a\ncalls=1 1\n1 39\ncfn=b\ncalls=1 1\n1 90\n"
        "fn=a\n2 9\ncfn=libc\ncalls=1 1\n2 10\ncfn=own\ncalls=1 1\n2 20\n"
        "fn=b\n3 0\ncfn=libc\ncalls=9 1\n3 90\nfn=own\n4 20\n"
        "fn=libc\n5 60\ncfn=under\ncalls=10 1\n5 40\nfn=under\n6 40\n");
    const auto focus = ask(R"({"ask":"functions","focus":["function:/^a$/"]})");
    EXPECT_THAT(focus.names(), ElementsAre("own", "a", "libc", "under"));
    EXPECT_EQ(focus.number("/rows/2/self/0"), 6);
    EXPECT_EQ(focus.number("/rows/2/self_bounds/0/0"), 0);
    EXPECT_EQ(focus.number("/rows/2/self_bounds/0/1"), 10);
    const auto libc = "\"id\":" + std::to_string(focus.number("/rows/2/id"));
    const auto function = ask(R"({"ask":"function","focus":["function:/^a$/"],)" + libc + "}");
    EXPECT_EQ(function.number("/function/self/0"), 6) << "as in the list";
    EXPECT_EQ(function.number("/function/self_bounds/0/1"), 10);
    const auto graph = ask(R"({"ask":"graph","focus":["function:/^a$/"],)" + libc + "}");
    EXPECT_EQ(graph.number("/nodes/0/self/0"), 6);
    EXPECT_FALSE(focus.has("/rows/0/self_bounds"));
    EXPECT_EQ(focus.number("/listed_self/0"), 39);
    EXPECT_EQ(focus.number("/filtered/least"), 39) << "what main paid";
    EXPECT_EQ(focus.number("/filtered/estimate"), 39);
    const auto ignore = ask(R"({"ask":"functions","ignore":["function:/^a$/"],"sort":"inclusive"})");
    EXPECT_THAT(ignore.names(), ElementsAre("main", "b", "libc", "under"));
    EXPECT_EQ(ignore.number("/rows/2/inclusive/0"), 90);
    EXPECT_EQ(ignore.number("/listed_self/0"), 91);
    EXPECT_FALSE(ask(R"({"ask":"functions"})").has("/rows/0/self_bounds"));
    const auto folded = ask(R"({"ask":"groups","by":"file","focus":["function:/^a$/"]})");
    EXPECT_EQ(folded.number("/rows/0/self/0"), 39);
}

TEST(GroupsAnswer, cost_no_more_than_what_passes_the_filters) {
    Asking ask(
        "events: Ir\nob=prog\nfl=a.c\nfn=main\n1 10\ncfn=b\ncalls=1 5\n2 100\ncfn=c\ncalls=1 8\n3 50\n"
        "fn=b\n5 40\ncfn=w\ncalls=1 9\n6 60\nfn=c\n8 20\ncfn=w\ncalls=1 9\n8 30\nfn=w\n9 90\n");
    const auto answer = ask(R"({"ask":"groups","by":"object","focus":["function:/^b$/"]})");
    EXPECT_EQ(answer.number("/rows/0/self/0"), 100);
    EXPECT_EQ(answer.number("/rows/0/inclusive/0"), 100);
    EXPECT_FALSE(answer.has("/rows/0/inclusive_bounds"));
}

TEST(FunctionsAnswer, are_in_utf8_and_found_by_it) {
    Asking ask("events: Ir\nfl=x.c\nfn=gr\xfc\xdf\n1 1\n");
    EXPECT_THAT(ask(R"({"ask":"functions"})").names(), ElementsAre("gr\u00fc\u00df"));
    EXPECT_EQ(ask("{\"ask\":\"find\",\"name\":\"gr\u00fc\u00df\"}").number("/id"), 0);
    EXPECT_TRUE(ask(R"({"ask":"find","name":"nothing"})").is_null("/id"));
}

TEST(FunctionsAnswer, keep_the_digits_of_numbers_that_javascript_would_round) {
    Asking ask(
        "events: Ir\nfl=x.c\nfn=f\n1 9007199254740993\nfn=g\n1 -9007199254740993\nfn=h\n1 "
        "9007199254740991\n");
    const auto all = ask(R"({"ask":"functions","sort":"name"})");
    EXPECT_EQ(all.text("/rows/0/self/0"), "9007199254740993");
    EXPECT_EQ(all.text("/rows/1/self/0"), "-9007199254740993");
    EXPECT_EQ(all.number("/rows/2/self/0"), 9007199254740991);
}

TEST(FunctionAnswer, has_callers_callees_and_where_they_call) {
    Asking ask(cyclic);
    const auto id = ask(R"({"ask":"find","name":"a"})").number("/id");
    const auto a = ask(R"({"ask":"function","sites":true,"id":)" + std::to_string(id) + "}");
    EXPECT_THAT(a.names("/callers/rows"), ElementsAre("main", "b"));
    EXPECT_THAT(a.names("/callees/rows"), ElementsAre("b", "leaf"));
    EXPECT_EQ(a.number("/callees/rows/0/count"), 3);
    EXPECT_EQ(a.number("/callees/rows/0/cost/0"), 100);
    EXPECT_TRUE(a.at("/callees/rows/0/recursive")->GetBool());
    EXPECT_FALSE(a.at("/callees/rows/1/recursive")->GetBool());
    EXPECT_EQ(a.at("/callees/rows/1/per_call")->GetDouble(), 2.0);
    EXPECT_EQ(a.number("/callees/rows/1/sites/0/line"), 12);
    EXPECT_EQ(a.number("/cycle/functions"), 2);
    EXPECT_THAT(a.names("/cycle/members"), ElementsAre("b", "a"));
    EXPECT_EQ(a.text("/events/1/name"), "Dr");
    EXPECT_EQ(a.number("/events/1/self"), 2);
    EXPECT_EQ(a.text("/files/0/name"), "x.c");
    const auto limited = ask(R"({"ask":"function","limit":1,"id":)" + std::to_string(id) + "}");
    EXPECT_EQ(limited.number("/callees/omitted_rows"), 1);
    EXPECT_EQ(limited.number("/callees/omitted_cost"), 4);
}

TEST(FunctionAnswer, calls_without_a_count_are_active) {
    Asking ask("events: Ir\nfl=x.c\nfn=main\n1 1\ncfn=f\ncalls=0 1\n2 3\nfn=f\n1 3\n");
    const auto main = ask(R"({"ask":"function","id":0})");
    EXPECT_TRUE(main.at("/callees/rows/0/active")->GetBool());
    EXPECT_TRUE(main.is_null("/callees/rows/0/count"));
    EXPECT_TRUE(main.is_null("/callees/rows/0/per_call"));
}

TEST(FunctionAnswer, folds_contexts_unless_they_are_to_be_kept) {
    const std::string text =
        "creator: callgrind-3.19.0\nevents: Ir\nob=p\nfl=x.c\nfn=f\n1 1\ncfn=f'2\ncalls=1 1\n2 2\nfn=f'2\n1 "
        "2\n";
    Asking ask(text);
    EXPECT_THAT(ask(R"({"ask":"functions","contexts":"fold"})").names(), ElementsAre("f"));
    EXPECT_THAT(ask(R"({"ask":"functions"})").names(), ElementsAre("f"));
    const auto kept = ask(R"({"ask":"functions","contexts":"keep"})");
    EXPECT_THAT(kept.names(), ElementsAre("f", "f"));
    EXPECT_EQ(kept.text("/rows/0/context"), "'2");
    EXPECT_FALSE(kept.has("/rows/1/context"));
    Asking both(text, text);
    EXPECT_THAT(both(R"({"ask":"functions","compare":true})").names(), ElementsAre("f"));
    EXPECT_THAT(both(R"({"ask":"functions","compare":true,"contexts":"keep"})").names(),
                ElementsAre("f", "f"));
}

TEST(SearchAnswer, finds_functions_files_and_objects) {
    Asking ask(cyclic);
    const auto found = ask(R"({"ask":"search","text":"O"})");
    EXPECT_EQ(found.size("/functions"), 0U);
    EXPECT_THAT(found.names("/objects"), ElementsAre("prog"));
    EXPECT_THAT(ask(R"({"ask":"search","text":".c"})").names("/files"), ElementsAre("x.c", "y.c"));
}

}  // namespace
}  // namespace callcost::engine
