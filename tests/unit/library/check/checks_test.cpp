#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/library/call_graph/questions.hpp"
#include <callcost/check.hpp>

namespace callcost::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

/// What `check` makes of a file, whose bytes come in pieces of this size.
FileReport report_on(std::string_view text, std::size_t piece = 7) {
    const Profile profile = profile_of(text);
    std::vector<Spelling> spellings;
    spellings.emplace_back();
    for (std::size_t at = 0; at < text.size(); at += piece) spellings[0].take(text.substr(at, piece));
    spellings[0].finish();
    const CallGraph graph = graph_of(profile);
    std::vector<Diagnostic> diagnostics(profile.diagnostics().begin(), profile.diagnostics().end());
    for (const auto& more : analysis_diagnostics(graph)) diagnostics.push_back(more);
    return check_profile(graph, diagnostics, spellings);
}

Check check_of(std::string_view text, CheckId id) {
    return report_on(text).checks.at(static_cast<std::size_t>(id));
}
Verdict verdict_on(std::string_view text, CheckId id) { return check_of(text, id).verdict; }

std::vector<Trait> hindrances(std::string_view text, Reader reader) {
    std::vector<Trait> found;
    const FileReport report = report_on(text);
    for (const auto& hindrance : report.readers.at(static_cast<std::size_t>(reader)).hindrances)
        found.push_back(hindrance.trait);
    return found;
}

// A sound file: main calls f.
const std::string sound =
    "# callgrind format\nversion: 1\ncreator: test\ncmd: test\npositions: line\nevents: Ir\n"
    "summary: 30\n\nfl=(1) a.c\nfn=(1) main\n1 10\ncfn=(2) f\ncalls=2 5\n2 20\n\nfn=(2)\n5 20\n\ntotals: "
    "30\n";

/// The sound file with one piece of it replaced.
std::string with(const std::string& piece, const std::string& replacement) {
    std::string text = sound;
    const std::size_t at = text.find(piece);
    EXPECT_NE(at, std::string::npos) << piece;
    return text.replace(at, piece.size(), replacement);
}

TEST(Checks, all_hold_in_a_sound_file_that_every_reader_reads_right) {
    const FileReport report = report_on(sound);
    ASSERT_EQ(report.checks.size(), check_count);
    for (const Check& check : report.checks) {
        EXPECT_EQ(check.count, 0U) << kind_of(check.id).number;
        EXPECT_TRUE(check.verdict == Verdict::holds || check.verdict == Verdict::not_applicable);
    }
    for (const ReaderReport& reader : report.readers)
        EXPECT_THAT(reader.hindrances, IsEmpty()) << to_string(reader.reader);
    EXPECT_EQ(report.producer, "");
}

TEST(Checks, are_numbered_and_named_in_order) {
    for (std::size_t i = 0; i < check_count; ++i) {
        EXPECT_EQ(kind_of(static_cast<CheckId>(i)).number, "C" + std::to_string(i + 1));
        EXPECT_NE(kind_of(static_cast<CheckId>(i)).name, "");
    }
}

TEST(Checks, habits_of_the_first_xdebugs_are_usual) {
    const FileReport report = report_on(
        "version: 0.9.6\ncmd: /x.php\npart: 1\n\nevents: Time Memory\n\nfl=/lib.php\nfn=f\n5 40 -300\n\n"
        "fl=/x.php\nfn={main}\n\nsummary: 503 44000\n\n1 100 700\ncfn=f\ncalls=1 0 0\n4 40 -300\n");
    EXPECT_EQ(report.producer, "Xdebug");
    EXPECT_FALSE(report.producer_is_guess);
    for (const Check& check : report.checks)
        EXPECT_NE(check.verdict, Verdict::broken) << kind_of(check.id).number;
}

TEST(Checks, undefined_functions_are_one_obstacle) {
    const auto found = hindrances("events: Ir\nfl=a\nfn=(1)\n1 5\ncfn=(2)\ncalls=1 1\n2 5\nfn=(2)\n1 5\n",
                                  Reader::callgrind_annotate);
    EXPECT_EQ(std::count(found.begin(), found.end(), Trait::undefined_functions), 1);
    EXPECT_EQ(std::count(found.begin(), found.end(), Trait::id_undefined), 0);
}

