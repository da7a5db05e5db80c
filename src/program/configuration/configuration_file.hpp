/// Where a project's callcost.toml is, and the one that a project begins with.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "configuration/configuration.hpp"

namespace callcost::program {

constexpr std::string_view configuration_name = "callcost.toml";

/// In the working directory or above it, up to the first directory with a .git; relative to the working
/// directory. Nothing if there is none. What another user has put into a directory that everybody may write
/// to, such as /tmp, does not count.
[[nodiscard]] std::optional<std::string> find_configuration();

/// The one that find_configuration() finds; empty without one.
[[nodiscard]] tl::expected<Configuration, ConfigurationError> read_configuration();

/// All that a file may say, as comments.
[[nodiscard]] std::string_view initial_configuration();

}  // namespace callcost::program
