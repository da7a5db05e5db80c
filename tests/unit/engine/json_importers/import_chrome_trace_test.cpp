#include "unit/engine/importers/imported.hpp"
#include <callcost/callcost.hpp>

namespace {

using callcost::Profile;
using callcost::engine::ImportFormat;
using callcost::test::Imported;
using callcost::test::records_text;

Imported trace_import(std::string_view json, const char* notes = "") {
    auto imported = callcost::test::import(ImportFormat::chrome_trace, json);
    EXPECT_TRUE(imported.has_value()) << (imported ? "" : imported.error().detail);
    if (!imported) return {};
    EXPECT_EQ(callcost::test::notes_text(imported->notes), notes);
    return std::move(*imported);
}

Profile trace(std::string_view json, const char* notes = "") {
    return callcost::test::read_without_errors(trace_import(json, notes).text);
}

/// Of an event of thread 1, without the rest.
std::string trace_event(const std::string& phase, const std::string& name, const std::string& time,
                        const std::string& more = {}) {
    return R"({"pid":1,"tid":1,"ph":")" + phase + R"(","name":")" + name + R"(","ts":)" + time + more + "}";
}

std::string whole(const std::string& name, const std::string& time, const std::string& length) {
    return trace_event("X", name, time, R"(,"dur":)" + length);
}

std::string list(std::initializer_list<std::string> events) {
    std::string text = "[";
    for (const std::string& one : events) text += (text.size() == 1 ? "" : ",\n") + one;
    return text + "]";
}

/// The thread of the events follows.
std::string chunk(const std::string& name, const std::string& id, const std::string& data, int thread = 1) {
    return R"({"args":{"data":{)" + data + R"(}},"name":")" + name + R"(","ph":"P","id":)" + id +
           R"(,"pid":1,"tid":)" + std::to_string(thread) + "}";
}

constexpr const char* two_nodes =
    R"("cpuProfile":{"nodes":[{"id":1,"callFrame":{"functionName":"main","url":"a.js","lineNumber":4}},)"
    R"({"id":2,"parent":1,"callFrame":{"functionName":"fib","url":"a.js","lineNumber":0}}],"samples":[1,2]})";

std::string trace_failure(std::string_view json) {
    const auto imported = callcost::test::import(ImportFormat::chrome_trace, json);
    EXPECT_FALSE(imported.has_value());
    return imported ? "" : imported.error().detail;
}

TEST(ImportChromeTrace, spans_have_begin_and_length_or_begin_and_end) {
    const auto both = trace(list({whole("main", "1", "10"), whole("chop", "2.5", "1.5")}));
    EXPECT_EQ(both.events()[0].name, "Duration");
    EXPECT_EQ(both.events()[0].unit, "ns");
    EXPECT_EQ(records_text(both), "chop:0 1500\nmain:0 -> chop 1500\nmain:0 8500\n");
    EXPECT_EQ(records_text(trace(list({trace_event("B", "main", "1"), trace_event("B", "chop", "2.5"),
                                       trace_event("E", "chop", "4"), trace_event("E", "main", "11")}))),
              records_text(both));
    EXPECT_EQ(records_text(trace(list(
                  {trace_event("B", "main", "1"), whole("chop", "2.5", "1.5"), trace_event("E", "", "11")}))),
              records_text(both));
    EXPECT_EQ(records_text(trace(R"({"otherData":{},"traceEvents":)" +
                                 list({whole("main", "1", "10"), whole("chop", "2.5", "1.5")}) +
                                 R"(,"metadata":{"traceEvents":[7]}})")),
              records_text(both));
}

TEST(ImportChromeTrace, events_may_come_in_any_order) {
    const std::string expected = "chop:0 1500\nmain:0 -> chop 1500\nmain:0 8500\n";
    EXPECT_EQ(records_text(trace(list({whole("chop", "2.5", "1.5"), whole("main", "1", "10")}))), expected);
    EXPECT_EQ(records_text(trace(list({trace_event("E", "main", "11"), trace_event("B", "chop", "2.5"),
                                       trace_event("E", "chop", "4"), trace_event("B", "main", "1")}))),
              expected);
    EXPECT_EQ(records_text(trace(list({whole("chop", "1", "1.5"), whole("main", "1", "10")}))), expected)
        << "the longer one is around the other";
}

TEST(ImportChromeTrace, calls_are_counted) {
    const auto profile =
        trace(list({whole("main", "0", "9"), whole("fib", "1", "2"), whole("fib", "5", "0")}));
    ASSERT_EQ(profile.arc_count(), 1U);
    EXPECT_EQ(profile.count(callcost::ArcId(std::size_t{0})).known, 2U);
}

TEST(ImportChromeTrace, what_sticks_out_is_cut) {
    EXPECT_EQ(records_text(trace(list({whole("main", "0", "10"), whole("chop", "6", "8")}), "cut-at-parent")),
              "chop:0 4000\nmain:0 -> chop 4000\nmain:0 6000\n");
}

TEST(ImportChromeTrace, begins_and_ends_that_do_not_match_are_noted) {
    EXPECT_EQ(records_text(trace(list({trace_event("E", "main", "0"), trace_event("B", "main", "1"),
                                       trace_event("B", "chop", "2"), trace_event("E", "main", "5")}),
                                 "unended, return-without-call, unmatched-ends")),
              "chop:0 3000\n");
}

TEST(ImportChromeTrace, threads_and_processes_have_names) {
    const auto imported =
        trace_import(list({R"({"ph":"M","pid":7,"name":"thread_name","args":{"name":"first"}})",
                           R"({"ph":"X","pid":7,"ts":0,"dur":1,"name":"a"})",
                           R"({"ph":"X","pid":7,"tid":9,"ts":0,"dur":1,"name":"a"})",
                           R"({"ph":"X","pid":7,"tid":"7","ts":0,"dur":1,"name":"a"})",
                           R"({"ph":"X","pid":"x","tid":"y","ts":0,"dur":1,"name":"a"})",
                           R"({"ph":"M","pid":7,"name":"process_name","args":{"name":"cook"}})"}));
    EXPECT_EQ(imported.notes.kind, "Chrome trace");
    EXPECT_EQ(imported.notes.spans, 4U);
    EXPECT_EQ(imported.notes.processes, 2U);
    EXPECT_EQ(imported.notes.threads, 4U);
    for (const char* heading :
         {"pid: 7\npart: 1\nthread: 1\ndesc: Thread name: cook/first\n",
          "pid: 7\npart: 1\nthread: 7\ndesc: Thread name: cook\n",
          "pid: 7\npart: 1\nthread: 9\ndesc: Thread name: cook\n", "thread: 1\ndesc: Thread name: x/y\n"})
        EXPECT_NE(imported.text.find(heading), std::string::npos) << heading << imported.text;
}

TEST(ImportChromeTrace, sums_of_clang_are_omitted) {
    EXPECT_EQ(records_text(trace(
                  list({whole("Source", "1", "2"), whole("Total time", "1", "1"),
                        trace_event("X", "Total Source", "0", R"(,"dur":2,"args":{"count":1,"avg ms":2})")}),
                  "sums-omitted")),
              "Source:0 -> Total time 1000\nSource:0 1000\nTotal time:0 1000\n");
}

TEST(ImportChromeTrace, other_events_are_noted) {
    EXPECT_EQ(records_text(trace(list({trace_event("i", "mark", "1"), trace_event("b", "load", "1"),
                                       trace_event("e", "load", "9"), trace_event("C", "bytes", "1"),
                                       trace_event("?!", "x", "1"), whole("main", "1", "1")}),
                                 "markers-ignored, asynchronous-ignored")),
              "main:0 1000\n");
}

TEST(ImportChromeTrace, samples_come_in_chunks_of_an_id) {
    const auto profile =
        trace(list({chunk("Profile", R"("0x1")", R"("startTime":100)"),
                    chunk("Profile", R"("0x2")", R"("startTime":0)", 2),
                    chunk("ProfileChunk", R"("0x1")", std::string(two_nodes) + R"(,"timeDeltas":[10,5])", 9),
                    chunk("ProfileChunk", R"("0x2")", std::string(two_nodes) + R"(,"timeDeltas":[0,3])", 9),
                    chunk("ProfileChunk", R"("0x1")",
                          R"("cpuProfile":{"samples":[2,1],"endTime":150},"timeDeltas":[-2,20])", 9)}),
              "time-before-samples x10");
    ASSERT_EQ(profile.events().size(), 2U);
    EXPECT_EQ(profile.events()[0].name, "Time");
    EXPECT_EQ(profile.events()[1].name, "hits");
    ASSERT_EQ(profile.parts().size(), 2U);
    EXPECT_EQ(profile.parts()[1].thread.number, 2U);
    // 110 main, 115 fib, 113 fib, 133 main, 150; 0 main, 3 fib
    EXPECT_EQ(profile.total(callcost::EventId(std::size_t{0})), 43);
    EXPECT_EQ(records_text(profile),
              "fib:1 0 1\nfib:1 20 2\nmain:5 -> fib 0 1\nmain:5 -> fib 20 2\n"
              "main:5 20 2\nmain:5 3 1\n");
}

TEST(ImportChromeTrace, chunks_may_have_no_times) {
    EXPECT_EQ(
        records_text(trace(
            list({chunk("ProfileChunk", "1", two_nodes),
                  chunk("ProfileChunk", "1", R"("cpuProfile":{"samples":[2,1,1]},"timeDeltas":[0,5,7])")}))),
        records_text(trace(
            list({chunk("ProfileChunk", "1", std::string(two_nodes) + R"(,"timeDeltas":[0,0])"),
                  chunk("ProfileChunk", "1", R"("cpuProfile":{"samples":[2,1,1]},"timeDeltas":[0,5,7])")}))));
}

TEST(ImportChromeTrace, times_may_be_text) {
    EXPECT_EQ(records_text(
                  trace(list({whole("main", R"("1")", R"("10.25")"), whole("f", R"("2.5")", R"("1.5")")}))),
              "f:0 1500\nmain:0 -> f 1500\nmain:0 8750\n");
}

TEST(ImportChromeTrace, samples_may_have_lines) {
    EXPECT_EQ(records_text(trace(
                  list({chunk("ProfileChunk", "1", std::string(two_nodes) + R"(,"lines":[0,7])"),
                        chunk("ProfileChunk", "1", R"("cpuProfile":{"samples":[2]})"),
                        chunk("ProfileChunk", "1", R"("cpuProfile":{"samples":[2,2,1]},"lines":[7,8])")}))),
              "fib:1 1\nfib:7 2\nfib:8 1\nmain:5 -> fib 4\nmain:5 2\n");
}

TEST(ImportChromeTrace, spans_and_samples_are_of_different_event_types) {
    const auto profile = trace(list({chunk("ProfileChunk", "1", two_nodes), whole("Task", "0", "1")}));
    ASSERT_EQ(profile.events().size(), 2U);
    EXPECT_EQ(profile.events()[0].name, "Duration");
    EXPECT_EQ(profile.parts().size(), 1U) << "of one thread";
    EXPECT_EQ(records_text(profile), "Task:0 1000\nfib:1 0 1\nmain:5 -> fib 0 1\nmain:5 0 1\n");
}

TEST(ImportChromeTrace, nodes_and_profiles_may_be_missing) {
    EXPECT_EQ(records_text(trace(list({chunk("ProfileChunk", "1", std::string(two_nodes)),
                                       chunk("ProfileChunk", "1",
                                             R"("cpuProfile":{"nodes":[{"id":3,"parent":99,"callFrame":{}},)"
                                             R"({"id":1}],"samples":[3,77]})")}),
                                 "duplicate-id, invalid-reference x2")),
              "(anonymous):0 1\nfib:1 1\nmain:5 -> fib 1\nmain:5 1\n");
}

TEST(ImportChromeTrace, an_array_may_be_open) {
    const std::string open = "[" + whole("main", "1", "2");
    for (const std::string end : {"", "\n", ",", ",\n", R"(,{"ph":)", R"(,{"ph":"X","pi)",
                                  R"(,{"ph":"X","ts":1,"dur":7,"args":{"data":[)"})
        for (const std::string begin : {"", "{\"traceEvents\":"})
            EXPECT_EQ(records_text(trace(std::string(begin).append(open).append(end), "trace-cut")),
                      "main:0 2000\n")
                << end;
    EXPECT_NE(trace_failure(open + "}"), "");
    EXPECT_NE(trace_failure(open + std::string(1, '\0')), "");
}

