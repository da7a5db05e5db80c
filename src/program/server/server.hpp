/// A page and the answers to its questions, over HTTP, for this machine only and for whoever knows the
/// address.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "server/connection.hpp"
#include "server/door.hpp"
#include <callcost/error.hpp>

namespace callcost::program {

/// Whether whoever has asked is still there.
using IsWanted = std::function<bool()>;

struct Site {
    std::string page;    ///< HTML
    std::string policy;  ///< what it may do: its Content-Security-Policy
    /// The answer to a question, both JSON. Is called from several threads.
    std::function<std::string(std::string_view question, const IsWanted& is_wanted)> answer;
};

class Server {
  public:
    explicit Server(Site site);
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    ~Server();

    /// On 127.0.0.1; port 0: on any that is free. Error: cannot_open, with the reason as `detail`.
    [[nodiscard]] Result<void> listen(std::uint16_t port);
    [[nodiscard]] std::uint16_t port() const { return door_.port; }
    /// Of the page: for the person who has started us.
    [[nodiscard]] std::string address() const;
    /// Leads to the page once: for a browser, whose command line everybody on the machine can read.
    [[nodiscard]] std::string invitation() const;

    /// Serves, with threads of its own besides this one. Comes back only if the system accepts no
    /// connections.
    void run();

  private:
    void accept_clients();
    void serve(Connection& connection);
    /// True if the connection may be used again.
    bool answer(Connection& connection, const RequestHead& head);
    struct Response;
    [[nodiscard]] Response page(bool takes_gzip) const;
    [[nodiscard]] bool send(Connection& connection, const Response& response) const;

    const Site site_;
    const std::string gzipped_page_;
    const Limits limits_;
    Door door_;
    int socket_ = -1;
    std::atomic<bool> is_invitation_used_ = false;
};

}  // namespace callcost::program
