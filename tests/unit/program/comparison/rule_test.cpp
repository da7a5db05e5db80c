// The language of --fail-if and of acceptances, and what is judged by it.
#include "comparison/rule.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "comparison/gate.hpp"
#include "unit/library/parser/profile_text.hpp"
#include <callcost/callcost.hpp>

namespace callcost::program {
namespace {

using test::read;
using testing::ElementsAre;
using testing::IsEmpty;

/// "column: message", or "" if it is a rule.
std::string problem(std::string_view text) {
    const auto rules = parse_rules(text);
    return rules ? "" : std::to_string(rules.error().column) + ": " + rules.error().message;
}

TEST(Rules, that_are_wrong_say_where_and_why) {
    EXPECT_EQ(problem("Ir > +0.5%"), "");
    EXPECT_EQ(problem("fn(/^json::/) incl.Ir > +2% and > 10000"), "");
    EXPECT_EQ(problem("total.Bcm >= 5 or any fn self.Ir > 1e3 or new fn self.Ir > 1%"), "");
    EXPECT_EQ(problem("calls(fn(\"malloc\")) > 0"), "");
    EXPECT_EQ(problem("calls(any fn) > 100%"), "");
    EXPECT_EQ(problem(""), "1: expected an event type");
    EXPECT_EQ(problem("Ir"), "3: expected '>' or '<'");
    EXPECT_EQ(problem("Ir >"), "5: expected a number");
    EXPECT_EQ(problem("Ir > 1.2.3"), "6: expected a number");
    EXPECT_EQ(problem("Ir > 5 %% "), "9: expected 'and', 'or' or end of rule");
    EXPECT_EQ(problem("Ir > 5 percent"), "8: expected 'and', 'or' or end of rule");
    EXPECT_EQ(problem("> 5"), "1: missing quantity to compare");
    EXPECT_EQ(problem("any Ir > 5"), "5: expected 'fn'");
    EXPECT_EQ(problem("any fn Ir > 5"), "8: expected self.EVENT, incl.EVENT or calls");
    EXPECT_EQ(problem("fn(f self.Ir > 5"), "17: missing ')'");
    EXPECT_EQ(problem("fn() self.Ir > 5"), "6: empty pattern");
    EXPECT_EQ(problem("Ir > 5% of self"), "12: expected 'total'");
    EXPECT_EQ(problem("any fn calls > 1% of total"), "27: calls have no total");
    EXPECT_EQ(problem("fn(f) self.Ir > 5 and fn(g) self.Ir > 5"),
              "40: conditions joined by 'and' must refer to the same function");
    EXPECT_EQ(problem("fn(f) self.Ir > 5 or fn(g) self.Ir > 5"), "");
    EXPECT_EQ(problem("Ir > 5 or > 3"), "11: missing quantity to compare");
    EXPECT_EQ(problem("Ir > -5%"), "9: '>' states an increase: the limit must not be below 0");
    EXPECT_EQ(problem("Ir < 5%"), "8: '<' requires a decrease: the limit must not be above 0");
    EXPECT_EQ(problem("Time_(10ns) > 5"), "6: expected '>' or '<'");
    EXPECT_EQ(problem("\"Time_(10ns)\" > 5 and total.\"Ir + 10 Bcm\" > 3"), "");
    EXPECT_EQ(problem("\"Time_(10ns) > 5"), "17: missing '\"'");
    EXPECT_EQ(problem("ir=5%|"), "7: expected a number");
    EXPECT_EQ(problem("ir=5%,@mr=5%"), "8: unknown group: only @all is supported");
}

TEST(Rules, hold_patterns_with_signs_of_the_language) {
    const auto pattern = [](std::string_view text) {
        const auto rules = parse_rules(text);
        return rules ? rules->at(0).alternatives[0][0].pattern : "?";
    };
    EXPECT_EQ(pattern("fn(main) self.Ir > 1"), "main");
    EXPECT_EQ(pattern("fn(\"f(int) and > 3\") self.Ir > 1"), "f(int) and > 3");
    EXPECT_EQ(pattern("fn(/^f\\(int\\)$/) self.Ir > 1"), "/^f\\(int\\)$/");
    EXPECT_EQ(pattern("fn(/a|b) c/) calls > 1"), "/a|b) c/");
    EXPECT_EQ(pattern("fn( operator new ) calls > 1"), "operator new");
}

Diff diff_of(const std::string& before, const std::string& after) {
    return *diff(*call_graph(read("events: Ir Dr\n" + before)), *call_graph(read("events: Ir Dr\n" + after)));
}

/// "RULE: self Ir f 10 -> 20"
std::vector<std::string> broken(const Diff& diff, std::string_view text, const Acceptances& accepted = {}) {
    const auto judged = judge(diff, *parse_rules(text), accepted);
    if (!judged) return {"error: " + judged.error().message};
    std::vector<std::string> lines;
    for (const RuleResult& result : judged->rules)
        for (const RuleBreach& breach : result.breaches)
            lines.push_back(
                breach.what + ' ' +
                (breach.function ? std::string(diff.name(diff.function(*breach.function))) + ' ' : "") +
                std::to_string(breach.change.before) + " -> " + std::to_string(breach.change.after));
    for (const auto& note : judged->notes) lines.push_back(note);
    return lines;
}

const std::string old_text =
    "fl=a.c\nfn=main\n1 100 1\ncfn=f\ncalls=10 1\n1 50 0\nfn=f\n1 50 0\nfn=g\n1 850 9\n";
const std::string new_text =
    "fl=a.c\nfn=main\n1 100 1\ncfn=f\ncalls=20 1\n1 110 0\nfn=f\n1 110 0\nfn=g\n1 840 9\nfn=n\n1 15 0\n";

TEST(Gate, judges_totals_by_amount_and_share) {
    const auto diff = diff_of(old_text, new_text);
    EXPECT_THAT(broken(diff, "Ir > +6.4%"), ElementsAre("Ir 1000 -> 1065"));
    EXPECT_THAT(broken(diff, "Ir > +6.5%"), IsEmpty()) << "neither above nor at most";
    EXPECT_THAT(broken(diff, "Ir >= +6.5%"), ElementsAre("Ir 1000 -> 1065"));
    EXPECT_THAT(broken(diff, "Ir > 64 and > +1%"), ElementsAre("Ir 1000 -> 1065"));
    EXPECT_THAT(broken(diff, "Ir > 64 and > +10%"), IsEmpty());
    EXPECT_THAT(broken(diff, "Ir > 1000 or Dr >= 0"), ElementsAre("Dr 10 -> 10"));
    EXPECT_THAT(broken(diff, "Bcm > 0"), ElementsAre("error: neither profile records 'Bcm'"));
}

TEST(Gate, judges_each_function_alone) {
    const auto diff = diff_of(old_text, new_text);
    EXPECT_THAT(broken(diff, "any fn self.Ir > +5%"),
                ElementsAre("self Ir f 50 -> 110", "self Ir n 0 -> 15"));
    EXPECT_THAT(broken(diff, "any fn self.Ir > +5% of total"), ElementsAre("self Ir f 50 -> 110"));
    EXPECT_THAT(broken(diff, "any fn incl.Ir > 50"),
                ElementsAre("inclusive Ir f 50 -> 110", "inclusive Ir main 150 -> 210"));
    EXPECT_THAT(broken(diff, "any fn self.Ir > 50 and calls > 5"), ElementsAre("self Ir f 50 -> 110"));
    EXPECT_THAT(broken(diff, "any fn self.Ir > 10 and calls > 50"), IsEmpty()) << "about one and the same";
    EXPECT_THAT(broken(diff, "new fn self.Ir > 1%"), ElementsAre("self Ir n 0 -> 15"));
    EXPECT_THAT(broken(diff, "new fn self.Ir > 2%"), IsEmpty());
    EXPECT_THAT(broken(diff, "calls(fn(f)) > 9"), ElementsAre("calls f 10 -> 20"));
    EXPECT_THAT(broken(diff, "fn(g) self.Ir < -1%"), ElementsAre("self Ir g 850 -> 840"));
    EXPECT_TRUE(parse_rules("fn(g) self.Ir < -1%")->at(0).is_about_improvement);
    const auto flat = diff_of("fl=a.c\nfn=f\n1 50\n", "fl=a.c\nfn=f\n1 90\n");
    EXPECT_THAT(broken(flat, "fn(f) incl.Ir > 5%"),
                ElementsAre("error: the profiles record no calls, so there is no inclusive cost"));
    EXPECT_THAT(broken(diff, "fn(nobody) self.Ir > 1%"),
                ElementsAre("no function matches: fn(nobody) self.Ir > 1%"));
}

TEST(Gate, takes_a_function_and_what_was_inlined_into_it_together) {
    const std::string apart = "fl=a.c\nfn=main\n1 100 0\ncfn=f\ncalls=9 5\n2 500 0\nfn=f\n5 500 0\n",
                      together = "fl=a.c\nfn=main\n1 100 0\n5 480 0\n";
    EXPECT_THAT(broken(diff_of(apart, together), "any fn self.Ir > +1%"), IsEmpty());
    EXPECT_THAT(broken(diff_of(together, apart), "any fn self.Ir > +5%"), IsEmpty());
    EXPECT_THAT(broken(diff_of(together, apart), "any fn self.Ir > +1%"),
                ElementsAre("self Ir f 480 -> 500"));
}

TEST(Gate, gives_gungrauns_limits_their_meaning) {
    const auto diff = diff_of(old_text, new_text);
    EXPECT_THAT(broken(diff, "ir=6%"), ElementsAre("Ir 1000 -> 1065"));
    EXPECT_THAT(broken(diff, "ir=1064"), ElementsAre("Ir 1000 -> 1065"))
        << "a hard limit is about the new cost";
    EXPECT_THAT(broken(diff, "ir=1065|7%"), IsEmpty());
    EXPECT_THAT(broken(diff, "@all=0%"), ElementsAre("Ir 1000 -> 1065"));
    EXPECT_THAT(broken(diff, "@all=0%,ir=7%"), IsEmpty());
    EXPECT_THAT(broken(diff_of(new_text, old_text), "ir=-1%"), ElementsAre("Ir 1065 -> 1000"));
    EXPECT_FALSE(parse_rules("ir=-1%")->at(0).is_about_improvement);
}

TEST(Acceptances, cover_what_they_name_until_their_day) {
    const auto diff = diff_of(old_text, new_text);
    const auto accepted = parse_acceptances(
        "# agreed\r\n\n  fn(f) self.Ir <= +120% until 2026-11-30 because it checks its input\r\n");
    ASSERT_TRUE(accepted.has_value());
    ASSERT_EQ(accepted->size(), 1U);
    EXPECT_EQ(accepted->at(0).reason, "it checks its input");
    EXPECT_EQ(accepted->at(0).line, 3U);
    const std::string rule = "any fn self.Ir > +5%";
    EXPECT_THAT(broken(diff, rule, {*accepted, "2026-11-30"}), ElementsAre("self Ir n 0 -> 15"));
    EXPECT_THAT(broken(diff, rule, {*accepted, "2026-12-01"}),
                ElementsAre("self Ir f 50 -> 110", "self Ir n 0 -> 15",
                            "acceptance expired after 2026-11-30: fn(f) self.Ir <= +120%"));
    EXPECT_THAT(broken(diff, "Ir > 0", {*accepted, "2026-11-30"}),
                ElementsAre("Ir 1000 -> 1065", "acceptance not used: fn(f) self.Ir <= +120%"));
    const auto too_little = parse_acceptances("fn(f) self.Ir <= +50% until 2026-11-30 because so");
    EXPECT_THAT(broken(diff, rule, {*too_little, "2026-11-30"}),
                ElementsAre("self Ir f 50 -> 110", "self Ir n 0 -> 15",
                            "acceptance exceeded: fn(f) self.Ir <= +50%"));
}

TEST(Acceptances, that_are_wrong_say_where_and_why) {
    const auto wrong = [](std::string_view text) {
        const auto accepted = parse_acceptances(text);
        return accepted ? std::string()
                        : std::to_string(accepted.error().line) + ':' +
                              std::to_string(accepted.error().column) + ' ' + accepted.error().message;
    };
    EXPECT_EQ(wrong("Ir < 5% until 2026-02-28 because so"), "");
    EXPECT_EQ(wrong("\xEF\xBB\xBFIr < 5% until 2026-02-28 because so"), "");
    EXPECT_EQ(wrong("Ir > 5% until 2026-02-28 because so"),
              "1:9 expected '<': an acceptance states an upper limit");
    EXPECT_EQ(wrong("\nIr < 5% because so"), "2:9 expected 'until' and a date");
    EXPECT_EQ(wrong("Ir < 5% until 2026-02-29 because so"), "1:15 expected a date, as YYYY-MM-DD");
    EXPECT_EQ(wrong("Ir < 5% until 2026-02-28"), "1:25 expected 'because' and a reason");
    EXPECT_EQ(wrong("Ir < 5% until 2026-02-28 because  "), "1:35 missing reason");
}

}  // namespace
}  // namespace callcost::program
