/// Display names of inputs.
#pragma once

#include <string>

#include <callcost/profile.hpp>

namespace callcost::engine {

[[nodiscard]] bool is_standard_input(const SourceInfo& source);
/// Its path, or "standard input".
[[nodiscard]] std::string source_name(const SourceInfo& source);

}  // namespace callcost::engine
