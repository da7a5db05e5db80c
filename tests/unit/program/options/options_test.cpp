#include "options/options.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace callcost::program {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Options parse(std::vector<const char*> arguments) {
    const auto options = parse_command_line(arguments);
    EXPECT_TRUE(options.has_value()) << options.error().message;
    return options.value_or(Options{});
}

UsageError error_of(std::vector<const char*> arguments) {
    const auto options = parse_command_line(arguments);
    EXPECT_FALSE(options.has_value());
    return options ? UsageError{} : options.error();
}

TEST(CommandLine, a_file_alone_means_top) {
    EXPECT_EQ(parse({"callgrind.out.1"}).command, Command::top);
    EXPECT_THAT(parse({"callgrind.out.1"}).files, ElementsAre("callgrind.out.1"));
    EXPECT_EQ(parse({}).command, Command::top);
    EXPECT_EQ(parse({"--json", "x.out"}).command, Command::top);
}

TEST(CommandLine, commands_are_named_first) {
    EXPECT_EQ(parse({"info", "x"}).command, Command::info);
    EXPECT_EQ(parse({"annotate", "x", "y.c"}).command, Command::annotate);
    EXPECT_THAT(parse({"top", "info"}).files, ElementsAre("info")) << "only the first word is a command";
}

TEST(CommandLine, check_writes_in_one_of_four_formats) {
    EXPECT_EQ(parse({"check", "x"}).command, Command::check);
    EXPECT_EQ(parse({"check", "x"}).check_format, CheckFormat::text);
    EXPECT_EQ(parse({"check", "--format=sarif", "x"}).check_format, CheckFormat::sarif);
    EXPECT_EQ(parse({"check", "--format", "github", "x"}).check_format, CheckFormat::github);
    EXPECT_EQ(parse({"check", "--json", "x"}).check_format, CheckFormat::json);
    EXPECT_TRUE(parse({"check", "--format=json", "x"}).json);
    EXPECT_THAT(error_of({"check", "--format=xml"}).hint, HasSubstr("sarif"));
    EXPECT_FALSE(error_of({"check", "--part=1", "x"}).message.empty()) << "a whole profile is checked";
}

TEST(CommandLine, a_mistyped_command_is_noticed) {
    EXPECT_EQ(error_of({"anotate"}).hint, "did you mean 'annotate'?");
    EXPECT_EQ(error_of({"inof", "callgrind.out.1"}).hint, "did you mean 'info'?");
}

TEST(CommandLine, standard_input_and_dashes_are_files) {
    EXPECT_THAT(parse({"-"}).files, ElementsAre("-"));
    EXPECT_THAT(parse({"top", "--", "--odd-name"}).files, ElementsAre("--odd-name"));
}

TEST(CommandLine, options_may_come_before_and_after_files) {
    const auto options =
        parse({"top", "--limit", "5", "a.out", "--event=Dr", "b.out", "--sort", "inclusive"});
    EXPECT_THAT(options.files, ElementsAre("a.out", "b.out"));
    EXPECT_EQ(options.limit, 5U);
    EXPECT_EQ(options.event, "Dr");
    EXPECT_EQ(options.sort, SortBy::inclusive);
}

TEST(CommandLine, inclusive_is_a_way_to_sort) {
    EXPECT_EQ(parse({"top", "--inclusive", "a.out"}).sort, SortBy::inclusive);
    EXPECT_EQ(parse({"annotate", "--inclusive=yes", "a.out"}).sort, SortBy::inclusive);
    EXPECT_EQ(parse({"annotate", "--inclusive=no", "a.out"}).sort, std::nullopt);
    EXPECT_EQ(parse({"top", "--inclusive=no", "--sort=called", "a.out"}).sort, SortBy::called);
    EXPECT_EQ(error_of({"top", "--inclusive=maybe", "a.out"}).hint, "it can be yes, no");
}

