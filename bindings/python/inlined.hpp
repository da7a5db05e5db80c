/// Inlined code as functions: maps as Python has them, and what is known of places.
#pragma once

#include <cstddef>

#include <pybind11/pybind11.h>

#include "python/tables.hpp"
#include <callcost/call_graph.hpp>

namespace callcost::python {

/// By maps as docs/protocol.md has them in JSON: a list of dicts.
[[nodiscard]] CallGraph expand(const CallGraph& graph, const pybind11::list& maps);

/// Functions with inlined code: function, file; entries (-1: not known), cost of that code.
[[nodiscard]] Rows inlined_rows(const CallGraph& graph, const MeasureList& measures);
/// Where code is inlined: function, the one it is directly in, the one around it that is not inlined, file of
/// the call; its line, entries (-1: not known), self.
[[nodiscard]] Rows place_rows(const CallGraph& graph, const MeasureList& measures);

}  // namespace callcost::python
