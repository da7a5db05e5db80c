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

TEST(DifferenceSummary, has_nothing_to_say_where_nothing_changed) {
    Asking ask(after, after);
    EXPECT_THAT(sentences(ask(R"({"ask":"summary","compare":true})")), IsEmpty());
}

}  // namespace
}  // namespace callcost::engine