TEST(CommandLine, percentages_may_have_a_sign) {
    EXPECT_DOUBLE_EQ(*parse({"top", "--threshold", "0.1%", "a.out"}).threshold, 0.001);
    EXPECT_DOUBLE_EQ(*parse({"top", "--threshold=5", "a.out"}).threshold, 0.05);
    EXPECT_THAT(error_of({"top", "--threshold", "200"}).message, HasSubstr("0 to 100"));
    EXPECT_THAT(error_of({"top", "--threshold", "x"}).message, HasSubstr("'x'"));
}

TEST(CommandLine, parts_are_listed_with_commas_or_by_repetition) {
    const auto options = parse({"top", "--part", "1,3", "--part=5", "--thread", "2", "--pid=7,8", "a.out"});
    EXPECT_THAT(options.selection.parts, ElementsAre(1, 3, 5));
    EXPECT_THAT(options.selection.threads, ElementsAre(2));
    EXPECT_THAT(options.selection.pids, ElementsAre(7, 8));
    EXPECT_THAT(options.files, ElementsAre("a.out"));
    EXPECT_THAT(error_of({"top", "--part", "one"}).message, HasSubstr("--part needs a number"));
}

TEST(CommandLine, strict_takes_no_file_for_an_id) {
    const auto options = parse({"top", "--strict", "a.out"});
    EXPECT_TRUE(options.strict.everything);
    EXPECT_THAT(options.files, ElementsAre("a.out"));
}

TEST(CommandLine, strict_may_name_diagnostics) {
    const auto options = parse({"top", "--strict=crlf,name-id-redefined", "a.out"});
    EXPECT_FALSE(options.strict.everything);
    EXPECT_THAT(options.strict.ids, ElementsAre(DiagnosticId::crlf, DiagnosticId::name_id_redefined,
                                                DiagnosticId::name_id_redefined_across_parts));
    const auto error = error_of({"top", "--strict=clrf", "a.out"});
    EXPECT_THAT(error.message, HasSubstr("'clrf'"));
    EXPECT_EQ(error.hint, "did you mean 'crlf'?");
}

TEST(CommandLine, colour_can_be_written_in_three_ways) {
    EXPECT_EQ(parse({"top", "a.out"}).color, When::automatic);
    EXPECT_EQ(parse({"top", "--color", "a.out"}).color, When::always);
    EXPECT_EQ(parse({"top", "--color=never", "a.out"}).color, When::never);
    EXPECT_EQ(parse({"top", "--no-color", "a.out"}).color, When::never);
    EXPECT_EQ(error_of({"top", "--color=allways"}).hint, "did you mean 'always'?");
}

TEST(CommandLine, the_first_word_of_peek_is_its_pattern) {
    const auto options = parse({"peek", "main", "a.out", "b.out"});
    EXPECT_EQ(options.pattern.patterns.size(), 1U);
    EXPECT_THAT(options.files, ElementsAre("a.out", "b.out"));
    EXPECT_EQ(error_of({"peek"}).message, "callcost peek needs a pattern");
    EXPECT_THAT(error_of({"peek", "/(/", "a.out"}).message, HasSubstr("the pattern cannot be '/(/'"));
}

TEST(CommandLine, peek_sorts_as_top_does) {
    EXPECT_EQ(parse({"peek", "--sort", "called", "main", "a.out"}).sort, SortBy::called);
    EXPECT_EQ(error_of({"peek", "--sort", "caled", "main", "a.out"}).hint, "did you mean 'called'?");
}

TEST(CommandLine, filters_can_be_given_several_times) {
    const auto options = parse({"top", "--focus", "a", "--focus=/b/", "--hide", "c", "x.out"});
    EXPECT_THAT(options.focus.texts, ElementsAre("a", "/b/"));
    EXPECT_EQ(options.focus.patterns.size(), 2U);
    EXPECT_EQ(options.hide.patterns.size(), 1U);
    EXPECT_TRUE(options.ignore.patterns.empty());
    EXPECT_THAT(error_of({"top", "--show", "", "x.out"}).message, HasSubstr("it is empty"));
    EXPECT_THAT(error_of({"top", "--show", "a", "--group", "file"}).message, HasSubstr("--group"));
}

