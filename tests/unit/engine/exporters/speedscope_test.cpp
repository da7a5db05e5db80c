#include "exporters/speedscope.hpp"

#include <cmath>
#include <string>

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "unit/engine/exporters/conversions.hpp"

namespace callcost::test {
namespace {

rapidjson::Document speedscope(const CallGraph& graph, const engine::StackOptions& options = {}) {
    std::string text;
    EXPECT_TRUE(engine::write_speedscope(graph, options, to_memory(text)).has_value());
    rapidjson::Document document;
    document.Parse<rapidjson::kParseValidateEncodingFlag>(text.c_str(), text.size());
    EXPECT_FALSE(document.HasParseError());
    return document;
}

/// What file-format-spec.ts of speedscope demands.
void expect_valid(const rapidjson::Document& document) {
    ASSERT_TRUE(document.IsObject());
    EXPECT_STREQ(document["$schema"].GetString(), "https://www.speedscope.app/file-format-schema.json");
    EXPECT_EQ(std::string(document["exporter"].GetString()).substr(0, 9), "callcost ");
    const auto& frames = document["shared"]["frames"];
    for (const auto& frame : frames.GetArray()) {
        EXPECT_TRUE(frame["name"].IsString());
        EXPECT_TRUE(!frame.HasMember("file") || frame["file"].IsString());
    }
    for (const auto& profile : document["profiles"].GetArray()) {
        EXPECT_STREQ(profile["type"].GetString(), "sampled");
        EXPECT_NE(std::string(profile["name"].GetString()).find("estimated"), std::string::npos);
        const std::string unit = profile["unit"].GetString();
        EXPECT_TRUE(unit == "none" || unit == "nanoseconds" || unit == "microseconds" ||
                    unit == "milliseconds" || unit == "seconds" || unit == "bytes");
        ASSERT_EQ(profile["samples"].Size(), profile["weights"].Size());
        std::int64_t sum = 0;
        for (const auto& weight : profile["weights"].GetArray()) {
            EXPECT_GT(weight.GetInt64(), 0);
            sum += weight.GetInt64();
        }
        EXPECT_EQ(profile["startValue"].GetInt64(), 0);
        EXPECT_EQ(profile["endValue"].GetInt64(), sum);
        for (const auto& sample : profile["samples"].GetArray()) {
            EXPECT_GT(sample.Size(), 0U);
            for (const auto& frame : sample.GetArray()) EXPECT_LT(frame.GetUint(), frames.Size());
        }
    }
}

// 5050 functions, each two bytes at least.
TEST(Speedscope, asks_before_it_writes_deep_stacks) {
    EXPECT_FALSE(written_of_deep_stacks(engine::write_speedscope, 10'099).first);
    const auto [done, bytes] = written_of_deep_stacks(engine::write_speedscope, 10'100);
    EXPECT_TRUE(done);
    EXPECT_GT(bytes.size(), 10'100U);
}

TEST(Speedscope, keeps_to_its_schema_and_to_the_totals) {
    for (const std::string& name : converted_profiles) {
        SCOPED_TRACE(name);
        const Profile profile = profile_file(name);
        const CallGraph graph = graph_of(profile);
        engine::StackOptions options;
        options.measures = additive_measures(graph);
        options.tree.max_frames = 2000;
        options.name = "a\xff";
        const auto document = speedscope(graph, options);
        expect_valid(document);
        EXPECT_STREQ(document["name"].GetString(), "a\u00ff");
        ASSERT_EQ(document["profiles"].Size(), options.measures.size());
        for (rapidjson::SizeType i = 0; i < document["profiles"].Size(); ++i) {
            auto wanted = options.tree;
            wanted.measure = options.measures[i];
            const Tree tree = estimate_tree(graph, wanted);
            const bool is_time = std::string(document["profiles"][i]["unit"].GetString()) != "none";
            if (!is_time) {
                EXPECT_EQ(document["profiles"][i]["endValue"].GetInt64(),
                          std::llround(tree.inclusive - tree.unbalanced - tree.unrecorded_callees -
                                       tree.unattributed));
            }
        }
    }
}

TEST(Speedscope, knows_units_of_time_and_size) {
    const Profile profile = profile_file("xdebug/plain.cachegrind.out");
    const CallGraph graph = graph_of(profile);
    engine::StackOptions options;
    options.measures = additive_measures(graph);
    const auto document = speedscope(graph, options);
    expect_valid(document);
    EXPECT_STREQ(document["profiles"][0]["unit"].GetString(), "nanoseconds");
    EXPECT_STREQ(document["profiles"][1]["unit"].GetString(), "bytes");
    EXPECT_EQ(document["profiles"][0]["endValue"].GetInt64() % 10, 0);
    EXPECT_NEAR(static_cast<double>(document["profiles"][0]["endValue"].GetInt64()),
                10.0 * static_cast<double>(graph.total(options.measures[0])), 20'000);
}

TEST(Speedscope, has_no_profile_of_what_does_not_add_up) {
    const Profile profile = plain_profile("fn=main\n1 1\n");
    const CallGraph graph = graph_of(profile);
    engine::StackOptions options;
    options.measures = {measure_of(profile)};
    options.measures[0].additive = false;
    const auto document = speedscope(graph, options);
    expect_valid(document);
    EXPECT_EQ(document["profiles"].Size(), 0U);
}

TEST(Speedscope, hands_on_errors_of_the_sink) {
    const Profile profile = plain_profile("fn=main\n1 1\n");
    EXPECT_FALSE(engine::write_speedscope(graph_of(profile), {}, failing_sink()).has_value());
}

}  // namespace
}  // namespace callcost::test
