#include <gmock/gmock.h>

#include "unit/engine/session/asking.hpp"

namespace callcost::engine {
namespace {

using testing::ElementsAre;

const std::string old_run =
    "cmd: ./p\nevents: Ir Dr\nob=p\nfl=x.c\n"
    "fn=main\n1 5 0\ncfn=work\ncalls=2 10\n2 40 4\ncfn=gone\ncalls=1 20\n3 7 0\n"
    "fn=work\n10 40 4\nfn=gone\n20 7 0\n";

std::string renewed() {
    return "cmd: ./p\nevents: Ir\nob=p\nfl=x.c\n"
           "fn=main\n1 5\ncfn=work\ncalls=3 10\n2 90\ncfi=new.c\ncfn=fresh\ncalls=1 30\n4 60\n"
           "fn=work\n10 90\nfl=new.c\nfn=fresh\n30 60\n";
}

TEST(Comparison, has_the_functions_of_both) {
    Asking ask(renewed(), old_run);
    const auto all = ask(R"({"ask":"functions","compare":true,"sort":"self_change"})");
    EXPECT_THAT(all.names(), ElementsAre("fresh", "work", "gone", "main"));
    EXPECT_EQ(all.text("/rows/0/match"), "added");
    EXPECT_EQ(all.text("/rows/1/match"), "exact");
    EXPECT_EQ(all.text("/rows/2/match"), "removed");
    EXPECT_EQ(all.number("/rows/1/self/0"), 90);
    EXPECT_EQ(all.number("/rows/1/self_before/0"), 40);
    EXPECT_EQ(all.number("/rows/1/called_before"), 2);
    EXPECT_EQ(all.number("/listed_self/0"), 155);
    EXPECT_EQ(all.number("/listed_self_before/0"), 52);
    EXPECT_EQ(all.number("/total_before/0"), 52);
}

TEST(Comparison, knows_a_function_that_is_gone_by_its_id) {
    Asking ask(renewed(), old_run);
    const auto id = ask(R"({"ask":"find","name":"gone","compare":true})").number("/id");
    EXPECT_LT(id, 0);
    const auto gone = ask(R"({"ask":"function","compare":true,"id":)" + std::to_string(id) + "}");
    EXPECT_EQ(gone.text("/function/name"), "gone");
    EXPECT_THAT(gone.names("/callers/rows"), ElementsAre("main"));
    EXPECT_EQ(gone.number("/callers/rows/0/cost/0"), 0);
    EXPECT_EQ(gone.number("/callers/rows/0/cost_before/0"), 7);
    EXPECT_EQ(ask(R"({"ask":"function","id":)" + std::to_string(id) + "}").error(), "unknown-function")
        << "without the other profile it is not there";
}

TEST(Comparison, says_why_a_call_costs_more) {
    Asking ask(renewed(), old_run);
    const auto main = ask(R"({"ask":"function","compare":true,"id":0})");
    EXPECT_THAT(main.names("/callees/rows"), ElementsAre("work", "fresh", "gone"));
    EXPECT_EQ(main.number("/callees/rows/0/count_before"), 2);
    EXPECT_EQ(main.number("/callees/rows/0/by_count"), 20);
    EXPECT_EQ(main.number("/callees/rows/0/by_cost"), 30);
}

TEST(Comparison, has_groups_of_both) {
    Asking ask(renewed(), old_run);
    const auto files = ask(R"({"ask":"groups","by":"file","compare":true,"sort":"self_change"})");
    EXPECT_THAT(files.names(), ElementsAre("new.c", "x.c"));
    EXPECT_EQ(files.number("/rows/0/self_before/0"), 0);
    EXPECT_EQ(files.number("/rows/1/self_before/0"), 52);
    EXPECT_THAT(
        ask(R"({"ask":"functions","compare":true,"sort":"name","group":{"by":"file","name":"x.c"}})").names(),
        ElementsAre("gone", "main", "work"));
}

// work: 30 of 50 for parse before, 60 of 100 after; the rest for other.
std::string shared_work(const std::string& cost_in_parse, const std::string& cost_of_work,
                        const std::string& calls) {
    return "cmd: ./p\nevents: Ir\nob=p\nfl=x.c\n"
           "fn=main\n1 5\ncfn=parse\ncalls=1 10\n2 " +
           std::to_string(std::stoi(cost_in_parse) + 7) +
           "\ncfn=other\ncalls=1 20\n3 20\n"
           "fn=parse\n10 4\ncfn=work\ncalls=" +
           calls + " 30\n11 " + cost_in_parse + "\ncfn=own\ncalls=" + calls +
           " 40\n12 3\n"
           "fn=other\ncfn=work\ncalls=2 30\n21 20\n"
           "fn=work\n30 " +
           cost_of_work + "\nfn=own\n40 3\n";
}

TEST(Comparison, has_what_a_filter_keeps_of_both) {
    Asking ask(shared_work("60", "80", "4"), shared_work("30", "50", "2"));
    const auto difference = ask(R"({"ask":"difference","compare":true,"focus":["function:parse"]})");
    EXPECT_EQ(difference.number("/total"), 92) << "of all functions";
    EXPECT_EQ(difference.number("/filtered/least"), 67) << "parse with its callees is exact";
    EXPECT_EQ(difference.number("/filtered/most"), 67);
    EXPECT_EQ(difference.number("/filtered_before/estimate"), 37);
    ASSERT_EQ(difference.number("/matching"), 1);
    EXPECT_EQ(difference.text("/changed/0/function/name"), "work");
    EXPECT_EQ(difference.number("/changed/0/function/self/0"), 60);
    EXPECT_EQ(difference.number("/changed/0/function/self_before/0"), 30);
    EXPECT_TRUE(difference.has("/changed/0/part"));
    EXPECT_FALSE(difference.has("/changed/0/lines")) << "they are those of all calls";
    EXPECT_FALSE(difference.has("/changed/0/by_count")) << "so is the number of calls";
    EXPECT_EQ(difference.size("/files/rows"), 0);
    EXPECT_EQ(ask(R"({"ask":"summary","compare":true,"focus":["function:parse"]})").size("/sentences"), 0);

    const auto ignoring = ask(R"({"ask":"difference","compare":true,"ignore":["function:parse"]})");
    EXPECT_EQ(ignoring.number("/filtered/estimate"), 25);
    EXPECT_EQ(ignoring.number("/filtered_before/estimate"), 25);
    EXPECT_EQ(ignoring.number("/matching"), 0) << "nothing else changed";
}

TEST(Comparison, lists_functions_that_a_filter_shows_whole) {
    Asking ask(renewed(), old_run);
    const auto difference = ask(R"({"ask":"difference","compare":true,"show":["work"]})");
    EXPECT_EQ(difference.number("/total"), 155);
    EXPECT_EQ(difference.number("/filtered/estimate"), 90);
    EXPECT_EQ(difference.number("/filtered_before/estimate"), 40);
    ASSERT_EQ(difference.number("/matching"), 1);
    EXPECT_FALSE(difference.has("/changed/0/part"));
    EXPECT_EQ(difference.number("/changed/0/by_count"), 20);
    EXPECT_EQ(difference.number("/added/matching"), 0);
    EXPECT_EQ(difference.number("/removed/matching"), 0);
    EXPECT_TRUE(ask(R"({"ask":"difference","compare":true})").is_null("/filtered"));
}

TEST(Comparison, of_different_units_is_refused) {
    const auto run = [](const std::string& unit) {
        return "events: Time hits\nevent: Time : time (" + unit + ")\nfn=main\n1 5 1\n";
    };
    Asking ask(run("us"), run("ns"));
    for (const char* question : {"difference", "functions", "summary"}) {
        const auto refused = ask(std::string(R"({"compare":true,"ask":")") + question + "\"}");
        EXPECT_EQ(refused.error(), "not-comparable") << question;
        EXPECT_EQ(refused.text("/error/message"),
                  "the profiles cannot be compared: Time is in ns before and in us after");
    }
    EXPECT_EQ(ask(R"({"ask":"profile"})").text("/before/problem"),
              "the profiles cannot be compared: Time is in ns before and in us after");
    EXPECT_EQ(ask(R"({"ask":"difference","compare":true,"event":"hits"})").number("/total"), 1);
    EXPECT_EQ(ask(R"({"ask":"functions"})").error(), "");
}

TEST(Comparison, is_explained) {
    Asking ask(renewed(), old_run);
    const auto difference = ask(R"({"ask":"difference","compare":true})");
    EXPECT_EQ(difference.number("/total"), 155);
    EXPECT_EQ(difference.number("/total_before"), 52);
    EXPECT_TRUE(difference.is_null("/comparable"));
    EXPECT_THAT(difference.names("/added/rows"), ElementsAre("fresh"));
    EXPECT_THAT(difference.names("/removed/rows"), ElementsAre("gone"));
    EXPECT_EQ(difference.text("/changed/1/function/name"), "work");
    EXPECT_EQ(difference.number("/changed/1/lines/0/line"), 10);
    EXPECT_EQ(difference.number("/changed/1/by_count"), 20);
}

// A function whose text and costs changed.
constexpr std::string_view text_before = R"(// x.c
int sum(int n)
{
    int total = 0;
    for (int i = 0; i < n; ++i)
        total += slow(i);
    check(total);
    return total;
}
int more;
)";
constexpr std::string_view text_after = R"(// x.c
// newer
int sum(int n)
{
    int total = 0;
    for (int i = 0; i < n; ++i)
        total += fast(i);
    note(n);
    note(total);
    return total;
}
)";
const std::string run_before =
    "events: Ir\nob=p\nfl=x.c\nfn=sum\n3 4\n4 1\n5 30\n6 100\n7 9\n8 2\n9 3\nfn=same\n10 1\n";
