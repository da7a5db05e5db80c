#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/library/call_graph/questions.hpp"
#include <callcost/event_type.hpp>

namespace callcost::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

std::vector<std::string> names_of(const std::vector<Measure>& measures) {
    std::vector<std::string> names;
    names.reserve(measures.size());
    for (const Measure& measure : measures) names.push_back(measure.name);
    return names;
}

std::vector<std::pair<std::string, std::uint64_t>> kinds_of(const std::vector<Diagnostic>& diagnostics) {
    std::vector<std::pair<std::string, std::uint64_t>> kinds;
    kinds.reserve(diagnostics.size());
    for (const Diagnostic& diagnostic : diagnostics)
        kinds.emplace_back(kind_of(diagnostic.id).name, diagnostic.count);
    return kinds;
}

/// The value of a measure in a profile whose only cost line is `costs`.
std::int64_t value_of(const std::string& events, const std::string& costs, std::string_view measure,
                      const std::string& formulas = "") {
    const Profile profile = profile_of(formulas + "events: " + events + "\nfn=f\n1 " + costs + "\n");
    return graph_of(profile).total(measure_of(profile, measure));
}

TEST(Measures, are_the_columns_then_the_formulas_of_the_file_then_the_built_in_ones) {
    const Profile profile = profile_of("event: Both = Dr + Dw\nevents: Ir Dr Dw Bcm\nfn=f\n1 4 3 2 1\n");
    EXPECT_THAT(names_of(measures(profile)), ElementsAre("Ir", "Dr", "Dw", "Bcm", "Both", "CEst"));
}

TEST(Measures, built_in_ones_need_at_least_one_input) {
    EXPECT_THAT(names_of(measures(profile_of("events: Ticks\nfn=f\n1 1\n"))), ElementsAre("Ticks"));
    EXPECT_THAT(names_of(measures(profile_of("events: DLmw\nfn=f\n1 1\n"))), ElementsAre("DLmw", "CEst"));
}

TEST(Measures, built_in_ones_that_repeat_an_event_type_are_found_but_not_listed) {
    const Profile profile = profile_of("event: Same = Ir\nevents: Ir DLmw\nfn=f\n1 7 2\n");
    EXPECT_THAT(names_of(measures(profile)), ElementsAre("Ir", "DLmw", "Same", "CEst"));
    EXPECT_EQ(value_of("Ir", "7", "CEst"), 7);
    EXPECT_EQ(value_of("Ir DLmw", "7 2", "LLm"), 2);
}

TEST(Measures, cycles_are_estimated_as_f69_says) {
    EXPECT_EQ(value_of("Ir I1mr D1mr D1mw ILmr DLmr DLmw Bcm Bim Ge", "1000 1 2 3 4 5 6 7 8 9", "CEst"),
              1000 + 10 * (7 + 8) + 10 * (1 + 2 + 3) + 20 * 9 + 100 * (4 + 5 + 6));
    EXPECT_EQ(value_of("I2mr D2mr D2mw", "1 2 3", "CEst"), 600);
}

TEST(Measures, factors_have_an_optional_star_and_a_sign) {
    const std::string costs = "100 7";
    EXPECT_EQ(value_of("Ir Bm", costs, "X", "event: X = Ir + 10 Bm\n"), 170);
    EXPECT_EQ(value_of("Ir Bm", costs, "X", "event: X = Ir+10*Bm\n"), 170);
    EXPECT_EQ(value_of("Ir Bm", costs, "X", "event: X = 10Bm - Ir\n"), -30);
    EXPECT_EQ(value_of("Ir Bm", costs, "X", "event: X = -2 * Ir\n"), -200);
    EXPECT_EQ(value_of("Ir Bm", costs, "X", "event: X = Ir + Ir + Ir\n"), 300);
}

TEST(Measures, values_wrap_as_64_bit_numbers_do) {
    EXPECT_EQ(value_of("A", "2", "X", "event: X = 9223372036854775807 A\n"), -2);
}

TEST(Measures, the_longest_known_name_is_meant) {
    EXPECT_EQ(value_of("Cycles Cycles-Min", "100 1", "X", "event: X = Cycles-Min + Cycles\n"), 101);
    EXPECT_EQ(value_of("Time_(10ns) Time_", "5 1", "X", "event: X = 2 Time_(10ns)\n"), 10);
    EXPECT_EQ(value_of("2nd x", "5 7", "X", "event: X = 2nd + 2 x\n"), 19);
}

TEST(Measures, a_known_name_that_only_begins_a_word_is_not_meant) {
    const Profile profile = profile_of("event: X = Ir + IrX\nevents: Ir\nfn=f\n1 5\n");
    EXPECT_EQ(graph_of(profile).total(measure_of(profile, "X")), 5);
    EXPECT_THAT(kinds_of(formula_diagnostics(profile)), ElementsAre(Pair("unknown-event-in-formula", 1)));
}

