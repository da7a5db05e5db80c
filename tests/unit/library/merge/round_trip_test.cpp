// Read, write, read: what a dialect can say comes back, and writing again gives the same bytes (W17).
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "unit/library/merge/meaning.hpp"
#include "unit/library/parser/corpus.hpp"
#include "unit/library/parser/profile_dump.hpp"

namespace callcost::test {
namespace {

constexpr FileDialect dialects[] = {FileDialect::portable, FileDialect::compact, FileDialect::strict,
                                    FileDialect::cachegrind};

bool has_negative_costs(const Profile& profile) {
    for (const FunctionId function : all_functions(profile)) {
        RecordCursor cursor = profile.records(function);
        for (Record record; cursor.next(record);)
            for (const std::int64_t cost : record.costs)
                if (cost < 0) return true;
    }
    return false;
}

bool has_odd_event_names(const Profile& profile) {
    for (const EventType& event : profile.events())
        for (const char c : event.name)
            if (!(c >= '0' && c <= '9') && !((c | 0x20) >= 'a' && (c | 0x20) <= 'z')) return true;
    return false;
}

class RoundTrip : public testing::TestWithParam<FileDialect> {};

TEST_P(RoundTrip, gives_every_real_profile_back) {
    const FileDialect dialect = GetParam();
    std::size_t written_profiles = 0;
    for (const std::string& path : real_profiles()) {
        SCOPED_TRACE(path + " as " + std::string(to_string(dialect)));
        const Profile before = read(profile_bytes(path));
        std::string bytes;
        const ProfileWriteOptions options{
            .dialect = dialect, .without_calls = true, .unknown_count_as_one = false};
        const Result<LeftOut> done = write_profile(before, to_memory(bytes), options);
        if (dialect == FileDialect::strict && (has_negative_costs(before) || has_odd_event_names(before))) {
            EXPECT_FALSE(done.has_value());
            continue;
        }
        ASSERT_TRUE(done.has_value()) << done.error().detail;
        ++written_profiles;
        const Profile after = read(bytes);
        EXPECT_EQ(first_difference(written(after, options), bytes), "");
        if (dialect == FileDialect::cachegrind) {
            EXPECT_EQ(line_sums(after), line_sums(before));
            continue;
        }
        if (before.parts().size() > 1 && dialect != FileDialect::compact) {  // added up
            EXPECT_EQ(line_sums(after), line_sums(before));
            ProfileWriteOptions canonical = options;
            canonical.canonical = true;
            EXPECT_EQ(first_difference(written(after, canonical), written(before, canonical)), "");
            continue;
        }
        Said said = said_by(dialect);
        if (done->formulas != 0) said.formulas = false;
        EXPECT_EQ(first_difference(meaning(after, said), meaning(before, said)), "");
    }
    EXPECT_GT(written_profiles, 40U);
}

INSTANTIATE_TEST_SUITE_P(Dialects, RoundTrip, testing::ValuesIn(dialects),
                         [](const auto& dialect) { return std::string(to_string(dialect.param)); });

TEST(WithoutLines, functions_and_calls_of_every_real_profile_stay) {
    for (const std::string& path : real_profiles()) {
        SCOPED_TRACE(path);
        const Profile before = read(profile_bytes(path));
        const ProfileWriteOptions options{.dialect = FileDialect::compact, .without_lines = true};
        const std::string bytes = written(before, options);
        const Profile after = read(bytes);
        EXPECT_EQ(first_difference(written(after, options), bytes), "");
        ASSERT_EQ(after.parts().size(), 1U);
        EXPECT_EQ(after.parts()[0].positions.size(), 1U) << "no addresses";
        std::map<std::string, std::map<std::string, Cost>> self, calls;  // by names, then by event
        for (const int sign : {1, -1}) {
            const Profile& profile = sign > 0 ? before : after;
            const auto name = [&](FunctionId id) {
                return std::string(profile.name(id)) + " " + std::string(profile.name(profile.file(id))) +
                       " " + std::string(profile.name(profile.object(id)));
            };
            for (std::size_t event = 0; event < profile.events().size(); ++event) {
                if (profile.events()[event].aggregation != Aggregation::sum) continue;
                const auto& column = profile.events()[event].name;
                for (const FunctionId function : all_functions(profile))
                    self[name(function)][column] += sign * profile.self(function, EventId(event));
                for (std::size_t arc = 0; arc < profile.arc_count(); ++arc)
                    calls[name(profile.caller(ArcId(arc))) + " > " + name(profile.callee(ArcId(arc)))]
                         [column] += sign * profile.cost(ArcId(arc), EventId(event));
            }
        }
        for (const auto* sums : {&self, &calls})
            for (const auto& [what, costs] : *sums)
                for (const auto& [event, cost] : costs) EXPECT_EQ(cost, 0) << what << " " << event;
        for (const FunctionId function : all_functions(after)) {
            RecordCursor cursor = after.records(function);
            for (Record record; cursor.next(record);) {
                EXPECT_EQ(record.line, 0U);
                EXPECT_EQ(record.address, 0U);
                EXPECT_NE(record.kind, Record::Kind::jump);
            }
        }
    }
}

TEST(WithoutLines, direct_recursion_stays) {
    const Profile before = read("events: Ir\nfn=f\n1 5\ncfn=f\ncalls=2 1\n3 4\ncfn=f\ncalls=1 1\n9 3\n");
    const std::string text = written(before, {.dialect = FileDialect::compact, .without_lines = true});
    EXPECT_NE(text.find("calls=3 0\n0 7\n"), std::string::npos) << text;
}

TEST(RoundTripOf, parts_of_several_programs_keep_who_made_them) {
    const Profile before = read(
        "creator: xdebug 2.2\ncmd: a\nevents: Time\nfn=f\n1 5\n\n"
        "creator: yappi\ncmd: a\nevents: Time\nfn=g\n1 7\n");
    const ProfileWriteOptions compact{.dialect = FileDialect::compact};
    const Profile after = read(written(before, compact));
    ASSERT_EQ(after.parts().size(), 2U);
    EXPECT_TRUE(after.parts()[0].creator.ends_with(" from xdebug 2.2"));
    EXPECT_TRUE(after.parts()[1].creator.ends_with(" from yappi"));
    EXPECT_EQ(written(after, compact), written(before, compact));
}

TEST(RoundTripOf, a_part_without_events_keeps_the_part) {
    const Profile before = read("events: Ir\nfn=f\n1 5\n\ncreator: other\ncmd: x\nfn=g\n");
    ASSERT_EQ(before.parts().size(), 2U);
    const ProfileWriteOptions compact{.dialect = FileDialect::compact};
    const Profile after = read(written(before, compact));
    EXPECT_EQ(after.parts().size(), 2U);
    EXPECT_EQ(written(after, compact), written(before, compact));
    EXPECT_EQ(after.total(EventId(0U)), 5);
}

TEST(RoundTripOf, a_command_with_a_byte_0_is_written_alike_again) {
    const Profile before = read(std::string_view("cmd: a\0b \\c\nevents: Ir\nfn=f\n1 5\n", 32));
    const std::string once = written(before);
    EXPECT_NE(once.find("cmd: a\\\\0b \\\\c\n"), std::string::npos) << once;
    EXPECT_EQ(written(read(once)), once);
}

TEST(RoundTripOf, a_part_without_a_process_does_not_inherit_one) {
    const Profile before = read(
        "creator: a\npid: 7\npart: 1\nevents: Ir\nfn=f\n1 5\n\ncreator: a\npart: 2\nevents: Ir\nfn=f\n1 6\n");
    ASSERT_EQ(before.parts().size(), 2U);
    const ProfileWriteOptions compact{.dialect = FileDialect::compact};
    const Profile after = read(written(before, compact));
    ASSERT_EQ(after.parts().size(), 2U);
    EXPECT_EQ(after.parts()[1].pid.number.has_value(), before.parts()[1].pid.number.has_value());
    EXPECT_EQ(written(after, compact), written(before, compact));
}

TEST(RoundTripOf, a_name_that_looks_like_a_number_is_readable_where_names_have_none) {
    const Profile before = read("events: Ir\nfn=(1) (31)\n1 5\n");
    const Profile after = read(written(before, {.dialect = FileDialect::cachegrind}));
    EXPECT_TRUE(diagnostics_of(after).empty());
    EXPECT_EQ(after.name(FunctionId(0U)), "( 31)");
}

TEST(PortableFiles, have_calls_of_known_number_and_the_sum_as_summary) {
    // W5, W11: callgrind_annotate takes the cost of calls=0 for self cost, and the summary for 100 %.
    const Profile profile = read(
        "events: Ir\nsummary: 90\nfn=a\n1 1\ncfn=b\ncalls=0 1\n1 5\ncfn=b\ncalls=3 1\n2 5\nfn=b\n1 10\n");
    std::string bytes;
    const auto left_out = write_profile(profile, to_memory(bytes));
    ASSERT_TRUE(left_out.has_value());
    EXPECT_EQ(left_out->unknown_counts, 1U);
    EXPECT_EQ(left_out->summaries, 1U);
    EXPECT_NE(bytes.find("\nsummary: 11\n"), std::string::npos) << bytes;
    EXPECT_NE(bytes.find("\ndesc: Option: unknown numbers of calls are written as 1\n"), std::string::npos);
    EXPECT_EQ(read(bytes).count(ArcId(0U)), (CallCount{4, false}));
    EXPECT_EQ(written(read(bytes)), bytes);
}

TEST(PortableFiles, keep_unknown_numbers_of_calls_on_request_and_say_nothing_without_any) {
    const Profile profile = read("events: Ir\nfn=a\n1 1\ncfn=b\ncalls=0 1\n1 5\nfn=b\n1 5\n");
    EXPECT_NE(written(profile, {.unknown_count_as_one = false}).find("\ncalls=0 1\n"), std::string::npos);
    for (const FileDialect dialect : {FileDialect::compact, FileDialect::strict}) {
        EXPECT_NE(written(profile, {.dialect = dialect}).find("\ncalls=0 1\n"), std::string::npos);
        EXPECT_NE(written(profile, {.dialect = dialect, .unknown_count_as_one = true}).find("\ncalls=1 1\n"),
                  std::string::npos);
    }
    // A call without a `calls=` line of its own, which is kept, has no number either.
    const Profile dangling = read("events: Ir\nfn=a\n1 1\ncfn=b\ncal$s=3 1\n1 5\nfn=b\n1 5\n");
    ASSERT_EQ(dangling.arc_count(), 1U);
    EXPECT_EQ(written(dangling).find("\ncalls=0"), std::string::npos) << written(dangling);
    const Profile counted = read("events: Ir\nfn=a\n1 1\ncfn=b\ncalls=2 1\n1 5\nfn=b\n1 5\n");
    EXPECT_EQ(written(counted, {.unknown_count_as_one = true}).find("desc:"), std::string::npos);
}

TEST(PortableFiles, of_several_parts_have_calls_of_known_number) {
    const Profile profile = read(
        "part: 1\nevents: Ir\nfn=a\n1 1\ncfn=b\ncalls=0 1\n1 5\nfn=b\n1 5\n\npart: 2\nevents: Ir\nfn=a\n1 "
        "1\n");
    ASSERT_EQ(profile.parts().size(), 2U);
    EXPECT_NE(written(profile).find("\ncalls=1 1\n"), std::string::npos);
}

TEST(OtherDialects, keep_the_summary_of_a_run) {
    const Profile profile = read("events: Ir\nsummary: 90\nfn=a\n1 1\n");
    EXPECT_NE(written(profile, {.dialect = FileDialect::compact}).find("\nsummary: 90\n"), std::string::npos);
}

TEST(LeftOutOf, a_sum_has_the_addresses_that_it_was_made_without) {
    const Profile profile =
        read("positions: instr line\nevents: Ir\nfn=f\n0x10 1 5\n0x14 1 5\n0x18 2 1\n0 3 1\n");
    for (const bool is_summed : {false, true}) {
        std::string bytes;
        const auto left_out = write_profile(profile, to_memory(bytes), {.canonical = is_summed});
        ASSERT_TRUE(left_out.has_value());
        EXPECT_EQ(left_out->addresses, 3U);
    }
}

TEST(Canonical, form_of_equal_meanings_is_equal) {
    const auto canonical = [](const std::string& path) {
        return written(read(profile_bytes(path)), canonical_form);
    };
    EXPECT_EQ(
        first_difference(canonical("callgrind/pos-compressed.out"), canonical("callgrind/pos-plain.out")),
        "");
}

TEST(Canonical, form_is_its_own_canonical_form) {
    for (const std::string& path : real_profiles()) {
        SCOPED_TRACE(path);
        const std::string once = written(read(profile_bytes(path)), canonical_form);
        EXPECT_EQ(first_difference(written(read(once), canonical_form), once), "");
    }
}

TEST(Merger, gives_the_same_however_files_are_grouped) {
    const auto sum = [](const Profile& one, const Profile& other) {
        ProfileMerger merger;
        EXPECT_TRUE(merger.add(one));
        EXPECT_TRUE(merger.add(other));
        return written(*std::move(merger).finish(), {.dialect = FileDialect::compact});
    };
    const Profile a = read(profile_bytes("callgrind/paths.out"));
    const Profile b = read(profile_bytes("callgrind/paths-callers3.out"));
    const Profile c = read(profile_bytes("callgrind/toggle-collect.out"));
    const std::string grouped = sum(read(sum(a, b)), c);
    EXPECT_EQ(first_difference(grouped, sum(a, read(sum(c, b)))), "");
    EXPECT_NE(grouped.find(" from callgrind-3.19.0\n"), std::string::npos);
}

}  // namespace
}  // namespace callcost::test
