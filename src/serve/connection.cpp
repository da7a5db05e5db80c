#include "serve/connection.hpp"

#include <algorithm>
#include <cerrno>
#include <limits>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace callcost::serve {

Connection::Connection(int socket, const Limits& limits) : socket_(socket), limits_(limits) {
    fcntl(socket_, F_SETFD, FD_CLOEXEC);  // it is no business of the programs that we start
}

Connection::~Connection() {
    // What the client has sent and nobody has read would make close() a reset, which may cost it the answer.
    ::shutdown(socket_, SHUT_WR);
    for (int most = 64; most > 0 && ::recv(socket_, buffer_.data(), buffer_.size(), MSG_DONTWAIT) > 0; --most) {
    }
    ::close(socket_);
}

bool Connection::wait_for(short what, Clock::time_point deadline) const {
    for (;;) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
        pollfd wanted{socket_, what, 0};
        const int ready = ::poll(&wanted, 1, static_cast<int>(std::clamp<std::int64_t>(left, 0, 1'000'000)));
        if (ready > 0) return true;
        if (ready == 0 || errno != EINTR) return false;
    }
}

bool Connection::wait_for_request() {
    is_answering_ = false;
    bytes_left_ = limits_.request_bytes;
    deadline_ = Clock::now() + limits_.idle;
    if (is_over_ || (begin_ == end_ && !fill())) return false;
    deadline_ = Clock::now() + limits_.request;
    return true;
}

bool Connection::fill() {
    if (is_over_ || bytes_left_ == 0 || !wait_for(POLLIN, deadline_)) {
        is_over_ = true;
        return false;
    }
    const auto count = ::recv(socket_, buffer_.data(), std::min(buffer_.size(), bytes_left_), 0);
    is_over_ = count <= 0;
    begin_ = 0;
    end_ = is_over_ ? 0 : static_cast<std::size_t>(count);
    bytes_left_ -= end_;
    return !is_over_;
}

ssize_t Connection::read(char* to, std::size_t size) {
    if (begin_ == end_ && !fill()) return -1;
    const auto count = std::min(size, end_ - begin_);
    std::copy_n(buffer_.data() + begin_, count, to);
    begin_ += count;
    return static_cast<ssize_t>(count);
}

ssize_t Connection::write(const char* bytes, std::size_t size) {
    if (!is_answering_) deadline_ = Clock::now() + limits_.answer;
    is_answering_ = true;
    if (!wait_for(POLLOUT, deadline_)) return -1;
    return ::send(socket_, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
}

bool Connection::is_client_there() const {
    pollfd wanted{socket_, POLLRDHUP, 0};
    return ::poll(&wanted, 1, 0) == 0;
}

void Connection::get_remote_ip_and_port(std::string& ip, int& port) const { get_local_ip_and_port(ip, port); }

void Connection::get_local_ip_and_port(std::string& ip, int& port) const {
    ip = "127.0.0.1";  // there is no other
    port = 0;
}

}  // namespace callcost::serve
