/// Lists of functions by their cost, as text and as JSON, and the columns and members that all lists of costs
/// share.
#pragma once

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
#include "text/columns.hpp"
#include "text/json.hpp"
#include "text/profile_facts.hpp"
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
        Cost inlined = 0;                        ///< of `self`, by the measure: in inlined code
        std::optional<std::uint64_t> entries{};  ///< of that code
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
        std::string unit;
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
    bool inlined_;  // a column that says how much of the self cost is inlined code
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

/// `"omitted": {...}`: what the rows omit of the total, for every measure (promise 4).
void write_omitted(engine::JsonWriter& json, const CallGraph& graph, const FunctionList& list,
                   const std::vector<Measure>& measures, const CostsKept& kept = {});

using engine::cycle_number;
using engine::known_calls;

/// A name without its context, and that.
[[nodiscard]] ContextName plain_name(const CallGraph& graph, const ContextNames& contexts, NodeId node);
/// `"function"`, `"file"`, `"object"`, `"context"`.
/// The name of a function, and its context apart.
[[nodiscard]] NameText name_text(const CallGraph& graph, const ContextNames& contexts, NodeId node,
                                 const engine::Style& style);
void write_function_identity(engine::JsonWriter& json, const CallGraph& graph, const ContextNames& contexts,
                             NodeId node);

using engine::write_costs;

// What columns are made by must outlive them.

/// `function`, `file`, `object`, `context`; nothing for an invalid node.
template <class Row, class NodeOf>
void add_identity(engine::RowColumns<Row>& columns, const CallGraph& graph, const ContextNames& contexts,
                  NodeOf node_of) {
    const auto add = [&](std::string_view name, auto text_of) {
        columns.add(name, [node_of, text_of](const Row& row) -> std::optional<std::string_view> {
            const NodeId node = node_of(row);
            return node.valid() ? text_of(node) : std::nullopt;
        });
    };
    using Text = std::optional<std::string_view>;
    add("function",
        [&graph, &contexts](NodeId node) { return Text(plain_name(graph, contexts, node).name); });
    add("file", [&graph](NodeId node) { return Text(graph.file(node)); });
    add("object", [&graph](NodeId node) { return Text(graph.object(node)); });
    add("context", [&graph, &contexts](NodeId node) {
        return engine::if_any(plain_name(graph, contexts, node).context);
    });
}

/// The number of calls, null if none is known, and whether it is all or a lower bound: `called`,
/// `called_is_exact`.
template <class Row, class CountOf>
void add_called(engine::RowColumns<Row>& columns, const CallGraph& graph, CountOf count_of) {
    columns.add("called", [&graph, count_of](const Row& row) { return known_calls(graph, count_of(row)); });
    columns.add("called_is_exact", [count_of](const Row& row) { return !count_of(row).at_least; });
}

/// Identity, costs, calls and cycle of functions.
[[nodiscard]] engine::RowColumns<NodeId> function_columns(const CallGraph& graph,
                                                          const ContextNames& contexts,
                                                          const std::vector<Measure>& measures,
                                                          const CostsKept& kept = {});
[[nodiscard]] std::vector<NodeId> nodes_of(const FunctionList& list);

}  // namespace callcost::program
