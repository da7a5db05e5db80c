/// A profile as CSV or TSV, one row per function, arc or line: for spreadsheets, data frames and `join`.
#pragma once

#include <cstdint>
#include <vector>

#include "text/csv.hpp"
#include <callcost/call_graph.hpp>
#include <callcost/error.hpp>
#include <callcost/event_type.hpp>
#include <callcost/source.hpp>

namespace callcost::engine {

/// What a row is.
enum class TableRows : std::uint8_t {
    functions,  ///< function, file, object, context, called, cycle, `self_*`, `inclusive_*`
    arcs,       ///< caller and callee (with file, object, context), count, count_is_exact, recursive,
                ///< `inclusive_*`
    lines,      ///< function, file, object, context, source_file, line, address, `self_*`
};

struct TableOptions {
    TableRows rows = TableRows::functions;
    /// A column of costs for each; the first one sorts. Empty: all raw event types, or the default one where
    /// there are more than 32.
    std::vector<Measure> measures{};
    CsvFields fields = CsvFields::commas;
    CsvNames names = CsvNames::guarded;
};

/// Writes a header and all rows, by functions with the highest self cost first; the arcs of a caller by
/// inclusive cost, the lines of a function by place. Costs and counts are plain integers in the unit of the
/// event type. Nothing is omitted: `self_*` of all functions, and of all lines, add up to the total. Empty
/// fields are what is not known: no count, no context, line or address 0, inclusive cost where there is none.
/// Errors: needs_detail if lines are asked of a profile without them; what the sink says.
[[nodiscard]] Result<void> write_table(const CallGraph& graph, const TableOptions& options, const Sink& sink);

}  // namespace callcost::engine
