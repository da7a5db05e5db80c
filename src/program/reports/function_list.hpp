/// Lists of functions by their cost, as text and as JSON, and the columns and members that all lists of costs
/// share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/neighbour_list.hpp"
#include "terminal/text_table.hpp"
#include "text/csv.hpp"
#include "text/json.hpp"
#include "text/style.hpp"
#include <callcost/call_graph.hpp>
#include <callcost/tree.hpp>

namespace callcost::program {

/// What filters keep of costs, by measure; empty: there are none.
using CostsKept = std::function<const FilteredCosts&(const Measure&)>;

/// Writes profile, command, and totals of `measure` and the others, with notes on missing figures.
void write_heading(std::string& out, const CallGraph& graph, const Measure& measure,
                   const engine::Style& style, const std::vector<Measure>& others = {});

/// What a table of functions says besides the rows of its list.
struct FunctionTableOptions {
    std::vector<std::string> advice{};  ///< how to see what is omitted, the longest first
    CostsKept kept{};
    SortBy by = SortBy::self;      ///< of the cost that sorts the table has the bounds
    std::vector<Measure> shown{};  ///< see CostColumns
    /// By row of the list, to be listed before and after it; null: neither callers nor callees.
    const std::vector<NeighbourLists>* around = nullptr;
    std::function<void()> after_row{};  ///< see Table::write
};

/// The rows, and one for what was omitted, so that the self costs of the functions add up to the total.
void write_function_table(std::string& out, const CallGraph& graph, const Measure& measure,
                          const FunctionList& list, const FunctionTableOptions& options,
                          const engine::Style& style);

/// Self cost and share, inclusive cost and share, calls: the columns that lists of functions, groups and
/// cycles begin with, as far as the profile and the measure have them.
class CostColumns {
  public:
    enum class Bounds : std::uint8_t { none, of_self, of_inclusive };  ///< a column after that cost
    /// Self cost by each of `shown`, with their names; without any by `measure`, as inclusive cost is.
    CostColumns(const CallGraph& graph, const Measure& measure, const engine::Style& style,
                const std::vector<Measure>& shown = {}, Bounds bounds = Bounds::none);

    struct Row {
        std::vector<Cost> self;  ///< in every column of it
        Cost inclusive = 0;
        CallCount called;
        bool self_estimated = false;
        bool inclusive_estimated = false;
        std::string bounds{};
    };
    [[nodiscard]] std::vector<Column> columns(std::string title_of_last) const;
    [[nodiscard]] std::vector<Cell> cells(const Row& row, Cell last) const;
    /// Of calls, which have no self cost, nor a share if some of it is counted again (F76).
    [[nodiscard]] std::vector<Cell> cells_of_calls(Cost cost, bool is_counted_again, const CallCount& count,
                                                   Cell last) const;
    [[nodiscard]] std::vector<Cell> cells_of_rest(const std::vector<Cost>& self, Cell last) const;
    /// A share of the total of `measure`; empty if it has none.
    [[nodiscard]] std::string share(Cost part) const;

  private:
    /// A measure, and the columns of cost and share.
    struct ByMeasure {
        ByMeasure(const CallGraph& graph, const Measure& measure, const engine::Style& style);
        [[nodiscard]] std::string share(Cost part) const;

        std::string title, share_title;
        bool additive;
        bool shares;
        Cost base;
    };