TEST(Measures, derived_types_may_use_derived_types_in_any_order) {
    EXPECT_EQ(value_of("Ir Bcm", "1 1", "A", "event: A = 2 B\nevent: B = 3 C + CEst\nevent: C = Ir\n"),
              2 * (3 + 11));
}

TEST(Measures, a_raw_column_hides_a_formula_of_its_name) {
    EXPECT_EQ(value_of("Ir Bm", "1 5", "Bm", "event: Bm = Ir\n"), 5);
    EXPECT_EQ(value_of("Ir Bm", "1 5", "CEst", "event: Bm = Ir\n"), 51);
}

TEST(Measures, a_formula_of_the_file_hides_a_built_in_one) {
    EXPECT_EQ(value_of("Ir Bcm", "1 5", "Bm", "event: Bm = 3 Ir\n"), 3);
    EXPECT_EQ(value_of("Ir Bcm", "1 5", "CEst", "event: Bm = 3 Ir\n"), 31);
}

TEST(Measures, formulas_in_a_circle_are_left_out_and_reported) {
    const Profile profile = profile_of(
        "event: A = B\nevent: B = A + Ir\nevent: C = C\nevent: D = Ir + A\nevents: Ir\nfn=f\n1 5\n");
    EXPECT_THAT(names_of(measures(profile)), ElementsAre("Ir", "D"));
    EXPECT_EQ(graph_of(profile).total(measure_of(profile, "D")), 5);
    EXPECT_THAT(kinds_of(formula_diagnostics(profile)),
                ElementsAre(Pair("formula-cycle", 3), Pair("unknown-event-in-formula", 1)));
    const auto found = find_measure(profile, "A");
    ASSERT_FALSE(found.has_value());
    EXPECT_EQ(found.error().code, ErrorCode::formula_cycle);
}

