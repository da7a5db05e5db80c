// The library for C, from C++: what it reads, writes and refuses.
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "callcost/callcost.h"
#include "callcost/callcost.hpp"

namespace callcost::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::string_view soup =
    "creator: test\nevents: Ir Dr\nevent: Ir : Instructions\npositions: instr line\n"
    "ob=kitchen\nfl=soup.c\nfn=main\n0x10 10 20 3\ncfn=chop\ncalls=4 0x30 30\n0x12 12 100 12\n"
    "fn=chop\n0x30 30 60 12\nfi=knife.h\n0x32 7 40\nsurprise\n";

struct Closer {
    void operator()(callcost_profile* profile) const { callcost_close(profile); }
    void operator()(callcost_lines* lines) const { callcost_close_lines(lines); }
    void operator()(callcost_writer* writer) const { callcost_close_writer(writer); }
};
using OpenProfile = std::unique_ptr<callcost_profile, Closer>;
using OpenLines = std::unique_ptr<callcost_lines, Closer>;
using OpenWriter = std::unique_ptr<callcost_writer, Closer>;

std::string str(callcost_text text) { return {text.data, text.size}; }

OpenProfile opened(std::string_view bytes) {
    callcost_error error;
    OpenProfile profile(callcost_open_memory(bytes.data(), bytes.size(), "soup", &error));
    EXPECT_EQ(error.code, CALLCOST_OK) << error.message;
    return profile;
}

int append(void* context, const char* bytes, size_t size) {
    static_cast<std::string*>(context)->append(bytes, size);
    return 0;
}
int refuse(void* /*context*/, const char* /*bytes*/, size_t /*size*/) { return 1; }
int run_out_of_memory(void* /*context*/, const char* /*bytes*/, size_t /*size*/) { throw std::bad_alloc(); }

/// One line "file:line@address Ir Dr" per step.
std::vector<std::string> lines_of(const callcost_profile* profile, size_t function) {
    callcost_error error;
    const OpenLines lines(callcost_open_lines(profile, function, &error));
    EXPECT_EQ(error.code, CALLCOST_OK);
    std::vector<std::string> found;
    callcost_line line;
    while (callcost_next_line(lines.get(), &line) == 1)
        found.push_back(std::to_string(line.function) + ' ' + str(line.file) + ':' +
                        std::to_string(line.line) + '@' + std::to_string(line.address) + ' ' +
                        std::to_string(line.costs[0]) + ' ' + std::to_string(line.costs[1]));
    return found;
}

TEST(CApi, tells_its_version) {
    EXPECT_EQ(callcost_c_version(), CALLCOST_C_VERSION);
    EXPECT_EQ(callcost_version(), version());
}

TEST(CApi, reads_events_functions_arcs_and_totals) {
    const OpenProfile profile = opened(soup);
    ASSERT_EQ(callcost_event_count(profile.get()), 2);
    callcost_event event;
    ASSERT_EQ(callcost_event_at(profile.get(), 0, &event), 1);
    EXPECT_EQ(str(event.name), "Ir");
    EXPECT_EQ(str(event.long_name), "Instructions");
    EXPECT_EQ(str(event.unit), "");
    EXPECT_EQ(event.additive, 1);
    EXPECT_EQ(callcost_total(profile.get(), 0), 120);
    EXPECT_EQ(callcost_total(profile.get(), 1), 15);

    ASSERT_EQ(callcost_function_count(profile.get()), 2);
    callcost_function function;
    ASSERT_EQ(callcost_function_at(profile.get(), 1, &function), 1);
    EXPECT_EQ(str(function.name), "chop");
    EXPECT_EQ(str(function.file), "soup.c");
    EXPECT_EQ(str(function.object), "kitchen");
    EXPECT_EQ(function.called, 4);
    EXPECT_EQ(function.called_at_least, 0);
    EXPECT_EQ(callcost_self(profile.get(), 0, 0), 20);
    EXPECT_EQ(callcost_inclusive(profile.get(), 0, 0), 120);
    EXPECT_EQ(callcost_inclusive(profile.get(), 0, 1), 15);

    ASSERT_EQ(callcost_arc_count(profile.get()), 1);
    callcost_arc arc;
    ASSERT_EQ(callcost_arc_at(profile.get(), 0, &arc), 1);
    EXPECT_EQ(arc.caller, 0);
    EXPECT_EQ(arc.callee, 1);
    EXPECT_EQ(arc.count, 4);
    EXPECT_EQ(arc.at_least, 0);
    EXPECT_EQ(arc.recursive, 0);
    EXPECT_EQ(callcost_arc_cost(profile.get(), 0, 1), 12);
}

