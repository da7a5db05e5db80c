// Conservation (F75): what the callers of each function and cycle paid is what it cost.
#include <algorithm>
#include <tuple>
#include <vector>

#include "call_graph/graph_data.hpp"
#include "check/checks.hpp"

namespace callcost {
namespace {

using Data = CallGraph::Data;

/// A cost table by columns. A wide table is sorted once: it has no cells to step through.
class Columns {
  public:
    explicit Columns(const CostTable& table) : table_(table) {
        if (table.columns() <= CostTable::dense_columns) return;
        table.for_each(
            [&](std::size_t row, std::size_t column, Cost cost) { cells_.emplace_back(column, row, cost); });
        std::sort(cells_.begin(), cells_.end());
    }
    /// Calls f(row, cost) for all costs that are not 0, by row.
    template <class F>
    void for_each(std::size_t column, F f) const {
        if (table_.columns() <= CostTable::dense_columns) {
            for (std::size_t row = 0; row < table_.rows(); ++row)
                if (const Cost cost = table_.get(row, column); cost != 0) f(row, cost);
            return;
        }
        for (auto cell = std::lower_bound(cells_.begin(), cells_.end(), Cell{column, 0, INT64_MIN});
             cell != cells_.end() && std::get<0>(*cell) == column; ++cell)
            f(std::get<1>(*cell), std::get<2>(*cell));
    }

  private:
    using Cell = std::tuple<std::size_t, std::size_t, Cost>;
    const CostTable& table_;
    std::vector<Cell> cells_;
};

/// F75 by one column at a time, for all functions and cycles that have a cost by it.
class BalanceSheet {
  public:
    explicit BalanceSheet(const CallGraph& graph)
        : graph_(graph),
          data_(data_of(graph)),
          self_(*data_.self),
          arcs_(*data_.arc_costs),
          comparable_(comparable_columns(graph)),
          rows_(graph.size() + graph.cycle_count()),
          is_called_(rows_.size()) {
        for (std::size_t arc = 0; arc < data_.arc_count(); ++arc)
            if (!data_.is_recursive(ArcId(arc))) is_called_[cycle_row(data_.callee(ArcId(arc)))] = true;
    }

    BalanceChecks check() {
        BalanceChecks checks;
        if (data_.arc_count() == 0) return checks;
        checks.functions.verdict = checks.arcs.verdict = Verdict::holds;
        if (graph_.cycle_count() > 0) checks.cycles.verdict = Verdict::holds;
        const auto events = graph_.profile().events();
        for (std::size_t column = 0; column < events.size(); ++column)
            if (events[column].aggregation == Aggregation::sum) check_column(column, checks);
        return checks;
    }

  private:
    struct Row {
        Cost self = 0, in = 0, out = 0;
        bool is_touched = false;
    };

    Row& row(std::size_t number) {
        if (!rows_[number].is_touched) touched_.push_back(number);
        rows_[number].is_touched = true;
        return rows_[number];
    }
    [[nodiscard]] std::size_t cycle_row(NodeId node) const {
        const CycleId cycle = graph_.cycle(node);
        return cycle.valid() ? graph_.size() + cycle.value : node.value;
    }
    [[nodiscard]] ArcId arc_of(std::size_t source) const {
        return ArcId(data_.mapping ? data_.mapping->arc_of[source] : source);
    }

    void check_column(std::size_t column, BalanceChecks& checks) {
        add_up(column);
        if (comparable_[column]) check_arcs(column, checks.arcs);
        std::sort(touched_.begin(), touched_.end());
        const std::string_view event = graph_.profile().events()[column].name;
        for (const std::size_t number : touched_) {
            const Row& sums = rows_[number];
            const Cost paid = sums.self + sums.out;
            if (!is_called_[number] || paid == sums.in) continue;
            if (number >= graph_.size()) {
                const CycleId cycle(number - graph_.size());
                add_breach(checks.cycles, graph_.name(graph_.members(cycle)[0]), event, sums.in, paid);
            } else if (!graph_.cycle(NodeId(number)).valid() && data_.has_records(NodeId(number))) {
                add_breach(checks.functions, graph_.name(NodeId(number)), event, sums.in, paid);
            }
        }
        for (const std::size_t number : touched_) rows_[number] = {};
        touched_.clear();
    }

    /// Arcs inside a cycle count for nobody (F75).
    void add_up(std::size_t column) {
        self_.for_each(column, [&](std::size_t function, Cost cost) {
            const NodeId node = graph_.node_of(FunctionId(function));
            if (!node.valid()) return;
            Cost& self = row(cycle_row(node)).self;
            self += cost;
        });
        arcs_.for_each(column, [&](std::size_t source, Cost cost) {
            const ArcId arc = arc_of(source);
            if (!arc.valid() || data_.is_recursive(arc)) return;
            Row& caller = row(cycle_row(data_.caller(arc)));
            caller.out += cost;
            Row& callee = row(cycle_row(data_.callee(arc)));
            callee.in += cost;
        });
    }

    void check_arcs(std::size_t column, Check& check) {
        const std::string_view event = graph_.profile().events()[column].name;
        arcs_.for_each(column, [&](std::size_t source, Cost cost) {
            const ArcId arc = arc_of(source);
            if (!arc.valid() || data_.is_recursive(arc)) return;
            const NodeId callee = data_.callee(arc);
            if (!data_.has_records(callee)) return;
            const Row& sums = rows_[cycle_row(callee)];
            Cost inclusive = sums.self + sums.out;
            if (!data_.conserved.empty() && data_.conserved[column] && !graph_.cycle(callee).valid())
                inclusive = std::max(inclusive, sums.in);  // F76 (a)
            if (cost > inclusive) add_breach(check, graph_.name(callee), event, cost, inclusive);
        });
    }

    const CallGraph& graph_;
    const Data& data_;
    Columns self_, arcs_;
    std::vector<bool> comparable_;
    std::vector<Row> rows_;        // by function outside cycles, then by cycle
    std::vector<bool> is_called_;  // by row, from outside
    std::vector<std::size_t> touched_;
};

}  // namespace

BalanceChecks check_balance(const CallGraph& graph) { return BalanceSheet(graph).check(); }

}  // namespace callcost
