#include "unit/engine/importers/imported.hpp"

namespace {

using callcost::ErrorCode;
using callcost::engine::ImportFormat;
using callcost::test::records_text;

callcost::Profile cpu_profile(std::string_view json, const char* notes = "") {
    const auto imported = callcost::test::import(ImportFormat::cpuprofile, json);
    EXPECT_TRUE(imported.has_value()) << (imported ? "" : imported.error().detail);
    EXPECT_EQ(callcost::test::notes_text(imported->notes), notes);
    return callcost::test::read_without_errors(imported->text);
}

std::string node(int id, const std::string& name, int line, const std::string& more) {
    return R"({"id":)" + std::to_string(id) + R"(,"callFrame":{"functionName":")" + name +
           R"(","url":"a.js","lineNumber":)" + std::to_string(line) + R"(,"columnNumber":4},)" + more + "}";
}

TEST(ImportCpuProfile, children_and_parents_make_a_tree) {
    const std::string by_children = R"({"nodes":[)" + node(1, "main", 0, R"("hitCount":1,"children":[2])") +
                                    "," + node(2, "chop", 9, R"("hitCount":3)") + "]}";
    EXPECT_EQ(records_text(cpu_profile(by_children)), "chop:10 3\nmain:1 -> chop 3\nmain:1 1\n");
    const std::string by_parent = R"({"nodes":[)" + node(2, "chop", 9, R"("hitCount":3,"parent":1)") + "," +
                                  node(1, "main", 0, R"("hitCount":1)") + "]}";
    EXPECT_EQ(records_text(cpu_profile(by_parent)), "chop:10 3\nmain:1 -> chop 3\nmain:1 1\n");
}

TEST(ImportCpuProfile, a_sample_lasts_until_the_next) {
    const std::string json = R"({"nodes":[)" + node(1, "main", 0, R"("hitCount":2,"children":[2])") + "," +
                             node(2, "chop", 9, R"("hitCount":1)") +
                             R"(],"startTime":5000000000000,"endTime":5000000001000,)"
                             R"("samples":[1,2,1],"timeDeltas":[100,200,50]})";
    const auto profile = cpu_profile(json, "time-before-samples x100");
    EXPECT_EQ(profile.events()[0].name, "Time");
    EXPECT_EQ(profile.events()[0].unit, "us");
    EXPECT_EQ(records_text(profile), "chop:10 50 1\nmain:1 -> chop 50 1\nmain:1 850 2\n");
}

TEST(ImportCpuProfile, samples_may_be_out_of_order) {
    const std::string json = R"({"nodes":[)" + node(1, "main", 0, R"("hitCount":2,"children":[2])") + "," +
                             node(2, "chop", 9, R"("hitCount":1)") +
                             R"(],"startTime":0,"endTime":400,"samples":[1,2,1],"timeDeltas":[0,300,-100]})";
    // main from 0 to 200 and to 300, chop from 300 to 400
    EXPECT_EQ(records_text(cpu_profile(json)), "chop:10 100 1\nmain:1 -> chop 100 1\nmain:1 300 2\n");
}

TEST(ImportCpuProfile, hits_are_at_their_lines) {
    const std::string json =
        R"({"nodes":[)" +
        node(1, "main", 0, R"("hitCount":5,"positionTicks":[{"line":3,"ticks":2},{"line":4,"ticks":1}])") +
        "]}";
    EXPECT_EQ(records_text(cpu_profile(json)), "main:1 2\nmain:3 2\nmain:4 1\n");
    const std::string too_many =
        R"({"nodes":[)" + node(1, "main", 0, R"("hitCount":1,"positionTicks":[{"line":3,"ticks":2}])") + "]}";
    EXPECT_EQ(records_text(cpu_profile(too_many, "ticks-mismatch")), "main:1 1\n");
}

TEST(ImportCpuProfile, lines_of_profiles_with_a_type_count_from_1) {
    const std::string json =
        R"({"typeId":"CPU","uid":"1","nodes":[{"id":1,"hitCount":5,"callFrame":{"functionName":"fib",)"
        R"("url":"a.js","lineNumber":4,"columnNumber":12,"lineTicks":[{"line":5,"hitCount":3}]}},)" +
        node(2, "(root)", 0, R"("hitCount":1)") + "]}";
    EXPECT_EQ(records_text(cpu_profile(json)), "(root):0 1\nfib:4 2\nfib:5 3\n");
}

