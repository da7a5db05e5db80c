/// Where the cost is, in a few sentences of exact figures. docs/summary.md has the rules.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "text/style.hpp"
#include <callcost/call_graph.hpp>

namespace callcost::engine {

/// Text, or the name of something that can be looked at.
struct SummaryPiece {
    enum class Kind : std::uint8_t { text, function, cycle, line, cost };
    Kind kind = Kind::text;
    std::string text{};  ///< of a function its whole name, as bytes
    NodeId function{};
    CycleId cycle{};
    FileId file{};           ///< of a line
    std::uint64_t line = 0;  ///< its number
    Cost cost = 0;           ///< to be shown as a share of the total
};

using SummarySentence = std::vector<SummaryPiece>;

/// Empty where nothing adds up to a total: event types that are not additive, profiles without cost, and
/// differences, which have negative costs.
/// With `has_lines` the most expensive line is named, too, if the profile was read with Detail::full; all
/// records are looked at then.
[[nodiscard]] std::vector<SummarySentence> summarize(const CallGraph& graph, const Measure& measure,
                                                     bool has_lines = false);

/// The text of each piece for the page, sentence by sentence, in UTF-8: names of more than 60 characters are
/// shortened.
[[nodiscard]] std::vector<std::vector<std::string>> page_texts(const std::vector<SummarySentence>& summary);

/// A paragraph for each sentence, broken into lines; costs are percentages of the base, names of more than 60
/// columns are shortened.
[[nodiscard]] std::string to_text(const std::vector<SummarySentence>& summary, Cost base, const Style& style);

}  // namespace callcost::engine
