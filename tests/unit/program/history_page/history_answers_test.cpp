#include "history_page/history_answers.hpp"

#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/program/input/temporary_directory.hpp"

namespace callcost::program {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// Of main and another function.
NewEntry entry_of(const std::string& series, int number, Cost main, Cost other) {
    NewEntry entry;
    entry.facts.series = series;
    entry.facts.commit = "c" + std::to_string(number);
    entry.facts.branch = number == 3 ? "topic" : "main";
    entry.facts.time = number;
    entry.facts.tags["size"] = number > 1 ? "big" : "small";
    entry.profile = "profile of " + entry.facts.commit;
    entry.functions = {{"main", "prog", "a.c"}, {"\xe9t\xe9", "prog", "???"}};
    entry.costs = {{"Ir", main + other, {{main, main + other, 0}, {other, other, 1}}}};
    return entry;
}

class HistoryAnswersTest : public testing::Test {
  protected:
    HistoryAnswersTest() {
        store_ = *open_store(directory_.path() + "/h.db", StoreUse::write);
        for (const auto& entry : {entry_of("a", 1, 100, 10), entry_of("a", 2, 100, 20),
                                  entry_of("a", 3, 900, 20), entry_of("b<i>\xff", 1, 5, 5)})
            EXPECT_TRUE(store_->add(entry, false));
    }
    std::string ask(const std::string& json) {
        engine::Question question(json);
        return answer_about_history(*store_, "the store", question);
    }

