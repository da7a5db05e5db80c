#include "server/server.hpp"

#include <cerrno>
#include <cstring>
#include <exception>
#include <fstream>
#include <sstream>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "output/compression.hpp"

namespace callcost::program {
namespace {

constexpr std::size_t clients = 32;       // served at a time; a browser opens up to six connections
constexpr std::size_t large = 64 * 1024;  // bytes worth compressing: they may travel over ssh
constexpr std::string_view html = "text/html; charset=utf-8";
constexpr std::string_view json = "application/json";

std::string gzipped(std::string_view text) {
    std::string bytes;
    const auto write = [&](const Sink& sink) { return sink(text); };
    (void)gzip(to_memory(bytes), write, GzipLevel::fast);  // memory takes everything
    return bytes;
}

tl::unexpected<Error> cannot_open(std::string why) {
    return tl::unexpected(
        Error{.code = ErrorCode::cannot_open, .line = 0, .column = 0, .offset = 0, .detail = std::move(why)});
}

/// Whether the other end of this connection to our port, on this machine, belongs to a program of this user.
bool is_from_this_user(int socket, std::uint16_t port) {
    sockaddr_in other{};
    socklen_t size = sizeof other;
    if (::getpeername(socket, reinterpret_cast<sockaddr*>(&other), &size) != 0) return false;
    const auto from = fmt::format(":{:04X}", ntohs(other.sin_port)), to = fmt::format(":{:04X}", port);
    bool is_known = false;
    for (const char* const table : {"/proc/self/net/tcp", "/proc/self/net/tcp6"}) {
        std::ifstream lines(table);
        for (std::string line; std::getline(lines, line);) {
            std::istringstream words(line);
            std::string number, local, remote, state, queues, timer, retries;
            uid_t user = 0;
            if (!(words >> number >> local >> remote >> state >> queues >> timer >> retries >> user))
                continue;
            if (!local.ends_with(from) || !remote.ends_with(to)) continue;
            if (user != ::geteuid()) return false;
            is_known = true;
        }
    }
    return is_known;
}

}  // namespace

struct Server::Response {
    std::string_view status = "404 Not Found";
    std::string_view type{};
    std::string_view body{};
    bool is_gzipped = false;
    std::string_view policy = "default-src 'none'; frame-ancestors 'none'";
    std::string location{};
    bool is_last = true;  ///< over this connection

    [[nodiscard]] std::string head() const {
        auto text = fmt::format(
            "HTTP/1.1 {}\r\nContent-Length: {}\r\nCache-Control: no-store\r\nContent-Security-Policy: {}\r\n"
            "Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Resource-Policy: same-origin\r\n"
            "Referrer-Policy: no-referrer\r\nX-Content-Type-Options: nosniff\r\n",
            status, body.size(), policy);
        if (!type.empty()) text += fmt::format("Content-Type: {}\r\n", type);
        if (is_gzipped) text += "Content-Encoding: gzip\r\n";
        if (!location.empty()) text += fmt::format("Location: {}\r\n", location);
        return text + (is_last ? "Connection: close\r\n\r\n" : "Connection: keep-alive\r\n\r\n");
    }
};

Server::Server(Site site) : site_(std::move(site)), gzipped_page_(gzipped(site_.page)) {}
Server::~Server() {
    if (socket_ >= 0) ::close(socket_);
}

Result<void> Server::listen(std::uint16_t port) {
    const auto system_error = [] { return cannot_open(std::strerror(errno)); };
    access_.token = random_token();
    access_.one_time_token = random_token();
    if (access_.token.empty() || access_.one_time_token.empty())
        return cannot_open("no random numbers available");
    socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (socket_ < 0) return system_error();
    const int yes = 1;
    (void)::setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &yes,
                       sizeof yes);  // reuse the port of a server that has just ended
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    place.sin_port = htons(port);
    auto* address = reinterpret_cast<sockaddr*>(&place);  // as the interface wants it
    socklen_t size = sizeof place;
    if (::bind(socket_, address, size) != 0 || ::listen(socket_, SOMAXCONN) != 0 ||
        ::getsockname(socket_, address, &size) != 0 || !waiting_.open(socket_))
        return system_error();
    access_.port = ntohs(place.sin_port);
    return {};
}

