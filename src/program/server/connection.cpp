#include "server/connection.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace callcost::program {

Connection::~Connection() {
    // What the client has sent and nobody has read would make close() a reset, which may cost it the answer.
    ::shutdown(socket_, SHUT_WR);
    std::array<char, 16'384> rest{};
    for (int most = 64; most > 0 && ::recv(socket_, rest.data(), rest.size(), MSG_DONTWAIT) > 0; --most) {
    }
    ::close(socket_);
}

bool Connection::wait_for(short what) const {
    for (;;) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline_ - Clock::now()).count();
        pollfd wanted{socket_, what, 0};
        const int ready = ::poll(&wanted, 1, static_cast<int>(std::clamp<std::int64_t>(left, 0, 1'000'000)));
        if (ready > 0) return true;
        if (ready == 0 || errno != EINTR) return false;
    }
}

bool Connection::receive() {
    if (!wait_for(POLLIN)) return false;
    std::array<char, 16'384> buffer{};
    const auto count = ::recv(socket_, buffer.data(), buffer.size(), 0);
    if (count <= 0) return false;
    received_.append(buffer.data(), static_cast<std::size_t>(count));
    return true;
}

void Connection::expect_request() {
    deadline_ = Clock::now() + (received_.empty() ? limits_.idle : limits_.request);
    searched_ = 0;
}

bool Connection::has_head() {
    constexpr std::string_view head_end = "\r\n\r\n";
    const auto end = received_.find(head_end, searched_);
    searched_ = received_.size() - std::min(received_.size(), head_end.size() - 1);
    head_size_ = end == std::string::npos ? received_.size() : end + head_end.size();
    return end != std::string::npos || head_size_ > limits_.head_bytes;
}

Connection::Arrived Connection::receive_head() {
    std::array<char, 16'384> buffer{};
    for (;;) {
        if (has_head()) return Arrived::head;
        const auto count = ::recv(socket_, buffer.data(), buffer.size(), MSG_DONTWAIT);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && errno == EAGAIN) return Arrived::part;
        if (count <= 0) return Arrived::end;
        if (received_.empty()) deadline_ = Clock::now() + limits_.request;
        received_.append(buffer.data(), static_cast<std::size_t>(count));
    }
}

std::optional<RequestHead> Connection::take_head() {
    if (head_size_ > limits_.head_bytes) return std::nullopt;
    auto head = parse_head(std::string_view(received_).substr(0, head_size_));
    received_.erase(0, head_size_);
    return head;
}

std::optional<std::string> Connection::read_body(std::size_t size) {
    while (received_.size() < size)
        if (!receive()) return std::nullopt;
    auto body = received_.substr(0, size);
    received_.erase(0, size);
    return body;
}

bool Connection::write(std::string_view head, std::string_view body) {
    deadline_ = Clock::now() + limits_.answer;
    return send(head, body.empty() ? 0 : MSG_MORE) && send(body, 0);
}

bool Connection::send(std::string_view bytes, int flags) {
    while (!bytes.empty()) {
        if (!wait_for(POLLOUT)) return false;
        const auto count = ::send(socket_, bytes.data(), bytes.size(), flags | MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count < 0 && errno != EAGAIN && errno != EINTR) return false;
        if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

void Connection::write_at_once(std::string_view head) const {
    (void)::send(socket_, head.data(), head.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

bool Connection::is_client_there() const {
    pollfd wanted{socket_, POLLRDHUP, 0};
    return ::poll(&wanted, 1, 0) == 0;
}

}  // namespace callcost::program
