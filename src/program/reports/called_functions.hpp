/// The callees of a line or an instruction.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "answers/called_functions.hpp"
#include "reports/cost_cells.hpp"
#include "text/json.hpp"
#include "text/style.hpp"
#include <callcost/lines.hpp>

namespace callcost::program {

/// `=> NAME (12x, recursive)` and where it is from, in `room` columns (0: as many as it takes).
[[nodiscard]] std::string call_text(const CallGraph& graph, const engine::CalledFunction& called,
                                    const CostCells& cells, std::size_t room, const engine::Style& style);

/// `"calls": [...]`
void write_calls(engine::JsonWriter& json, const CallGraph& graph, const ContextNames& contexts,
                 const Measure& measure, std::span<const CallSite> sites);

}  // namespace callcost::program
