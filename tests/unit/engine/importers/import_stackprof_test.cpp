#include "unit/engine/importers/imported.hpp"

namespace {

using callcost::ErrorCode;
using callcost::engine::detect;
using callcost::engine::ImportFormat;
using callcost::test::import;
using callcost::test::notes_text;
using callcost::test::read_without_errors;
using callcost::test::records_text;
using std::string_literals::operator""s;

std::string stackprof_records(std::string_view bytes, const char* notes = "") {
    const auto imported = import(ImportFormat::stackprof, bytes);
    EXPECT_TRUE(imported.has_value()) << imported.error().message();
    if (!imported) return "";
    EXPECT_EQ(notes_text(imported->notes), notes);
    return records_text(read_without_errors(imported->text));
}

std::string stackprof_refusal(std::string_view bytes) {
    const auto imported = import(ImportFormat::stackprof, bytes);
    EXPECT_FALSE(imported.has_value());
    return imported ? "" : imported.error().detail;
}

std::string stackprof_json(const std::string& rest) {
    return R"({"version":1.2,"mode":"wall","interval":1000,"samples":3,"gc_samples":0,"missed_samples":0,)"s +
           R"("frames":{"7":{"name":"main","file":"a.rb","line":null,"samples":0},)" +
           R"("8":{"name":"Pot#stir","file":"a.rb","line":4,"samples":3,"edges":{"7":1},"lines":{"4":[3,3]}}})" +
           rest + "}";
}

std::string graph_json(const std::string& frames) {
    return R"({"version":1.2,"mode":"cpu","interval":2000,"frames":{)" + frames + "}}";
}
std::string graph_frame(const std::string& id, const std::string& name, const std::string& rest) {
    return '"' + id + R"(":{"name":")" + name + R"(","file":"a.rb",)" + rest + "}";
}

TEST(ImportStackprof, raw_has_stacks_from_the_root_on_and_how_often_they_came) {
    const std::string file = stackprof_json(R"(,"raw":[2,7,8,2,1,7,1,2,7,8,1])");
    EXPECT_EQ(detect(file), ImportFormat::stackprof);
    EXPECT_EQ(stackprof_records(file), "Pot#stir:4 3\nmain:0 -> Pot#stir 3\nmain:0 1\n");
    const auto imported = import(ImportFormat::stackprof, file);
    EXPECT_EQ(imported->notes.kind, "stackprof profile");
    EXPECT_EQ(imported->notes.limits, "a sample every 1 ms of elapsed time");
}

TEST(ImportStackprof, files_without_raw_are_call_graphs) {
    const std::string file = graph_json(
        graph_frame("7", "main", R"("line":1,"total_samples":9,"samples":1,"edges":{"8":5,"9":3})") + "," +
        graph_frame("8", "f", R"("line":5,"total_samples":5,"samples":3,"edges":{"9":2})") + "," +
        graph_frame("9", "g", R"("line":8,"total_samples":5,"samples":5)"));
    EXPECT_EQ(stackprof_records(file, "estimated-stacks"),
              "f:5 -> g 2\nf:5 3\ng:8 5\nmain:1 -> f 5\nmain:1 -> g 3\nmain:1 1\n");
    const auto imported = import(ImportFormat::stackprof, file);
    EXPECT_EQ(imported->notes.samples, 9U);
    EXPECT_EQ(imported->notes.limits, "a sample every 2 ms of CPU time; paths are estimated");
    const auto profile = read_without_errors(imported->text);
    EXPECT_EQ(profile.count(callcost::ArcId(std::size_t{0})).known, 0U);  // samples are no calls
}

