/// Names in JSON that have to be found in a profile again, byte by byte: a character of the JSON is a byte.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace callcost::engine {

[[nodiscard]] std::string characters_of(std::string_view bytes);

/// Nothing if there is a character that is no byte.
[[nodiscard]] std::optional<std::string> bytes_of(std::string_view characters);

}  // namespace callcost::engine