TEST(Checks, nothing_follows_from_a_guess) {
    const FileReport report = report_on("events: cpu(ms)\nfn=f\n5 40\ncfn=g\ncalls=0 1\n6 2\nfn=g\n1 2\n");
    EXPECT_EQ(report.producer, "Go's pprof");
    EXPECT_TRUE(report.producer_is_guess);
    EXPECT_EQ(report.checks[static_cast<std::size_t>(CheckId::counts_known)].verdict, Verdict::broken);
}

TEST(Checks, C1_totals_that_are_no_sums_are_an_error_with_a_place) {
    const Check check = check_of(with("totals: 30", "totals: 31"), CheckId::totals_are_sums);
    EXPECT_EQ(check.verdict, Verdict::broken);
    EXPECT_EQ(severity_of(check), Severity::error);
    ASSERT_EQ(check.breaches.size(), 1U);
    EXPECT_EQ(check.breaches[0].place.line, 19U);
    EXPECT_EQ(check.breaches[0].event, "Ir");
    EXPECT_EQ(check.breaches[0].stated, 31);
    EXPECT_EQ(check.breaches[0].found, 30);
    EXPECT_EQ(verdict_on(with("totals: 30\n", ""), CheckId::totals_are_sums), Verdict::not_applicable);
    EXPECT_EQ(verdict_on(with("totals: 30", "totals: (null)"), CheckId::totals_are_sums),
              Verdict::not_applicable);
    EXPECT_EQ(verdict_on("creator: stackprof\nevents: Ir\nfn=f\n1 2\ntotals: 3\n", CheckId::totals_are_sums),
              Verdict::expected);
}

TEST(Checks, C1_knows_the_line_of_every_part) {
    const Check check =
        check_of("events: Ir\npart: 1\nfn=f\n1 2\ntotals: 2\n\npart: 2\nevents: Ir\nfn=f\n1 2\ntotals: 5\n",
                 CheckId::totals_are_sums);
    ASSERT_EQ(check.breaches.size(), 1U);
    EXPECT_EQ(check.breaches[0].subject, "part 2");
    EXPECT_EQ(check.breaches[0].place.line, 11U);
}

TEST(Checks, C2_the_summary_of_cachegrind_is_the_sum_and_last) {
    const std::string file = "cmd: a\nevents: Ir\nfl=a\nfn=f\n1 2\n";
    EXPECT_EQ(verdict_on(file + "summary: 2\n", CheckId::cachegrind_summary), Verdict::holds);
    EXPECT_EQ(verdict_on(file + "summary: 3\n", CheckId::cachegrind_summary), Verdict::broken);
    EXPECT_EQ(verdict_on(file + "summary: 4\n2 2\n", CheckId::cachegrind_summary), Verdict::broken);
    EXPECT_EQ(verdict_on(file, CheckId::cachegrind_summary), Verdict::broken);
    EXPECT_EQ(severity_of(check_of(file, CheckId::cachegrind_summary)), Severity::error);
    EXPECT_EQ(verdict_on(sound, CheckId::cachegrind_summary), Verdict::not_applicable);
}

TEST(Checks, C2_a_second_summary_is_one_too_many) {  // F83
    const Check check = check_of("cmd: a\nevents: Ir\nfl=a\nfn=f\nsummary: 2\n1 2\nsummary: 2\n",
                                 CheckId::cachegrind_summary);
    EXPECT_EQ(check.verdict, Verdict::broken);
    EXPECT_EQ(check.count, 1U);
    ASSERT_EQ(check.breaches.size(), 1U);
    EXPECT_EQ(check.breaches[0].place.line, 5U);
}

TEST(Checks, C3_ids_are_defined) {
    EXPECT_EQ(verdict_on(with("fn=(2)\n", "fn=(3)\n"), CheckId::ids_defined), Verdict::broken);
    EXPECT_EQ(verdict_on("creator: yappi\nevents: Ticks\nfn=(3)\n1 2\n", CheckId::ids_defined),
              Verdict::expected);
}

TEST(Checks, C4_ids_have_one_name) {
    const Check check = check_of(with("fn=(2)\n", "fn=(2) g\n"), CheckId::ids_unique);
    EXPECT_EQ(check.verdict, Verdict::broken);
    EXPECT_EQ(severity_of(check), Severity::error);
    EXPECT_EQ(verdict_on(with("fn=(2)\n", "fn=(2) f\n"), CheckId::ids_unique), Verdict::holds);
}

