#include <gmock/gmock.h>

#include "unit/engine/session/asking.hpp"

namespace callcost::engine {
namespace {

// Two parts; in the first main calls f twice and f calls itself, in the second it is only called.
const std::string two_parts =
    "creator: callgrind-3.19.0\npart: 1\nthread: 1\nevents: Ir\n"
    "fn=main\n1 10\ncfn=f\ncalls=2 5\n2 70\nfn=f\n5 20\ncfn=f\ncalls=1 5\n6 30\ncfn=g\ncalls=1 7\n6 50\n"
    "fn=g\n7 50\ntotals: 80\n\n"
    "part: 2\nthread: 1\nevents: Ir\nfn=main\n1 4\ncfn=f\ncalls=0 5\n2 8\ntotals: 4\n";

TEST(PartsAnswer, says_what_a_function_cost_in_each_part) {
    Asking ask(two_parts);
    const auto f = ask(R"({"ask":"find","name":"f"})").number("/id");
    const auto parts = ask(R"({"ask":"parts","id":)" + std::to_string(f) + "}");
    EXPECT_EQ(parts.number("/rows/0/function/self/0"), 20);
    EXPECT_EQ(parts.number("/rows/0/function/inclusive/0"), 70) << "g's, not its own calls";
    EXPECT_EQ(parts.number("/rows/0/function/called"), 3);
    EXPECT_EQ(parts.number("/rows/1/function/self/0"), 0);
    EXPECT_EQ(parts.number("/rows/1/function/inclusive/0"), 4) << "what its callers paid, at most the total";
    EXPECT_TRUE(parts.is_null("/rows/1/function/called"));
}

TEST(PartsAnswer, says_of_each_part_what_the_part_alone_would) {
    Asking ask(two_parts);
    for (const auto* name : {"main", "f", "g"}) {
        const auto found = ask(R"({"ask":"find","name":")" + std::string(name) + "\"}");
        const auto id = std::to_string(found.number("/id"));
        const auto parts = ask(R"({"ask":"parts","id":)" + id + "}");
        for (const auto* row : {"0", "1"}) {
            const auto alone = ask(R"({"ask":"function","id":)" + id + R"(,"part_rows":[)" + row + "]}");
            const auto place = std::string("/rows/") + row + "/function";
            if (!alone.error().empty()) continue;  // not in this part
            EXPECT_EQ(parts.number(place + "/self/0"), alone.number("/function/self/0")) << name << row;
            EXPECT_EQ(parts.number(place + "/inclusive/0"), alone.number("/function/inclusive/0"));
        }
    }
}

TEST(PartsAnswer, does_not_know_inclusive_costs_in_a_cycle) {
    Asking ask("events: Ir\npart: 1\nfn=a\n1 1\ncfn=b\ncalls=1 2\n1 2\nfn=b\n2 1\ncfn=a\ncalls=1 1\n2 1\n");
    EXPECT_TRUE(ask(R"({"ask":"parts","id":0})").is_null("/rows/0/function/inclusive/0"));
    EXPECT_EQ(ask(R"({"ask":"parts","id":99})").error(), "unknown-function");
}

TEST(PartsAnswer, is_of_all_parts_whatever_is_selected) {
    Asking ask(two_parts);
    const auto parts = ask(R"({"ask":"parts","part_rows":[1]})");
    EXPECT_EQ(parts.size("/rows"), 2U);
    EXPECT_FALSE(parts.at("/rows/0/selected")->GetBool());
    EXPECT_TRUE(parts.at("/rows/1/selected")->GetBool());
    EXPECT_EQ(ask(R"({"ask":"functions","part_rows":[1]})").number("/total/0"), 4);
    EXPECT_EQ(ask(R"({"ask":"functions","part_rows":[0,1]})").number("/total/0"), 84);
    EXPECT_EQ(ask(R"({"ask":"functions","part_rows":[7]})").error(), "no-such-part");
    EXPECT_EQ(parts.number("/total/0"), 84);
    EXPECT_EQ(parts.number("/selected/0"), 4);
}

TEST(PartsAnswer, rows_are_those_of_one_profile) {
    Asking ask(two_parts, two_parts);
    const auto after = ask(R"({"ask":"functions","compare":true,"part_rows":[1],"part_rows_before":[0,1]})");
    EXPECT_EQ(after.number("/total/0"), 4);
    EXPECT_EQ(after.number("/total_before/0"), 84) << "the other profile has other parts";
    const auto same = ask(R"({"ask":"functions","compare":true,"part_rows":[1]})");
    EXPECT_EQ(same.number("/total/0"), 4);
    EXPECT_EQ(same.number("/total_before/0"), 4) << "compared with the same";
    const auto before = ask(R"({"ask":"functions","compare":true,"part_rows_before":[1]})");
    EXPECT_EQ(before.number("/total/0"), 84);
    EXPECT_EQ(before.number("/total_before/0"), 4);
    const auto both = ask(R"({"ask":"difference","compare":true,"part_rows":[1],"part_rows_before":[1]})");
    EXPECT_EQ(both.number("/total"), both.number("/total_before"));
}

TEST(PartsAnswer, finds_the_same_part_before_by_number_and_thread) {
    const auto part = [](const std::string& number, const std::string& thread, const std::string& cost) {
        return "part: " + number + "\nthread: " + thread + "\nevents: Ir\nfn=f\n1 " + cost + "\n\n";
    };
    Asking ask(part("1", "1", "10") + part("1", "2", "20") + part("2", "1", "30"),
               part("1", "2", "21") + part("1", "3", "40") + part("1", "1", "11"));
    const auto parts = ask(R"({"ask":"parts","compare":true})");
    EXPECT_EQ(parts.number("/rows/0/before"), 2);
    EXPECT_EQ(parts.number("/rows/0/self_before/0"), 11);
    EXPECT_EQ(parts.number("/rows/1/before"), 0);
    EXPECT_EQ(parts.number("/rows/1/self_before/0"), 21);
    EXPECT_EQ(parts.at("/rows/2/before"), nullptr);
    EXPECT_EQ(parts.number("/rows/2/self_before/0"), 0);
    ASSERT_EQ(parts.size("/removed"), 1U);
    EXPECT_EQ(parts.number("/removed/0/thread"), 3);
    EXPECT_EQ(parts.number("/removed/0/self/0"), 40);
    EXPECT_EQ(parts.number("/matching_removed"), 1);
    EXPECT_EQ(ask(R"({"ask":"parts"})").at("/removed"), nullptr);
}

TEST(PartsAnswer, parts_that_are_new_are_compared_with_all) {
    Asking ask("events: Ir\npart: 1\nfn=f\n1 1\n\npart: 7\nfn=f\n1 2\n",
               "events: Ir\npart: 2\nfn=f\n1 3\n\npart: 1\nfn=f\n1 4\n");
    EXPECT_EQ(ask(R"({"ask":"functions","compare":true,"part_rows":[1]})").number("/total_before/0"), 7);
    EXPECT_EQ(ask(R"({"ask":"functions","compare":true,"part_rows":[0,1]})").number("/total_before/0"), 4);
    EXPECT_EQ(ask(R"({"ask":"functions","compare":true,"part_rows":[9]})").error(), "no-such-part");
}

TEST(PartsAnswer, of_parts_that_look_alike_the_first_is_the_first) {
    Asking ask("events: Ir\npart: 1\nfn=f\n1 1\n\npart: 1\nfn=f\n1 2\n",
               "events: Ir\npart: 1\nfn=f\n1 3\n\npart: 1\nfn=f\n1 4\n");
    const auto parts = ask(R"({"ask":"parts","compare":true})");
    EXPECT_EQ(parts.number("/rows/0/self_before/0"), 3);
    EXPECT_EQ(parts.number("/rows/1/self_before/0"), 4);
    EXPECT_EQ(parts.size("/removed"), 0U);
}

}  // namespace
}  // namespace callcost::engine
