#include "history_reports/cost_changes.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>

#include "history/common_costs.hpp"
#include "history_reports/entry_lists.hpp"

namespace callcost::program {
namespace {

constexpr std::size_t max_reasons = 3;
constexpr std::size_t max_neighbors = 8;  // that noisy costs are averaged over

auto key_of(const StoredFunction& function) {
    return std::tie(function.name, function.file, function.object);
}

bool is_function_before(const StoredFunction& a, const StoredFunction& b) { return key_of(a) < key_of(b); }

/// The entries on either side of a change whose costs are compared.
struct Sides {
    std::size_t first, at, end;
};

Sides sides_of(const ChangePoint& point, bool is_exact, std::size_t size) {
    const auto before = is_exact ? 1 : std::min(point.count_before, max_neighbors);
    const auto after = is_exact ? 1 : std::min(point.count_after, max_neighbors);
    return {point.at - std::min(before, point.at), point.at, std::min(point.at + after, size)};
}

using Costs = std::span<const std::optional<FunctionCost>>;

/// A function that is not there costs nothing.
Cost mean(Costs costs, Cost FunctionCost::*which, std::size_t first, std::size_t end) {
    double sum = 0;
    for (std::size_t i = first; i < end; ++i)
        if (costs[i]) sum += static_cast<double>((*costs[i]).*which);
    if (end - first == 1) return costs[first] ? (*costs[first]).*which : Cost();
    return Cost(static_cast<std::int64_t>(sum / static_cast<double>(std::max<std::size_t>(end - first, 1))));
}
Change change_of(Costs costs, Cost FunctionCost::*which, const Sides& sides) {
    return {mean(costs, which, sides.first, sides.at), mean(costs, which, sides.at, sides.end)};
}

bool changed_more(const FunctionChange& a, const FunctionChange& b) {
    const auto first = a.cost.delta().magnitude(), second = b.cost.delta().magnitude();
    return first != second ? first > second : key_of(a.function) < key_of(b.function);
}

/// Whether a cost went the way of another, by at least this share of it.
bool is_share_of(const Change& change, const Change& whole, double share) {
    return (change.delta() > 0) == (whole.delta() > 0) &&
           static_cast<double>(change.magnitude()) >= share * static_cast<double>(whole.magnitude());
}

/// Of functions by inclusive cost the one that changed most, not due to one callee: of those that have nearly
/// all of the change, as callers have that of a callee, the innermost.
std::optional<FunctionChange> inclusive_cause(std::vector<FunctionChange> functions) {
    if (functions.empty()) return std::nullopt;
    constexpr double nearly_all = 0.9;
    const Change most = std::min_element(functions.begin(), functions.end(), changed_more)->cost;
    std::erase_if(functions, [&](const FunctionChange& function) {
        return !is_share_of(function.cost, most, nearly_all);
    });
    return *std::min_element(functions.begin(), functions.end(),
                             [](const FunctionChange& a, const FunctionChange& b) {
                                 return std::tuple(a.cost.largest(), key_of(a.function)) <
                                        std::tuple(b.cost.largest(), key_of(b.function));
                             });
}

/// What the self costs say nothing of: less than half of the change is due to the functions that changed
/// most.
bool is_explained(const TotalChange& change, const Change& whole) {
    Change sum;
    for (const FunctionChange& function : change.functions) {
        sum.before += function.cost.before;
        sum.after += function.cost.after;
    }
    return is_share_of(sum, whole, 0.5);
}

}  // namespace

Stored<TotalHistory> total_history(Store& store, const HistoryQuestion& question, std::size_t explained) {
    TotalHistory history;
    history.totals = totals_of(question.entries, question.event);
    const auto found = change_points(history.totals, question.changes);
    history.is_exact = found.exact;
    history.noise = found.noise;
    for (const ChangePoint& point : found.points) history.changes.push_back({point, {}, {}});
    const auto newest = std::span(history.changes).last(std::min(explained, history.changes.size()));
    if (newest.empty()) return history;

    std::vector<std::size_t> needed;  // entries, in order
    for (const TotalChange& change : newest) {
        const auto sides = sides_of(change.point, found.exact, history.totals.size());
        for (auto i = sides.first; i < sides.end; ++i) needed.push_back(i);
    }
    std::sort(needed.begin(), needed.end());
    needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
    std::vector<EntryId> ids;
    ids.reserve(needed.size());
    for (const auto i : needed) ids.push_back(question.entries[i].id);
    std::vector<Sides> places;  // among those
    for (const TotalChange& change : newest) {
        const auto sides = sides_of(change.point, found.exact, history.totals.size());
        const auto place = std::lower_bound(needed.begin(), needed.end(), sides.first) - needed.begin();
        const auto first = static_cast<std::size_t>(place);
        places.push_back({first, first + (sides.at - sides.first), first + (sides.end - sides.first)});
    }

    std::vector<std::vector<FunctionChange>> causes(newest.size());  // that have half of the change or more
    const auto looked = common_costs(
        store, {question.series(), question.event, ids, {}},
        [&](const StoredFunction& function, Costs costs) {
            for (std::size_t i = 0; i < newest.size(); ++i) {
                const auto sides = places[i];
                const auto inclusive = change_of(costs, &FunctionCost::inclusive, sides);
                if (is_share_of(inclusive, newest[i].point.level, 0.5))
                    causes[i].push_back({function, inclusive});
                FunctionChange candidate{{}, change_of(costs, &FunctionCost::self, sides)};
                if (candidate.cost.delta() == 0) continue;
                auto& best = newest[i].functions;
                candidate.function = function;
                const auto place = std::upper_bound(best.begin(), best.end(), candidate, changed_more);
                if (place == best.end() && best.size() >= max_reasons) continue;
                best.insert(place, std::move(candidate));
                if (best.size() > max_reasons) best.pop_back();
            }
        });
    if (!looked) return tl::unexpected(looked.error());
    for (std::size_t i = 0; i < newest.size(); ++i)
        if (!is_explained(newest[i], newest[i].point.level))
            newest[i].inclusive = inclusive_cause(std::move(causes[i]));
    return history;
}

namespace {

std::optional<Cost> wanted_cost(const std::optional<FunctionCost>& cost, const HistoryQuestion& question) {
    return cost ? std::optional(question.by_inclusive ? cost->inclusive : cost->self) : std::nullopt;
}

/// The order of the rows: those that the newest entry has, by their cost there, then the others; by name.
bool is_row_before(const FunctionHistory& a, const FunctionHistory& b) {
    const auto &first = a.costs.back(), &second = b.costs.back();
    return first != second ? first > second : key_of(a.function) < key_of(b.function);
}

/// The first `most`, and the number of all others.
Stored<FunctionHistories> first_histories(Store& store, const HistoryQuestion& question,
                                          std::span<const EntryId> ids, std::size_t most,
                                          const std::function<bool(const StoredFunction&)>& where) {
    FunctionHistories histories;
    auto& rows = histories.rows;
    const auto looked =
        common_costs(store, {question.series(), question.event, ids, where},
                     [&](const StoredFunction& function, std::span<const std::optional<FunctionCost>> costs) {
                         FunctionHistory row{function, {wanted_cost(costs.back(), question)}, {}};
                         if (rows.size() >= most) {
                             ++histories.omitted;
                             if (rows.empty() || !is_row_before(row, rows.front())) return;
                             std::pop_heap(rows.begin(), rows.end(), is_row_before);
                             rows.pop_back();
                         }
                         row.costs.clear();
                         for (const auto& cost : costs) row.costs.push_back(wanted_cost(cost, question));
                         rows.push_back(std::move(row));
                         std::push_heap(rows.begin(), rows.end(), is_row_before);
                     });
    if (!looked) return tl::unexpected(looked.error());
    std::sort_heap(rows.begin(), rows.end(), is_row_before);
    histories.matching = rows.size() + histories.omitted;
    return histories;
}

/// Without those of the rows before.
void drop_offset(FunctionHistories& histories, std::size_t offset) {
    const auto first = std::min(offset, histories.rows.size());
    histories.rows.erase(histories.rows.begin(), histories.rows.begin() + static_cast<std::ptrdiff_t>(first));
}

}  // namespace

Stored<FunctionHistories> function_histories(Store& store, const HistoryQuestion& question,
                                             const std::function<bool(const StoredFunction&)>& where) {
    const auto ids = question.ids();
    const auto most =
        question.limit > SIZE_MAX - question.offset ? SIZE_MAX : question.offset + question.limit;
    // Which functions those are, the newest entry tells: only they are asked for with all their costs.
    auto histories =
        first_histories(store, question, where ? std::span(ids) : std::span(ids).last(1), most, where);
    if (!histories) return histories;
    drop_offset(*histories, question.offset);
    if (!where) {
        std::set<StoredFunction, decltype(&is_function_before)> chosen(&is_function_before);
        for (const FunctionHistory& row : histories->rows) chosen.insert(row.function);
        auto whole = first_histories(store, question, ids, SIZE_MAX, [&](const StoredFunction& function) {
            return chosen.contains(function);
        });
        if (!whole) return whole;
        histories->rows = std::move(whole->rows);
    }
    for (FunctionHistory& row : histories->rows) row.changes = change_points(row.costs, question.changes);
    return histories;
}

Stored<std::vector<FunctionSum>> function_sums(Store& store, const std::vector<HistoryQuestion>& questions) {
    std::map<StoredFunction, FunctionSum, decltype(&is_function_before)> sums(&is_function_before);
    for (const HistoryQuestion& question : questions) {
        const auto ids = question.ids();
        const auto looked = common_costs(
            store, {question.series(), question.event, ids, {}},
            [&](const StoredFunction& function, std::span<const std::optional<FunctionCost>> costs) {
                auto& sum = sums[function];
                for (const auto& cost : costs) {
                    if (!cost) continue;
                    sum.cost.self += cost->self;
                    sum.cost.inclusive += cost->inclusive;
                    sum.cost.calls += cost->calls;
                    ++sum.entries;
                }
            });
        if (!looked) return tl::unexpected(looked.error());
    }
    std::vector<FunctionSum> rows;
    for (auto& [function, sum] : sums) {
        sum.function = function;
        rows.push_back(std::move(sum));
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const FunctionSum& a, const FunctionSum& b) { return a.cost.self > b.cost.self; });
    return rows;
}

}  // namespace callcost::program