TEST(Checks, C5_the_summary_is_not_below_the_sum_and_hardly_above) {
    EXPECT_EQ(verdict_on(with("summary: 30", "summary: 42"), CheckId::summary_covers_totals), Verdict::holds);
    EXPECT_EQ(verdict_on(with("summary: 30", "summary: 29"), CheckId::summary_covers_totals),
              Verdict::broken);
    EXPECT_EQ(verdict_on(with("summary: 30", "summary: 5000"), CheckId::summary_covers_totals),
              Verdict::broken);
    EXPECT_EQ(verdict_on(with("summary: 30\n", ""), CheckId::summary_covers_totals), Verdict::not_applicable);
}

TEST(Checks, C6_and_C8_what_callers_pay_is_what_a_function_costs) {
    const std::string file = with("2 20\n", "2 25\n");
    const Check balance = check_of(file, CheckId::functions_balance);
    EXPECT_EQ(balance.verdict, Verdict::broken);
    ASSERT_EQ(balance.breaches.size(), 1U);
    EXPECT_EQ(balance.breaches[0].subject, "f");
    EXPECT_EQ(balance.breaches[0].stated, 25);
    EXPECT_EQ(balance.breaches[0].found, 20);
    EXPECT_EQ(verdict_on(file, CheckId::arcs_within_callee), Verdict::broken);
    EXPECT_EQ(verdict_on(with("2 20\n", "2 15\n"), CheckId::arcs_within_callee), Verdict::holds);
    EXPECT_EQ(verdict_on(with("2 20\n", "2 0\n"), CheckId::functions_balance), Verdict::broken);
}

TEST(Checks, C6_direct_recursion_counts_for_nobody) {
    EXPECT_EQ(verdict_on(with("5 20\n", "5 20\ncfn=(2)\ncalls=3 5\n6 18\n"), CheckId::functions_balance),
              Verdict::holds);
}

TEST(Checks, C7_a_cycle_balances_as_a_whole) {
    const std::string cycle =
        "fn=main\n1 1\ncfn=a\ncalls=1 1\n1 9\n\nfn=a\n1 4\ncfn=b\ncalls=1 1\n1 7\n\nfn=b\n1 "
        "5\ncfn=a\ncalls=1 "
        "1\n1 2\n";
    EXPECT_EQ(verdict_on("events: Ir\n" + cycle, CheckId::cycles_balance), Verdict::holds);
    EXPECT_EQ(verdict_on("events: Ir\n" + cycle + "3 1\n", CheckId::cycles_balance), Verdict::broken);
    EXPECT_EQ(verdict_on(sound, CheckId::cycles_balance), Verdict::not_applicable);
}

TEST(Checks, C6_to_C8_look_at_every_column_of_very_many) {  // wide tables are sparse
    std::string events = "events:", zeros;
    for (int i = 0; i < 40; ++i) events += " e" + std::to_string(i);
    for (int i = 0; i < 39; ++i) zeros += " 0";
    const auto file = [&](const char* paid) {
        return events + "\nfn=main\n1 1\ncfn=f\ncalls=1 1\n1" + zeros + " " + paid + "\n\nfn=f\n1" + zeros +
               " 7\n";
    };
    EXPECT_EQ(verdict_on(file("7"), CheckId::functions_balance), Verdict::holds);
    const Check check = check_of(file("8"), CheckId::functions_balance);
    EXPECT_EQ(check.verdict, Verdict::broken);
    EXPECT_EQ(check.breaches.at(0).event, "e39");
    EXPECT_EQ(verdict_on(file("8"), CheckId::arcs_within_callee), Verdict::broken);
}

TEST(Checks, C9_nothing_costs_more_than_the_whole) {
    const Check check = check_of(with("2 20\n", "2 50\n"), CheckId::inclusive_within_total);
    EXPECT_EQ(check.verdict, Verdict::broken);
    EXPECT_EQ(check.breaches.at(0).subject, "main");
    EXPECT_EQ(check.reported_as, Severity::warning);
}

