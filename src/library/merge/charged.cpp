#include "merge/charged.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/proportion.hpp"
#include "call_graph/components.hpp"
#include "callcost/writer.hpp"

namespace callcost {
namespace {

constexpr std::size_t max_events = 64;

// What a pool is for, before the kept functions.
constexpr std::size_t self_slot = 0, rest_slot = 1, first_kept_slot = 2;

/// Rows that belong to components, one component after the other.
class RowsByGroup {
  public:
    RowsByGroup(std::size_t groups, std::span<const std::pair<std::uint32_t, std::uint32_t>> rows)
        : first_(groups + 1, 0), rows_(rows.size()) {
        for (const auto& [group, row] : rows) ++first_[group + 1];
        for (std::size_t i = 0; i < groups; ++i) first_[i + 1] += first_[i];
        std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
        for (const auto& [group, row] : rows) rows_[next[group]++] = row;
    }
    [[nodiscard]] std::span<const std::uint32_t> operator[](std::size_t group) const {
        return std::span(rows_).subspan(first_[group], first_[group + 1] - first_[group]);
    }
    [[nodiscard]] std::span<const std::uint32_t> offsets() const { return first_; }
    [[nodiscard]] std::span<const std::uint32_t> rows() const { return rows_; }

  private:
    std::vector<std::uint32_t> first_, rows_;
};

struct Pool {
    std::vector<FunctionId> kept{};    // slots from first_kept_slot on
    std::vector<Cost> cells{};         // by slot and event: what is left
    std::vector<std::int64_t> left{};  // by event: their sum; -1: cannot be shared out
    std::uint64_t calls = 0;           // from outside
    bool stays = false;
};

class Charging {
  public:
    Charging(const Profile& profile, const std::vector<bool>& dropped, std::size_t max_cells)
        : profile_(profile), dropped_(dropped), columns_(profile.events().size()), cells_left_(max_cells) {}

    Charges run() {
        find_components();
        if (pools_.empty()) return std::move(charges_);
        count_calls();
        for (std::uint32_t pool = 0; pool < pools_.size(); ++pool) fill(pool);
        for (std::size_t row = 0; row < profile_.function_count(); ++row)
            if (!dropped_[row]) charge(FunctionId(row));
        keep_what_is_left();
        finish();
        return std::move(charges_);
    }

  private:
    void find_components();
    void count_calls();
    void fill(std::uint32_t number);
    void find_kept(std::uint32_t number);
    void add_arc(Pool& pool, ArcId arc);
    void settle(Pool& pool, std::uint32_t number);
    void take(Pool& pool, std::span<const Cost> costs, std::span<Cost> shares);
    void share_out(Pool& pool, std::size_t event, Cost cost, std::span<Cost> shares);
    void charge(FunctionId function);
    void charge_call(FunctionId function, const Record& call);
    bool add_record(AddedRecord record, std::span<const Cost> costs);
    void keep_what_is_left();
    void keep_odd_columns();
    void finish();

    [[nodiscard]] bool is_sum(std::size_t event) const {
        return profile_.events()[event].aggregation == Aggregation::sum;
    }
    [[nodiscard]] std::uint32_t pool_of(FunctionId function) const { return pool_of_[function.value]; }
    [[nodiscard]] std::span<Cost> slot(std::vector<Cost>& cells, std::size_t slot) const {
        return std::span(cells).subspan(slot * columns_, columns_);
    }

    const Profile& profile_;
    const std::vector<bool>& dropped_;
    std::size_t columns_;
    std::size_t cells_left_;
    Charges charges_;
    std::vector<std::size_t> first_cost_;  // of each record

    std::vector<std::uint32_t> pool_of_;  // by function
    std::vector<Pool> pools_;             // callees before callers
    std::vector<std::vector<FunctionId>> members_;
    std::vector<std::vector<ArcId>> arcs_out_;  // to kept functions and other pools
    std::vector<std::int64_t> inflow_;          // by pool and event; -1: not a number to reckon with