const std::string run_after =
    "events: Ir\nob=p\nfl=x.c\nfn=sum\n4 4\n5 1\n6 30\n7 40\n8 5\n9 6\n10 2\n11 3\nfn=same\n9 1\n";

Host with_texts(std::string_view before, std::string_view after, bool is_newer = false) {
    Host host;
    const auto of = [](std::string_view text, bool newer) {
        return [text, newer](std::string_view name) {
            SourceFile file;
            file.path = "/src/" + std::string(name);
            file.text = std::string(text);
            file.is_newer = newer;
            return file;
        };
    };
    host.source = of(after, false);
    host.source_before = of(before, is_newer);
    return host;
}

Answer changed_lines(Session& session, std::string_view name, const std::string& more = "") {
    const Answer found(
        session.answer(R"({"ask":"find","compare":true,"name":")" + std::string(name) + "\"}"));
    return Answer(session.answer(R"({"ask":"changed_lines","compare":true,"id":)" +
                                 std::to_string(found.number("/id")) + more + "}"));
}

std::vector<std::string> kinds(const Answer& lines) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < lines.size("/files/0/rows"); ++i)
        all.push_back(lines.text("/files/0/rows/" + std::to_string(i) + "/kind"));
    return all;
}

TEST(ChangedLines, stand_beside_each_other_by_their_texts) {
    Session session(profile_of(run_after), profile_of(run_before), with_texts(text_before, text_after));
    const auto lines = changed_lines(session, "sum", R"(,"context":1)");
    ASSERT_EQ(lines.size("/files"), 1U) << lines.json();
    EXPECT_TRUE(lines.at("/files/0/by_text")->GetBool());
    EXPECT_EQ(lines.number("/files/0/self"), 91);
    EXPECT_EQ(lines.number("/files/0/self_before"), 149);
    EXPECT_THAT(kinds(lines),
                ElementsAre("omitted", "same", "changed", "changed", "added", "same", "omitted"));
    EXPECT_EQ(lines.number("/files/0/rows/0/omitted"), 2) << "{ and total = 0, moved by one line";
    EXPECT_EQ(lines.number("/files/0/rows/1/line"), 6);
    EXPECT_EQ(lines.number("/files/0/rows/1/line_before"), 5);
    EXPECT_FALSE(lines.has("/files/0/rows/1/text_before")) << "the same";
    EXPECT_EQ(lines.text("/files/0/rows/2/text"), "        total += fast(i);");
    EXPECT_EQ(lines.text("/files/0/rows/2/text_before"), "        total += slow(i);");
    EXPECT_EQ(lines.number("/files/0/rows/2/self"), 40);
    EXPECT_EQ(lines.number("/files/0/rows/2/self_before"), 100);
    EXPECT_FALSE(lines.has("/files/0/rows/4/line_before"));
    EXPECT_FALSE(lines.has("/problem"));
}

