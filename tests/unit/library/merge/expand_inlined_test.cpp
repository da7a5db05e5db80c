// Inlined code as functions.
#include <map>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "callcost/call_graph.hpp"
#include "callcost/writer.hpp"
#include "unit/library/merge/inline_maps.hpp"
#include "unit/library/merge/meaning.hpp"
#include "unit/library/parser/corpus.hpp"
#include "unit/library/parser/profile_dump.hpp"

namespace callcost::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string costs_of(const Profile& profile, auto id, auto of) {
    std::string text;
    for (std::size_t event = 0; event < profile.events().size(); ++event)
        text += ' ' + std::to_string(of(id, EventId(event)));
    return text;
}

/// "hot in mid in main".
std::string chain_of(const Profile& profile, FunctionId function) {
    std::string text(profile.name(function));
    for (function = profile.inlined_in(function); function.valid(); function = profile.inlined_in(function))
        text.append(" in ").append(profile.name(function));
    return text;
}

/// "f 10", "f > g x0+ 5", sorted.
Lines inlined_graph(const Profile& profile) {
    Lines lines;
    for (const FunctionId f : all_functions(profile))
        lines.push_back(chain_of(profile, f) + costs_of(profile, f, [&](FunctionId id, EventId event) {
                            return profile.self(id, event);
                        }));
    for (std::size_t i = 0; i < profile.arc_count(); ++i) {
        const ArcId arc(i);
        lines.push_back(
            chain_of(profile, profile.caller(arc)) + " > " + chain_of(profile, profile.callee(arc)) + " x" +
            count_text(profile.count(arc)) +
            costs_of(profile, arc, [&](ArcId id, EventId event) { return profile.cost(id, event); }));
    }
    std::sort(lines.begin(), lines.end());
    return lines;
}

FunctionId find(const Profile& profile, std::string_view chain) {
    for (const FunctionId function : all_functions(profile))
        if (chain_of(profile, function) == chain) return function;
    throw std::runtime_error("no function " + std::string(chain));
}

/// main has mid at line 2, which has hot at line 7, which calls work.
const char calls_in_inlined[] =
    "creator: callgrind-3.19.0\npositions: instr line\nevents: Ir Dr\n"
    "ob=prog\nfl=main.c\nfn=main\n0x10 1 5 1\n"
    "fi=vec.h\n0x14 7 3\n0x18 9 4 2\ncfi=main.c\ncfn=work\ncalls=2 0x50\n0x1c 9 20 4\n0x1c 9 6\n"
    "jcnd=1/6 0x18 9\n0x1c 9\nfe=main.c\n0x20 3 1\n"
    "fn=work\n0x50 20 18 4\n0x54 21 2\n";
const char map_of_them[] =
    "object\tprog\nfile\tmain.c\nfile\tvec.h\nfunction\tmid\tvec.h\t5\nfunction\thot\tvec.h\t8\n"
    "site\t-1\t0\t0\t2\t14\nsite\t0\t1\t1\t7\t18\nrun\t14\t0\nrun\t18\t1\nrun\t20\t-1\n";

TEST(Expanding, moves_costs_and_calls_to_the_innermost_function) {
    const Profile whole = read(calls_in_inlined);
    const Profile profile = expanded(whole, {inline_map(map_of_them)});
    EXPECT_THAT(inlined_graph(profile),
                ElementsAre("hot in mid in main 10 2", "hot in mid in main > work x2 20 4", "main 6 1",
                            "main > mid in main x>=0 33 6", "mid in main 3 0",
                            "mid in main > hot in mid in main x>=0 30 6", "work 20 4"));
    EXPECT_TRUE(profile.has_inlined());
    EXPECT_FALSE(whole.has_inlined());
    EXPECT_EQ(profile.total(EventId(0U)), 39);
}

TEST(Expanding, says_where_code_is_inlined) {
    const Profile profile = expanded(read(calls_in_inlined), {inline_map(map_of_them)});
    const FunctionId main = find(profile, "main"), hot = find(profile, "hot in mid in main");
    EXPECT_EQ(profile.host(hot), main);
    EXPECT_EQ(profile.host(main), main);
    EXPECT_FALSE(profile.inlined_in(main).valid());
    EXPECT_EQ(profile.name(profile.object(hot)), "prog");
    EXPECT_EQ(profile.name(profile.file(hot)), "vec.h");
    const InlinedPlace place = profile.inlined_place(hot);
    EXPECT_EQ(profile.name(place.file), "vec.h");
    EXPECT_EQ(place.line, 7U);
    EXPECT_EQ(place.entry, 0x18U);
    EXPECT_EQ(place.entries, 4U);
    EXPECT_EQ(profile.inlined_place(find(profile, "mid in main")).entries, 3U);
    EXPECT_FALSE(profile.inlined_place(main).entries);
}