TEST(Checks, C10_the_program_begins_somewhere) {
    EXPECT_EQ(verdict_on("events: Ir\nfn=a\n1 1\ncfn=b\ncalls=1 1\n1 1\nfn=b\n1 1\ncfn=a\ncalls=1 1\n1 1\n",
                         CheckId::has_root),
              Verdict::broken);
    EXPECT_EQ(verdict_on("events: Ir\nfn=a\n1 1\n", CheckId::has_root), Verdict::not_applicable);
}

TEST(Checks, C11_counts_are_known) {
    const Check check = check_of(with("calls=2 5", "calls=0 5"), CheckId::counts_known);
    EXPECT_EQ(check.verdict, Verdict::broken);
    EXPECT_EQ(check.breaches.at(0).place.line, 13U);
    EXPECT_EQ(check.breaches.at(0).place.column, 7U);
    EXPECT_EQ(verdict_on(with("calls=2 5", "calls=-1 5"), CheckId::counts_known), Verdict::broken);
}

TEST(Checks, C12_jumps_are_possible) {
    EXPECT_EQ(verdict_on(with("5 20\n", "5 20\njcnd=2/3 7\n6\n"), CheckId::jumps_possible), Verdict::holds);
    EXPECT_EQ(verdict_on(with("5 20\n", "5 20\njcnd=4/3 7\n6\n"), CheckId::jumps_possible), Verdict::broken);
    EXPECT_EQ(verdict_on(sound, CheckId::jumps_possible), Verdict::not_applicable);
}

TEST(Checks, C13_and_C14_nothing_is_negative) {
    EXPECT_EQ(verdict_on(with("1 10\n", "1 -10\n"), CheckId::costs_not_negative), Verdict::broken);
    EXPECT_EQ(verdict_on(with("1 10\n", "-1 10\n"), CheckId::positions_not_negative), Verdict::broken);
    EXPECT_EQ(verdict_on("creator: phpspy\nevents: Samples\nfn=f\n-1 3\n", CheckId::positions_not_negative),
              Verdict::expected);
}

TEST(Checks, C15_callees_have_records) {
    const Check check = check_of(with("fn=(2)\n5 20\n", "3 20\n"), CheckId::callees_recorded);
    EXPECT_EQ(check.verdict, Verdict::broken);
    EXPECT_EQ(check.breaches.at(0).subject, "f");
}

TEST(Checks, C16_callees_are_where_their_records_are) {
    EXPECT_EQ(verdict_on(with("cfn=(2) f", "cfi=(2) b.c\ncfn=(2) f"), CheckId::callees_match),
              Verdict::broken);
}

TEST(Checks, C17_columns_fit) {
    EXPECT_EQ(verdict_on(with("1 10\n", "1 10 3\n"), CheckId::columns_fit), Verdict::broken);
    EXPECT_EQ(verdict_on(with("1 10\n", "1 10\n7\n"), CheckId::columns_fit), Verdict::broken);
    EXPECT_EQ(verdict_on(with("positions: line", "positions: instr line"), CheckId::columns_fit),
              Verdict::broken);
    EXPECT_EQ(verdict_on("events: Ir Dr\nfn=f\n1 10\n", CheckId::columns_fit), Verdict::holds);
}

TEST(Checks, C18_targets_are_complete) {
    EXPECT_EQ(verdict_on(with("calls=2 5", "calls=2"), CheckId::targets_complete), Verdict::broken);
    EXPECT_EQ(verdict_on(with("calls=2 5", "calls=2 5 0"), CheckId::targets_complete), Verdict::broken);
}

TEST(Checks, C19_names_are_clean) {
    EXPECT_EQ(verdict_on(with("(2) f", "(2) \xe9"), CheckId::names_clean), Verdict::broken);
    EXPECT_EQ(verdict_on(with("(2) f", "(2) f\x1b"), CheckId::names_clean), Verdict::broken);
}

TEST(Checks, C20_the_file_is_complete) {
    EXPECT_EQ(verdict_on(sound + "cfn=(3", CheckId::file_complete), Verdict::broken);
    EXPECT_EQ(verdict_on(sound, CheckId::file_complete), Verdict::holds);
}