std::string Server::address() const {
    return fmt::format("http://127.0.0.1:{}/{}/", access_.port, access_.token);
}
std::string Server::one_time_address() const {
    return fmt::format("http://127.0.0.1:{}/{}", access_.port, access_.one_time_token);
}

void Server::run() {
    std::vector<std::thread> threads;
    try {
        while (threads.size() < clients) threads.emplace_back([this] { serve_requests(); });
    } catch (const std::system_error&) {
        // Continue with fewer threads.
    }
    if (!threads.empty()) take_requests();
    {
        const std::lock_guard lock(mutex_);
        is_over_ = true;
    }
    changed_.notify_all();
    for (auto& thread : threads) thread.join();
}

void Server::take_requests() {
    for (;;) {
        try {
            auto connection = waiting_.next();
            if (connection == nullptr) return;
            take(std::move(connection));
        } catch (const std::exception&) {
            // Out of memory: drop the connection.
        }
    }
}

void Server::take(std::unique_ptr<Connection> connection) {
    auto head = connection->take_head();
    if (!head) return connection->write_at_once(Response{.status = "400 Bad Request"}.head());
    const auto host = head->header("host");
    const auto origin = head->header("origin");
    const auto type = head->header("content-type").value_or("");
    const auto route = access_.route({.method = head->method,
                                      .target = head->target,
                                      .host = host,
                                      .origin = origin,
                                      .content_type = type,
                                      .is_encoded = head->header("content-encoding").has_value()});
    if (route == Route::not_found) return connection->write_at_once(Response{}.head());
    if (route == Route::one_time_link) {
        if (is_one_time_token_used_ || !is_from_this_user(connection->socket(), access_.port))
            return connection->write_at_once(Response{}.head());
        is_one_time_token_used_ = true;
        return connection->write_at_once(
            Response{.status = "303 See Other", .location = "/" + access_.token + "/"}.head());
    }
    connection->trust();
    {
        const std::lock_guard lock(mutex_);
        requests_.push_back({std::move(connection), *std::move(head), route});
    }
    changed_.notify_one();
}

std::optional<Server::Request> Server::wait_for_request() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_over_ || !requests_.empty(); });
    if (requests_.empty()) return std::nullopt;
    auto request = std::move(requests_.front());
    requests_.pop_front();
    return request;
}

void Server::serve_requests() {
    while (auto request = wait_for_request()) {
        try {
            if (answer(*request->connection, request->head, request->route))
                waiting_.give_back(std::move(request->connection));
        } catch (const std::exception&) {
            // Out of memory: drop the request.
        }
    }
}

bool Server::answer(Connection& connection, const RequestHead& head, Route route) {
    const bool takes_gzip = head.takes_gzip();
    Response response;
    std::string text;  // that the response refers to
    if (route == Route::page) {
        response = page(takes_gzip);
    } else {
        const auto size = head.body_size();
        if (!size || *size > limits_.body_bytes) {
            response.status = size ? "413 Payload Too Large" : "400 Bad Request";
        } else {
            const auto question = connection.read_body(static_cast<std::size_t>(*size));
            if (!question) return false;
            text = site_.answer(*question, [&] { return connection.is_client_there(); });
            response = {.status = "200 OK", .type = json, .is_gzipped = takes_gzip && text.size() >= large};
            if (response.is_gzipped) text = gzipped(text);
            response.body = text;
        }
    }
    // After an unread body the connection cannot be reused.
    const bool has_unread_body = head.method != "POST" && head.body_size() != 0;
    response.is_last = !head.keeps_connection() || response.status.starts_with('4') || has_unread_body;
    return connection.write(response.head(), response.body) && !response.is_last;
}

Server::Response Server::page(bool takes_gzip) const {
    return {.status = "200 OK",
            .type = html,
            .body = takes_gzip ? gzipped_page_ : site_.page,
            .is_gzipped = takes_gzip,
            .policy = site_.policy};
}

}  // namespace callcost::program
