#include "unit/engine/importers/imported.hpp"

namespace {

using callcost::ErrorCode;
using callcost::engine::ImportFormat;
using callcost::test::records_text;

callcost::Profile massif_profile(std::string_view text, const char* notes = "") {
    const auto imported = callcost::test::import(ImportFormat::massif, text);
    EXPECT_TRUE(imported.has_value()) << (imported ? "" : imported.error().detail);
    EXPECT_EQ(callcost::test::notes_text(imported->notes), notes);
    return callcost::test::read_without_errors(imported->text);
}

std::string snapshot(int number, const std::string& kind, const std::string& tree) {
    return "#-----------\nsnapshot=" + std::to_string(number) +
           "\n#-----------\ntime=1\nmem_heap_B=9\nheap_tree=" + kind + "\n" + tree;
}

const std::string heading = "desc: (none)\ncmd: ./stew 20\ntime_unit: i\n";

TEST(ImportMassif, the_peak_becomes_stacks_from_its_callers_on) {
    const auto profile = massif_profile(
        heading +
        snapshot(0, "detailed", "n1: 900 (heap allocation functions)\n n0: 900 0x5: other (b.c:1)\n") +
        snapshot(1, "peak",
                 "n2: 100 (heap allocation functions) malloc\n n2: 70 0x10: get(int) (a.c:5)\n"
                 "  n0: 40 0x20: main (a.c:9)\n  n0: 20 in 3 places, all below massif's threshold (1.00%)\n"
                 " n0: 25 0x30: ??? (in /lib/x.so)\n") +
        snapshot(2, "detailed", "n0: 999 (heap allocation functions)\n"));
    EXPECT_EQ(profile.events()[0].name, "heap_bytes");
    EXPECT_EQ(profile.events()[0].unit, "bytes");
    EXPECT_EQ(
        records_text(profile),
        "(below threshold):0 -> get(int) 20\n(heap):0 5\n???:0 25\nget(int):5 70\nmain:9 -> get(int) 40\n");
}

TEST(ImportMassif, without_a_peak_the_largest_detailed_snapshot_counts) {
    EXPECT_EQ(
        records_text(massif_profile(heading + snapshot(0, "detailed", "n1: 5 (x)\n n0: 5 0x5: a (b.c:1)\n") +
                                    snapshot(1, "detailed", "n1: 9 (x)\n n0: 9 0x5: b (b.c:2)\n") +
                                    snapshot(2, "detailed", "n1: 7 (x)\n n0: 7 0x5: c (b.c:3)\n"))),
        "b:2 9\n");
    const auto none = callcost::test::import(ImportFormat::massif, heading + snapshot(0, "empty", ""));
    ASSERT_FALSE(none.has_value());
    EXPECT_NE(none.error().detail.find("--detailed-freq=1"), std::string::npos);
}

TEST(ImportMassif, lines_that_fit_nowhere_are_noted) {
    EXPECT_EQ(
        records_text(massif_profile(
            heading + snapshot(0, "peak",
                               "n1: 5 (x)\n n0: 5 0x5: a (b.c:1)\n    n0: 5 0x5: c (b.c:1)\n"
                               " n0: 99999999999999999999 0x5: c (b.c:1)\n n1: 1\nn0: 5 0x5: a (b.c:1)\n"),
            "unreadable-line x4 at 12")),
        "a:1 5\n");
}

TEST(ImportMassif, a_tree_with_fewer_places_than_it_states_is_noted) {
    EXPECT_EQ(records_text(massif_profile(heading + snapshot(0, "peak", "n2: 5 (x)\n n0: 2 0x5: a (b.c:1)\n"),
                                          "trace-cut")),
              "(heap):0 3\na:1 2\n");
}

TEST(ImportMassif, a_snapshot_without_its_last_line_is_noted) {
    const std::string text =
        heading + snapshot(0, "peak", "n0: 5 (x)\n") + "#-----------\nsnapshot=1\n#-----------\ntime=3\n";
    EXPECT_EQ(records_text(massif_profile(text, "trace-cut")), "(heap):0 5\n");
    EXPECT_EQ(
        records_text(massif_profile(heading + snapshot(0, "peak", "n0: 5 (x)\n") + "#---", "trace-cut")),
        "(heap):0 5\n");
}

TEST(ImportMassif, sums_of_callers_wrap) {
    std::string tree = "n8: 5 (x)\n";
    for (int i = 0; i < 8; ++i) tree += " n0: 1152921504606846976 0x5: a (b.c:1)\n";
    EXPECT_EQ(massif_profile(heading + snapshot(0, "peak", tree)).total(callcost::EventId(std::size_t{0})),
              5);
}

TEST(ImportMassif, what_is_none_is_an_error) {
    for (const char* text : {"a\n", "desc: x\n"}) {
        const auto imported = callcost::test::import(ImportFormat::massif, text);
        ASSERT_FALSE(imported.has_value()) << text;
        EXPECT_EQ(imported.error().code, ErrorCode::not_a_profile);
    }
}

TEST(ImportMassif, trees_may_be_deep) {
    std::string tree = "n1: 2000 (x)\n";
    for (int depth = 1; depth < 2000; ++depth)
        tree += std::string(static_cast<std::size_t>(depth), ' ') + (depth < 1999 ? "n1: " : "n0: ") +
                std::to_string(2000 - depth) + " 0x5: f (b.c:1)\n";
    const auto profile = massif_profile(heading + snapshot(0, "peak", tree));
    EXPECT_EQ(records_text(profile), "(heap):0 1\nf'2:1 -> f'2 1997\nf'2:1 1998\nf:1 -> f'2 1998\nf:1 1\n");
}

}  // namespace
