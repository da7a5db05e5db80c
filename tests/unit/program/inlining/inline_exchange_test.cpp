#include "inlining/inline_exchange.hpp"

#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using callcost::InlineSite;
using callcost::program::append_message;
using callcost::program::decode_reply;
using callcost::program::decode_request;
using callcost::program::encoded;
using callcost::program::InlineProblem;
using callcost::program::InlineReply;
using callcost::program::InlineRequest;
using callcost::program::take_message;

InlineRequest request() {
    return {.path = "/bin/a",
            .debug_path = "/debug/a",
            .build_id = "12",
            .is_same = true,
            .functions = {"f", "g"},
            .files = {"a.c"},
            .records = {{0x1000, 0, 0, 1}, {0x1004, 0, 0, 2}, {UINT64_MAX, 1, 0, UINT64_MAX}}};
}

InlineReply reply() {
    InlineReply found{.detail = "detail", .map = {}, .stale = {1}, .compared = 2};
    found.map.functions = {{"h", "h.c", 3}};
    found.map.files = {"a.c"};
    found.map.sites = {{InlineSite::none, 0, 0, 7, 0x1000}, {0, 0, InlineSite::none, 0, 0}};
    found.map.runs = {{0x1000, 1}, {0x1004, 0}, {UINT64_MAX, InlineSite::none}};
    found.map.lines = {{0x1000, 0, 5}, {UINT64_MAX, InlineSite::none, 0}};
    return found;
}

TEST(InlineExchange, takes_requests_there_and_replies_back) {
    const auto asked = decode_request(encoded(request()));
    ASSERT_TRUE(asked.has_value());
    EXPECT_EQ(encoded(*asked), encoded(request()));
    EXPECT_EQ(asked->records, request().records);
    const auto answer = decode_reply(encoded(reply()), request());
    ASSERT_TRUE(answer.has_value());
    EXPECT_EQ(encoded(*answer), encoded(reply()));
    EXPECT_EQ(answer->map.sites[1].parent, 0U);
    EXPECT_EQ(answer->map.sites[1].file, InlineSite::none);
    EXPECT_EQ(answer->map.runs[2].address, UINT64_MAX);
    EXPECT_EQ(answer->map.lines[0].line, 5U);
    EXPECT_EQ(answer->map.lines[1].address, UINT64_MAX);
}

TEST(InlineExchange, takes_no_reply_that_is_none_to_the_request) {
    const auto is_taken = [](auto change) {
        auto changed = reply();
        change(changed);
        return decode_reply(encoded(changed), request()).has_value();
    };
    EXPECT_TRUE(is_taken([](InlineReply&) {}));
    EXPECT_FALSE(is_taken([](InlineReply& one) { one.problem = static_cast<InlineProblem>(99); }));
    EXPECT_FALSE(is_taken([](InlineReply& one) { one.compared = 3; }));
    EXPECT_FALSE(is_taken([](InlineReply& one) { one.stale = {2}; }));
    EXPECT_FALSE(is_taken([](InlineReply& one) { one.stale = {1, 0}; }));
    EXPECT_FALSE(is_taken([](InlineReply& one) { one.map.sites[0].parent = 0; }));
    EXPECT_FALSE(is_taken([](InlineReply& one) { one.map.sites[0].parent = 1; }));
    EXPECT_FALSE(is_taken([](InlineReply& one) { one.map.sites[0].function = 1; }));
    EXPECT_FALSE(is_taken([](InlineReply& one) { one.map.sites[0].file = 1; }));
    EXPECT_FALSE(is_taken([](InlineReply& one) { one.map.functions[0].name.clear(); }));
    EXPECT_FALSE(is_taken([](InlineReply& one) { one.map.runs[1].site = 2; }));
    EXPECT_FALSE(is_taken([](InlineReply& one) { one.map.runs[1].address = 0x1000; }));
    EXPECT_FALSE(is_taken([](InlineReply& one) { one.map.runs[1].address = 0x1002; }));
    EXPECT_FALSE(is_taken([](InlineReply& one) { one.map.lines[0].file = 1; }));
    EXPECT_FALSE(is_taken([](InlineReply& one) { one.map.lines[1].address = 0x1000; }));
    EXPECT_FALSE(is_taken([](InlineReply& one) { one.map.lines[0].address = 0x1002; }));
    EXPECT_FALSE(decode_reply(encoded(reply()) + '\0', request()).has_value());
}

TEST(InlineExchange, names_rows_that_the_reply_has) {
    auto asked = request();
    asked.unnamed = {1, 2, 3};
    auto answer = reply();
    answer.names = {"f"};
    answer.rows_of_names = {0, InlineSite::none, 0};
    const auto taken = decode_reply(encoded(answer), asked);
    ASSERT_TRUE(taken.has_value());
    EXPECT_EQ(taken->names, answer.names);
    EXPECT_EQ(taken->rows_of_names, answer.rows_of_names);
    asked.mapped = {{.offset = 0x1000, .size = 0x2000}};
    const auto sent = decode_request(encoded(asked));
    ASSERT_TRUE(sent.has_value());
    EXPECT_EQ(sent->mapped, asked.mapped);
    EXPECT_FALSE(decode_reply(encoded(answer), request()).has_value());
    answer.rows_of_names.back() = 1;
    EXPECT_FALSE(decode_reply(encoded(answer), asked).has_value());
}

TEST(InlineExchange, survives_any_bytes) {
    std::mt19937 random(1);
    const auto bytes = encoded(reply());
    for (std::size_t size = 0; size < bytes.size(); ++size)
        EXPECT_FALSE(decode_reply(bytes.substr(0, size), request()).has_value());
    for (int i = 0; i < 20'000; ++i) {
        auto changed = i % 2 == 0 ? bytes : encoded(request());
        for (auto count = 1 + random() % 4; count > 0; --count)
            changed[random() % changed.size()] = static_cast<char>(random());
        const auto answer = decode_reply(changed, request());
        for (const auto& site : answer ? answer->map.sites : std::vector<InlineSite>())
            EXPECT_LT(site.function, answer->map.functions.size());
        const auto asked = decode_request(changed);
        for (const auto& record : asked ? asked->records : std::vector<InlineRequest::Record>())
            EXPECT_LT(record.function, asked->functions.size());
    }
}

TEST(InlineExchange, takes_whole_messages_only) {
    std::string all;
    append_message(all, "one");
    append_message(all, std::string(1000, 'x'));
    std::string_view rest = all;
    EXPECT_EQ(take_message(rest), "one");
    EXPECT_FALSE((rest.remove_suffix(1), take_message(rest)).has_value());
    rest = std::string_view(all).substr(4);
    EXPECT_EQ(take_message(rest), std::string(1000, 'x'));
    EXPECT_FALSE(take_message(rest).has_value());
    rest = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f";
    EXPECT_FALSE(take_message(rest).has_value());
}

}  // namespace
