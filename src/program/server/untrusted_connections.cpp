#include "server/untrusted_connections.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include <linux/tcp.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

namespace callcost::program {
namespace {

/// Whether bytes have arrived that are still to be read: perhaps the token.
bool has_unread_bytes(int socket) {
    pollfd wanted{socket, POLLIN, 0};
    return ::poll(&wanted, 1, 0) > 0;
}
/// Whether any have: a thread may have just read the token.
bool has_sent_bytes(int socket) {
    tcp_info info{};
    socklen_t size = sizeof info;
    return ::getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 && info.tcpi_bytes_received > 0;
}

}  // namespace

void UntrustedConnections::add(int socket) {
    using namespace std::chrono_literals;
    std::unique_lock lock(mutex_);
    // What has arrived is read and answered at once, unless the machine is very busy: it gets some time, and
    // more of it if it is still to be read.
    for (int tries = 0; sockets_.size() >= most; ++tries) {
        constexpr int to_answer = 10, to_read = 100;
        const auto may_go = [&](int one) {
            return !has_unread_bytes(one) && (tries >= to_answer || !has_sent_bytes(one));
        };
        auto silent = std::find_if(sockets_.begin(), sockets_.end(), may_go);
        if (silent == sockets_.end() && tries < to_read) {
            lock.unlock();
            std::this_thread::sleep_for(5ms);
            lock.lock();
            continue;
        }
        if (silent == sockets_.end()) silent = sockets_.begin();
        ::shutdown(*silent, SHUT_RDWR);  // its thread closes it
        sockets_.erase(silent);
    }
    sockets_.push_back(socket);
}

void UntrustedConnections::remove(int socket) {
    const std::lock_guard lock(mutex_);
    std::erase(sockets_, socket);
}

}  // namespace callcost::program
