// Where chunks end changes nothing: texts that are hard to cut.
#include <gtest/gtest.h>

#include "unit/library/parser/every_way.hpp"

namespace callcost::test {
namespace {

/// Reads a text in chunks of many sizes, by one thread and by two; all must agree with the whole.
void expect_same_in_all_chunks(const std::string& text) {
    const std::string expected = dump(read(text));
    for (const std::size_t chunk_size :
         std::initializer_list<std::size_t>{64, 65, 71, 100, 127, 256, 1000, 4096}) {
        ReadOptions options;
        options.chunk_size = chunk_size;
        EXPECT_EQ(first_difference(dump(read(text, options)), expected), "") << chunk_size << ", one thread";
        options.concurrency = 2;
        options.run_all = on_two_threads();
        EXPECT_EQ(first_difference(dump(read(text, options)), expected), "") << chunk_size << ", two threads";
        options.run_all = backwards();
        EXPECT_EQ(first_difference(dump(read(text, options)), expected), "") << chunk_size << ", backwards";
    }
}

/// `text` behind comments of any length up to a chunk, so that it is cut everywhere.
void expect_same_at_all_places(const std::string& text) {
    for (std::size_t i = 0; i < 64; ++i) {
        const std::string moved = '#' + std::string(i, '-') + '\n' + text;
        const std::string expected = dump(read(moved));
        EXPECT_EQ(first_difference(dump(read(moved, little_pieces())), expected), "") << i;
    }
}

std::string times(std::size_t count, const std::string& text) {
    std::string all;
    for (std::size_t i = 0; i < count; ++i) all += text;
    return all;
}

// F40: an absolute call source line does not tell the base of the plain lines after it.
TEST(Chunks, that_begin_between_calls_do_not_know_the_base) {
    const std::string text = "creator: callgrind-3\nevents: Ir\nfl=a\nfn=(1) f\n" +
                             times(40, "fn=(1)\ncfn=(2) g\ncalls=1 5\n10 5\n+1 3\n") + "+100 7\n";
    expect_same_in_all_chunks(text);
    EXPECT_EQ(records_of(read(text)).back(), "a:140 costs 7");
    expect_same_in_all_chunks("creator: callgrind-3\nevents: Ir\nfl=a\nfn=(1) f\n" +
                              times(40, "fn=(1)\njump=1 5\n10\n+1 3\n* 2\n-1 1\n"));
    expect_same_in_all_chunks("creator: other\nevents: Ir\nfl=a\nfn=(1) f\n" +
                              times(40, "fn=(1)\ncfn=(2) g\ncalls=1 +5\n10 5\n+1 3\n"));
    expect_same_in_all_chunks("creator: callgrind-3\npositions: instr line\nevents: Ir\nfl=a\nfn=(1) f\n" +
                              times(40, "fn=(1)\ncfn=(2) g\ncalls=1 5 6\n10 +1 5\n+1 3 3\n+1 * 1\n2 +1 4\n"));
}

// F51
TEST(Chunks, that_begin_in_a_group_of_calls_know_its_file) {
    expect_same_in_all_chunks(
        "creator: callgrind-3\nevents: Ir\nfl=a\nfn=(1) f\n1 1\n" +
        times(40, "fi=b\ncfn=(2) g\ncalls=1 5\n10 5\ncfn=(3) h\ncalls=1 5\n10 5\n11 1\n"));
}

// F61 (a)
TEST(Chunks, do_not_change_which_function_an_id_means) {
    std::string text = "events: Ir\n";
    for (int i = 1; i < 60; ++i) {
        const std::string id = std::to_string(i % 7 + 1), file = std::to_string(i % 5);
        text.append("fl=file").append(file).append("\nfn=(").append(id).append(") name");
        text.append(std::to_string(i % 3)).append("\n1 1\ncfi=other\ncfn=(");
        text.append(std::to_string(i % 4 + 1))
            .append(")\ncalls=1 1\n2 ")
            .append(std::to_string(i))
            .append("\n");
    }
    ReadOptions options;
    const std::string expected = dump(read(text));
    for (options.chunk_size = 64; options.chunk_size < 400; options.chunk_size += 13)
        EXPECT_EQ(first_difference(dump(read(text, options)), expected), "") << options.chunk_size;
    expect_same_in_all_chunks(text);
}

// F25, F26, F27: what is interpreted at the end of a part is told of where it stands.
TEST(Chunks, do_not_move_what_is_said_of_header_lines) {
    const std::string lines = times(60, "1 2\n");
    const std::string text =
        "pid: x\nevent: X = 2 Ir\nsummary: 1 2 3\nevents: Ir\nfl=a\nfn=f\n" + lines +
        "totals: (null)\nevent: Y = 3 Ir : y\npart: z\nevent: Z some name\nsummary: 5 6\n" + lines +
        "totals: what\narch: q\nversion: 2\n";
    const Profile profile = read(text);
    EXPECT_EQ(diagnostics_of(profile),
              (Lines{"bad-number x2 at 1:6", "inherited-columns at 69", "surplus-summary x2 at 3:10",
                     "event-without-colon at 70:8", "cost-before-fn at 72", "unreadable-totals x2 at 67:9",
                     "unknown-header at 133"}));
    ASSERT_EQ(profile.formulas().size(), 2U);
    EXPECT_EQ(profile.formulas()[1].place.line, 68U);
    EXPECT_EQ(profile.formulas()[1].place.offset, text.find("event: Y"));
    expect_same_in_all_chunks(text);
}

/// Whether every place of a file's diagnostics is in a line, and its excerpt is at its offset.
void expect_places_in_lines(const std::string& text, const ReadOptions& options) {
    const Profile profile = read(text, options);
    for (const Diagnostic& diagnostic : profile.diagnostics())
        for (const Place& place : diagnostic.places) {
            if (place.line == 0 && place.excerpt.empty()) continue;  // about the whole file
            SCOPED_TRACE(diagnostic_text(diagnostic));
            ASSERT_GT(place.line, 0U);
            ASSERT_LE(place.offset, text.size());
            EXPECT_EQ(static_cast<std::uint64_t>(std::count(
                          text.begin(), text.begin() + static_cast<std::ptrdiff_t>(place.offset), '\n')) +
                          1,
                      place.line);
            if (place.excerpt_column <= 1 && place.column <= 160) {
                EXPECT_EQ(text.substr(static_cast<std::size_t>(place.offset), place.excerpt.size()),
                          place.excerpt);
            }
        }
}

TEST(Chunks, every_place_is_in_its_line) {
    std::string text = "version: 3\n";
    for (int i = 0; i < 12; ++i)
        text +=
            "pid: p\nevents: Ir Ir\npositions: line page\nsummary: 1 2 3 4 x\narch: a\nfl=a\nfn=(1) f\n1 1 "
            "2\n" +
            times(6, "fi=b\n1 -1 x\n") + "totals: no\nevent: E long\nversion: " + std::to_string(i) +
            "\ncreator: c\n";
    for (const std::size_t chunk_size :
         {std::size_t{64}, std::size_t{100}, std::size_t{333}, std::size_t{1} << 18U}) {
        ReadOptions options = little_pieces();
        options.chunk_size = chunk_size;
        expect_places_in_lines(text, options);
        options.run_all = {};
        options.concurrency = 1;
        expect_places_in_lines(text, options);
    }
    expect_same_in_all_chunks(text);
    const Profile profile = read(text);
    for (const Diagnostic& diagnostic : profile.diagnostics())
        if (diagnostic.id == DiagnosticId::unknown_header ||
            diagnostic.id == DiagnosticId::unsupported_version) {
            EXPECT_GT(diagnostic.places.front().line, 0U);
        }
}

// F4, F1
TEST(Chunks, comments_may_be_longer_than_they) {
    const std::string comment = '#' + std::string(500, 'x');
    const std::string nul = '#' + std::string(300, 'x') + std::string(1, '\0') + std::string(300, 'y');
    for (const std::string& line : {comment, nul, '#' + std::string(10'000, 'z'), '#' + std::string(63, 'x'),
                                    '#' + std::string(64, 'x')}) {
        for (const char* end : {"\n", "\r\n", ""}) {
            std::string text = in_function("1 2\n");
            text.append(line).append(end);
            expect_same_in_all_chunks(text);
            text.insert(0, line + '\n');
            expect_same_in_all_chunks(text);
        }
        std::string windows = in_function("1 2\r\n");
        windows.append(line).append("\r\n3 4\r\n").append(line).append("\r\n5 6\r\n");
        expect_same_in_all_chunks(windows);
    }
    const std::string last = in_function("1 2\n") + comment;
    EXPECT_EQ(diagnostics_of(read(last)), (Lines{"truncated-file at 5", "no-final-newline at 5"}));
    EXPECT_EQ(read(last).sources()[0].bytes, last.size());
    EXPECT_EQ(read(last).sources()[0].lines, 5U);
    EXPECT_EQ(diagnostics_of(read(in_function("1 2\n") + comment + "\r\n")), (Lines{"crlf at 5"}));
}

TEST(Chunks, other_lines_may_be_longer_than_they) {
    expect_same_in_all_chunks(by_others("fl=a\nfn=" + std::string(500, 'n') + "\n1 2\n"));
    expect_same_in_all_chunks("cmd: " + std::string(500, 'n') + "\n" + in_function("1 2\n"));
    expect_same_in_all_chunks(
        in_function("1 " + std::string(500, ' ') + "2\n%" + std::string(500, 'q') + "\n3 4\n"));
    expect_same_in_all_chunks(in_function(std::string(500, '\n') + "3 4\n"));
}

TEST(Chunks, may_end_anywhere) {
    expect_same_at_all_places(
        "version: 1\ncreator: callgrind-3.22.0\npid: 4\ncmd: x\npart: 1\n\nevents: Ir\nsummary: 9\n\nob=(1) "
        "o\nfl=(1) a\n"
        "fn=(1) f\n5 1\n+3 2\nfi=(2) b\ncob=(2) p\ncfi=(3) c\ncfn=(2) g\ncalls=1 +4\n* 9\n+1 "
        "2\njfi=(2)\njfn=(2)\n"
        "jcnd=1/2 +3\n* \n-1 4\n\ntotals: 9\n\npart: 2\n\nevents: Ir\nfn=(1)\n+1 4\n\nversion: 1\nevents: "
        "Dr\n"
        "fl=(1) z\nfn=(1) y\n7 4\n-1 3\n");
    expect_same_at_all_places("cmd: x\nevents: Ir\nfl=a\n1 1\nfn=f\n2 1\nfl=b\nfl=c\n3 1\nsummary: 3\n");
    expect_same_at_all_places(
        "events: Ir\nfi=a\nfn=f\n-1 1\n7 2\ncfn=g\n8 3\ncfn=h\ncalls=1 -1\ncfi=q\n-1 3\n+1 1\n");
    expect_same_at_all_places("events: Ir\nfl=a\nfn=f\n-1 1\n7 2\ncfn=h\ncalls=1 -1\ncfi=q\n-1 3\n");
}

}  // namespace
}  // namespace callcost::test