TEST(Expanding, leaves_jumps_and_places_as_they_are) {
    const Profile profile = expanded(read(calls_in_inlined), {inline_map(map_of_them)});
    RecordCursor cursor = profile.records(find(profile, "main"));
    Lines lines;
    for (Record record; cursor.next(record);)
        lines.push_back(std::string(profile.name(record.file)) + ' ' + std::to_string(record.line) + '@' +
                        std::to_string(record.address) + ' ' +
                        (record.kind == Record::Kind::jump ? std::to_string(record.executed) + " to " +
                                                                 std::to_string(record.target_address)
                                                           : std::to_string(record.costs[0])));
    EXPECT_THAT(lines, ElementsAre("main.c 1@16 5", "vec.h 9@28 6 to 24", "main.c 3@32 1", "main.c 2@20 33"));
}

/// Copies share them.
const Part* parts_of(const Profile& profile) { return profile.parts().data(); }

/// As of a stripped library, whose debug file was found later.
TEST(Expanding, gives_records_the_line_that_they_lack) {
    const Profile whole = read(
        "creator: callgrind-3.19.0\npositions: instr line\nevents: Ir\nob=prog\nfl=???\nfn=f\n"
        "0x10 0 1\n0x14 0 2\ncfn=g\ncalls=1 0x30 0\n0x18 0 4\njump=3 0x14 0\n0x18 0\n"
        "fi=a.c\n0x1c 7 1\nfe=???\n0x20 0 1\nfn=g\n0x30 0 4\n");
    InlineMap map;
    map.object = "prog";
    map.files = {"a.c", "b.h"};
    map.lines = {{0x14, 0, 5}, {0x18, 1, 9}, {0x20, InlineSite::none, 0}, {0x30, 0, 3}};
    const auto places = [](const Profile& profile) {
        Lines lines;
        for (const FunctionId function : all_functions(profile)) {
            RecordCursor cursor = profile.records(function);
            for (Record record; cursor.next(record);)
                lines.push_back(std::string(profile.name(record.file)) + ':' + std::to_string(record.line) +
                                (record.kind == Record::Kind::jump
                                     ? " to " + std::string(profile.name(record.target_file)) + ':' +
                                           std::to_string(record.target_line)
                                     : ' ' + std::to_string(record.costs[0])));
        }
        return lines;
    };
    const Profile profile = expanded(whole, {map});
    EXPECT_THAT(places(profile), ElementsAre("???:0 1", "a.c:5 2", "b.h:9 4", "b.h:9 to a.c:5", "a.c:7 1",
                                             "???:0 1", "a.c:3 4"));
    EXPECT_FALSE(profile.has_inlined());
    EXPECT_EQ(inlined_graph(profile), inlined_graph(whole));
    EXPECT_FALSE(expand_inlined(whole, std::vector{map}, Detail::functions)->has_inlined());
    map.functions = {{"h", "b.h", 8}};
    map.sites = {{InlineSite::none, 0, 0, 5, 0x18}};
    map.runs = {{0x18, 0}, {0x20, InlineSite::none}};
    EXPECT_THAT(places(expanded(whole, {map})), ElementsAre("???:0 1", "a.c:5 2", "b.h:9 to a.c:5", "???:0 1",
                                                            "a.c:5 5", "a.c:3 4", "b.h:9 4", "a.c:7 1"));
    map.lines[2].address = 0x18;
    EXPECT_FALSE(expand_inlined(whole, std::vector{map}).has_value());
    map.lines = {{0x14, 2, 5}};
    EXPECT_FALSE(expand_inlined(whole, std::vector{map}).has_value());
}

TEST(Expanding, is_the_same_profile_where_nothing_is_inlined) {
    const Profile profile = read(calls_in_inlined);
    InlineMap map = inline_map(map_of_them);
    map.object = "other";
    EXPECT_EQ(parts_of(expanded(profile, {map})), parts_of(profile));
    EXPECT_EQ(parts_of(expanded(profile, {})), parts_of(profile));
    const Profile lines = read("events: Ir\nob=prog\nfn=f\n16 1\n20 5\n");
    EXPECT_EQ(parts_of(expanded(lines, {inline_map(map_of_them)})), parts_of(lines));
    const Profile once = expanded(profile, {inline_map(map_of_them)});
    EXPECT_EQ(parts_of(expanded(once, {inline_map(map_of_them)})), parts_of(once));
}