TEST(Checks, C21_parts_are_in_order) {
    const auto file = [](const std::string& second) {
        return "events: Ir\npart: 1\ndesc: Timerange: Basic block 0 - 9\nfn=f\n1 2\n\n" + second +
               "fn=f\n1 2\n";
    };
    const CheckId id = CheckId::parts_in_order;
    EXPECT_EQ(verdict_on(file("part: 2\ndesc: Timerange: Basic block 9 - 20\nevents: Ir\n"), id),
              Verdict::holds);
    EXPECT_EQ(verdict_on(file("part: 2\ndesc: Timerange: Basic block 10 - 20\nevents: Ir\n"), id),
              Verdict::broken);
    EXPECT_EQ(verdict_on(file("part: 1\nevents: Ir\n"), id), Verdict::broken);
    EXPECT_EQ(verdict_on(file("part: 1\nthread: 2\nevents: Ir\n"), id), Verdict::holds);
    EXPECT_EQ(verdict_on(file("part: 2\nevents: Dr\n"), id), Verdict::broken);
    EXPECT_EQ(verdict_on(sound, id), Verdict::not_applicable);
}

TEST(Checks, C21_compares_the_event_types_as_a_set_and_only_numbers_that_are_there) {
    const CheckId id = CheckId::parts_in_order;
    EXPECT_EQ(verdict_on("part: 1\nevents: A B\nfn=f\n1 1 2\n\npart: 2\nevents: B A\nfn=f\n1 1 2\n", id),
              Verdict::holds);
    EXPECT_EQ(verdict_on("part: 1\nevents: A B\nfn=f\n1 1 2\n\npart: 2\nevents: B\nfn=f\n1 1\n", id),
              Verdict::broken);
    const std::string part = "positions: line\nevents: Ir\nfn=f\n1 1\n\n";
    EXPECT_EQ(verdict_on(part + part, id), Verdict::holds);
    EXPECT_EQ(verdict_on("part: 3\n" + part + "part: 2\n" + part, id), Verdict::broken);
}

TEST(Checks, C22_names_what_is_not_portable) {
    const Check check = check_of(with("5 20\n", "5 20\njump=3 7\n6\n"), CheckId::portable);
    EXPECT_EQ(check.verdict, Verdict::expected);
    EXPECT_EQ(severity_of(check), Severity::note);
    EXPECT_EQ(check.breaches.at(0).subject, "jump");
}

// --- other readers ----------------------------------------------------------------------------------------

TEST(Readers, kcachegrind) {
    const auto traits = [](const std::string& text) { return hindrances(text, Reader::kcachegrind); };
    EXPECT_THAT(traits(with("1 10\n", "1\t10\n")), ElementsAre(Trait::tab));
    EXPECT_THAT(traits(with("events: Ir\nsummary: 30\n", "summary: 30\nevents: Ir\n")),
                ElementsAre(Trait::early_summary));
    EXPECT_THAT(traits(with("positions: line\nevents: Ir\n", "events: Ir\npositions: line\n")),
                ElementsAre(Trait::late_header));
    EXPECT_THAT(traits(with("fn=(2)\n", "ob=x\n4 0\nfn=(2)\n")), Contains(Trait::cost_after_object));
    EXPECT_THAT(traits(with("cfn=(2) f", "cfn=(2) f\ncfi=(1)")), ElementsAre(Trait::late_callee_place));
    EXPECT_THAT(traits(with("(2) f", "(2000000000) f")), Contains(Trait::huge_id));
    EXPECT_THAT(traits("cmd: " + std::string(3000, 'x') + "\nevents: Ir\nfn=f\n1 2\n"),
                ElementsAre(Trait::late_marker));
    EXPECT_THAT(traits(sound + "\npart: 2\nevents: Ir\nfl=(1) a.c\nfn=(1)\n1 2\n"),
                ElementsAre(Trait::id_undefined_in_part));
    EXPECT_THAT(traits(with("5 20\n", " 5 20\n")), ElementsAre(Trait::indented_line));
    EXPECT_THAT(traits(with("calls=2 5\n2 20\n", "calls=2 5\n")), ElementsAre(Trait::call_without_cost));
    EXPECT_THAT(traits(with("calls=2 5\n", "")), ElementsAre(Trait::callee_without_calls));
}

