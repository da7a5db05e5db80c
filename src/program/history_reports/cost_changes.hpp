/// How costs went over the entries of a series: of the whole program, and of functions.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "history_reports/history_question.hpp"

namespace callcost::program {

/// A function's part in a change of the total.
struct FunctionChange {
    StoredFunction function;
    Change cost;
};

/// Of a total.
struct TotalChange {
    ChangePoint point;
    /// Those that changed most by self cost, at most three; if it is explained.
    std::vector<FunctionChange> functions;
    /// If these say little: the function whose inclusive cost changed most, not due to one callee.
    std::optional<FunctionChange> inclusive;
};
struct TotalHistory {
    std::vector<std::optional<Cost>> totals;  ///< by entry
    bool is_exact = true;
    double noise = 0;                  ///< see ChangePoints
    std::vector<TotalChange> changes;  ///< in the order of the series
};
/// Only the newest changes, as many as `explained`, have functions: a store is asked for their entries alone.
[[nodiscard]] Stored<TotalHistory> total_history(Store& store, const HistoryQuestion& question,
                                                 std::size_t explained);

struct FunctionHistory {
    StoredFunction function;
    std::vector<std::optional<Cost>> costs;  ///< by entry: self, or inclusive as the question wants it
    ChangePoints changes;
};
/// By their cost in the newest entry, those that it does not have behind them; then by name. The rows of the
/// question. Without `where` they are functions of the newest entry.
struct FunctionHistories {
    std::vector<FunctionHistory> rows;
    std::size_t matching = 0;  ///< with those before and behind the rows
    std::size_t omitted = 0;   ///< behind
};
[[nodiscard]] Stored<FunctionHistories> function_histories(
    Store& store, const HistoryQuestion& question, const std::function<bool(const StoredFunction&)>& where);

/// Costs over many entries.
struct FunctionSum {
    StoredFunction function;
    FunctionCost cost;
    std::size_t entries = 0;  ///< that have the function
};
/// All functions, by self cost, then by name.
[[nodiscard]] Stored<std::vector<FunctionSum>> function_sums(Store& store,
                                                             const std::vector<HistoryQuestion>& questions);

}  // namespace callcost::program
