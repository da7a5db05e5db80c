#include "exporters/table_text.hpp"

#include <gtest/gtest.h>

#include "unit/engine/exporters/written.hpp"
#include "unit/library/call_graph/questions.hpp"

namespace callcost::engine {
namespace {

std::string table(const CallGraph& graph, const TableOptions& options) {
    return test::written_by([&](const Sink& sink) { return write_table(graph, options, sink); });
}

TEST(TableText, has_a_row_per_function_costliest_first) {
    const auto graph = test::graph_of(test::profile_of(test::small_profile));
    EXPECT_EQ(
        table(graph, {}),
        "function,file,object,context,called,called_is_exact,cycle,self_Ir,self_Dr,inclusive_Ir,inclusive_Dr,"
        "inclusive_is_exact\r\n"
        "f,a.c,a.out,,6,yes,,50,5,50,5,yes\r\n"
        "g,g.c,lib.so,,1,yes,,50,3,60,4,yes\r\n"
        "main,a.c,a.out,,0,yes,,13,1,113,11,yes\r\n");
}

TEST(TableText, has_a_row_per_arc) {
    const auto graph = test::graph_of(test::profile_of(test::small_profile));
    EXPECT_EQ(
        table(graph, {.rows = TableRows::arcs}),
        "caller,caller_file,caller_object,caller_context,callee,callee_file,callee_object,callee_context,"
        "count,count_is_exact,recursive,inclusive_Ir,inclusive_Dr\r\n"
        "f,a.c,a.out,,f,a.c,a.out,,3,yes,yes,30,3\r\n"
        "g,g.c,lib.so,,f,a.c,a.out,,1,yes,no,10,1\r\n"
        "main,a.c,a.out,,g,g.c,lib.so,,1,yes,no,60,6\r\n"
        "main,a.c,a.out,,f,a.c,a.out,,2,yes,no,40,4\r\n");
}

TEST(TableText, has_a_row_per_place_of_a_function_with_equal_places_added_up) {
    const auto graph = test::graph_of(test::profile_of(test::small_profile));
    EXPECT_EQ(table(graph, {.rows = TableRows::lines, .fields = engine::CsvFields::tabs}),
              "function\tfile\tobject\tcontext\tsource_file\tline\taddress\tself_Ir\tself_Dr\n"
              "f\ta.c\ta.out\t\ta.c\t10\t256\t50\t5\n"
              "g\tg.c\tlib.so\t\tg.c\t20\t512\t30\t3\n"
              "g\tg.c\tlib.so\t\tg.h\t7\t528\t20\t0\n"
              "main\ta.c\ta.out\t\ta.c\t1\t16\t6\t1\n"
              "main\ta.c\ta.out\t\ta.c\t2\t32\t7\t0\n");
}

TEST(TableText, has_the_chosen_measures_only_the_first_of_which_sorts) {
    const auto profile = test::profile_of(test::small_profile);
    TableOptions options;
    options.measures = {test::measure_of(profile, "Ir + 10 Dr"), test::measure_of(profile, "Dr")};
    options.measures.front().name = "sum";
    EXPECT_EQ(table(test::graph_of(profile), options),
              "function,file,object,context,called,called_is_exact,cycle,self_sum,self_Dr,inclusive_sum,"
              "inclusive_Dr,"
              "inclusive_is_exact\r\n"
              "f,a.c,a.out,,6,yes,,100,5,100,5,yes\r\n"
              "g,g.c,lib.so,,1,yes,,80,3,100,4,yes\r\n"
              "main,a.c,a.out,,0,yes,,23,1,223,11,yes\r\n");
}

TEST(TableText, leaves_unknown_counts_and_costs_that_do_not_add_up_empty) {
    auto graph = test::graph_of(test::plain_profile("fn=f\n1 5\ncfn=g\ncalls=0 0\n2 3\n"));
    EXPECT_EQ(table(graph, {.rows = TableRows::arcs})
                  .substr(table(graph, {.rows = TableRows::arcs}).find('\n') + 1),
              "f,???,???,,g,???,???,,,no,no,3\r\n");
    graph = test::graph_of(test::plain_profile("fn=f\n1 5\n"));
    EXPECT_EQ(table(graph, {}),
              "function,file,object,context,called,called_is_exact,cycle,self_Ir,inclusive_Ir,"
              "inclusive_is_exact\r\nf,???,???,,,yes,,5,,yes\r\n");
}

TEST(TableText, has_contexts_apart_from_names_and_adds_them_up_where_they_are_folded) {
    const std::string text =
        "# callgrind format\ncreator: callgrind-3.19.0\nevents: Ir\nfn=f\n1 5\ncfn=f'2\ncalls=1 0\n1 "
        "7\n\nfn=f'2\n1 7\n";
    const auto profile = test::profile_of(text);
    EXPECT_EQ(table(test::graph_of(profile, {.contexts = Contexts::keep}), {}),
              "function,file,object,context,called,called_is_exact,cycle,self_Ir,inclusive_Ir,"
              "inclusive_is_exact\r\nf,???,???,'2,1,yes,,7,7,yes\r\nf,???,???,,0,yes,,5,12,yes\r\n");
    const auto graph = test::graph_of(profile);
    EXPECT_EQ(table(graph, {.rows = TableRows::lines}),
              "function,file,object,context,source_file,line,address,self_Ir\r\nf,???,???,,???,1,,12\r\n");
}

TEST(TableText, has_the_default_event_only_where_there_are_too_many) {
    std::string text = "events:";
    for (int i = 0; i < 40; ++i) text += " e" + std::to_string(i);
    const auto graph = test::graph_of(test::profile_of(text + "\nfn=f\n1 0 3\n"));
    EXPECT_EQ(table(graph, {}),
              "function,file,object,context,called,called_is_exact,cycle,self_e1,inclusive_e1,"
              "inclusive_is_exact\r\nf,???,???,,,yes,,3,,yes\r\n");
}

TEST(TableText, needs_detail_for_lines) {
    const auto graph = test::graph_of(test::profile_of(test::small_profile, Detail::functions));
    const auto written = write_table(graph, {.rows = TableRows::lines}, test::failing_sink(0));
    ASSERT_FALSE(written.has_value());
    EXPECT_EQ(written.error().code, ErrorCode::needs_detail);
}

TEST(TableText, stops_when_the_sink_fails) {
    std::string text;
    for (int i = 0; i < 20000; ++i) text += "fn=function_" + std::to_string(i) + "\n1 1\n";
    const auto graph = test::graph_of(test::plain_profile(text));
    const auto written = write_table(graph, {}, test::failing_sink(2));
    ASSERT_FALSE(written.has_value());
    EXPECT_EQ(written.error().detail, "disk full");
}

}  // namespace
}  // namespace callcost::engine
