#include "exporters/model_json.hpp"

#include <gtest/gtest.h>

#include "unit/engine/exporters/written.hpp"
#include "unit/library/call_graph/questions.hpp"

namespace callcost::engine {
namespace {

std::string json(const CallGraph& graph, const ModelJsonOptions& options = {}) {
    return test::written_by([&](const Sink& sink) { return write_model_json(graph, options, sink); });
}

/// The text from `begin` to the end of its line.
std::string line_of(const std::string& text, const std::string& begin) {
    const auto at = text.find(begin);
    EXPECT_NE(at, std::string::npos) << begin;
    return at == std::string::npos ? "" : text.substr(at, text.find('\n', at) - at);
}

TEST(ModelJson, is_the_whole_profile_in_tables) {
    EXPECT_EQ(json(test::graph_of(test::profile_of(test::small_profile))), R"({
 "schema": "callcost.profile/1",
 "sources": [
  {"name":"test","bytes":388,"lines":38}
 ],
 "diagnostics": [],
 "event": "Ir",
 "events": [
  {"name":"Ir","long_name":"Instructions","unit":null,"base_unit":null,"scale":null,"formula":null,"additive":true,"total":113},
  {"name":"Dr","long_name":"Data reads","unit":null,"base_unit":null,"scale":null,"formula":null,"additive":true,"total":9}
 ],
 "positions": ["instr","line"],
 "creators": [],
 "commands": [
  "./small"
 ],
 "parts": [
  {"source":0,"profile":0,"dialect":"generic","creator":null,"command":0,"pid":null,"part":null,"thread":null,"trigger":null,"timerange":null,"descriptions":[],"headers":[],"self":{"Ir":113,"Dr":9},"summary":null,"totals":null,"inclusive_sum":{"Ir":140,"Dr":14},"cost_lines":6,"call_records":4,"calls":7,"calls_are_exact":true,"jumps":1}
 ],
 "objects": [
  "???",
  "a.out",
  "lib.so"
 ],
 "files": [
  "???",
  "a.c",
  "g.c",
  "g.h"
 ],
 "functions": {
  "columns": ["function","context","file","object","called","called_is_exact","cycle","self_Ir","self_Dr","inclusive_Ir","inclusive_Dr","inclusive_at_least_Ir","inclusive_at_least_Dr","inclusive_at_most_Ir","inclusive_at_most_Dr"],
  "rows": [
   ["main",null,1,1,0,true,null,13,1,113,11,113,11,113,11],
   ["f",null,1,1,6,true,null,50,5,50,5,50,5,50,5],
   ["g",null,2,2,1,true,null,50,3,60,4,60,4,60,4]
  ]
 },
 "cycles": {
  "columns": ["cycle","functions","called","called_is_exact","self_Ir","self_Dr","inclusive_Ir","inclusive_Dr"],
  "rows": []
 },
 "arcs": {
  "columns": ["caller","callee","count","count_is_exact","recursive","counted_again","inclusive_Ir","inclusive_Dr"],
  "rows": [
   [0,1,2,true,false,false,40,4],
   [0,2,1,true,false,false,60,6],
   [1,1,3,true,true,true,30,3],
   [2,1,1,true,false,false,10,1]
  ]
 },
 "lines": {
  "columns": ["function","file","line","address","self_Ir","self_Dr"],
  "rows": [
   [0,1,1,16,6,1],
   [0,1,2,32,7,0],
   [1,1,10,256,50,5],
   [2,2,20,512,30,3],
   [2,3,7,528,20,0]
  ]
 },
 "calls": {
  "columns": ["caller","callee","file","line","address","count","count_is_exact","inclusive_Ir","inclusive_Dr"],
  "rows": [
   [0,1,1,3,48,2,true,40,4],
   [0,2,1,4,64,1,true,60,6],
   [1,1,1,11,272,3,true,30,3],
   [2,1,2,22,544,1,true,10,1]
  ]
 },
 "jumps": {
  "columns": ["function","file","line","address","target_function","target_file","target_line","target_address","conditional","executed","followed"],
  "rows": [
   [0,1,4,64,0,1,1,16,true,9,3]
  ]
 }
}
)");
}

TEST(ModelJson, has_integers_as_digits_in_quotes_if_so_asked) {
    const auto graph =
        test::graph_of(test::plain_profile("fn=f\n3 9007199254740993\ncfn=g\ncalls=2 0\n4 1\n"));
    const auto numbers = json(graph);
    EXPECT_EQ(
        line_of(numbers, "[\"f\""),
        R"(["f",null,0,0,0,true,null,9007199254740993,9007199254740994,9007199254740994,9007199254740994],)");
    const auto strings = json(graph, {.integers = JsonIntegers::strings});
    EXPECT_EQ(
        line_of(strings, "[\"f\""),
        R"(["f",null,0,0,"0",true,null,"9007199254740993","9007199254740994","9007199254740994","9007199254740994"],)");
    EXPECT_EQ(
        line_of(strings, "{\"name\":\"Ir\""),
        R"({"name":"Ir","long_name":"Instructions","unit":null,"base_unit":null,"scale":null,"formula":null,"additive":true,"total":"9007199254740993"})");
}

TEST(ModelJson, has_names_as_utf_8_whatever_bytes_they_are) {
    const auto graph = test::graph_of(test::plain_profile("fn=caf\xe9\n1 1\nfn=\"\\\n1 1\n"));
    EXPECT_EQ(line_of(json(graph), "[\"caf"), "[\"caf\xc3\xa9\",null,0,0,null,true,null,1,null,null,null],");
    EXPECT_EQ(line_of(json(graph), "[\"\\\""), R"(["\"\\",null,0,0,null,true,null,1,null,null,null])");
}

TEST(ModelJson, names_what_parts_inherit_only_once) {
    std::string text = "cmd: " + std::string(100'000, 'x') + "\nevents: Ir\n";
    for (int i = 1; i < 1000; ++i) text += "part: " + std::to_string(i) + "\nfn=f\n1 1\n";
    EXPECT_LT(json(test::graph_of(test::profile_of(text))).size(), 600'000U);
}

TEST(ModelJson, leaves_records_out_if_functions_are_enough) {
    const auto graph = test::graph_of(test::profile_of(test::small_profile, Detail::functions));
    ModelJsonOptions options;
    const auto written = write_model_json(graph, options, test::failing_sink(0));
    ASSERT_FALSE(written.has_value());
    EXPECT_EQ(written.error().code, ErrorCode::needs_detail);
    options.detail = Detail::functions;
    const auto text = json(graph, options);
    EXPECT_NE(text.find("\"arcs\""), std::string::npos);
    EXPECT_EQ(text.find("\"lines\""), text.find("\"lines\":38")) << "only the lines of the source";
}

TEST(ModelJson, stops_when_the_sink_fails) {
    std::string text;
    for (int i = 0; i < 20000; ++i) text += "fn=function_" + std::to_string(i) + "\n1 1\n";
    const auto graph = test::graph_of(test::plain_profile(text));
    for (const int blocks : {0, 1, 8, 12}) {
        const auto written = write_model_json(graph, {}, test::failing_sink(blocks));
        ASSERT_FALSE(written.has_value());
        EXPECT_EQ(written.error().detail, "disk full");
    }
}

}  // namespace
}  // namespace callcost::engine