TEST(Readers, kcachegrind_forgets_the_event_types_at_a_part) {
    const auto effects = [](const std::string& text) {
        std::vector<std::pair<Trait, Effect>> found;
        const FileReport report = report_on(text);
        for (const auto& hindrance : report.readers.at(0).hindrances)
            found.emplace_back(hindrance.trait, hindrance.effect);
        return found;
    };
    EXPECT_THAT(effects(sound + "\npart: 2\nfn=h\n1 2\n"),
                ElementsAre(std::pair(Trait::part_without_events, Effect::refuses)));
    EXPECT_THAT(effects(with("positions: line\nevents: Ir\n", "events: Ir\npositions: line\n")),
                ElementsAre(std::pair(Trait::late_header, Effect::refuses)));
    EXPECT_THAT(effects(sound + "\npart: 2\nevents: Ir\nfn=h\n1 2\n"), IsEmpty());
    EXPECT_THAT(effects(with("events: Ir\n", "events: Ir\npid: 1\nevents: Ir\n")), IsEmpty());
}

TEST(Readers, positions_shift_behind_a_call_only_in_callgrinds_dialect) {  // F40
    const std::string body = "events: Ir\nfl=a\nfn=f\n10 1\ncfn=g\ncalls=1 20\n+5 2\n+1 3\n\nfn=g\n20 2\n";
    EXPECT_THAT(hindrances("creator: callgrind-3.19.0\n" + body, Reader::kcachegrind),
                ElementsAre(Trait::shifted_positions));
    EXPECT_THAT(hindrances("creator: other\n" + body, Reader::kcachegrind), IsEmpty());
}

TEST(Readers, callgrind_annotate) {
    const auto traits = [](const std::string& text) { return hindrances(text, Reader::callgrind_annotate); };
    EXPECT_THAT(traits(with("calls=2 5", "calls=0 5")), ElementsAre(Trait::unknown_calls_with_cost));
    EXPECT_THAT(traits(with("fl=(1)", "fi=(1)")), Contains(Trait::file_before_function));
    EXPECT_THAT(traits(with("5 20\n", "fi=(2) b.h\n5 20\n")), ElementsAre(Trait::inlined_code));
    EXPECT_THAT(traits(with("5 20\n", "0x5 20\n")), ElementsAre(Trait::hex_position));
    EXPECT_THAT(traits(with("5 20\n", " 5 20\n")), ElementsAre(Trait::indented_line));
    EXPECT_THAT(traits(sound + "\npart: 2\nevents: Ir\nfn=h\n1 2\n"), Contains(Trait::several_parts));
    EXPECT_THAT(traits(with("fn=(2)\n", "ob=x\nfn=g\n1 0\nob=y\nfn=g\n1 0\nob=\nfn=(2)\n")),
                Contains(Trait::equal_names));
}

/// The worst one of callgrind_annotate's.
std::optional<std::pair<Trait, Effect>> annotates(const std::string& text) {
    const FileReport report = report_on(text);
    const auto& hindrances = report.readers.at(1).hindrances;
    if (hindrances.empty()) return std::nullopt;
    return std::pair(hindrances[0].trait, hindrances[0].effect);
}

TEST(Readers, callgrind_annotate_takes_what_it_does_not_know_for_something_else) {
    const auto is = [](Trait trait, Effect effect) { return testing::Optional(std::pair(trait, effect)); };
    EXPECT_EQ(annotates(sound), std::nullopt);
    EXPECT_THAT(annotates(with("version: 1", "version: 2")), is(Trait::newer_version, Effect::refuses));
    EXPECT_THAT(annotates(with("5 20\n", "5 0x14\n")), is(Trait::hex_cost, Effect::wrong));
    EXPECT_THAT(annotates(with("calls=2 5", "calls=0x2 5")), is(Trait::hex_count, Effect::wrong));
    EXPECT_THAT(annotates(with("calls=2 5", "rcalls=2 5")), is(Trait::rcalls, Effect::wrong));
    EXPECT_THAT(annotates(with("calls=2 5\n", "")), is(Trait::callee_without_calls, Effect::wrong));
    EXPECT_THAT(annotates(with("calls=2 5\n2 20\n", "calls=2 5\n")),
                is(Trait::call_without_cost, Effect::wrong));
    EXPECT_THAT(annotates(with("fn=(1) main\n", "1 0\nfn=(1) main\n")),
                is(Trait::cost_before_function, Effect::wrong));
    EXPECT_THAT(annotates(with("events: Ir", "events: Ir Ir")), is(Trait::event_twice, Effect::wrong));
    EXPECT_THAT(annotates("events: Ir\nfn=f\n1 2\n"), is(Trait::no_file, Effect::wrong));
}

