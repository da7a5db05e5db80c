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

TEST(ImportStackprof, raw_has_stacks_from_the_root_on_and_how_often_they_came) {
    const std::string file = stackprof_json(R"(,"raw":[2,7,8,2,1,7,1,2,7,8,1])");
    EXPECT_EQ(detect(file), ImportFormat::stackprof);
    EXPECT_EQ(stackprof_records(file), "Pot#stir:0 3\nmain:0 -> Pot#stir 3\nmain:0 1\n");
    const auto imported = import(ImportFormat::stackprof, file);
    EXPECT_EQ(imported->notes.kind, "stackprof profile");
    EXPECT_EQ(imported->notes.limits, "a sample every 1 ms of elapsed time");
}

TEST(ImportStackprof, files_without_raw_have_no_stacks) {
    EXPECT_EQ(stackprof_refusal(stackprof_json("")),
              "a stackprof profile without stacks, which 'raw: true' records");
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
