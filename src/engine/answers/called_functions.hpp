/// The functions that one place calls: a line, an instruction.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <vector>

#include <callcost/call_graph.hpp>
#include <callcost/lines.hpp>

namespace callcost::engine {

/// The calls of one place to one function, by any caller.
struct CalledFunction {
    NodeId callee;
    CallCount count;
    std::vector<Cost> cost;      ///< by column
    bool inlined = true;         ///< none is a call: the code is there
    bool recursive = false;      ///< one of them is
    bool counted_again = false;  ///< so is some of their cost: it is in no sum and no share (F76)
};
using CalledFunctions = std::map<NodeId, CalledFunction>;

/// Call sites know their cost by one measure, so there is a list of them for each column.
void add_calls(CalledFunctions& functions, const CallGraph& graph, std::span<const CallSite> sites,
               std::size_t column = 0, std::size_t columns = 1);

/// Most expensive first, by the first column.
[[nodiscard]] std::vector<CalledFunction> by_cost(const CallGraph& graph, const CalledFunctions& functions);
/// Those of one place, by one measure.
[[nodiscard]] std::vector<CalledFunction> called_functions(const CallGraph& graph,
                                                           std::span<const CallSite> sites);

}  // namespace callcost::engine