TEST(ChangedLines, add_up_to_the_function_whatever_is_left_out) {
    Session session(profile_of(run_after), profile_of(run_before), with_texts(text_before, text_after));
    for (const std::string context : {"0", "1", "99"}) {
        const auto lines = changed_lines(session, "sum", R"(,"context":)" + context);
        std::int64_t after = 0, before = 0;
        for (std::size_t i = 0; i < lines.size("/files/0/rows"); ++i) {
            after += lines.number("/files/0/rows/" + std::to_string(i) + "/self");
            before += lines.number("/files/0/rows/" + std::to_string(i) + "/self_before");
        }
        EXPECT_EQ(after, 91) << context;
        EXPECT_EQ(before, 149) << context;
    }
    const auto cut = changed_lines(session, "sum", R"(,"limit":2)");
    EXPECT_EQ(cut.size("/files/0/rows"), 2U);
    EXPECT_GT(cut.number("/files/0/omitted_rows"), 0);
}

TEST(ChangedLines, are_those_of_the_function_alone) {
    // A line that cost nothing came from below the function behind it, which changed, too.
    Session session(profile_of("events: Ir\nfl=x.c\nfn=sum\n1 10\n2 5\n3 10\n4 10\n"),
                    profile_of("events: Ir\nfl=x.c\nfn=sum\n1 10\n2 10\n3 10\n"),
                    with_texts("first();\nsecond();\nthird();\nother(1);\nother(2);\nmoved();\n",
                               "first();\nmoved();\nsecond();\nthird();\nchanged(1);\nchanged(2);\n"));
    const auto lines = changed_lines(session, "sum", R"(,"context":99)");
    EXPECT_THAT(kinds(lines), testing::Not(testing::Contains("removed"))) << lines.json();
    std::int64_t after = 0, before = 0;
    for (std::size_t i = 0; i < lines.size("/files/0/rows"); ++i) {
        after += lines.number("/files/0/rows/" + std::to_string(i) + "/self");
        before += lines.number("/files/0/rows/" + std::to_string(i) + "/self_before");
    }
    EXPECT_EQ(after, 35);
    EXPECT_EQ(before, 30);
}

TEST(ChangedLines, are_only_numbers_where_a_text_is_not_the_one_that_was_measured) {
    Session newer(profile_of(run_after), profile_of(run_before), with_texts(text_before, text_after, true));
    const auto lines = changed_lines(newer, "sum");
    EXPECT_FALSE(lines.at("/files/0/by_text")->GetBool());
    EXPECT_EQ(lines.text("/problem/message"), "the source file is newer than the old profile");
    for (std::size_t i = 0; i < lines.size("/files/0/rows"); ++i)
        EXPECT_FALSE(lines.has("/files/0/rows/" + std::to_string(i) + "/text"));
    // Blank where there is a cost.
    Session wrong(profile_of(run_after), profile_of(run_before), with_texts("\n\n\n", text_after));
    EXPECT_FALSE(changed_lines(wrong, "sum").at("/files/0/by_text")->GetBool());
    Session without(profile_of(run_after), profile_of(run_before), {});
    EXPECT_EQ(changed_lines(without, "sum").text("/problem/message"), "source files are not available here");
}

