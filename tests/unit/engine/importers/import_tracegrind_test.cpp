#include <initializer_list>
#include <string>
#include <vector>

#include "unit/engine/importers/imported.hpp"

namespace {

using callcost::ErrorCode;
using callcost::engine::ImportFormat;
using callcost::test::notes_text;
using std::string_literals::operator""s;

std::string little_endian(std::size_t number) {
    std::string bytes;
    for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(number >> shift & 0xffU);
    return bytes;
}

/// A block of literals only.
std::string block(const std::string& raw) {
    std::string packed;
    if (raw.size() < 15) {
        packed += static_cast<char>(raw.size() << 4U);
    } else {
        packed += '\xf0';
        packed.append((raw.size() - 15) / 255, '\xff');
        packed += static_cast<char>((raw.size() - 15) % 255);
    }
    return packed + raw;
}

std::string chunk(const std::string& raw, std::size_t flag = 0) {
    const std::string packed = block(raw);
    return little_endian(raw.size() | flag) + little_endian(packed.size()) + packed;
}

std::string text(std::string_view bytes) {
    return "\xd9"s + static_cast<char>(bytes.size()) + std::string(bytes);
}

std::string number(std::uint64_t value) {
    std::string bytes = "\xcf";
    for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xffU);
    return bytes;
}

std::string array(std::initializer_list<std::string> values) {
    std::string bytes(1, static_cast<char>(0x90U | values.size()));
    for (const std::string& value : values) bytes += value;
    return bytes;
}

constexpr std::uint64_t marker = 0, call = 1, back = 2, inlined_call = 3, inlined_back = 4, fork = 5;

/// A row of version 4, of the function's file.
std::string row(std::uint64_t thread, std::uint64_t event, std::string_view name, std::uint64_t cost,
                std::uint64_t line = 0) {
    return array({number(1), number(thread), number(event), text(name), text("app"), text("a.c"),
                  number(line), array({number(cost)})});
}

std::string row(std::uint64_t event, std::string_view name, std::uint64_t cost, std::uint64_t line = 0) {
    return row(1, event, name, cost, line);
}

std::string schema(const std::string& counters = array({text("Ir")})) {
    return chunk("\x82"s + text("version") + number(4) + text("counters") + counters);
}

std::string head(char version = 4) { return "TGMP"s + version + "\0\0\0"s; }
const std::string end(8, '\0');

std::string trace(const std::string& rows) { return head() + schema() + chunk(rows) + end; }

callcost::Result<callcost::test::Imported> import(const std::string& bytes) {
    return callcost::test::import(ImportFormat::tracegrind, bytes);
}

/// The records that came of it, and the notes.
std::string imported(const std::string& bytes) {
    const auto imported = import(bytes);
    if (!imported) return imported.error().detail;
    return callcost::test::records_text(callcost::test::read_without_errors(imported->text)) +
           notes_text(imported->notes);
}

std::string problem(const std::string& bytes, ErrorCode code = ErrorCode::not_a_profile) {
    const auto imported = import(bytes);
    if (imported) return "none";
    EXPECT_EQ(imported.error().code, code);
    return imported.error().detail + " at " + std::to_string(imported.error().offset);
}

TEST(ImportTracegrind, a_cost_belongs_to_what_ran_before_the_row) {
    EXPECT_EQ(imported(trace(row(call, "main", 0, 4) + row(call, "f", 5, 9) + row(back, "f", 7) +
                             row(call, "f", 11) + row(back, "f", 13) + row(back, "main", 17))),
              "f:9 20\nmain:4 -> f 20\nmain:4 33\n");
}

TEST(ImportTracegrind, calls_are_counted) {
    const auto imported =
        import(trace(row(call, "main", 0) + row(call, "f", 0) + row(call, "f", 1) + row(back, "f", 1) +
                     row(back, "f", 0) + row(call, "f", 0) + row(back, "f", 0)));
    ASSERT_TRUE(imported.has_value());
    EXPECT_EQ(imported->notes.samples, 4U);
    const auto profile = callcost::test::read_without_errors(imported->text);
    ASSERT_EQ(profile.arc_count(), 2U);
    for (std::size_t arc = 0; arc < 2; ++arc)
        EXPECT_EQ(profile.count(callcost::ArcId(arc)).known,
                  profile.name(profile.caller(callcost::ArcId(arc))) == "main" ? 2U : 1U);
}

