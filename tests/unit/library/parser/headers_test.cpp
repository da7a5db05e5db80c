// F12 to F20 and F25 to F28: header lines.
#include <gtest/gtest.h>

#include "unit/library/parser/every_way.hpp"

namespace callcost::test {
namespace {

std::vector<std::string> event_names(const Profile& profile) {
    std::vector<std::string> names;
    for (const EventType& event : profile.events()) names.push_back(event.name);
    return names;
}

/// The only part of a text, with the profile that its views belong to.
class OnlyPart {
  public:
    explicit OnlyPart(std::string_view text) : profile_(read_every_way(text)) {
        EXPECT_EQ(profile_.parts().size(), 1U) << text;
    }
    const Part* operator->() const { return profile_.parts().data(); }

  private:
    Profile profile_;
};

std::string summary_of(std::string_view text) {
    const Profile profile = read_every_way(text);
    return profile.parts()[0].summary ? costs_text(profile, *profile.parts()[0].summary) : "none";
}
std::string totals_of(std::string_view text) {
    const Profile profile = read_every_way(text);
    return profile.parts()[0].totals ? costs_text(profile, *profile.parts()[0].totals) : "none";
}

// F12
TEST(Headers, come_in_any_order) {
    const OnlyPart part(
        "summary: 7\nevents: Ir\npid: 3\ncreator: callgrind-3.22.0\ncmd: x y\nversion: 1\n"
        "positions: instr line\nfl=a\nfn=f\n0x10 1 2\ntotals: 2\n");
    EXPECT_EQ(part->dialect, Dialect::callgrind);
    EXPECT_EQ(part->command, "x y");
    EXPECT_EQ(part->version, "1");
    EXPECT_EQ(part->pid.number, 3U);
    ASSERT_EQ(part->positions.size(), 2U);
    EXPECT_EQ(part->positions[0], "instr");
    EXPECT_EQ(part->positions[1], "line");
    EXPECT_TRUE(part->summary);
}

// F13
TEST(Headers, without_value_are_absent) {
    const std::string text =
        "version:\ncreator:\ncmd:\npid:\npart:\nthread:\ndesc:\nsummary:\npositions:\nevent:\nevents: Ir\n"
        "fl=a\nfn=f\n1 2\ntotals:\n";
    EXPECT_EQ(diagnostics_of(text), Lines{});
    EXPECT_EQ(summary_of(text), "none");
    EXPECT_EQ(totals_of(text), "none");
    EXPECT_EQ(functions_of(text), (Lines{"a:f 2"}));
}

// F13
TEST(Headers, values_are_trimmed) {
    const OnlyPart part("cmd: \t x  y \t\nevents: Ir\ndesc:   I1 cache: \nfl=a\nfn=f\n1 2\nsummary: 2\n");
    EXPECT_EQ(part->command, "x  y");
}

// F14
TEST(Headers, events_are_split_at_blanks) {
    const Profile profile = read_every_way("events:  Ir \t Time_(10ns)  \nfl=a\nfn=f\n1 2 3\n");
    EXPECT_EQ(event_names(profile), (std::vector<std::string>{"Ir", "Time_(10ns)"}));
    EXPECT_EQ(functions_of(profile), (Lines{"a:f 2 3"}));
}

// F14
TEST(Headers, costs_before_the_first_events_are_dropped) {
    const std::string text = "creator: x\nfl=a\nfn=f\n1 2\n3 4\nevents: Ir\nfl=a\nfn=f\n5 6\n";
    EXPECT_EQ(functions_of(text), (Lines{"a:f 6"}));
    EXPECT_EQ(diagnostics_of(text).front(), "cost-before-events x2 at 4");
}

// F14
TEST(Headers, events_are_required) {
    EXPECT_EQ(error_of("creator: x\nfl=a\nfn=f\n1 2\n"), ErrorCode::no_events);
    EXPECT_EQ(error_of("creator: x\nevents:\nfl=a\nfn=f\n1 2\n"), ErrorCode::no_events);
}

// F14, F13
TEST(Headers, empty_events_are_inherited) {
    const std::string text = in_function("1 2\n") + "part: 2\nevents:\nfl=a\nfn=f\n3 4\n";
    const Profile profile = read_every_way(text);
    ASSERT_EQ(profile.parts().size(), 2U);
    EXPECT_EQ(profile.parts()[1].events.size(), 1U);
    EXPECT_EQ(functions_of(profile), (Lines{"a:f 6"}));
    EXPECT_EQ(diagnostics_of(profile), (Lines{"inherited-columns at 5"}));
}

// F14
TEST(Headers, two_columns_of_one_name_are_added) {
    const std::string text = "events: Ir Dr Ir\nfl=a\nfn=f\n1 2 3 4\n";
    EXPECT_EQ(functions_of(text), (Lines{"a:f 6 3"}));
    EXPECT_EQ(diagnostics_of(text), (Lines{"duplicate-event at 1:9"}));
}

std::string event_line(int first, int count) {
    std::string line = "events:";
    for (int i = first; i < first + count; ++i) line += " E" + std::to_string(i);
    return line + '\n';
}

// F14
TEST(Headers, of_very_many_events_the_first_are_read) {
    std::string costs = "1";
    for (int i = 0; i < 1001; ++i) costs += " 2";
    const Profile profile = read_every_way(event_line(0, 3000) + "fl=a\nfn=f\n" + costs + '\n');
    EXPECT_EQ(profile.events().size(), 1000U);
    EXPECT_EQ(profile.events().back().name, "E999");
    const auto problems = diagnostics_of(profile);
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_TRUE(problems[0].starts_with("surplus-costs x2 at 1:")) << problems[0];
    const Profile most = read_every_way(event_line(0, 1000) + "fl=a\nfn=f\n1 2\n");
    EXPECT_EQ(diagnostics_of(most), Lines());
}

// F14
TEST(Headers, parts_have_no_more_events_together) {
    const std::string one = event_line(0, 1000) + "fl=a\nfn=f\n1 2\n";
    EXPECT_TRUE(
        read_profile(from_memory(one + "part: 2\n" + event_line(500, 500) + "fn=f\n1 2\n")).has_value());
    const auto refused = read_profile(from_memory(one + "part: 2\n" + event_line(1000, 1) + "fn=f\n1 2\n"));
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().message(), "too large: more than 1,000 event types");
}

// F14
TEST(Headers, parts_may_have_different_events) {
    const Profile profile = read_every_way(
        "events: Ir Dr\nfl=a\nfn=f\n1 2 3\npart: 2\npositions: line\n"
        "events: Bc Dr\nfl=a\nfn=f\n1 4 5\n");
    EXPECT_EQ(event_names(profile), (std::vector<std::string>{"Ir", "Dr", "Bc"}));
    EXPECT_EQ(functions_of(profile), (Lines{"a:f 2 8 4"}));
    EXPECT_EQ(diagnostics_of(profile), Lines{});
}

// F15
TEST(Headers, positions_define_the_columns_in_their_order) {
    EXPECT_EQ(records_of("positions: line instr\nevents: Ir\nfl=a\nfn=f\n7 0x10 5\n"),
              (Lines{"a:7@16 costs 5"}));
    EXPECT_EQ(records_of("positions: addr line\nevents: Ir\nfl=a\nfn=f\n0x10 7 5\n"),
              (Lines{"a:7@16 costs 5"}));
    EXPECT_EQ(records_of("positions: instr\nevents: Ir\nfl=a\nfn=f\n0x10 7\n"), (Lines{"a:0@16 costs 7"}));
    EXPECT_EQ(records_of("positions:\nevents: Ir\nfl=a\nfn=f\n7 5\n"), (Lines{"a:7 costs 5"}));
}

// F15
TEST(Headers, bb_and_unknown_positions_are_columns) {
    const std::string bb = "positions: instr bb line\nevents: Ir\nfl=a\nfn=f\n0x10 0x20 7 5\n+1 +2 +3 5\n";
    EXPECT_EQ(records_of(bb), (Lines{"a:7@16 costs 5", "a:10@17 costs 5"}));
    EXPECT_EQ(diagnostics_of(bb), Lines{});
    EXPECT_EQ(events_of(bb).back(), "a:10@17/17/34/10 costs 5");
    const std::string odd = "positions: line page\nevents: Ir\nfl=a\nfn=f\n7 3 5\n";
    EXPECT_EQ(records_of(odd), (Lines{"a:7 costs 5"}));
    EXPECT_EQ(diagnostics_of(odd), (Lines{"unknown-position at 1:12"}));
    EXPECT_EQ(events_of(odd).back(), "a:7/7/3 costs 5");
}

// F16
TEST(Headers, versions_above_1_are_not_known) {
    EXPECT_EQ(diagnostics_of("version: 1\n" + in_function("1 2\n")), Lines{});
    EXPECT_EQ(diagnostics_of("version: 0.9.6\n" + in_function("1 2\n")), Lines{});
    EXPECT_EQ(diagnostics_of("version: 2\n" + in_function("1 2\n")), (Lines{"unsupported-version at 1:10"}));
    EXPECT_EQ(functions_of("version: 2\n" + in_function("1 2\n")), (Lines{"a:f 2"}));
}

// F17
TEST(Headers, commands_are_unescaped_for_creators_that_escape_them) {
    const auto command = [](const std::string& creator) {
        return std::string(
            OnlyPart("creator: " + creator + "\ncmd: D:\\\\x\\new\n" + in_function("1 2\n"))->command);
    };
    EXPECT_EQ(command("callgrind-3.11.0"), "D:\\x\new");
    EXPECT_EQ(command("callgrind-3.22.0.GIT"), "D:\\x\new");
    EXPECT_EQ(command("callcost-0.1"), "D:\\x\new");
    EXPECT_EQ(command("callgrind-3.10.1"), "D:\\\\x\\new");
    EXPECT_EQ(command("xdebug 3"), "D:\\\\x\\new");
}

// F17
TEST(Headers, what_callcost_writes_for_no_command_is_none) {
    const auto command = [](const std::string& creator) {
        return std::string(
            OnlyPart("creator: " + creator + "\ncmd: unknown\n" + in_function("1 2\n"))->command);
    };
    EXPECT_EQ(command("callcost-0.1 from stacks"), "");
    EXPECT_EQ(command("callgrind-3.22.0"), "unknown");
}

// F18
TEST(Headers, pid_part_and_thread_are_numbers_or_texts) {
    const std::string text = "pid: 12\npart: x1\nthread: 3 4\n" + in_function("1 2\n");
    const OnlyPart part(text);
    EXPECT_EQ(part->pid.number, 12U);
    EXPECT_EQ(part->part.text, "x1");
    EXPECT_FALSE(part->part.number);
    EXPECT_EQ(part->thread.text, "3 4");
    EXPECT_FALSE(part->thread.number);
    EXPECT_EQ(diagnostics_of(text), (Lines{"bad-number x2 at 2:7"}));
}

// F19
TEST(Headers, descriptions_have_known_types) {
    const OnlyPart part(
        "desc: I1 cache: 32768 B\ndesc: Trigger: Program termination\n"
        "desc: Timerange: Basic block 0 - 9\ndesc: free text\n" +
        in_function("1 2\n"));
    EXPECT_EQ(part->trigger, "Program termination");
    EXPECT_EQ(part->timerange, "Basic block 0 - 9");
    EXPECT_EQ(part->descriptions, (std::vector<std::string>{"I1 cache: 32768 B", "free text"}));
    EXPECT_EQ(OnlyPart("timeframe (BB): 0 - 9\n" + in_function("1 2\n"))->timerange, "0 - 9");
    EXPECT_EQ(diagnostics_of("timeframe (BB): 0 - 9\n" + in_function("1 2\n")), Lines{});
}

// F20
TEST(Headers, the_creator_and_the_first_body_line_decide_the_dialect) {
    const auto dialect = [](const std::string& header, const std::string& body = "fl=a\nfn=f\n1 2\n") {
        return OnlyPart(header + "events: Ir\n" + body)->dialect;
    };
    EXPECT_EQ(dialect(""), Dialect::generic);
    EXPECT_EQ(dialect("creator: callgrind-3.22.0\n"), Dialect::callgrind);
    EXPECT_EQ(dialect("creator: callgrind\n"), Dialect::generic);
    EXPECT_EQ(dialect("creator: callgrind-3.22.0\ncreator: x\n"), Dialect::generic) << "the last one counts";
    EXPECT_EQ(dialect("creator: x\ncreator: callgrind-3.22.0\n"), Dialect::callgrind);
    EXPECT_EQ(dialect("cmd: x\n"), Dialect::cachegrind);
    EXPECT_EQ(dialect("desc: I1 cache: x\ncmd: x\n"), Dialect::cachegrind);
    EXPECT_EQ(dialect("cmd: x\n", "fn=f\n1 2\n"), Dialect::generic);
    for (const char* key : {"version: 1", "creator: x", "positions: line", "pid: 1", "part: 1", "thread: 1"})
        EXPECT_EQ(dialect(std::string(key) + "\ncmd: x\n"), Dialect::generic) << key;
}

// F25
TEST(Headers, a_summary_is_read_at_the_end_of_its_part) {
    EXPECT_EQ(summary_of("summary: 5 6\nevents: Ir Dr\nfl=a\nfn=f\n1 2\n"), "Ir=5 Dr=6");
    EXPECT_EQ(summary_of("events: Ir Dr\nfl=a\nfn=f\nsummary: 5\n1 2\n"), "Ir=5");
    EXPECT_EQ(diagnostics_of("summary: 5\nevents: Ir Dr\nfl=a\nfn=f\n1 2\n"), Lines{});
    const std::string surplus = in_function("1 2\n\nsummary: 5 6 7\n");
    EXPECT_EQ(summary_of(surplus), "Ir=5");
    EXPECT_EQ(diagnostics_of(surplus), (Lines{"surplus-summary at 6:10"}));
}

// F25
TEST(Headers, a_summary_that_is_no_number_is_ignored_and_reported_where_it_stands) {
    for (const auto& [value, column] : {std::pair{"abc", "10"}, {"12x", "10"}, {"5 12x", "12"}}) {
        SCOPED_TRACE(value);
        const std::string text = in_function("1 2\n\nsummary: " + std::string(value) + "\n\n2 3\n");
        EXPECT_EQ(summary_of(text), "none");
        EXPECT_EQ(diagnostics_of(text), (Lines{"unreadable-summary at 6:" + std::string(column)}));
        EXPECT_EQ(functions_of(text), (Lines{"a:f 5"}));
    }
}

// F26
TEST(Headers, totals_may_be_written_with_an_equals_sign_or_be_no_number) {
    EXPECT_EQ(totals_of(in_function("1 2\ntotals: 2\n")), "Ir=2");
    EXPECT_EQ(totals_of(in_function("1 2\ntotals=3\n")), "Ir=3");
    EXPECT_EQ(diagnostics_of(in_function("1 2\ntotals=3\n")), (Lines{"totals-equals-sign at 5"}));
    EXPECT_EQ(totals_of(in_function("1 2\ntotals: (null)\n")), "none");
    EXPECT_EQ(diagnostics_of(in_function("1 2\ntotals: (null)\n")), (Lines{"unreadable-totals at 5:9"}));
    EXPECT_EQ(diagnostics_of(in_function("1 2\ntotals: 2 12x\n")), (Lines{"unreadable-totals at 5:11"}));
}

// F27
TEST(Headers, event_lines_give_long_names_and_formulas) {
    const Profile profile = read_every_way(
        "event: Ir : instructions = all\nevent: X = 2 Ir + 3 Dr : cost of: x\n"
        "events: Ir Dr Wait\nevent: Wait long name\nevent: Other : not there\n"
        "fl=a\nfn=f\n1 2\n");
    EXPECT_EQ(profile.events()[0].long_name, "instructions = all");
    EXPECT_EQ(profile.events()[2].long_name, "long name");
    ASSERT_EQ(profile.formulas().size(), 1U);
    EXPECT_EQ(profile.formulas()[0].name, "X");
    EXPECT_EQ(profile.formulas()[0].formula, "2 Ir + 3 Dr");
    EXPECT_EQ(profile.formulas()[0].long_name, "cost of: x");
    EXPECT_EQ(profile.formulas()[0].place.line, 2U);
    EXPECT_EQ(diagnostics_of(profile), (Lines{"event-without-colon at 4:8"}));
}

// F27
TEST(Headers, the_place_of_a_formula_is_in_its_excerpt) {
    const Profile profile =
        read_every_way("event:" + std::string(300, ' ') + "X = 2 Ir\n" + in_function("1 2\n"));
    ASSERT_EQ(profile.formulas().size(), 1U);
    const Place& place = profile.formulas()[0].place;
    EXPECT_EQ(place.column, 307U);
    ASSERT_GT(place.excerpt_column, 0U);
    EXPECT_EQ(place.excerpt.substr(place.excerpt_column - 1), "X = 2 Ir");
}

// F27
TEST(Headers, the_first_of_contradicting_event_lines_is_kept) {
    const std::string one = "version: 1\nevent: X = 2 Ir : x\n" + in_function("1 2\n");
    EXPECT_EQ(diagnostics_of(one + one).back().substr(0, 16), "several-profiles");
    EXPECT_EQ(diagnostics_of(one + one).size(), 1U);
    for (const char* line : {"event: X = 3 Ir", "event: X = 3 Ir : x", "event: X : y"}) {
        const std::string other = "version: 1\n" + std::string(line) + '\n' + in_function("1 2\n");
        const Profile profile = read_every_way(one + other);
        ASSERT_EQ(profile.formulas().size(), 1U);
        EXPECT_EQ(profile.formulas()[0].formula, "2 Ir");
        EXPECT_EQ(diagnostics_of(profile)[0], "event-redefined at 8:8") << line;
        ProfileReader reader;
        ASSERT_TRUE(reader.add(from_memory(one)));
        ASSERT_TRUE(reader.add(from_memory(other)));
        const Profile both = std::move(reader).finish();
        EXPECT_EQ(diagnostics_of(both), (Lines{"event-redefined at 2:8"})) << line;
    }
    EXPECT_EQ(diagnostics_of("event: X = 2 Ir\nevent: X = 2Ir\n" + in_function("1 2\n")), Lines{});
}

// F27: the grammar leaves both the formula and the long name out.
TEST(Headers, an_event_line_with_a_name_alone_is_legal) {
    EXPECT_EQ(diagnostics_of("event: Ir\n" + in_function("1 2\n")), Lines{});
    EXPECT_EQ(diagnostics_of("event: Ir  \n" + in_function("1 2\n")), Lines{});
}

// F28
TEST(Headers, other_keys_are_kept) {
    const std::string text = "arch: x86\nMy Key-2 (x): 1\n" + in_function("1 2\n");
    const OnlyPart part(text);
    EXPECT_EQ(part->other_headers,
              (std::vector<std::pair<std::string, std::string>>{{"arch", "x86"}, {"My Key-2 (x)", "1"}}));
    EXPECT_EQ(diagnostics_of(text), (Lines{"unknown-header x2 at 1"}));
}

}  // namespace
}  // namespace callcost::test
