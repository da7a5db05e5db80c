/// Answers the questions of docs/protocol.md about one or two profiles, as JSON. For the server and
/// WebAssembly.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "host/host.hpp"
#include <callcost/call_graph.hpp>
#include <callcost/profile.hpp>

namespace callcost::engine {

/// A profile to ask about, and maybe one to compare it with. Keeps what it has computed for the last few
/// selections. One question at a time.
class Session {
  public:
    Session(Profile profile, std::optional<Profile> before, Host host);
    Session(Session&&) noexcept;
    Session& operator=(Session&&) noexcept;
    ~Session();

    /// A question and its answer, both JSON. Invalid questions get an error answer.
    [[nodiscard]] std::string answer(std::string_view question);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Of the profile whose graph it is. Files have their names without directories.
[[nodiscard]] Origin origin_of(const CallGraph& graph);

}  // namespace callcost::engine