TEST(ImportTracegrind, calls_without_cost_are_calls) {
    EXPECT_EQ(imported(trace(row(call, "main", 0) + row(call, "f", 1) + row(back, "f", 0))),
              "main:0 -> f 0\nmain:0 1\n");
}

TEST(ImportTracegrind, inlined_functions_are_functions) {
    EXPECT_EQ(imported(trace(row(call, "main", 0) + row(inlined_call, "f", 5, 30) +
                             row(inlined_call, "g", 7) + row(inlined_back, "g", 1, 31) +
                             row(inlined_back, "f", 2, 31) + row(call, "f", 0, 28) + row(back, "f", 3))),
              "f:28 -> g 1\nf:28 12\ng:0 1\nmain:0 -> f 13\nmain:0 5\n");
}

TEST(ImportTracegrind, threads_have_stacks_of_their_own) {
    EXPECT_EQ(imported(trace(row(1, call, "main", 0) + row(2, call, "work", 0) + row(1, call, "f", 5) +
                             row(2, call, "g", 7) + row(1, back, "f", 11) + row(2, back, "g", 13))),
              "f:0 11\ng:0 13\nmain:0 -> f 11\nmain:0 5\nwork:0 -> g 13\nwork:0 7\n");
}

TEST(ImportTracegrind, rows_of_other_events_have_no_costs) {
    EXPECT_EQ(
        imported(trace(array({number(1), number(1), number(marker), text("here")}) + row(call, "main", 0) +
                       array({number(1), number(1), number(fork), number(99)}) +
                       array({number(1), number(1), number(6), number(2)}) +
                       array({number(1), number(1), number(7), array({number(2)})}) + row(back, "main", 5))),
        "main:0 5\nmarkers-ignored, child-processes, unknown-rows");
}

TEST(ImportTracegrind, what_is_left_without_a_row_is_left_with_what_called_it) {
    EXPECT_EQ(
        imported(trace(row(call, "main", 0) + row(call, "f", 1) + row(call, "g", 2) + row(call, "f", 4) +
                       row(call, "h", 8) + row(back, "g", 16) + row(back, "f", 32))),
        "f'2:0 -> h 16\nf'2:0 8\nf:0 -> g 28\nf:0 34\ng:0 -> f'2 24\ng:0 4\nh:0 16\nmain:0 -> f 62\nmain:0 "
        "1\ncall-without-return x2");
}

TEST(ImportTracegrind, returns_from_what_was_not_called_are_ignored) {
    EXPECT_EQ(imported(trace(row(back, "before", 3) + row(call, "main", 4) + row(back, "elsewhere", 5) +
                             row(back, "main", 6))),
              "(no stack):0 7\nmain:0 11\nno-stack x2, return-without-call x2");
}

TEST(ImportTracegrind, many_returns_in_deep_stacks_take_linear_time) {
    callcost::test::expect_linear_import(ImportFormat::tracegrind, [](std::size_t depth) {
        std::string rows;
        for (std::size_t i = 0; i < depth; ++i) rows += row(call, "f", 1) + row(2, call, "g", 1);
        for (std::size_t i = 0; i < depth; ++i) rows += row(back, "elsewhere", 1);
        return trace(rows);
    });
}

TEST(ImportTracegrind, counters_have_names_and_units) {
    const auto imported =
        import(head() +
               chunk("\x82"s + text("counter_units") + "\x81"s + text("sysTime") + text("ns") +
                     text("counters") + array({text("Ir"), text("sysTime")})) +
               chunk(array({number(1), number(1), number(call), text("f"), text(""), text(""), number(0),
                            array({number(0), number(0)})}) +
                     array({number(2), number(1), number(back), text("f"), text(""), text(""), number(0),
                            array({number(5), number(7), number(9)})})) +
               end);
    ASSERT_TRUE(imported.has_value());
    const auto profile = callcost::test::read_without_errors(imported->text);
    ASSERT_EQ(profile.events().size(), 2U);
    EXPECT_EQ(profile.events()[0].name, "Ir");
    EXPECT_EQ(profile.events()[1].name, "sysTime");
    EXPECT_EQ(profile.events()[1].long_name, "ns");
    EXPECT_EQ(profile.total(callcost::EventId(std::size_t{1})), 7);
    EXPECT_EQ(notes_text(imported->notes), "value-count");
}

