/// The callers and callees of functions, as `peek` and `annotate --tree` show them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "answers/neighbours.hpp"
#include "terminal/text_table.hpp"
#include "text/json.hpp"
#include "text/style.hpp"
#include <callcost/lines.hpp>

namespace callcost::program {

/// The callers or the callees of one function.
struct NeighbourList {
    std::vector<engine::Neighbour> shown;      ///< most expensive first
    std::vector<std::vector<CallSite>> sites;  ///< of those, where the calls are made; empty if not requested
    engine::Neighbours::Rest rest;             ///< of the others
};

/// Of one function.
struct NeighbourLists {
    NeighbourList callers, callees;
};

/// Function names with marks (recursive, cycle), and the explanations of the marks used.
class NeighbourNames {
  public:
    NeighbourNames(const CallGraph& graph, const engine::Style& style)
        : graph_(graph), contexts_(graph.profile()), style_(style) {}

    /// With the number of its cycle.
    [[nodiscard]] NameText function(NodeId node);
    /// Preceded by a mark for caller or callee.
    [[nodiscard]] Cell neighbour(const engine::Neighbour& neighbour, std::string_view mark);
    /// Explains the marks that were used.
    void write_explanations(std::string& out) const;

  private:
    const CallGraph& graph_;
    ContextNames contexts_;
    const engine::Style& style_;
    bool is_counted_again_ = false;
    bool has_cycles_ = false;
};

/// The row for omitted neighbours.
[[nodiscard]] Cell omitted_neighbours(const NeighbourList& neighbours, std::string_view noun,
                                      const engine::Style& style);

/// Writes callers and callees as members of a function's object.
class NeighbourWriter {
  public:
    /// Costs of arcs by `measures`, those of call sites and of what is omitted by `measure`.
    NeighbourWriter(engine::JsonWriter& json, const CallGraph& graph, const ContextNames& contexts,
                    const Measure& measure, const std::vector<Measure>& measures, engine::JsonLayout layout)
        : json_(json),
          graph_(graph),
          contexts_(contexts),
          measure_(measure),
          measures_(measures),
          layout_(layout) {}

    /// `NAME: [...]`, then `"omitted_NAME": {...}`.
    void write(std::string_view name, const NeighbourList& neighbours);
    /// `"per_call"`: null if not all calls are counted.
    void write_per_call(Cost cost, const CallCount& count);

  private:
    void write(const engine::Neighbour& neighbour, std::span<const CallSite> sites);
    void write(const CallSite& site);
    void write_inclusive(Cost cost);

    engine::JsonWriter& json_;
    const CallGraph& graph_;
    const ContextNames& contexts_;
    const Measure& measure_;
    const std::vector<Measure>& measures_;
    engine::JsonLayout layout_;
};

}  // namespace callcost::program
