#include "unit/engine/importers/imported.hpp"

namespace {

using callcost::Profile;
using callcost::engine::ImportFormat;
using callcost::test::Imported;
using callcost::test::records_text;

Imported firefox_import(std::string_view json, const char* notes = "") {
    auto imported = callcost::test::import(ImportFormat::firefox, json);
    EXPECT_TRUE(imported.has_value()) << (imported ? "" : imported.error().detail);
    if (!imported) return {};
    EXPECT_EQ(callcost::test::notes_text(imported->notes), notes);
    return std::move(*imported);
}

Profile firefox(std::string_view json, const char* notes = "") {
    return callcost::test::read_without_errors(firefox_import(json, notes).text);
}

std::string in_meta(const std::string& rest, const std::string& more = {}) {
    return R"({"meta":{"interval":1,"preprocessedProfileVersion":48)" + more + "}," + rest + "}";
}

// main, main;chop, main;chop;main
constexpr const char* tables =
    R"("stackTable":{"frame":[0,1,0],"prefix":[null,0,1]},)"
    R"("frameTable":{"func":[0,1],"line":[3,null]},)"
    R"("funcTable":{"name":[0,1],"fileName":[2,null],"lineNumber":[2,9],"resource":[-1,0]},)"
    R"("resourceTable":{"lib":[0]},"stringArray":["main","chop","a.js"])";

std::string thread(const std::string& samples, const std::string& more = tables) {
    return R"({"name":"one","processName":"p","pid":"7","tid":"8","samples":{)" + samples + "}," + more + "}";
}

std::string processed(const std::string& samples) {
    return in_meta(R"("libs":[{"name":"libx.so"}],"threads":[)" + thread(samples) + "]");
}

TEST(ImportFirefox, samples_are_rows_of_a_table_of_stacks) {
    const auto imported = firefox_import(processed(R"("stack":[1,0,1,2],"weight":null)"));
    EXPECT_EQ(imported.notes.kind, "Firefox profile");
    EXPECT_EQ(imported.notes.processes, 1U);
    EXPECT_EQ(imported.notes.threads, 1U);
    EXPECT_EQ(imported.notes.samples, 4U);
    EXPECT_EQ(imported.notes.limits, "");
    const auto profile = callcost::test::read_without_errors(imported.text);
    EXPECT_EQ(records_text(profile),
              "chop:9 -> main'2 1\nchop:9 2\nmain'2:3 1\nmain:3 -> chop 3\nmain:3 1\n");
    ASSERT_EQ(profile.parts().size(), 1U);
    EXPECT_EQ(profile.parts()[0].pid.number, 7U);
    EXPECT_EQ(profile.parts()[0].thread.number, 8U);
    EXPECT_EQ(profile.parts()[0].descriptions, (std::vector<std::string>{"Thread name: p/one"}));
    for (std::size_t row = 0; row < profile.function_count(); ++row) {
        const callcost::FunctionId id(row);
        const bool is_chop = profile.name(id) == "chop";
        EXPECT_EQ(profile.name(profile.file(id)), is_chop ? "???" : "a.js");
        EXPECT_EQ(profile.name(profile.object(id)), is_chop ? "libx.so" : "???");
    }
}

TEST(ImportFirefox, weights_say_what_is_measured) {
    EXPECT_EQ(firefox(processed(R"("weight":[5,7],"stack":[0,0],"weightType":"bytes")")).events()[0].name,
              "bytes");
    const auto times =
        firefox(processed(R"("weightType":"tracing-ms","stack":[0,1],"weight":[0.5,0.000001])"));
    EXPECT_EQ(times.events()[0].name, "Time");
    EXPECT_EQ(times.events()[0].unit, "ns");
    EXPECT_EQ(records_text(times), "chop:9 1\nmain:3 -> chop 1\nmain:3 500000\n");
    EXPECT_EQ(firefox_import(processed(R"("weight":[5,7],"stack":[0,0])")).notes.counted, "stack");
    EXPECT_EQ(firefox_import(processed(R"("weight":[1,1],"stack":[0,0])")).notes.counted, "sample");
    const auto decimals = firefox(processed(R"("stack":[0,0],"weight":[0.5,-2])"));
    EXPECT_EQ(decimals.events()[0].name, "milli_samples");
    EXPECT_EQ(records_text(decimals), "main:3 -1500\n");
}

TEST(ImportFirefox, cpu_time_and_allocations_are_event_types) {
    const auto profile = firefox(in_meta(R"("threads":[{"samples":{"stack":[0,0],"threadCPUDelta":[null,3]},)"
                                         R"("nativeAllocations":{"weight":[64],"stack":[0]},)" +
                                             std::string(tables) + "}]",
                                         ",\"sampleUnits\":{\"threadCPUDelta\":\"\u00b5s\"}"));
    ASSERT_EQ(profile.events().size(), 3U);
    EXPECT_EQ(profile.events()[0].name, "samples");
    EXPECT_EQ(profile.events()[1].name, "cpu");
    EXPECT_EQ(profile.events()[1].unit, "ns");
    EXPECT_EQ(profile.events()[2].name, "nativeAllocations");
    EXPECT_EQ(records_text(profile), "main:3 2 3000 64\n");
}

TEST(ImportFirefox, tables_of_the_file_may_follow_their_users) {
    const std::string json =
        R"({"threads":[{"samples":{"stack":[2]},"tid":1},{"samples":{"stack":[0]},"tid":1}],"shared":{)"
        R"("stackTable":{"prefixOffset":[0,1,1],"frame":[0,1,2]},"frameTable":{"func":[0,1,2],"lib":[-1,-1,0]},)"
        R"("funcTable":{"name":[0,1,2],"source":[null,0,null]},"sources":{"filename":[3]},)"
        R"("stringArray":["main","chop","0x1f","a.js"]},"libs":[{"name":"libx.so"}],"meta":{}})";
    const auto imported = firefox_import(json);
    EXPECT_EQ(imported.notes.limits, "1 frame has only an address, names need the symbols of libx.so");
    const auto profile = callcost::test::read_without_errors(imported.text);
    EXPECT_EQ(records_text(profile), "0x1f:0 1\nchop:0 -> 0x1f 1\nmain:0 -> chop 1\nmain:0 1\n");
    ASSERT_EQ(profile.parts().size(), 2U) << "also if they share a number";
    EXPECT_NE(profile.parts()[0].thread.number, profile.parts()[1].thread.number);
}

std::string gecko(const std::string& strings, const std::string& data, const std::string& more = {}) {
    return R"({"libs":[{"start":4096,"end":8192,"name":"libx.so"}],"meta":{"interval":1,"version":34},"threads":[)"
           R"({"name":"one","pid":7,"tid":8,"samples":{"schema":{"stack":0,"time":1},"data":[[0,1.5],[1]]},)"
           R"("stackTable":{"schema":{"prefix":0,"frame":1},"data":[[null,0],[0,1]]},"frameTable":{)" +
           data + R"(},"stringTable":[)" + strings + "]}]" + more + "}";
}

constexpr const char* two_frames =
    R"("schema":{"location":0,"relevantForJS":1,"line":2},"data":[[0,false,7],[1,true]])";

TEST(ImportFirefox, gecko_has_rows_and_spells_places) {
    const auto profile =
        firefox(gecko(R"-("run (chrome://a/b.js:12:3)[44]","js::Run(int) (in x)")-", two_frames));
    EXPECT_EQ(records_text(profile), "js::Run(int) (in x):0 1\nrun:7 -> js::Run(int) (in x) 1\nrun:7 1\n");
    EXPECT_EQ(profile.name(profile.file(callcost::FunctionId(std::size_t{1}))), "chrome://a/b.js");
}

TEST(ImportFirefox, addresses_are_in_a_library_of_their_process) {
    const auto imported = firefox_import(gecko(R"("0x1000","0x2000")", two_frames));
    EXPECT_EQ(imported.notes.limits, "2 frames have only an address, names need the symbols of libx.so");
    const auto profile = callcost::test::read_without_errors(imported.text);
    for (std::size_t row = 0; row < 2; ++row) {
        const callcost::FunctionId id(row);
        EXPECT_EQ(profile.name(profile.object(id)), profile.name(id) == "0x1000" ? "libx.so" : "???");
    }
}

TEST(ImportFirefox, gecko_has_processes_in_processes) {
    const auto imported = firefox_import(
        gecko(
            R"("a","b")", two_frames,
            R"(,"processes":[{"meta":{},"threads":[{"pid":9,"tid":9,"samples":{"data":[[0]],"schema":{"stack":0}},)"
            R"("stackTable":{"data":[[null,0]]},"frameTable":{"data":[["x"],[0]]},"stringTable":["c"]},"text"]}])"),
        "threads-as-text");
    EXPECT_EQ(imported.notes.processes, 2U);
    EXPECT_EQ(callcost::test::read_without_errors(imported.text).parts().size(), 2U);
}

TEST(ImportFirefox, what_is_without_a_stack_is_omitted) {
    EXPECT_EQ(records_text(firefox(processed(R"("stack":[null,0,-1])"), "without-stack x2")), "main:3 1\n");
}

TEST(ImportFirefox, references_to_nothing_are_unknown) {
    EXPECT_EQ(records_text(firefox(processed(R"("stack":[3,4294967294,99999999999])"),
                                   "without-stack, invalid-reference x2")),
              "(unknown):0 2\n");
    EXPECT_EQ(
        records_text(firefox(in_meta(R"("threads":[{"samples":{"stack":[0,1]},"stackTable":{"frame":[9,0],)"
                                     R"("prefix":[77,0]},"frameTable":{"func":[5]},"stringArray":[]}])"),
                             "invalid-reference")),
        "(anonymous):0 1\n(unknown):0 -> (anonymous) 1\n(unknown):0 1\n");
}

TEST(ImportFirefox, stacks_that_call_themselves_are_cut) {
    EXPECT_EQ(
        records_text(firefox(in_meta(R"("threads":[{"samples":{"stack":[1]},"stackTable":{"frame":[0,1],)"
                                     R"("prefix":[1,0]},"frameTable":{"func":[0,1]},)"
                                     R"("funcTable":{"name":[0,1]},"stringArray":["a","b"]}])"),
                             "cyclic-nodes")),
        "b:0 1\n");
    EXPECT_EQ(
        records_text(firefox(in_meta(R"("threads":[{"samples":{"stack":[1]},"stackTable":{"frame":[0,1],)"
                                     R"("prefixOffset":[5,7]},"frameTable":{"func":[0,1]},)"
                                     R"("funcTable":{"name":[0,1]},"stringArray":["a","b"]}])"))),
        "b:0 1\n");
}

TEST(ImportFirefox, what_is_of_another_type_is_skipped) {
    EXPECT_EQ(
        records_text(firefox(R"({"threads":[7,[],{"samples":[],"stackTable":7,"stringArray":{}},{"samples":)"
                             R"({"stack":["x",{"a":[1]},[2],true,0]},"stackTable":{"frame":[[],{}],)"
                             R"("prefix":"x"},"frameTable":{"schema":[],"data":{}},"stringArray":[1,[2]]}],)"
                             R"("libs":[7,[]],"shared":[],"processes":{}})",
                             "without-stack x4, invalid-reference")),
        "(unknown):0 1\n");
}

TEST(ImportFirefox, what_is_no_profile_is_refused_with_its_place) {
    const auto failure = [](std::string_view json) {
        const auto imported = callcost::test::import(ImportFormat::firefox, json);
        EXPECT_FALSE(imported.has_value());
        return imported ? callcost::Error{} : imported.error();
    };
    EXPECT_NE(failure("{}").detail.find("no \"threads\""), std::string::npos);
    const auto cut = failure("{\"meta\":{},\n\"threads\":[{\"samples\":{\"stack\":[1,");
    EXPECT_EQ(cut.line, 2U);
    EXPECT_EQ(cut.detail.substr(0, 12), "invalid JSON");
    EXPECT_NE(failure("{\"threads\":" + std::string(100'000, '[')).detail.find("nested more than 200"),
              std::string::npos);
}

TEST(ImportFirefox, a_deep_stack_of_many_threads_is_more_than_the_budget) {
    std::string frames = "0", offsets = "0", threads;
    for (int i = 0; i < 20'000; ++i) {
        frames += ",0";
        offsets += ",1";
        if (i % 1000 == 0) threads += R"({"samples":{"stack":[20000]}},)";
    }
    const std::string json = R"({"shared":{"stackTable":{"frame":[)" + frames + R"(],"prefixOffset":[)" +
                             offsets + R"(]},"frameTable":{"func":[0]}},"threads":[)" + threads + "{}]}";
    const auto refused =
        callcost::test::import(ImportFormat::firefox, json, {.budget = {.bytes = 1'000'000, .factor = 64}});
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, callcost::ErrorCode::too_large);
    EXPECT_TRUE(callcost::test::import(ImportFormat::firefox, json).has_value());
}

TEST(ImportFirefox, deep_stacks_take_linear_time) {
    callcost::test::expect_linear_import(ImportFormat::firefox, [](std::size_t depth) {
        std::string frames, prefixes, stacks;
        for (std::size_t i = 0; i < depth; ++i) {
            const char* const comma = i == 0 ? "" : ",";
            frames += comma + std::to_string(i % 2);
            prefixes += comma + (i == 0 ? "null" : std::to_string(i - 1));
            stacks += comma + std::to_string(i);
        }
        return in_meta(R"("threads":[{"samples":{"stack":[)" + stacks + R"(]},"stackTable":{"frame":[)" +
                       frames + R"(],"prefix":[)" + prefixes +
                       R"(]},"frameTable":{"func":[0,1]},)"
                       R"("funcTable":{"name":[0,1]},"stringArray":["a","b"]}])");
    });
}

TEST(ImportFirefox, a_thread_has_its_tables_once) {
    const std::string own_tables = R"("stackTable":{"frame":[0],"prefix":[null]},"frameTable":{"func":[0]},)"
                                   R"("funcTable":{"name":[0]},"stringArray":["a"])";
    const auto imported =
        firefox_import(in_meta(R"("threads":[{},{"samples":{"stack":[0,0]},"samples":{"stack":[0]},)" +
                               own_tables + "},{}]"),
                       "events-dropped");
    EXPECT_EQ(imported.notes.threads, 1U);
    EXPECT_EQ(records_text(callcost::test::read_without_errors(imported.text)), "a:0 2\n");
}

TEST(ImportFirefox, ends_where_its_bytes_do) {
    std::string json = R"({"meta":{"interval":1},"threads":[]})";
    EXPECT_TRUE(callcost::test::import(ImportFormat::firefox, json).has_value());
    json += std::string(1, '\0') + "{";
    EXPECT_FALSE(callcost::test::import(ImportFormat::firefox, json).has_value());
}

}  // namespace