TEST(ImportCpuProfile, nodes_may_be_nested_with_times_of_samples_and_lines_from_1) {
    const std::string json =
        R"~({"head":{"functionName":"(root)","url":"","lineNumber":0,"columnNumber":0,"hitCount":0,"id":1,)~"
        R"("children":[{"functionName":"main","url":"a.js","lineNumber":3,"columnNumber":9,"hitCount":1,"id":2,)"
        R"("children":[{"functionName":"chop","url":"a.js","lineNumber":7,"columnNumber":1,"hitCount":2,"id":3,)"
        R"("lineTicks":[{"line":8,"hitCount":2}],"children":[]}]}]},"startTime":4997,"endTime":5000,)"
        R"("samples":[2,3,3],"timestamps":[4997000000,4997000010,4997000030]})";
    EXPECT_EQ(records_text(cpu_profile(json)), "chop:7 20\nchop:8 0 2\nmain:3 -> chop 20 2\nmain:3 10 1\n");
}

TEST(ImportCpuProfile, the_root_of_all_is_no_function) {
    const std::string json = R"({"nodes":[)" + node(1, "(root)", -1, R"("hitCount":0,"children":[2,3])") +
                             "," + node(2, "main", 0, R"("hitCount":1)") + "," +
                             node(3, "(idle)", -1, R"("hitCount":2)") + "]}";
    EXPECT_EQ(records_text(cpu_profile(json)), "(idle):0 2\nmain:1 1\n");
}

TEST(ImportCpuProfile, nested_nodes_may_be_deep) {
    constexpr int depth = 100'000;
    std::string json = R"({"head":)";
    for (int i = 0; i < depth; ++i) json += R"({"functionName":"f","hitCount":1,"children":[)";
    for (int i = 0; i < depth; ++i) json += "]}";
    EXPECT_EQ(records_text(cpu_profile(json + "}")),
              "f'2:0 -> f'2 99998\nf'2:0 99999\nf:0 -> f'2 99999\nf:0 1\n");
}

TEST(ImportCpuProfile, ids_among_nested_nodes_are_ignored_behind_the_first_node) {
    const std::string json =
        R"({"nodes":[{"id":1,"callFrame":{"functionName":"a"},"hitCount":1,"children":[2,)"
        R"({"id":3,"callFrame":{"functionName":"c"},"hitCount":4,"children":[2]},2]},)"
        R"({"id":2,"callFrame":{"functionName":"b"},"hitCount":2}]})";
    EXPECT_EQ(records_text(cpu_profile(json, "duplicate-id")),
              "a:0 -> b 2\na:0 -> c 4\na:0 1\nb:0 2\nc:0 4\n");
}

TEST(ImportCpuProfile, functions_that_share_a_name_are_told_apart_by_line) {
    const std::string json = R"({"nodes":[)" + node(1, "get", 0, R"("hitCount":1)") + "," +
                             node(2, "get", 9, R"("hitCount":2)") + "," + node(3, "", 19, R"("hitCount":3)") +
                             "," + node(4, "(root)", -1, R"("hitCount":4)") + "]}";
    EXPECT_EQ(records_text(cpu_profile(json)), "(anonymous):20:20 3\n(root):0 4\nget:10:10 2\nget:1:1 1\n");
}

TEST(ImportCpuProfile, samples_are_hits_where_there_are_no_counts) {
    const std::string json =
        R"({"nodes":[)" + node(1, "main", 0, R"("children":[])") + R"(],"samples":[1,1,7]})";
    EXPECT_EQ(records_text(cpu_profile(json, "invalid-reference")), "main:1 2\n");
}

TEST(ImportCpuProfile, recursion_is_a_context) {
    std::string json = R"({"nodes":[)";
    for (int id = 1; id < 5; ++id)
        json += node(id, "f", 0, R"("hitCount":1,"children":[)" + std::to_string(id + 1) + "]") + ",";
    json += node(5, "f", 0, R"("hitCount":1)") + "]}";
    EXPECT_EQ(records_text(cpu_profile(json)), "f'2:1 -> f'2 3\nf'2:1 4\nf:1 -> f'2 4\nf:1 1\n");
}

TEST(ImportCpuProfile, cycles_and_shared_children_are_cut) {
    const std::string cycle = R"({"nodes":[)" + node(1, "a", 0, R"("hitCount":1,"children":[2])") + "," +
                              node(2, "b", 1, R"("hitCount":2,"children":[1,2,77])") + "]}";
    EXPECT_EQ(records_text(cpu_profile(cycle, "duplicate-id, invalid-reference, cyclic-nodes")),
              "a:1 -> b 2\na:1 1\nb:2 2\n");
    const std::string itself = R"({"nodes":[)" + node(1, "a", 0, R"("hitCount":1,"children":[1])") + "]}";
    EXPECT_EQ(records_text(cpu_profile(itself, "cyclic-nodes")), "a:1 1\n");
    const std::string twice = R"({"nodes":[)" + node(1, "a", 0, R"("hitCount":1)") + "," +
                              node(1, "b", 0, R"("hitCount":2)") + "]}";
    EXPECT_EQ(records_text(cpu_profile(twice, "duplicate-id")), "a:1 1\nb:1 2\n");
}

