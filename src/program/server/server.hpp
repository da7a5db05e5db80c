/// Serves a page and the answers to its questions over HTTP on 127.0.0.1, protected by a random token.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

#include "server/access_policy.hpp"
#include "server/connection.hpp"
#include "server/untrusted_connections.hpp"
#include <callcost/error.hpp>

namespace callcost::program {

/// Whether the client still waits for the answer.
using IsWanted = std::function<bool()>;

struct Site {
    std::string page;    ///< HTML
    std::string policy;  ///< its Content-Security-Policy
    /// Answers a question; both are JSON. Called from several threads.
    std::function<std::string(std::string_view question, const IsWanted& is_wanted)> answer;
};

class Server {
  public:
    explicit Server(Site site);
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    ~Server();

    /// Listens on 127.0.0.1; port 0 selects a free one. Error: cannot_open, with the reason as `detail`.
    [[nodiscard]] Result<void> listen(std::uint16_t port);
    [[nodiscard]] std::uint16_t port() const { return access_.port; }
    /// Address of the page, for the user who started the server.
    [[nodiscard]] std::string address() const;
    /// Redirects to the page once: for the command line of a browser, which other users can read.
    [[nodiscard]] std::string one_time_address() const;

    /// Serves on this and its own threads. Returns only if the system accepts no more connections.
    void run();

  private:
    void accept_clients();
    void serve(Connection& connection, UntrustedConnections::Place& place);
    /// True if the connection can be reused.
    bool answer(Connection& connection, const RequestHead& head, UntrustedConnections::Place& place);
    struct Response;
    [[nodiscard]] Response page(bool takes_gzip) const;
    [[nodiscard]] bool send(Connection& connection, const Response& response) const;

    const Site site_;
    const std::string gzipped_page_;
    const Limits limits_;
    AccessPolicy access_;
    std::mutex accepting_;
    UntrustedConnections untrusted_;
    int socket_ = -1;
    std::atomic<bool> is_one_time_token_used_ = false;
};

}  // namespace callcost::program
