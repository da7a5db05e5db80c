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
    using Clock = std::chrono::steady_clock;

    /// Owns the socket.
    Connection(int socket, const Limits& limits) : socket_(socket), limits_(limits) {}
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection();

    [[nodiscard]] int socket() const { return socket_; }

    /// A new request may come.
    void expect_request();
    /// Takes what has arrived of the head, without waiting.
    enum class Arrived { part, head, end };
    [[nodiscard]] Arrived receive_head();
    /// When the request has to be there.
    [[nodiscard]] Clock::time_point deadline() const { return deadline_; }
    /// The head that has arrived. Empty if malformed or too long.
    [[nodiscard]] std::optional<RequestHead> take_head();

    /// The body after the head: waits for it. Empty on timeout.
    [[nodiscard]] std::optional<std::string> read_body(std::size_t size);
    /// False if the client does not accept the data.
    [[nodiscard]] bool write(std::string_view head, std::string_view body);
    /// A short answer, without waiting: what the client has no room for is not sent.
    void write_at_once(std::string_view head) const;
    /// Whether the client still waits for an answer, as far as the system knows.
    [[nodiscard]] bool is_client_there() const;

    /// A request with the token has come.
    void trust() { is_trusted_ = true; }
    [[nodiscard]] bool is_trusted() const { return is_trusted_; }

  private:
    /// Whether the socket becomes ready before the deadline.
    [[nodiscard]] bool wait_for(short what) const;
    /// Receives more data. False at the end.
    bool receive();
    bool send(std::string_view bytes, int flags);
    /// Whether the head is whole, or too long.
    bool has_head();

    int socket_;
    const Limits& limits_;
    Clock::time_point deadline_;
    std::string received_;      // not yet consumed
    std::size_t searched_ = 0;  // of it, for the end of the head
    std::size_t head_size_ = 0;
    bool is_trusted_ = false;
};

}  // namespace callcost::program
