#include "summary/difference_summary.hpp"

#include <gmock/gmock.h>

#include "unit/engine/session/asking.hpp"

namespace callcost::engine {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* before =
    "events: Ir\nfn=main\n1 5\ncfn=work\ncalls=2 10\n2 200\nfn=work\n10 200\nfn=gone\n30 40\n";
constexpr const char* after =
    "events: Ir\nfn=main\n1 5\ncfn=work\ncalls=6 10\n2 600\nfn=work\n10 600\nfn=fresh\n40 90\n";

std::vector<std::string> sentences(const Answer& answer) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < answer.size("/sentences"); ++i) {
        const auto place = "/sentences/" + std::to_string(i);
        std::string& text = all.emplace_back();
        for (std::size_t k = 0; k < answer.size(place); ++k) {
            const auto piece = place + "/" + std::to_string(k);
            text += answer.text(piece + "/text");
            for (const char* number : {"/change", "/count"})
                if (answer.has(piece + number)) text += std::to_string(answer.number(piece + number));
        }
    }
    return all;
}

TEST(DifferenceSummary, says_why_the_cost_changed) {
    Asking ask(after, before);
    const auto answer = ask(R"({"ask":"summary","compare":true})");
    EXPECT_THAT(sentences(answer), ElementsAre("2 functions cost more, 490 together; 1 function less, -40.",
                                               "main calls work 6 instead of 2 times: 400.",
                                               "New and removed: fresh 90; gone -40."));
    EXPECT_EQ(answer.text("/sentences/1/0/function/name"), "main");
    EXPECT_EQ(answer.number("/sentences/1/8/change"), 400);
    EXPECT_EQ(answer.text("/sentences/2/5/function/name"), "gone");
    EXPECT_LT(answer.number("/sentences/2/5/function/id"), 0) << "it is in the old profile only";
}

std::vector<std::string> said(const std::string& now, const std::string& old) {
    Asking ask("events: Ir\n" + now, "events: Ir\n" + old);
    return sentences(ask(R"({"ask":"summary","compare":true})"));
}

TEST(DifferenceSummary, names_apart_when_no_function_ran) {
    EXPECT_THAT(
        said("fn=main\n1 50\nfn=(idle)\n1 100\nfn=(program)\n1 9\n", "fn=main\n1 40\nfn=(program)\n1 9\n"),
        ElementsAre("1 function costs more.", "Outside of functions: (idle) 100."));
    EXPECT_THAT(said("fn=main\n1 50\nfn=(idle)\n1 70\n", "fn=main\n1 50\nfn=(idle)\n1 100\n"),
                ElementsAre("Outside of functions: (idle) -30."));
}

TEST(DifferenceSummary, takes_no_calls_that_moved_for_a_reason) {
    const auto program = [](const char* caller, const char* other, const char* own) {
        return std::string("fn=main\n1 5\ncfn=a\ncalls=1 1\n1 500\ncfn=b\ncalls=1 1\n1 500\nfn=") + caller +
               "\n1 10\ncfn=format\ncalls=9 1\n1 900\nfn=" + other + "\n1 " + own + "\nfn=format\n1 900\n";
    };
    EXPECT_THAT(said(program("b", "a", "90"), program("a", "b", "10")),
                ElementsAre("1 function costs more.", "Cost per call changed: a 80."));
}

TEST(DifferenceSummary, gives_no_reason_that_is_larger_than_the_change) {
    const auto program = [](int calls, int cost) {
        const auto all = std::to_string(cost);
        return "fn=main\n1 5\ncfn=work\ncalls=" + std::to_string(calls) + " 1\n1 " + all + "\nfn=work\n1 " +
               all + "\n";
    };
    EXPECT_THAT(said(program(20, 1800), program(10, 1000)),
                ElementsAre("1 function costs more.", "main calls work 20 instead of 10 times: 800."))
        << "not 1000, as each call costs less";
    EXPECT_THAT(said(program(20, 1050), program(1, 1000)), ElementsAre("1 function costs more."))
        << "one expensive first call";
    EXPECT_THAT(said(program(30, 400), program(10, 1000)),
                ElementsAre("1 function costs less.", "Cost per call changed: work -600."))
        << "not -2600";
}

TEST(DifferenceSummary, counts_calls_by_several_callers_together) {
    const auto program = [](int by_a, int by_b) {
        const auto call = [](int calls) {
            return "cfn=work\ncalls=" + std::to_string(calls) + " 1\n1 " + std::to_string(100 * calls) + "\n";
        };
        return "fn=a\n1 5\n" + call(by_a) + "fn=b\n1 5\n" + call(by_b) + "fn=work\n1 " +
               std::to_string(100 * (by_a + by_b)) + "\n";
    };
    EXPECT_THAT(said(program(2, 9), program(4, 2)),
                ElementsAre("1 function costs more.", "work is called 11 instead of 6 times: 500."));
}

TEST(DifferenceSummary, adds_up_what_is_new_and_removed_under_one_name) {
    const std::string kept = "fl=kept.c\nfn=init\n1 5\nfn=main\n1 5\n";
    EXPECT_THAT(said(kept + "fl=new.c\nfn=init\n1 100\n", kept + "fl=old.c\nfn=init\n1 70\n"),
                ElementsAre("1 function costs more, 100 together; 1 function less, -70.",
                            "New and removed: init 30."));
}

TEST(DifferenceSummary, says_of_inlining_what_it_all_comes_to) {
    EXPECT_THAT(said("fl=a.c\nfn=f\n1 400\n2 100\n",
                     "fl=a.c\nfn=f\n2 100\ncfn=mix\ncalls=5 1\n2 500\nfn=mix\n1 500\n"),
                ElementsAre("1 function costs more, 400 together; 1 function less, -500.",
                            "Inlined? mix was inlined into f (its source lines are there), together -100."));
}

TEST(DifferenceSummary, has_nothing_to_say_where_nothing_changed) {
    Asking ask(after, after);
    EXPECT_THAT(sentences(ask(R"({"ask":"summary","compare":true})")), IsEmpty());
}

}  // namespace
}  // namespace callcost::engine