TEST(Expanding, objects_without_a_map_stay) {
    const Profile profile = expanded(read("positions: instr line\nevents: Ir\nob=???\nfn=0x14\n0x14 0 7\n"
                                          "ob=prog\nfn=f\n0x14 1 2\nob=lib\nfn=k\n0x14 1 3\n"),
                                     {inline_map(map_of_them)});
    EXPECT_THAT(inlined_graph(profile),
                ElementsAre("0x14 7", "f 0", "f > mid in f x>=0 2", "k 3", "mid in f 2"));
}

TEST(Expanding, adds_up_records_of_one_address) {
    const Profile profile =
        expanded(read("positions: instr line\nevents: Ir\nob=prog\nfn=f\n0x18 1 2\n0x18 9 3\n0x18 1 4\n"),
                 {inline_map(map_of_them)});
    EXPECT_THAT(inlined_graph(profile), ElementsAre("f 0", "f > mid in f x>=0 9", "hot in mid in f 9",
                                                    "mid in f 0", "mid in f > hot in mid in f x>=0 9"));
    EXPECT_EQ(profile.inlined_place(find(profile, "hot in mid in f")).entries, 9U);
    EXPECT_EQ(profile.inlined_place(find(profile, "mid in f")).entries, 0U);
}

TEST(Expanding, has_an_instance_for_every_function_around_it) {
    const Profile profile =
        expanded(read("creator: callgrind-3.19.0\npositions: instr line\nevents: Ir\nob=prog\n"
                      "fn=f\n0x14 1 2\ncfn=f'2\ncalls=1 0x14\n0x18 2 9\nfn=f'2\n0x14 1 3\n0x18 2 6\n"
                      "cfn=f'2\ncalls=2 0x14\n0x18 2 4\n"),
                 {inline_map(map_of_them)});
    EXPECT_THAT(inlined_graph(profile),
                testing::IsSupersetOf({"hot in mid in f > f'2 x1 9", "hot in mid in f'2 > f'2 x2 4",
                                       "mid in f'2 3", "mid in f 2"}));
}

TEST(Expanding, finds_the_copy_that_is_not_inlined) {
    const std::string text =
        "creator: callgrind-3.19.0\npositions: instr line\nevents: Ir\nob=prog\nfl=main.c\nfn=main\n0x14 1 "
        "1\n";
    const auto file_of_mid = [&](const std::string& copies) {
        const Profile profile = expanded(read(text + copies), {inline_map(map_of_them)});
        return std::string(profile.name(profile.file(find(profile, "mid in main"))));
    };
    EXPECT_EQ(file_of_mid(""), "vec.h");
    EXPECT_EQ(file_of_mid("fl=/usr/vec.h\nfn=mid\n0x90 1 1\n"), "/usr/vec.h");
    EXPECT_EQ(file_of_mid("fl=/usr/vec.h\nfn=mid'main\n0x90 1 1\n"), "/usr/vec.h");
    EXPECT_EQ(file_of_mid("fl=other.c\nfn=mid\n0x90 1 1\n"), "vec.h");
    EXPECT_EQ(file_of_mid("fl=/usr/vec.h\nfn=mid\n0x90 1 1\nfl=vec.h\nfn=mid\n0x94 1 1\n"), "vec.h");
    EXPECT_EQ(file_of_mid("ob=lib\nfl=/usr/vec.h\nfn=mid\n0x90 1 1\n"), "vec.h");
}

TEST(Expanding, keeps_parts_apart) {
    const std::string head = "creator: callgrind-3.19.0\n";
    const std::string body = "positions: instr line\nevents: Ir\nob=prog\nfl=a.c\nfn=f\n0x10 1 1\n";
    const Profile whole = read(head + "thread: 1\npart: 1\n" + body + "0x14 2 10\n\nthread: 2\npart: 1\n" +
                               body + "0x18 2 100\n\nthread: 1\npart: 2\n" + body);
    const Profile profile = expanded(whole, {inline_map(map_of_them)});
    ASSERT_EQ(profile.parts().size(), 3U);
    const auto self = [&](std::uint64_t thread, std::string_view chain) {
        const auto graph = call_graph(profile, {.threads = {thread}, .contexts = Contexts::keep}).value();
        const NodeId node = graph.node_of(find(profile, chain));
        return node.valid() ? graph.self(node, default_measure(graph)) : Cost(-1);
    };
    EXPECT_EQ(self(1, "mid in f"), 10);
    EXPECT_EQ(self(2, "mid in f"), 0);
    EXPECT_EQ(self(2, "hot in mid in f"), 100);
    EXPECT_EQ(self(1, "hot in mid in f"), -1);
    EXPECT_EQ(self(1, "f"), 2);
    for (std::size_t part = 0; part < 3; ++part) {
        EXPECT_EQ(part_dump(profile, profile.parts()[part]), part_dump(whole, whole.parts()[part]));
        EXPECT_NE(profile.parts()[part].events.data(), whole.parts()[part].events.data());
    }
}