    std::vector<Cost> shares_, costs_;
    std::vector<std::pair<std::uint64_t, std::size_t>> remainders_;
};

void Charging::find_components() {
    pool_of_.assign(profile_.function_count(), UINT32_MAX);
    charges_.stays.assign(profile_.function_count(), false);
    std::uint32_t count = 0;
    for (std::size_t row = 0; row < dropped_.size(); ++row)
        if (dropped_[row]) pool_of_[row] = count++;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (std::size_t row = 0; row < profile_.arc_count(); ++row) {
        const FunctionId caller = profile_.caller(ArcId(row)), callee = profile_.callee(ArcId(row));
        if (dropped_[caller.value] && dropped_[callee.value])
            edges.emplace_back(pool_of(caller), pool_of(callee));
    }
    const RowsByGroup graph(count, edges);
    const Components components = strong_components(graph.offsets(), graph.rows());
    pools_.resize(components.count);
    members_.resize(components.count);
    arcs_out_.resize(components.count);
    for (std::size_t row = 0; row < dropped_.size(); ++row) {
        if (!dropped_[row]) continue;
        pool_of_[row] = components.of[pool_of_[row]];
        members_[pool_of_[row]].emplace_back(row);
    }
}

/// Who is called how often from outside, and at what cost.
void Charging::count_calls() {
    inflow_.assign(pools_.size() * columns_, 0);
    for (std::size_t row = 0; row < profile_.arc_count(); ++row) {
        const ArcId arc(row);
        const std::uint32_t from = pool_of(profile_.caller(arc)), to = pool_of(profile_.callee(arc));
        if (from == to) continue;  // both kept, or in a circle
        if (from != UINT32_MAX) arcs_out_[from].push_back(arc);
        if (to == UINT32_MAX) continue;
        if (from != UINT32_MAX) ++pools_[to].calls;
        for (std::size_t event = 0; event < columns_; ++event) {
            std::int64_t& inflow = inflow_[to * columns_ + event];
            const Cost cost = profile_.cost(arc, EventId(event));
            if (cost < 0 || inflow < 0 || __builtin_add_overflow(inflow, std::int64_t{cost}, &inflow))
                inflow = -1;
        }
    }
    for (std::size_t row = 0; row < profile_.function_count(); ++row) {
        if (dropped_[row]) continue;
        RecordCursor cursor = profile_.records(FunctionId(row));
        for (Record record; cursor.next(record);) {
            if (record.kind != Record::Kind::call) continue;
            const std::uint32_t to = pool_of(profile_.callee(record.arc));
            if (to != UINT32_MAX) ++pools_[to].calls;
        }
    }
}

/// The kept functions that it leads to; false if they are too many.
void Charging::find_kept(std::uint32_t number) {
    Pool& pool = pools_[number];
    for (const ArcId arc : arcs_out_[number]) {
        const FunctionId callee = profile_.callee(arc);
        if (!dropped_[callee.value]) {
            pool.kept.push_back(callee);
        } else if (const Pool& next = pools_[pool_of(callee)]; !next.stays) {
            pool.kept.insert(pool.kept.end(), next.kept.begin(), next.kept.end());
        }
    }
    std::sort(pool.kept.begin(), pool.kept.end());
    pool.kept.erase(std::unique(pool.kept.begin(), pool.kept.end()), pool.kept.end());
    pool.kept.shrink_to_fit();
    const std::uint64_t cells = std::uint64_t{pool.kept.size()} * columns_;
    pool.stays = cells != 0 && pool.calls >= cells_left_ / cells;
    if (!pool.stays) cells_left_ -= static_cast<std::size_t>(cells * (pool.calls + 1));
}

/// All that is spent in a component, by what becomes of it. Its callees' pools are full.
void Charging::fill(std::uint32_t number) {
    Pool& pool = pools_[number];
    const bool is_root = pool.calls == 0;  // there is nobody to charge
    if (is_root) {
        pool.stays = true;
    } else {
        find_kept(number);
        if (pool.stays) charges_.stay_count += members_[number].size();
    }
    if (pool.stays) {
        pool.kept = {};
        for (const FunctionId member : members_[number]) charges_.stays[member.value] = true;
        return;
    }
    pool.cells.assign((pool.kept.size() + first_kept_slot) * columns_, 0);
    pool.left.assign(columns_, 0);
    for (const FunctionId member : members_[number])
        for (std::size_t event = 0; event < columns_; ++event) {
            if (!is_sum(event)) continue;
            const Cost self = profile_.self(member, EventId(event));
            if (self < 0) pool.left[event] = -1;
            pool.cells[event] += self;
        }
    for (const ArcId arc : arcs_out_[number]) add_arc(pool, arc);
    settle(pool, number);
}

void Charging::add_arc(Pool& pool, ArcId arc) {
    costs_.resize(columns_);
    for (std::size_t event = 0; event < columns_; ++event) {
        costs_[event] = profile_.cost(arc, EventId(event));
        if (costs_[event] < 0) pool.left[event] = -1;
    }
    const auto add = [&](std::size_t to, std::span<const Cost> costs) {
        const auto cells = slot(pool.cells, to);
        for (std::size_t event = 0; event < columns_; ++event) cells[event] += costs[event];
    };
    const auto slot_of = [&pool](FunctionId kept) {
        return first_kept_slot +
               static_cast<std::size_t>(std::lower_bound(pool.kept.begin(), pool.kept.end(), kept) -
                                        pool.kept.begin());
    };
    const FunctionId callee = profile_.callee(arc);
    if (!dropped_[callee.value]) return add(slot_of(callee), costs_);
    Pool& next = pools_[pool_of(callee)];
    if (next.stays) return add(rest_slot, costs_);
    shares_.assign(next.cells.size(), 0);
    take(next, costs_, shares_);
    add(self_slot, slot(shares_, self_slot));
    add(rest_slot, slot(shares_, rest_slot));
    for (std::size_t i = 0; i < next.kept.size(); ++i)
        add(slot_of(next.kept[i]), slot(shares_, first_kept_slot + i));
}

/// Adds what callers say beyond what was spent. Costs that are negative or too large are not shared out.
void Charging::settle(Pool& pool, std::uint32_t number) {
    for (std::size_t event = 0; event < columns_; ++event) {
        std::int64_t& left = pool.left[event];
        if (!is_sum(event) || inflow_[number * columns_ + event] < 0) left = -1;
        for (std::size_t at = event; at < pool.cells.size() && left >= 0; at += columns_)
            if (pool.cells[at] < 0 || __builtin_add_overflow(left, std::int64_t{pool.cells[at]}, &left))
                left = -1;
        if (const std::int64_t inflow = inflow_[number * columns_ + event]; left >= 0 && inflow > left) {
            pool.cells[rest_slot * columns_ + event] += inflow - left;
            left = inflow;
        }
    }
}

/// Moves costs from the pool to the shares, which are added to.
void Charging::take(Pool& pool, std::span<const Cost> costs, std::span<Cost> shares) {
    for (std::size_t event = 0; event < costs.size(); ++event) {
        const Cost cost = costs[event];
        if (cost < 0 || cost > pool.left[event]) {
            Cost& rest = shares[rest_slot * columns_ + event];
            rest += cost;
        } else if (cost > 0) {
            share_out(pool, event, cost, shares);
        }
    }
}

void Charging::share_out(Pool& pool, std::size_t event, Cost cost, std::span<Cost> shares) {
    const auto all = static_cast<std::uint64_t>(pool.left[event]);
    Cost missing = cost;
    remainders_.clear();
    for (std::size_t at = event; at < pool.cells.size(); at += columns_) {
        if (pool.cells[at] == 0) continue;
        const auto [quotient, remainder] =
            proportion_of(static_cast<std::uint64_t>(cost), static_cast<std::uint64_t>(pool.cells[at]), all);
        const auto share = static_cast<std::int64_t>(quotient);
        shares[at] += share;
        pool.cells[at] -= share;
        missing -= share;
        if (remainder != 0) remainders_.emplace_back(remainder, at);
    }
    const auto is_larger = [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    };
    if (missing > 0)
        std::nth_element(remainders_.begin(), remainders_.begin() + static_cast<std::ptrdiff_t>(missing - 1),
                         remainders_.end(), is_larger);
    for (std::size_t i = 0; i < static_cast<std::size_t>(missing); ++i) {
        shares[remainders_[i].second] += 1;
        pool.cells[remainders_[i].second] -= 1;
    }
    pool.left[event] -= cost;
}

/// False if there is nothing to add.
bool Charging::add_record(AddedRecord record, std::span<const Cost> costs) {
    const bool is_nothing = std::all_of(costs.begin(), costs.end(), [](Cost cost) { return cost == 0; });
    if (is_nothing) return false;
    first_cost_.push_back(charges_.costs.size());
    charges_.costs.insert(charges_.costs.end(), costs.begin(), costs.end());
    charges_.records.push_back(record);
    return true;
}

/// The calls of a kept function.
void Charging::charge(FunctionId function) {
    RecordCursor cursor = profile_.records(function);
    for (Record record; cursor.next(record);)
        if (record.kind == Record::Kind::call && dropped_[profile_.callee(record.arc).value])
            charge_call(function, record);
}

void Charging::charge_call(FunctionId function, const Record& call) {
    const FunctionId callee = profile_.callee(call.arc);
    Pool& pool = pools_[pool_of(callee)];
    if (pool.stays) return;
    shares_.assign(pool.cells.size(), 0);
    take(pool, call.costs, shares_);
    AddedRecord record{.function = function, .file = call.file, .address = call.address, .line = call.line};
    bool is_charged = add_record(record, slot(shares_, self_slot));
    for (std::size_t i = 0; i < pool.kept.size(); ++i) {
        record.callee = pool.kept[i];
        is_charged |= add_record(record, slot(shares_, first_kept_slot + i));
    }
    record.callee = callee;
    record.count = is_charged ? 0 : call.count;
    if (add_record(record, slot(shares_, rest_slot)) || is_charged) return;
    // The function has this place, if nothing else.
    record.callee = {};
    first_cost_.push_back(charges_.costs.size());
    charges_.costs.resize(charges_.costs.size() + columns_, 0);
    charges_.records.push_back(record);
}

/// Nobody pays for it.
void Charging::keep_what_is_left() {
    const AddedRecord filtered{.function = members_[0][0]};
    std::vector<Cost> self(columns_, 0);
    for (Pool& pool : pools_) {
        if (pool.stays) continue;
        for (std::size_t event = 0; event < columns_; ++event) self[event] += pool.cells[event];
        for (std::size_t i = 0; i < pool.kept.size(); ++i) {
            AddedRecord record = filtered;
            record.callee = pool.kept[i];
            add_record(record, slot(pool.cells, first_kept_slot + i));
        }
    }
    add_record(filtered, self);
    keep_odd_columns();
}

/// Minima, maxima and the like are those of "(filtered)", record by record.
void Charging::keep_odd_columns() {
    bool any = false;
    for (std::size_t event = 0; event < columns_; ++event) any = any || !is_sum(event);
    if (!any) return;
    std::vector<Cost> costs(columns_);
    for (const std::vector<FunctionId>& members : members_) {
        for (const FunctionId member : members) {
            if (charges_.stays[member.value]) continue;
            RecordCursor cursor = profile_.records(member);
            for (Record record; cursor.next(record);) {
                if (record.kind != Record::Kind::cost) continue;
                for (std::size_t event = 0; event < columns_; ++event)
                    costs[event] =
                        is_sum(event) || event >= record.costs.size() ? Cost() : record.costs[event];
                add_record({.function = member}, costs);
            }
        }
    }
}

/// Records by function, with their costs.
void Charging::finish() {
    for (std::size_t i = 0; i < charges_.records.size(); ++i)
        charges_.records[i].costs = std::span(charges_.costs).subspan(first_cost_[i], columns_);
    std::stable_sort(charges_.records.begin(), charges_.records.end(),
                     [](const AddedRecord& a, const AddedRecord& b) { return a.function < b.function; });
}

using Names = std::tuple<std::string_view, std::string_view, std::string_view>;

Names names_of(const Profile& profile, FunctionId function) {
    return {profile.name(profile.object(function)), profile.name(profile.file(function)),
            profile.name(function)};
}

/// The functions of one profile as those of another.
std::vector<bool> same_functions(const Profile& profile, const std::function<bool(FunctionId)>& chosen,
                                 const Profile& other) {
    std::vector<Names> names;
    for (std::size_t row = 0; row < profile.function_count(); ++row)
        if (chosen(FunctionId(row))) names.push_back(names_of(profile, FunctionId(row)));
    std::sort(names.begin(), names.end());
    std::vector<bool> same(other.function_count(), false);
    for (std::size_t row = 0; row < other.function_count(); ++row)
        same[row] = std::binary_search(names.begin(), names.end(), names_of(other, FunctionId(row)));
    return same;
}

RebuildInput charged_input(const Profile& profile, const std::vector<bool>& dropped, const Charges& charges) {
    RebuildInput input;
    input.profile = &profile;
    input.without_places = [&dropped](FunctionId function) { return dropped[function.value]; };
    input.function = [&profile, &dropped](FunctionId function) {
        if (dropped[function.value]) return FunctionKey{{}, {}, std::string(filtered_name)};
        const auto [object, file, name] = names_of(profile, function);
        return FunctionKey{std::string(object), std::string(file), std::string(name)};
    };
    input.leave_out = [&](FunctionId function, const Record& record) {
        if (dropped[function.value]) return !charges.stays[function.value];
        if (record.kind != Record::Kind::call) return false;
        const FunctionId callee = profile.callee(record.arc);
        return dropped[callee.value] && !charges.stays[callee.value];
    };
    input.added = charges.records;
    return input;
}

}  // namespace

Charges charges_of(const Profile& profile, const std::vector<bool>& dropped, std::size_t max_cells) {
    return Charging(profile, dropped, max_cells).run();
}

Result<ChargedProfile> charged_within(const Profile& profile, const std::function<bool(FunctionId)>& dropped,
                                      std::span<const PartId> parts, std::size_t max_cells) {
    if (profile.events().size() > max_events)
        return tl::unexpected(Error{.code = ErrorCode::too_large,
                                    .detail = std::to_string(profile.events().size()) + " event types"});
    RebuildInput whole;
    whole.profile = &profile;
    whole.parts = choice_of(parts, profile);
    const RebuildInput wholes[] = {std::move(whole)};
    const Result<Profile> sum = rebuild(wholes);
    if (!sum) return tl::unexpected(sum.error());

    const std::vector<bool> rows = same_functions(profile, dropped, *sum);
    const auto count = std::count(rows.begin(), rows.end(), true);
    const Charges charges = charges_of(*sum, rows, max_cells);
    RebuildInput input = charged_input(*sum, rows, charges);
    if (count > 0)
        input.description = "Option: the cost of " + std::to_string(count) +
                            " functions left out is charged to their callers, estimated";
    const RebuildInput inputs[] = {std::move(input)};
    Result<Profile> charged = rebuild(inputs);
    if (!charged) return tl::unexpected(charged.error());
    return ChargedProfile{*std::move(charged), charges.stay_count};
}

Result<ChargedProfile> charged_to_callers(const Profile& profile,
                                          const std::function<bool(FunctionId)>& dropped,
                                          std::span<const PartId> parts) {
    return charged_within(profile, dropped, parts, max_charged_cells);
}

}  // namespace callcost
