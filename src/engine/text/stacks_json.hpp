/// Recorded call stacks as JSON: for reports, whose profile is in the Callgrind format, which has none.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <callcost/profile.hpp>
#include <callcost/tree.hpp>

namespace callcost::engine {

/// Of all sources together, those of files and those recorded beside them; empty if one of them has none, and
/// where it would be more than 128 MB. See docs/protocol.md.
[[nodiscard]] std::string stacks_to_json(const Profile& profile, const StacksOfSources& beside);

/// Of one source, with all of their event types.
[[nodiscard]] std::string stacks_to_json(const Stacks& stacks);

/// Null if it is not what stacks_to_json writes.
[[nodiscard]] std::shared_ptr<const Stacks> stacks_from_json(std::string_view text);

}  // namespace callcost::engine