TEST(ImportChromeTrace, what_is_cut_behind_the_events_is_read) {
    const std::string object = "{\"traceEvents\":[" + whole("main", "1", "2") + "]";
    for (const std::string end :
         {"", "\n", ",", R"(,"meta)", R"(,"metadata":)", R"(,"metadata":{)", R"(,"metadata":{"a":[1,2)",
          R"(,"displayTimeUnit":"n)", R"(,"a":tru)", R"(,"a":"\u12)"})
        EXPECT_EQ(records_text(trace(object + end, "trace-cut")), "main:0 2000\n") << end;
    EXPECT_EQ(records_text(trace(object + "}")), "main:0 2000\n");
    for (const std::string end : {"]", "}}", "}]", ",}", R"(,"a":x)", R"(,"a" 7})"})
        EXPECT_NE(trace_failure(object + end), "") << end;
    EXPECT_NE(trace_failure(object + std::string(1, '\0')), "");
    EXPECT_NE(trace_failure(R"({"metadata":{"a":1},"traceEv)"), "");
}

TEST(ImportChromeTrace, what_has_no_cost_is_refused) {
    EXPECT_EQ(trace_failure("[]"), "a Chrome trace without events that last, and without samples");
    EXPECT_EQ(trace_failure(list(
                  {trace_event("B", "main", "1"), trace_event("i", "mark", "1"), chunk("Profile", "1", "")})),
              "a Chrome trace without events that last, and without samples");
    EXPECT_EQ(trace_failure("{}"), "it has no \"traceEvents\": no Chrome trace");
    EXPECT_EQ(trace_failure("7"), "it has no \"traceEvents\": no Chrome trace");
    EXPECT_NE(trace_failure("{\"traceEvents\":" + std::string(100'000, '[')).find("nested more than 200"),
              std::string::npos);
}

TEST(ImportChromeTrace, what_is_of_another_type_is_skipped) {
    EXPECT_EQ(records_text(
                  trace(R"([7,[],{},{"ph":"X"},{"args":[{"data":{}}],"ph":7,"name":[{"ph":"X"}],"pid":{}},)"
                        R"({"ph":"P","name":"ProfileChunk","args":{"data":{"cpuProfile":{"nodes":[7,[]],)"
                        R"("samples":[[1]]},"timeDeltas":{}}}},{"ph":"X","name":"a","ts":"1","dur":1,)"
                        R"("pid":-1,"tid":1.5}])")),
              "a:0 1000\n");
}

TEST(ImportChromeTrace, huge_times_are_cut_to_what_has_room) {
    const auto profile = trace(list({whole("a", "-1e300", "1e300"), whole("b", "1e300", "1e300"),
                                     whole("c", "18446744073709551615", "-5"), trace_event("B", "d", "-9e18"),
                                     trace_event("E", "d", "9e18")}));
    EXPECT_EQ(profile.total(callcost::EventId(std::size_t{0})), 6'000'000'000'000'000'000);
}

TEST(ImportChromeTrace, a_deep_stack_of_many_threads_is_more_than_the_budget) {
    std::string json = "[";
    for (int thread = 0; thread < 20; ++thread)
        for (int i = 0; i < 2000; ++i)
            json += R"({"ph":"X","ts":)" + std::to_string(i) + R"(,"dur":9999,"tid":)" +
                    std::to_string(thread) + "},\n";
    const auto refused =
        callcost::test::import(ImportFormat::chrome_trace, json, {.budget = {.bytes = 100'000, .factor = 1}});
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, callcost::ErrorCode::too_large);
    EXPECT_TRUE(callcost::test::import(ImportFormat::chrome_trace, json).has_value());
}

TEST(ImportChromeTrace, names_of_processes_and_threads_are_cut) {
    const std::string name = std::string(255, 'p') + "\xc3\xa9" + std::string(1000, 'q');
    std::string json = R"([{"ph":"M","pid":1,"name":"process_name","args":{"name":")" + name + R"("}})";
    for (int thread = 1; thread <= 200; ++thread)
        json += R"(,{"ph":"X","pid":1,"ts":1,"dur":1,"name":"a","tid":)" + std::to_string(thread) + "}";
    const auto imported = trace_import(json, "trace-cut");
    EXPECT_EQ(imported.notes.threads, 200U);
    EXPECT_NE(imported.text.find("Thread name: " + std::string(255, 'p') + "\n"), std::string::npos);
    const auto refused =
        callcost::test::import(ImportFormat::chrome_trace, json, {.budget = {.bytes = 40'000, .factor = 1}});
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, callcost::ErrorCode::too_large);
}

TEST(ImportChromeTrace, begins_without_end_and_deep_stacks_take_linear_time) {
    callcost::test::expect_linear_import(ImportFormat::chrome_trace, [](std::size_t depth) {
        std::string json = "[";
        for (std::size_t i = 0; i < depth; ++i) json += trace_event("B", "b", std::to_string(i)) + ",";
        for (std::size_t i = 0; i < depth; ++i)
            json +=
                whole(i % 2 == 0 ? "even" : "odd", std::to_string(depth - i), std::to_string(2 * i)) + ",";
        return json;
    });
}

TEST(ImportChromeTrace, is_detected) {
    using callcost::engine::detect;
    EXPECT_EQ(detect("[\n" + whole("a", "1", "1")), ImportFormat::chrome_trace);
    EXPECT_EQ(detect(R"({"metadata": {"source": "DevTools","startTime": "2026)"), ImportFormat::chrome_trace);
    EXPECT_EQ(detect(R"({"traceEvents":[],"displayTimeUnit":"ms"})"), std::nullopt);
    EXPECT_EQ(detect(whole("a", "1", "1") + "\n"), std::nullopt) << "JSON lines";
    EXPECT_EQ(detect(R"({"ph":7.4,"chlorine":0.3})"), std::nullopt);
}

}  // namespace
