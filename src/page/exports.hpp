/// What the page can give to other tools: the profile in their formats.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "answer/session.hpp"
#include <callcost/call_graph.hpp>

namespace callcost::page {

/// As answer::Surroundings wants them.
[[nodiscard]] std::vector<std::string> export_formats();
[[nodiscard]] tl::expected<answer::ExportedFile, std::string> write_export(std::string_view format,
                                                                           const CallGraph& graph,
                                                                           const Measure& measure);

}  // namespace callcost::page
