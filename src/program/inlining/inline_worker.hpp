/// Debug information is read in a process of its own, with limits: a damaged file may end that, not us.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "inlining/inline_exchange.hpp"
#include <callcost/error.hpp>

namespace callcost::program {

/// The command line of that process is this program and this word.
inline constexpr std::string_view inline_worker_word = "read-inlined-code";

/// What that process does. Returns its exit status.
[[nodiscard]] int run_inline_worker();

/// Starts `program`, for each file that it fails at once more. A reply is missing if the file is damaged, or
/// takes too much time or memory. The error says why the program cannot be started.
[[nodiscard]] tl::expected<std::vector<std::optional<InlineReply>>, std::string> ask_inline_worker(
    const std::string& program, std::span<const InlineRequest> requests);

}  // namespace callcost::program