TEST(Measures, a_chain_of_formulas_of_any_length_is_followed) {
    std::string text = "events: Ir\n";
    for (int i = 0; i < 20'000; ++i)
        text += "event: D" + std::to_string(i) + " = D" + std::to_string(i + 1) + "\n";
    text += "event: D20000 = 2 Ir\nfn=f\n1 5\n";
    const Profile profile = profile_of(text);
    EXPECT_EQ(graph_of(profile).total(measure_of(profile, "D0")), 10);
}

TEST(Measures, bad_formulas_are_left_out_and_reported) {
    for (const std::string formula : {"Ir / 2", "(Ir)", "1.5 Ir", "Ir Dr", "10", "Ir +", "+", "Ir ++ Dr",
                                      "Ir 10", "99999999999999999999 Ir", "* Ir", "Ir * 2"}) {
        const Profile profile = profile_of("event: X = " + formula + "\nevents: Ir Dr\nfn=f\n1 5\n");
        EXPECT_THAT(names_of(measures(profile)), ElementsAre("Ir", "Dr")) << formula;
        EXPECT_THAT(kinds_of(formula_diagnostics(profile)), ElementsAre(Pair("bad-formula", 1))) << formula;
    }
}

TEST(Measures, a_formula_may_use_names_that_the_data_lack) {
    const Profile profile = profile_of("event: X = Nothing\nevents: Ir\nfn=f\n1 5\n");
    const Measure measure = measure_of(profile, "X");
    EXPECT_THAT(measure.terms, IsEmpty());
    EXPECT_EQ(graph_of(profile).total(measure), 0);
}

TEST(Measures, take_unit_and_additivity_from_their_inputs) {
    const Profile profile = profile_of(
        "creator: pprofile\nevent: usphit :microseconds/hit\nevents: hits microseconds usphit\nfn=f\n1 2 10 "
        "5\n");
    EXPECT_EQ(measure_of(profile, "microseconds + 2 microseconds").unit, "us");
    EXPECT_EQ(measure_of(profile, "microseconds + hits").unit, "");
    EXPECT_TRUE(measure_of(profile, "microseconds + hits").additive);
    EXPECT_FALSE(measure_of(profile, "usphit").additive);
    EXPECT_FALSE(measure_of(profile, "hits + usphit").additive);
}

TEST(FindMeasure, knows_the_older_names_of_events) {
    const Profile newer = profile_of("events: Ir ILmr\nfn=f\n1 7 3\n");
    EXPECT_EQ(measure_of(newer, "I2mr").name, "ILmr");
    EXPECT_EQ(graph_of(newer).total(measure_of(newer, "Ir + 10 I2mr")), 37);
    const Profile older = profile_of("events: Ir I2mr\nfn=f\n1 7 3\n");
    EXPECT_EQ(measure_of(older, "ILmr").name, "I2mr");
}

TEST(FindMeasure, understands_formulas) {
    const Profile profile = profile_of("events: Ir Bcm\nfn=f\n1 7 3\n");
    const Measure measure = measure_of(profile, " Ir + 10 Bcm ");
    EXPECT_EQ(measure.name, "Ir + 10 Bcm");
    EXPECT_EQ(measure.formula, "Ir + 10 Bcm");
    EXPECT_EQ(graph_of(profile).total(measure), 37);
    EXPECT_EQ(graph_of(profile).total(measure_of(profile, "Bm - Ir")), -4);
}

TEST(FindMeasure, says_which_name_is_unknown) {
    const Profile profile = profile_of("events: Ir\nfn=f\n1 7\n");
    for (const std::string text : {"Irr", "Ir(x)", "Time-of"}) {
        const auto measure = find_measure(profile, text);
        ASSERT_FALSE(measure.has_value()) << text;
        EXPECT_EQ(measure.error().code, ErrorCode::unknown_event) << text;
        EXPECT_TRUE(text.starts_with(measure.error().detail)) << text;
        EXPECT_EQ(measure.error().message(),
                  "the profile has no event type '" + measure.error().detail + "'");
        EXPECT_EQ(measure.error().hint(), "available: Ir");
    }
    const auto formula = find_measure(profile, "Ir + 10 Bm");
    ASSERT_FALSE(formula.has_value());
    EXPECT_EQ(formula.error().code, ErrorCode::unknown_event);
    EXPECT_EQ(formula.error().detail, "Bm");
    EXPECT_EQ(formula.error().column, 9U);
    std::string many = "events:";
    for (int i = 0; i < 1000; ++i) many += " E" + std::to_string(i);
    const auto long_list = find_measure(profile_of(many + "\nfn=f\n1 7\n"), "Ir");
    EXPECT_TRUE(long_list.error().hint().ends_with(", E19, ...")) << long_list.error().hint();
}

TEST(Measures, answer_all_questions_and_may_outlive_the_profile) {
    const Measures known(profile_of("events: Ir\nevent: Two = 2 Ir\nevent: Odd = 1 Nothing\nfn=f\n1 7\n"));
    EXPECT_EQ(known.all().size(),
              measures(profile_of("events: Ir\nevent: Two = 2 Ir\nevent: Odd = 1 Nothing\n")).size());
    EXPECT_EQ(known.find("Two")->terms.at(0).second, 2);
    ASSERT_EQ(known.diagnostics().size(), 1U);
    EXPECT_EQ(known.diagnostics()[0].id, DiagnosticId::unknown_event_in_formula);
}

TEST(DefaultMeasure, is_the_first_event_type_that_adds_up) {
    EXPECT_EQ(default_measure(profile_of("events: Ir Dr\nfn=f\n1 7 8\n")).name, "Ir");
    EXPECT_EQ(default_measure(profile_of("events: Ir Dr\nfn=f\n1 0 8\n")).name, "Dr");
    EXPECT_EQ(default_measure(profile_of("events: Ir Dr\nfn=f\n1 0 0\n")).name, "Ir");
    const Profile parts =
        profile_of("part: 1\nevents: Ir Dr\nfn=f\n1 7 8\n\npart: 2\nevents: Ir Dr\nfn=f\n1 0 8\n");
    EXPECT_EQ(default_measure(graph_of(parts, {.parts = {2}})).name, "Dr");
    const Profile profile = profile_of("events: AliveReqMax Ir\nfn=f\n1 7 8\n");
    const Measure measure = default_measure(profile);
    EXPECT_EQ(measure.name, "Ir");
    EXPECT_EQ(measure.terms, find_measure(profile, "Ir")->terms);
    EXPECT_FALSE(default_measure(profile_of("events: AliveReqMax\nfn=f\n1 7\n")).additive);
}

TEST(FindMeasure, says_where_a_formula_is_bad) {
    const auto measure = find_measure(profile_of("events: Ir\nfn=f\n1 7\n"), "Ir + / 2");
    ASSERT_FALSE(measure.has_value());
    EXPECT_EQ(measure.error().code, ErrorCode::bad_formula);
    EXPECT_EQ(measure.error().column, 6U);
}

TEST(Measures, formulas_that_multiply_into_too_many_terms_are_refused) {
    std::string events = "events:";
    std::string all = "event: All = 0 E0";
    for (int i = 0; i < 1'000; ++i) {
        events += " E" + std::to_string(i);
        all += " + E" + std::to_string(i);
    }
    std::string text = events + "\n" + all + "\n";
    for (int i = 0; i < 5'000; ++i) text += "event: F" + std::to_string(i) + " = All\n";
    const Profile profile = profile_of(text + "fn=f\n1 7\n");
    std::size_t terms = 0;
    for (const Measure& measure : measures(profile)) terms += measure.terms.size();
    EXPECT_LT(terms, 10'000'000U);
    const auto kinds = kinds_of(formula_diagnostics(profile));
    ASSERT_EQ(kinds.size(), 1U);
    EXPECT_EQ(kinds[0].first, "bad-formula");
}

}  // namespace
}  // namespace callcost::test