TEST(ImportStackprof, edges_of_a_cycle_count_recursion_and_are_estimated) {
    // f is in 4 samples, in one of them 7 times.
    const std::string file =
        graph_json(graph_frame("7", "main", R"("total_samples":4,"samples":0,"edges":{"8":4})") + "," +
                   graph_frame("8", "f", R"("total_samples":4,"samples":2,"edges":{"8":6,"9":2})") + "," +
                   graph_frame("9", "g", R"("total_samples":2,"samples":2)"));
    EXPECT_EQ(stackprof_records(file, "estimated-stacks, costs-estimated"),
              "f'2:0 -> g 1\nf'2:0 1\nf:0 -> f'2 2\nf:0 -> g 1\nf:0 1\ng:0 2\nmain:0 -> f 4\n");
}

TEST(ImportStackprof, lines_of_a_graph_are_those_of_self_cost_and_of_calls_from_a_single_line) {
    const std::string leaf = graph_frame("9", "g", R"("line":20,"total_samples":3,"samples":3)");
    EXPECT_EQ(
        stackprof_records(graph_json(graph_frame("7", "f",
                                                 R"("line":1,"total_samples":9,"samples":6,"edges":{"9":3},)"
                                                 R"("lines":{"4":[2,2],"3":[6,3],"6":[1,1]})") +
                                     "," + leaf),
                          "estimated-stacks"),
        "f:3 -> g 3\nf:3 3\nf:4 2\nf:6 1\ng:20 3\n");
    // Two lines have calls; of one sample no line is known.
    EXPECT_EQ(
        stackprof_records(graph_json(graph_frame("7", "f",
                                                 R"("line":1,"total_samples":5,"samples":2,"edges":{"9":3},)"
                                                 R"("lines":{"3":[3,1],"6":[1,0]})") +
                                     "," + leaf),
                          "estimated-stacks"),
        "f:1 -> g 3\nf:1 1\nf:3 1\ng:20 3\n");
    // Recursion divides the cost of a line, too.
    EXPECT_EQ(stackprof_records(
                  graph_json(graph_frame("7", "f",
                                         R"("line":1,"total_samples":10,"samples":10,"edges":{"7":10},)"
                                         R"("lines":{"3":[6,6],"6":[14,4]})")),
                  "estimated-stacks, costs-estimated"),
              "f'2:3 3\nf'2:6 2\nf:3 3\nf:6 -> f'2 5\nf:6 2\n");
}

TEST(ImportStackprof, a_graph_with_numbers_that_cannot_be_keeps_self_costs) {
    EXPECT_EQ(stackprof_records(
                  graph_json(graph_frame("7", "f",
                                         R"("line":-1,"total_samples":-5,"samples":2,"edges":{"9":3},)"
                                         R"("lines":{"3":[1,9],"x":[1],"4":3})") +
                             "," + graph_frame("8", "g", R"("total_samples":9,"edges":{"7":9},"lines":[1])")),
                  "costs-below-zero, invalid-reference, estimated-stacks, costs-reduced"),
              "f:3 2\ng:0 -> (callees not recorded) 7\ng:0 -> f 2\n");
    EXPECT_EQ(import(ImportFormat::stackprof,
                     graph_json(graph_frame("7", "f", R"("total_samples":9223372036854775807)") + "," +
                                graph_frame("8", "g", R"("total_samples":9223372036854775807)")))
                  .error()
                  .code,
              ErrorCode::too_large);
    EXPECT_EQ(
        stackprof_records(graph_json(graph_frame("7", "f", R"("total_samples":0)")), "estimated-stacks"), "");
}

