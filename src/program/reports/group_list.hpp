/// Functions taken together: the cycles of a call graph, and groups by object, file, directory or namespace.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "query/filtered_groups.hpp"
#include "text/columns.hpp"
#include "text/style.hpp"
#include <callcost/call_graph.hpp>
#include <callcost/groups.hpp>

namespace callcost::program {

/// The most expensive cycles with their first members; nothing if there are none.
void write_cycles(std::string& out, const CallGraph& graph, const Measure& measure, std::size_t limit,
                  const engine::Style& style);
/// `"cycles": [...]`: all of them with all their members.
void write_cycles(engine::JsonWriter& json, const CallGraph& graph, const std::vector<Measure>& measures);

[[nodiscard]] std::string_view to_string(GroupBy by);
struct GroupTableOptions {
    std::vector<std::string> advice{};  ///< how to see what is omitted, the longest first
    bool is_filtered = false;
    SortBy by = SortBy::self;  ///< of the cost that sorts the table has the bounds
};
void write_group_table(std::string& out, const CallGraph& graph, const Measure& measure,
                       const engine::FilteredGroups& list, const GroupTableOptions& options,
                       const engine::Style& style);
/// What columns are made by must outlive them.
[[nodiscard]] engine::RowColumns<engine::FilteredGroup> group_columns(const CallGraph& graph,
                                                                      const std::vector<Measure>& measures,
                                                                      GroupBy by, bool is_filtered);

}  // namespace callcost::program
