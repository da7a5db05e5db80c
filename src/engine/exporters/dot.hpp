/// The call graph as a picture: text in the DOT language of Graphviz, which `dot -Tsvg` and other programs
/// lay out.
#pragma once

#include <optional>

#include "exporters/pruned_graph.hpp"
#include <callcost/call_graph.hpp>
#include <callcost/error.hpp>
#include <callcost/event_type.hpp>
#include <callcost/source.hpp>

namespace callcost::engine {

struct DotOptions {
    std::optional<Measure> measure{};  ///< empty: default_measure()
    Pruning pruning{};
};

/// Functions are boxes with self and inclusive cost, larger and warmer the higher the self cost; calls are
/// arrows with inclusive cost and count, wider the higher the cost. Cycles are framed; calls within them have
/// no percentage (F76). Dashed arrows lead by way of functions that are omitted; they have no numbers, since
/// a call graph does not say how much cost went that way. A legend says what is measured and what is left
/// out. Names may hold any bytes. Errors: what the sink says.
[[nodiscard]] Result<void> write_dot(const CallGraph& graph, const DotOptions& options, const Sink& sink);

}  // namespace callcost::engine
