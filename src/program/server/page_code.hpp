/// The machine code that a page holds for when there is no server.
#pragma once

#include <span>
#include <vector>

#include "host/embedded_code.hpp"
#include "sources/disassembler.hpp"
#include <callcost/call_graph.hpp>

namespace callcost::program {

/// That of the functions with 95 % of the self cost, most expensive first, or why there is none of one. Empty
/// without instruction addresses.
[[nodiscard]] std::vector<engine::EmbeddedFunction> code_of(const CallGraph& graph, const Measure& measure,
                                                            Disassembler& disassembler);
/// Of any of them.
[[nodiscard]] bool has_code(std::span<const engine::EmbeddedFunction> functions);

}  // namespace callcost::program