TEST(CommandLine, json_and_csv_exclude_each_other) {
    EXPECT_TRUE(parse({"lines", "--csv", "a.out"}).csv);
    EXPECT_EQ(error_of({"lines", "--csv", "--json", "a.out"}).message, "--json and --csv exclude each other");
}

TEST(CommandLine, a_mistyped_option_is_noticed) {
    EXPECT_EQ(error_of({"top", "--evnt", "Ir"}).hint, "did you mean '--event'?");
    EXPECT_EQ(error_of({"top", "--limt=3"}).hint, "did you mean '--limit'?");
    EXPECT_THAT(error_of({"top", "--whatever-this-is"}).hint, HasSubstr("--help"));
}

TEST(CommandLine, comparisons_are_sorted_by_the_earlier_words_too) {
    EXPECT_EQ(parse({"diff", "--sort=increase", "a", "b"}).comparison.order, DiffOrder::increase);
    EXPECT_EQ(parse({"diff", "--sort=dearer", "a", "b"}).comparison.order, DiffOrder::increase);
    EXPECT_EQ(parse({"diff", "--sort=cheaper", "a", "b"}).comparison.order, DiffOrder::decrease);
}

TEST(CommandLine, help_is_wrapped_at_the_width_and_aligned) {
    const auto widest = [](const std::string& text) {
        std::size_t most = 0, begin = 0;
        for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
            most = std::max(most, end - begin);
        return most;
    };
    const auto help = [](const char* command, std::size_t width) {
        const std::vector<const char*> words{command, "--help"};
        return parse_command_line(words, width)->help_text;
    };
    for (const auto* command : {"top", "annotate", "asm", "diff", "baseline", "convert", "merge", "report"}) {
        EXPECT_LE(widest(help(command, 80)), 80U) << command;
        EXPECT_LE(widest(help(command, 60)), 60U) << command;
        EXPECT_GT(widest(help(command, 120)), 80U) << command;
    }
    EXPECT_THAT(help("diff", 60),
                HasSubstr("\n  --mod-filename s/OLD/NEW/\n                         rewrite"));
    EXPECT_THAT(help("diff", 120), HasSubstr("\n  --mod-filename s/OLD/NEW/  rewrite file names"));
}

TEST(CommandLine, options_of_another_command_are_not_taken) {
    EXPECT_THAT(error_of({"info", "--group", "file"}).message, HasSubstr("unknown option '--group'"));
}

TEST(CommandLine, sources_are_annotated_unless_auto_says_no) {
    EXPECT_TRUE(parse({"annotate", "a.out"}).annotate_all);
    EXPECT_FALSE(parse({"annotate", "--auto=no", "a.out"}).annotate_all);
    EXPECT_TRUE(parse({"annotate", "--auto=no", "--auto=yes", "a.out"}).annotate_all)
        << "the last one counts";
    EXPECT_EQ(error_of({"annotate", "--auto=never", "a.out"}).message, "--auto cannot be 'never'");
}

TEST(CommandLine, annotate_shows_event_types_and_top_functions) {
    EXPECT_THAT(parse({"annotate", "--show=Dr,Ir + 10 Bcm", "a.out"}).show_events,
                ElementsAre("Dr", "Ir + 10 Bcm"));
    EXPECT_THAT(parse({"annotate", "--show=Dr", "--show=Ir", "a.out"}).show_events, ElementsAre("Ir"));
    EXPECT_THAT(parse({"top", "--show=Dr", "a.out"}).show_events, ElementsAre());
    EXPECT_THAT(error_of({"annotate", "--show=Dr,,Ir", "a.out"}).message, HasSubstr("separated by commas"));
}

