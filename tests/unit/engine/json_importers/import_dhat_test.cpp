#include "unit/engine/importers/imported.hpp"

namespace {

using callcost::ErrorCode;
using callcost::engine::ImportFormat;
using callcost::test::records_text;

callcost::Profile dhat_profile(std::string_view json, const char* notes = "") {
    const auto imported = callcost::test::import(ImportFormat::dhat, json);
    EXPECT_TRUE(imported.has_value()) << (imported ? "" : imported.error().detail);
    EXPECT_EQ(callcost::test::notes_text(imported->notes), notes);
    return callcost::test::read_without_errors(imported->text);
}

TEST(ImportDhat, stacks_begin_with_the_leaf_and_events_are_what_is_counted) {
    const auto profile = dhat_profile(
        R"~({"dhatFileVersion":2,"mode":"heap","cmd":"./stew","pps":[{"tb":72,"tbk":2,"mb":50,"gb":8,"eb":0,)~"
        R"~("rb":5,"wb":6,"acc":[-8,4],"fs":[1,2]},{"tb":1,"tbk":1,"gb":0,"eb":1,"fs":[2]}],)~"
        R"~("ftbl":["[root]","0x10: operator new(unsigned long) (in /lib/x (1).so)","0x20: main (a.c:3)"]})~");
    std::string events;
    for (const auto& event : profile.events()) events += event.name + " ";
    EXPECT_EQ(events, "total_bytes total_blocks peak_bytes end_bytes read_bytes write_bytes ");
    EXPECT_EQ(records_text(profile),
              "main:3 -> operator new(unsigned long) 72 2 8 0 5 6\nmain:3 1 1 0 1\n"
              "operator new(unsigned long):0 72 2 8 0 5 6\n");
}

TEST(ImportDhat, ad_hoc_events_have_units_of_their_own) {
    const auto profile = dhat_profile(
        R"({"dhatFileVersion":2,"mode":"ad-hoc","bsu":"pages","bksu":"reads","pps":[{"tb":7,"tbk":2,"fs":[1]}],)"
        R"("ftbl":["[root]","0x1: ???"]})");
    EXPECT_EQ(profile.events()[0].name, "pages");
    EXPECT_EQ(profile.events()[1].name, "reads");
    EXPECT_EQ(records_text(profile), "0x1: ???:0 7 2\n");
}

TEST(ImportDhat, frames_that_no_table_has_are_unknown_and_places_without_stack_are_omitted) {
    EXPECT_EQ(records_text(dhat_profile(
                  R"({"dhatFileVersion":2,"pps":[{"tb":7,"fs":[9,-1]},{"tb":1,"fs":[]},{"tb":2}],"ftbl":[]})",
                  "without-stack x2, invalid-reference x2")),
              "(unknown)'2:0 7\n(unknown):0 -> (unknown)'2 7\n");
}

TEST(ImportDhat, stacks_may_be_deep_and_repeated) {
    callcost::test::expect_linear_import(ImportFormat::dhat, [](std::size_t depth) {
        std::string frames, table = R"("[root]")";
        for (std::size_t i = 1; i <= depth; ++i) {
            frames += (i == 1 ? "" : ",") + std::to_string(i);
            table += R"(,"0x1: f)" + std::to_string(i) + R"~( (a.c:1)")~";
        }
        return R"({"dhatFileVersion":2,"pps":[{"tb":7,"fs":[)" + frames + R"(]},{"tb":7,"fs":[)" + frames +
               R"(]}],"ftbl":[)" + table + "]}";
    });
}

TEST(ImportDhat, what_is_none_is_an_error) {
    for (const char* json : {R"({"pps":[]})", "{}", "[]"}) {
        const auto imported = callcost::test::import(ImportFormat::dhat, json);
        ASSERT_FALSE(imported.has_value()) << json;
        EXPECT_EQ(imported.error().code, ErrorCode::not_a_profile);
    }
    EXPECT_FALSE(callcost::test::import(ImportFormat::dhat, std::string(100'000, '[')).has_value());
}

}  // namespace
