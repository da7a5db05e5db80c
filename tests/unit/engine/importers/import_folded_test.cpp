#include "unit/engine/importers/imported.hpp"

namespace {

using callcost::ErrorCode;
using callcost::engine::FoldedColumns;
using callcost::engine::ImportFormat;
using callcost::engine::ImportOptions;
using callcost::test::notes_text;
using callcost::test::records_text;

std::string records(std::string_view text, const ImportOptions& options = {}) {
    const auto imported = callcost::test::import(ImportFormat::folded, text, options);
    EXPECT_TRUE(imported.has_value());
    return imported ? records_text(callcost::test::read_without_errors(imported->text)) : "";
}

std::string notes(std::string_view text) {
    const auto imported = callcost::test::import(ImportFormat::folded, text);
    EXPECT_TRUE(imported.has_value());
    return imported ? notes_text(imported->notes) : "";
}

TEST(ImportFolded, the_last_blank_separates_the_cost) {
    EXPECT_EQ(records("main;operator new (int) 5\n"),
              "main:0 -> operator new (int) 5\noperator new (int):0 5\n");
}

TEST(ImportFolded, line_ends_of_any_kind_and_empty_lines_are_read) {
    EXPECT_EQ(records("a 1\r\n\r\n   \na 2\n\na 4"), "a:0 7\n");
}

TEST(ImportFolded, two_columns_are_two_event_types) {
    const auto imported = callcost::test::import(ImportFormat::folded, "a;b 5 3\na 0 2\n");
    ASSERT_TRUE(imported.has_value());
    const auto profile = callcost::test::read_without_errors(imported->text);
    ASSERT_EQ(profile.events().size(), 2U);
    EXPECT_EQ(profile.events()[0].name, "before");
    EXPECT_EQ(profile.events()[1].name, "after");
    EXPECT_EQ(profile.total(callcost::EventId(std::size_t{1})), 5);
}

TEST(ImportFolded, names_may_end_in_a_number_where_not_all_do) {
    EXPECT_EQ(records("worker 1 5\nmain 3\n"), "main:0 3\nworker 1:0 5\n");
    EXPECT_EQ(records("worker 1 5\n", {.folded_columns = FoldedColumns::one}), "worker 1:0 5\n");
}

TEST(ImportFolded, a_line_with_one_number_of_two_is_skipped) {
    const auto imported =
        callcost::test::import(ImportFormat::folded, "a 1 2\nb 3\n", {.folded_columns = FoldedColumns::two});
    ASSERT_TRUE(imported.has_value());
    EXPECT_EQ(notes_text(imported->notes), "unreadable-line at 2");
    EXPECT_EQ(imported->notes.samples, 1U);
}

callcost::Profile profile_of(std::string_view text, const ImportOptions& options = {}) {
    const auto imported = callcost::test::import(ImportFormat::folded, text, options);
    EXPECT_TRUE(imported.has_value());
    return callcost::test::read_without_errors(imported->text);
}

constexpr callcost::EventId first_event{std::size_t{0}};

TEST(ImportFolded, decimals_are_kept_in_thousandths) {
    const auto profile = profile_of("main;a 0.1\nmain;b 1.25\nmain;b;c -0.75\nmain;d 3.0\n");
    EXPECT_EQ(profile.events()[0].name, "milli_samples");
    EXPECT_EQ(profile.events()[0].long_name, "samples, in 1/1000");
    EXPECT_EQ(profile.total(first_event), 3600);
    EXPECT_EQ(notes("main;a 0.1\nmain;b 1.25\nmain;b;c -0.75\nmain;d 3.0\n"), "");
    EXPECT_EQ(records("a 1.5\nb -2.5\nc 3.49\nd 4.0\n"), "a:0 1500\nb:0 -2500\nc:0 3490\nd:0 4000\n");
}

TEST(ImportFolded, as_many_decimals_are_kept_as_there_are) {
    EXPECT_EQ(profile_of("a 1\na 0.0001\n").events()[0].name, "micro_samples");
    EXPECT_EQ(records("a 1\na 0.0001\n"), "a:0 1000100\n");
    EXPECT_EQ(records("a 1e-07\na 1.5E+1\n"), "a:0 15000000100\n");
    EXPECT_EQ(profile_of("a 4.000\na 15e2\n").events()[0].name, "samples");
    EXPECT_EQ(records("a 4.000\na 15e2\n"), "a:0 1504\n");
}

TEST(ImportFolded, decimals_may_come_late_and_in_two_columns) {
    std::string text;
    for (int i = 0; i < 100; ++i) text += "main;a 1 2\n";
    text += "main;b 0.5 0\n";
    callcost::Stacks stacks;
    const auto profile = profile_of(text, {.stacks = &stacks});
    ASSERT_EQ(profile.events().size(), 2U);
    EXPECT_EQ(profile.events()[1].name, "milli_after");
    EXPECT_EQ(records_text(profile),
              "a:0 100000 200000\nb:0 500\nmain:0 -> a 100000 200000\nmain:0 -> b 500\n");
    const auto before = stacks.find_event("milli_before");
    ASSERT_NE(before, callcost::Stacks::none);
    EXPECT_EQ(stacks.self(1, before), 100'000);
    EXPECT_EQ(stacks.self(2, before), 500);
}

TEST(ImportFolded, decimals_that_the_sum_has_no_room_for_are_rounded_and_noted) {
    const std::string text =
        "a 0.3000000000000000444\nb 100\n";  // 18 decimals at most, and 100 leaves room for 15
    EXPECT_EQ(profile_of(text).events()[0].name, "femto_samples");
    EXPECT_EQ(records(text), "a:0 300000000000000\nb:0 100000000000000000\n");
    EXPECT_EQ(notes(text), "values-rounded at 1");
    EXPECT_EQ(records("a 9000000000000000000\nb 1.5\nb -2.5\n"), "a:0 9000000000000000000\nb:0 -1\n");
}

TEST(ImportFolded, comments_are_skipped) {
    EXPECT_EQ(records("# by hand; of 3\na;b 1\n#\na 2\n"), "a:0 -> b 1\na:0 2\nb:0 1\n");
    EXPECT_EQ(notes("# by hand; of 3\na;b 1\n#\na 2\n"), "");
}

TEST(ImportFolded, utf16_is_read) {
    constexpr std::string_view little(
        "\xff\xfe"
        "a\0;\0\xe9\0;\0\x3d\xd8\x00\xde \0"
        "5\0\r\0\n\0"
        "a\0 \0"
        "1\0",
        28);
    EXPECT_EQ(records(little),
              "a:0 -> \xc3\xa9 5\na:0 1\n\xc3\xa9:0 -> \xf0\x9f\x98\x80 5\n\xf0\x9f\x98\x80:0 5\n");
    constexpr std::string_view broken(
        "\xfe\xff\xd8\x3d\0;\0b\0 \0"
        "5",
        12);
    EXPECT_EQ(records(broken), "b:0 5\n\xef\xbf\xbd:0 -> b 5\n");
    EXPECT_EQ(records("\xef\xbb\xbf"
                      "a 1\n"),
              "a:0 1\n");
}

TEST(ImportFolded, annotations_are_decoded) {
    const auto imported =
        callcost::test::import(ImportFormat::folded, "main;read_[k] 1\nmain;f_[i] 2\nx_[z] 4\n");
    ASSERT_TRUE(imported.has_value());
    EXPECT_EQ(notes_text(imported->notes), "annotations-dropped at 2");
    const auto profile = callcost::test::read_without_errors(imported->text);
    std::map<std::string, std::string> objects;
    for (std::size_t row = 0; row < profile.function_count(); ++row)
        objects[std::string(profile.name(callcost::FunctionId(row)))] =
            profile.name(profile.object(callcost::FunctionId(row)));
    EXPECT_EQ(objects, (std::map<std::string, std::string>{
                           {"main", "???"}, {"read", "[kernel]"}, {"f", "???"}, {"x_[z]", "???"}}));
}

TEST(ImportFolded, lines_that_are_no_stacks_are_skipped) {
    EXPECT_EQ(notes("a 1\nno number\nb\n99999999999999999999 1\nb 99999999999999999999\nc 1.\nd 0x10\n"),
              "unreadable-line x5 at 2");
}

TEST(ImportFolded, a_cost_without_a_stack_is_kept) {
    EXPECT_EQ(records("a 1\n 5\n7\n"), "(no stack):0 12\na:0 1\n");
    EXPECT_EQ(records(";;a 1\n"), "(unknown)'2:0 -> a 1\n(unknown):0 -> (unknown)'2 1\na:0 1\n");
}

TEST(ImportFolded, a_file_without_stacks_is_an_error) {
    const auto nothing = callcost::test::import(ImportFormat::folded, "");
    ASSERT_FALSE(nothing.has_value());
    EXPECT_EQ(nothing.error().code, ErrorCode::empty_file);
    const auto prose = callcost::test::import(ImportFormat::folded, "Dear reader,\n");
    ASSERT_FALSE(prose.has_value());
    EXPECT_EQ(prose.error().code, ErrorCode::not_a_profile);
    EXPECT_EQ(prose.error().line, 1U);
}

TEST(ImportFolded, lines_may_be_longer_than_a_block) {
    std::string line;
    for (int i = 0; i < 100'000; ++i) line += "f;";
    EXPECT_EQ(records(line + "g 3\n"), "f'2:0 -> f'2 3\nf'2:0 -> g 3\nf:0 -> f'2 3\ng:0 3\n");
}

TEST(ImportFolded, lines_beyond_the_limit_are_skipped_and_noted) {
    ImportOptions options;
    options.longest_line = 100'000;  // more than a block
    const std::string longest(99'998, 'l'), longer(99'999, 'm'), end(300'000, 'e');
    const auto text = "a 1\n" + longest + " 2\n" + longer + " 4\nb 8\n" + end + " 16";
    const auto imported = callcost::test::import(ImportFormat::folded, text, options);
    ASSERT_TRUE(imported.has_value());
    EXPECT_EQ(notes_text(imported->notes), "line-too-long x2 at 3");
    EXPECT_EQ(callcost::test::read_without_errors(imported->text).total(callcost::EventId(std::size_t{0})),
              11);
}

TEST(ImportFolded, names_with_control_bytes_stay_in_their_line) {
    const auto imported =
        callcost::test::import(ImportFormat::folded, std::string_view("a\0b;fn=(1)\tx 3\n", 15));
    ASSERT_TRUE(imported.has_value());
    const auto profile = callcost::test::read_without_errors(imported->text);
    EXPECT_EQ(profile.function_count(), 2U);
    EXPECT_EQ(profile.total(callcost::EventId(std::size_t{0})), 3);
}

TEST(ImportFolded, errors_of_the_sink_are_handed_on) {
    const callcost::Sink full = [](std::string_view) -> callcost::Result<void> {
        return tl::unexpected(callcost::Error{.code = ErrorCode::read_failed, .detail = "disk full"});
    };
    const auto result = callcost::engine::import_folded(callcost::from_memory("a 1\n"), {}, full);
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().detail, "disk full");
}

}  // namespace
