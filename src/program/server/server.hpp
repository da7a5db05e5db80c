/// Serves a page and the answers to its questions over HTTP on 127.0.0.1, protected by a random token.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "server/access_policy.hpp"
#include "server/connection.hpp"
#include "server/waiting_connections.hpp"
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
    /// Redirects to the page once, and only programs of this user: for the command line of a browser, which
    /// other users can read.
    [[nodiscard]] std::string one_time_address() const;

    /// Serves on this and its own threads. Returns only if the system accepts no more connections.
    void run();

  private:
    /// A request with the token.
    struct Request {
        std::unique_ptr<Connection> connection;
        RequestHead head;
        Route route;
    };
    struct Response;

    /// Takes requests until there are no more connections; refuses those without the token.
    void take_requests();
    void take(std::unique_ptr<Connection> connection);
    /// Serves what was taken, in a thread of its own.
    void serve_requests();
    [[nodiscard]] std::optional<Request> wait_for_request();
    /// True if the connection can be reused.
    bool answer(Connection& connection, const RequestHead& head, Route route);
    [[nodiscard]] Response page(bool takes_gzip) const;

    const Site site_;
    const std::string gzipped_page_;
    const Limits limits_;
    AccessPolicy access_;
    WaitingConnections waiting_{limits_};
    int socket_ = -1;
    bool is_one_time_token_used_ = false;

    std::mutex mutex_;  // of what follows
    std::condition_variable changed_;
    std::deque<Request> requests_;
    bool is_over_ = false;
};

}  // namespace callcost::program