TEST(ImportStackprof, stacks_have_the_lines_of_their_functions) {
    // f is the leaf at 3 and 4 (twice), of one sample no line is known; it calls g at 3 only.
    const std::string frames =
        graph_frame("7", "f", R"("line":1,"samples":4,"edges":{"9":2},"lines":{"4":[2,2],"3":[3,1]})") + "," +
        graph_frame("9", "g", R"("line":8,"samples":2,"lines":{"8":[1,1],"9":[1,1]})");
    const auto with_raw = [&](const std::string& raw) {
        return R"({"mode":"cpu","frames":{)" + frames + "}," + raw + "}";
    };
    EXPECT_EQ(stackprof_records(with_raw(R"("raw":[1,7,1,1,7,3,2,7,9,2])")),
              "f:0 1\nf:3 -> g 2\nf:3 1\nf:4 2\ng:8 1\ng:9 1\n");
    EXPECT_EQ(
        stackprof_records(with_raw(R"("raw":[1,7,1,2,7,9,2,2,7,9,1],"raw_lines":[1,4,1,2,3,9,2,2,5,0,1])")),
        "f:3 -> g 2\nf:4 1\nf:5 -> g 1\ng:0 1\ng:9 2\n");
    EXPECT_EQ(stackprof_records(with_raw(R"("raw":[1,7,1],"raw_lines":[1,4])")), "f:3 1\n");
}

TEST(ImportStackprof, what_is_odd_in_raw_is_noted) {
    EXPECT_EQ(stackprof_records(stackprof_json(R"(,"raw":[1,7,1,2,7,9,1,0,5,3,7,8])"),
                                "invalid-reference, without-stack, trace-cut"),
              "(unknown):0 1\nmain:0 -> (unknown) 1\nmain:0 1\n");
    EXPECT_EQ(stackprof_records(stackprof_json(R"(,"raw":[1,7,1,-1,7])"), "trace-cut"), "main:0 1\n");
    EXPECT_EQ(stackprof_records(stackprof_json(R"(,"raw":[1,7,1,9223372036854775807,7])"), "trace-cut"),
              "main:0 1\n");
}

TEST(ImportStackprof, other_files_are_refused) {
    EXPECT_EQ(stackprof_refusal("{}"), "not a stackprof profile: no mode, or no frames");
    EXPECT_EQ(import(ImportFormat::stackprof, "").error().code, ErrorCode::empty_file);
    EXPECT_EQ(stackprof_refusal("\4"), "Ruby data (Marshal) that is cut off");
    EXPECT_EQ(stackprof_refusal("\4\7{"), "not Ruby data (Marshal) of version 4.8");
    EXPECT_EQ(stackprof_refusal("\4\10o"), "an object of Ruby that is no hash, array, string or number");
    EXPECT_EQ(stackprof_refusal("\4\10;\6"), "damaged Ruby data (Marshal)");
    EXPECT_EQ(stackprof_refusal("\4\10{\6{\0i\6"s), "a hash whose keys are arrays or hashes");
    const std::string session = "\4\10{\10:\11userI\"\10ann\6:\6ET:\13framesi\10:\11mode:\11dark";
    EXPECT_EQ(detect(session), std::nullopt);
    EXPECT_NE(stackprof_refusal(session), "");
}

TEST(ImportStackprof, dumps_are_refused_wherever_they_are_cut_and_however_deep_they_are) {
    const std::string whole = callcost::test::import_bytes("dump.stackprof");
    for (std::size_t size = 1; size < 2000; ++size)
        EXPECT_FALSE(import(ImportFormat::stackprof, whole.substr(0, size)).has_value()) << size;
    std::string deep = "\4\10";
    for (int i = 0; i < 100'000; ++i) deep += "[\6";
    EXPECT_NE(stackprof_refusal(deep), "");
    EXPECT_EQ(stackprof_refusal("\4\10\"\4\xff\xff\xff\x7f" + std::string(10, 'a')),
              "damaged Ruby data (Marshal)");
    EXPECT_EQ(stackprof_refusal("\4\10:\3\1\0\1"s + std::string(65'537, 'a')), "damaged Ruby data (Marshal)");
    std::string links = "\4\10[\3\xff\xff\0:\3\0\0\1"s + std::string(65'536, 'a');
    for (int i = 1; i < 65'535; ++i) links += ";\0"s;
    EXPECT_EQ(stackprof_refusal(links), "links to strings make it more than 100 times as long");
    EXPECT_EQ(stackprof_refusal("\4\10[\4\xff\xff\xff\x3f"), "Ruby data (Marshal) that is cut off");
}

}  // namespace
