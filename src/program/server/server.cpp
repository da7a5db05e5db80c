#include "server/server.hpp"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <exception>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "output/gzip.hpp"

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

bool is_passing(int problem) {
    return problem == EINTR || problem == ECONNABORTED || problem == EMFILE || problem == ENFILE ||
           problem == ENOBUFS || problem == ENOMEM || problem == EPERM || problem == EPROTO;
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
    socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
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
        ::getsockname(socket_, address, &size) != 0)
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
        while (threads.size() + 1 < clients) threads.emplace_back([this] { accept_clients(); });
    } catch (const std::system_error&) {
        // Continue with fewer threads.
    }
    accept_clients();
    for (auto& thread : threads) thread.join();
}

void Server::accept_clients() {
    using namespace std::chrono_literals;
    for (;;) {
        std::unique_lock turn(accepting_);  // so that connections are known in the order in which they came
        const int client = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
        if (client >= 0) {
            const int yes = 1;
            (void)::setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
            Connection connection(client, limits_);
            UntrustedConnections::Place place(untrusted_, client);
            turn.unlock();
            serve(connection, place);
        } else if (is_passing(errno)) {
            turn.unlock();
            std::this_thread::sleep_for(20ms);
        } else {
            return;
        }
    }
}

void Server::serve(Connection& connection, UntrustedConnections::Place& place) {
    try {
        while (const auto request = connection.read_head()) {
            if (!request->head) {
                (void)send(connection, {.status = "400 Bad Request"});
                return;
            }
            if (!answer(connection, *request->head, place)) return;
        }
    } catch (const std::exception&) {
        // Out of memory: drop the request.
    }
}

bool Server::answer(Connection& connection, const RequestHead& head, UntrustedConnections::Place& place) {
    const bool takes_gzip = head.takes_gzip();
    Response response;
    std::string text;  // that the response refers to
    const auto host = head.header("host");
    const auto origin = head.header("origin");
    const auto type = head.header("content-type").value_or("");
    const auto route = access_.route({.method = head.method,
                                      .target = head.target,
                                      .host = host,
                                      .origin = origin,
                                      .content_type = type,
                                      .is_encoded = head.header("content-encoding").has_value()});
    if (route != Route::not_found) place.trust();
    switch (route) {
        case Route::page:
            response = page(takes_gzip);
            break;
        case Route::one_time_link:
            if (!is_one_time_token_used_.exchange(true))
                response = {.status = "303 See Other", .location = "/" + access_.token + "/"};
            break;
        case Route::ask: {
            const auto size = head.body_size();
            if (!size || *size > limits_.body_bytes) {
                response.status = size ? "413 Payload Too Large" : "400 Bad Request";
                break;
            }
            const auto question = connection.read_body(static_cast<std::size_t>(*size));
            if (!question) return false;
            text = site_.answer(*question, [&] { return connection.is_client_there(); });
            response = {.status = "200 OK", .type = json, .is_gzipped = takes_gzip && text.size() >= large};
            if (response.is_gzipped) text = gzipped(text);
            response.body = text;
            break;
        }
        case Route::not_found:
            break;
    }
    // After an unread body the connection cannot be reused.
    const bool has_unread_body = head.method != "POST" && head.body_size() != 0;
    response.is_last = !head.keeps_connection() || response.status.starts_with('4') || has_unread_body;
    return send(connection, response) && !response.is_last;
}

Server::Response Server::page(bool takes_gzip) const {
    return {.status = "200 OK",
            .type = html,
            .body = takes_gzip ? gzipped_page_ : site_.page,
            .is_gzipped = takes_gzip,
            .policy = site_.policy};
}

bool Server::send(Connection& connection, const Response& response) const {
    auto head = fmt::format(
        "HTTP/1.1 {}\r\nContent-Length: {}\r\nCache-Control: no-store\r\nContent-Security-Policy: {}\r\n"
        "Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Resource-Policy: same-origin\r\n"
        "Referrer-Policy: no-referrer\r\nX-Content-Type-Options: nosniff\r\n",
        response.status, response.body.size(), response.policy);
    if (!response.type.empty()) head += fmt::format("Content-Type: {}\r\n", response.type);
    if (response.is_gzipped) head += "Content-Encoding: gzip\r\n";
    if (!response.location.empty()) head += fmt::format("Location: {}\r\n", response.location);
    head += response.is_last ? "Connection: close\r\n\r\n" : "Connection: keep-alive\r\n\r\n";
    return connection.write(head, response.body);
}

}  // namespace callcost::program
