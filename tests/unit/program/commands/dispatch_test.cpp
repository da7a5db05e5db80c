#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "commands/commands.hpp"

namespace callcost::program {
namespace {

using testing::HasSubstr;

using Words = std::vector<const char*>;

UsageError refusal_of(const Words& words) {
    try {
        (void)resolve("callcost", words);
    } catch (const UsageError& error) {
        return error;
    }
    ADD_FAILURE() << "no error";
    return UsageError("");
}

void expect_resolved(const Words& words) {
    EXPECT_NO_THROW(EXPECT_TRUE(resolve("callcost", words))) << testing::PrintToString(words);
}

std::string printed(const Words& words) {
    testing::internal::CaptureStdout();
    EXPECT_EQ(resolve("callcost", words)(), 0);
    return testing::internal::GetCapturedStdout();
}

TEST(Dispatch, a_file_alone_means_top) {
    expect_resolved({"callgrind.out.1"});
    expect_resolved({});
    expect_resolved({"--group=file", "--json", "x.out"});
    EXPECT_STREQ(refusal_of({"--tree=both", "x.out"}).what(), "unknown option '--tree'");
}

TEST(Dispatch, only_the_first_word_is_a_command) {
    expect_resolved({"top", "info"});
    EXPECT_THAT(refusal_of({"--json", "info"}).what(), HasSubstr("the command must come first"));
    EXPECT_THAT(refusal_of({"--tree=both", "annotate"}).hint(), HasSubstr("'callcost annotate ...'"));
    expect_resolved({"--hide", "info", "x.out"});
}

TEST(Dispatch, every_command_explains_itself) {
    for (const Command& command : command_table()) {
        const auto text = printed({command.name.data(), "--help", "--all"});
        EXPECT_THAT(text, HasSubstr("usage: callcost " + std::string(command.name)));
        EXPECT_THAT(text, HasSubstr("\nExamples:\n  callcost "));
        if (command.name != "completion") {  // it is about no profile
            if (command.name != "record") {  // it writes what others read
                EXPECT_THAT(text, HasSubstr("\nInput:\n"));
            }
            EXPECT_THAT(text, HasSubstr("\nOutput:\n"));
        }
        EXPECT_EQ(printed({"help", command.name.data(), "--all"}), text);
        const auto common = printed({command.name.data(), "--help"});
        EXPECT_EQ(printed({"help", command.name.data()}), common);
        EXPECT_LE(common.size(), text.size());
        EXPECT_STREQ(refusal_of({command.name.data(), "--nonsense"}).what(), "unknown option '--nonsense'");
        for (const auto& row : split_at(text, '\n')) EXPECT_LE(row.size(), 80U) << row;
    }
}

TEST(Dispatch, every_command_reads_long_lines_and_what_expands) {
    for (const Command& command : command_table()) {
        if (command.name == "record" || command.name == "completion") continue;
        const auto text = printed({command.name.data(), "--help", "--all"});
        EXPECT_THAT(text, HasSubstr("--max-line")) << command.name;
        EXPECT_THAT(text, HasSubstr("--force")) << command.name;
    }
    const auto valgrind_style = printed({"annotate", "--style=valgrind", "--help"});
    EXPECT_THAT(valgrind_style, HasSubstr("--max-line"));
    EXPECT_THAT(valgrind_style, HasSubstr("--force"));
}

TEST(Dispatch, general_help_fits_one_screen) {
    const auto rows = split_at(printed({"--help"}), '\n');
    for (const auto& row : rows) EXPECT_LE(row.size(), 80U) << row;
    EXPECT_LE(rows.size(), 40U);
}

TEST(Dispatch, a_mistyped_command_is_noticed) {
    EXPECT_EQ(refusal_of({"anotate"}).hint(), "did you mean 'annotate'?");
    EXPECT_EQ(refusal_of({"inof", "callgrind.out.1"}).hint(), "did you mean 'info'?");
}

TEST(Dispatch, options_of_another_command_are_not_taken) {
    EXPECT_STREQ(refusal_of({"info", "--group", "file"}).what(), "unknown option '--group'");
    EXPECT_THAT(refusal_of({"peek", "--focus=x", "main"}).hint(),
                HasSubstr("an option of top, annotate, tree, lines"));
    EXPECT_THAT(refusal_of({"check", "--part=1", "x"}).hint(), HasSubstr(" and others; "));
    EXPECT_STREQ(refusal_of({"check", "--part=1", "x"}).what(), "unknown option '--part'");
    EXPECT_STREQ(refusal_of({"merge", "--contexts=fold", "x", "-o", "y"}).what(),
                 "unknown option '--contexts'");
}

TEST(Dispatch, check_writes_in_one_of_five_formats) {
    for (const char* format : {"text", "json", "csv", "sarif", "github"})
        expect_resolved({"check", "--format", format, "x"});
    EXPECT_THAT(refusal_of({"check", "--format=xml"}).hint(), HasSubstr("sarif"));
    EXPECT_THAT(refusal_of({"check", "--format=json", "--json"}).what(), HasSubstr("cannot be combined"));
}

TEST(Dispatch, peek_needs_a_pattern) {
    EXPECT_STREQ(refusal_of({"peek"}).what(), "peek needs a pattern");
    EXPECT_THAT(refusal_of({"peek", "/(/", "a.out"}).what(), HasSubstr("invalid value '/(/' for PATTERN"));
    EXPECT_EQ(refusal_of({"peek", "--sort", "caled", "main", "a.out"}).hint(), "did you mean 'called'?");
}

TEST(Dispatch, all_filters_go_with_groups) {
    expect_resolved(
        {"top", "--focus", "a", "--ignore", "b", "--show", "c", "--hide", "d", "--group", "file"});
}

TEST(Dispatch, info_lists_one_thing_at_a_time) {
    expect_resolved({"info", "--parts", "--csv", "x"});
    EXPECT_THAT(refusal_of({"info", "--parts", "--events", "x"}).what(), HasSubstr("only one of"));
    EXPECT_THAT(refusal_of({"info", "--csv", "x"}).what(), HasSubstr("--csv needs"));
    EXPECT_THAT(refusal_of({"info", "--events", "-n", "3", "x"}).what(), HasSubstr("--parts"));
}

TEST(Dispatch, names_what_has_taken_the_place_of_former_commands) {
    for (const auto& words : {Words{"events", "x"}, Words{"events", "--help"}, Words{"help", "events"}})
        EXPECT_EQ(refusal_of(words).hint(), "use 'callcost info --events'");
    EXPECT_THAT(refusal_of({"baseline", "save", "main"}).hint(), HasSubstr("--without-lines"));
}

TEST(Dispatch, annotate_sorts_by_an_event_type_too) {
    expect_resolved({"annotate", "--sort=Dr", "--inclusive", "a.out"});
    expect_resolved({"annotate", "--sort=Dr", "--event=Dr", "a.out"});
    EXPECT_THAT(refusal_of({"annotate", "--sort=Dr", "--event=Ir", "a.out"}).what(), HasSubstr("contradict"));
    for (const auto* list : {"--sort=Ir:50,Dr:90", "--sort=Ir,Dr", "--sort=Ir:50"})
        EXPECT_THAT(refusal_of({"annotate", list, "a.out"}).hint(), HasSubstr("--style=valgrind"));
    EXPECT_STREQ(refusal_of({"top", "--sort=Dr", "a.out"}).what(), "invalid value 'Dr' for --sort");
}

TEST(Dispatch, annotate_takes_the_words_of_callgrind_annotate) {
    expect_resolved({"annotate", "--auto=no", "--tree", "calling", "a.out"});
    EXPECT_STREQ(refusal_of({"annotate", "--auto=never", "a.out"}).what(),
                 "invalid value 'never' for --auto");
    EXPECT_EQ(refusal_of({"annotate", "--tree=callers", "a.out"}).hint(), "did you mean 'caller'?");
    EXPECT_THAT(refusal_of({"annotate", "--tree=both", "--csv", "a.out"}).what(), HasSubstr("--csv"));
}

}  // namespace
}  // namespace callcost::program
