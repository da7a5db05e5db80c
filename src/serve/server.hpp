/// A page and the answers to its questions, over HTTP, for this machine only and for whoever knows the address.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "serve/door.hpp"
#include <callcost/error.hpp>

namespace callcost::serve {

/// Whether whoever has asked is still there.
using IsWanted = std::function<bool()>;

struct Site {
    std::string page;    ///< HTML
    std::string policy;  ///< what the page may do: its Content-Security-Policy
    /// The answer to a question, both JSON. Is called from several threads.
    std::function<std::string(std::string_view question, const IsWanted& is_wanted)> answer;
};

class Server {
  public:
    /// Listens on 127.0.0.1; port 0: on any that is free. Error: cannot_open, with the reason as `detail`.
    [[nodiscard]] static Result<Server> open(Site site, std::uint16_t port);
    Server(Server&&) noexcept;
    Server& operator=(Server&&) noexcept;
    ~Server();

    [[nodiscard]] std::uint16_t port() const;
    /// Of the page: for the person who has started us.
    [[nodiscard]] std::string address() const;
    /// Leads to the page once: for a browser, whose command line everybody on the machine can read.
    [[nodiscard]] std::string invitation() const;

    /// Serves until stop(). False: it has ended otherwise.
    bool run();
    /// From any thread.
    void stop();

  private:
    struct State;
    explicit Server(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace callcost::serve
