#include "text/json.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace callcost::engine {
namespace {

using namespace std::string_literals;

std::string json_of(std::string_view text) {
    std::string out;
    JsonWriter(out).value(text);
    return out;
}

TEST(Json, objects_and_arrays_nest) {
    std::string out;
    JsonWriter json(out);
    json.begin_object();
    json.member("a", 1);
    json.key("b");
    json.begin_array();
    json.value("x");
    json.null();
    json.value(true);
    json.end_array();
    json.key("c");
    json.begin_object();
    json.end_object();
    json.end_object();
    EXPECT_EQ(out, R"({"a":1,"b":["x",null,true],"c":{}})");
}

TEST(Json, rows_stand_on_lines_of_their_own) {
    std::string out;
    JsonWriter json(out);
    json.begin_object(JsonLayout::rows);
    json.member("schema", "x/1");
    json.key("rows");
    json.begin_array(JsonLayout::rows);
    for (const int i : {1, 2}) {
        json.begin_object();
        json.member("i", i);
        json.end_object();
    }
    json.end_array();
    json.key("none");
    json.begin_array(JsonLayout::rows);
    json.end_array();
    json.end_object();
    EXPECT_EQ(out,
              "{\n \"schema\": \"x/1\",\n \"rows\": [\n  {\"i\":1},\n  {\"i\":2}\n ],\n \"none\": []\n}");
}

TEST(Json, costs_are_exact_integers) {
    std::string out;
    JsonWriter json(out);
    json.begin_array();
    json.value(std::numeric_limits<std::int64_t>::min());
    json.value(std::numeric_limits<std::uint64_t>::max());
    json.value(std::optional<std::int64_t>());
    json.value(std::optional<std::int64_t>(-5));
    json.end_array();
    EXPECT_EQ(out, "[-9223372036854775808,18446744073709551615,null,-5]");
}

TEST(Json, names_of_any_bytes_are_valid_utf8) {
    EXPECT_EQ(json_of("gr\u00fc\u00df"), "\"gr\u00fc\u00df\"");
    EXPECT_EQ(json_of("gr\xfc\xdf"), "\"gr\u00fc\u00df\"");
    EXPECT_EQ(json_of("a\"b\\c/d"), R"("a\"b\\c/d")");
    EXPECT_EQ(json_of("a\nb\0c"s), R"("a\nb\u0000c")");
}

TEST(Json, what_could_deceive_a_terminal_is_escaped) {
    EXPECT_EQ(json_of("\x1b[31m"), R"("\u001B[31m")");
    EXPECT_EQ(json_of("\u009b31m \u202e \u00e4\"\\"), "\"\\u009B31m \\u202E \u00e4\\\"\\\\\"");
    EXPECT_EQ(json_of("\u202ea\nb"), R"("\u202Ea\u000Ab")");
    EXPECT_EQ(json_of("\U000e0041"), R"("\uDB40\uDC41")");
}

TEST(PageJson, integers_that_javascript_cannot_hold_are_in_quotes) {
    std::string out;
    JsonWriter json(out, page_json);
    json.begin_array();
    for (const std::int64_t cost : {9007199254740991, 9007199254740992, -9007199254740991, -9007199254740992})
        json.value(cost);
    json.value(std::numeric_limits<std::uint64_t>::max());
    json.end_array();
    EXPECT_EQ(
        out,
        R"([9007199254740991,"9007199254740992",-9007199254740991,"-9007199254740992","18446744073709551615"])");
}

TEST(PageJson, real_numbers_and_raw_json_are_values_like_others) {
    std::string out;
    JsonWriter json(out, page_json);
    json.begin_object();
    json.member("a", 0.5);
    json.member("b", std::numeric_limits<double>::infinity());
    json.member("c", std::numeric_limits<double>::quiet_NaN());
    json.key("d");
    json.json("[1,2]");
    json.member("e", "\u202e");
    json.end_object();
    EXPECT_EQ(out, "{\"a\":0.5,\"b\":null,\"c\":null,\"d\":[1,2],\"e\":\"\u202e\"}");
}

TEST(PageJson, nothing_is_written_beyond_the_limit) {
    std::string out;
    JsonWriter json(out, {.max_bytes = 100});
    json.begin_array();
    for (int i = 0; i < 1000; ++i) {
        json.value("0123456789");
        json.value(i);
        json.json("[]");
    }
    json.end_array();
    EXPECT_TRUE(json.is_full());
    EXPECT_LT(out.size(), 120U);
}

}  // namespace
}  // namespace callcost::engine
