/// A client connection with fixed limits: time to receive a request, its size, and time to send the answer.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "server/request.hpp"

namespace callcost::program {

struct Limits {
    std::chrono::milliseconds idle{5'000};      ///< between requests
    std::chrono::milliseconds request{10'000};  ///< from its first byte to its last
    std::chrono::milliseconds answer{120'000};  ///< the same
    std::size_t head_bytes = 16 * 1024;
    std::size_t body_bytes = 256 * 1024;
};

class Connection {
  public:
    /// Owns the socket.
    Connection(int socket, const Limits& limits) : socket_(socket), limits_(limits) {}
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection();

    /// Waits for a request. Empty on timeout; an empty head means a malformed request.
    struct Head {
        std::optional<RequestHead> head;
    };
    [[nodiscard]] std::optional<Head> read_head();
    /// The body after the head; empty on timeout.
    [[nodiscard]] std::optional<std::string> read_body(std::size_t size);
    /// False if the client does not accept the data.
    [[nodiscard]] bool write(std::string_view head, std::string_view body);
    /// Whether the client still waits for an answer, as far as the system knows.
    [[nodiscard]] bool is_client_there() const;

  private:
    using Clock = std::chrono::steady_clock;

    /// Whether the socket becomes ready before the deadline.
    [[nodiscard]] bool wait_for(short what) const;
    /// Receives more data. False at the end.
    bool receive();
    bool send(std::string_view bytes, int flags);

    int socket_;
    const Limits& limits_;
    Clock::time_point deadline_;
    std::string received_;  // not yet consumed
};

}  // namespace callcost::program
