/// The costs of a profile as an entry keeps them.
#pragma once

#include "history/store.hpp"
#include <callcost/call_graph.hpp>

namespace callcost::program {

/// Functions and costs by the event types that are recorded and add up. The graph, of folded contexts, must
/// outlive the entry.
void take_costs(const CallGraph& graph, NewEntry& entry);

}  // namespace callcost::program
