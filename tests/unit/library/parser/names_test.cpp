// F29 to F36: names and their ids.
#include <gtest/gtest.h>

#include "unit/library/parser/every_way.hpp"

namespace callcost::test {
namespace {

// F29
TEST(Names, any_key_of_a_table_may_define) {
    const std::string text = by_callgrind(
        "ob=(1) o\nfl=(1) a\nfn=(1) f\n1 2\ncob=(2) p\ncfi=(2) b\ncfn=(2) g\ncalls=1 7\n3 4\n"
        "jfi=(3) c\njfn=(3) h\njump=1 9\n5\ncfl=(4) d\ncfn=(4) i\ncalls=1 8\n6 1\n"
        "ob=(2)\nfl=(2)\nfn=(2)\n7 4\nfl=(3)\nfn=(3)\n9 1\nfl=(4)\nfe=(5) e\nfe=(5)\nfn=(4)\n8 1\nfi=(5)\n9 "
        "1\n");
    EXPECT_EQ(functions_of(text), (Lines{"o:a:f 2", "p:b:g 4", "p:c:h 1", "p:d:i 2"}));
    EXPECT_EQ(diagnostics_of(text), (Lines{"callee-linked-by-name"}));
}

// F29
TEST(Names, objects_files_and_functions_have_tables_of_their_own) {
    EXPECT_EQ(functions_of(by_others("ob=(1) o\nfl=(1) a\nfn=(1) f\n1 2\n")), (Lines{"o:a:f 2"}));
}

// F30
TEST(Names, only_digits_in_parentheses_are_ids) {
    for (const char* name :
         {"(below main)", "(jruby_runtime)", "()", "(", "(eval 7)[a.pl:8]", "x(1)", "( 1)"}) {
        const std::string text = by_others("fl=a\nfn=" + std::string(name) + "\n1 2\n");
        EXPECT_EQ(functions_of(text), (Lines{"a:" + std::string(name) + " 2"}));
        EXPECT_EQ(diagnostics_of(text), Lines{}) << name;
    }
    for (const char* name : {"(12x", "(12", "(1 2) x", "(18446744073709551616) x", "(12x)"}) {
        const std::string text = by_others("fl=a\nfn=" + std::string(name) + "\n1 2\n");
        EXPECT_EQ(functions_of(text), (Lines{"a:" + std::string(name) + " 2"}));
        EXPECT_EQ(diagnostics_of(text), (Lines{"odd-name-id at 3:4"})) << name;
    }
}

// F30
TEST(Names, ids_are_any_number_of_64_bits) {
    for (const char* id :
         {"0", "007", "4294967295", "4294967296", "9223372036854775808", "18446744073709551615"}) {
        const std::string text =
            by_others("fl=(" + std::string(id) + ")a\nfn=(" + id + ") f\n1 2\nfn=(" + id + ")\n3 4\n");
        EXPECT_EQ(functions_of(text), (Lines{"a:f 6"}));
        EXPECT_EQ(diagnostics_of(text), Lines{});
    }
}

// F30, F61
TEST(Names, ids_of_more_than_32_bits_are_not_confused) {
    const std::string text = by_others(
        "fl=a\nfn=(1) f\n1 1\nfn=(4294967297) g\n2 2\nfn=(8589934593) h\n"
        "cfi=b\ncfn=(4294967297)\ncalls=1 1\n3 3\n"
        "cfi=b\ncfn=(1)\ncalls=1 1\n4 4\n");
    EXPECT_EQ(functions_of(text), (Lines{"a:f 1", "a:g 2", "a:h 0"}));
    EXPECT_EQ(arcs_of(text), (Lines{"a:h > a:g x1: 3", "a:h > a:f x1: 4"}));
}

// F30, F61: two functions of one name, called by ids that no 32 bits can hold.
TEST(Names, ids_of_more_than_32_bits_link_to_their_own_function) {
    const std::string text = by_others(
        "fl=a\nfn=(4294967297) f\n1 1\nfl=b\nfn=(4294967298) f\n2 2\n"
        "fl=c\nfn=(18446744073709551614) f\n2 2\nfl=d\nfn=(3) h\n"
        "cfi=x0\ncfn=(4294967298)\ncalls=1 1\n3 3\ncfi=x1\ncfn=(4294967297)\ncalls=1 1\n4 4\n"
        "cfi=x2\ncfn=(18446744073709551614)\ncalls=1 1\n5 5\n");
    EXPECT_EQ(arcs_of(text), (Lines{"d:h > b:f x1: 3", "d:h > a:f x1: 4", "d:h > c:f x1: 5"}));
}

// F31
TEST(Names, may_be_defined_again) {
    EXPECT_EQ(diagnostics_of(by_others("fl=a\nfn=(1) f\n1 2\nfn=(1) f\n1 2\nfn=(1)f\n1 2\n")), Lines{});
    const std::string other = by_others("fl=a\nfn=(1) f\n1 2\nfn=(1) g\n3 4\nfn=(1)\n5 6\n");
    EXPECT_EQ(functions_of(other), (Lines{"a:f 2", "a:g 10"}));
    EXPECT_EQ(diagnostics_of(other), (Lines{"name-id-redefined at 5:4"}));
    const Profile parts = read_every_way(
        by_others("fl=a\nfn=(1) f\n1 2\npart: 2\npositions: line\nevents: Ir\nfl=a\nfn=(1) g\n3 4\n"));
    EXPECT_EQ(functions_of(parts), (Lines{"a:f 2", "a:g 4"}));
    ASSERT_EQ(parts.diagnostics().size(), 1U);
    EXPECT_EQ(parts.diagnostics()[0].id, DiagnosticId::name_id_redefined_across_parts);
    EXPECT_EQ(diagnostics_of(parts), (Lines{"name-id-redefined at 9:4"}));
}

// F30, F31
TEST(Names, defined_again_in_any_notation_hold_from_there) {
    for (const char* again :
         {"(7) g", "(007) g", "(0000000000007) g", "(7)g", " (7) g", "(7) g ", "(7)\tg"}) {
        const std::string text =
            by_others("fl=a\nfn=(7) f\n1 1\nfn=(7)\n2 2\nfn=" + std::string(again) + "\n3 4\nfn=(7)\n5 8\n");
        EXPECT_EQ(functions_of(text), (Lines{"a:f 3", "a:g 12"})) << again;
    }
}

/// The text with an id for every @ and a name for every !.
std::string filled(std::string_view text, std::string_view id, std::string_view name) {
    std::string all;
    for (const char c : text) {
        if (c == '@') {
            all += id;
        } else if (c == '!') {
            all += name;
        } else {
            all += c;
        }
    }
    return all;
}

// F31: the blank is optional
TEST(Names, that_follow_their_id_at_once_are_no_uses) {
    constexpr std::string_view text = "ob=(@) o\nfl=(@) a\nfn=(@) f\n1 1\nob=(@)!\nfl=(@)!\nfn=(@)!\n2 2\n";
    for (const char* id : {"99999", "100000", "123456", "999999", "1000000"}) {
        for (const char* name : {"J", "Java.c", "\x8a", "\x8a\x8a.c"})
            EXPECT_EQ(functions_of(by_others(filled(text, id, name))),
                      (Lines{"o:a:f 1", filled("!:!:! 2", id, name)}))
                << id << name;
        EXPECT_EQ(functions_of(by_others(filled(text, id, "\n"))), (Lines{"o:a:f 3"})) << id;
    }
    const std::string object = by_others("fl=(123455) a\nfl=(123456) b\nob=(123456)J\nfn=(1) f\n1 1\n");
    EXPECT_EQ(functions_of(object), (Lines{"J:b:f 1"}));
}

// F32
TEST(Names, that_are_never_defined_are_their_ids) {
    const std::string text = by_others("fl=(1)\nfn=(7)\n1 2\nfn=(7)\n3 4\n");
    EXPECT_EQ(functions_of(text), (Lines{"(1):(7) 6"}));
    EXPECT_EQ(diagnostics_of(text), (Lines{"undefined-name-id x2 at 2:4"}));
}

// F32
TEST(Names, that_are_defined_late_hold_from_the_beginning) {
    const std::string text =
        by_others("fl=a\nfn=(7)\n1 2\ncfn=(8)\ncalls=1 1\n3 4\nfn=(7) f\n5 6\nfn=(8) g\n1 1\n");
    EXPECT_EQ(functions_of(text), (Lines{"a:f 8", "a:g 1"}));
    EXPECT_EQ(arcs_of(text), (Lines{"a:f > a:g x1: 4"}));
    EXPECT_EQ(diagnostics_of(text), (Lines{"undefined-name-id x2 at 3:4", "late-name-id x2 at 8:4"}));
}

// F32: an empty name cannot be defined.
TEST(Names, an_id_and_blanks_is_a_use) {
    EXPECT_EQ(functions_of(by_others("fl=a\nfn=(1) f\n1 2\nfn=(1)  \t\n3 4\n")), (Lines{"a:f 6"}));
}

// F32: a literal name that looks like a placeholder is another one.
TEST(Names, placeholders_of_two_profiles_are_not_mixed_up) {
    const std::string text =
        by_others("fl=a\nfn=(1)\n1 2\n") + "version: 1\n" + by_others("fl=a\nfn=(1) f\n3 4\n");
    EXPECT_EQ(functions_of(text), (Lines{"a:(1) 2", "a:f 4"}));
}

// F33
TEST(Names, blanks_around_them_are_dropped) {
    const std::string text = by_others("fl= a\nfn=\tf\n1 2\nfn=(1)   g\n3 4\n");
    EXPECT_EQ(functions_of(text), (Lines{"a:f 2", "a:g 4"}));
    EXPECT_EQ(diagnostics_of(text), (Lines{"name-padding x2 at 2:4"}));
}

// F33
TEST(Names, blanks_behind_them_are_dropped) {
    const std::string text = by_others("fl=a\nfn=f \t\n1 2\n");
    EXPECT_EQ(functions_of(text), (Lines{"a:f 2"}));
    EXPECT_EQ(diagnostic_ids_of(text), (Lines{"name-padding"}));
}

// F34
TEST(Names, empty_ones_and_question_marks_are_unknown) {
    const std::string text = by_others("ob=\nfl=\nfn=\n1 2\nob=???\nfl=???\nfn=???\n3 4\n");
    const Profile profile = read_every_way(text);
    ASSERT_EQ(profile.function_count(), 1U);
    EXPECT_EQ(profile.name(FunctionId(0U)), "???");
    EXPECT_EQ(profile.object(FunctionId(0U)), ObjectId(0U));
    EXPECT_EQ(profile.file(FunctionId(0U)), FileId(0U));
    EXPECT_EQ(profile.self(FunctionId(0U), EventId(0U)), 6);
    ASSERT_EQ(profile.diagnostics().size(), 1U);
    EXPECT_EQ(profile.diagnostics()[0].id, DiagnosticId::empty_name);
    EXPECT_EQ(profile.diagnostics()[0].count, 3U);
    EXPECT_EQ(functions_of(by_others("fl=a\nfn=(1) ???\n1 2\nfn=(1)\n1 2\nfn=\n1 2\n")), (Lines{"a:??? 6"}));
}

// F35
TEST(Names, have_no_other_meaning) {
    for (const char* name : {"==", "-", "a#b", "a'2", "x\\ny", "/p.php(13) : eval()'d code", "~", "<string>",
                             "+", "operator=", "totals: 5", "calls=1", "{closure:/a.php:3-5}"}) {
        const std::string text = by_others("fl=" + std::string(name) + "\nfn=" + name + "\n1 2\n");
        EXPECT_EQ(functions_of(text), (Lines{std::string(name) + ':' + name + " 2"}));
        EXPECT_EQ(diagnostics_of(text), Lines{}) << name;
    }
}

// F36
TEST(Names, nested_ids_are_expanded_in_callgrind_files) {
    const std::string body =
        "fl=a\nfn=(4) foo\n1 1\nfn=(5) main\n2 2\nfn=(9) (4)'2'(5)\n3 3\nfn=(10) (9)'(5)\n4 4\n";
    EXPECT_EQ(functions_of(by_callgrind(body)),
              (Lines{"a:foo 1", "a:main 2", "a:foo'2'main 3", "a:foo'2'main'main 4"}));
    EXPECT_EQ(diagnostics_of(by_callgrind(body)), (Lines{"nested-name-id x2 at 8:4"}));
    EXPECT_EQ(functions_of(by_others(body))[2], "a:(4)'2'(5) 3");
}

// F36: only if the whole text is of this form.
TEST(Names, of_which_a_part_looks_nested_are_literal) {
    for (const char* name : {"(4)x", "(4)'2x", "(4)'(5)y", "x'(4)", "(4)''2"})
        EXPECT_EQ(
            functions_of(by_callgrind("fl=a\nfn=(4) foo\n1 1\nfn=(9) " + std::string(name) + "\n3 3\n"))[1],
            "a:" + std::string(name) + " 3");
}

// F36
TEST(Names, nested_ids_that_are_not_defined_stay) {
    const std::string text = by_callgrind("fl=a\nfn=(4) foo\n1 1\nfn=(9) (4)'(7)\n3 3\n");
    EXPECT_EQ(functions_of(text)[1], "a:foo'(7) 3");
    EXPECT_EQ(diagnostics_of(text), (Lines{"undefined-name-id at 6:12", "nested-name-id at 6:4"}));
}

}  // namespace
}  // namespace callcost::test
