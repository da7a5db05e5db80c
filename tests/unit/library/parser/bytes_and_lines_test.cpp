// F1 to F11: bytes, lines, and what is a profile at all.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/library/parser/every_way.hpp"
#include "unit/library/parser/growth.hpp"

namespace callcost::test {
namespace {

using namespace std::string_literals;

// F1
TEST(Bytes, a_cr_before_a_line_end_is_dropped) {
    const std::string text = "events: Ir\r\nfl=a\r\nfn=f\r\n1 2\r\n";
    EXPECT_EQ(records_of(text), (Lines{"a:1 costs 2"}));
    EXPECT_EQ(functions_of(text), (Lines{"a:f 2"}));
    EXPECT_EQ(diagnostics_of(text), (Lines{"crlf x4 at 1"}));
    EXPECT_EQ(functions_of("events: Ir\nfl=a\nfn=f\rg\n1 2\n"), (Lines{"a:f\rg 2"}));
}

// F1
TEST(Bytes, a_last_line_without_line_end_counts) {
    EXPECT_EQ(functions_of(in_function("1 2\n3 4")), (Lines{"a:f 6"}));
    EXPECT_EQ(diagnostics_of(in_function("1 2\n3 4")),
              (Lines{"truncated-file at 5", "no-final-newline at 5"}));
    EXPECT_EQ(diagnostics_of("creator: yappi\n" + in_function("1 2\n3 4")), (Lines{"no-final-newline at 6"}));
}

// F1
TEST(Bytes, nul_is_an_ordinary_byte_of_a_name) {
    const std::string text = by_others("fl=a\nfn=x\0y\n1 2\n"s);
    EXPECT_EQ(read(text).name(FunctionId(0U)), "x\0y"s);
    EXPECT_EQ(diagnostics_of(text), (Lines{"nul-byte at 3:5"}));
}

// F1
TEST(Bytes, names_may_have_any_length) {
    const std::string name(70'000, 'n');
    const Profile profile = read_every_way(by_others("fl=a\nfn=" + name + "\n1 2\n"));
    EXPECT_EQ(profile.name(FunctionId(0U)), name);
    EXPECT_EQ(diagnostics_of(profile), Lines{});
}

// F2
TEST(Bytes, names_that_are_not_utf_8_are_kept_as_they_are) {
    const std::string text = by_others("fl=a\nfn=caf\xe9\n1 2\n");
    EXPECT_EQ(functions_of(text), (Lines{"a:caf\xe9 2"}));
    EXPECT_EQ(diagnostics_of(text), (Lines{"non-utf8-name at 3:4"}));
    EXPECT_EQ(diagnostics_of(by_others("fl=a\nfn=caf\xc3\xa9\n1 2\n")), Lines{});
}

// F2
TEST(Bytes, a_byte_order_mark_is_skipped) {
    const std::string text = "\xef\xbb\xbf" + in_function("1 2\n");
    const Profile profile = read_every_way(text);
    EXPECT_EQ(functions_of(profile), (Lines{"a:f 2"}));
    ASSERT_EQ(profile.diagnostics().size(), 1U);
    EXPECT_EQ(profile.diagnostics()[0].id, DiagnosticId::bom);
    EXPECT_EQ(diagnostics_of("events: Ir\n\xef\xbb\xbf"
                             "fl=a\nfn=f\n1 2\n"),
              (Lines{"unknown-line at 2"}));
}

// F3
TEST(LinesOfText, that_are_blank_mean_nothing) {
    const std::string text = in_function("\n1 2\n \t\n\ncfn=g\n\ncalls=1 5\n\n3 4\n\n5 6\n");
    EXPECT_EQ(records_of(text), (Lines{"a:1 costs 2", "a:3 calls a:g x1 at 5, costs 4", "a:5 costs 6"}));
    EXPECT_EQ(diagnostics_of(text), Lines{});
}

// F4
TEST(LinesOfText, comments_may_stand_anywhere) {
    const std::string text = in_function("# 1 2\n1 2\ncfn=g # h\n# fn=x\ncalls=1 5\n  # 7 8\n3 4\n");
    EXPECT_EQ(records_of(text), (Lines{"a:1 costs 2", "a:3 calls a:g # h x1 at 5, costs 4"}));
}

// F5
TEST(LinesOfText, the_magic_line_is_optional_and_literal) {
    EXPECT_EQ(functions_of("# callgrind format\n" + in_function("1 2\n")), (Lines{"a:f 2"}));
    EXPECT_EQ(functions_of("# format callgrind\n" + in_function("1 2\n")), (Lines{"a:f 2"}));
    EXPECT_EQ(error_of("# callgrind format\nfn=f\n1 2\n"), ErrorCode::no_events);
    EXPECT_EQ(error_of("# format callgrind\nfn=f\n1 2\n"), ErrorCode::not_a_profile);
}

// F6
TEST(LinesOfText, blanks_and_tabs_are_accepted_everywhere) {
    const std::string text =
        "events: \t Ir  Dr \n fl=a\nfn=f\n\t1 \t 2   3  \ncfn=g\ncalls=1  9 \n4  5\t6 \n";
    EXPECT_EQ(records_of(text), (Lines{"a:1 costs 2 3", "a:4 calls a:g x1 at 9, costs 5 6"}));
    EXPECT_EQ(diagnostics_of(text), (Lines{"indented-line x2 at 2:2"}));
}

// F7
TEST(LinesOfText, the_first_equals_sign_after_a_known_key_makes_a_name_line) {
    EXPECT_EQ(functions_of(by_others("fl=a\nfn===\n1 2\n")), (Lines{"a:== 2"}));
    EXPECT_EQ(functions_of(by_others("fl=a\nfn=std::f: x=1\n1 2\n")), (Lines{"a:std::f: x=1 2"}));
    EXPECT_EQ(functions_of(by_others("fl=a\nfn\t =f\n1 2\n")), (Lines{"a:f 2"}));
    EXPECT_EQ(diagnostics_of(in_function("1 2\nxy: z=1\n")), (Lines{"unknown-header at 5"}));
}

// F7
TEST(LinesOfText, the_separator_of_xdebug_is_known) {
    const std::string text =
        in_function("1 2\n\n==== NEW PROFILING FILE ==============\n") + in_function("3 4\n");
    EXPECT_EQ(functions_of(text), (Lines{"a:f 6"}));
    EXPECT_EQ(read(text).parts().size(), 2U);
    EXPECT_EQ(diagnostics_of(in_function("1 2\n== NEW\n3 4\n")), (Lines{"unknown-line at 5"}));
}

// F8
TEST(LinesOfText, unknown_ones_are_skipped_one_by_one) {
    const std::string text = in_function("1 2\n%d %d\nhello\nxfn=g\n3 4\n");
    EXPECT_EQ(functions_of(text), (Lines{"a:f 6"}));
    EXPECT_EQ(diagnostics_of(text), (Lines{"unknown-line x3 at 5"}));
}

// F9
TEST(Profiles, without_content_are_empty) {
    for (const char* text : {"", "\n", " \t\n\n", "# only\n# comments", "\r\n"})
        EXPECT_EQ(error_of(text), ErrorCode::empty_file) << text;
}

// F9
TEST(Profiles, may_be_a_header_alone) {
    const Profile profile = read_every_way("events: Ir Dr\n");
    EXPECT_EQ(profile.function_count(), 0U);
    EXPECT_EQ(profile.events().size(), 2U);
    ASSERT_EQ(profile.diagnostics().size(), 1U);
    EXPECT_EQ(profile.diagnostics()[0].id, DiagnosticId::no_costs);
    EXPECT_EQ(read_every_way("version: 1\ncreator: x\nevents: Ir\nfn=f\n").parts().size(), 1U);
}

// F10
TEST(Profiles, that_end_too_early_are_truncated) {
    EXPECT_EQ(diagnostics_of(in_function("1 2\ncfn=g\n")), (Lines{"truncated-file at 5"}));
    EXPECT_EQ(diagnostics_of(in_function("1 2\ncfn=g\ncalls=1 5\n")),
              (Lines{"calls-without-cost-line at 6", "truncated-file at 6"}));
    EXPECT_EQ(diagnostics_of(in_function("1 2\ncfn=(3")),
              (Lines{"truncated-file at 5", "odd-name-id at 5:5", "no-final-newline at 5"}));
    EXPECT_EQ(diagnostics_of("creator: callgrind-3.22.0\nevents: Ir\nfl=a\nfn=f\n1 2\n"),
              (Lines{"truncated-file at 5"}));
    EXPECT_EQ(diagnostics_of("creator: callgrind-3.22.0\nevents: Ir\nfl=a\nfn=f\n1 2\ntotals: 2\n"), Lines{});
    EXPECT_EQ(diagnostics_of("cmd: x\nevents: Ir\nfl=a\nfn=f\n1 2\n"), (Lines{"truncated-file at 5"}));
    EXPECT_EQ(diagnostics_of("cmd: x\nevents: Ir\nfl=a\nfn=f\n1 2\nsummary: 2\n"), Lines{});
}

// F10
TEST(Profiles, that_the_system_cannot_deliver_to_the_end_keep_what_was_read) {
    const std::string text = in_function("1 2\n3 4\n");
    Source source = from_memory(text);
    source.read = [read_on = source.read](std::span<char> to) mutable -> Result<std::size_t> {
        auto bytes = read_on(to);
        Error error;
        error.code = ErrorCode::read_failed;
        if (bytes && *bytes == 0) return tl::unexpected(error);
        return bytes;
    };
    const auto profile = read_profile(source);
    ASSERT_TRUE(profile);
    EXPECT_EQ(functions_of(*profile), (Lines{"a:f 6"}));
    EXPECT_EQ(profile->diagnostics()[0].id, DiagnosticId::read_failed);
}

// F11
TEST(Detection, looks_at_the_first_words_of_lines) {
    EXPECT_EQ(error_of("hello\n"), ErrorCode::not_a_profile);
    EXPECT_EQ(error_of("1 2\nevents: Ir\n"), ErrorCode::not_a_profile);
    EXPECT_EQ(error_of("fl=a\nfn=f\n"), ErrorCode::not_a_profile);
    EXPECT_EQ(error_of("cmd: events: Ir\nfl=a\nfn=f\n1 2\n"), ErrorCode::not_a_profile);
    EXPECT_EQ(error_of("key: value\n"), ErrorCode::not_a_profile);
    EXPECT_EQ(functions_of("ob=o\n# c\n\nkey: x\nfl=a\nevents: Ir\nfl=a\nfn=f\n1 2\n").size(), 1U);
    EXPECT_EQ(functions_of("cmd: " + std::string(10'240, 'x') + '\n' + in_function("1 2\n")),
              (Lines{"a:f 2"}));
}

// F11
TEST(Detection, gives_up_after_a_mebibyte) {
    std::string names;
    while (names.size() < (1U << 20U) + 300'000) names += "fl=x\n";
    EXPECT_EQ(error_of(names + in_function("1 2\n")), ErrorCode::not_a_profile);
    ReadOptions options;
    options.concurrency = 2;
    options.run_all = on_two_threads();
    const auto parallel = read_profile(from_memory(names + "events: Ir\n"), options);
    ASSERT_FALSE(parallel);
    EXPECT_EQ(parallel.error().code, ErrorCode::not_a_profile);
}

/// A source that yields `text` and then `filling` without end; `bytes` counts what was taken.
Source endless(std::string_view text, char filling, std::uint64_t& bytes) {
    Source source = from_memory(text);
    source.read = [read_on = source.read, filling, &bytes](std::span<char> to) mutable {
        auto got = read_on(to);
        if (*got == 0) {
            std::fill(to.begin(), to.end(), filling);
            got = to.size();
        }
        bytes += *got;
        return got;
    };
    return source;
}

// F11
TEST(Detection, gives_up_after_a_mebibyte_of_one_line) {
    ReadOptions two_threads;
    two_threads.concurrency = 2;
    two_threads.run_all = on_two_threads();
    ReadOptions short_lines;
    short_lines.longest_line = 10'000;
    for (const char* text : {"", "#", "cmd: ", "fl=a\ncmd: ", "cmd: x\nevents Ir", "\xef\xbb\xbf", "events="})
        for (const char filling : {'\0', 'x', ' '})
            for (const ReadOptions& options : {ReadOptions{}, two_threads, short_lines, little_pieces()}) {
                std::uint64_t bytes = 0;
                const auto profile = read_profile(endless(text, filling, bytes), options);
                ASSERT_FALSE(profile) << text;
                EXPECT_EQ(profile.error().code, ErrorCode::not_a_profile) << text;
                EXPECT_LT(bytes, 8U << 20U) << text;
            }
    std::uint64_t bytes = 0;
    const auto parsed = parse(endless("cmd: ", 'x', bytes), NoHandler{});
    ASSERT_FALSE(parsed);
    EXPECT_EQ(parsed.error().code, ErrorCode::not_a_profile);
    EXPECT_LT(bytes, 8U << 20U);
}

// F11: once it is decided, and where the line itself decides, lines may be long.
TEST(Detection, is_over_when_a_line_shows_what_the_input_is) {
    std::string events = "events: Ir";
    for (int i = 0; i < (is_sanitized ? 30'000 : 300'000); ++i) events += " e" + std::to_string(i);
    const std::string command = "cmd: " + std::string(3'000'000, 'x');
    for (const std::string& header :
         {events, "fl=x\n" + events, "creator: x\n" + command + "\nevents: Ir",
          "events: Ir\n" + std::string(300'000, '\n') + command,
          "creator: " + std::string(2'000'000, 'x') + "\nevents: Ir",
          "# callgrind format\n#" + std::string(3'000'000, 'x') + "\nevents: Ir"}) {
        SCOPED_TRACE(header.substr(0, 30));
        const std::string text = header + "\nfl=a\nfn=f\n1 2\n";
        EXPECT_EQ(read(text).total(EventId(0U)), 2);
        EXPECT_EQ(read(text, little_pieces()).total(EventId(0U)), 2);
        ReadOptions options;
        options.concurrency = 2;
        options.run_all = on_two_threads();
        EXPECT_EQ(read(text, options).total(EventId(0U)), 2);
        EXPECT_TRUE(parse(from_memory(text), NoHandler{}));
    }
}

// F67: exactly those that are longer, whatever the chunks and threads are.
TEST(LongLines, are_cut_with_a_diagnostic) {
    constexpr std::size_t limit = 50'000;
    constexpr int lines = is_sanitized ? 10 : 40;
    ReadOptions threads;
    threads.concurrency = 2;
    threads.run_all = on_two_threads();
    for (const std::size_t size : {limit, limit + 1, limit + 7'000, 3 * limit}) {
        std::string text = "version: 1\nevents: Ir\nfn=f\n";
        for (int i = 0; i < lines; ++i) {
            text += "fn=f\n1 2\n2" + std::string(size - 2, ' ') + "5\n3 4\n";
            text += "# " + std::string(2 * limit, 'x') + "\n4 1\n";
        }
        for (ReadOptions options : {ReadOptions{}, threads, little_pieces()})
            for (const std::size_t chunk : {options.chunk_size, std::size_t{64}, std::size_t{20'000}}) {
                SCOPED_TRACE(std::to_string(size) + " in chunks of " + std::to_string(chunk));
                options.longest_line = limit;
                options.chunk_size = chunk;
                const auto profile = read(text, options);
                const bool is_skipped = size > limit;
                EXPECT_EQ(profile.total(EventId(0U)), lines * (is_skipped ? 7 : 12));
                std::uint64_t skipped = 0;
                for (const Diagnostic& diagnostic : profile.diagnostics()) {
                    if (diagnostic.id != DiagnosticId::line_too_long) continue;
                    skipped = diagnostic.count;
                    EXPECT_EQ(diagnostic.places[0].line, 6U);
                }
                EXPECT_EQ(skipped, is_skipped ? std::uint64_t{lines} : 0U);
            }
    }
}

// F67: what a long line says first counts: the function whose costs follow, the columns that there are.
TEST(LongLines, keep_their_begin) {
    const std::string name = "fn=" + std::string(200'000, 'x');
    std::string numbers = "7 10 20";
    while (numbers.size() < 200'000) numbers += " 123456789";
    for (ReadOptions options : {ReadOptions{}, little_pieces()}) {
        options.longest_line = 100'000;
        for (const std::string end : {"\n", "\r\n"}) {
            std::string text = "events: Ir Dr\nfn=f\n1 2 3\n";
            for (const std::string& line :
                 {name, std::string("2 5 1"), numbers, std::string("fn=g"), std::string("3 1 1")})
                text.append(line).append(end);
            const auto profile = read(text, options);
            EXPECT_EQ(profile.total(EventId(0U)), 2 + 5 + 10 + 1);
            EXPECT_EQ(profile.total(EventId(1U)), 3 + 1 + 20 + 1);
            ASSERT_EQ(profile.function_count(), 3U);
            EXPECT_EQ(profile.self(FunctionId(0U), EventId(0U)), 2);
            EXPECT_EQ(profile.name(FunctionId(1U)), std::string(65'536 - 3, 'x'));
            EXPECT_EQ(profile.self(FunctionId(1U), EventId(0U)), 15);
            EXPECT_THAT(diagnostics_of(profile), testing::Contains(testing::StartsWith("line-too-long")));
            EXPECT_THAT(diagnostics_of(profile), testing::Contains(testing::StartsWith("surplus-costs")));
        }
        const auto digits = read("events: Ir\nfn=f\n1 2\n" + std::string(200'000, '7') + "\n3 4\n", options);
        EXPECT_EQ(digits.total(EventId(0U)), 6);
    }
}

TEST(Sources, that_yield_more_than_fits_are_not_believed) {
    const std::string text = in_function("1 2\n3 4\n");
    for (const std::size_t calls_before : {std::size_t{0}, std::size_t{1}}) {
        Source source = from_memory(text);
        source.read = [read_on = source.read,
                       left = calls_before](std::span<char> to) mutable -> Result<std::size_t> {
            if (left-- == 0) return to.size() + 1;
            return read_on(to);
        };
        const auto profile = read_profile(source);
        if (calls_before == 0) {
            ASSERT_FALSE(profile);
            EXPECT_EQ(profile.error().code, ErrorCode::read_failed);
        } else {
            ASSERT_TRUE(profile);
            EXPECT_EQ(functions_of(*profile), (Lines{"a:f 6"}));
            EXPECT_EQ(diagnostics_of(*profile)[0].substr(0, 11), "read-failed");
        }
    }
}

// F11, in several chunks
TEST(Detection, is_the_same_by_any_number_of_threads) {
    std::string text;
    while (text.size() < 650'000) text += "fl=x\n";
    text += in_function("1 2\n");
    while (text.size() < 3'000'000) text += "1 0\n";
    const std::string expected = dump(read(text));
    EXPECT_EQ(functions_of(read(text)), (Lines{"a:f 2"}));
    ReadOptions options;
    options.concurrency = 2;
    options.run_all = on_two_threads();
    EXPECT_EQ(first_difference(dump(read(text, options)), expected), "");
}

}  // namespace
}  // namespace callcost::test