TEST(Readers, callgrind_annotate_and_a_call_that_ends_with_the_file) {
    EXPECT_EQ(annotates(sound + "fn=(1)\ncfn=(2)\ncalls=1 5\n"), std::nullopt);
    EXPECT_EQ(annotates(with("calls=2 5\n", "calls=1 5\ncalls=2 5\n")), std::nullopt);
}

TEST(Readers, callgrind_annotate_loses_undefined_functions_that_are_several_or_last) {
    const auto file = [](const char* rest) {
        return "events: Ir\ntotals: 9\nfl=a\nfn=(3)\n1 2\n\n" + std::string(rest);
    };
    EXPECT_EQ(annotates(file("fn=f\n1 7\n"))->first, Trait::id_undefined);
    EXPECT_EQ(annotates(file(""))->first, Trait::undefined_functions);
    EXPECT_EQ(annotates(file("fn=(4)\n1 3\n\nfn=f\n1 4\n"))->first, Trait::undefined_functions);
}

TEST(Readers, callgrind_annotate_knows_hexadecimal_numbers_only_in_the_first_column) {
    const auto is = [](Trait trait, Effect effect) { return testing::Optional(std::pair(trait, effect)); };
    const auto file = [](const std::string& header, const char* line) {
        return header + "totals: 5\nfl=a\nfn=f\n" + line + "\n";
    };
    const std::string lines = "events: Ir\n", both = "positions: instr line\nevents: Ir\n";
    EXPECT_EQ(annotates(file(both, "0x10 4 5")), std::nullopt);
    EXPECT_THAT(annotates(file(lines, "0x4 5")), is(Trait::hex_position, Effect::differs));
    EXPECT_THAT(annotates(file(lines, "+0x4 5")), is(Trait::hex_difference, Effect::wrong));
    EXPECT_THAT(annotates(file(both, "+0x4 4 5")), is(Trait::hex_difference, Effect::wrong));
    EXPECT_THAT(annotates(file(both, "0x10 0x4 5")), is(Trait::hex_second_position, Effect::refuses));
    EXPECT_THAT(annotates(file("events: Ir\npositions: instr line\n", "0x10 4 5")),
                is(Trait::late_addresses, Effect::refuses));
    EXPECT_EQ(annotates(file("events: Ir\npositions: line\n", "4 5")), std::nullopt);
}

TEST(Readers, callgrind_annotate_takes_the_summary_for_the_whole) {
    const auto traits = [](const std::string& text) { return hindrances(text, Reader::callgrind_annotate); };
    EXPECT_THAT(traits(with("summary: 30", "summary: 1030")), ElementsAre(Trait::other_summary));
    EXPECT_THAT(traits(with("summary: 30", "summary: 29")), ElementsAre(Trait::other_summary));
    const std::string large = "events: Ir\nsummary: 30000\nfl=a\nfn=f\n1 29800\n";
    EXPECT_THAT(traits(large), IsEmpty());
}

TEST(Readers, speedscope) {
    const auto traits = [](const std::string& text) { return hindrances(text, Reader::speedscope); };
    EXPECT_THAT(traits(with("fn=(2)\n", "fn=(2) f\n")), ElementsAre(Trait::id_defined_again));
    EXPECT_THAT(traits(with("1 10\n", "1 10 \n")), ElementsAre(Trait::trailing_blank));
    EXPECT_THAT(traits(with("1 10\n", "1\n")), Contains(Trait::missing_costs));
    EXPECT_THAT(traits(with("calls=2 5\n", "calls=2 5\n\n")), ElementsAre(Trait::split_call));
    EXPECT_THAT(traits(with("5 20\n", "5 20\njump=1 7\n6\n")), ElementsAre(Trait::jump));
    EXPECT_THAT(traits(with("positions: line", "positions: instr line")), Contains(Trait::address_column));
    EXPECT_THAT(traits(sound + "\npart: 2\nevents: Ir\nfn=h\n1 2\n"), Contains(Trait::second_events_line));
}