TEST(Expanding, refuses_what_contradicts_itself) {
    const Profile profile = read(calls_in_inlined);
    const auto error = [&](const std::string& text) {
        const InlineMap map = inline_map(text);
        const auto result = expand_inlined(profile, std::span(&map, 1));
        return result ? "" : result.error().detail;
    };
    const std::string head = "object\tprog\nfunction\tg\t\t0\n";
    EXPECT_EQ(error(head + "site\t-1\t0\t-1\t0\t0\nrun\t10\t0\n"), "");
    EXPECT_THAT(error(head + "site\t0\t0\t-1\t0\t0\n"), HasSubstr("prog: a site is before its parent"));
    EXPECT_THAT(error(head + "site\t-1\t1\t-1\t0\t0\n"), HasSubstr("no function"));
    EXPECT_THAT(error(head + "site\t-1\t0\t0\t0\t0\n"), HasSubstr("no file"));
    EXPECT_THAT(error(head + "run\t10\t0\n"), HasSubstr("no site"));
    EXPECT_THAT(error(head + "run\t10\t-1\nrun\t10\t-1\n"), HasSubstr("not in order"));
    const Profile lists = read(calls_in_inlined, {.detail = Detail::functions});
    EXPECT_EQ(expand_inlined(lists, {}).error().code, ErrorCode::needs_detail);
}

TEST(Expanding, is_written_with_a_row_for_each_function) {
    const Profile profile =
        expanded(read("creator: callgrind-3.19.0\npositions: instr line\nevents: Ir\nob=prog\nfl=vec.h\n"
                      "fn=main\n0x14 2 10\ncfn=h\ncalls=1 1\n0x10 2 60\nfn=h\n0x14 4 20\n"
                      "cfn=mid\ncalls=3 1\n0x10 3 33\n0x10 3 7\nfn=mid\n0x80 5 33\n"),
                 {inline_map(map_of_them)});
    for (const bool canonical : {false, true}) {
        std::string bytes;
        ASSERT_TRUE(write_profile(profile, to_memory(bytes),
                                  {.dialect = FileDialect::compact, .canonical = canonical}));
        EXPECT_THAT(bytes, HasSubstr("\ndesc: Option: inlined code is in the functions that it is from\n"));
        EXPECT_THAT(inlined_graph(read(bytes)),
                    ElementsAre("h 7", "h > mid x>=3 53", "main 0", "main > h x1 60", "main > mid x>=0 10",
                                "mid 63"));
    }
    std::string portable;
    ASSERT_TRUE(write_profile(profile, to_memory(portable), {.dialect = FileDialect::portable}));
    EXPECT_THAT(portable, testing::Not(HasSubstr("calls=0")));
    std::string plain;
    ASSERT_TRUE(write_profile(read(calls_in_inlined), to_memory(plain), {.dialect = FileDialect::compact}));
    EXPECT_THAT(plain, testing::Not(HasSubstr("inlined")));
}

/// Functions, arcs, files and records as they were when nothing was inlined.
Lines without_inlining(const Profile& profile) {
    std::map<std::string, std::vector<Cost>> sums;
    std::map<std::string, CallCount> counts;
    Lines lines;
    const auto add = [&](const std::string& key, EventId event, Cost cost) {
        auto& row = sums[key];
        row.resize(profile.events().size());
        row[event.value] += cost;
    };
    const auto name = [&](FunctionId f) { return function_text(profile, profile.host(f)); };
    for (std::size_t e = 0; e < profile.events().size(); ++e) {
        const EventId event(e);
        for (const FunctionId f : all_functions(profile)) add(name(f), event, profile.self(f, event));
        for (std::size_t row = 0; row < profile.arc_count(); ++row) {
            const ArcId arc(row);
            if (profile.inlined_in(profile.callee(arc)).valid()) continue;
            const std::string key = name(profile.caller(arc)) + " > " + name(profile.callee(arc));
            add(key, event, profile.cost(arc, event));
            if (e == 0) counts[key].add(profile.count(arc));
        }
    }
    for (const auto& [key, row] : sums)
        lines.push_back(key + ' ' + (counts.contains(key) ? count_text(counts.at(key)) : "") +
                        numbers_text(std::span<const Cost>(row)));
    for (const FunctionId f : all_functions(profile)) {
        RecordCursor cursor = profile.records(f);
        for (Record record; cursor.next(record);) {
            if (record.kind == Record::Kind::call && profile.inlined_in(profile.callee(record.arc)).valid())
                continue;
            std::string line = name(f) + " part " + std::to_string(cursor.part().value) + ' ';
            line += record_text(profile, record);
            lines.push_back(line);
        }
    }
    std::sort(lines.begin(), lines.end());
    return lines;
}

