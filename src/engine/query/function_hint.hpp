/// What to say to who names a function that a profile does not have.
#pragma once

#include <span>
#include <string>

#include <callcost/call_graph.hpp>

namespace callcost::engine {

/// `did you mean 'x'?` for the first pattern that no function matches and that is nearly the name of one, by
/// the own names of functions, without namespaces and parameters; else that patterns are case-sensitive.
[[nodiscard]] std::string function_hint(const CallGraph& graph, std::span<const std::string> patterns);

}  // namespace callcost::engine
