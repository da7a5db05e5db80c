#include <memory>

#include "exporters/speedscope.hpp"
#include "unit/engine/importers/imported.hpp"
#include <callcost/callcost.hpp>

namespace {

using callcost::CallGraph;
using callcost::EventId;
using callcost::Profile;
using callcost::Stacks;
using callcost::StacksOfSources;
using callcost::engine::ImportFormat;
using callcost::engine::ImportNotes;
using callcost::test::records_text;

Profile speedscope(std::string_view json, const char* notes = "") {
    const auto imported = callcost::test::import(ImportFormat::speedscope, json);
    EXPECT_TRUE(imported.has_value()) << (imported ? "" : imported.error().detail);
    EXPECT_EQ(callcost::test::notes_text(imported->notes), notes);
    return callcost::test::read_without_errors(imported->text);
}

std::string file(const std::string& profiles, const std::string& more = {}) {
    return R"({"$schema":"https://www.speedscope.app/file-format-schema.json",)" + more + R"("profiles":[)" +
           profiles +
           R"(],"shared":{"frames":[{"name":"main"},{"name":"chop","file":"a.c","line":4},{"name":"fib"}]}})";
}

std::string sampled(const std::string& unit, const std::string& samples, const std::string& weights,
                    const std::string& name = "p") {
    return R"({"type":"sampled","name":")" + name + R"(","unit":")" + unit + R"(","samples":[)" + samples +
           R"(],"weights":[)" + weights + "]}";
}

std::string evented(const std::string& unit, const std::string& events) {
    return R"({"type":"evented","name":"p","unit":")" + unit + R"(","startValue":0,"endValue":9,"events":[)" +
           events + "]}";
}

std::string event(const std::string& type, int frame, const std::string& at) {
    return R"({"type":")" + type + R"(","frame":)" + std::to_string(frame) + R"(,"at":)" + at + "}";
}

std::string failure(std::string_view json) {
    const auto imported = callcost::test::import(ImportFormat::speedscope, json);
    EXPECT_FALSE(imported.has_value());
    return imported ? "" : imported.error().detail;
}

TEST(ImportSpeedscope, samples_have_weights) {
    const auto profile = speedscope(file(sampled("none", "[0,1],[0],[0,1]", "3,1,2")));
    EXPECT_EQ(records_text(profile), "chop:4 5\nmain:0 -> chop 5\nmain:0 1\n");
    EXPECT_EQ(profile.events()[0].name, "samples");
    EXPECT_EQ(profile.parts()[0].thread.text, "");
}

TEST(ImportSpeedscope, what_stands_for_several_samples_is_a_stack) {
    const auto counted = [](const std::string& weights) {
        const auto imported =
            callcost::test::import(ImportFormat::speedscope, file(sampled("none", "[0,1],[0]", weights)));
        return imported ? imported->notes.counted : std::string_view();
    };
    EXPECT_EQ(counted("3,1"), "stack");
    EXPECT_EQ(counted("1,1"), "sample");
}

TEST(ImportSpeedscope, frames_and_weights_may_come_in_any_order) {
    const std::string json =
        R"({"shared":{"frames":[{"name":"main"}]},"profiles":[{"weights":[7,1],"samples":[[0],[0,0]],)"
        R"("unit":"bytes","type":"sampled"}],"$schema":"https://www.speedscope.app/file-format-schema.json"})";
    EXPECT_EQ(records_text(speedscope(json)), "main'2:0 1\nmain:0 -> main'2 1\nmain:0 7\n");
}

TEST(ImportSpeedscope, frames_are_open_between_events) {
    const auto profile =
        speedscope(file(evented("seconds", event("O", 0, "0.5") + "," + event("O", 1, "0.75") + "," +
                                               event("C", 1, "1.000000001") + "," + event("C", 0, "3"))));
    EXPECT_EQ(records_text(profile), "chop:4 250000001\nmain:0 -> chop 250000001\nmain:0 2249999999\n");
    EXPECT_EQ(profile.events()[0].unit, "ns");
}

TEST(ImportSpeedscope, times_of_any_unit_are_nanoseconds) {
    EXPECT_EQ(records_text(speedscope(file(sampled("milliseconds", "[0]", "0.1")))), "main:0 100000\n");
    EXPECT_EQ(records_text(speedscope(file(sampled("microseconds", "[0]", "7")))), "main:0 7000\n");
    EXPECT_EQ(records_text(speedscope(file(sampled("nanoseconds", "[0],[0]", "0.25,0.25")))), "main:0 1\n");
    EXPECT_EQ(records_text(speedscope(file(sampled("seconds", "[0]", "2")))), "main:0 2000000000\n");
}

TEST(ImportSpeedscope, the_unit_may_come_last) {
    const auto profile = speedscope(
        R"({"profiles":[{"events":[{"at":0.25,"type":"O","frame":0},{"at":0.5,"type":"C","frame":0}],)"
        R"("unit":"seconds"}],"shared":{"frames":[{"name":"main"}]}})");
    EXPECT_EQ(profile.events()[0].name, "Time");
    EXPECT_EQ(records_text(profile), "main:0 250000000\n");
}

TEST(ImportSpeedscope, decimals_are_kept_by_a_power_of_ten) {
    const auto profile = speedscope(file(sampled("none", "[0],[0,1],[0]", "1.5,0.1,2")));
    EXPECT_EQ(records_text(profile), "chop:4 100\nmain:0 -> chop 100\nmain:0 3500\n");
    EXPECT_EQ(profile.events()[0].name, "milli_samples");
    EXPECT_EQ(speedscope(file(sampled("bytes", "[0]", "0.30000000000000004"))).events()[0].name,
              "milli_bytes");
    (void)speedscope(file(sampled("none", "[0],[0]", "90000000000000000,0.5")), "values-rounded");
}

TEST(ImportSpeedscope, profiles_of_a_unit_are_threads_and_units_are_event_types) {
    const auto profile = speedscope(file(sampled("seconds", "[0]", "1", "one") + "," +
                                             sampled("milliseconds", "[0,1]", "5", "two") + "," +
                                             sampled("bytes", "[0]", "9", "one"),
                                         R"("activeProfileIndex":2,)"));
    ASSERT_EQ(profile.parts().size(), 2U);
    EXPECT_EQ(profile.events()[0].name, "bytes") << "the active one is the first";
    EXPECT_EQ(profile.events()[1].name, "Time");
    EXPECT_EQ(profile.parts()[0].thread.number, 1U);
    EXPECT_EQ(profile.parts()[0].descriptions, (std::vector<std::string>{"Thread name: one"}));
    EXPECT_EQ((*profile.parts()[0].totals)[EventId(std::size_t{1})], 1'000'000'000);
    EXPECT_EQ((*profile.parts()[0].totals)[EventId(std::size_t{0})], 9);
    EXPECT_EQ((*profile.parts()[1].totals)[EventId(std::size_t{1})], 5'000'000);
}

TEST(ImportSpeedscope, what_is_without_a_stack_is_omitted) {
    EXPECT_EQ(records_text(speedscope(file(sampled("none", "[],[0]", "3,1")), "without-stack")),
              "main:0 1\n");
    EXPECT_EQ(records_text(speedscope(file(sampled("none", "[0],[0]", "3")), "missing-samples")),
              "main:0 3\n");
    EXPECT_EQ(records_text(speedscope(file(sampled("none", "[0]", "3,1")), "missing-samples")), "main:0 3\n");
}

TEST(ImportSpeedscope, events_that_do_not_fit_are_counted) {
    const auto ends = [](const std::string& events, const char* notes) {
        return records_text(speedscope(file(evented("none", events)), notes));
    };
    EXPECT_EQ(ends(event("O", 0, "0") + "," + event("C", 1, "3"), "unmatched-ends"), "main:0 3\n");
    EXPECT_EQ(ends(event("C", 0, "0"), "unmatched-ends"), "");
    EXPECT_EQ(
        ends(event("O", 0, "5") + "," + event("O", 1, "3") + "," + event("C", 1, "9"), "times-reversed"),
        "chop:4 4\nmain:0 -> chop 4\n");
}

TEST(ImportSpeedscope, numbers_of_no_frame_are_unknown) {
    EXPECT_EQ(records_text(speedscope(file(sampled("none", "[3],[99999999999],[-1]", "1,1,1")),
                                      "invalid-reference x2")),
              "(unknown):0 3\n");
}

TEST(ImportSpeedscope, what_is_of_another_type_is_skipped) {
    EXPECT_EQ(records_text(speedscope(R"({"profiles":[7,[],{"name":[],"unit":{},"samples":7,"weights":"x"},)"
                                      R"({"events":[7,[1],{"at":"x","frame":null}]}],"shared":[]})",
                                      "unmatched-ends")),
              "");
    EXPECT_NE(failure("[]").find("no \"profiles\""), std::string::npos);
    EXPECT_NE(failure("{}").find("no \"profiles\""), std::string::npos);
}

TEST(ImportSpeedscope, a_file_that_is_cut_is_refused_with_its_place) {
    const auto imported =
        callcost::test::import(ImportFormat::speedscope, "{\"shared\":{},\n \"profiles\":[{\"samples\":[[1,");
    ASSERT_FALSE(imported.has_value());
    EXPECT_EQ(imported.error().code, callcost::ErrorCode::not_a_profile);
    EXPECT_EQ(imported.error().line, 2U);
    EXPECT_EQ(imported.error().column, 29U);
    EXPECT_EQ(failure(std::string(100'000, '[')).substr(0, 12), "invalid JSON");
    EXPECT_EQ(callcost::test::import(ImportFormat::speedscope, "").error().code,
              callcost::ErrorCode::empty_file);
}

TEST(ImportSpeedscope, deep_stacks_take_linear_time) {
    callcost::test::expect_linear_import(ImportFormat::speedscope, [](std::size_t depth) {
        std::string events;
        for (std::size_t i = 0; i < depth; ++i)
            events += (i == 0 ? "" : ",") + event("O", static_cast<int>(i % 3), std::to_string(i));
        return file(evented("none", events));
    });
}

// Files of callcost

struct Read {
    ImportNotes notes;
    StacksOfSources stacks;
    Profile profile;
};

Read read_with_stacks(const std::string& bytes, ImportFormat format) {
    const auto stacks = std::make_shared<Stacks>();
    std::string text;
    auto notes = callcost::engine::import_stacks(format, callcost::from_memory(bytes),
                                                 {.stacks = stacks.get()}, callcost::to_memory(text));
    EXPECT_TRUE(notes.has_value());
    StacksOfSources all{are_stacks_estimated(*notes) ? nullptr : stacks};
    return {std::move(*notes), std::move(all), callcost::test::read_without_errors(text)};
}

std::string exported(const Profile& profile, const StacksOfSources& stacks) {
    const CallGraph graph = *callcost::call_graph(profile);
    callcost::engine::StackOptions options;
    for (const auto& event : profile.events())
        options.measures.push_back(*callcost::find_measure(profile, event.name));
    options.recorded = callcost::engine::recorded_for(graph, stacks, options.measures);
    std::string json;
    EXPECT_TRUE(callcost::engine::write_speedscope(graph, options, callcost::to_memory(json)).has_value());
    return json;
}

constexpr std::string_view columns_of_stacks =
    "main;chop;main 3 1\nmain;fib 4 0\nmain 0 2\nmain;fib;chop 1 1\n";

TEST(ImportSpeedscope, what_callcost_writes_comes_back) {
    const Read folded = read_with_stacks(std::string(columns_of_stacks), ImportFormat::folded);
    const std::string json = exported(folded.profile, folded.stacks);
    const Read back = read_with_stacks(json, ImportFormat::speedscope);
    EXPECT_EQ(callcost::test::notes_text(back.notes), "");
    EXPECT_EQ(records_text(back.profile), records_text(folded.profile));
    ASSERT_EQ(back.profile.events().size(), 2U);
    EXPECT_EQ(back.profile.events()[0].name, "before");
    EXPECT_EQ(back.profile.events()[1].name, "after");
    EXPECT_EQ(exported(back.profile, back.stacks), json) << "stack by stack";
}

TEST(ImportSpeedscope, an_estimate_comes_back_as_an_estimate) {
    const Read folded = read_with_stacks(std::string(columns_of_stacks), ImportFormat::folded);
    const std::string json = exported(folded.profile, {nullptr});
    const Read back = read_with_stacks(json, ImportFormat::speedscope);
    EXPECT_EQ(callcost::test::notes_text(back.notes), "estimated-stacks");
    EXPECT_EQ(back.notes.limits, "its stacks are estimates");
    EXPECT_EQ(back.stacks[0], nullptr);
    ASSERT_EQ(back.profile.events().size(), 2U);
    for (std::size_t event = 0; event < 2; ++event)
        EXPECT_EQ(back.profile.total(EventId(event)), folded.profile.total(EventId(event)));
    // speedscope saves names only
    std::string saved = json;
    for (auto at = saved.find("\"callcost\":"); at != std::string::npos; at = saved.find("\"callcost\":"))
        saved.replace(at, 10, "\"x\"");
    const Read again = read_with_stacks(saved, ImportFormat::speedscope);
    EXPECT_EQ(callcost::test::notes_text(again.notes), "estimated-stacks");
    EXPECT_EQ(records_text(again.profile), records_text(back.profile));
    EXPECT_EQ(again.profile.events()[1].name, "after");
}

/// Each thread has the names of events, and a thread without costs is none.
TEST(ImportSpeedscope, many_threads_do_not_multiply_what_they_share) {
    std::string profiles;
    for (int i = 0; i < 2000; ++i)
        profiles += std::string(i == 0 ? "" : ",") + "{}," + R"({"type":"sampled","unit":")" +
                    (i == 0 ? std::string(100'000, 'u') : std::string("none")) +
                    R"(","samples":[[0]],"weights":[1]})";
    const auto imported = callcost::test::import(
        ImportFormat::speedscope,
        R"({"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"f"}]},"profiles":[)" +
            profiles + "]}");
    ASSERT_TRUE(imported.has_value());
    EXPECT_LT(imported->text.size(), 2'000'000U);
}

}  // namespace