TEST(ChangedLines, of_a_function_without_a_change_are_none) {
    Session session(profile_of(run_before), profile_of(run_before), with_texts(text_before, text_before));
    EXPECT_EQ(changed_lines(session, "sum").size("/files"), 0U);
    EXPECT_EQ(Answer(session.answer(R"({"ask":"changed_lines","id":0})")).error(), "bad-request");
    EXPECT_EQ(Answer(session.answer(R"({"ask":"changed_lines","compare":true,"id":99})")).error(),
              "unknown-function");
}

TEST(ChangedLines, of_numbers_beyond_any_text_take_no_time) {
    const std::string far = "events: Ir\nfl=x.c\nfn=sum\n";
    Session session(profile_of(far + "9000000000000000000 5\n"), profile_of(far + "3 4\n"),
                    with_texts(text_before, text_after));
    EXPECT_FALSE(changed_lines(session, "sum").at("/files/0/by_text")->GetBool());
}

// f went into main and g, half and half; both became cheaper besides.
const std::string not_inlined =
    "events: Ir\nob=p\nfl=a.c\nfn=main\n1 100\ncfn=f\ncalls=9 5\n2 50\ncfn=g\ncalls=1 20\n3 150\n"
    "fn=g\n20 100\ncfn=f\ncalls=9 5\n21 50\nfn=f\n5 100\nfn=other\n9 7\n";
const std::string inlined_in_both =
    "events: Ir\nob=p\nfl=a.c\nfn=main\n1 95\n5 50\ncfn=g\ncalls=1 20\n3 145\n"
    "fn=g\n20 96\n5 49\nfn=other\n9 8\n";

std::int64_t sum_of_changes(const Answer& answer) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < answer.size("/changed"); ++i) {
        const auto row = "/changed/" + std::to_string(i);
        const bool is_net = answer.has(row + "/net");
        sum += answer.number(row + (is_net ? "/net" : "/function/self/0")) -
               answer.number(row + (is_net ? "/net_before" : "/function/self_before/0"));
    }
    return sum;
}

TEST(Difference, is_net_of_code_that_was_inlined) {
    Asking ask(inlined_in_both, not_inlined);
    const auto net = ask(R"({"ask":"difference","compare":true,"net":true})");
    ASSERT_EQ(net.size("/inlined/rows"), 1U) << net.json();
    EXPECT_EQ(net.number("/matching"), 3) << "without f";
    EXPECT_EQ(net.number("/decreased"), 2);
    EXPECT_EQ(net.text("/changed/0/function/name"), "g");
    EXPECT_EQ(net.number("/changed/0/net"), 145);
    EXPECT_EQ(net.number("/changed/0/net_before"), 150);
    EXPECT_EQ(net.text("/changed/1/function/name"), "main");
    EXPECT_FALSE(net.has("/changed/2/net")) << "nothing moved to it";
    EXPECT_EQ(net.size("/removed/rows"), 0U);
    const auto raw = ask(R"({"ask":"difference","compare":true})");
    EXPECT_EQ(raw.number("/matching"), 4);
    EXPECT_EQ(raw.text("/changed/0/function/name"), "f");
    EXPECT_THAT(raw.names("/removed/rows"), ElementsAre("f"));
    for (const auto* answer : {&net, &raw})
        EXPECT_EQ(sum_of_changes(*answer), answer->number("/total") - answer->number("/total_before"));
}

TEST(Difference, is_net_of_code_that_was_outlined) {
    Asking ask(not_inlined, inlined_in_both);
    const auto net = ask(R"({"ask":"difference","compare":true,"net":true})");
    ASSERT_EQ(net.size("/inlined/rows"), 1U) << net.json();
    EXPECT_EQ(net.size("/added/rows"), 0U);
    EXPECT_EQ(net.number("/changed/0/net"), 150);
    EXPECT_EQ(sum_of_changes(net), net.number("/total") - net.number("/total_before"));
}

TEST(Comparison, of_a_profile_with_itself_finds_nothing) {
    Asking ask(old_run, old_run);
    const auto difference = ask(R"({"ask":"difference","compare":true})");
    for (const auto* list : {"/changed", "/added/rows", "/removed/rows", "/renamed/rows", "/inlined/rows"})
        EXPECT_EQ(difference.size(list), 0U) << list;
    const auto all = ask(R"({"ask":"functions","compare":true})");
    EXPECT_EQ(all.number("/rows/0/self/0"), all.number("/rows/0/self_before/0"));
}

TEST(Comparison, of_different_commands_is_said_to_be_that) {
    Asking ask("cmd: ./q\nevents: Ir\nfl=x.c\nfn=f\n1 1\n", old_run);
    EXPECT_EQ(ask(R"({"ask":"difference","compare":true})").text("/comparable/command_before"), "./p");
}

TEST(Comparison, of_one_command_in_two_directories_is_comparable) {
    Asking ask("cmd: /tmp/p-1.1/p a/in.txt\nevents: Ir\nfl=x.c\nfn=f\n1 1\n",
               "cmd: ./p in.txt\nevents: Ir\nfl=x.c\nfn=f\n1 1\n");
    EXPECT_TRUE(ask(R"({"ask":"difference","compare":true})").is_null("/comparable"));
}

