#include "history/cost_rows.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "history/schema.hpp"

namespace callcost::program {
namespace {

FunctionNames names_of(const StoredFunction& function) {
    return {function.name, function.object, function.file};
}

/// Of the columns self, inclusive and calls, which begin there.
FunctionCost cost_of(const Statement& row, int column) {
    return {row.integer(column), row.integer(column + 1),
            static_cast<std::uint64_t>(row.integer(column + 2))};
}

}  // namespace

std::size_t CostRows::FunctionHash::operator()(const FunctionNames& function) const {
    const std::hash<std::string_view> hash;
    return (hash(function.name) * 31 + hash(function.file)) * 31 + hash(function.object);
}

std::size_t CostRows::FunctionHash::operator()(const StoredFunction& function) const {
    return (*this)(names_of(function));
}

bool CostRows::SameFunction::operator()(const FunctionNames& a, const StoredFunction& b) const {
    return a == names_of(b);
}

void CostRows::add(std::int64_t series, EntryId id, const NewEntry& entry) {
    const auto known_series = current_.find(series);
    auto& current = known_series != current_.end() ? known_series->second
                                                   : current_.emplace(series, load(series)).first->second;
    const auto rows = rows_of(entry.functions, current);
    auto total = database_.prepare("INSERT INTO totals(entry, event, total) VALUES (?, ?, ?)");
    auto close = database_.prepare(
        "UPDATE costs SET last = ? WHERE series = ? AND event = ? AND function = ? AND first = ?");
    auto insert = database_.prepare(
        "INSERT INTO costs(series, event, function, first, last, self, inclusive, calls) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
    const auto end = [&](std::int64_t event, std::size_t row, Current::Row& known) {
        close.bind(1, id - 1).bind(2, series).bind(3, event).bind(4, current.ids[row]);
        close.bind(5, known.first).run();
        known.first = 0;
    };
    for (const EventCosts& costs : entry.costs) {
        const auto event = database_.id_of("events", costs.event);
        total.bind(1, id).bind(2, event).bind(3, costs.total).run();
        auto& all = current.costs[event];
        all.resize(current.ids.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            auto& known = all[rows[i]];
            known.seen = id;
            const auto& cost = costs.functions[i];
            if (known.first != 0 && known.cost == cost) continue;
            if (known.first != 0) end(event, rows[i], known);
            insert.bind(1, series).bind(2, event).bind(3, current.ids[rows[i]]).bind(4, id);
            insert.bind(5, still).bind(6, cost.self).bind(7, cost.inclusive);
            insert.bind(8, static_cast<std::int64_t>(cost.calls)).run();
            known.first = id;
            known.cost = cost;
        }
    }
    for (auto& [event, all] : current.costs)
        for (std::size_t row = 0; row < all.size(); ++row)
            if (all[row].first != 0 && all[row].seen != id) end(event, row, all[row]);
}

CostRows::Current CostRows::load(std::int64_t series) const {
    Current current;
    std::unordered_map<std::int64_t, std::size_t> rows_by_id;
    // The number is `still`, which the index needs in words.
    auto names = database_.prepare(
        "SELECT id, name, file, object FROM functions WHERE id IN "
        "(SELECT function FROM costs WHERE series = ? AND last = 9223372036854775807)");
    names.bind(1, series);
    while (names.step()) {
        const auto row = current.ids.size();
        rows_by_id.emplace(names.integer(0), row);
        current.rows.emplace(StoredFunction{names.text(1), names.text(2), names.text(3)}, row);
        current.ids.push_back(names.integer(0));
    }
    auto costs = database_.prepare(
        "SELECT event, function, first, self, inclusive, calls FROM costs "
        "WHERE series = ? AND last = 9223372036854775807");
    costs.bind(1, series);
    while (costs.step()) {
        auto& all = current.costs[costs.integer(0)];
        all.resize(current.ids.size());
        const auto row = rows_by_id.find(costs.integer(1));
        if (row != rows_by_id.end()) all[row->second] = {costs.integer(2), cost_of(costs, 3), 0};
    }
    return current;
}

std::vector<std::size_t> CostRows::rows_of(const std::vector<FunctionNames>& functions,
                                           Current& current) const {
    std::vector<std::size_t> rows;
    rows.reserve(functions.size());
    auto find = database_.prepare("SELECT id FROM functions WHERE name = ? AND file = ? AND object = ?");
    auto insert = database_.prepare("INSERT INTO functions(name, file, object) VALUES (?, ?, ?)");
    for (const FunctionNames& function : functions) {
        if (const auto known = current.rows.find(function); known != current.rows.end()) {
            rows.push_back(known->second);
            continue;
        }
        rows.push_back(current.ids.size());
        current.rows.emplace(StoredFunction{std::string(function.name), std::string(function.file),
                                            std::string(function.object)},
                             current.ids.size());
        find.bind(1, function.name).bind(2, function.file).bind(3, function.object);
        if (find.step()) {
            current.ids.push_back(find.integer(0));
            find.reset();
        } else {
            insert.bind(1, function.name).bind(2, function.file).bind(3, function.object).run();
            current.ids.push_back(database_.last_id());
        }
    }
    return rows;
}

void CostRows::visit(const CostQuery& query, const OnFunction& on_function) const {
    auto ids = database_.prepare(
        "SELECT series.id, events.id FROM series JOIN events WHERE series.name = ? AND events.name = ?");
    if (!ids.bind(1, query.series).bind(2, query.event).step()) return;
    const auto series = ids.integer(0);
    const auto event = ids.integer(1);
    ids.reset();

    // By id, as the ranges of costs are; with the place in the query.
    std::vector<std::pair<EntryId, std::size_t>> entries;
    for (const EntryId entry : query.entries) entries.emplace_back(entry, entries.size());
    std::sort(entries.begin(), entries.end());
    if (entries.empty()) return;
    auto costs = database_.prepare(
        "SELECT first, last, self, inclusive, calls FROM costs WHERE series = ? AND event = ? AND function = "
        "? AND first <= ? AND last >= ?");
    auto names = database_.prepare("SELECT id, name, file, object FROM functions ORDER BY 2, 3, 4");
    std::vector<std::optional<FunctionCost>> values(entries.size());
    std::map<std::pair<std::string, std::string>, std::size_t> of_place;  // that were found
    while (names.step()) {
        const StoredFunction function{names.text(1), names.text(2), names.text(3)};
        if (query.where && !query.where(function)) continue;
        auto* const found = query.max_of_place > 0 ? &of_place[{function.file, function.object}] : nullptr;
        if (found != nullptr && *found >= query.max_of_place) continue;
        std::fill(values.begin(), values.end(), std::nullopt);
        bool any = false;
        costs.bind(1, series).bind(2, event).bind(3, names.integer(0));
        costs.bind(4, entries.back().first).bind(5, entries.front().first);
        while (costs.step()) {
            const auto first =
                std::lower_bound(entries.begin(), entries.end(), std::pair(costs.integer(0), std::size_t{0}));
            for (auto entry = first; entry != entries.end() && entry->first <= costs.integer(1); ++entry) {
                values[entry->second] = cost_of(costs, 2);
                any = true;
            }
        }
        if (!any) continue;
        if (found != nullptr) ++*found;
        on_function(function, values);
    }
}

}  // namespace callcost::program
