#include "server/untrusted_connections.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include <poll.h>
#include <sys/socket.h>

namespace callcost::program {
namespace {

/// Whether bytes have arrived that are still to be read: perhaps the token.
bool has_unread_bytes(int socket) {
    pollfd wanted{socket, POLLIN, 0};
    return ::poll(&wanted, 1, 0) > 0;
}

}  // namespace

void UntrustedConnections::add(int socket) {
    using namespace std::chrono_literals;
    std::unique_lock lock(mutex_);
    // What has arrived is read at once, unless the machine is very busy.
    for (int tries = 100; sockets_.size() >= most; --tries) {
        auto silent = std::find_if_not(sockets_.begin(), sockets_.end(), has_unread_bytes);
        if (silent == sockets_.end() && tries > 0) {
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
