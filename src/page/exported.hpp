/// What the page gives its reader for other tools.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "answer/session.hpp"
#include <callcost/call_graph.hpp>

namespace callcost::page {

/// The formats that `exported` knows.
[[nodiscard]] std::vector<std::string> export_formats();

/// The profile under the selection of the graph, measured by `measure` first; the error is in words.
[[nodiscard]] tl::expected<answer::ExportedFile, std::string> exported(std::string_view format,
                                                                       const CallGraph& graph,
                                                                       const Measure& measure);

}  // namespace callcost::page