TEST(Comparison, has_columns_that_only_one_profile_has) {
    Asking ask(renewed(), old_run);
    const auto both = ask(R"({"ask":"functions","compare":true,"columns":["Ir","Dr"],"sort":"name"})");
    EXPECT_EQ(both.text("/rows/2/name"), "main");
    EXPECT_EQ(both.number("/rows/3/self_before/1"), 4);
    EXPECT_TRUE(both.is_null("/rows/3/self/1")) << "none, not nothing";
    EXPECT_TRUE(both.is_null("/rows/3/inclusive/1"));
    EXPECT_TRUE(both.is_null("/base/1"));
    EXPECT_EQ(ask(R"({"ask":"functions","compare":true,"event":"Dr"})").error(), "unknown-event");
}

TEST(Comparison, measures_both_by_the_same) {
    Asking ask("events: Ir Dr\nfl=x.c\nfn=f\n1 7 1\n", "events: Ir Dr\nfl=x.c\nfn=f\n1 0 4\n");
    const auto all = ask(R"({"ask":"functions","compare":true})");
    EXPECT_EQ(all.number("/rows/0/self/0"), 7);
    EXPECT_EQ(all.number("/rows/0/self_before/0"), 0) << "though the one before is measured by Dr, alone";
    EXPECT_EQ(all.number("/total_before/0"), 0);
    const auto other = ask(R"({"ask":"functions","compare":true,"event":"Bc"})");
    EXPECT_EQ(other.text("/error/message"), "the profile has no event type 'Bc'");
    Asking less("events: Ir Dr\nfl=x.c\nfn=f\n1 7 1\n", "events: Ir\nfl=x.c\nfn=f\n1 1\n");
    const auto missing = less(R"({"ask":"functions","compare":true,"event":"Dr"})");
    EXPECT_EQ(missing.text("/error/message"), "the old profile has no event type 'Dr'");
}

TEST(Comparison, has_null_where_an_event_type_has_no_costs_before) {
    Asking ask(old_run, renewed());
    const auto main = ask(R"({"ask":"function","compare":true,"columns":["Ir","Dr"],"id":0})");
    EXPECT_EQ(main.text("/events/1/name"), "Dr");
    EXPECT_EQ(main.number("/events/1/self"), 0);
    EXPECT_TRUE(main.is_null("/events/1/self_before"));
    EXPECT_TRUE(main.is_null("/events/1/inclusive_before"));
    EXPECT_TRUE(main.is_null("/function/self_before/1"));
    EXPECT_TRUE(main.is_null("/callees/rows/0/cost_before/1"));
}

TEST(Comparison, knows_what_a_call_cost_before) {
    Asking ask(renewed(), old_run);
    const auto rows = ask(R"({"ask":"functions","compare":true,"sort":"name"})");
    EXPECT_EQ(rows.at("/rows/3/per_call")->GetDouble(), 30.0) << rows.text("/rows/3/name");
    EXPECT_EQ(rows.at("/rows/3/per_call_before")->GetDouble(), 20.0);
    EXPECT_TRUE(rows.is_null("/rows/0/per_call_before")) << "there was no call of fresh";
}

TEST(Comparison, says_how_much_longer_its_lists_are) {
    std::string before = "events: Ir\nob=p\nfl=x.c\nfn=f\n";
    std::string after = before;
    for (int line = 1; line <= 30; ++line) {
        before += std::to_string(line) + " 1000\n";
        after += std::to_string(line) + " " + std::to_string(1000 + line) + "\n";
    }
    Asking ask(after + "fn=g\n99 5\nfl=y.c\nfn=h\n1 1\n", before + "fn=g\n99 7\nfl=y.c\nfn=h\n1 2\n");
    const auto difference = ask(R"({"ask":"difference","compare":true,"limit":1})");
    EXPECT_EQ(difference.number("/matching"), 3);
    EXPECT_EQ(difference.number("/increased"), 1);
    EXPECT_EQ(difference.number("/decreased"), 2);
    EXPECT_EQ(difference.size("/changed/0/lines"), 20U);
    EXPECT_EQ(difference.number("/changed/0/omitted_lines"), 10);
    EXPECT_EQ(difference.number("/files/matching"), 2);
    EXPECT_EQ(difference.size("/files/rows"), 1U);
    EXPECT_EQ(difference.number("/objects/matching"), 1);
    EXPECT_EQ(difference.number("/renamed/matching"), 0);
    EXPECT_EQ(difference.number("/inlined/matching"), 0);
}

TEST(Comparison, has_bounds_of_both_where_filters_keep_a_part) {
    // leaf is called by main, too: how much of what it spends itself the focus keeps is not known.
    const std::string shared =
        "events: Ir\nob=p\nfl=x.c\nfn=main\n1 5\ncfn=work\ncalls=1 10\n2 90\ncfn=leaf\ncalls=1 20\n3 30\n"
        "fn=work\n10 20\ncfn=leaf\ncalls=2 20\n11 70\nfl=y.c\nfn=leaf\n20 60\n"
        "cfn=under\ncalls=3 30\n21 40\nfn=under\n30 40\n";
    Asking ask(shared, shared);
    const auto kept = [](const std::string& of) {
        return R"({"ask":")" + of + R"(,"sort":"name","compare":true,"focus":["function:work"]})";
    };
    const auto functions = ask(kept("functions\""));
    EXPECT_THAT(functions.names(), ElementsAre("leaf", "under", "work"));
    for (const std::string suffix : {"", "_before"}) {
        EXPECT_EQ(functions.number("/rows/0/self" + suffix + "/0"), 42) << "70 of 100 arrive from work";
        EXPECT_EQ(functions.number("/rows/0/self_bounds" + suffix + "/0/0"), 30);
        EXPECT_EQ(functions.number("/rows/0/self_bounds" + suffix + "/0/1"), 60);
        EXPECT_EQ(functions.number("/rows/0/inclusive" + suffix + "/0"), 70);
        EXPECT_FALSE(functions.has("/rows/0/inclusive_bounds" + suffix)) << "what work paid";
        EXPECT_FALSE(functions.has("/rows/2/self_bounds" + suffix));
    }
    const auto groups = ask(kept("groups\",\"by\":\"file\""));
    EXPECT_THAT(groups.names(), ElementsAre("x.c", "y.c"));
    EXPECT_EQ(groups.number("/rows/0/self/0"), 20) << "without main, which the filter leaves out";
    EXPECT_FALSE(groups.has("/rows/0/self_bounds"));
    EXPECT_EQ(groups.number("/rows/1/self/0"), 70);
    EXPECT_EQ(groups.number("/rows/1/self_bounds_before/0/1"), 90) << "the most that work spends in all";
}

