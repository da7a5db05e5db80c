/// Which code of a profile was inlined as JSON: for pages and programs, which have no debug information.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <callcost/inlining.hpp>

namespace callcost::engine {

/// See docs/protocol.md. Empty if it would be more than 128 MB.
[[nodiscard]] std::string inline_maps_to_json(std::span<const InlineMap> maps);

/// Nothing if it is not of that form. Whether rows exist is not looked at: expand_inlined() does that.
[[nodiscard]] std::optional<std::vector<InlineMap>> inline_maps_from_json(std::string_view text);

}  // namespace callcost::engine