  private:
    test::TemporaryDirectory directory_;
    std::unique_ptr<Store> store_;
};

TEST_F(HistoryAnswersTest, lists_the_series_with_their_charts) {
    const auto all = ask(R"({"ask": "history"})");
    EXPECT_THAT(
        all, StartsWith(
                 R"({"store":"the store","rows":[{"series":"a","entries":3,"newest":3,)"
                 R"("event":"Ir","first":110,"last":120,"points":{"at":[0,1],)"
                 R"("cost":[110,120]},"changes":1,"changed":[1],"change":{"at":1,"before":110,"after":120)"));
    EXPECT_THAT(all, HasSubstr("\"series\":\"b<i>\u00ff\",\"entries\":1"));
    EXPECT_THAT(all, testing::EndsWith(R"("matching":2})"));
    EXPECT_THAT(ask(R"({"ask": "history", "search": "b<"})"), HasSubstr(R"("matching":1})"));
    EXPECT_THAT(ask(R"({"ask": "history", "offset": 1})"), Not(HasSubstr(R"("series":"a")")));
    EXPECT_THAT(ask(R"({"ask": "history", "offset": 7})"), HasSubstr(R"("rows":[],"matching":2})"));
}

TEST_F(HistoryAnswersTest, charts_a_function_wherever_it_is) {
    const auto all = ask(R"({"ask": "history", "name": "\u00e9t\u00e9", "object": "prog"})");
    EXPECT_THAT(all, HasSubstr(R"("first":10,"last":20)"));
    EXPECT_THAT(all, HasSubstr(R"("first":5,"last":5)"));
    EXPECT_THAT(
        ask(R"({"ask": "history", "name": "main", "file": "a.c", "object": "prog", "inclusive": true})"),
        HasSubstr(R"("first":110,"last":120)"));
    EXPECT_THAT(ask(R"({"ask": "history", "name": "no"})"), HasSubstr(R"("rows":[],"matching":0})"));
}

TEST_F(HistoryAnswersTest, charts_a_series_and_what_changed_it) {
    const auto series = ask(R"({"ask": "history_series", "series": "a"})");
    EXPECT_THAT(
        series,
        StartsWith(
            R"({"series":"a","event":"Ir","events":["Ir"],"branches":["main","topic"],)"
            R"("machines":[],"tags":["size=big","size=small"],"branch":"main",)"
            R"("entries":2,"first":110,"last":120,"points":{"at":[0,1],"cost":[110,120],"entry":[1,2],)"
            R"("time":[1,2],"commit":["c1","c2"]},"exact":true,"noise":0.0,)"
            R"("changes":[{"at":1,"before":110,"after":120,"entry":{"series":"a",)"
            R"("entry":2,"commit":"c2","modified":false,"branch":"main","time":2,)"
            R"("machine":"","tags":["size=big"],"command":""},"entry_before":)"));
    EXPECT_THAT(series, HasSubstr("\"functions\":[{\"name\":\"\u00e9t\u00e9\",\"file\":\"???\",\"object\":"
                                  "\"prog\",\"before\":10,\"after\":20}]"));
    const auto all = ask(R"({"ask": "history_series", "series": "a", "all_branches": true, "width": 1})");
    EXPECT_THAT(all, HasSubstr(R"("branch":"","entries":3,)"));
    EXPECT_THAT(all, HasSubstr(R"("points":{"at":[0,2])"));
    EXPECT_THAT(ask(R"({"ask": "history_series", "series": "a", "branch": "topic"})"),
                HasSubstr(R"("entries":1)"));
    EXPECT_THAT(ask(R"({"ask": "history_series", "series": "a", "tags": ["size=big"], "since": 2})"),
                HasSubstr(R"("entries":1)"));
    EXPECT_THAT(ask("{\"ask\": \"history_series\", \"series\": \"b<i>\u00ff\"}"),
                HasSubstr(R"("entries":1)"));
}

TEST_F(HistoryAnswersTest, lists_functions_and_entries) {
    const auto functions = ask(R"({"ask": "history_functions", "series": "a", "limit": 1})");
    EXPECT_THAT(functions,
                StartsWith(R"({"matching":2,"total":120,"rows":[{"name":"main","file":"a.c",)"
                           R"("object":"prog","cost":100,"points":{"at":[0,1],"cost":[100,100]}}])"));
    EXPECT_THAT(ask(R"({"ask": "history_functions", "series": "a", "offset": 1})"),
                HasSubstr("\"rows\":[{\"name\":\"\u00e9t\u00e9\""));
    EXPECT_THAT(ask(R"({"ask": "history_functions", "series": "a", "search": "MAI"})"),
                HasSubstr(R"({"matching":1)"));
    const auto entries = ask(R"({"ask": "history_entries", "series": "a", "limit": 1})");
    EXPECT_THAT(entries, StartsWith(R"({"matching":2,"rows":[{"entry":{"series":"a","entry":2,)"));
    EXPECT_THAT(entries, HasSubstr(R"("at":1,"cost":120,"cost_before":110,"entry_before":1}]})"));
    EXPECT_THAT(ask(R"({"ask": "history_entries", "series": "a", "offset": 2})"), HasSubstr(R"("rows":[])"));
}

TEST_F(HistoryAnswersTest, says_what_there_is_not) {
    const auto error = [&](const std::string& json) {
        const auto answer = ask(json);
        EXPECT_THAT(answer, StartsWith(R"({"error":{"id":")"));
        return answer.substr(16, answer.find('"', 16) - 16);
    };
    EXPECT_EQ(error(R"({"ask": "history_series", "series": "c"})"), "no-such-series");
    EXPECT_EQ(error(R"({"ask": "history_series", "series": "a", "event": "Dr"})"), "unknown-event");
    EXPECT_EQ(error(R"({"ask": "history_series", "series": "a", "machine": "x"})"), "no-such-entry");
    EXPECT_EQ(error(R"({"ask": "history_series", "series": "a", "name": "x"})"), "unknown-function");
    EXPECT_EQ(error(R"({"ask": "history_series", "series": 1})"), "bad-request");
    EXPECT_EQ(error(R"({"ask": "history", "search": "/(/"})"), "bad-pattern");
    EXPECT_EQ(error(R"({"ask": "history", "limit": -1})"), "bad-request");
    EXPECT_EQ(error(R"({"ask": "history_functions", "series": "a", "tags": "x"})"), "bad-request");
}

}  // namespace
}  // namespace callcost::program