TEST(Comparison, knows_the_places_of_all_calls_that_nothing_tells_apart) {
    const auto profile = [](const std::vector<std::string>& costs) {
        std::string text = "events: Ir\nob=p\nfl=x.c\n";
        for (std::size_t i = 0; i < costs.size(); ++i)
            text += "fn={lambda()#" + std::to_string(i + 1) + "}\n1 " + costs[i] + "\ncfn=leaf\ncalls=1 9\n" +
                    std::to_string(i + 2) + " 5\n";
        return text + "fn=leaf\n9 " + std::to_string(5 * costs.size()) + "\n";
    };
    Asking ask(profile({"15", "14", "15"}), profile({"10", "20"}));
    const auto id = std::to_string(ask(R"({"ask":"find","name":"leaf"})").number("/id"));
    const auto leaf = ask(R"({"ask":"function","compare":true,"sites":true,"id":)" + id + "}");
    ASSERT_EQ(leaf.size("/callers/rows"), 1U) << leaf.json();
    EXPECT_EQ(leaf.number("/callers/rows/0/cost/0"), 15);
    EXPECT_EQ(leaf.size("/callers/rows/0/sites"), 3U);
}

// The last event type is a time per hit.
const std::string with_a_ratio =
    "event: usphit :microseconds/hit\nevents: hits us usphit\nfl=x.py\nfn=main\n1 1 5 5\ncfn=f\ncalls=2 "
    "3\n2 4 8 2\ncfn=g\ncalls=1 5\n2 2 8 2\nfn=f\n3 4 8 2\nfn=g\n5 2 8 4\n";

TEST(NotAdditive, has_no_sums) {
    Asking ask("creator: pprofile\n" + with_a_ratio,
               "creator: pprofile\n" + with_a_ratio + "fn=h\n9 1 3 3\n");
    EXPECT_TRUE(ask(R"({"ask":"profile"})").is_null("/events/2/total"));
    const auto parts = ask(R"({"ask":"parts","columns":["us","usphit"],"id":0})");
    EXPECT_EQ(parts.number("/total/0"), 21);
    EXPECT_TRUE(parts.is_null("/total/1"));
    EXPECT_TRUE(parts.is_null("/selected/1"));
    EXPECT_TRUE(parts.is_null("/rows/0/self/1"));
    EXPECT_EQ(parts.number("/rows/0/function/self/1"), 5) << "that is no sum";
    const auto main = ask(R"({"ask":"function","event":"usphit","limit":1,"id":0})");
    EXPECT_EQ(main.number("/callees/omitted_rows"), 1);
    EXPECT_TRUE(main.is_null("/callees/omitted_cost"));
    EXPECT_TRUE(main.is_null("/callees/rows/0/per_call"));
    const auto difference = ask(R"({"ask":"difference","compare":true,"event":"usphit"})");
    EXPECT_TRUE(difference.is_null("/total"));
    EXPECT_TRUE(difference.is_null("/total_before"));
    EXPECT_THAT(difference.names("/removed/rows"), ElementsAre("h"));
    EXPECT_EQ(difference.size("/files/rows"), 0U);
}

