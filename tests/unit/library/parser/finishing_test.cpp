// F66, F68, F71, F81, F82, and several files in one profile.
#include <gtest/gtest.h>

#include "unit/library/parser/corpus.hpp"
#include "unit/library/parser/every_way.hpp"

namespace callcost::test {
namespace {

// F66
TEST(Records, keep_the_order_of_the_file) {
    EXPECT_EQ(records_of(by_others(
                  "fl=a\nfn=f\n9 1\nfn=g\n1 1\nfn=f\n3 1\ncfn=g\ncalls=1 1\n2 5\n3 1\nfn=g\n0 1\n")),
              (Lines{"a:9 costs 1", "a:3 costs 1", "a:2 calls a:g x1 at 1, costs 5", "a:3 costs 1",
                     "a:1 costs 1", "a:0 costs 1"}));
}

// F68
TEST(EventTypes, have_the_units_that_their_names_say) {
    const Profile profile = read_every_way(
        "event: sysTime : sysTime (elapsed ns)\nevent: ns : Nanoseconds\n"
        "events: Time_(10ns) Memory_(bytes) cpu(ms) sysTime ns Ir\n");
    std::vector<std::string> units;
    for (const EventType& event : profile.events()) units.push_back(event.unit);
    EXPECT_EQ(units, (std::vector<std::string>{"10ns", "bytes", "ms", "ns", "ns", ""}));
    EXPECT_EQ(profile.events()[0].name, "Time_(10ns)");
}

// F71
TEST(Functions, are_object_file_and_name) {
    EXPECT_EQ(functions_of(
                  by_others("ob=o\nfl=a\nfn=f\n1 1\nfl=b\nfn=f\n1 2\nob=p\nfn=f\n1 4\nob=o\nfl=a\nfn=f\n1 8\n"
                            "fl=/x/a\nfn=f\n1 16\n")),
              (Lines{"o:a:f 9", "o:b:f 2", "p:b:f 4", "o:/x/a:f 16"}));
}

// F71
TEST(Functions, of_one_path_with_two_ids_are_one) {
    EXPECT_EQ(functions_of(by_others("fl=(1) a\nfn=(1) f\n1 1\nfl=(2) a\nfn=(2) f\n1 2\n")),
              (Lines{"a:f 3"}));
}

// F81
TEST(Parts, add_up) {
    const std::string text = "part: 1\n" + in_function(
                                               "1 2\ncfn=g\ncalls=3 1\n2 5\n\npart: 2\npositions: line\n"
                                               "events: Ir\nfl=a\nfn=f\n1 4\ncfn=g\ncalls=0 1\n2 7\n");
    const Profile profile = read_every_way(text);
    EXPECT_EQ(functions_of(profile), (Lines{"a:f 6", "a:g called only"}));
    EXPECT_EQ(arcs_of(profile), (Lines{"a:f > a:g x>=3: 12"}));
    ASSERT_EQ(profile.parts().size(), 2U);
    EXPECT_EQ(profile.parts()[0].call_count, 3U);
    EXPECT_EQ(costs_text(profile, profile.parts()[1].self), "Ir=4");
    EXPECT_EQ(costs_text(profile, profile.parts()[1].inclusive_sum), "Ir=7");
}

// F82
TEST(Totals, are_modulo_2_to_the_64) {
    const Profile profile =
        read_every_way(in_function("1 9223372036854775807\n2 9223372036854775807\n3 4\ncfn=g\ncalls=1 1\n"
                                   "4 18446744073709551615\ncfn=g\ncalls=1 1\n4 2\n"));
    EXPECT_EQ(profile.total(EventId(0U)), 2);
    EXPECT_EQ(profile.cost(ArcId(0U), EventId(0U)), 1);
}

// The same function of several files is one.
TEST(Files, of_one_profile_have_ids_of_their_own) {
    ProfileReader reader;
    ASSERT_TRUE(reader.add(from_memory(by_others("fl=(1) a\nfn=(1) f\n1 1\n"), "one")));
    ASSERT_TRUE(reader.add(from_memory(by_others("fl=(1) b\nfn=(1) g\n1 2\n"), "two")));
    ASSERT_TRUE(reader.add(from_memory(by_others("fl=a\nfn=f\n1 4\nfn=(1)\n1 8\n"), "three")));
    const Profile profile = std::move(reader).finish();
    EXPECT_EQ(functions_of(profile), (Lines{"a:f 5", "b:g 2", "a:(1) 8"}));
    ASSERT_EQ(profile.sources().size(), 3U);
    ASSERT_EQ(profile.diagnostics().size(), 1U);
    EXPECT_EQ(profile.diagnostics()[0].places[0].source, 2U);
    EXPECT_EQ(profile.diagnostics()[0].places[0].line, 5U);
}

/// What adding these texts gives; those that cannot be read are left out by themselves.
std::string dump_of(const std::vector<std::string>& texts, const ReadOptions& options) {
    ProfileReader reader(options);
    for (const std::string& text : texts) static_cast<void>(reader.add(from_memory(text)));
    return dump(std::move(reader).finish());
}

// F14: a file that cannot be loaded leaves nothing behind.
TEST(Files, that_fail_leave_nothing_behind) {
    const std::string one = by_others("fl=(1) a\nfn=(1) f\n1 1\ncfn=g\ncalls=1 1\n2 9\n");
    const std::string two = by_others("fl=(2) b\nfn=(2) g\n1 2\n");
    std::string no_events = "creator: x\nfl=(1) a\nfn=(7) k\n1 2\n";
    for (int i = 0; i < 50; ++i) no_events += "cfn=(9) m\ncalls=1 1\n3 4\nfn=(7)\n5 6\nbad line\n";
    const std::vector<std::string> failing{no_events, "version: 2\ncreator: y\nsummary: 5\n", "hello\n", "",
                                           "# x\n"};
    for (const ReadOptions& options : {ReadOptions{}, little_pieces()}) {
        const std::string expected = dump_of({one, two}, options);
        for (const std::string& text : failing) {
            EXPECT_EQ(first_difference(dump_of({one, text, two}, options), expected), "") << text;
            EXPECT_EQ(first_difference(dump_of({text, one, two}, options), expected), "") << text;
            EXPECT_EQ(first_difference(dump_of({one, two, text}, options), expected), "") << text;
            EXPECT_EQ(first_difference(dump_of({text, text, one, text, two, text}, options), expected), "")
                << text;
        }
    }
}

TEST(Files, that_fail_say_why) {
    ProfileReader reader;
    EXPECT_EQ(reader.add(from_memory("creator: x\nfn=f\n1 1\n")).error().code, ErrorCode::no_events);
    EXPECT_EQ(reader.add(from_memory("x\n")).error().code, ErrorCode::not_a_profile);
    EXPECT_EQ(reader.add(from_memory("\n")).error().code, ErrorCode::empty_file);
    const Profile nothing = std::move(reader).finish();
    EXPECT_EQ(nothing.function_count(), 0U);
    EXPECT_TRUE(nothing.parts().empty());
    EXPECT_TRUE(nothing.diagnostics().empty());
}

}  // namespace
}  // namespace callcost::test