TEST(CommandLine, annotate_sorts_by_an_event_type_too) {
    const auto options = parse({"annotate", "--sort=Dr", "--inclusive", "a.out"});
    EXPECT_EQ(options.event, "Dr");
    EXPECT_TRUE(options.event_is_sort_key);
    EXPECT_EQ(options.sort, SortBy::inclusive);
    EXPECT_EQ(parse({"annotate", "--sort=called", "--event=Dr", "a.out"}).sort, SortBy::called);
    EXPECT_EQ(parse({"annotate", "--sort=Dr", "--event=Dr", "a.out"}).event, "Dr");
    EXPECT_THAT(error_of({"annotate", "--sort=Dr", "--event=Ir", "a.out"}).message, HasSubstr("contradict"));
    for (const auto* list : {"--sort=Ir:50,Dr:90", "--sort=Ir,Dr", "--sort=Ir:50"})
        EXPECT_THAT(error_of({"annotate", list, "a.out"}).hint, HasSubstr("--style=valgrind"));
    EXPECT_EQ(error_of({"top", "--sort=Dr", "a.out"}).message, "--sort cannot be 'Dr'");
}

TEST(CommandLine, annotate_lists_callers_and_callees_as_callgrind_annotate_calls_them) {
    EXPECT_EQ(parse({"annotate", "a.out"}).tree, CallTree::none);
    EXPECT_EQ(parse({"annotate", "--tree=caller", "a.out"}).tree, CallTree::callers);
    EXPECT_EQ(parse({"annotate", "--tree", "calling", "a.out"}).tree, CallTree::callees);
    EXPECT_EQ(parse({"annotate", "--tree=none", "--csv", "a.out"}).tree, CallTree::none);
    EXPECT_EQ(error_of({"annotate", "--tree=callers", "a.out"}).hint, "did you mean 'caller'?");
    EXPECT_THAT(error_of({"annotate", "--tree=both", "--csv", "a.out"}).message, HasSubstr("--csv"));
}

TEST(CommandLine, source_paths_can_be_mapped) {
    const auto options =
        parse({"annotate", "-I", "src", "-Iinclude", "-I=lib", "--source-map", "/build=here", "a.out"});
    EXPECT_THAT(options.include_directories, ElementsAre("src", "include", "lib"));
    ASSERT_EQ(options.source_map.size(), 1U);
    EXPECT_EQ(options.source_map[0].from, "/build");
    EXPECT_EQ(options.source_map[0].to, "here");
    EXPECT_THAT(error_of({"annotate", "--source-map", "x"}).message, HasSubstr("OLD=NEW"));
}

TEST(CommandLine, help_is_answered) {
    EXPECT_EQ(parse({"--help"}).command, Command::help);
    EXPECT_EQ(parse({"help"}).command, Command::help);
    EXPECT_THAT(parse({"top", "--help"}).help_text, HasSubstr("--group BY"));
    EXPECT_THAT(parse({"help", "annotate"}).help_text, HasSubstr("--source-map OLD=NEW"));
    EXPECT_EQ(parse({"--version"}).command, Command::version);
}

TEST(CommandLine, general_help_fits_one_screen) {
    const auto text = parse({"--help"}).help_text;
    std::size_t begin = 0;
    std::size_t lines = 0;
    for (auto end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
        EXPECT_LE(end - begin, 80U) << text.substr(begin, end - begin);
        begin = end + 1;
        ++lines;
    }
    EXPECT_LE(lines, 36U);
}

TEST(CommandLine, help_names_every_option_once) {
    for (const char* command : {"top", "annotate", "info"}) {
        const auto text = parse({command, "--help"}).help_text;
        for (const char* option : {"--json", "--color[", "--strict[", "--part ", "--quiet", "--no-pager"}) {
            const auto first = text.find(option);
            EXPECT_NE(first, std::string::npos) << command << ' ' << option;
            EXPECT_EQ(text.find(std::string("  ") + option, first + 1), std::string::npos)
                << command << ' ' << option;
        }
    }
}

}  // namespace
}  // namespace callcost::program
