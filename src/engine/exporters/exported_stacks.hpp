/// A profile as stacks for other tools: those recorded beside it, or estimated ones. The engine in a page has
/// this, too.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "host/host.hpp"
#include <callcost/call_graph.hpp>

namespace callcost::engine {

/// The formats that `exported_stacks` knows.
[[nodiscard]] std::vector<std::string> stack_formats();

/// The profile under the selection of the graph, measured by `measure` first; the error is in words.
[[nodiscard]] tl::expected<ExportedFile, std::string> exported_stacks(std::string_view format,
                                                                      const CallGraph& graph,
                                                                      const StacksOfSources& stacks,
                                                                      const Measure& measure);

}  // namespace callcost::engine