TEST(Readers, speedscope_starts_at_functions_that_nobody_calls) {
    const auto traits = [](const std::string& text) { return hindrances(text, Reader::speedscope); };
    EXPECT_THAT(traits("events: Ir\nfl=a\nfn=f\n1 5\ncfn=f\ncalls=2 1\n1 4\n"), ElementsAre(Trait::no_root));
    EXPECT_THAT(traits(with("5 20\n", "5 20\ncfn=(1)\ncalls=1 1\n5 0\n")),
                ElementsAre(Trait::no_root, Trait::cycle));
    EXPECT_THAT(traits(with("5 20\n", "5 20\ncfn=(2)\ncalls=1 5\n5 20\n")), IsEmpty());
    EXPECT_THAT(
        traits(with("5 20\n", "5 10\ncfn=(2)\ncalls=1 5\n5 5\ncfn=(3) g\ncalls=1 1\n5 10\n\nfn=(3)\n1 10\n")),
        ElementsAre(Trait::recursion));
}

TEST(Readers, speedscope_knows_fewer_lines) {
    const auto traits = [](const std::string& text) { return hindrances(text, Reader::speedscope); };
    EXPECT_THAT(traits(with("calls=2 5", "rcalls=2 5")), ElementsAre(Trait::rcalls));
    EXPECT_THAT(traits(with("calls=2 5\n", "")), ElementsAre(Trait::callee_without_calls));
    EXPECT_THAT(traits(with("cmd: test\n", "timeframe (BB): 1\n")), ElementsAre(Trait::odd_header));
    EXPECT_THAT(traits(with("1 10\n", "-1 10\n")), ElementsAre(Trait::early_relative));
    EXPECT_THAT(traits(with("1 10\n", "+1 10\n")), IsEmpty());
    EXPECT_THAT(traits("events: Ir  Dr\nfl=a\nfn=f\n1 5 6\n"), ElementsAre(Trait::spaced_events));
    EXPECT_THAT(traits("events: Ir Dr \nfl=a\nfn=f\n1 5 6\n"), IsEmpty());
}

TEST(Readers, are_troubled_by_unknown_lines_as_the_reader_is) {
    EXPECT_THAT(hindrances(with("5 20\n", "%d\n5 20\n"), Reader::speedscope), Contains(Trait::unknown_line));
    EXPECT_THAT(hindrances(with("5 20\n", "%d\n5 20\n"), Reader::kcachegrind),
                Not(Contains(Trait::unknown_line)));
}

// --- spelling ---------------------------------------------------------------------------------------------

TEST(Spelling, does_not_depend_on_how_the_bytes_come) {
    const std::string text = with("1 10\n", "1 10 \r\n\t2\t0\n");
    const auto counts = [&](std::size_t piece) {
        Spelling spelling;
        for (std::size_t at = 0; at < text.size(); at += piece)
            spelling.take(std::string_view(text).substr(at, piece));
        spelling.finish();
        std::vector<std::pair<std::uint64_t, std::uint64_t>> all;
        for (std::size_t i = 0; i < trait_count; ++i) {
            const TraitUse& use = spelling[static_cast<Trait>(i)];
            all.emplace_back(use.count, use.first.line << 32U | use.first.offset);
        }
        return all;
    };
    const auto whole = counts(text.size());
    for (const std::size_t piece : {1U, 2U, 3U, 64U}) EXPECT_EQ(counts(piece), whole) << piece;
}

TEST(Spelling, forgets_the_ids_of_an_earlier_profile) {  // F22
    Spelling spelling;
    spelling.take(
        std::string_view("version: 1\nevents: Ir\nfn=(1) f\n1 2\n\nversion: 1\nevents: Ir\nfn=(1) g\n1 2\n"));
    spelling.finish();
    EXPECT_EQ(spelling[Trait::id_defined_again].count, 0U);
    EXPECT_EQ(spelling[Trait::second_events_line].count, 1U);
}

TEST(Spelling, keeps_only_the_beginning_of_a_very_long_line) {
    Spelling spelling;
    spelling.take(std::string_view("events: Ir\nfn="));
    const std::string piece(1U << 20U, 'x');
    for (int i = 0; i < 64; ++i) spelling.take(piece);
    spelling.take(std::string_view("\n1 2\t\n"));
    spelling.finish();
    EXPECT_EQ(spelling[Trait::tab].first.line, 3U);
}

}  // namespace
}  // namespace callcost::test
