#include "server/door.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace {

using callcost::program::Door;
using callcost::program::random_token;
using callcost::program::Visitor;
using callcost::program::Way;

const Door door{4711, "0123456789abcdef", "fedcba9876543210"};

Visitor reader() {
    Visitor visitor;
    visitor.method = "GET";
    visitor.target = "/0123456789abcdef/";
    visitor.host = "127.0.0.1:4711";
    return visitor;
}

Visitor asker() {
    auto visitor = reader();
    visitor.method = "POST";
    visitor.target = "/0123456789abcdef/ask";
    visitor.origin = "http://127.0.0.1:4711";
    visitor.content_type = "application/json";
    return visitor;
}

TEST(Door, lets_in_whoever_knows_the_token) {
    EXPECT_EQ(door.way(reader()), Way::page);
    EXPECT_EQ(door.way(asker()), Way::ask);
}

TEST(Door, has_two_names_for_this_machine_and_no_other) {
    auto visitor = asker();
    visitor.host = "localhost:4711";
    visitor.origin = "http://localhost:4711";
    EXPECT_EQ(door.way(visitor), Way::ask);
    for (const auto* host : {"", "127.0.0.1", "127.0.0.1:47110", "127.0.0.1:471", "evil.example:4711",
                             "127.0.0.1:4711.", "LOCALHOST:4711", "127.0.0.1:4711, 127.0.0.1:4711"}) {
        visitor.host = host;
        EXPECT_EQ(door.way(visitor), Way::nowhere) << host;
    }
    visitor.host.reset();
    EXPECT_EQ(door.way(visitor), Way::nowhere);
}

TEST(Door, is_closed_to_pages_of_other_sites) {
    auto visitor = asker();
    for (const auto* origin :
         {"", "null", "http://", "http://evil.example", "https://127.0.0.1:4711",
          "http://127.0.0.1:4711.evil.example", "http://127.0.0.1:4711/", "127.0.0.1:4711"}) {
        visitor.origin = origin;
        EXPECT_EQ(door.way(visitor), Way::nowhere) << origin;
    }
    visitor.origin.reset();  // not a browser
    EXPECT_EQ(door.way(visitor), Way::ask);
}

TEST(Door, takes_questions_in_plain_json_only) {
    auto visitor = asker();
    visitor.content_type = "application/json; charset=utf-8";
    EXPECT_EQ(door.way(visitor), Way::ask);
    for (const auto* type : {"", "text/plain", "application/jsonp", "APPLICATION/JSON"}) {
        visitor.content_type = type;
        EXPECT_EQ(door.way(visitor), Way::nowhere) << type;
    }
    visitor = asker();
    visitor.is_encoded = true;
    EXPECT_EQ(door.way(visitor), Way::nowhere);
    visitor = asker();
    visitor.method = "GET";
    EXPECT_EQ(door.way(visitor), Way::nowhere);
}

TEST(Door, leads_nowhere_beside_the_page) {
    for (const auto* target :
         {"", "/", "/0123456789abcdef", "/0123456789abcdef/x", "/0123456789abcdef//", "0123456789abcdef/",
          "/0123456789abcdeF/", "/0123456789abcde/", "/0123456789abcdef0/", "/fedcba9876543210/",
          "/0123456789abcdef/../", "//0123456789abcdef/"}) {
        auto visitor = reader();
        visitor.target = target;
        EXPECT_EQ(door.way(visitor), Way::nowhere) << target;
    }
    auto visitor = reader();
    visitor.target = "/fedcba9876543210";
    EXPECT_EQ(door.way(visitor), Way::invitation);
}

TEST(Door, without_a_token_is_closed) {
    auto visitor = reader();
    for (const auto* target : {"/", "//", "/ask", ""}) {
        visitor.target = target;
        EXPECT_EQ((Door{4711, {}, {}}.way(visitor)), Way::nowhere) << target;
    }
}

TEST(RandomToken, is_another_one_each_time) {
    std::set<std::string> tokens;
    for (int i = 0; i < 100; ++i) tokens.insert(random_token());
    EXPECT_EQ(tokens.size(), 100U);
    for (const auto& token : tokens)
        EXPECT_EQ(token.find_first_not_of("0123456789abcdef"), std::string::npos) << token;
    EXPECT_EQ(tokens.begin()->size(), 32U);
}

}  // namespace
