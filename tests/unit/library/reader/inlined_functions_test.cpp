// F89 to F91: code of inlined functions.
#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "unit/library/merge/meaning.hpp"
#include "unit/library/parser/every_way.hpp"
#include <callcost/scanner.hpp>
#include <callcost/writer.hpp>

namespace callcost::test {
namespace {

std::string with_host(const Profile& profile, FunctionId function) {
    std::string text = std::string(profile.name(profile.file(function))) + ":";
    text += profile.name(function);
    if (!profile.inlined_in(function).valid()) return text;
    EXPECT_EQ(profile.object(function), profile.object(profile.host(function)));
    EXPECT_TRUE(profile.has_records(function));
    return text + " in " + std::string(profile.name(profile.host(function)));
}

/// "a:f 10", "a:f > b:g in f x>=0 5".
Lines code_of(const Profile& profile) {
    Lines lines;
    for (std::size_t row = 0; row < profile.function_count(); ++row)
        lines.push_back(with_host(profile, FunctionId(row)) + " " +
                        std::to_string(profile.self(FunctionId(row), EventId(0U))));
    for (std::size_t row = 0; row < profile.arc_count(); ++row) {
        const ArcId arc(row);
        lines.push_back(with_host(profile, profile.caller(arc)) + " > " +
                        with_host(profile, profile.callee(arc)) + " x" + count_text(profile.count(arc)) +
                        " " + std::to_string(profile.cost(arc, EventId(0U))));
    }
    std::sort(lines.begin(), lines.end());
    return lines;
}
Lines code_of(std::string_view text) {
    Lines lines = code_of(read_every_way(text));
    ReadOptions options;
    options.detail = Detail::functions;
    EXPECT_EQ(code_of(read(text, options)), lines);
    return lines;
}

TEST(InlinedFunctions, have_what_follows_until_the_next_one) {
    EXPECT_EQ(
        code_of(in_function("1 1\ncfni=g\n2 10\n3 20\ncfni=h\n4 100\ncfni=???\n5 2\ncfni=g\n2 40\n")),
        (Lines{"a:f 3", "a:f > a:g in f x>=0 70", "a:f > a:h in f x>=0 100", "a:g in f 70", "a:h in f 100"}));
}

TEST(InlinedFunctions, end_with_the_function_and_with_the_part) {
    EXPECT_EQ(
        code_of(by_others("fl=a\nfn=f\ncfni=g\n1 1\nfn=h\n2 2\ncfni=g\n3 4\npart: 2\nfl=a\nfn=f\n1 8\n")),
        (Lines{"a:f 8", "a:f > a:g in f x>=0 1", "a:g in f 1", "a:g in h 4", "a:h 2",
               "a:h > a:g in h x>=0 4"}));
}

TEST(InlinedFunctions, are_in_the_file_of_the_next_record) {
    EXPECT_EQ(code_of(in_function("fi=b\ncfni=g\n2 1\nfi=c\n3 2\nfe=a\ncfni=g\n4 4\n")),
              (Lines{"a:f 0", "a:f > a:g in f x>=0 4", "a:f > b:g in f x>=0 3", "a:g in f 4", "b:g in f 3"}));
    // After a call Callgrind's own files are back in the file of the last plain line (F51).
    const std::string body = "fl=a\nfn=f\n1 1\nfi=b\ncfn=g\ncalls=1 1\n2 2\ncfni=h\n3 4\nfl=b\nfn=g\n1 2\n";
    const Lines lines = code_of(by_callgrind(body));
    EXPECT_NE(std::find(lines.begin(), lines.end(), "a:h in f 4"), lines.end());
}

TEST(InlinedFunctions, may_have_lines_of_any_file) {
    const std::string text = in_function("fi=b\ncfni=g\nfe=a\n2 1\nfi=c\n3 2\n");
    const Profile profile = read_every_way(text);
    EXPECT_EQ(code_of(profile), (Lines{"a:f 0", "a:f > b:g in f x>=0 3", "b:g in f 3"}));
    EXPECT_EQ(records_of(text)[1], "a:2 costs 1");
}

TEST(InlinedFunctions, make_calls) {
    EXPECT_EQ(code_of(in_function("1 1\ncfni=g\n2 2\ncfn=h\ncalls=3 1\n3 30\ncfni=???\ncfn=h\ncalls=1 1\n"
                                  "4 10\nfn=h\n1 40\n")),
              (Lines{"a:f 1", "a:f > a:g in f x>=0 32", "a:f > a:h x1 10", "a:g in f 2",
                     "a:g in f > a:h x3 30", "a:h 40"}));
}

TEST(InlinedFunctions, leave_jumps_to_the_function) {
    const Profile profile = read_every_way(in_function("cfni=g\n1 1\njump=2 9\n1\n2 2\n"));
    EXPECT_EQ(code_of(profile), (Lines{"a:f 0", "a:f > a:g in f x>=0 3", "a:g in f 3"}));
    RecordCursor cursor = profile.records(FunctionId(0U));
    std::size_t jumps = 0;
    for (Record record; cursor.next(record);)
        if (record.kind == Record::Kind::jump) {
            ++jumps;
            EXPECT_EQ(record.target_function, FunctionId(0U));
        }
    EXPECT_EQ(jumps, 1U);
}

TEST(InlinedFunctions, have_names_that_are_no_ids) {
    EXPECT_EQ(code_of(by_others("fl=a\nfn=(1) f\n1 1\ncfni=(1)\n2 2\ncfni=(1) x\n3 4\ncfni=\t(2) \n4 8\n")),
              (Lines{"a:(1) in f 2", "a:(1) x in f 4", "a:(2) in f 8", "a:f 1", "a:f > a:(1) in f x>=0 2",
                     "a:f > a:(1) x in f x>=0 4", "a:f > a:(2) in f x>=0 8"}));
}

TEST(InlinedFunctions, may_have_no_name) {
    const std::string text =
        in_function("cfni=UnknownInlinedFun\n1 1\ncfni=AbsOriFnNameNotFound\n2 2\ncfni=\n3 4\n");
    EXPECT_EQ(code_of(text), (Lines{"a:??? in f 3", "a:f 4", "a:f > a:??? in f x>=0 3"}));
    EXPECT_EQ(diagnostics_of(text), (Lines{"empty-name at 8:6"}));
}

TEST(InlinedFunctions, need_a_function) {
    const std::string text = by_others("fl=a\ncfni=g\n1 1\n");
    EXPECT_EQ(diagnostic_ids_of(text), (Lines{"cost-before-fn", "inlined-before-fn"}));
    EXPECT_EQ(code_of(text), (Lines{"a:??? 1"}));
}

TEST(InlinedFunctions, between_a_call_and_its_cost_line_count_for_the_call) {
    const std::string text = in_function("cfn=h\ncalls=1 1\ncfni=g\n2 2\nfn=h\n1 2\n");
    EXPECT_EQ(diagnostic_ids_of(text), (Lines{"split-call"}));
    EXPECT_EQ(code_of(text),
              (Lines{"a:f 0", "a:f > a:g in f x>=0 2", "a:g in f 0", "a:g in f > a:h x1 2", "a:h 2"}));
}

TEST(InlinedFunctions, are_no_callees_by_name_or_id) {
    // F61 (b): the only recorded function of the name, wherever code of it is inlined.
    EXPECT_EQ(code_of(by_others("fl=a\nfn=f\ncfni=g\n1 1\ncfi=x\ncfn=g\ncalls=1 1\n2 2\nfl=b\nfn=g\n1 2\n")),
              (Lines{"a:f 0", "a:f > a:g in f x>=0 3", "a:g in f 1", "a:g in f > b:g x1 2", "b:g 2"}));
}

TEST(InlinedFunctions, follow_hosts_that_turn_out_to_be_one) {
    EXPECT_EQ(code_of(by_others("fl=a\nfn=(7)\ncfni=g\n1 1\nfn=f\ncfni=g\n1 2\nfn=(7) f\ncfni=g\n1 4\n")),
              (Lines{"a:f 0", "a:f > a:g in f x>=0 7", "a:g in f 7"}));
}

TEST(InlinedFunctions, come_after_all_others) {
    const Profile profile =
        read_every_way(by_others("fl=a\nfn=f\ncfni=g\n1 1\nfn=h\n1 1\ncfni=i\n1 1\nfn=k\n1 1\n"));
    bool inlined = false;
    for (std::size_t row = 0; row < profile.function_count(); ++row) {
        EXPECT_GE(profile.inlined_in(FunctionId(row)).valid(), inlined);
        inlined = profile.inlined_in(FunctionId(row)).valid();
    }
    EXPECT_TRUE(inlined);
}

TEST(InlinedFunctions, are_events) {
    struct Handler {
        std::string text;
        const EventNames* known = nullptr;
        void names(const EventNames& names) { known = &names; }
        void function(const FunctionEvent& event) { text += std::string(known->function(event.name)) + "; "; }
        void inlined(const InlinedEvent& event) {
            text += event.name == 0 ? "own; "
                                    : std::string(known->file(event.file)) + ":" +
                                          std::string(known->function(event.name)) + "; ";
        }
        void cost(const CostEvent& event) { text += std::to_string(event.line) + "; "; }
    } handler;
    const std::string text =
        in_function("1 1\nfi=b\ncfni=g\n2 1\ncfni=???\n3 1\ncfni=UnknownInlinedFun\n4 1\n");
    ASSERT_TRUE(parse(from_memory(text), handler).has_value());
    EXPECT_EQ(handler.text, "f; 1; b:g; 2; own; 3; b:UnknownInlinedFun; 4; ");
}

// ---- Written ----

const std::string of_two_parts =
    "part: 1\nevents: Ir\nfl=a\nfn=f\n1 1\nfi=b\ncfni=g\n2 2\nfi=c\n3 4\nfe=a\ncfni=???\n4 "
    "8\nfn=h\ncfni=f\n1 1\n"
    "cfn=f\ncalls=2 1\n2 15\npart: 2\nfl=a\nfn=f\ncfni=UnknownInlinedFun\n1 16\n";

TEST(InlinedFunctions, are_kept_where_the_dialect_can_say_so) {
    const Profile before = read(of_two_parts);
    const ProfileWriteOptions options{.dialect = FileDialect::compact};
    const std::string bytes = written(before, options);
    const Profile after = read_every_way(bytes);
    EXPECT_EQ(code_of(after), code_of(before));
    EXPECT_EQ(after.parts().size(), 2U);
    EXPECT_EQ(after.parts()[0].call_count, 2U);
    EXPECT_EQ(written(after, options), bytes);
    EXPECT_EQ(bytes.find("desc: Option"), std::string::npos);
    for (const FileDialect dialect : {FileDialect::portable, FileDialect::strict}) {
        const std::string other = written(before, {.dialect = dialect});
        EXPECT_EQ(other.find("cfni="), std::string::npos);
        EXPECT_NE(other.find("desc: Option: inlined code is in the functions that it is from"),
                  std::string::npos);
    }
}

TEST(InlinedFunctions, are_written_if_they_cost_nothing) {
    const std::string text = in_function("1 0\ncfni=g\n2 0\ncfni=h\n3 1\ncfni=i\n4 0\n");
    const std::string bytes = written(read(text), {.dialect = FileDialect::compact});
    EXPECT_EQ(code_of(bytes), code_of(text));
}

TEST(InlinedFunctions, are_added_up) {
    const Profile one = read(of_two_parts);
    ProfileMerger merger;
    ASSERT_TRUE(merger.add(one).has_value());
    ASSERT_TRUE(merger.add(one).has_value());
    const Profile sum = std::move(merger).finish().value();
    const ProfileWriteOptions canonical{.dialect = FileDialect::compact, .canonical = true};
    const std::string bytes = written(sum, canonical);
    const Profile again = read(bytes);
    EXPECT_EQ(written(again, canonical), bytes);
    EXPECT_EQ(code_of(again), code_of(sum));
    EXPECT_EQ(code_of(sum), (Lines{"a:??? in f 32", "a:f 18", "a:f > a:??? in f x>=0 32",
                                   "a:f > b:g in f x>=0 12", "a:f in h 2", "a:f in h > a:f x4 30", "a:h 0",
                                   "a:h > a:f in h x>=0 32", "b:g in f 12"}));
    EXPECT_EQ(sum.parts()[0].call_count, 4U);
    EXPECT_FALSE(sum.parts()[0].calls_at_least);
}

TEST(Writer, says_whose_code_is_inlined) {
    std::string bytes;
    Writer writer(to_memory(bytes), {.dialect = FileDialect::compact, .creator = "t"});
    const EventType columns[] = {{.name = "Ir"}};
    const Cost costs[] = {1};
    const auto file = writer.file("a"), header = writer.file("b");
    ASSERT_TRUE(writer.begin_part({.command = "c", .events = columns}));
    EXPECT_FALSE(writer.begin_inlined("g"));
    ASSERT_TRUE(writer.begin_function(writer.function({}, file, "f")));
    ASSERT_TRUE(writer.begin_inlined("g\n", header));
    ASSERT_TRUE(writer.begin_inlined("h", header));
    ASSERT_TRUE(writer.cost({.line = 1}, costs));
    ASSERT_TRUE(writer.begin_inlined({}));
    ASSERT_TRUE(writer.cost({.line = 2}, costs));
    ASSERT_TRUE(writer.begin_function(writer.function({}, file, "k")));
    ASSERT_TRUE(writer.cost({.line = 3}, costs));
    static_cast<void>(writer.finish());
    EXPECT_NE(
        bytes.find("fn=(1) f\nfi=(2) b\ncfni=h\nfe=(1)\n1 1\ncfni=???\n+1 1\n\nfl=(1)\nfn=(2) k\n3 1\n"),
        std::string::npos)
        << bytes;
}

}  // namespace
}  // namespace callcost::test
