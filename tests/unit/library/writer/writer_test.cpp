// The order rules and the spelling of the Writer (W1-W18).
#include "callcost/writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/library/parser/profile_text.hpp"

namespace callcost::test {
namespace {

using testing::HasSubstr;

std::vector<EventType> events(std::initializer_list<const char*> names) {
    std::vector<EventType> types;
    for (const char* name : names) types.push_back({.name = name});
    return types;
}

using Numbers = std::vector<Cost>;

/// What a Writer wrote: the steps are done between head and end.
std::string file_of(FileDialect dialect, const std::function<void(Writer&)>& steps,
                    const std::vector<EventType>& types = events({"Ir", "Bc"}), bool addresses = false) {
    std::string bytes;
    Writer writer(to_memory(bytes), {.dialect = dialect, .creator = "test-1"});
    EXPECT_TRUE(writer.begin_part({.addresses = addresses, .events = types}));
    steps(writer);
    EXPECT_TRUE(writer.finish());
    return bytes;
}
std::string body_of(FileDialect dialect, const std::function<void(Writer&)>& steps, bool addresses = false) {
    const std::string bytes = file_of(dialect, steps, events({"Ir", "Bc"}), addresses);
    return bytes.substr(bytes.find("\n\n") + 2);
}

void soup(Writer& writer) {
    const auto soup = writer.file("soup.c"), pot = writer.file("pot.c"), knife = writer.file("knife.h");
    const auto main = writer.function({}, soup, "main"), chop = writer.function({}, soup, "chop");
    const auto boil = writer.function({}, pot, "boil");
    EXPECT_TRUE(writer.begin_function(main));
    EXPECT_TRUE(writer.cost({.line = 10}, Numbers{20, 3}));
    EXPECT_TRUE(writer.call({.place = {.line = 12}, .callee = chop, .count = 4, .target_line = 30},
                            Numbers{100, 12}));
    EXPECT_TRUE(writer.call({.place = {.line = 13}, .callee = boil, .target_line = 5}, Numbers{50, 4}));
    EXPECT_TRUE(writer.cost({.line = 14}, Numbers{20, 2}));
    EXPECT_TRUE(writer.begin_function(chop));
    EXPECT_TRUE(writer.cost({.line = 30}, Numbers{60, 12}));
    EXPECT_TRUE(writer.cost({.file = knife, .line = 7}, Numbers{40}));
    EXPECT_TRUE(writer.begin_function(boil));
    EXPECT_TRUE(writer.cost({.line = 5}, Numbers{50, 4}));
}

TEST(Writer, writes_the_example_of_the_format_as_a_portable_file) {
    EXPECT_EQ(file_of(FileDialect::portable, soup),
              "# callgrind format\n"
              "version: 1\n"
              "creator: test-1\n"
              "cmd: unknown\n"
              "positions: line\n"
              "events: Ir Bc\n"
              "\n"
              "fl=(1) soup.c\n"
              "fn=(1) main\n"
              "10 20 3\n"
              "cfn=(2) chop\n"
              "calls=4 30\n"
              "12 100 12\n"
              "cfi=(2) pot.c\n"
              "cfn=(3) boil\n"
              "calls=1 5\n"
              "13 50 4\n"
              "14 20 2\n"
              "\n"
              "fl=(1)\n"
              "fn=(2)\n"
              "30 60 12\n"
              "fi=(3) knife.h\n"
              "7 40 0\n"
              "fe=(1)\n"
              "\n"
              "fl=(2)\n"
              "fn=(3)\n"
              "5 50 4\n"
              "\n"
              "totals: 190 21\n");
}

TEST(Writer, has_blocks_of_files_and_a_summary_for_cachegrind) {
    std::string bytes;
    Writer writer(to_memory(bytes), {.dialect = FileDialect::cachegrind, .without_calls = true});
    const std::vector<EventType> types = events({"Ir", "Bc"});
    const std::vector<std::string> descriptions{"I1 cache: 32768 B"};
    EXPECT_TRUE(writer.begin_part({.command = "./soup", .descriptions = descriptions, .events = types}));
    soup(writer);
    EXPECT_TRUE(writer.finish());
    EXPECT_EQ(bytes,
              "desc: I1 cache: 32768 B\n"
              "cmd: ./soup\n"
              "events: Ir Bc\n"
              "fl=soup.c\nfn=main\n10 20 3\n14 20 2\n"
              "fl=soup.c\nfn=chop\n30 60 12\n"
              "fl=knife.h\nfn=chop\n7 40 0\n"
              "fl=pot.c\nfn=boil\n5 50 4\n"
              "summary: 190 21\n");
    EXPECT_EQ(writer.left_out().calls, 2U);
}

TEST(Writer, describes_every_cachegrind_file_as_cg_merge_takes_no_other) {
    std::string bytes;
    Writer writer(to_memory(bytes), {.dialect = FileDialect::cachegrind});
    EXPECT_TRUE(writer.begin_part({.events = events({"Ir"})}));
    EXPECT_TRUE(writer.finish());
    EXPECT_EQ(bytes, "desc: Written by callcost\ncmd: unknown\nevents: Ir\nsummary: 0\n");
}

TEST(Writer, says_once_that_unknown_counts_became_one) {
    const std::vector<std::string> descriptions{"Option: unknown numbers of calls are written as 1"};
    std::string bytes;
    Writer writer(to_memory(bytes), {.unknown_count_as_one = true});
    EXPECT_TRUE(writer.begin_part({.descriptions = descriptions, .events = events({"Ir"})}));
    EXPECT_TRUE(writer.finish());
    EXPECT_EQ(bytes.find("desc:"), bytes.rfind("desc:"));
}

TEST(Writer, writes_no_unknown_count_where_a_reader_takes_it_for_self_cost) {
    const auto calls = [](WriterOptions options) {
        std::string bytes;
        Writer writer(to_memory(bytes), std::move(options));
        const auto f = writer.function({}, {}, "f");
        EXPECT_TRUE(writer.begin_part({.events = events({"Ir"})}));
        EXPECT_TRUE(writer.begin_function(f));
        EXPECT_TRUE(writer.call({.callee = f, .count = 0}, Numbers{5}));
        EXPECT_TRUE(writer.finish());
        return std::pair(bytes.find("calls=1 0") != std::string::npos, writer.left_out().unknown_counts);
    };
    EXPECT_EQ(calls({}), std::pair(true, std::uint64_t{1}));
    EXPECT_EQ(calls({.unknown_count_as_one = false}), std::pair(false, std::uint64_t{0}));
    EXPECT_EQ(calls({.dialect = FileDialect::compact}), std::pair(false, std::uint64_t{0}));
}

TEST(Writer, writes_relative_positions_only_where_both_readings_agree) {
    // W12: not first after fn=, not far, not after a call elsewhere, not from line 0.
    const std::string body = body_of(FileDialect::compact, [](Writer& writer) {
        const auto f = writer.function({}, writer.file("a.c"), "f");
        EXPECT_TRUE(writer.begin_function(f));
        EXPECT_TRUE(writer.cost({.line = 10}, Numbers{1}));
        EXPECT_TRUE(writer.cost({.line = 12}, Numbers{1}));
        EXPECT_TRUE(writer.cost({.line = 12}, Numbers{2}));
        EXPECT_TRUE(writer.cost({.line = 5}, Numbers{1}));
        EXPECT_TRUE(writer.cost({.line = 105}, Numbers{1}));
        EXPECT_TRUE(writer.call({.place = {.line = 106}, .callee = f}, Numbers{1}));
        EXPECT_TRUE(writer.cost({.line = 107}, Numbers{1}));
        EXPECT_TRUE(writer.cost({.line = 0}, Numbers{1}));
        EXPECT_TRUE(writer.cost({.line = 1}, Numbers{1}));
        EXPECT_TRUE(writer.begin_function(f));
        EXPECT_TRUE(writer.cost({.line = 2}, Numbers{1}));
    });
    EXPECT_EQ(
        body,
        "fl=(1) a.c\nfn=(1) f\n10 1\n+2 1\n* 2\n-7 1\n105 1\ncfn=(1)\ncalls=1 0\n+1 1\n107 1\n0 1\n1 1\n"
        "\nfl=(1)\nfn=(1)\n2 1\n\ntotals: 10 0\n");
}

TEST(Writer, says_the_file_before_every_record_that_two_readings_would_place_differently) {
    // W9: the call is in x.h, and so the plain line after it is told to be, too.
    const std::string body = body_of(FileDialect::portable, [](Writer& writer) {
        const auto other = writer.file("x.h");
        const auto f = writer.function({}, writer.file("a.c"), "f");
        EXPECT_TRUE(writer.begin_function(f));
        EXPECT_TRUE(writer.cost({.line = 1}, Numbers{1}));
        EXPECT_TRUE(writer.call({.place = {.file = other, .line = 2}, .callee = f}, Numbers{1}));
        EXPECT_TRUE(writer.cost({.file = other, .line = 2}, Numbers{1}));
        EXPECT_TRUE(writer.cost({.file = other, .line = 3}, Numbers{1}));
        EXPECT_TRUE(writer.call({.place = {.line = 4}, .callee = f}, Numbers{1}));
        EXPECT_TRUE(writer.cost({.line = 5}, Numbers{1}));
    });
    EXPECT_EQ(body,
              "fl=(1) a.c\nfn=(1) f\n1 1 0\n"
              "fi=(2) x.h\ncfi=(1)\ncfn=(1)\ncalls=1 0\n2 1 0\n"
              "fi=(2)\n2 1 0\n3 1 0\n"
              "fe=(1)\ncfi=(1)\ncfn=(1)\ncalls=1 0\n4 1 0\n"
              "fe=(1)\n5 1 0\n\ntotals: 4 0\n");
}

TEST(Writer, writes_jumps_with_their_source_behind_them) {
    const std::string body = body_of(
        FileDialect::compact,
        [](Writer& writer) {
            const auto file = writer.file("a.c");
            const auto f = writer.function(writer.object("prog"), file, "f");
            const auto g = writer.function(writer.object("prog"), file, "g");
            EXPECT_TRUE(writer.begin_function(f));
            EXPECT_TRUE(writer.cost({.address = 0x1000, .line = 1}, Numbers{1}));
            EXPECT_TRUE(writer.jump({.place = {.address = 0x1000, .line = 1},
                                     .conditional = true,
                                     .executed = 8,
                                     .followed = 5,
                                     .target_address = 0x1010,
                                     .target_line = 4}));
            EXPECT_TRUE(writer.jump({.place = {.address = 0x1004, .line = 2},
                                     .executed = 3,
                                     .target_file = file,
                                     .target_function = g,
                                     .target_address = 0x2000,
                                     .target_line = 9}));
        },
        true);
    EXPECT_EQ(body,
              "ob=(1) prog\nfl=(1) a.c\nfn=(1) f\n0x1000 1 1\njcnd=5/8 0x1010 4\n* *\n"
              "jfn=(2) g\njump=3 0x2000 9\n+4 +1\n\ntotals: 1 0\n");
}

TEST(Writer, spells_names_so_that_they_come_back) {
    std::string bytes;
    Writer writer(to_memory(bytes), {.creator = "callcost-test"});
    const std::vector<EventType> types = events({"Ir"});
    EXPECT_TRUE(writer.begin_part({.command = "C:\\soup\n-x", .events = types}));
    for (const std::string_view name :
         {"(1) odd", "fn=(2)", "# x", "a\nb\rc", " padded ", "", "???", "caf\xe9"}) {
        EXPECT_TRUE(writer.begin_function(writer.function({}, {}, name)));
        EXPECT_TRUE(writer.cost({}, Numbers{1}));
    }
    EXPECT_TRUE(writer.finish());
    EXPECT_EQ(writer.left_out().changed_names, 2U);
    const Profile profile = read(bytes);
    EXPECT_EQ(functions_of(profile),
              (Lines{"(1) odd 1", "fn=(2) 1", "# x 1", "a\\nb\\rc 1", "padded 1", "??? 2", "caf\xe9 1"}));
    EXPECT_EQ(profile.parts()[0].command, "C:\\soup\n-x");
}

TEST(Writer, keeps_a_line_of_zeros_only_where_a_function_has_nothing_else) {
    const std::string body = body_of(FileDialect::portable, [](Writer& writer) {
        const auto f = writer.function({}, {}, "f"), g = writer.function({}, {}, "g");
        EXPECT_TRUE(writer.begin_function(f));
        EXPECT_TRUE(writer.cost({.line = 1}, Numbers{0, 0}));
        EXPECT_TRUE(writer.cost({.line = 2}, Numbers{0, 1}));
        EXPECT_TRUE(writer.begin_function(g));
        EXPECT_TRUE(writer.cost({.line = 3}, Numbers{}));
        EXPECT_TRUE(writer.cost({.line = 4}, Numbers{0}));
        EXPECT_TRUE(writer.begin_function(writer.function({}, {}, "nothing")));
    });
    EXPECT_EQ(body, "fl=(1) ???\nfn=(1) f\n2 0 1\n\nfl=(1)\nfn=(2) g\n3 0 0\n\ntotals: 0 1\n");
}

TEST(Writer, defines_names_again_in_further_parts) {
    std::string bytes;
    Writer writer(to_memory(bytes), {.dialect = FileDialect::compact, .creator = "t"});
    const std::vector<EventType> types = events({"Ir"});
    const auto f = writer.function({}, writer.file("a.c"), "f");
    for (const std::uint64_t part : {1U, 2U}) {
        EXPECT_TRUE(writer.begin_part({.command = "x", .pid = 7, .part = part, .events = types}));
        EXPECT_TRUE(writer.begin_function(f));
        EXPECT_TRUE(writer.cost({.line = 1}, Numbers{1}));
    }
    EXPECT_TRUE(writer.finish());
    EXPECT_THAT(bytes, HasSubstr("totals: 1\n\npid: 7\npart: 2\npositions: line\nevents: Ir\n\n"
                                 "fl=(1) a.c\nfn=(1) f\n1 1\n"));
    EXPECT_EQ(read(bytes).parts().size(), 2U);
}

TEST(Writer, adds_totals_modulo_two_to_the_64) {
    const std::string body = body_of(FileDialect::compact, [](Writer& writer) {
        EXPECT_TRUE(writer.begin_function(writer.function({}, {}, "f")));
        EXPECT_TRUE(writer.cost({}, Numbers{INT64_MAX}));
        EXPECT_TRUE(writer.cost({}, Numbers{1}));
    });
    EXPECT_THAT(body, HasSubstr("totals: -9223372036854775808 0\n"));
}

/// What a wrong step is told.
std::string refusal(const Result<void>& done) { return done ? "accepted" : done.error().detail; }

TEST(Writer, refuses_misuse_and_writes_a_whole_file_nevertheless) {
    std::string bytes, other_bytes;
    Writer writer(to_memory(bytes), {.dialect = FileDialect::strict, .creator = "t"});
    Writer other(to_memory(other_bytes));
    for (int i = 0; i < 3; ++i) (void)other.function({}, {}, std::to_string(i));
    const auto stranger = other.function({}, {}, "stranger");
    const std::vector<EventType> types = events({"Ir"});
    EXPECT_THAT(refusal(writer.cost({}, Numbers{1})), HasSubstr("begin_part"));
    EXPECT_THAT(refusal(writer.finish()), HasSubstr("begin_part"));
    EXPECT_THAT(refusal(writer.begin_part({})), HasSubstr("at least one event"));
    EXPECT_THAT(refusal(writer.begin_part({.events = events({"I r"})})), HasSubstr("blanks"));
    EXPECT_THAT(refusal(writer.begin_part({.events = events({"I_r"})})), HasSubstr("letters and digits"));
    EXPECT_THAT(refusal(writer.begin_part({.events = events({"Ir", "Ir"})})), HasSubstr("two events"));
    const auto f = writer.function({}, {}, "f");
    EXPECT_THAT(refusal(writer.begin_function(f)), HasSubstr("begin_part"));
    EXPECT_TRUE(writer.begin_part({.events = types}));
    EXPECT_THAT(refusal(writer.begin_function(stranger)), HasSubstr("another Writer"));
    EXPECT_THAT(refusal(writer.cost({}, Numbers{1})), HasSubstr("begin_function"));
    EXPECT_TRUE(writer.begin_function(f));
    EXPECT_THAT(refusal(writer.cost({}, Numbers{1, 2})), HasSubstr("more costs"));
    EXPECT_THAT(refusal(writer.cost({}, Numbers{-1})), HasSubstr("negative"));
    EXPECT_THAT(refusal(writer.cost({.address = 1}, Numbers{1})), HasSubstr("address"));
    EXPECT_THAT(refusal(writer.call({.callee = stranger}, Numbers{1})), HasSubstr("another Writer"));
    EXPECT_TRUE(writer.cost({.line = 1}, Numbers{1}));
    EXPECT_THAT(refusal(writer.finish()), HasSubstr("begin_part")) << "the first misuse";
    EXPECT_THAT(refusal(writer.cost({}, Numbers{1})), HasSubstr("finished"));
    EXPECT_EQ(functions_of(read(bytes)), Lines{"f 1"});
}

/// What finish() says of a file of one function after such a step, which nobody has looked at.
std::string end_after(const std::function<void(Writer&)>& step) {
    std::string bytes;
    Writer writer(to_memory(bytes));
    const auto f = writer.function({}, {}, "f");
    writer.begin_part({.events = events({"Ir"})});
    writer.begin_function(f);
    writer.cost({.line = 1}, Numbers{1});
    step(writer);
    writer.cost({.line = 2}, Numbers{2});
    const Result<void> done = writer.finish();
    EXPECT_EQ(functions_of(read(bytes)), Lines{"f 3"}) << "all that was not refused is written";
    EXPECT_EQ(refusal(writer.finish()), refusal(done) == "accepted" ? "the file is finished" : refusal(done));
    return refusal(done);
}

TEST(Writer, returns_the_first_misuse_from_finish) {
    EXPECT_EQ(end_after([](Writer&) {}), "accepted");
    EXPECT_EQ(end_after([](Writer& writer) {
                  writer.cost({}, Numbers{1, 2});
              }),
              "more costs than events, in function 'f'");
    EXPECT_EQ(end_after([](Writer& writer) { writer.call({}, Numbers{1}); }),
              "a call without a callee, in function 'f'");
    EXPECT_EQ(end_after([](Writer& writer) {
                  writer.begin_function(writer.function(Writer::Object(7U), {}, "g"));
              }),
              "an object or a file of another Writer");
    EXPECT_EQ(end_after([](Writer& writer) { writer.begin_function({}); }),
              "begin_function without a function");
    EXPECT_EQ(end_after([](Writer& writer) {
                  writer.jump({.target_function = Writer::Function(7U)});
                  writer.call({}, Numbers{1});
              }),
              "a function of another Writer");
    std::string bytes;
    EXPECT_EQ(refusal(Writer(to_memory(bytes)).finish()), "a file has at least one part");
}

TEST(Writer, adds_nothing_to_the_part_before_where_a_part_was_refused) {
    std::string bytes;
    Writer writer(to_memory(bytes), {.dialect = FileDialect::compact});
    const std::vector<EventType> types = events({"Ir"});
    const auto f = writer.function({}, {}, "f");
    EXPECT_TRUE(writer.begin_part({.events = types}));
    EXPECT_TRUE(writer.begin_function(f));
    EXPECT_TRUE(writer.cost({.line = 1}, Numbers{1}));
    EXPECT_THAT(refusal(writer.begin_part({})), HasSubstr("at least one event"));
    EXPECT_THAT(refusal(writer.cost({.line = 1}, Numbers{20})), HasSubstr("begin_part comes first"));
    EXPECT_THAT(refusal(writer.begin_function(f)), HasSubstr("begin_part comes first"));
    EXPECT_TRUE(writer.begin_part({.events = types}));
    EXPECT_THAT(refusal(writer.cost({.line = 1}, Numbers{20})), HasSubstr("begin_function comes first"));
    EXPECT_TRUE(writer.begin_function(f));
    EXPECT_TRUE(writer.cost({.line = 1}, Numbers{300}));
    EXPECT_THAT(refusal(writer.finish()), HasSubstr("at least one event"));
    EXPECT_EQ(functions_of(read(bytes)), Lines{"f 301"});

    std::string one_part;
    Writer portable(to_memory(one_part));
    EXPECT_TRUE(portable.begin_part({.events = types}));
    EXPECT_THAT(refusal(portable.begin_part({.events = types})), HasSubstr("several parts"));
    EXPECT_THAT(refusal(portable.begin_function(portable.function({}, {}, "f"))), HasSubstr("begin_part"));
}

TEST(Writer, does_not_pose_as_callgrind) {
    std::string bytes;
    Writer writer(to_memory(bytes), {.creator = "callgrind-3.99"});
    EXPECT_THAT(refusal(writer.begin_part({.events = events({"Ir"})})), HasSubstr("creator"));
    EXPECT_EQ(bytes, "");
}

TEST(Writer, refuses_calls_for_cachegrind_unless_told_to_leave_them_out) {
    std::string bytes;
    Writer writer(to_memory(bytes), {.dialect = FileDialect::cachegrind});
    EXPECT_TRUE(writer.begin_part({.events = events({"Ir"})}));
    const auto f = writer.function({}, {}, "f");
    EXPECT_TRUE(writer.begin_function(f));
    EXPECT_THAT(refusal(writer.call({.callee = f}, Numbers{1})), HasSubstr("no calls"));
}

TEST(Writer, ends_with_the_error_of_its_sink) {
    int blocks = 0;
    Writer writer([&](std::string_view) -> Result<void> {
        if (++blocks == 1) return {};
        return tl::unexpected(Error{.code = ErrorCode::read_failed, .detail = "disk full"});
    });
    EXPECT_TRUE(writer.begin_part({.events = events({"Ir"})}));
    EXPECT_TRUE(writer.begin_function(writer.function({}, {}, "f")));
    Result<void> done;
    for (int i = 0; i < 1'000'000 && done; ++i) done = writer.cost({.line = 1}, Numbers{1});
    EXPECT_EQ(refusal(done), "disk full");
    EXPECT_EQ(refusal(writer.finish()), "disk full");
    EXPECT_EQ(blocks, 2);
}

}  // namespace
}  // namespace callcost::test
