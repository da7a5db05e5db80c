/// Where the cost is, in two to four sentences of exact figures. docs/summary.md has the rules.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "text/style.hpp"
#include <callcost/call_graph.hpp>

namespace callcost::engine {

/// Text, or the name of something that can be looked at.
struct SummaryPiece {
    enum class Kind : std::uint8_t { text, function, cycle };
    Kind kind = Kind::text;
    std::string text;  ///< of a function its whole name, as bytes
    NodeId function{};
    CycleId cycle{};
};

using SummarySentence = std::vector<SummaryPiece>;

/// Empty where nothing adds up to a total: event types that are not additive, profiles without cost, and
/// differences, which have negative costs.
[[nodiscard]] std::vector<SummarySentence> summarize(const CallGraph& graph, const Measure& measure);

/// A paragraph for each sentence, broken into lines; names of more than 60 columns are shortened.
[[nodiscard]] std::string to_text(const std::vector<SummarySentence>& summary, const Style& style);

}  // namespace callcost::engine
