#include "server/waiting_connections.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <thread>
#include <utility>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

namespace callcost::program {
namespace {

bool is_passing(int problem) {
    return problem == EINTR || problem == ECONNABORTED || problem == ENOBUFS || problem == ENOMEM ||
           problem == EPERM || problem == EPROTO;
}

}  // namespace

WaitingConnections::~WaitingConnections() {
    if (bell_ >= 0) ::close(bell_);
}

bool WaitingConnections::open(int listening_socket) {
    listening_ = listening_socket;
    bell_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return bell_ >= 0;
}

void WaitingConnections::give_back(std::unique_ptr<Connection> connection) {
    connection->expect_request();
    const std::lock_guard lock(mutex_);
    back_.push_back(std::move(connection));
    const std::uint64_t one = 1;
    (void)!::write(bell_, &one, sizeof one);
}

std::unique_ptr<Connection> WaitingConnections::next() {
    while (ready_.empty()) {
        take_back();
        if (!ready_.empty()) break;
        receive_some();
        if (!accept_some()) return nullptr;
    }
    auto connection = std::move(ready_.front());
    ready_.pop_front();
    return connection;
}

void WaitingConnections::take_back() {
    std::vector<std::unique_ptr<Connection>> back;
    {
        const std::lock_guard lock(mutex_);
        std::uint64_t count = 0;
        (void)!::read(bell_, &count, sizeof count);
        back.swap(back_);
    }
    for (auto& connection : back) add(std::move(connection));
}

/// What has been sent right after connecting is there already.
void WaitingConnections::add(std::unique_ptr<Connection> connection) {
    switch (connection->receive_head()) {
        case Connection::Arrived::head:
            ready_.push_back(std::move(connection));
            break;
        case Connection::Arrived::part:
            if (waiting_.size() >= most) end_one();
            waiting_.push_back(std::move(connection));
            break;
        case Connection::Arrived::end:
            break;
    }
}

/// False if there will be no more.
bool WaitingConnections::accept_some() {
    for (int left = 64; left > 0; --left) {
        const int client = ::accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
        if (client >= 0) {
            const int yes = 1;
            (void)::setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
            auto connection = std::make_unique<Connection>(client, limits_);
            connection->expect_request();
            add(std::move(connection));
        } else if (errno == EAGAIN) {
            break;
        } else if (errno == EMFILE || errno == ENFILE) {
            if (waiting_.empty()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
            end_one();
        } else if (!is_passing(errno)) {
            return false;
        }
    }
    return true;
}

/// Waits until something has come, somewhere, or one of them has taken too long.
void WaitingConnections::receive_some() {
    std::erase(waiting_, nullptr);  // if there was no memory the last time
    std::vector<pollfd> sockets{{listening_, POLLIN, 0}, {bell_, POLLIN, 0}};
    auto first_deadline = Clock::time_point::max();
    for (const auto& connection : waiting_) {
        sockets.push_back({connection->socket(), POLLIN, 0});
        first_deadline = std::min(first_deadline, connection->deadline());
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(first_deadline - Clock::now()).count();
    const auto milliseconds =
        waiting_.empty() ? -1 : static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000));
    if (::poll(sockets.data(), sockets.size(), milliseconds) < 0) return;
    const auto now = Clock::now();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
        auto& connection = waiting_[i];
        const auto arrived =
            sockets[i + 2].revents == 0 ? Connection::Arrived::part : connection->receive_head();
        if (arrived == Connection::Arrived::head) {
            ready_.push_back(std::move(connection));
        } else if (arrived == Connection::Arrived::end || connection->deadline() <= now) {
            connection.reset();
        } else {
            std::swap(waiting_[kept++], connection);
        }
    }
    waiting_.resize(kept);
}

void WaitingConnections::end_one() {
    auto place = std::find_if(waiting_.begin(), waiting_.end(),
                              [](const auto& connection) { return !connection->is_trusted(); });
    if (place == waiting_.end()) place = waiting_.begin();
    if (place == waiting_.end()) return;
    // What has come meanwhile counts.
    if ((*place)->receive_head() == Connection::Arrived::head) ready_.push_back(std::move(*place));
    waiting_.erase(place);
}

}  // namespace callcost::program