TEST(ImportTracegrind, there_is_a_most_of_counters) {
    std::string names = "\xdc\0\x42"s;
    for (int i = 0; i < 66; ++i) names += text("e" + std::to_string(i));
    const auto imported = import(head() + schema(names) + chunk(row(call, "f", 0) + row(back, "f", 1)) + end);
    ASSERT_TRUE(imported.has_value());
    EXPECT_EQ(notes_text(imported->notes), "events-dropped x2, value-count x2");
}

TEST(ImportTracegrind, in_version_3_the_counters_are_part_of_the_row) {
    const std::string columns = array({text("seq"), text("tid"), text("event"), text("fn"), text("obj"),
                                       text("file"), text("line"), text("Ir"), text("Dr")});
    const auto step = [](std::uint64_t event, std::uint64_t ir, std::uint64_t dr) {
        return array({number(1), number(1), number(event), text("f"), text(""), text(""), number(0),
                      number(ir), number(dr)});
    };
    EXPECT_EQ(imported(head(3) +
                       chunk("\x81"s + text("event_schemas") + "\x82"s + text("0") + array({text("seq")}) +
                             text("1") + columns) +
                       chunk(step(call, 0, 0) + step(back, 5, 7)) + end),
              "f:0 5 7\n");
}

std::string numbered(std::uint64_t event, std::uint64_t name, std::uint64_t cost) {
    return array({number(1), number(1), number(event), number(name), number(2), number(3), number(0),
                  array({number(cost)})});
}

TEST(ImportTracegrind, in_version_5_names_are_numbers_of_a_table) {
    const std::string rows = chunk(numbered(call, 0, 0) + numbered(call, 1, 5) + numbered(back, 1, 7));
    const std::string table = chunk(array({text("main"), text("f"), text("app"), text("a.c")}), 0x80000000U);
    EXPECT_EQ(imported(head(5) + schema() + rows + table + end), "f:0 7\nmain:0 -> f 7\nmain:0 5\n");
    EXPECT_EQ(imported(head(5) + schema() + rows),
              "(function 0):0 -> (function 1) 7\n(function 0):0 5\n(function "
              "1):0 7\ntrace-cut, invalid-reference x4");
    EXPECT_EQ(imported(head(5) + schema() + rows + chunk(array({text("main")}), 0x80000000U) + end),
              "(function 1):0 7\nmain:0 -> (function 1) 7\nmain:0 5\ninvalid-reference x3");
    EXPECT_EQ(problem(head(5) + schema() + rows + table + rows),
              "something follows the table of names at 314");
    EXPECT_EQ(problem(head(5) + schema() + chunk(number(7), 0x80000000U) + end),
              "the table of names is not an array of text at 52");
}

TEST(ImportTracegrind, of_a_trace_that_is_cut_off_there_is_what_comes_before) {
    const std::string whole =
        trace(row(call, "main", 0) + row(call, "f", 5) + row(back, "f", 7) + row(back, "main", 9));
    const std::size_t first_row = head().size() + schema().size();
    std::string last;
    for (std::size_t size = first_row; size < whole.size(); ++size) {
        const std::string text = imported(whole.substr(0, size));
        EXPECT_TRUE(text.ends_with("trace-cut")) << size << text;
        EXPECT_GE(text.size(), last.size()) << size;
        last = text;
    }
    EXPECT_EQ(last, "f:0 7\nmain:0 -> f 7\nmain:0 14\ntrace-cut");
    for (std::size_t size = 8; size < first_row; ++size)
        EXPECT_TRUE(
            problem(whole.substr(0, size)).starts_with("the trace ends before it names its counters"));
}

TEST(ImportTracegrind, other_versions_are_refused) {
    for (const char version : {'\2', '\6'})
        EXPECT_EQ(problem(head(version) + schema()),
                  "version " + std::to_string(version) +
                      " of tracegrind's format is not known: 3, 4 and 5 are read at 0");
    EXPECT_EQ(problem("TGMP\4"), "a trace of tracegrind begins with TGMP and a version at 0");
    EXPECT_EQ(problem("GIF89a..."), "a trace of tracegrind begins with TGMP and a version at 0");
    EXPECT_EQ(problem("", ErrorCode::empty_file), " at 0");
}