TEST(ImportCpuProfile, trees_may_be_deep) {
    constexpr int depth = 100'000;
    std::string json = R"({"nodes":[)";
    for (int id = 1; id < depth; ++id)
        json += R"({"id":)" + std::to_string(id) +
                R"(,"callFrame":{"functionName":"f"},"hitCount":1,"children":[)" + std::to_string(id + 1) +
                "]},";
    json += R"({"id":)" + std::to_string(depth) + R"(,"callFrame":{"functionName":"f"},"hitCount":1}]})";
    EXPECT_EQ(records_text(cpu_profile(json)), "f'2:0 -> f'2 99998\nf'2:0 99999\nf:0 -> f'2 99999\nf:0 1\n");
}

TEST(ImportCpuProfile, nesting_may_be_deep) {
    const std::string json = R"({"x":)" + std::string(1'000'000, '[') + std::string(1'000'000, ']') +
                             R"(,"nodes":[)" + node(1, "a", 0, R"("hitCount":1)") + "]}";
    EXPECT_EQ(records_text(cpu_profile(json)), "a:1 1\n");
}

TEST(ImportCpuProfile, numbers_beyond_reason_do_no_harm) {
    const std::string json =
        R"({"nodes":[)" +
        node(1, "a", 2147483647, R"("hitCount":18446744073709551615,"parent":-9223372036854775808)") +
        R"(],"startTime":-1e300,"endTime":1e300,"samples":[1,1],)"
        R"("timeDeltas":[9223372036854775807,9223372036854775807]})";
    const auto imported = callcost::test::import(ImportFormat::cpuprofile, json);
    ASSERT_TRUE(imported.has_value());
    (void)callcost::test::read_without_errors(imported->text);
}

TEST(ImportCpuProfile, what_is_no_json_has_a_place) {
    const auto broken = callcost::test::import(ImportFormat::cpuprofile, "{\n \"nodes\": [}\n");
    ASSERT_FALSE(broken.has_value());
    EXPECT_EQ(broken.error().code, ErrorCode::not_a_profile);
    EXPECT_EQ(broken.error().line, 2U);
    EXPECT_EQ(broken.error().column, 12U);
}

TEST(ImportCpuProfile, other_json_is_an_error_that_says_what_to_do) {
    const auto trace = callcost::test::import(ImportFormat::cpuprofile, R"({"traceEvents":[]})");
    ASSERT_FALSE(trace.has_value());
    EXPECT_NE(trace.error().detail.find("chrome-trace"), std::string::npos);
    EXPECT_FALSE(callcost::test::import(ImportFormat::cpuprofile, R"({"tail":{}})").has_value());
    EXPECT_FALSE(callcost::test::import(ImportFormat::cpuprofile, "[]").has_value());
}

/// A chain of calls that was sampled at every depth: of as many functions, or of one.
std::string deep_profile(std::size_t depth, bool by_children, bool is_recursive) {
    std::string nodes, samples, deltas;
    for (std::size_t i = 1; i <= depth; ++i) {
        // Parents that follow their children are the harder order.
        const auto id = static_cast<int>(by_children ? i : depth + 1 - i);
        std::string more = R"("hitCount":1)";
        if (by_children && i < depth) more += R"(,"children":[)" + std::to_string(id + 1) + "]";
        if (!by_children && id > 1) more += R"(,"parent":)" + std::to_string(id - 1);
        const std::string comma = i == 1 ? "" : ",";
        nodes.append(comma).append(node(id, "f" + std::to_string(is_recursive ? 0 : id), 1, more));
        samples.append(comma).append(std::to_string(id));
        deltas.append(comma).append("10");
    }
    return R"({"nodes":[)" + nodes + R"(],"startTime":0,"endTime":)" + std::to_string(10 * depth + 10) +
           R"(,"samples":[)" + samples + R"(],"timeDeltas":[)" + deltas + "]}";
}

TEST(ImportCpuProfile, of_deep_stacks_takes_time_in_proportion_to_their_depth) {
    for (const bool by_children : {true, false}) {
        for (const bool is_recursive : {true, false}) {
            SCOPED_TRACE(std::string(by_children ? "children" : "parents") +
                         (is_recursive ? ", recursive" : ""));
            callcost::test::expect_linear_import(ImportFormat::cpuprofile, [&](std::size_t depth) {
                return deep_profile(depth, by_children, is_recursive);
            });
        }
    }
}

}  // namespace
