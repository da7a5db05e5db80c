/// One client's connection, with limits that no client can stretch: how long a request may take to arrive,
/// how long it may be, and how long the client may take to read the answer.
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
    /// Closes the socket in the end.
    Connection(int socket, const Limits& limits) : socket_(socket), limits_(limits) {}
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection();

    /// Waits for a request. Nothing if none comes in time; a head is nothing if what comes is none.
    struct Head {
        std::optional<RequestHead> head;
    };
    [[nodiscard]] std::optional<Head> read_head();
    /// The body behind the head; nothing if it does not come in time.
    [[nodiscard]] std::optional<std::string> read_body(std::size_t size);
    /// False if the client does not take it.
    [[nodiscard]] bool write(std::string_view head, std::string_view body);
    /// Whether the client still waits for an answer, as far as the system knows.
    [[nodiscard]] bool is_client_there() const;

  private:
    using Clock = std::chrono::steady_clock;

    /// Whether the socket is ready for that before the deadline.
    [[nodiscard]] bool wait_for(short what) const;
    /// More of what the client sends. False if there is no more.
    bool receive();
    bool send(std::string_view bytes, int flags);

    int socket_;
    const Limits& limits_;
    Clock::time_point deadline_;
    std::string received_;  // and not yet used
};

}  // namespace callcost::program
