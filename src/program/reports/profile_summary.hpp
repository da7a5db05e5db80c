/// Summary of a profile for `info`: header fields, contents, totals, diagnostics.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "loading/inlined_code.hpp"
#include "loading/inputs.hpp"
#include "text/json.hpp"
#include "text/style.hpp"
#include <callcost/call_graph.hpp>
#include <callcost/error.hpp>
#include <callcost/event_type.hpp>

namespace callcost::program {

struct SummaryInput {
    const CallGraph& graph;
    const std::vector<Measure>& measures;
    const std::vector<Diagnostic>& diagnostics;
    std::optional<std::size_t> limit;     ///< parts to list; 0: all of them, and all event types
    std::optional<Measure> only;          ///< show this event type, or those that it is computed from
    const InlineMaps* inlined = nullptr;  ///< what is known about inlined code
    std::span<const std::optional<ImportedFile>> imported{};  ///< by source; those of other formats
};

void write_summary(std::string& out, const SummaryInput& input, const engine::Style& style);

/// The members of the schema callcost.info/1.
void write_summary(engine::JsonWriter& json, const SummaryInput& input);

}  // namespace callcost::program
