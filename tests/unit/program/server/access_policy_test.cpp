#include "server/access_policy.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace {

using callcost::program::AccessPolicy;
using callcost::program::random_token;
using callcost::program::RequestInfo;
using callcost::program::Route;

const AccessPolicy policy{4711, "0123456789abcdef", "fedcba9876543210"};

RequestInfo reader() {
    RequestInfo request;
    request.method = "GET";
    request.target = "/0123456789abcdef/";
    request.host = "127.0.0.1:4711";
    return request;
}

RequestInfo asker() {
    auto request = reader();
    request.method = "POST";
    request.target = "/0123456789abcdef/ask";
    request.origin = "http://127.0.0.1:4711";
    request.content_type = "application/json";
    return request;
}

TEST(AccessPolicy, lets_in_whoever_knows_the_token) {
    EXPECT_EQ(policy.route(reader()), Route::page);
    EXPECT_EQ(policy.route(asker()), Route::ask);
    auto request = reader();
    request.target = "/0123456789abcdef/?series=s&entry=1";  // is for the page
    EXPECT_EQ(policy.route(request), Route::page);
}

TEST(AccessPolicy, has_two_names_for_this_machine_and_no_other) {
    auto request = asker();
    request.host = "localhost:4711";
    request.origin = "http://localhost:4711";
    EXPECT_EQ(policy.route(request), Route::ask);
    for (const auto* host : {"", "127.0.0.1", "127.0.0.1:47110", "127.0.0.1:471", "evil.example:4711",
                             "127.0.0.1:4711.", "LOCALHOST:4711", "127.0.0.1:4711, 127.0.0.1:4711"}) {
        request.host = host;
        EXPECT_EQ(policy.route(request), Route::not_found) << host;
    }
    request.host.reset();
    EXPECT_EQ(policy.route(request), Route::not_found);
}

TEST(AccessPolicy, is_closed_to_pages_of_other_sites) {
    auto request = asker();
    for (const auto* origin :
         {"", "null", "http://", "http://evil.example", "https://127.0.0.1:4711",
          "http://127.0.0.1:4711.evil.example", "http://127.0.0.1:4711/", "127.0.0.1:4711"}) {
        request.origin = origin;
        EXPECT_EQ(policy.route(request), Route::not_found) << origin;
    }
    request.origin.reset();  // not a browser
    EXPECT_EQ(policy.route(request), Route::ask);
}

TEST(AccessPolicy, takes_questions_in_plain_json_only) {
    auto request = asker();
    request.content_type = "application/json; charset=utf-8";
    EXPECT_EQ(policy.route(request), Route::ask);
    for (const auto* type : {"", "text/plain", "application/jsonp", "APPLICATION/JSON"}) {
        request.content_type = type;
        EXPECT_EQ(policy.route(request), Route::not_found) << type;
    }
    request = asker();
    request.is_encoded = true;
    EXPECT_EQ(policy.route(request), Route::not_found);
    request = asker();
    request.method = "GET";
    EXPECT_EQ(policy.route(request), Route::not_found);
}

TEST(AccessPolicy, leads_nowhere_beside_the_page) {
    for (const auto* target :
         {"", "/", "/0123456789abcdef", "/0123456789abcdef/x", "/0123456789abcdef//", "0123456789abcdef/",
          "/0123456789abcdeF/", "/0123456789abcde/", "/0123456789abcdef0/", "/fedcba9876543210/",
          "/0123456789abcdef/../", "//0123456789abcdef/"}) {
        auto request = reader();
        request.target = target;
        EXPECT_EQ(policy.route(request), Route::not_found) << target;
    }
    auto request = reader();
    request.target = "/fedcba9876543210";
    EXPECT_EQ(policy.route(request), Route::one_time_link);
}

TEST(AccessPolicy, without_a_token_is_closed) {
    auto request = reader();
    for (const auto* target : {"/", "//", "/ask", ""}) {
        request.target = target;
        EXPECT_EQ((AccessPolicy{4711, {}, {}}.route(request)), Route::not_found) << target;
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