TEST(CApi, walks_over_the_lines_of_a_function_or_of_all) {
    OpenProfile profile = opened(soup);
    EXPECT_THAT(lines_of(profile.get(), 1), ElementsAre("1 soup.c:30@48 60 12", "1 knife.h:7@50 40 0"));
    EXPECT_THAT(lines_of(profile.get(), CALLCOST_ALL_FUNCTIONS),
                ElementsAre("0 soup.c:10@16 20 3", "1 soup.c:30@48 60 12", "1 knife.h:7@50 40 0"));
    EXPECT_THAT(lines_of(profile.get(), 2), ElementsAre());

    const OpenLines lines(callcost_open_lines(profile.get(), 0, nullptr));
    profile.reset();
    callcost_line line;
    EXPECT_EQ(callcost_next_line(lines.get(), &line), 1);
    EXPECT_EQ(str(line.file), "soup.c");
    EXPECT_EQ(callcost_next_line(lines.get(), &line), 0);
    EXPECT_EQ(callcost_next_line(lines.get(), &line), 0);
}

TEST(CApi, gives_each_line_the_events_of_its_own_part_and_0_for_the_others) {
    const OpenProfile profile = opened(
        "events: A B\nfn=f\n1 1 2\n\npart: 2\nevents: B\nfn=f\n1 7\n\npart: 3\nevents: A\nfn=f\n1 9\n");
    EXPECT_THAT(lines_of(profile.get(), 0), ElementsAre("0 ???:1@0 1 2", "0 ???:1@0 0 7", "0 ???:1@0 9 0"));
}

TEST(CApi, gives_nothing_for_rows_that_are_not_there) {
    const OpenProfile profile = opened(soup);
    callcost_event event;
    callcost_function function;
    callcost_arc arc;
    callcost_diagnostic diagnostic;
    EXPECT_EQ(callcost_event_at(profile.get(), 2, &event), 0);
    EXPECT_EQ(str(event.name), "");
    EXPECT_EQ(callcost_function_at(profile.get(), SIZE_MAX, &function), 0);
    EXPECT_EQ(str(function.name), "");
    EXPECT_EQ(callcost_arc_at(profile.get(), 1, &arc), 0);
    EXPECT_EQ(arc.count, 0);
    EXPECT_EQ(callcost_diagnostic_at(profile.get(), 1, &diagnostic), 0);
    EXPECT_EQ(callcost_total(profile.get(), 2), 0);
    EXPECT_EQ(callcost_self(profile.get(), 2, 0) + callcost_self(profile.get(), 0, 2), 0);
    EXPECT_EQ(callcost_inclusive(profile.get(), 2, 0) + callcost_inclusive(profile.get(), 0, 2), 0);
    EXPECT_EQ(callcost_arc_cost(profile.get(), 1, 0) + callcost_arc_cost(profile.get(), 0, 2), 0);
}

