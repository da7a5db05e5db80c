/// Lists of functions by their cost, as text and as JSON, and the columns and members that all lists of costs
/// share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "render/csv.hpp"
#include "render/json.hpp"
#include "render/style.hpp"
#include "render/table.hpp"
#include <callcost/call_graph.hpp>

namespace callcost::render {

/// What filters leave of the total, to be said wherever they are used.
struct FilterNote {
    std::string filters;  ///< in words: `focus 'malloc'`
    const Filtered* filtered = nullptr;
};
void write_filter_note(std::string& out, const CallGraph& graph, const Measure& measure,
                       const FilterNote& note, const Style& style);

/// Which profile, which command, the total; and why something is missing that one would expect.
void write_heading(std::string& out, const CallGraph& graph, const Measure& measure, const Style& style);

/// The rows, and one for what was left out, so that the self costs add up to the total. `advice` says how to
/// see all.
void write_function_table(std::string& out, const CallGraph& graph, const Measure& measure,
                          const FunctionList& list, const std::vector<std::string>& advice,
                          const Style& style, const Filtered* filtered = nullptr);

/// Self cost and share, inclusive cost and share, calls: the columns that lists of functions, groups and
/// cycles begin with, as far as the profile and the measure have them.
class CostColumns {
  public:
    CostColumns(const CallGraph& graph, const Measure& measure, const Style& style);

    struct Row {
        std::int64_t self = 0;
        std::int64_t inclusive = 0;
        CallCount called;
        bool self_at_most = false;  ///< a filter keeps some of it, not known how much
        bool inclusive_at_most = false;
    };
    [[nodiscard]] std::vector<Column> columns(std::string title_of_last) const;
    [[nodiscard]] std::vector<Cell> cells(const Row& row, Cell last) const;
    [[nodiscard]] std::vector<Cell> cells_of_rest(std::int64_t self, Cell last) const;
    /// A share of the total; empty if the measure has none.
    [[nodiscard]] std::string share(std::int64_t part) const;

  private:
    Style style_;
    bool additive_;
    bool shares_;
    bool bars_;
    bool inclusive_;
    bool calls_;
    std::int64_t base_;
};

/// What stands before a cost of which a filter keeps an unknown part.
[[nodiscard]] std::string at_most(const Style& style);

/// From this share of the total on, a row is hot.
[[nodiscard]] bool is_hot(std::int64_t part, std::int64_t whole);

/// Where a function is from, as far as the profile knows, from `src/small.cpp [/lib/libc.so.6]` to
/// `small.cpp`.
[[nodiscard]] std::vector<std::string> location_texts(const CallGraph& graph, NodeId node);

// --- JSON -------------------------------------------------------------------------------------------------

/// `"event"`, `"events"`, `"total"`: what all lists of costs begin with.
void write_measures(JsonWriter& json, const CallGraph& graph, const Measure& measure,
                    const std::vector<Measure>& measures);

/// `NAME: [...]`, then `"omitted": {...}`.
void write_function_rows(JsonWriter& json, std::string_view name, const CallGraph& graph,
                         const FunctionList& list, const std::vector<Measure>& measures,
                         const Filtered* filtered = nullptr);

/// `"omitted": {...}`: what the rows leave out of the total, for every measure (promise 4).
void write_omitted(JsonWriter& json, const CallGraph& graph, const FunctionList& list,
                   const std::vector<Measure>& measures);

/// The members of a row of functions: its identity, costs, calls and cycle.
void write_function_members(JsonWriter& json, const CallGraph& graph, const ContextNames& contexts,
                            NodeId node, const std::vector<Measure>& measures);

/// `"function"`, `"file"`, `"object"`, `"context"`.
void write_function_identity(JsonWriter& json, const CallGraph& graph, const ContextNames& contexts,
                             NodeId node);

/// `NAME: {"Ir": 1, ...}` with the cost that `cost_of` gives for each measure, null for none.
template <class CostOf>
void write_costs(JsonWriter& json, std::string_view name, const std::vector<Measure>& measures,
                 CostOf cost_of) {
    json.key(name);
    json.begin_object();
    for (const auto& measure : measures) {
        const std::optional<std::int64_t> cost = cost_of(measure);
        if (measures.size() <= most_costs_with_zeros || cost.value_or(0) != 0)
            json.member(measure.name, cost);
    }
    json.end_object();
}

/// A header and a row per function.
void write_function_rows(CsvWriter& csv, const CallGraph& graph, const FunctionList& list,
                         const std::vector<Measure>& measures, const Filtered* filtered = nullptr);

/// A number of calls, or null if none is known (F57) or the profile has no calls at all.
[[nodiscard]] std::optional<std::uint64_t> known_calls(const CallGraph& graph, const CallCount& count);
/// Cycles count from 1; null for none.
[[nodiscard]] std::optional<std::uint64_t> cycle_number(CycleId cycle);

}  // namespace callcost::render
