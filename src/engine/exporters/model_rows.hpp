/// The rows of a profile as files of rows have them (JSON, CSV): what a function is called, and what its cost
/// lines and calls come to, equal places added up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <callcost/call_graph.hpp>
#include <callcost/event_type.hpp>
#include <callcost/profile.hpp>

namespace callcost::engine {

/// With more event types than this, and none chosen, files of rows have the costs of one only: a hostile file
/// of 100 kB can have event types times functions by the hundred million.
constexpr std::size_t max_events = 32;

/// The chosen measures; if there are none all raw event types, or the default one where those are too many.
[[nodiscard]] std::vector<Measure> measures_of_rows(const CallGraph& graph,
                                                    const std::vector<Measure>& chosen);

/// A function's name without its context, and the context (F72): empty if there is none.
struct FunctionName {
    std::string_view name;
    std::string_view context;
};
[[nodiscard]] FunctionName function_name(const CallGraph& graph, const ContextNames& contexts, NodeId node);

/// Nothing for measures that are not additive (F78), and in profiles without calls.
[[nodiscard]] std::optional<Cost> inclusive_cost(const CallGraph& graph, NodeId node, const Measure& measure);
[[nodiscard]] std::optional<Cost> arc_cost(const CallGraph& graph, ArcId arc, const Measure& measure);

/// A place in the source and the program, with the costs of the records there.
struct PlaceRow {
    NodeId callee;  ///< of a call; invalid for self cost
    FileId file;
    std::uint64_t line = 0;       ///< 0 = not known (F79)
    std::uint64_t address = 0;    ///< 0 = not known
    CallCount count;              ///< of a call
    std::span<const Cost> costs;  ///< by measure; valid until the next function is asked for
};

/// Decodes the records of one function after the other, those of the graph's parts.
class PlaceRows {
  public:
    enum class Kind : std::uint8_t { lines, calls };

    /// Needs a profile with Detail::full: there are no rows otherwise.
    PlaceRows(const CallGraph& graph, std::span<const Measure> measures);

    /// Lines by file, line, address; calls by callee first. Places are different if any of that is.
    [[nodiscard]] std::span<const PlaceRow> of(NodeId node, Kind kind);

  private:
    struct Cell {
        std::size_t column;
        std::size_t measure;
        std::int64_t factor;
    };
    struct Use {
        EventId event;
        std::size_t measure;
        std::int64_t factor;
    };

    void read(FunctionId function, Record::Kind kind);
    void merge();
    [[nodiscard]] const std::vector<Cell>& cells(PartId part);

    CallGraph graph_;
    std::size_t width_;                                            // measures
    std::vector<Use> uses_;                                        // by event
    std::unordered_map<const EventId*, std::vector<Cell>> cells_;  // by where the `events:` line is kept
    std::vector<bool> chosen_parts_;                               // by part
    std::vector<std::size_t> starts_;  // by node: where its functions are in the next one
    std::vector<FunctionId> functions_;
    std::vector<PlaceRow> rows_;
    std::vector<Cost> read_costs_;  // by record and measure
    std::vector<Cost> costs_;       // by row and measure
};

}  // namespace callcost::engine
