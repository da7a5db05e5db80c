// What a client sends to the page's server: a head is well-formed or rejected, however it arrives, and
// nothing is answered but with a token.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <sys/socket.h>

#include "record_sums.hpp"
#include "server/access_policy.hpp"
#include "server/connection.hpp"
#include "server/request.hpp"

namespace callcost::fuzz {
namespace {

using program::RequestHead;

bool is_visible(char c) { return c > ' ' && c <= '~'; }
bool is_control(char c) { return (static_cast<unsigned char>(c) < ' ' && c != '\t') || c == '\x7f'; }

void demand_sound(const RequestHead& head) {
    demand(!head.method.empty() && std::all_of(head.method.begin(), head.method.end(), is_visible));
    demand(!head.target.empty() && std::all_of(head.target.begin(), head.target.end(), is_visible));
    for (const auto& [name, value] : head.headers) {
        demand(!name.empty() && std::all_of(name.begin(), name.end(), is_visible));
        demand(std::none_of(value.begin(), value.end(), is_control) && head.header(name).has_value());
    }
    (void)head.body_size();
    (void)head.keeps_connection();
    (void)head.takes_gzip();
}

void demand_equal(const RequestHead& a, const RequestHead& b) {
    demand(a.method == b.method && a.target == b.target && a.is_http_1_0 == b.is_http_1_0 &&
           a.headers == b.headers);
}

/// Written again, it is the same.
void demand_same_again(const RequestHead& head) {
    auto text = head.method + ' ' + head.target + (head.is_http_1_0 ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n");
    for (const auto& [name, value] : head.headers) text.append(name).append(":").append(value).append("\r\n");
    const auto again = program::parse_head(text.append("\r\n"));
    demand(again.has_value());
    demand_equal(*again, head);
}

void demand_token(const RequestHead& head) {
    const program::AccessPolicy policy{.port = 1, .token = "secret", .one_time_token = "once"};
    const auto host = head.header("host"), origin = head.header("origin");
    const auto route = policy.route({.method = head.method,
                                     .target = head.target,
                                     .host = host,
                                     .origin = origin,
                                     .content_type = head.header("content-type").value_or(""),
                                     .is_encoded = head.header("content-encoding").has_value()});
    if (route == program::Route::not_found) return;
    demand(head.target.starts_with(route == program::Route::one_time_link ? "/once" : "/secret/"));
    demand(host == "127.0.0.1:1" || host == "localhost:1");
}

/// Requests one after the other, in two pieces.
void check_connection(std::string_view text, std::size_t first) {
    std::array<int, 2> ends{};
    demand(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) == 0);
    const program::Limits limits{
        .idle = {}, .request = {}, .answer = {}, .head_bytes = 256, .body_bytes = 256};
    program::Connection client(ends[0], limits), server(ends[1], limits);
    for (const auto piece : {text.substr(0, first), text.substr(first)}) {
        client.write_at_once(piece);
        while (server.receive_head() == program::Connection::Arrived::head) {
            const auto head = server.take_head();
            if (!head) return;
            demand_sound(*head);
            if (const auto size = head->body_size(); size && *size <= limits.body_bytes)
                if (const auto body = server.read_body(static_cast<std::size_t>(*size)); body)
                    demand(body->size() == *size);
            server.expect_request();
        }
    }
}

void check(std::string_view text) {
    const std::size_t first = text.empty() ? 0 : static_cast<unsigned char>(text.back()) % text.size();
    check_connection(text, first);
    const auto head = program::parse_head(text);
    if (!head) return;
    demand_sound(*head);
    demand_same_again(*head);
    demand_token(*head);
}

}  // namespace
}  // namespace callcost::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    callcost::fuzz::check(text);
    return 0;
}
