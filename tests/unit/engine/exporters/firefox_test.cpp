#include "exporters/firefox.hpp"

#include <cstdint>
#include <map>
#include <string>

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "importers/importers.hpp"
#include "unit/engine/exporters/conversions.hpp"

namespace callcost::test {
namespace {

std::string firefox_text(const CallGraph& graph, const engine::StackOptions& options = {}) {
    std::string text;
    EXPECT_TRUE(engine::write_firefox(graph, options, to_memory(text)).has_value());
    return text;
}

rapidjson::Document firefox(const std::string& text) {
    rapidjson::Document document;
    document.Parse<rapidjson::kParseValidateEncodingFlag>(text.c_str(), text.size());
    EXPECT_FALSE(document.HasParseError());
    return document;
}

void expect_table(const rapidjson::Value& table) {
    for (const auto& column : table.GetObject())
        EXPECT_TRUE(!column.value.IsArray() || column.value.Size() == table["length"].GetUint());
}

/// What profile.ts of the Firefox Profiler demands of version 60.
void expect_valid_firefox(const rapidjson::Document& document) {
    ASSERT_TRUE(document.IsObject());
    EXPECT_EQ(document["meta"]["preprocessedProfileVersion"].GetInt(), 60);
    const auto& shared = document["shared"];
    for (const auto* const table :
         {"stackTable", "frameTable", "funcTable", "resourceTable", "nativeSymbols", "sources"})
        expect_table(shared[table]);
    const auto& stacks = shared["stackTable"];
    for (rapidjson::SizeType row = 0; row < stacks["length"].GetUint(); ++row) {
        EXPECT_TRUE(stacks["prefix"][row].IsNull() || stacks["prefix"][row].GetUint() < row);
        EXPECT_LT(stacks["frame"][row].GetUint(), shared["frameTable"]["length"].GetUint());
    }
    const auto& functions = shared["funcTable"];
    for (rapidjson::SizeType row = 0; row < functions["length"].GetUint(); ++row) {
        EXPECT_LT(functions["name"][row].GetUint(), shared["stringArray"].Size());
        EXPECT_LT(functions["resource"][row].GetInt(), shared["resourceTable"]["length"].GetInt());
        EXPECT_TRUE(functions["source"][row].IsNull() ||
                    functions["source"][row].GetUint() < shared["sources"]["length"].GetUint());
    }
    EXPECT_EQ(shared["resourceTable"]["length"].GetUint(), document["libs"].Size());
    for (const auto& thread : document["threads"].GetArray()) {
        expect_table(thread["samples"]);
        expect_table(thread["markers"]);
        for (const auto& stack : thread["samples"]["stack"].GetArray())
            EXPECT_LT(stack.GetUint(), stacks["length"].GetUint());
    }
}

/// What the importer makes of it.
Profile read_back(const std::string& text, engine::ImportNotes* notes = nullptr) {
    std::string callgrind;
    const auto imported =
        engine::import_stacks(engine::ImportFormat::firefox, from_memory(text), {}, to_memory(callgrind));
    EXPECT_TRUE(imported.has_value());
    if (notes != nullptr && imported) *notes = *imported;
    auto profile = read_profile(from_memory(callgrind));
    EXPECT_TRUE(profile.has_value());
    return *std::move(profile);
}

/// By name, file and object.
std::map<std::string, std::int64_t> self_costs(const CallGraph& graph, const Measure& measure,
                                               std::int64_t factor = 1) {
    std::map<std::string, std::int64_t> costs;
    const ContextNames contexts(graph.profile());
    for (std::size_t row = 0; row < graph.size(); ++row) {
        Frame frame;
        frame.node = NodeId(row);
        const auto cost = static_cast<std::int64_t>(graph.self(frame.node, measure).magnitude());
        const auto place = std::string(graph.file(frame.node)) + '\n' + std::string(graph.object(frame.node));
        if (cost != 0)
            costs[std::string(frame_label(graph, contexts, frame)) + '\n' + place] += cost * factor;
    }
    return costs;
}

TEST(Firefox, keeps_to_its_format_and_comes_back_as_an_estimate) {
    for (const std::string name :
         {"callgrind/paths.out", "callgrind/all-events.out", "cachegrind/branch.out"}) {
        SCOPED_TRACE(name);
        const Profile profile = profile_file(name);
        Selection folded;
        folded.contexts = Contexts::fold;
        const CallGraph graph = *call_graph(profile, folded);
        engine::StackOptions options;
        options.measures = additive_measures(graph);
        const std::string text = firefox_text(graph, options);
        expect_valid_firefox(firefox(text));
        engine::ImportNotes notes;
        const Profile again = read_back(text, &notes);
        EXPECT_TRUE(engine::are_stacks_estimated(notes));
        EXPECT_EQ(notes.threads, 0U);
        ASSERT_EQ(again.events().size(), options.measures.size());
        const CallGraph read = *call_graph(again, folded);
        for (const Measure& measure : options.measures)
            EXPECT_EQ(self_costs(graph, measure), self_costs(read, measure_of(again, measure.name)));
    }
}

TEST(Firefox, times_are_milliseconds_and_sizes_are_bytes) {
    const Profile profile = profile_file("xdebug/plain.cachegrind.out");
    const CallGraph graph = graph_of(profile);
    engine::StackOptions options;
    options.measures = additive_measures(graph);
    options.recorded = engine::recorded_for(graph, recorded_stacks(profile), options.measures);
    ASSERT_TRUE(options.recorded.has_value());
    const std::string text = firefox_text(graph, options);
    const auto document = firefox(text);
    expect_valid_firefox(document);
    EXPECT_STREQ(document["threads"][0]["samples"]["weightType"].GetString(), "tracing-ms");
    EXPECT_STREQ(document["threads"][1]["samples"]["weightType"].GetString(), "bytes");
    EXPECT_FALSE(document["threads"][0]["callcost"]["estimated"].GetBool());
    engine::ImportNotes notes;
    const Profile again = read_back(text, &notes);
    EXPECT_FALSE(engine::are_stacks_estimated(notes));
    const CallGraph read = graph_of(again);
    EXPECT_EQ(again.parts().size(), 1U);
    EXPECT_EQ(self_costs(graph, options.measures[0], 10), self_costs(read, measure_of(again, "Time__10ns")));
}

TEST(Firefox, decimals_are_exact) {
    const Profile profile = read_back(
        firefox_text(graph_of(profile_of("events: t\nevent: t unit=ns : T\nfn=main\n1 1\nfn=f\n1 1000000\n"
                                         "fn=g\n1 123456789012\n"))));
    EXPECT_EQ(graph_of(profile).total(default_measure(profile)), 123457789013);
}

TEST(Firefox, a_thread_says_what_is_estimated_by_its_name_too) {
    std::string text = firefox_text(graph_of(profile_file("callgrind/paths.out")));
    const auto field = text.find("\"callcost\":");
    ASSERT_NE(field, std::string::npos);
    text.replace(field, 10, "\"elsewhat\"");
    engine::ImportNotes notes;
    EXPECT_EQ(read_back(text, &notes).events()[0].name, "Ir");
    EXPECT_TRUE(engine::are_stacks_estimated(notes));
}

TEST(Firefox, hands_on_errors_of_the_sink) {
    const Profile profile = plain_profile("fn=main\n1 1\n");
    EXPECT_FALSE(engine::write_firefox(graph_of(profile), {}, failing_sink()).has_value());
}

}  // namespace
}  // namespace callcost::test
