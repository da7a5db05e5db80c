#include "text/inline_maps_json.hpp"

#include <gmock/gmock.h>

namespace callcost::engine {
namespace {

TEST(InlineMapsJson, are_the_same_when_read_again) {
    InlineMap map;
    map.object = "prog\xff";
    map.files = {"a.h</script>", "\xc3\xa4.h"};
    map.functions = {{"std::max<int>", "a.h", 7}, {"f\n", "", 0}};
    map.sites = {{InlineSite::none, 0, 1, 3, 0x10}, {0, 1, InlineSite::none, 0, 0}};
    map.runs = {{0x10, 0}, {0xffff'ffff'ffff'fff0, 1}, {0xffff'ffff'ffff'ffff, InlineSite::none}};
    map.lines = {{0x10, 1, 9}, {0xffff'ffff'ffff'ffff, InlineSite::none, 0}};
    const auto text = inline_maps_to_json(std::vector{map, InlineMap{}});
    const auto again = inline_maps_from_json(text);
    ASSERT_TRUE(again);
    ASSERT_EQ(again->size(), 2U);
    const auto& same = again->front();
    EXPECT_EQ(same.object, map.object);
    EXPECT_EQ(same.files, map.files);
    EXPECT_EQ(same.functions[1].name, "f\n");
    EXPECT_EQ(same.functions[0].line, 7U);
    EXPECT_EQ(same.sites[0].parent, InlineSite::none);
    EXPECT_EQ(same.sites[0].entry, 0x10U);
    EXPECT_EQ(same.sites[1].file, InlineSite::none);
    EXPECT_EQ(same.runs[1].address, 0xffff'ffff'ffff'fff0U);
    EXPECT_EQ(same.runs[2].site, InlineSite::none);
    ASSERT_EQ(same.lines.size(), 2U);
    EXPECT_EQ(same.lines[0].line, 9U);
    EXPECT_EQ(same.lines[1].address, 0xffff'ffff'ffff'ffffU);
    EXPECT_EQ(same.lines[1].file, InlineSite::none);
    EXPECT_EQ(inline_maps_to_json(*again), text);
}

TEST(InlineMapsJson, refuse_what_has_another_form) {
    const std::string good =
        R"({"maps":[{"object":"o","files":["f"],"functions":[["g","f",1]],"sites":[-1,0,0,2,3],"runs":[1,0],"lines":[1,0,5]}]})";
    ASSERT_TRUE(inline_maps_from_json(good));
    const std::pair<std::string, std::string> changes[] = {
        {"\"maps\"", "\"map\""},
        {"\"o\"", "1"},
        {"[\"f\"]", "[\"\\u0100\"]"},
        {"\"files\":[\"f\"],", ""},
        {",1]]", "]]"},
        {"[[\"g\",\"f\",1]]", "[1]"},
        {"-1,0,0,2,3", "-1,0,0,2"},
        {"-1,0", "-2,0"},
        {"-1,0", "0.5,0"},
        {"-1,0", "-1,4294967296"},
        {"[1,0]", "[1]"},
        {"[1,0]", "[-1,0]"},
        {"[1,0]", "{}"},
        {"[1,0,5]", "[1,0]"},
        {"[1,0,5]", "[1,-2,5]"},
        {"[1,0,5]", "{}"},
        {"{\"o", "[\"o"},
        {"}]}", "}"},
    };
    for (const auto& [from, to] : changes) {
        auto text = good;
        text.replace(text.find(from), from.size(), to);
        EXPECT_FALSE(inline_maps_from_json(text)) << text;
    }
    EXPECT_TRUE(inline_maps_from_json(R"({"maps":[]})")->empty());
}

}  // namespace
}  // namespace callcost::engine
