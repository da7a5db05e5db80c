/// Where in the source the frames of estimated stacks are. A profile has the cost of every line and of every
/// call site, but not for every stack: the cost that stacks end with in a function is distributed among its
/// lines, and a frame that calls another is where most of those calls' cost is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "exporters/model_rows.hpp"
#include "exporters/stacks.hpp"

namespace callcost::engine {

/// Functions that inline from other files have a row of FunctionTable for each file.
struct SourceLine {
    std::uint32_t function = 0;  ///< row of FunctionTable
    std::uint64_t line = 0;      ///< 0 = not known (F79)
    friend auto operator<=>(const SourceLine&,
                            const SourceLine&) = default;  // NOLINT(modernize-use-nullptr)
};

/// The lines of one function and what is left of their costs.
class LinesOfFunction {
  public:
    struct Share {
        SourceLine line;
        std::span<const Cost> costs;  ///< by measure; valid until more are taken
    };
    /// Takes a stack's costs from the lines: in proportion to what is left there or, for fewer shares, from
    /// the most expensive line on. What no line has left is on the line 0. Either way every line gets exactly
    /// its cost over all stacks, if they have all of it.
    [[nodiscard]] std::span<const Share> take(std::span<const Cost> costs, bool in_proportion);
    [[nodiscard]] std::size_t size() const { return lines_.size(); }

  private:
    struct Taken {
        std::size_t row, measure;
        Cost cost;
    };

    friend class SourceLines;
    std::uint32_t function_ = 0;
    std::vector<SourceLine> lines_;   // most expensive by the first measure first
    std::vector<Cost> left_;          // by row and measure
    std::vector<std::size_t> first_;  // row with anything left, by measure
    std::vector<Taken> taken_;
    std::vector<Cost> taken_costs_;  // by share and measure
    std::vector<Share> shares_;
};

class SourceLines {
  public:
    /// Knows the functions that are in the table by now. Without Detail::full all lines are 0.
    SourceLines(const CallGraph& graph, std::span<const Measure> measures, FunctionTable& functions);

    [[nodiscard]] LinesOfFunction lines_of(std::uint32_t function);
    /// Of the caller.
    [[nodiscard]] SourceLine call_line(std::uint32_t caller, std::uint32_t callee) const;

  private:
    [[nodiscard]] SourceLine line_of(std::uint32_t function, const PlaceRow& place);
    void add_calls(std::uint32_t caller);

    const CallGraph& graph_;
    FunctionTable& functions_;
    std::size_t measures_;
    PlaceRows places_;
    std::vector<std::vector<NodeId>> nodes_;                                // by function
    std::vector<std::vector<std::pair<std::uint32_t, SourceLine>>> calls_;  // by caller; callees in order
};

}  // namespace callcost::engine