/// What the innermost function costs and calls is what leads to it.
void expect_conserved(const Profile& profile) {
    for (std::size_t e = 0; e < profile.events().size(); ++e) {
        const EventId event(e);
        std::vector<Cost> own, in;
        for (const FunctionId f : all_functions(profile)) own.push_back(profile.self(f, event));
        in.resize(own.size());
        for (std::size_t row = 0; row < profile.arc_count(); ++row) {
            own[profile.caller(ArcId(row)).value] += profile.cost(ArcId(row), event);
            in[profile.callee(ArcId(row)).value] += profile.cost(ArcId(row), event);
        }
        for (const FunctionId f : all_functions(profile))
            if (profile.inlined_in(f).valid()) {
                ASSERT_LT(profile.inlined_in(f), f);
                ASSERT_EQ(own[f.value], in[f.value]) << chain_of(profile, f);
            }
    }
}

void expect_same_without_records(const Profile& whole, const std::vector<InlineMap>& maps,
                                 const Profile& profile) {
    const Result<Profile> made = expand_inlined(whole, maps, Detail::functions);
    ASSERT_TRUE(made) << made.error().detail;
    EXPECT_EQ(made->detail(), profile.has_inlined() ? Detail::functions : Detail::full);
    ASSERT_EQ(inlined_graph(*made), inlined_graph(profile));
    for (const FunctionId f : all_functions(profile)) {
        EXPECT_EQ(made->has_records(f), profile.has_records(f));
        EXPECT_EQ(made->inlined_place(f).entries, profile.inlined_place(f).entries);
        EXPECT_EQ(made->name(made->file(f)), profile.name(profile.file(f)));
    }
}

void expect_same_but_inlined(const Profile& whole, const Profile& profile) {
    ASSERT_EQ(without_inlining(profile), without_inlining(whole));
    for (std::size_t event = 0; event < whole.events().size(); ++event)
        ASSERT_EQ(profile.total(EventId(event)), whole.total(EventId(event)));
    expect_conserved(profile);
}

TEST(Expanding, keeps_every_record_of_small_profiles) {
    std::mt19937_64 random(43);
    std::size_t any = 0;
    for (int i = 0; i < (is_sanitized ? 200 : 1000); ++i) {
        const std::string text = random_profile(random);
        SCOPED_TRACE(text);
        const Profile whole = read(text);
        const auto maps = random_maps(whole, random);
        const Profile profile = expanded(whole, maps);
        if (profile.has_inlined()) ++any;
        expect_same_but_inlined(whole, profile);
        expect_same_without_records(whole, maps, profile);
        if (HasFatalFailure()) return;
    }
    EXPECT_GT(any, 20U);
}

TEST(Expanding, keeps_every_record_of_real_profiles) {
    std::mt19937_64 random(44);
    std::size_t any = 0;
    for (const std::string& path : real_profiles()) {
        SCOPED_TRACE(path);
        const std::string bytes = profile_bytes(path);
        if (bytes.size() > 300'000 || bytes.find("instr") == std::string::npos) continue;
        const Profile whole = read(bytes);
        const Profile profile = expanded(whole, random_maps(whole, random));
        if (!profile.has_inlined()) continue;
        ++any;
        expect_same_but_inlined(whole, profile);
        if (HasFatalFailure()) return;
    }
    EXPECT_GT(any, 5U);
}

TEST(Expanding, finds_the_two_places_of_a_real_program) {
    const Profile profile =
        expanded(read(inlining_bytes("tree.out")), {inline_map(inlining_bytes("tree.map"))});
    const std::string each = "each in ";
    EXPECT_THAT(inlined_graph(profile), testing::IsSupersetOf({
                                            each + "a(unsigned int) > work(unsigned int) x50 1050",
                                            each + "b(unsigned int) > work(unsigned int) x50 140350",
                                        }));
}

}  // namespace
}  // namespace callcost::test
