#include "server/request.hpp"

#include <optional>
#include <random>
#include <string>

#include <gtest/gtest.h>

namespace {

using callcost::program::parse_head;
using callcost::program::RequestHead;

/// A request with some lines, each without its end.
std::optional<RequestHead> head_of(std::initializer_list<const char*> lines) {
    std::string text;
    for (const char* line : lines) text.append(line).append("\r\n");
    return parse_head(text + "\r\n");
}

TEST(RequestHead, has_a_method_a_target_and_headers_by_their_names_in_small_letters) {
    const auto head = head_of({"GET /a?b HTTP/1.1", "Host:  localhost:1 ", "X-Empty:"});
    ASSERT_TRUE(head);
    EXPECT_EQ(head->method, "GET");
    EXPECT_EQ(head->target, "/a?b");
    EXPECT_EQ(head->header("host"), "localhost:1");
    EXPECT_EQ(head->header("x-empty"), "");
    EXPECT_EQ(head->header("x-none"), std::nullopt);
}

TEST(RequestHead, joins_headers_of_one_name) {
    const auto head = head_of({"GET / HTTP/1.1", "Host: a", "HOST: b"});
    ASSERT_TRUE(head);
    EXPECT_EQ(head->header("host"), "a, b");
}

TEST(RequestHead, keeps_the_connection_unless_it_says_otherwise) {
    EXPECT_TRUE(head_of({"GET / HTTP/1.1"})->keeps_connection());
    EXPECT_FALSE(head_of({"GET / HTTP/1.1", "Connection: Close"})->keeps_connection());
    EXPECT_FALSE(head_of({"GET / HTTP/1.0"})->keeps_connection());
    EXPECT_TRUE(head_of({"GET / HTTP/1.0", "Connection: Keep-Alive"})->keeps_connection());
}

TEST(RequestHead, says_how_long_the_body_is_or_not_at_all) {
    const auto size_of = [](const char* line) { return head_of({"POST / HTTP/1.1", line})->body_size(); };
    EXPECT_EQ(size_of("X: y"), 0U);
    EXPECT_EQ(size_of("Content-Length: 17"), 17U);
    EXPECT_EQ(size_of("Content-Length: 18446744073709551615"), 18446744073709551615U);
    for (const auto* line :
         {"Content-Length: 18446744073709551616", "Content-Length: -1", "Content-Length: +1",
          "Content-Length:", "Content-Length: 1 1", "Content-Length: 0x1", "Transfer-Encoding: chunked"})
        EXPECT_EQ(size_of(line), std::nullopt) << line;
    EXPECT_EQ(head_of({"POST / HTTP/1.1", "Content-Length: 1", "Content-Length: 1"})->body_size(),
              std::nullopt);
}

TEST(RequestHead, takes_gzip_if_it_is_among_the_encodings) {
    const auto takes = [](const char* line) { return head_of({"GET / HTTP/1.1", line})->takes_gzip(); };
    for (const auto* line : {"Accept-Encoding: gzip", "Accept-Encoding: br, gzip",
                             "Accept-Encoding: deflate,gzip;q=0.5,br", "Accept-Encoding: gzip; q=1.0"})
        EXPECT_TRUE(takes(line)) << line;
    for (const auto* line : {"X: gzip", "Accept-Encoding:", "Accept-Encoding: br", "Accept-Encoding: gzipped",
                             "Accept-Encoding: gzip;q=0", "Accept-Encoding: br, gzip; q=0.0"})
        EXPECT_FALSE(takes(line)) << line;
}

TEST(ParseHead, refuses_what_is_not_plainly_right) {
    using namespace std::string_literals;
    for (const auto& text :
         {""s, "\r\n\r\n"s, "GET / HTTP/1.1\r\n"s, "GET / HTTP/1.1\n\n"s, "GET /\r\n\r\n"s,
          "GET / HTTP/1.2\r\n\r\n"s, "GET  / HTTP/1.1\r\n\r\n"s, " GET / HTTP/1.1\r\n\r\n"s,
          "GET / HTTP/1.1 \r\n\r\n"s, "G\tT / HTTP/1.1\r\n\r\n"s, "GET /\0 HTTP/1.1\r\n\r\n"s,
          "GET /\xc3\xa4 HTTP/1.1\r\n\r\n"s, "GET / HTTP/1.1\r\n: x\r\n\r\n"s, "GET / HTTP/1.1\r\nX\r\n\r\n"s,
          "GET / HTTP/1.1\r\nX : y\r\n\r\n"s, "GET / HTTP/1.1\r\nX: y\r\n z\r\n\r\n"s,
          "GET / HTTP/1.1\r\nX: a\rb\r\n\r\n"s, "GET / HTTP/1.1\r\nX: a\nb\r\n\r\n"s,
          "GET / HTTP/1.1\r\nX: \0\r\n\r\n"s})
        EXPECT_FALSE(parse_head(text)) << text;
}

TEST(ParseHead, takes_any_bytes) {
    std::mt19937 random(1);
    const std::string pieces = "GET / HTTP/1.1\r\n:, aZ0\t\x7f\xff";
    int right = 0;
    for (int i = 0; i < 200'000; ++i) {
        std::string text = random() % 2 == 0 ? "GET / HTTP/1.1\r\n" : "";
        for (auto length = random() % 20; length > 0; --length) text += pieces[random() % pieces.size()];
        const auto head = parse_head(text + "\r\n\r\n");
        if (!head) continue;
        ++right;
        (void)head->body_size();
        (void)head->takes_gzip();
        (void)head->keeps_connection();
    }
    EXPECT_GT(right, 0);
}

}  // namespace