TEST(RequestErrors, say_what_is_wrong) {
    Asking ask(old_run);
    EXPECT_EQ(ask("[[").error(), "bad-request");
    EXPECT_EQ(ask("[]").error(), "bad-request");
    EXPECT_EQ(ask(std::string(R"({"ask":"profile"})") + '\0' + "garbage").error(), "bad-request");
    EXPECT_EQ(ask("{}").error(), "unknown-question");
    EXPECT_EQ(ask(R"({"ask":"nonsense"})").error(), "unknown-question");
    EXPECT_EQ(ask(R"({"ask":7})").error(), "bad-request");
    EXPECT_EQ(ask(R"({"ask":"functions","limit":-1})").error(), "bad-request");
    EXPECT_EQ(ask(R"({"ask":"functions","limit":1e99})").error(), "bad-request");
    EXPECT_EQ(ask(R"({"ask":"functions","sort":"colour"})").error(), "bad-request");
    EXPECT_EQ(ask(R"({"ask":"functions","event":"Xy"})").error(), "unknown-event");
    EXPECT_EQ(ask(R"({"ask":"functions","search":"/(/"})").text("/error/member"), "search");
    EXPECT_EQ(ask(R"({"ask":"search","text":"/(/"})").text("/error/member"), "text");
    const auto formula = ask(R"({"ask":"functions","event":"Ir + + 2"})");
    EXPECT_EQ(formula.error(), "bad-formula");
    EXPECT_GT(formula.number("/error/column"), 1);
    EXPECT_EQ(ask(R"({"ask":"functions","parts":[7]})").error(), "no-such-part");
    EXPECT_EQ(ask(R"({"ask":"functions","parts":["7"]})").error(), "bad-request");
    EXPECT_EQ(ask(R"({"ask":"functions","compare":true})").error(), "nothing-to-compare");
    EXPECT_EQ(ask(R"({"ask":"function"})").error(), "unknown-function");
    EXPECT_EQ(ask(R"({"ask":"function","id":99})").error(), "unknown-function");
    EXPECT_EQ(ask(R"({"ask":"functions","sort":"self_change"})").error(), "bad-request");
    EXPECT_EQ(ask(R"({"ask":"difference"})").error(), "bad-request");
}

TEST(RequestErrors, meet_questions_that_nest_without_end_or_are_too_long) {
    Asking ask(old_run);
    EXPECT_EQ(ask(std::string(500'000, '[')).error(), "bad-request");
    EXPECT_EQ(ask(R"({"ask":"functions","x":)" + std::string(250'000, '[') + std::string(250'000, ']') + "}")
                  .error(),
              "bad-request");
    EXPECT_EQ(ask(R"({"ask":")" + std::string(2'000'000, 'x') + "\"}").error(), "too-large");
    EXPECT_EQ(ask("{\"ask\":\"\xff\"}").error(), "bad-request");
}

TEST(ProfileAnswer, says_what_was_read) {
    Asking ask(renewed(), old_run);
    const auto profile = ask(R"({"ask":"profile"})");
    EXPECT_EQ(profile.number("/protocol"), 1);
    EXPECT_EQ(profile.text("/title"), "./p");
    EXPECT_EQ(profile.text("/files/0/name"), "test.out");
    EXPECT_EQ(profile.text("/events/0/name"), "Ir");
    EXPECT_EQ(profile.number("/events/0/total"), 155);
    EXPECT_EQ(profile.number("/counts/functions"), 3);
    EXPECT_TRUE(profile.at("/has/calls")->GetBool());
    EXPECT_TRUE(profile.at("/has/lines")->GetBool());
    EXPECT_FALSE(profile.at("/has/instructions")->GetBool());
    EXPECT_EQ(profile.number("/before/events/1/total"), 4);
}

TEST(ProfileAnswer, holds_the_diagnostics_with_their_places) {
    Asking ask("events: Ir\nfl=x.c\nfn=f\n1 1\nwhat is this\n");
    const auto profile = ask(R"({"ask":"profile"})");
    EXPECT_EQ(profile.number("/diagnostics/errors"), 1);
    EXPECT_EQ(profile.text("/diagnostics/rows/0/id"), "unknown-line");
    EXPECT_EQ(profile.number("/diagnostics/rows/0/line"), 5);
    EXPECT_EQ(profile.text("/diagnostics/rows/0/file"), "test.out");
}

TEST(ProfileAnswer, counts_every_diagnostic_once) {
    std::string text = "events: Ir\nfl=x.c\nfn=f\n1 1\n";
    for (int i = 0; i < 35; ++i) text += "what is this\n";
    Asking ask(text);
    const auto profile = ask(R"({"ask":"profile"})");
    EXPECT_EQ(profile.number("/diagnostics/errors"), 35);
    std::int64_t counted = profile.number("/diagnostics/omitted");
    const auto rows = profile.size("/diagnostics/rows");
    for (std::size_t row = 0; row < rows; ++row)
        counted += profile.number("/diagnostics/rows/" + std::to_string(row) + "/count");
    EXPECT_EQ(profile.number("/diagnostics/rows/0/count"), 1);
    EXPECT_GT(profile.number("/diagnostics/rows/" + std::to_string(rows - 1) + "/count"), 1);
    EXPECT_EQ(counted, 35);
}

TEST(ExportAnswer, hands_a_file_over_in_base64) {
    std::string bytes = "ab\xff";
    Host host;
    host.formats = {"folded"};
    host.write = [&](std::string_view format, Build, const CallGraph& graph, const StacksOfSources&,
                     const Measure& measure) {
        return ExportedFile{std::string(format) + ".txt", "text/plain",
                            bytes + measure.name + std::to_string(graph.size())};
    };
    Session session(profile_of(old_run), std::nullopt, host);
    const Answer file(session.answer(R"({"ask":"export","format":"folded"})"));
    EXPECT_EQ(file.text("/name"), "folded.txt");
    EXPECT_EQ(file.text("/base64"), "YWL/SXIz");
    bytes = "a";
    EXPECT_EQ(Answer(session.answer(R"({"ask":"export","format":"folded"})")).text("/base64"), "YUlyMw==");
    bytes = "";
    EXPECT_EQ(Answer(session.answer(R"({"ask":"export","format":"folded","event":"Ir + Dr"})"))
                  .text("/base64")
                  .size(),
              12U);
    EXPECT_EQ(Answer(session.answer(R"({"ask":"export","format":"exe"})")).error(), "bad-request");
    constexpr auto of_before = R"({"ask":"export","format":"folded","compare":true,"of_before":true})";
    EXPECT_EQ(Answer(session.answer(of_before)).error(), "nothing-to-compare");
    EXPECT_EQ(Answer(session.answer(R"({"ask":"export","format":"folded","of_before":true})")).error(),
              "bad-request");

    host.write = [&](std::string_view, Build, const CallGraph& graph, const StacksOfSources&,
                     const Measure&) {
        return ExportedFile{"", "", std::string(graph.profile().sources().front().name)};
    };
    Session both(*read_profile(from_memory(renewed(), "new")), *read_profile(from_memory(old_run, "old")),
                 host);
    EXPECT_EQ(Answer(both.answer(of_before)).text("/base64"), "b2xk");  // old
}

TEST(Comparison, has_no_formulas_that_are_made_of_something_else_before) {
    Asking ask("events: Ir Ge\nfn=f\n1 10 3\n", std::string("events: Ir\nfn=f\n1 10\n"));
    const auto found = ask(R"({"ask":"functions","compare":true,"columns":["Ir","CEst"]})");
    EXPECT_EQ(found.number("/rows/0/self/1"), 70);
    EXPECT_EQ(found.number("/rows/0/self_before/0"), 10);
    EXPECT_TRUE(found.is_null("/rows/0/self_before/1"));
    EXPECT_EQ(ask(R"({"ask":"functions","compare":true,"event":"CEst"})").error(), "unknown-event");
    EXPECT_TRUE(ask(R"({"ask":"function","id":0,"compare":true})").is_null("/events/2/self_before"));
}

TEST(Answer, that_would_be_too_large_is_refused) {
    std::string text = "events: Ir\nfl=" + std::string(1'000'000, 'f') + "\n";
    for (int i = 0; i < 300; ++i) text += "fn=f" + std::to_string(i) + "\n1 1\n";
    Session session(profile_of(text), std::nullopt, {});
    EXPECT_EQ(Answer(session.answer(R"({"ask":"functions","limit":300})")).error(), "too-large");
    EXPECT_EQ(Answer(session.answer(R"({"ask":"functions","limit":5})")).error(), "");
}

TEST(PartsAnswer, has_every_part_and_a_selection_restricts_the_rest) {
    const std::string two =
        "version: 1\nevents: Ir\npart: 1\nfl=x.c\nfn=f\n1 1\ntotals: 1\n\n"
        "part: 2\nfl=x.c\nfn=g\n1 20\ntotals: 20\n";
    Asking ask(two);
    const auto parts = ask(R"({"ask":"parts","parts":[2]})");
    ASSERT_EQ(parts.size("/rows"), 2U);
    EXPECT_EQ(parts.number("/rows/1/self/0"), 20);
    EXPECT_FALSE(parts.at("/rows/0/selected")->GetBool());
    EXPECT_TRUE(parts.at("/rows/1/selected")->GetBool());
    EXPECT_EQ(ask(R"({"ask":"functions","parts":[2]})").number("/total/0"), 20);
}

TEST(Comparison, is_by_a_built_in_formula_of_which_both_have_the_same) {
    const std::string before = "events: Ir Bc Bcm\nfn=f\n1 10 5 2\n",
                      after = "events: Ir Bc Bcm\nfn=f\n1 20 5 1\n";
    Asking ask(after, before);
    for (const std::string ask_for : {"functions", "difference"}) {
        const auto answer = ask(R"({"ask":")" + ask_for + R"(","compare":true,"event":"CEst"})");
        EXPECT_EQ(answer.error(), "") << "Ge and L2m are in neither";
    }
    const auto list = ask(R"({"ask":"functions","compare":true,"event":"CEst"})");
    EXPECT_EQ(list.number("/rows/0/self/0"), 30);
    EXPECT_EQ(list.number("/rows/0/self_before/0"), 30);
}

TEST(Comparison, groups_of_a_program_that_was_built_elsewhere_are_the_same) {
    const auto built_in = [](const std::string& place, const std::string& cost) {
        return "events: Ir\nob=" + place + "/prog\nfl=" + place + "/a.c\nfn=f\n1 " + cost +
               "\nfn=g\n2 1\nfl=" + place + "/b.c\nfn=h\n1 5\nob=/lib/libc.so\nfl=c.c\nfn=only_here\n1 1\n";
    };
    Asking ask(built_in("/new", "30"), built_in("/old", "10") + "ob=/old/prog\nfl=/old/a.c\nfn=gone\n1 3\n");
    for (const std::string by : {"object", "file", "directory"}) {
        const auto groups = ask(R"({"ask":"groups","compare":true,"sort":"self","by":")" + by + "\"}");
        EXPECT_EQ(groups.number("/matching"), by == "file" ? 3 : 2) << by;
        EXPECT_EQ(groups.number("/rows/0/self/0"), by == "file" ? 31 : 36);
        EXPECT_EQ(groups.number("/rows/0/self_before/0"), by == "file" ? 14 : 19);
        const auto members = ask(R"({"ask":"functions","compare":true,"sort":"name","group":{"by":")" + by +
                                 R"(","name":")" + groups.text("/rows/0/name") + "\"}}");
        auto names = members.names();
        if (by != "file") {
            EXPECT_EQ(names.back(), "h");
            names.pop_back();
        }
        EXPECT_THAT(names, ElementsAre("f", "g", "gone")) << by;
    }
}

}  // namespace
}  // namespace callcost::engine
