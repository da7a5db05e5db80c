#include "options/command_line.hpp"

#include <algorithm>
#include <cstdint>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "options/comparison_options.hpp"
#include "options/file_options.hpp"
#include "options/profile_options.hpp"
#include "options/valgrind_options.hpp"

namespace callcost::program {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

using Words = std::vector<const char*>;

/// A command that has all groups of a list of functions.
struct Everything {
    InputOptions input;
    MeasureOptions measure;
    FilterOptions filters;
    SourceSearchOptions sources;
    OutputOptions output;
    std::optional<SortBy> sort;
    std::optional<std::size_t> limit;
    std::optional<double> threshold;

    void declare(CommandLine& line) {
        line.describe("[OPTION...] [FILE...]", "All that there is.");
        line.words(input.files);
        declare_input(line, input);
        line.heading("Selection");
        declare_event(line, measure);
        declare_filters(line, filters);
        declare_sort(line, sort);
        declare_inclusive(line, sort);
        declare_limit(line, limit, "rows to show");
        line.percentage("--threshold", "least share", threshold);
        declare_sources(line, sources);
        declare_output(line, output);
    }
};

std::unique_ptr<Everything> parse(const Words& words) {
    auto all = std::make_unique<Everything>();
    CommandLine line("all");
    all->declare(line);
    line.parse(words);
    return all;
}

UsageError error_of(const Words& words) {
    try {
        (void)parse(words);
    } catch (const UsageError& error) {
        return error;
    }
    ADD_FAILURE() << "no error";
    return UsageError("");
}

TEST(CommandLine, standard_input_and_dashes_are_files) {
    EXPECT_THAT(parse({"-"})->input.files, ElementsAre("-"));
    EXPECT_THAT(parse({"--", "--odd-name"})->input.files, ElementsAre("--odd-name"));
    EXPECT_THAT(parse({"a", "--", "--json", "--"})->input.files, ElementsAre("a", "--json", "--"));
}

TEST(CommandLine, options_may_come_before_and_after_files) {
    const auto all = parse({"--limit", "5", "a.out", "--event=Dr", "b.out", "--sort", "inclusive"});
    EXPECT_THAT(all->input.files, ElementsAre("a.out", "b.out"));
    EXPECT_EQ(all->limit, 5U);
    EXPECT_EQ(all->measure.event, "Dr");
    EXPECT_EQ(all->sort, SortBy::inclusive);
}

TEST(CommandLine, the_last_value_counts) {
    EXPECT_EQ(parse({"--limit=5", "-n3", "a.out"})->limit, 3U);
    EXPECT_EQ(parse({"-n", "many", "-n3"})->limit, 3U);
    EXPECT_EQ(parse({"-n3", "-n", ""})->limit, std::nullopt);
    EXPECT_EQ(parse({"--threshold=1", "--threshold", ""})->threshold, std::nullopt);
    EXPECT_EQ(parse({"--color=never", "--color", "a.out"})->output.color, When::always);
    EXPECT_EQ(parse({"--color=sometimes", "--color", "a.out"})->output.color, When::always);
    const auto strict = parse({"--strict", "--strict=crlf", "a.out"})->input.strict;
    EXPECT_FALSE(strict.everything);
    EXPECT_EQ(strict.ids.size(), 1U);
}

TEST(CommandLine, inclusive_is_a_way_to_sort) {
    EXPECT_EQ(parse({"--inclusive", "a.out"})->sort, SortBy::inclusive);
    EXPECT_EQ(parse({"--inclusive=yes", "a.out"})->sort, SortBy::inclusive);
    EXPECT_EQ(parse({"--inclusive=no", "a.out"})->sort, std::nullopt);
    EXPECT_EQ(parse({"--inclusive", "--sort=called", "a.out"})->sort, SortBy::inclusive);
    EXPECT_EQ(parse({"--inclusive=no", "--sort=called", "a.out"})->sort, SortBy::called);
    EXPECT_EQ(error_of({"--inclusive=maybe", "a.out"}).hint(), "available: yes, no");
}

TEST(CommandLine, percentages_may_have_a_sign) {
    EXPECT_DOUBLE_EQ(*parse({"--threshold", "0.1%", "a.out"})->threshold, 0.001);
    EXPECT_DOUBLE_EQ(*parse({"--threshold=5", "a.out"})->threshold, 0.05);
    EXPECT_THAT(error_of({"--threshold", "200"}).what(), HasSubstr("0 to 100"));
    EXPECT_THAT(error_of({"--threshold", "x"}).what(), HasSubstr("'x'"));
    for (const char* number : {"nan", "-nan", "inf", "-1", "1e999"})
        EXPECT_THAT(error_of({"--threshold", number}).what(), HasSubstr("0 to 100")) << number;
}

TEST(CommandLine, a_number_is_at_most_what_a_size_holds) {
    EXPECT_EQ(count_of("--limit", "4294967296"), std::min<std::uint64_t>(4'294'967'296, SIZE_MAX));
    EXPECT_EQ(count_of("--limit", "18446744073709551615"), SIZE_MAX);
    EXPECT_EQ(parse({"--limit", "18446744073709551615", "a.out"})->limit, SIZE_MAX);
}

TEST(CommandLine, numbers_are_decimal) {
    EXPECT_STREQ(error_of({"--limit", "0x10"}).what(), "--limit needs a number, not '0x10'");
    EXPECT_STREQ(error_of({"-n", "many"}).what(), "--limit needs a number, not 'many'");
    EXPECT_STREQ(error_of({"a.out", "--limit"}).what(), "--limit needs a value");
    EXPECT_STREQ(error_of({"--limit=", "3"}).what(), "--limit needs a value");
}

TEST(CommandLine, parts_are_listed_with_commas_or_by_repetition) {
    const auto all = parse({"--part", "1,3,", "--part=5", "--thread", "2", "--pid=7,8", "a.out"});
    EXPECT_THAT(all->input.selection.parts, ElementsAre(1, 3, 5));
    EXPECT_THAT(all->input.selection.threads, ElementsAre(2));
    EXPECT_THAT(all->input.selection.pids, ElementsAre(7, 8));
    EXPECT_THAT(all->input.files, ElementsAre("a.out"));
    EXPECT_THAT(error_of({"--part", "one"}).what(), HasSubstr("--part needs a number"));
    EXPECT_THAT(error_of({"--part", "1,,2"}).what(), HasSubstr("separated by commas"));
}

TEST(CommandLine, strict_takes_no_file_for_an_id) {
    const auto all = parse({"--strict", "a.out"});
    EXPECT_TRUE(all->input.strict.everything);
    EXPECT_THAT(all->input.files, ElementsAre("a.out"));
}

TEST(CommandLine, strict_may_name_diagnostics) {
    const auto strict = parse({"--strict=crlf,name-id-redefined", "a.out"})->input.strict;
    EXPECT_FALSE(strict.everything);
    EXPECT_THAT(strict.ids, ElementsAre(DiagnosticId::crlf, DiagnosticId::name_id_redefined,
                                        DiagnosticId::name_id_redefined_across_parts));
    const auto error = error_of({"--strict=clrf", "a.out"});
    EXPECT_THAT(error.what(), HasSubstr("'clrf'"));
    EXPECT_EQ(error.hint(), "did you mean 'crlf'?");
}

TEST(CommandLine, colour_can_be_written_in_three_ways) {
    EXPECT_EQ(parse({"a.out"})->output.color, When::automatic);
    EXPECT_EQ(parse({"--color", "a.out"})->output.color, When::always);
    EXPECT_EQ(parse({"--color=never", "a.out"})->output.color, When::never);
    EXPECT_EQ(parse({"--no-color", "a.out"})->output.color, When::never);
    EXPECT_EQ(error_of({"--color=allways"}).hint(), "did you mean 'always'?");
}

TEST(CommandLine, a_flag_may_take_something_away) {
    EXPECT_TRUE(parse({"a.out"})->output.pager);
    EXPECT_FALSE(parse({"--no-pager", "a.out"})->output.pager);
}

TEST(CommandLine, a_flag_takes_no_value) {
    EXPECT_TRUE(parse({"--quiet", "--raw", "--quiet", "a.out"})->output.quiet);
    for (const char* value : {"--quiet=no", "--quiet=yes", "--quiet=true", "--quiet=0", "--quiet=maybe"})
        EXPECT_STREQ(error_of({value, "a.out"}).what(), "--quiet takes no value") << value;
    EXPECT_STREQ(error_of({"--quiet=no", "--quiet", "a.out"}).what(), "--quiet takes no value");
    EXPECT_STREQ(error_of({"--no-pager=no", "a.out"}).what(), "--no-pager takes no value");
    EXPECT_STREQ(error_of({"-q=no", "a.out"}).what(), "the option before '=no' takes no value");
    EXPECT_THAT(parse({"--focus", "--quiet=no", "a.out"})->filters.focus.texts, ElementsAre("--quiet=no"));
}

TEST(CommandLine, filters_can_be_given_several_times) {
    const auto all = parse({"--focus", "a", "--focus=/b/", "--hide", "c", "x.out"});
    EXPECT_THAT(all->filters.focus.texts, ElementsAre("a", "/b/"));
    EXPECT_EQ(all->filters.focus.patterns.size(), 2U);
    EXPECT_EQ(all->filters.hide.patterns.size(), 1U);
    EXPECT_TRUE(all->filters.ignore.patterns.empty());
    EXPECT_THAT(error_of({"--show", "", "x.out"}).what(), HasSubstr("the pattern is empty"));
}

TEST(CommandLine, json_and_csv_cannot_be_combined) {
    EXPECT_TRUE(parse({"--csv", "a.out"})->output.csv);
    EXPECT_STREQ(error_of({"--csv", "--json", "a.out"}).what(), "--json and --csv cannot be combined");
}

TEST(CommandLine, a_mistyped_option_is_noticed) {
    EXPECT_STREQ(error_of({"--evnt", "Ir"}).what(), "unknown option '--evnt'");
    EXPECT_EQ(error_of({"--evnt", "Ir"}).hint(), "did you mean '--event'?");
    EXPECT_EQ(error_of({"--limt=3"}).hint(), "did you mean '--limit'?");
    EXPECT_EQ(error_of({"--hlep"}).hint(), "did you mean '--help'?");
    EXPECT_EQ(error_of({"--whatever-this-is"}).hint(), "'callcost all --help --all' lists the options");
}

TEST(CommandLine, source_paths_can_be_mapped) {
    const auto all = parse({"-I", "src", "-Iinclude", "-I=lib", "--source-map", "/build=here", "a.out"});
    EXPECT_THAT(all->sources.include_directories, ElementsAre("src", "include", "lib"));
    ASSERT_EQ(all->sources.source_map.size(), 1U);
    EXPECT_EQ(all->sources.source_map[0].from, "/build");
    EXPECT_EQ(all->sources.source_map[0].to, "here");
    EXPECT_THAT(error_of({"--source-map", "x"}).what(), HasSubstr("OLD=NEW"));
}

TEST(CommandLine, annotate_shows_event_types) {
    const auto shown = [](const Words& words) {
        MeasureOptions measure;
        CommandLine line("annotate");
        declare_columns(line, measure);
        line.parse(words);
        return measure.shown;
    };
    EXPECT_THAT(shown({"--columns=Dr,Ir + 10 Bcm"}), ElementsAre("Dr", "Ir + 10 Bcm"));
    EXPECT_THAT(shown({"--columns=Dr", "--columns=Ir"}), ElementsAre("Ir"));
    EXPECT_THROW((void)shown({"--columns=Dr,,Ir"}), UsageError);
}

TEST(CommandLine, a_pattern_stands_before_the_files) {
    Filter pattern;
    std::vector<std::string> files;
    CommandLine line("peek");
    declare_pattern_and_files(line, pattern, files);
    line.parse(Words{"main", "a.out", "b.out"});
    EXPECT_THAT(pattern.texts, ElementsAre("main"));
    EXPECT_EQ(pattern.patterns.size(), 1U);
    EXPECT_THAT(files, ElementsAre("a.out", "b.out"));
}

TEST(CommandLine, outputs_of_a_comparison_name_their_format) {
    const auto outputs = [](const Words& words) {
        ComparisonOptions options;
        CommandLine line("diff");
        declare_comparison(line, options);
        line.parse(words);
        EXPECT_EQ(options.input.selection.contexts, Contexts::fold);
        return options.outputs;
    };
    const auto both = outputs({"-o", "a.md", "--output=csv=b"});
    ASSERT_EQ(both.size(), 2U);
    EXPECT_EQ(both[0].format, DiffFormat::markdown);
    EXPECT_EQ(both[1].format, DiffFormat::csv);
    EXPECT_EQ(both[1].path, "b");
    EXPECT_THROW((void)outputs({"-o", "a.md", "-o", "./a.md"}), UsageError);
    EXPECT_THROW((void)outputs({"--format=md", "--json"}), UsageError);
}

TEST(CommandLine, comparisons_are_sorted_by_the_earlier_words_too) {
    const auto order = [](const char* word) {
        ComparisonOptions options;
        CommandLine line("diff");
        declare_comparison(line, options);
        line.parse(Words{word});
        return options.order;
    };
    EXPECT_EQ(order("--sort=increase"), engine::ChangeOrder::increase);
    EXPECT_EQ(order("--sort=dearer"), engine::ChangeOrder::increase);
    EXPECT_EQ(order("--sort=cheaper"), engine::ChangeOrder::decrease);
    EXPECT_THROW((void)order("--sort=bogus"), UsageError);
    try {
        (void)order("--sort=bogus");
    } catch (const UsageError& error) {
        EXPECT_EQ(error.hint(), "available: change, relative, increase, decrease, name");
    }
}

TEST(CommandLine, the_name_of_a_file_tells_its_format) {
    const auto file = [](const Words& words) {
        FileOptions options;
        CommandLine line("convert");
        declare_any_file(line, options);
        line.parse(words);
        return options.format;
    };
    EXPECT_EQ(file({"-o", "x.pb.gz"}), FileFormat::pprof);
    EXPECT_EQ(file({"-o", "x.csv", "--to=tsv"}), FileFormat::tsv);
    EXPECT_EQ(file({"-o", "x.out", "--canonical"}), FileFormat::compact);
    EXPECT_EQ(file({"-o", "x.callgrind.gz"}), FileFormat::portable);
    EXPECT_EQ(file({"-o", "x.folded.zst"}), FileFormat::folded);
    EXPECT_EQ(file({"-o", "x.callgrind.zst", "--without-lines"}), FileFormat::compact);
    EXPECT_EQ(file({"-o", "callgrind.out.7", "--to=strict", "--without-lines"}), FileFormat::strict);
    EXPECT_THROW((void)file({"-o", "x.json", "--without-lines"}), UsageError);
    EXPECT_THROW((void)file({"-o", "x.json", "--canonical"}), UsageError);
    EXPECT_THROW((void)file({"-o", "x.callgrind.xz"}), UsageError);
    EXPECT_THROW((void)file({"-o", "x.pb.zst"}), UsageError);
    EXPECT_THROW((void)file({}), UsageError);
}

class Subcommands : public testing::Test {
  protected:
    void read(const Words& words) {
        CommandLine line("baseline");
        line.subcommand("save", "save", words_);
        line.subcommand("list", "list", words_);
        line.value("--dir", "DIR", "where", directory_);
        line.parse(words);
        chosen_ = line.chosen_subcommand();
    }
    std::vector<std::string> words_;
    std::string directory_, chosen_;
};

TEST_F(Subcommands, take_the_words_behind_them_and_options_anywhere) {
    read({"--dir", "save", "list", "--dir=x"});
    EXPECT_EQ(chosen_, "list");
    EXPECT_EQ(directory_, "x");
    read({"save", "list", "--dir", "y", "a.out"});
    EXPECT_EQ(chosen_, "save");
    EXPECT_THAT(words_, ElementsAre("list", "a.out"));
    words_.clear();
    read({"save", "x", "--dir=y", "--", "--odd-name"});
    EXPECT_THAT(words_, ElementsAre("x", "--odd-name"));
}

TEST_F(Subcommands, are_required) {
    const auto message_of = [&](const Words& words) {
        try {
            read(words);
        } catch (const UsageError& error) {
            return error.what() + ("; " + error.hint());
        }
        return std::string();
    };
    EXPECT_EQ(message_of({}), "baseline needs a subcommand; available: save, list");
    EXPECT_EQ(message_of({"lst"}), "unknown subcommand 'lst'; did you mean 'list'?");
    EXPECT_EQ(message_of({"save", "--dri=x"}), "unknown option '--dri'; did you mean '--dir'?");
}

TEST(Help, fits_the_width_and_is_aligned) {
    Everything all;
    CommandLine line("all");
    all.declare(line);
    for (const std::size_t width : {60U, 80U, 120U}) {
        std::size_t longest = 0;
        for (const auto& row : split_at(line.help(width), '\n')) longest = std::max(longest, row.size());
        EXPECT_LE(longest, width);
        EXPECT_GE(longest, width - 10);
    }
    EXPECT_THAT(line.help(80), HasSubstr("\n  --part N,...           read only"));
    EXPECT_THAT(line.help(80), HasSubstr("\n  -e, --event NAME       measure by"));
    EXPECT_THAT(line.help(0), HasSubstr("(default: first event type with a non-zero total)\n"));
}

TEST(Help, puts_the_text_of_a_long_option_on_the_next_line_if_it_must) {
    std::vector<Substitution> names;
    CommandLine line("merge");
    line.heading("Output");
    line.substitutions("--mod-filename", "rewrite file names before matching", names);
    EXPECT_THAT(line.help(60), HasSubstr("\n  --mod-filename s/OLD/NEW/\n                         rewrite"));
    EXPECT_THAT(line.help(120), HasSubstr("\n  --mod-filename s/OLD/NEW/  rewrite file names"));
}

TEST(Help, names_every_option_once) {
    Everything all;
    CommandLine line("all");
    all.declare(line);
    const auto text = line.help(80);
    for (const char* option : {"--json", "--color[", "--strict[", "--part ", "--quiet", "--no-pager"}) {
        const auto first = text.find(option);
        EXPECT_NE(first, std::string::npos) << option;
        EXPECT_EQ(text.find(std::string("  ") + option, first + 1), std::string::npos) << option;
    }
    EXPECT_EQ(text.find("--help"), std::string::npos);
}

TEST(Help, is_short_or_lists_all) {
    Everything all;
    CommandLine line("all");
    all.declare(line);
    line.examples({{"all x.out", "everything"}});
    EXPECT_EQ(line.help(80, false), line.help(80)) << "no option is common";
    line.common({"--json", "--event"});
    const auto text = line.help(80, false);
    EXPECT_THAT(text, HasSubstr("\nExamples:\n  callcost all x.out  everything\n"));
    EXPECT_THAT(text, HasSubstr("\n  -e, --event NAME"));
    EXPECT_THAT(text, HasSubstr("\n  --json "));
    EXPECT_THAT(text, Not(HasSubstr("--part")));
    EXPECT_THAT(text, HasSubstr("\n'callcost all --help --all' lists all options.\n"));
    EXPECT_THAT(line.help(80), HasSubstr("--part"));
    EXPECT_THAT(line.help(24, false), HasSubstr("\n  callcost all x.out\n      everything\n"));
}

TEST(ValgrindStyle, is_that_of_the_last_style_option) {
    EXPECT_TRUE(has_valgrind_style(Words{"a.out", "--style", "valgrind"}));
    EXPECT_FALSE(has_valgrind_style(Words{"--style=valgrind", "--style=callcost"}));
    const auto line = read_valgrind_command_line(Words{"--style=valgrind", "-q", "--tree=both", "a.out"});
    EXPECT_TRUE(line.output.quiet);
    EXPECT_EQ(line.options.tree, CallTree::both);
    EXPECT_EQ(line.options.profile, "a.out");
    EXPECT_THROW((void)read_valgrind_command_line(Words{"--treee=both"}), UsageError);
    EXPECT_THROW((void)read_valgrind_command_line(Words{"--force=no"}), UsageError);
}

/// As `record` has it.
struct OtherProgram {
    CommandLine line{"record"};
    std::vector<std::string> program;
    std::string output;
    bool quiet = false;
    bool cache = false;
    std::vector<std::string> compared, only;
    When color = When::automatic;

    OtherProgram() {
        line.program(program, [](const std::string& word) { return word == "named"; });
        line.value("-o,--output", "FILE", "where", output);
        line.flag("-q,--quiet", "less", quiet);
        line.occasion("--color", "colors", color);
        line.values_or_bare("--compare", "[FILE]", "with", [this](const std::string& text) {
            compared.push_back(text.empty() ? "(none)" : text);
        });
        line.flag_or_no("--cache", "caches", cache);
        line.list("--only", "FUNCTION", "only", only);
        line.refused("--sample", "--sample is not there", "count");
    }
};

TEST(CommandLine, LeavesAllBehindTheFirstWordToTheOtherProgram) {
    OtherProgram record;
    record.line.parse(Words{"-q", "program", "-q", "--output=x", "--", "--nonsense", "--help"});
    EXPECT_TRUE(record.quiet);
    EXPECT_EQ(record.output, "");
    EXPECT_THAT(record.program, ElementsAre("program", "-q", "--output=x", "--", "--nonsense", "--help"));
}

TEST(CommandLine, KnowsTheValuesOfOptionsBeforeTheOtherProgram) {
    for (const auto& words : {Words{"-o", "x", "program"}, Words{"-ox", "program"},
                              Words{"--output", "x", "program"}, Words{"--output=x", "program"},
                              Words{"-qo", "x", "program"}, Words{"--color", "-qox", "program"}}) {
        OtherProgram record;
        record.line.parse(words);
        EXPECT_EQ(record.output, "x") << words.front();
        EXPECT_THAT(record.program, ElementsAre("program")) << words.front();
    }
}

TEST(CommandLine, DropsTheDashesBeforeTheOtherProgramOnly) {
    OtherProgram record;
    record.line.parse(Words{"-q", "--", "-o", "--", "x"});
    EXPECT_TRUE(record.quiet);
    EXPECT_THAT(record.program, ElementsAre("-o", "--", "x"));
}

TEST(CommandLine, RefusesUnknownOptionsBeforeTheOtherProgram) {
    OtherProgram record;
    EXPECT_THROW(record.line.parse(Words{"--quite", "program"}), UsageError);
}

TEST(CommandLine, HasOptionsThatAreRefusedAndNotInTheHelp) {
    OtherProgram record;
    try {
        record.line.parse(Words{"--sample", "program"});
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_STREQ(error.what(), "--sample is not there");
        EXPECT_EQ(error.hint(), "count");
        EXPECT_EQ(error.exit_status(), 2);
    }
    EXPECT_EQ(record.line.help(80).find("--sample"), std::string::npos);
}

TEST(CommandLine, TakesOptionsBehindANamedProgramAndItsArgumentsBehindDashes) {
    OtherProgram record;
    record.line.parse(Words{"-o", "x", "named", "-q", "--cache", "--", "-q", "named"});
    EXPECT_TRUE(record.line.has_named_program());
    EXPECT_TRUE(record.quiet);
    EXPECT_TRUE(record.cache);
    EXPECT_THAT(record.program, ElementsAre("named", "-q", "named"));
    OtherProgram with_word;
    EXPECT_THROW(with_word.line.parse(Words{"named", "word"}), UsageError);
}

TEST(CommandLine, KnowsNoNamedProgramBehindDashesOrAnotherWord) {
    for (const auto& words : {Words{"--", "named", "-q"}, Words{"./named", "named", "-q"}}) {
        OtherProgram record;
        record.line.parse(words);
        EXPECT_FALSE(record.line.has_named_program()) << words.front();
        EXPECT_FALSE(record.quiet) << words.front();
        EXPECT_EQ(record.program.back(), "-q") << words.front();
    }
}

TEST(CommandLine, HasOptionsWhoseValueMayBeMissing) {
    const auto compared = [](const Words& words) {
        OtherProgram record;
        record.line.parse(words);
        return record.compared;
    };
    EXPECT_THAT(compared({"--compare", "old", "program", "--compare"}), ElementsAre("old"));
    EXPECT_THAT(compared({"--compare", "--", "program"}), ElementsAre("(none)"));
    EXPECT_THAT(compared({"--compare", "-q", "program"}), ElementsAre("(none)"));
    EXPECT_THAT(compared({"--compare=old", "program"}), ElementsAre("old"));
    EXPECT_THAT(compared({"named", "--compare"}), ElementsAre("(none)"));
    EXPECT_THAT(compared({"named", "--compare", "a", "--compare", "b", "-q"}), ElementsAre("a", "b"));
}

TEST(CommandLine, HasFlagsThatCanBeTakenBack) {
    OtherProgram record;
    record.line.parse(Words{"--cache", "--cache=no", "program"});
    EXPECT_FALSE(record.cache);
    OtherProgram other;
    EXPECT_THROW(other.line.parse(Words{"--cache=maybe", "program"}), UsageError);
}

TEST(CommandLine, TakesDefaultsOfOptionsThatWereNotGiven) {
    OtherProgram record;
    record.line.complete([&line = record.line] {
        line.set_default({"--cache", {"yes"}, "f:1:1"});
        line.set_default({"--only", {"a", "b"}, "f:2:1"});
        line.set_default({"--only", {"c"}, "f:3:1"});
        line.set_default({"--output", {"y"}, "f:4:1"});
    });
    record.line.parse(Words{"--cache=no", "-ox", "program"});
    EXPECT_FALSE(record.cache);
    EXPECT_EQ(record.output, "x");
    EXPECT_THAT(record.only, ElementsAre("a", "b")) << "the first default counts";
    EXPECT_TRUE(record.line.is_given("--cache"));
}

TEST(CommandLine, SaysWhereAWrongDefaultIs) {
    OtherProgram record;
    record.line.complete([&line = record.line] { line.set_default({"--cache", {"maybe"}, "f:1:2"}); });
    try {
        record.line.parse(Words{"program"});
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_STREQ(error.what(), "f:1:2: invalid value 'maybe' for --cache");
    }
}

TEST(CommandLine, CanHaveAnExitStatusForUsageErrors) {
    OtherProgram record;
    record.line.usage_status(125);
    try {
        record.line.parse(Words{"--nonsense"});
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_EQ(error.exit_status(), 125);
    }
}

}  // namespace
}  // namespace callcost::program
