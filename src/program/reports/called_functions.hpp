/// The callees of a line or an instruction.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "reports/cost_cells.hpp"
#include "text/json.hpp"
#include "text/style.hpp"
#include <callcost/lines.hpp>

namespace callcost::program {

/// The calls of one place to one function, by any caller.
struct CalledFunction {
    NodeId callee;
    CallCount count;
    Cost cost = 0;
    bool recursive = false;      ///< one of them is
    bool counted_again = false;  ///< so is some of their cost: it is in no sum and no share (F76)
};

/// Costliest first.
[[nodiscard]] std::vector<CalledFunction> called_functions(const CallGraph& graph,
                                                           std::span<const CallSite> sites);

/// `=> NAME (12x, recursive)` and where it is from, in `room` columns (0: as many as it takes).
[[nodiscard]] std::string call_text(const CallGraph& graph, const CalledFunction& called,
                                    const CostCells& cells, std::size_t room, const engine::Style& style);

/// `"calls": [...]`
void write_calls(engine::JsonWriter& json, const CallGraph& graph, const ContextNames& contexts,
                 const Measure& measure, std::span<const CallSite> sites);

}  // namespace callcost::program