TEST(ImportTracegrind, sizes_that_cannot_be_are_refused) {
    const std::string begin = head() + schema();
    EXPECT_EQ(problem(begin + little_endian(0x7fffffff) + little_endian(4) + "\x30xyz"s),
              "a chunk is smaller than it can be at 52");
    EXPECT_EQ(problem(begin + little_endian(5) + little_endian(0xffffffff)),
              "a chunk is larger than it can be at 52");
    EXPECT_EQ(problem(begin + little_endian(4) + little_endian(4) + "\x30xyz"s),
              "a chunk is not a block of LZ4 at 52");
    EXPECT_EQ(problem(begin + little_endian(2) + little_endian(4) + "\x30xyz"s),
              "a chunk is not a block of LZ4 at 52");
    EXPECT_EQ(problem(head() + little_endian(2'000'000) + little_endian(1'000'000)),
              "a chunk is larger than it can be at 8");
}

TEST(ImportTracegrind, what_expands_too_much_is_refused) {
    const std::string zeros = "\x1f\0\1\0"s + std::string(600'000, '\xff') + "\0\0"s;
    const std::size_t size = 1 + 4 + 15 + 600'000 * std::size_t{255};
    EXPECT_EQ(problem(head() + schema() + little_endian(size) + little_endian(zeros.size()) + zeros,
                      ErrorCode::too_large),
              "the chunks expand more than 64-fold beyond 100000000 bytes at 0");
}

TEST(ImportTracegrind, values_of_other_types_are_refused) {
    const std::string no_rows = "a chunk holds something else than rows at 52";
    for (const std::string& rows : {
             number(5),
             text("row"),
             array({}),
             array({number(1), number(1)}),
             array({text("1"), number(1), number(0)}),
             array({number(1), text("1"), number(0)}),
             array({number(1), number(1), text("0")}),
             array({number(1), number(1), number(call)}),
             array(
                 {number(1), number(1), number(call), number(1), text("o"), text("f"), number(1), array({})}),
             array(
                 {number(1), number(1), number(call), text("n"), text("o"), text("f"), text("1"), array({})}),
             array({number(1), number(1), number(call), text("n"), text("o"), text("f"), number(1)}),
             array(
                 {number(1), number(1), number(call), text("n"), text("o"), text("f"), number(1), number(1)}),
             array({number(1), number(1), number(call), text("n"), text("o"), text("f"), number(1),
                    array({text("1")})}),
             row(call, "f", 1).substr(0, 30),
             "\xc1"s,
             "\xdd\xff\xff\xff\xff"s,
             "\x94"s + number(1) + number(1) + number(marker) + std::string(100'000, '\x91'),
             "\x94"s + number(1) + number(1) + number(marker) + "\xdf\xff\xff\xff\xff\xdd\xff\xff\xff\xff"s,
         })
        EXPECT_EQ(problem(trace(rows)), no_rows);
}

TEST(ImportTracegrind, a_first_chunk_that_names_no_counters_is_refused) {
    const std::string nothing = "the first chunk does not name the counters at 8";
    for (const std::string& bytes : {
             ""s,
             number(5),
             "\x80"s,
             "\x81"s + text("counters") + array({}),
             "\x81"s + text("counters") + text("Ir"),
             "\x81"s + text("counters") + array({number(1)}),
             "\x81"s + text("counters") + "\xdd\xff\xff\xff\xff"s,
             "\xdf\xff\xff\xff\xff"s + text("counters"),
             "\x81"s + std::string(100'000, '\x91'),
         })
        EXPECT_EQ(problem(head() + chunk(bytes) + end), nothing);
    EXPECT_EQ(problem(head(3) + schema() + end), nothing) << "those are in version 4";
    EXPECT_EQ(problem(head() + end), "the first chunk does not name the counters at 0");
}

TEST(ImportTracegrind, lines_and_costs_may_be_anything) {
    const auto imported = import(trace(row(call, "f", UINT64_MAX, UINT64_MAX) +
                                       row(call, "f", UINT64_MAX, 1) + row(UINT64_MAX, back, "f", 1)));
    ASSERT_TRUE(imported.has_value());
    EXPECT_EQ(callcost::test::records_text(callcost::test::read_without_errors(imported->text)),
              "(no stack):0 -1\n(no stack):0 1\nf:1 -1\nf:1 -> f'2 0\n");  // of two threads
}

}  // namespace
