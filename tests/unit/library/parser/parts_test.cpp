// F21 to F24: parts and profiles within a file.
#include <gtest/gtest.h>

#include "unit/library/parser/every_way.hpp"

namespace callcost::test {
namespace {

/// "profile/part: self, summary, totals" of every part.
Lines parts_of(std::string_view text) {
    const Profile profile = read_every_way(text);
    Lines lines;
    for (const Part& part : profile.parts()) {
        std::string line = std::to_string(part.profile) + '/' + std::string(part.part.text) + ": " +
                           costs_text(profile, part.self);
        if (part.summary) line += ", summary " + costs_text(profile, *part.summary);
        if (part.totals) line += ", totals " + costs_text(profile, *part.totals);
        lines.push_back(line);
    }
    return lines;
}

// F21
TEST(Parts, begin_with_a_part_key_after_a_body_line) {
    for (const char* key : {"pid: 1", "thread: 2", "desc: Trigger: x", "positions: line", "events: Ir"})
        EXPECT_EQ(parts_of(in_function("1 2\n") + key + "\nfl=a\nfn=f\n3 4\n"),
                  (Lines{"0/: Ir=2", "0/: Ir=4"}))
            << key;
    EXPECT_EQ(parts_of("part: 1\n" + in_function("1 2\n") + "\npart: 2\nfl=a\nfn=f\n3 4\n"),
              (Lines{"0/1: Ir=2", "0/2: Ir=4"}));
}

// F21
TEST(Parts, profiles_begin_with_a_profile_key_after_a_body_line) {
    for (const char* key : {"version: 1", "creator: x", "cmd: x", "# callgrind format",
                            "==== NEW PROFILING FILE ====", "part: 2\ncmd: x"})
        EXPECT_EQ(read_every_way(in_function("1 2\n") + key + '\n' + in_function("3 4\n")).parts()[1].profile,
                  1U)
            << key;
}

// F21
TEST(Parts, do_not_begin_with_summary_totals_or_event) {
    EXPECT_EQ(parts_of(in_function("\nsummary: 9\n\n1 2\ntotals: 6\nevent: Ir : x\n3 4\n")),
              (Lines{"0/: Ir=6, summary Ir=9, totals Ir=6"}));
    EXPECT_EQ(records_of(in_function("1 2\nsummary: 9\n+1 2\n")), (Lines{"a:1 costs 2", "a:2 costs 2"}));
}

// F21
TEST(Parts, totals_before_the_first_key_of_a_block_belong_to_the_part_that_ends) {
    EXPECT_EQ(parts_of("part: 1\n" + in_function("1 2\ntotals: 2\nsummary: 3\n\npart: 2\nsummary: 5\n"
                                                 "fl=a\nfn=f\n3 4\ntotals: 4\n")),
              (Lines{"0/1: Ir=2, summary Ir=3, totals Ir=2", "0/2: Ir=4, summary Ir=5, totals Ir=4"}));
}

// F21
TEST(Parts, without_costs_are_parts_of_their_own) {
    EXPECT_EQ(parts_of("part: 1\nevents: Ir\nsummary: 1\npart: 2\nevents: Ir\nfl=a\nfn=f\n1 2\n"),
              (Lines{"0/1: , summary Ir=1", "0/2: Ir=2"}));
    EXPECT_EQ(parts_of("events: Ir\nevents: Ir\nfl=a\nfn=f\n1 2\n"), (Lines{"0/: ", "0/: Ir=2"}));
}

// F25
TEST(Parts, have_a_summary_if_all_of_its_values_are_numbers) {
    EXPECT_EQ(parts_of("events: Ir\nsummary: 1 2 3\nfn=f\n1 2\n"), (Lines{"0/: Ir=2, summary Ir=1"}));
    EXPECT_EQ(parts_of("events: Ir\nsummary: 1 2 x\nfn=f\n1 2\n"), (Lines{"0/: Ir=2"}));
}

// F21
TEST(Parts, a_last_block_starts_one_only_if_it_has_events) {
    EXPECT_EQ(parts_of("part: 1\n" + in_function("1 2\ntotals: 2\npart: 2\n")),
              (Lines{"0/1: Ir=2, totals Ir=2"}));
    EXPECT_EQ(parts_of("part: 1\n" + in_function("1 2\ntotals: 2\npart: 2\npositions: line\nevents: Ir\n")),
              (Lines{"0/1: Ir=2, totals Ir=2", "0/2: "}));
    EXPECT_EQ(parts_of(in_function("1 2\nversion: 1\n")), (Lines{"0/: Ir=2"}));
}

// F21: nothing of a last block that starts nothing belongs to the part before, but what comes first in it.
TEST(Parts, a_last_block_without_events_changes_nothing) {
    EXPECT_EQ(
        parts_of("part: 1\nthread: 7\n" + in_function("1 2\ntotals: 2\npart: 2\ntotals: 9\nsummary: 9\n")),
        (Lines{"0/1: Ir=2, totals Ir=2"}));
    EXPECT_EQ(parts_of(in_function("1 2\npart: 2\npart: 3\ntotals: 9\n")), (Lines{"0/: Ir=2"}));
    const Profile profile = read_every_way("creator: x\ncmd: y\n" +
                                           in_function("1 2\nsummary: 2\nversion: 1\ncreator: callgrind-3\n"
                                                       "cmd: z\npid: 3\ndesc: Trigger: t\narch: q\n"));
    ASSERT_EQ(profile.parts().size(), 1U);
    const Part& part = profile.parts()[0];
    EXPECT_EQ(part.creator, "x");
    EXPECT_EQ(part.command, "y");
    EXPECT_EQ(part.pid.text, "");
    EXPECT_EQ(part.trigger, "");
    EXPECT_EQ(part.dialect, Dialect::generic);
    EXPECT_TRUE(part.other_headers.empty());
    EXPECT_EQ(costs_text(profile, *part.summary), "Ir=2");
}

// F12, F21: what the part before does not have yet is about that part.
TEST(Parts, may_have_header_lines_after_their_body) {
    const std::string late = "desc: Trigger: t\narch: q\ncmd: y\npid: 3\npart: 4\nthread: 5\ntotals: 2\n";
    const std::string text = by_callgrind("fl=a\nfn=f\n1 2\n");
    const std::string body = text.substr(0, text.size() - std::string("totals: 0\n").size());
    const Profile profile = read_every_way(body + late);
    ASSERT_EQ(profile.parts().size(), 1U);
    const Part& part = profile.parts()[0];
    EXPECT_EQ(part.command, "y");
    EXPECT_EQ(part.pid.number, 3U);
    EXPECT_EQ(part.part.number, 4U);
    EXPECT_EQ(part.thread.number, 5U);
    EXPECT_EQ(part.trigger, "t");
    EXPECT_EQ(part.other_headers.size(), 1U);
    ASSERT_TRUE(part.totals);
    EXPECT_EQ(costs_text(profile, *part.totals), "Ir=2");
    EXPECT_EQ(diagnostics_of(profile), (Lines{"unknown-header at 7"}));
    // A second part inherits pid and command, and these come not again.
    EXPECT_EQ(parts_of("cmd: x\npid: 1\n" + in_function("1 2\npart: 2\nfn=f\n1 2\ncmd: y\ntotals: 2\n")),
              (Lines{"0/: Ir=2", "0/2: Ir=2"}));
    // What decides how lines are read cannot come after them.
    for (const char* key : {"version: 1", "creator: x", "positions: line", "# callgrind format"})
        EXPECT_EQ(parts_of(in_function("1 2\n") + "pid: 3\n" + key + "\ntotals: 9\n"), (Lines{"0/: Ir=2"}))
            << key;
}

// F21
TEST(Parts, xdebug_writes_its_summary_inside_a_function) {
    const std::string text =
        "version: 1\ncreator: xdebug 2.9.0\ncmd: /x.php\npart: 1\npositions: line\n\n"
        "events: Time Memory\n\nfl=php:internal\nfn=php::strlen\n4 5 0\n\nfl=/x.php\n"
        "fn={main}\n\nsummary: 90 800\n\n0 7 8\ncfn=php::strlen\ncalls=1 0 0\n4 5 0\n\n";
    EXPECT_EQ(parts_of(text), (Lines{"0/1: Time=12 Memory=8, summary Time=90 Memory=800"}));
    EXPECT_EQ(functions_of(text), (Lines{"php:internal:php::strlen 5", "/x.php:{main} 7 8"}));
}

// F22
TEST(Profiles, that_follow_another_start_from_nothing) {
    const std::string text =
        "positions: instr line\nevents: Ir Dr\nfl=(1) a\nfn=(1) f\n0x10 1 2 3\n"
        "version: 1\nevents: Bc\nfl=(1)\nfn=(1)\n7 5\n";
    EXPECT_EQ(functions_of(text), (Lines{"a:f 2 3", "(1):(1) 0 0 5"}));
    EXPECT_EQ(records_of(text).back(), "(1):7 costs 5");
    const Lines diagnostics = diagnostics_of(text);
    ASSERT_EQ(diagnostics.size(), 2U);
    EXPECT_EQ(diagnostics[0], "undefined-name-id x2 at 8:4");
    EXPECT_EQ(diagnostics[1].substr(0, 16), "several-profiles");
}

// F22
TEST(Profiles, of_one_run_are_its_sections) {
    const std::string one = "creator: c\npid: 5\ncmd: x\n" + in_function("1 2\n");
    EXPECT_EQ(diagnostics_of(one + one), Lines{});
    EXPECT_EQ(read(one + one).parts()[1].profile, 1U);
    const std::string other = "creator: c\npid: 6\ncmd: x\n" + in_function("1 2\n");
    EXPECT_EQ(diagnostics_of(one + other + one).size(), 1U);
    EXPECT_EQ(read(one + other + one).diagnostics()[0].id, DiagnosticId::several_profiles);
    EXPECT_EQ(read(one + other + one).diagnostics()[0].count, 2U);
}

// F23
TEST(Parts, keep_the_ids_of_those_before) {
    const std::string text =
        "events: Ir\nfl=(1) a\nfn=(1) f\n1 2\npart: 2\nevents: Ir\npositions: line\n"
        "fl=(1)\nfn=(1)\n3 4\n";
    EXPECT_EQ(functions_of(text), (Lines{"a:f 6"}));
    EXPECT_EQ(diagnostics_of(text), Lines{});
}

// F24
TEST(Parts, inherit_their_columns) {
    const std::string text =
        "positions: instr line\nevents: Ir Dr\nfl=a\nfn=f\n0x10 1 2 3\n\n"
        "part: 2\nfl=a\nfn=f\n0x20 4 5 6\n";
    EXPECT_EQ(records_of(text), (Lines{"a:1@16 costs 2 3", "a:4@32 costs 5 6"}));
    EXPECT_EQ(diagnostics_of(text), (Lines{"inherited-columns at 7"}));
    const Profile profile = read(text);
    EXPECT_EQ(profile.parts()[1].events.size(), 2U);
    EXPECT_EQ(profile.parts()[1].positions.size(), 2U);
}

// F21, the state of section 5
TEST(Parts, forget_names_function_and_base) {
    const std::string text =
        "events: Ir\nob=o\nfl=a\nfn=f\n5 2\ncfn=g\npart: 2\nevents: Ir\npositions: line\n+3 4\n";
    EXPECT_EQ(functions_of(text), (Lines{"o:a:f 2", "??? 4"}));
    EXPECT_EQ(records_of(text), (Lines{"a:5 costs 2", "???:3 costs 4"}));
    EXPECT_EQ(diagnostic_ids_of(text), (Lines{"cost-before-fn", "dangling-cfn"}));
}

// F21: pid, cmd and creator are those of the profile.
TEST(Parts, inherit_pid_command_and_creator) {
    const Profile profile =
        read_every_way("creator: c\npid: 5\ncmd: x\n" + in_function("1 2\npart: 2\nfn=f\n1 2\n"));
    ASSERT_EQ(profile.parts().size(), 2U);
    EXPECT_EQ(profile.parts()[1].creator, "c");
    EXPECT_EQ(profile.parts()[1].pid.number, 5U);
    EXPECT_EQ(profile.parts()[1].command, "x");
    EXPECT_EQ(profile.parts()[1].part.number, 2U);
}

}  // namespace
}  // namespace callcost::test
