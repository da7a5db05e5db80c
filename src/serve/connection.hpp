/// One client's connection, with limits that no client can stretch: how long a request may take to arrive, how long
/// it may be, and how long the client may take to read the answer.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <string>

#include <httplib.h>

namespace callcost::serve {

struct Limits {
    std::chrono::milliseconds idle{5'000};       ///< between requests
    std::chrono::milliseconds request{10'000};   ///< from its first byte to its last
    std::chrono::milliseconds answer{120'000};   ///< the same
    std::size_t request_bytes = 320 * 1024;      ///< with its headers
};

class Connection final : public httplib::Stream {
  public:
    /// Closes the socket in the end.
    Connection(int socket, const Limits& limits);
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection() override;

    /// Waits for the first byte of a request, which has all limits before it. False: there will be none.
    [[nodiscard]] bool wait_for_request();
    /// Whether the client still waits for an answer, as far as the system knows.
    [[nodiscard]] bool is_client_there() const;

    [[nodiscard]] bool is_readable() const override { return true; }
    [[nodiscard]] bool is_writable() const override { return true; }
    ssize_t read(char* to, std::size_t size) override;
    ssize_t write(const char* bytes, std::size_t size) override;
    void get_remote_ip_and_port(std::string& ip, int& port) const override;
    void get_local_ip_and_port(std::string& ip, int& port) const override;
    [[nodiscard]] socket_t socket() const override { return socket_; }

  private:
    using Clock = std::chrono::steady_clock;

    /// Whether the socket is ready for that before the deadline.
    [[nodiscard]] bool wait_for(short what, Clock::time_point deadline) const;
    bool fill();

    int socket_;
    const Limits& limits_;
    bool is_over_ = false;     // nothing more can be read
    bool is_answering_ = false;
    std::size_t bytes_left_ = 0;
    Clock::time_point deadline_;
    std::array<char, 16'384> buffer_{};
    std::size_t begin_ = 0, end_ = 0;  // of what is in it
};

}  // namespace callcost::serve