TEST(CApi, skips_lines_beyond_the_limit_asked_for) {
    std::string text = "version: 1\nevents: Ir\nfn=f\n1 2\n3" + std::string(5'000, ' ') + "4\n";
    const auto total = [&](const callcost_read_options* options) {
        std::string_view rest = text;
        const auto read = [](void* context, char* buffer, size_t size) {
            auto& left = *static_cast<std::string_view*>(context);
            const size_t count = left.copy(buffer, size);
            left.remove_prefix(count);
            return count;
        };
        const OpenProfile profile(callcost_open_with(read, &rest, "text", options, nullptr));
        return callcost_total(profile.get(), 0);
    };
    const callcost_read_options usual{}, little{.longest_line = 5'000};
    EXPECT_EQ(total(nullptr), 6);
    EXPECT_EQ(total(&usual), 6);
    EXPECT_EQ(total(&little), 2);
}

TEST(CApi, tells_what_is_odd_about_a_file) {
    const OpenProfile profile = opened(soup);
    ASSERT_EQ(callcost_diagnostic_count(profile.get()), 1);
    callcost_diagnostic diagnostic;
    ASSERT_EQ(callcost_diagnostic_at(profile.get(), 0, &diagnostic), 1);
    EXPECT_EQ(str(diagnostic.name), "unknown-line");
    EXPECT_THAT(str(diagnostic.rule), StartsWith("F"));
    EXPECT_EQ(diagnostic.severity, CALLCOST_ERROR);
    EXPECT_EQ(diagnostic.count, 1);
    EXPECT_EQ(diagnostic.line, 16);
    EXPECT_EQ(str(diagnostic.excerpt), "surprise");
}

TEST(CApi, says_why_and_where_a_file_cannot_be_read) {
    callcost_error error;
    EXPECT_EQ(callcost_open_memory(nullptr, 0, nullptr, &error), nullptr);
    EXPECT_EQ(error.code, CALLCOST_EMPTY_FILE);
    EXPECT_STREQ(error.message, "the file is empty");
    EXPECT_EQ(callcost_open_memory("\n\nhello\n", 8, nullptr, &error), nullptr);
    EXPECT_EQ(error.code, CALLCOST_NOT_A_PROFILE);
    EXPECT_EQ(error.line, 3);
    EXPECT_EQ(callcost_open_memory("hello\n", 6, nullptr, nullptr), nullptr);  // nobody wants to know why
    callcost_close(nullptr);
    callcost_close_lines(nullptr);
    callcost_close_writer(nullptr);
}

struct Reading {
    std::string_view left;
    size_t failure = 0;  ///< instead of the end
};
size_t read_some(void* context, char* buffer, size_t size) {
    Reading& reading = *static_cast<Reading*>(context);
    const std::string_view piece = reading.left.substr(0, std::min<size_t>(size, 7));
    reading.left.remove_prefix(piece.size());
    if (piece.empty()) return reading.failure;
    std::memcpy(buffer, piece.data(), piece.size());
    return piece.size();
}

TEST(CApi, reads_through_a_callback) {
    Reading whole{.left = soup};
    const OpenProfile profile(callcost_open(read_some, &whole, "soup", nullptr));
    ASSERT_NE(profile, nullptr);
    EXPECT_EQ(callcost_total(profile.get(), 0), 120);

    Reading broken{.left = soup, .failure = CALLCOST_READ_ERROR};
    const OpenProfile most(callcost_open(read_some, &broken, nullptr, nullptr));
    ASSERT_NE(most, nullptr);
    EXPECT_EQ(callcost_total(most.get(), 0), 120);
    EXPECT_EQ(callcost_diagnostic_count(most.get()), 2);

    callcost_error error;
    Reading nothing{.left = {}, .failure = CALLCOST_READ_ERROR};
    EXPECT_EQ(callcost_open(read_some, &nothing, nullptr, &error), nullptr);
    EXPECT_EQ(error.code, CALLCOST_READ_FAILED);
    const auto out_of_memory = [](void*, char*, size_t) -> size_t { throw std::bad_alloc(); };
    EXPECT_EQ(callcost_open(out_of_memory, nullptr, nullptr, &error), nullptr);
    EXPECT_EQ(error.code, CALLCOST_OUT_OF_MEMORY);
    const auto other = [](void*, char*, size_t) -> size_t { throw 1; };
    EXPECT_EQ(callcost_open(other, nullptr, nullptr, &error), nullptr);
    EXPECT_EQ(error.code, CALLCOST_FAILED);
}

constexpr callcost_written_event two_events[] = {{"Ir", "Instructions"}, {"Dr", nullptr}};
constexpr callcost_part heading = {.events = two_events,
                                   .event_count = 2,
                                   .command = "./soup",
                                   .pid = nullptr,
                                   .part = nullptr,
                                   .thread = nullptr,
                                   .addresses = 0,
                                   .summary = nullptr};

TEST(CApi, writes_what_the_writer_of_cpp_writes) {
    std::string bytes;
    const callcost_write_options options = {CALLCOST_PORTABLE, "mytool-1", 0, 0, 0};
    const OpenWriter writer(callcost_open_writer(append, &bytes, &options, nullptr));
    const std::uint32_t cook = callcost_writer_function(writer.get(), nullptr, "soup.c", "main");
    const std::uint32_t chop = callcost_writer_function(writer.get(), "lib", "soup.c", "chop");
    const std::uint32_t knife = callcost_writer_file(writer.get(), "knife.h");
    EXPECT_EQ(callcost_writer_function(writer.get(), "lib", "soup.c", "chop"), chop);
    const std::int64_t self[] = {20, 3}, calls[] = {100, 12}, rest[] = {100};
    const callcost_place place = {0, 10, 0}, inlined = {knife, 7, 0};
    const callcost_call call = {{0, 12, 0}, chop, 4, 30, 0};
    EXPECT_EQ(callcost_writer_begin_part(writer.get(), &heading, nullptr), CALLCOST_OK);
    EXPECT_EQ(callcost_writer_begin_function(writer.get(), cook, nullptr), CALLCOST_OK);
    EXPECT_EQ(callcost_writer_cost(writer.get(), &place, self, 2, nullptr), CALLCOST_OK);
    EXPECT_EQ(callcost_writer_call(writer.get(), &call, calls, 2, nullptr), CALLCOST_OK);
    EXPECT_EQ(callcost_writer_begin_function(writer.get(), chop, nullptr), CALLCOST_OK);
    EXPECT_EQ(callcost_writer_cost(writer.get(), &inlined, rest, 1, nullptr), CALLCOST_OK);
    EXPECT_EQ(callcost_writer_cost(writer.get(), nullptr, nullptr, 0, nullptr), CALLCOST_OK);
    EXPECT_EQ(callcost_writer_finish(writer.get(), nullptr), CALLCOST_OK);

    std::string wanted;
    Writer same(to_memory(wanted), {.creator = "mytool-1"});
    const auto file = same.file("soup.c");
    const auto main = same.function({}, file, "main"),
               other = same.function(same.object("lib"), file, "chop");
    const auto header = same.file("knife.h");
    const EventType types[] = {{.name = "Ir", .long_name = "Instructions"}, {.name = "Dr"}};
    EXPECT_TRUE(same.begin_part({.command = "./soup", .events = types}));
    const std::vector<Cost> own(std::begin(self), std::end(self)),
        inclusive(std::begin(calls), std::end(calls)), others(std::begin(rest), std::end(rest));
    EXPECT_TRUE(same.begin_function(main));
    EXPECT_TRUE(same.cost({.line = 10}, own));
    EXPECT_TRUE(
        same.call({.place = {.line = 12}, .callee = other, .count = 4, .target_line = 30}, inclusive));
    EXPECT_TRUE(same.begin_function(other));
    EXPECT_TRUE(same.cost({.file = header, .line = 7}, others));
    EXPECT_TRUE(same.cost({}, {}));
    EXPECT_TRUE(same.finish());
    EXPECT_EQ(bytes, wanted);
    EXPECT_EQ(callcost_total(opened(bytes).get(), 0), 120);
}

TEST(CApi, refuses_misuse_and_goes_on) {
    std::string bytes;
    callcost_error error;
    const OpenWriter writer(callcost_open_writer(append, &bytes, nullptr, &error));
    EXPECT_EQ(callcost_writer_begin_function(writer.get(), 1, &error), CALLCOST_BAD_ARGUMENT);
    EXPECT_THAT(error.message, HasSubstr("begin_part comes first"));
    EXPECT_EQ(callcost_writer_finish(writer.get(), &error), CALLCOST_BAD_ARGUMENT);
    callcost_part nameless = heading;
    const callcost_written_event none[] = {{nullptr, nullptr}};
    nameless.events = none;
    nameless.event_count = 1;
    EXPECT_EQ(callcost_writer_begin_part(writer.get(), &nameless, &error), CALLCOST_BAD_ARGUMENT);
    EXPECT_EQ(callcost_writer_begin_part(writer.get(), &heading, &error), CALLCOST_OK);
    EXPECT_EQ(callcost_writer_begin_function(writer.get(), 0, &error), CALLCOST_BAD_ARGUMENT);
    EXPECT_EQ(callcost_writer_begin_function(writer.get(), UINT32_MAX, &error), CALLCOST_BAD_ARGUMENT);
    const std::uint32_t f = callcost_writer_function(writer.get(), nullptr, nullptr, "f");
    EXPECT_EQ(callcost_writer_begin_function(writer.get(), f, &error), CALLCOST_OK);
    const callcost_place nowhere = {77, 1, 0};
    EXPECT_EQ(callcost_writer_cost(writer.get(), &nowhere, nullptr, 0, &error), CALLCOST_BAD_ARGUMENT);
    const std::int64_t costs[] = {1, 2, 3};
    EXPECT_EQ(callcost_writer_cost(writer.get(), nullptr, costs, 3, &error), CALLCOST_BAD_ARGUMENT);
    EXPECT_EQ(callcost_writer_cost(writer.get(), nullptr, costs, 2, &error), CALLCOST_OK);
    EXPECT_STREQ(error.message, "");
    EXPECT_EQ(callcost_writer_finish(writer.get(), &error), CALLCOST_BAD_ARGUMENT) << "the first misuse";
    EXPECT_THAT(error.message, HasSubstr("begin_part comes first"));
    EXPECT_EQ(callcost_total(opened(bytes).get(), 1), 2);

    callcost_write_options options{};
    options.dialect = 4;
    EXPECT_EQ(callcost_open_writer(append, &bytes, &options, &error), nullptr);
    EXPECT_EQ(error.code, CALLCOST_BAD_ARGUMENT);
}

/// The last step of a Writer of a small file to this callback, and the one after.
std::pair<callcost_code, callcost_code> last_steps(callcost_write write) {
    const OpenWriter writer(callcost_open_writer(write, nullptr, nullptr, nullptr));
    callcost_writer_begin_part(writer.get(), &heading, nullptr);
    callcost_writer_begin_function(writer.get(),
                                   callcost_writer_function(writer.get(), nullptr, nullptr, "f"), nullptr);
    callcost_writer_cost(writer.get(), nullptr, nullptr, 0, nullptr);
    const callcost_code last = callcost_writer_finish(writer.get(), nullptr);
    return {last, callcost_writer_finish(writer.get(), nullptr)};
}

TEST(CApi, says_when_writing_fails_and_fails_from_there_on) {
    EXPECT_EQ(last_steps(refuse), std::pair(CALLCOST_WRITE_FAILED, CALLCOST_WRITE_FAILED));
    EXPECT_EQ(last_steps(run_out_of_memory), std::pair(CALLCOST_OUT_OF_MEMORY, CALLCOST_FAILED));
    const OpenProfile profile = opened(soup);
    callcost_error error;
    EXPECT_EQ(callcost_write_profile(profile.get(), refuse, nullptr, nullptr, &error), CALLCOST_WRITE_FAILED);
    EXPECT_STREQ(error.message, "the write callback failed");
    EXPECT_EQ(callcost_write_profile(profile.get(), run_out_of_memory, nullptr, nullptr, &error),
              CALLCOST_OUT_OF_MEMORY);
}

TEST(CApi, writes_whole_profiles_in_each_dialect) {
    const OpenProfile profile = opened(soup);
    std::string bytes;
    ASSERT_EQ(callcost_write_profile(profile.get(), append, &bytes, nullptr, nullptr), CALLCOST_OK);
    EXPECT_EQ(callcost_arc_cost(opened(bytes).get(), 0, 0), 100);

    callcost_write_options options{};
    for (const callcost_dialect dialect : {CALLCOST_COMPACT, CALLCOST_STRICT}) {
        bytes.clear();
        options.dialect = dialect;
        ASSERT_EQ(callcost_write_profile(profile.get(), append, &bytes, &options, nullptr), CALLCOST_OK);
        EXPECT_EQ(callcost_arc_cost(opened(bytes).get(), 0, 0), 100);
    }
    options.dialect = CALLCOST_CACHEGRIND;
    callcost_error error;
    EXPECT_EQ(callcost_write_profile(profile.get(), append, &bytes, &options, &error), CALLCOST_BAD_ARGUMENT);
    options.without_calls = 1;
    bytes.clear();
    EXPECT_EQ(callcost_write_profile(profile.get(), append, &bytes, &options, &error), CALLCOST_OK);
    EXPECT_EQ(callcost_arc_count(opened(bytes).get()), 0);
    EXPECT_EQ(callcost_total(opened(bytes).get(), 0), 120);
}

TEST(CApi, cuts_long_messages_and_hides_control_characters) {
    const OpenWriter writer(callcost_open_writer(append, nullptr, nullptr, nullptr));
    const std::string name = "a\x1b b" + std::string(1000, 'x');
    const callcost_written_event odd[] = {{name.c_str(), nullptr}};
    callcost_part part = heading;
    part.events = odd;
    part.event_count = 1;
    callcost_error error;
    EXPECT_EQ(callcost_writer_begin_part(writer.get(), &part, &error), CALLCOST_BAD_ARGUMENT);
    EXPECT_THAT(error.message, HasSubstr("a? bxxx"));
    EXPECT_EQ(std::strlen(error.message), sizeof error.message - 1);
}

}  // namespace
}  // namespace callcost::test