    engine::Style style_;
    ByMeasure inclusive_;
    std::vector<ByMeasure> self_;
    Bounds bounds_;
    bool bars_;
    bool has_inclusive_;
    bool calls_;
};

/// Whether self costs are shown by other measures than `measure`, so that columns need names.
[[nodiscard]] bool shows_others(const Measure& measure, const std::vector<Measure>& shown);

/// Mark before an estimate.
constexpr std::string_view about = "~";
[[nodiscard]] bool is_exact(const BoundedCosts& costs, NodeId node);
/// Mark before an upper bound.
[[nodiscard]] std::string at_most(const engine::Style& style);
/// What `about` means before inclusive costs without filters, below a table that has any, perhaps with
/// bounds.
void write_note_on_estimates(std::string& out, const engine::Style& style, bool has_bounds);

/// Of a cost that is estimated, as text for a column; empty: it is exact.
[[nodiscard]] std::string bounds_text(Cost least, Cost most, const CallGraph& graph, const Measure& measure,
                                      const engine::Style& style);

/// From this share of the total on, a row is hot.
[[nodiscard]] bool is_hot(Cost part, Cost whole);

/// The object that all of them are in, if there are several; empty if it is not known or not the same.
[[nodiscard]] std::string_view common_object(const CallGraph& graph, std::span<const NodeId> nodes);
/// The title of a column of functions. An object that all of them are in is said there.
[[nodiscard]] Column function_column(std::string_view object);

/// File and object of a function, longest form first, from `src/small.cpp [/lib/libc.so.6]` to
/// `small.cpp`; without the object that is said already.
[[nodiscard]] std::vector<std::string> location_texts(const CallGraph& graph, NodeId node,
                                                      const engine::Style& style,
                                                      std::string_view known_object = {});

// --- JSON -------------------------------------------------------------------------------------------------

/// `"event"`, `"events"`, `"total"`: what all lists of costs begin with.
void write_measures(engine::JsonWriter& json, const CallGraph& graph, const Measure& measure,
                    const std::vector<Measure>& measures);

/// `NAME: [...]`, then `"omitted": {...}`. `write_more` writes further members of a row.
void write_function_rows(engine::JsonWriter& json, std::string_view name, const CallGraph& graph,
                         const FunctionList& list, const std::vector<Measure>& measures,
                         const CostsKept& kept = {},
                         const std::function<void(std::size_t row)>& write_more = {});

/// `"omitted": {...}`: what the rows omit of the total, for every measure (promise 4).
void write_omitted(engine::JsonWriter& json, const CallGraph& graph, const FunctionList& list,
                   const std::vector<Measure>& measures, const CostsKept& kept = {});

/// `"inclusive_bounds": {"Ir": [least, most], ...}`: what `bounds_of` gives for each measure, if any is not
/// exact.
template <class BoundsOf>
void write_inclusive_bounds(engine::JsonWriter& json, const std::vector<Measure>& measures,
                            BoundsOf bounds_of) {
    std::vector<BoundedCost> bounds;
    bounds.reserve(measures.size());
    for (const auto& measure : measures) bounds.push_back(bounds_of(measure));
    if (std::all_of(bounds.begin(), bounds.end(), [](const BoundedCost& one) { return one.is_exact(); }))
        return;
    json.key("inclusive_bounds");
    json.begin_object();
    for (std::size_t i = 0; i < measures.size(); ++i) {
        json.key(measures[i].name);
        json.begin_array();
        json.value(bounds[i].least);
        json.value(bounds[i].most);
        json.end_array();
    }
    json.end_object();
}

/// The members of a row of functions: its identity, costs, calls and cycle.
void write_function_members(engine::JsonWriter& json, const CallGraph& graph, const ContextNames& contexts,
                            NodeId node, const std::vector<Measure>& measures, const CostsKept& kept = {});

/// `"function"`, `"file"`, `"object"`, `"context"`.
void write_function_identity(engine::JsonWriter& json, const CallGraph& graph, const ContextNames& contexts,
                             NodeId node);

/// `NAME: {"Ir": 1, ...}` with the cost that `cost_of` gives for each measure, null for none.
template <class CostOf>
void write_costs(engine::JsonWriter& json, std::string_view name, const std::vector<Measure>& measures,
                 CostOf cost_of) {
    json.key(name);
    json.begin_object();
    for (const auto& measure : measures) {
        const std::optional<Cost> cost = cost_of(measure);
        if (measures.size() <= engine::max_costs_with_zeros || cost.value_or(0) != 0)
            json.member(measure.name, cost);
    }
    json.end_object();
}

/// A header and a row per function.
void write_function_rows(engine::CsvWriter& csv, const CallGraph& graph, const FunctionList& list,
                         const std::vector<Measure>& measures, const CostsKept& kept = {});

/// A number of calls, or null if none is known (F57) or the profile has no calls at all.
[[nodiscard]] std::optional<std::uint64_t> known_calls(const CallGraph& graph, const CallCount& count);
/// That number, `called`, and whether it is all (`called_is_exact`) or a lower bound.
void write_called(engine::JsonWriter& json, const CallGraph& graph, const CallCount& count);
void write_called(engine::CsvWriter& csv, const CallGraph& graph, const CallCount& count);
/// Cycles count from 1; null for none.
[[nodiscard]] std::optional<std::uint64_t> cycle_number(CycleId cycle);

}  // namespace callcost::program
