// Two profiles, and what is said to have changed.
#include "callcost/diff.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "callcost/callcost.hpp"
#include "unit/library/parser/corpus.hpp"
#include "unit/library/parser/profile_text.hpp"

namespace callcost::test {
namespace {

using testing::ElementsAre;

CallGraph graph_of_text(const std::string& text) { return *call_graph(read("events: Ir\n" + text)); }

/// "exact f 10 -> 12", the functions in order.
Lines changes(const std::string& before, const std::string& after, const DiffOptions& options = {}) {
    const auto result = diff(graph_of_text(before), graph_of_text(after), options);
    EXPECT_TRUE(result.has_value());
    Lines lines;
    for (const FunctionMatch& function : result->functions()) {
        const Change self = result->self(function);
        lines.push_back(std::string(to_string(function.tier)) + ' ' + std::string(result->name(function)) +
                        ' ' + std::to_string(self.before) + " -> " + std::to_string(self.after));
    }
    return lines;
}

TEST(Diff, a_match_and_its_copy_know_their_row) {
    const auto result =
        diff(graph_of_text("fn=f\n1 1\nfn=g\n1 2\n"), graph_of_text("fn=f\n1 4\nfn=g\n1 8\n"));
    ASSERT_TRUE(result);
    ASSERT_EQ(result->functions().size(), 2U);
    for (std::size_t row = 0; row < 2; ++row) {
        const FunctionMatch copy = result->functions()[row];
        EXPECT_EQ(copy.id, MatchId(row));
        EXPECT_EQ(&result->function(copy.id), &result->functions()[row]);
        EXPECT_EQ(result->self(copy), result->self(result->functions()[row]));
        EXPECT_EQ(result->inclusive(copy).delta(), row == 0 ? 3 : 6);
    }
}

#ifdef CALLCOST_CHECKED
TEST(DiffDeathTest, a_checked_library_asserts_that_a_match_is_of_the_diff) {
    const auto result = diff(graph_of_text("fn=f\n1 1\n"), graph_of_text("fn=f\n1 4\n"));
    ASSERT_TRUE(result);
    EXPECT_DEATH(static_cast<void>(result->function(MatchId(1U))), "id.value < data_->functions.size");
    EXPECT_DEATH(static_cast<void>(result->function(MatchId())), "id.value < data_->functions.size");
}
#endif

TEST(Diff, says_which_profile_lacks_the_event_type) {
    const auto only = [](const char* event) {
        return *call_graph(read("events: " + std::string(event) + "\nfn=f\n1 7\n"));
    };
    EXPECT_EQ(to_string(diff(only("Ir"), only("Time")).error()),
              "old profile: error: the profile has no event type 'Time' (available: Ir) [unknown-event]");
    EXPECT_EQ(to_string(diff(only("Ir"), only("Time"), {.measure = "Ir"}).error()),
              "new profile: error: the profile has no event type 'Ir' (available: Time) [unknown-event]");
}

TEST(Diff, matches_equal_functions) {
    EXPECT_THAT(changes("fl=a.c\nfn=f\n1 10\nfn=g\n1 5\n", "fl=a.c\nfn=f\n1 12\nfn=h\n1 5\n"),
                ElementsAre("exact f 10 -> 12", "unmatched g 5 -> 0", "unmatched h 0 -> 5"));
}

TEST(Diff, keeps_functions_of_one_name_apart) {
    EXPECT_THAT(changes("fl=a.c\nfn=f\n1 10\nfl=b.c\nfn=f\n1 5\n", "fl=b.c\nfn=f\n1 6\nfl=a.c\nfn=f\n1 11\n"),
                ElementsAre("exact f 10 -> 11", "exact f 5 -> 6"));
}

TEST(Diff, does_not_depend_on_where_a_tree_was_checked_out) {
    EXPECT_THAT(changes("ob=/old/prog\nfl=/old/src/a.c\nfn=f\n1 1\nfl=/old/lib/a.c\nfn=f\n1 2\n",
                        "ob=/new/prog2\nfl=/new/lib/a.c\nfn=f\n1 3\nfl=/new/src/a.c\nfn=f\n1 4\n"),
                ElementsAre("exact f 2 -> 3", "exact f 1 -> 4"));
    EXPECT_THAT(changes("fl=src/a.c\nfn=f\n1 1\nfl=src/b.c\nfn=g\n1 2\n",
                        "fl=lib/a.c\nfn=f\n1 3\nfl=src/b.c\nfn=g\n1 2\n"),
                ElementsAre("path f 1 -> 3", "exact g 2 -> 2"))
        << "within a tree";
    EXPECT_THAT(changes("fl=src/a.c\nfn=f\n1 1\nfl=src/b.c\nfn=g\n1 2\n",
                        "fl=lib/a.c\nfn=f\n1 3\nfl=src/b.c\nfn=g\n1 2\n",
                        {.match = MatchMode::exact, .path_prefixes = {{"src/a", "lib/a"}}}),
                ElementsAre("exact f 1 -> 3", "exact g 2 -> 2"))
        << "but for --path-prefix";
}

TEST(Diff, finds_very_many_functions_of_one_name_in_a_directory_that_moved) {
    std::string before, after;
    for (int i = 0; i < 1000; ++i) {
        const auto file = std::to_string(i) + ".c\nfn=same\n1 " + std::to_string(i + 1) + "\n";
        before += "fl=/old/src/f" + file;
        after += "fl=/new/src/f" + file;
    }
    const auto result = diff(graph_of_text(before), graph_of_text(after));
    ASSERT_TRUE(result.has_value());
    EXPECT_EQ(result->functions().size(), 1000U);
    for (const FunctionMatch& function : result->functions()) {
        EXPECT_EQ(function.tier, MatchTier::exact);
        EXPECT_EQ(result->self(function).before, result->self(function).after);
    }
}

TEST(Diff, does_not_guess_which_of_several_places_a_function_moved_to) {
    // Not to /other/f.c: two are nearer.
    EXPECT_THAT(changes("fl=/x/a/f.c\nfn=f\n1 1\nfl=/x/b/f.c\nfn=f\n1 2\n",
                        "fl=/y/a/f.c\nfn=f\n1 3\nfl=/z/a/f.c\nfn=f\n1 4\nfl=/other/f.c\nfn=f\n1 5\n",
                        {.match = MatchMode::canonical}),
                testing::Each(testing::StartsWith("unmatched")));
}

TEST(Diff, takes_functions_of_a_common_name_for_one_only_where_their_file_was_renamed) {
    const auto file = [](const std::string& name, const std::string& functions) {
        std::string text = "fl=" + name + "\n";
        for (const char function : functions) text += std::string("fn=") + function + "\n1 5\n";
        return text;
    };
    const auto matches = [&](const std::string& before, const std::string& after) {
        return changes(file("kept.c", "fg") + before, file("kept.c", "fg") + after,
                       {.match = MatchMode::canonical});
    };
    EXPECT_THAT(matches(file("old.c", "f"), file("new.c", "f")),
                testing::UnorderedElementsAre("exact f 5 -> 5", "exact g 5 -> 5", "unmatched f 5 -> 0",
                                              "unmatched f 0 -> 5"));
    EXPECT_THAT(matches(file("old.c", "fg"), file("new.c", "fg")),
                testing::Contains(testing::StartsWith("unmatched")).Times(4))
        << "modules of one interface";
    EXPECT_THAT(matches(file("old.c", "fu"), file("new.c", "fu")),
                testing::Not(testing::Contains(testing::StartsWith("unmatched"))))
        << "u is nowhere else";
    EXPECT_THAT(matches(file("old.c", "f"), file("/elsewhere/old.c", "f")),
                testing::Contains("path f 5 -> 5"));
}

TEST(Diff, does_not_take_namesakes_in_other_files_for_changed_signatures) {
    const std::string kept = "fl=kept.c\nfn=f(int)\n1 5\n";
    EXPECT_THAT(changes(kept + "fl=old.c\nfn=f(int)\n1 7\n", kept + "fl=new.c\nfn=f(long)\n1 90\n"),
                testing::Contains("unmatched f(long) 0 -> 90"));
}

TEST(Diff, does_not_take_one_lambda_for_another) {
    const std::string before =
        "fl=a.c\nfn=run<main::{lambda()#1}>\n1 1000\ncfn=sort\ncalls=1 1\n1 10\nfn=sort\n1 10\n";
    const std::string after =
        "fl=a.c\nfn=run<main::{lambda()#1}>\n1 5\nfn=run<main::{lambda()#2}>\n1 1001\ncfn=sort\ncalls=1 1\n1 "
        "10\n"
        "fn=sort\n1 10\n";
    EXPECT_THAT(changes(before, after),
                ElementsAre("unmatched run<main::{lambda()#1}> 0 -> 5",
                            "ordinal run<main::{lambda()#2}> 1000 -> 1001", "exact sort 10 -> 10"));
}

TEST(Diff, finds_renamed_functions_by_whom_they_call) {
    const auto program = [](const std::string& name) {
        return "fl=a.c\nfn=main\n1 1\ncfn=" + name + "\ncalls=5 1\n2 100\nfn=" + name +
               "\n1 40\ncfn=a\ncalls=1 1\n1 20\ncfn=b\ncalls=1 1\n1 20\ncfn=c\ncalls=1 1\n1 20\n"
               "fn=a\n1 20\nfn=b\n1 20\nfn=c\n1 20\n";
    };
    EXPECT_THAT(changes(program("parse"), program("read_all")),
                testing::Contains("anchors read_all 40 -> 40"));
    EXPECT_THAT(changes(program("parse"), program("read_all"), {.match = MatchMode::canonical}),
                testing::Contains("unmatched read_all 0 -> 40"));
}

TEST(Diff, knows_functions_again_whatever_they_are_compared_by) {
    const auto program = [](const std::string& name, const std::string& misses) {
        return "events: Ir D1mr\nfl=a.c\nfn=main\n1 1\ncfn=" + name + "\ncalls=5 1\n2 100 9\nfn=" + name +
               "\n1 40 " + misses +
               "\ncfn=a\ncalls=1 1\n1 20\ncfn=b\ncalls=1 1\n1 20\ncfn=c\ncalls=1 1\n1 20\n"
               "fn=a\n1 20\nfn=b\n1 20\nfn=c\n1 20\n";
    };
    const auto before = *call_graph(read(program("parse", "0"))),
               after = *call_graph(read(program("read_all", "9")));
    for (const char* measure : {"Ir", "D1mr"}) {
        const auto result = diff(before, after, {.measure = measure});
        ASSERT_TRUE(result.has_value());
        EXPECT_EQ(result->functions().size(), 5U) << measure;
        EXPECT_EQ(result->measure_after().name, measure);
    }
}

TEST(Diff, sees_a_function_that_went_into_its_caller) {
    const auto result = diff(graph_of_text("fl=a.c\nfn=main\n1 100\ncfn=f\ncalls=9 1\n2 50\nfn=f\n5 50\n"),
                             graph_of_text("fl=a.c\nfn=main\n1 100\n5 45\n"));
    ASSERT_TRUE(result.has_value());
    ASSERT_EQ(result->inlinings().size(), 1U);
    const Inlining& inlining = result->inlinings()[0];
    EXPECT_EQ(result->name(result->function(inlining.function)), "f");
    EXPECT_EQ(inlining.together, (Change{150, 145}));
    EXPECT_FALSE(inlining.is_outlined);
    EXPECT_TRUE(inlining.has_lines);
}

TEST(Diff, does_not_call_it_inlined_where_the_lines_are_not) {
    const auto result = diff(graph_of_text("fl=a.c\nfn=main\n1 100\ncfn=f\ncalls=9 1\n2 50\nfn=f\n5 50\n"),
                             graph_of_text("fl=a.c\nfn=main\n1 145\n"));
    EXPECT_TRUE(result->inlinings().empty()) << "main has become dearer by itself";
}

TEST(Diff, sees_that_a_function_of_little_cost_was_inlined_by_its_lines_only) {
    const auto with_lines =
        diff(graph_of_text("fl=a.c\nfn=main\n1 100000\ncfn=f\ncalls=9 1\n2 50\nfn=f\n5 50\n"),
             graph_of_text("fl=a.c\nfn=main\n1 100000\n5 45\n"));
    ASSERT_EQ(with_lines->inlinings().size(), 1U);
    EXPECT_EQ(with_lines->inlinings()[0].together, (Change{100050, 100045}));
    const auto without =
        diff(graph_of_text("fl=a.c\nfn=main\n0 100000\ncfn=f\ncalls=9 0\n0 50\nfn=f\n0 50\n"),
             graph_of_text("fl=a.c\nfn=main\n0 100045\n"));
    EXPECT_TRUE(without->inlinings().empty()) << "the cost alone would be chance";
}

TEST(Diff, finds_what_went_in_by_cost_where_lines_are_not_known) {
    const auto result = diff(graph_of_text("fl=a.c\nfn=main\n0 100\ncfn=f\ncalls=9 0\n0 50\nfn=f\n0 50\n"),
                             graph_of_text("fl=a.c\nfn=main\n0 145\n"));
    ASSERT_EQ(result->inlinings().size(), 1U);
    EXPECT_FALSE(result->inlinings()[0].has_lines);
}

TEST(Diff, explains_a_change_by_calls_and_by_their_cost) {
    const auto why = reason({100, 240}, {10, false}, {12, false});
    ASSERT_TRUE(why.has_value());
    EXPECT_EQ(why->by_count, 20);
    EXPECT_EQ(why->by_cost, 120);
    EXPECT_FALSE(reason({100, 240}, {0, false}, {12, false}).has_value());
    EXPECT_FALSE(reason({100, 240}, {10, true}, {12, false}).has_value());
}

TEST(Diff, does_not_explain_a_change_by_calls_of_which_both_sides_say_different_costs) {
    EXPECT_FALSE(reason({4108, 4298}, {1, false}, {20, false})) << "the first call was expensive";
    EXPECT_FALSE(reason({4298, 4108}, {20, false}, {1, false})) << "the other way round, too";
    EXPECT_FALSE(reason({100, 100}, {10, false}, {20, false}));
    EXPECT_TRUE(reason({1000, 1500}, {10, false}, {20, false})) << "apart by half of the change";
    EXPECT_FALSE(reason({1000, 1499}, {10, false}, {20, false}));
    EXPECT_EQ(reason({100, 9000}, {10, false}, {10, false})->by_cost, 8900) << "as many calls";
    EXPECT_EQ(reason({100, 0}, {10, false}, {0, false})->by_count, -100);
}

TEST(Diff, names_all_that_a_function_went_into_by_its_lines) {
    const auto result = diff(graph_of_text("fl=a.c\nfn=f\n2 100\ncfn=mix\ncalls=5 1\n2 500\nfn=g\n3 9000\n"
                                           "cfn=mix\ncalls=5 1\n3 500\nfn=h\n4 100\ncfn=mix\ncalls=1 1\n4 "
                                           "10\nfn=mix\n1 1010\n"),
                             graph_of_text("fl=a.c\nfn=f\n1 400\n2 100\nfn=g\n1 400\n3 50\nfn=h\n1 8\n4 "
                                           "700\n"));
    ASSERT_EQ(result->inlinings().size(), 1U);
    const Inlining& inlining = result->inlinings()[0];
    Lines callers;
    for (const MatchId id : inlining.callers) callers.emplace_back(result->name(result->function(id)));
    EXPECT_THAT(callers, ElementsAre("f", "g", "h")) << "g costs less for another reason";
    EXPECT_THAT(inlining.costs, ElementsAre(500, 500, 10));
}

TEST(Diff, takes_no_caller_for_one_it_went_into_that_rose_by_more_than_its_calls_cost) {
    const auto result = diff(graph_of_text("fn=f\n0 100\ncfn=mix\ncalls=5 0\n0 500\nfn=h\n0 100\ncfn=mix\n"
                                           "calls=1 0\n0 10\nfn=mix\n0 510\n"),
                             graph_of_text("fn=f\n0 540\nfn=h\n0 900\n"));
    ASSERT_EQ(result->inlinings().size(), 1U);
    ASSERT_EQ(result->inlinings()[0].callers.size(), 1U);
    EXPECT_EQ(result->name(result->function(result->inlinings()[0].callers[0])), "f");
}

TEST(Diff, adds_up_all_that_went_into_the_same_callers) {
    const auto result =
        diff(graph_of_text("fl=a.c\nfn=f\n3 100\ncfn=g\ncalls=5 1\n3 500\ncfn=h\ncalls=5 2\n3 "
                           "400\nfn=g\n1 500\nfn=h\n2 400\n"),
             graph_of_text("fl=a.c\nfn=f\n1 450\n2 380\n3 100\n"));
    ASSERT_EQ(result->inlinings().size(), 2U);
    for (const Inlining& inlining : result->inlinings()) EXPECT_EQ(inlining.together, (Change{1000, 930}));
}

TEST(Diff, finds_functions_that_take_other_arguments) {
    EXPECT_THAT(changes("fl=a.c\nfn=put(int)\n1 10\n", "fl=a.c\nfn=put(int, char)\n1 30\n"),
                ElementsAre("signature put(int, char) 10 -> 30"));
    EXPECT_THAT(changes("fl=a.c\nfn=put(int)\n1 10\nfn=put(long)\n1 10\n", "fl=a.c\nfn=put(char)\n1 30\n"),
                testing::Contains("unmatched put(char) 0 -> 30"))
        << "which one it was cannot be told";
}

TEST(Diff, finds_functions_without_names_by_what_they_do) {
    const auto program = [](const std::string& first, const std::string& second) {
        return "ob=prog\nfn=" + first + "\n0 10\ncfn=main\ncalls=1 0\n0 3\nfn=" + second +
               "\n0 90000\nfn=main\n0 3\n";
    };
    EXPECT_THAT(changes(program("0x1000", "0x2000"), program("0x1010", "0x2010")),
                ElementsAre("ordinal 0x1010 10 -> 10", "ordinal 0x2010 90000 -> 90000", "exact main 3 -> 3"));
}

TEST(Diff, adds_up_what_cannot_be_told_apart) {
    EXPECT_THAT(changes("fl=a.c\nfn={lambda()#1}\n1 10\nfn={lambda()#2}\n1 20\n",
                        "fl=a.c\nfn={lambda()#1}\n1 15\nfn={lambda()#2}\n1 14\nfn={lambda()#3}\n1 15\n"),
                ElementsAre("group {lambda()#1} 30 -> 44"));
}

TEST(Diff, of_functions_alike_does_not_care_which_is_which) {
    EXPECT_THAT(changes("fl=a.c\nfn={lambda()#1}\n1 10\nfn={lambda()#2}\n1 10\n",
                        "fl=a.c\nfn={lambda()#1}\n1 10\nfn={lambda()#2}\n1 10\nfn={lambda()#3}\n1 10\n"),
                ElementsAre("exact {lambda()#1} 10 -> 10", "exact {lambda()#2} 10 -> 10",
                            "unmatched {lambda()#3} 0 -> 10"));
}

TEST(Diff, sees_that_lambdas_changed_places) {
    EXPECT_THAT(changes("fl=a.c\nfn={lambda()#1}\n1 100\nfn={lambda()#2}\n1 9000\n",
                        "fl=a.c\nfn={lambda()#1}\n1 9000\nfn={lambda()#2}\n1 101\n"),
                ElementsAre("ordinal {lambda()#1} 9000 -> 9000", "ordinal {lambda()#2} 100 -> 101"));
    EXPECT_THAT(changes("fl=a.c\nfn={lambda()#1}\n1 100\nfn={lambda()#2}\n1 9000\n",
                        "fl=a.c\nfn={lambda()#1}\n1 300\nfn={lambda()#2}\n1 9000\n"),
                ElementsAre("exact {lambda()#1} 100 -> 300", "exact {lambda()#2} 9000 -> 9000"));
}

TEST(Diff, pairs_renamed_functions_by_their_names_first) {
    const auto program = [](const std::string& space, int more) {
        std::string text = "fl=a.c\nfn=main\n1 1\n", rest;
        for (const std::string name : {"::pop\n", "::push\n", "::clear\n"}) {
            more += 40;
            text.append("cfn=").append(space).append(name).append("calls=5 1\n1 ");
            text.append(std::to_string(more)).append("\n");
            rest.append("fn=").append(space).append(name).append("1 ");
            rest.append(std::to_string(more)).append("\n");
        }
        return text + rest;
    };
    EXPECT_THAT(changes(program("Queue", 100), program("Fifo", 140)),
                ElementsAre("anchors Fifo::clear 220 -> 260", "anchors Fifo::pop 140 -> 180",
                            "anchors Fifo::push 180 -> 220", "exact main 1 -> 1"));
}

TEST(Diff, does_not_take_a_new_function_for_one_that_is_gone) {
    const auto program = [](const std::string& name, const std::string& cost) {
        return "fl=a.c\nfn=main\n1 1\ncfn=" + name + "\ncalls=5 1\n1 " + cost + "\nfn=" + name + "\n1 " +
               cost + "\n";
    };
    EXPECT_THAT(changes(program("validate_input", "100"), program("send_telemetry", "88")),
                testing::Contains("unmatched send_telemetry 0 -> 88"));
    EXPECT_THAT(changes(program("validate", "100"), program("validate_all", "400")),
                testing::Contains("anchors validate_all 100 -> 400"));
}

TEST(Diff, keeps_places_apart_that_only_a_version_tells_apart) {
    EXPECT_THAT(changes("ob=libx-1.so\nfl=/build/lib-a/i.c\nfn=init\n1 "
                        "1000\nob=libx-2.so\nfl=/build/lib-b/i.c\nfn=init\n1 50\n",
                        "ob=libx-2.so\nfl=/build/lib-b/i.c\nfn=init\n1 50\n"),
                testing::UnorderedElementsAre("exact init 50 -> 50", "unmatched init 1000 -> 0"));
}

TEST(Diff, tells_static_functions_apart_by_their_callers) {
    const auto program = [](const std::string& a, const std::string& b, const std::string& cost) {
        return "fl=" + a + "\nfn=helper\n1 100\nfn=fa\n1 1\ncfn=helper\ncalls=1 1\n1 100\nfl=" + b +
               "\nfn=helper\n1 " + cost + "\nfn=fb\n1 1\ncfn=helper\ncalls=1 1\n1 " + cost + "\n";
    };
    EXPECT_THAT(changes(program("a.c", "b.c", "5000"), program("zeta.c", "beta.c", "5000")),
                testing::IsSupersetOf({"path fa 1 -> 1", "path fb 1 -> 1", "anchors helper 100 -> 100",
                                       "anchors helper 5000 -> 5000"}));
    EXPECT_THAT(changes("fl=a.c\nfn=helper\n1 100\nfn=fa\n1 1\nfl=c.c\nfn=fc\n1 1\n",
                        "fl=a.c\nfn=fa\n1 1\nfl=c.c\nfn=fc\n1 1\nfn=helper\n1 900\n"),
                testing::Not(testing::Contains("path helper 100 -> 900")));
}

TEST(Diff, compares_by_formulas_and_says_what_is_missing) {
    const auto graph = *call_graph(read("events: Ir Bcm\nfl=a.c\nfn=f\n1 10 2\n"));
    const auto other = *call_graph(read("events: Ir\nfl=a.c\nfn=f\n1 10\n"));
    EXPECT_EQ(diff(graph, graph, {.measure = "Ir + 10 Bcm"})->total(), (Change{30, 30}));
    EXPECT_FALSE(diff(other, graph, {.measure = "Bcm"}).has_value());
}

TEST(Diff, finds_lines_that_moved) {
    const auto result = diff(graph_of_text("fl=a.c\nfn=f\n10 100\n11 7\n12 300\n"),
                             graph_of_text("fl=a.c\nfn=f\n20 100\n21 7\n22 5\n23 450\n"));
    ASSERT_TRUE(result.has_value());
    const auto lines = line_changes(*result, result->functions()[0]);
    ASSERT_TRUE(lines.has_value());
    Lines texts;
    for (const LineChange& line : *lines)
        texts.push_back(std::to_string(line.before) + " -> " + std::to_string(line.after) + ": " +
                        std::to_string(line.self.delta()));
    EXPECT_THAT(texts, ElementsAre("10 -> 20: 0", "11 -> 21: 0", "0 -> 22: 5", "12 -> 23: 150"));
}

TEST(Diff, does_not_pair_lines_that_moved_and_changed) {
    const auto result = diff(graph_of_text("fl=a.c\nfn=f\n21 32\n27 500\n28 700\n29 900\n"),
                             graph_of_text("fl=a.c\nfn=f\n22 3\n23 209600\n24 500\n25 700\n26 900\n"));
    const auto lines = line_changes(*result, result->functions()[0]);
    ASSERT_TRUE(lines.has_value());
    for (const LineChange& line : *lines)
        EXPECT_TRUE(line.before < 27 || line.after == line.before - 3) << line.before;
    EXPECT_EQ(lines->size(), 6U) << "one gone, two new, three moved";
}

/// "a.c 10 -> 20: 100 -> 450 text", the changes of the lines of `function`.
Lines line_texts(const Diff& diff, std::size_t function, const LineMatchOf& matches) {
    Lines texts;
    const auto changes = line_changes(diff, diff.functions()[function], matches);
    EXPECT_TRUE(changes.has_value());
    for (const LineChange& line : *changes)
        texts.push_back((line.file_before.empty() ? "" : std::string(line.file_before) + " -> ") +
                        std::string(line.file) + ' ' + std::to_string(line.before) + " -> " +
                        std::to_string(line.after) + ": " + std::to_string(line.self.before) + " -> " +
                        std::to_string(line.self.after) +
                        (line.by == LineChange::By::text ? " text" : " guess"));
    return texts;
}

TEST(Diff, does_not_take_a_cost_on_no_known_line_for_one_on_a_line) {
    const auto result =
        diff(graph_of_text("fl=a.c\nfn=f\n0 900\n"), graph_of_text("fl=a.c\nfn=f\n4 900\n5 200\n"));
    EXPECT_THAT(line_texts(*result, 0, {}),
                testing::UnorderedElementsAre("a.c 0 -> 0: 900 -> 0 guess", "a.c 0 -> 4: 0 -> 900 guess",
                                              "a.c 0 -> 5: 0 -> 200 guess"));
}

TEST(Diff, matches_lines_by_their_texts_where_these_are_known) {
    const auto result = diff(graph_of_text("fl=a.c\nfn=f\n1 100\n2 7\n3 300\nfl=b.c\nfn=g\n1 5\n"),
                             graph_of_text("fl=a.c\nfn=f\n1 7\n2 300\n4 100\nfl=b.c\nfn=g\n1 6\n"));
    const auto match = match_lines("int first;\nint second;\nint third;\nint fourth;\n",
                                   "int first;\nint third;\nint inserted;\nint fourth;\n");
    const auto matches = [&](std::string_view before, std::string_view after) {
        return before == "a.c" && after == "a.c" ? &match : nullptr;
    };
    EXPECT_THAT(line_texts(*result, 0, matches),
                ElementsAre("a.c 1 -> 1: 100 -> 7 text", "a.c 2 -> 0: 7 -> 0 text",
                            "a.c 3 -> 2: 300 -> 300 text", "a.c 4 -> 4: 0 -> 100 text"))
        << "the fourth had no cost before, but was there";
    EXPECT_THAT(line_texts(*result, 1, matches), ElementsAre("b.c 1 -> 1: 5 -> 6 guess"));
}

TEST(Diff, does_not_believe_texts_that_do_not_fit_the_profile) {
    const auto match = match_lines("one\n\nthree\n", "one\n\nthree\n");
    const auto matches = [&](std::string_view, std::string_view) { return &match; };
    for (const std::string line : {"2", "4", "18446744073709551615"}) {
        auto text = std::string("fl=a.c\nfn=f\n1 5\n");
        text.append(line).append(" 7\n");
        auto expected = std::string("a.c ");
        expected.append(line).append(" -> ").append(line).append(": 7 -> 7 guess");
        const auto result = diff(graph_of_text(text), graph_of_text(text));
        EXPECT_THAT(line_texts(*result, 0, matches), ElementsAre("a.c 1 -> 1: 5 -> 5 guess", expected));
    }
    const auto result = diff(graph_of_text("fl=a.c\nfn=f\n0 5\n3 1\n"), graph_of_text("fl=a.c\nfn=f\n0 7\n"));
    EXPECT_THAT(line_texts(*result, 0, matches),
                ElementsAre("a.c 0 -> 0: 5 -> 7 text", "a.c 3 -> 3: 1 -> 0 text"))
        << "cost of no known line (F79)";
}

TEST(Diff, says_where_the_lines_of_a_removed_function_are) {
    const auto result = diff(graph_of_text("fl=/old/a.c\nfn=f\n1 50\nfn=main\n3 1\n"),
                             graph_of_text("fl=/new/a.c\nfn=main\n1 50\n4 1\n"));
    const auto match = match_lines("int f();\n\nint main();\n", "int f();\n\n//\nint main();\n");
    const auto matches = [&](std::string_view before, std::string_view after) {
        return before == "/old/a.c" && after == "/new/a.c" ? &match : nullptr;
    };
    ASSERT_EQ(result->functions().size(), 2U);
    EXPECT_THAT(line_texts(*result, 0, matches), ElementsAre("/old/a.c -> /new/a.c 1 -> 1: 50 -> 0 text"));
    EXPECT_THAT(line_texts(*result, 1, matches), ElementsAre("/old/a.c -> /new/a.c 1 -> 1: 0 -> 50 text",
                                                             "/old/a.c -> /new/a.c 3 -> 4: 1 -> 1 text"));
}

TEST(Diff, follows_lines_into_another_file) {
    const auto result = diff(graph_of_text("fl=a.c\nfn=f\n1 50\nfn=g\n2 1\n"),
                             graph_of_text("fl=b.c\nfn=f\n1 60\nfl=a.c\nfn=g\n1 1\n"));
    const auto to_b = match_lines("int f();\nint g();\n", "int f();\n"),
               to_a = match_lines("int f();\nint g();\n", "int g();\n");
    const auto matches = [&](std::string_view before, std::string_view after) {
        return before != "a.c" ? nullptr : after == "b.c" ? &to_b : &to_a;
    };
    EXPECT_THAT(line_texts(*result, 0, matches), ElementsAre("a.c -> b.c 1 -> 1: 50 -> 60 text"));
    EXPECT_THAT(line_texts(*result, 1, matches), ElementsAre("a.c 2 -> 1: 1 -> 1 text"));
}

TEST(Diff, pairs_the_lines_of_one_file_with_those_of_the_same_file) {
    const auto result =
        diff(graph_of_text("fl=/src/m.cpp\nfn=main\n10 100\ncfi=/src/a.h\ncfn=helper\ncalls=9 6\n10 "
                           "500\nfl=/src/a.h\nfn=helper\n6 500\n"),
             graph_of_text("fl=/src/m.cpp\nfn=main\n10 100\nfi=/src/a.h\n6 480\n"));
    ASSERT_TRUE(result.has_value());
    ASSERT_EQ(result->inlinings().size(), 1U);
    EXPECT_TRUE(result->inlinings()[0].has_lines);
}

TEST(Diff, leaves_costs_in_files_that_are_still_there) {
    const auto result = diff(graph_of_text("fl=a.c\nfn=f1\n1 100\nfn=f2\n2 100\nfn=h\n3 5000\n"),
                             graph_of_text("fl=b.c\nfn=f1\n1 100\nfn=f2\n2 100\nfl=a.c\nfn=h\n3 5000\n"));
    const auto files = file_changes(*result);
    ASSERT_EQ(files.size(), 2U);
    EXPECT_EQ(files[0].self, (Change{5200, 5000}));
    EXPECT_EQ(files[1].self, (Change{0, 200}));
}

TEST(Diff, of_renamed_functions_with_long_names_takes_little_time) {
    std::string before = "fl=a.c\nfn=main\n1 1\n", after = before, rest_before, rest_after;
    const std::string space(4'000, 'n');
    for (int i = 0; i < 300; ++i) {
        const auto number = std::to_string(i);
        for (auto [text, rest, word] :
             {std::tuple(&before, &rest_before, "::old"), std::tuple(&after, &rest_after, "::new")}) {
            text->append("cfn=").append(space).append(word).append(number).append("\ncalls=1 1\n1 100\n");
            rest->append("fn=").append(space).append(word).append(number).append("\n1 100\n");
        }
    }
    EXPECT_TRUE(diff(graph_of_text(before + rest_before), graph_of_text(after + rest_after)).has_value());
}

TEST(Diff, adds_up_files_and_objects) {
    const auto result = diff(graph_of_text("ob=/a/prog\nfl=/a/x.c\nfn=f\n1 10\nfn=g\n1 1\nfn=gone\n1 5\n"),
                             graph_of_text("ob=/b/prog\nfl=/b/x.c\nfn=f\n1 20\nfn=g\n1 1\n"));
    ASSERT_TRUE(result.has_value());
    const auto files = file_changes(*result), objects = object_changes(*result);
    ASSERT_EQ(files.size(), 1U);
    EXPECT_EQ(files[0].name, "/b/x.c");
    EXPECT_EQ(files[0].self, (Change{16, 21})) << "what is gone was in the file of the others";
    ASSERT_EQ(objects.size(), 1U);
    EXPECT_EQ(objects[0].name, "/b/prog");
}

/// What a comparison says, with what was before and after exchanged if it is to be.
Lines findings(const Diff& diff, bool exchanged) {
    const auto text = [&](const Change& change) {
        const auto a = exchanged ? change.after : change.before, b = exchanged ? change.before : change.after;
        return std::to_string(a) + " -> " + std::to_string(b);
    };
    const auto names = [&](const FunctionMatch& function) {
        std::string before, after;
        for (const NodeId node : function.before) before += std::string(diff.before().name(node)) + ',';
        for (const NodeId node : function.after) after += std::string(diff.after().name(node)) + ',';
        return exchanged ? after + " | " + before : before + " | " + after;
    };
    Lines lines = {text(diff.total())};
    for (const FunctionMatch& function : diff.functions())
        lines.push_back(std::string(to_string(function.tier)) + ' ' + names(function) +
                        text(diff.self(function)) + ' ' + text(diff.inclusive(function)));
    for (const ArcMatch& arc : diff.arcs())
        lines.push_back("arc " + names(diff.function(arc.caller)) + names(diff.function(arc.callee)) +
                        text(diff.cost(arc)));
    for (const auto& places : {file_changes(diff), object_changes(diff)})
        for (const PlaceChange& place : places)
            if (place.self.delta() != 0) lines.push_back("place " + text(place.self));
    for (const FunctionMatch& function : diff.functions()) {
        if (std::abs(diff.self(function).delta()) < (diff.total().before + diff.total().after) / 400)
            continue;
        const auto changes = line_changes(diff, function);
        if (!changes) continue;
        for (const LineChange& line : *changes) lines.push_back("line " + text(line.self));
    }
    for (const Inlining& inlining : diff.inlinings())
        lines.push_back("inlining " + names(diff.function(inlining.function)) + text(inlining.together));
    std::sort(lines.begin(), lines.end());
    return lines;
}

TEST(Diff, the_other_way_round_says_the_opposite) {
    std::size_t compared = 0;
    const auto real = real_profiles();
    for (std::size_t i = 0; i + 1 < real.size(); ++i) {
        SCOPED_TRACE(real[i] + " and " + real[i + 1]);
        const auto first = *call_graph(read(profile_bytes(real[i]))),
                   second = *call_graph(read(profile_bytes(real[i + 1])));
        const auto there = diff(first, second, {.measure = default_measure(second).name}),
                   back = diff(second, first, {.measure = default_measure(second).name});
        if (!there || !back) continue;
        ++compared;
        EXPECT_EQ(findings(*there, false), findings(*back, true));
    }
    EXPECT_GT(compared, 20U);
}

TEST(Diff, of_many_functions_alike_takes_little_time) {
    std::string before = "fl=a.c\n", after = "fl=b.c\n";
    for (int i = 0; i < 30'000; ++i) {
        before += "fn={lambda()#" + std::to_string(i) + "}\n" + std::to_string(i) + " 7\n";
        after += "fn={lambda()#" + std::to_string(i + 3) + "}\n" + std::to_string(i) + " 7\n";
    }
    const auto result = diff(graph_of_text(before), graph_of_text(after));
    ASSERT_TRUE(result.has_value());
    EXPECT_EQ(result->functions().size(), 1U);
    EXPECT_EQ(result->functions()[0].tier, MatchTier::group);
}

TEST(Diff, of_a_profile_with_itself_is_nothing) {
    for (const std::string& path : real_profiles()) {
        SCOPED_TRACE(path);
        const auto graph = call_graph(read(profile_bytes(path)));
        ASSERT_TRUE(graph.has_value());
        const auto result = diff(*graph, *graph);
        if (!result) continue;  // nothing to measure by
        EXPECT_EQ(result->functions().size(), graph->size());
        for (const FunctionMatch& function : result->functions()) {
            EXPECT_EQ(function.tier, MatchTier::exact) << result->name(function);
            EXPECT_EQ(result->self(function).delta(), 0);
            EXPECT_EQ(result->inclusive(function).delta(), 0);
        }
        EXPECT_TRUE(result->inlinings().empty());
    }
}

}  // namespace
}  // namespace callcost::test
