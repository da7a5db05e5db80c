/// Connections whose next request has not come whole. One thread waits for all of them: other users of the
/// machine can connect, but have no token, and so cannot take what serves requests.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "server/connection.hpp"

namespace callcost::program {

class WaitingConnections {
  public:
    /// How many wait at a time. If there are more, the oldest ends of those without the token, if there are
    /// any: whoever has just connected has time to send a request.
    static constexpr std::size_t most = 500;

    explicit WaitingConnections(const Limits& limits) : limits_(limits) {}
    WaitingConnections(const WaitingConnections&) = delete;
    WaitingConnections& operator=(const WaitingConnections&) = delete;
    ~WaitingConnections();

    /// What next() accepts connections from; it must not block. False if the system has no means to wait.
    [[nodiscard]] bool open(int listening_socket);
    /// One whose next head is there, in the order in which they came: it waits for it. Null if the system
    /// accepts no more connections.
    [[nodiscard]] std::unique_ptr<Connection> next();
    /// After an answer, from any thread.
    void give_back(std::unique_ptr<Connection> connection);

  private:
    using Clock = Connection::Clock;

    void add(std::unique_ptr<Connection> connection);
    void take_back();
    bool accept_some();
    void receive_some();
    void end_one();

    const Limits& limits_;
    int listening_ = -1;
    int bell_ = -1;                                     // an eventfd: some are back
    std::vector<std::unique_ptr<Connection>> waiting_;  // oldest first
    std::deque<std::unique_ptr<Connection>> ready_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Connection>> back_;  // under the mutex
};

}  // namespace callcost::program
