/// A page that is served while this process does something else: the server, and the browser.
#pragma once

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "server/server.hpp"
#include "terminal/terminal.hpp"

namespace callcost::program {

/// What ends us, held back until somebody waits for it.
class EndSignals {
  public:
    EndSignals();

    [[nodiscard]] int wait() const;
    /// Ends us as if nobody had waited.
    void end_by(int signal) const;

  private:
    sigset_t signals_{};
};

/// At once, whatever is being read or answered: there is nothing that would have to be put away.
[[noreturn]] void end_process(int exit_status);

/// Its threads go on until the process ends, so it must not go before: end_process().
class PageService {
  public:
    explicit PageService(const Console& console) : console_(console) {}

    /// What there is besides a profile, for the page: docs/protocol.md.
    enum class History : std::uint8_t { none, beside, first };

    /// What is wrong is said.
    [[nodiscard]] bool listen(std::uint16_t port, History history = History::none);
    /// Answers questions by `answer`, and has `read` read what that answers from, in threads that no signal
    /// reaches.
    void start(std::function<std::string(std::string_view question, const IsWanted& is_wanted)> answer,
               std::function<void()> read, std::function<void()> on_server_end);
    [[nodiscard]] std::string address() const { return server_->address(); }
    /// The address and what to do with it. False if it could not be written.
    [[nodiscard]] bool announce(std::FILE* file, bool opens_browser);
    /// Removes what the browser was started with.
    void close();
    /// end_process(), without leaving anything.
    [[noreturn]] void end(int exit_status);

  private:
    const Console console_;
    std::function<std::string(std::string_view, const IsWanted&)> answer_;
    std::optional<Server> server_;
    std::mutex mutex_;
    std::string redirect_;  // the file, if there is one; under the mutex
};

}  // namespace callcost::program
