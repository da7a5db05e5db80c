#include "unit/engine/importers/imported.hpp"

namespace {

using callcost::ErrorCode;
using callcost::engine::ImportFormat;
using callcost::test::records_text;

callcost::Profile heap_profile(std::string_view json, const char* notes = "") {
    const auto imported = callcost::test::import(ImportFormat::heapprofile, json);
    EXPECT_TRUE(imported.has_value()) << (imported ? "" : imported.error().detail);
    EXPECT_EQ(callcost::test::notes_text(imported->notes), notes);
    return callcost::test::read_without_errors(imported->text);
}

std::string frame(const std::string& name, int line) {
    return R"({"callFrame":{"functionName":")" + name + R"(","url":"a.js","lineNumber":)" +
           std::to_string(line) + "},";
}

TEST(ImportHeapProfile, sizes_and_samples_are_at_their_stacks) {
    const std::string json = R"({"head":)" + frame("(root)", -1) + R"("selfSize":0,"id":1,"children":[)" +
                             frame("main", 1) + R"("selfSize":10,"id":2,"children":[)" + frame("get", 4) +
                             R"("selfSize":32,"id":3,"children":[]}]}]},"samples":[{"size":32,"nodeId":3,)"
                             R"("ordinal":1},{"size":8,"nodeId":2},{"size":9,"nodeId":77}]})";
    const auto profile = heap_profile(json, "invalid-reference");
    EXPECT_EQ(profile.events()[0].name, "size");
    EXPECT_EQ(profile.events()[0].unit, "bytes");
    EXPECT_EQ(records_text(profile), "get:5 32 1\nmain:2 -> get 32 1\nmain:2 10 1\n");
}

TEST(ImportHeapProfile, lines_of_nodes_without_ids_count_from_1_if_the_root_is_in_line_0) {
    const std::string inner = R"("selfSize":0,"children":[)" + frame("main", 3) + R"("selfSize":5}]}})";
    EXPECT_EQ(records_text(heap_profile(R"({"head":)" + frame("(root)", 0) + inner)), "main:3 5\n");
    EXPECT_EQ(records_text(heap_profile(R"({"head":)" + frame("(root)", -1) + inner)), "main:4 5\n");
}

TEST(ImportHeapProfile, trees_may_be_deep) {
    constexpr int depth = 100'000;
    std::string json = R"({"head":)";
    for (int i = 0; i < depth; ++i) json += R"({"callFrame":{"functionName":"f"},"selfSize":1,"children":[)";
    for (int i = 0; i < depth; ++i) json += "]}";
    EXPECT_EQ(records_text(heap_profile(json + "}")),
              "f'2:0 -> f'2 99998\nf'2:0 99999\nf:0 -> f'2 99999\nf:0 1\n");
}

TEST(ImportHeapProfile, time_grows_with_depth) {
    callcost::test::expect_linear_import(ImportFormat::heapprofile, [](std::size_t depth) {
        std::string json = R"({"head":)";
        for (std::size_t i = 0; i < depth; ++i)
            json += R"({"callFrame":{"functionName":"f)" + std::to_string(i) +
                    R"("},"selfSize":1,"children":[1,)";
        json += "1";
        for (std::size_t i = 0; i < depth; ++i) json += "]}";
        return json + "}";
    });
}

TEST(ImportHeapProfile, what_is_none_is_an_error) {
    for (const char* json : {R"({"head":{"title":"x","children":[{"id":1,"children":[]}]}})", "{}", "[]",
                             R"({"nodes":[{"id":1}]})"}) {
        const auto imported = callcost::test::import(ImportFormat::heapprofile, json);
        ASSERT_FALSE(imported.has_value()) << json;
        EXPECT_EQ(imported.error().code, ErrorCode::not_a_profile);
        EXPECT_NE(imported.error().detail.find("selfSize"), std::string::npos);
    }
    const auto as_cpu = callcost::test::import(ImportFormat::cpuprofile, R"({"head":{"selfSize":1}})");
    ASSERT_FALSE(as_cpu.has_value());
    EXPECT_NE(as_cpu.error().detail.find(".heapprofile"), std::string::npos);
}

}  // namespace
