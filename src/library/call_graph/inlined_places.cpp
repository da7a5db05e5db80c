#include "call_graph/inlined_places.hpp"

#include <algorithm>

#include "call_graph/components.hpp"
#include "call_graph/graph_data.hpp"

namespace callcost {
namespace {

using Data = CallGraph::Data;

/// Calls between functions of the profile in the chosen parts; those to inlined code, too.
struct Calls {
    explicit Calls(const Data& data) {
        const auto& arcs = data.columns().arcs;
        const std::size_t rows = data.columns().functions.size();
        const auto end_of = [&](std::size_t row, FunctionId end) {
            return !data.partial || data.partial->has_calls[row] ? end.value : no_row;
        };
        callees = group_by<ArcId>(rows, arcs.size(),
                                  [&](std::size_t row) { return end_of(row, arcs[row].caller); });
        callers = group_by<ArcId>(rows, arcs.size(),
                                  [&](std::size_t row) { return end_of(row, arcs[row].callee); });
        std::vector<std::uint32_t> targets;
        for (const ArcId arc : callees.rows) targets.push_back(arcs[arc.value].callee.value);
        level = strong_components(callees.offsets, targets).of;
    }
    Grouping<ArcId> callees, callers;  // by row
    std::vector<std::uint32_t> level;  // by row: smaller in what it calls
};

/// Functions that cost more than their callers paid: these may be missing.
std::vector<bool> entered_functions(const Data& data) {
    const auto& columns = data.columns();
    const std::size_t rows = columns.functions.size();
    if (columns.events.size() > CostTable::dense_columns) return std::vector<bool>(rows, true);
    std::vector<bool> entered(rows, false);
    for (std::size_t row = 0; row < columns.events.size(); ++row) {
        const EventId event(row);
        std::vector<Cost> rest(rows);
        for (std::size_t i = 0; i < rows; ++i) rest[i] = Data::cost_of(*data.self, i, event);
        for (std::size_t i = 0; i < columns.arcs.size(); ++i) {
            const Cost cost = Data::cost_of(*data.arc_costs, i, event);
            rest[columns.arcs[i].caller.value] += cost;
            rest[columns.arcs[i].callee.value] -= cost;
        }
        const bool is_conserved = !data.conserved.empty() && data.conserved[row];
        for (std::size_t i = 0; i < rows; ++i)
            if (rest[i] > 0 || (rest[i] != 0 && !is_conserved)) entered[i] = true;
    }
    return entered;
}

class Places {
  public:
    Places(const Data& data, std::size_t max_steps)
        : data_(data),
          inlined_(data.columns().inlined),
          arcs_(data.columns().arcs),
          calls_(data),
          entered_(entered_functions(data)),
          steps_left_(max_steps),
          marks_(arcs_.empty() ? 0 : data.columns().functions.size()) {}

    PlaceSum sum_of(NodeId node) {
        find_places(node);
        PlaceSum sum;
        if (places_.size() == 1) {
            add(sum, places_[0], true, 1);
            return sum;
        }
        const bool is_known = find_below();
        for (const Place& place : places_) {
            if (is_known && !place.is_below) {
                add(sum, place, true, 1);
            } else if (is_known && is_contained(place)) {
                if (place.is_copy) sum.copy = PlaceSum::Copy::contained;
            } else {
                add(sum, place, false, is_known ? outside(place) : 0.5);
            }
        }
        for (const std::uint32_t row : touched_) marks_[row] = {};
        touched_.clear();
        return sum;
    }

  private:
    static constexpr std::uint32_t none = UINT32_MAX;

    /// Inlined code, or the function itself with all its contexts.
    struct Place {
        std::vector<FunctionId> rows{};
        bool is_copy = false;
        bool is_below = false;
    };
    struct Mark {
        std::uint32_t place = none;                 // it is of this one
        std::uint32_t first = none, second = none;  // it is below these
    };

    static void add(PlaceSum& sum, const Place& place, bool is_apart, double outside) {
        if (place.is_copy) {
            sum.copy = is_apart ? PlaceSum::Copy::apart : PlaceSum::Copy::below;
            sum.copy_outside = outside;
        } else if (is_apart) {
            sum.apart.push_back(place.rows[0]);
        } else {
            sum.below.emplace_back(place.rows[0], outside);
        }
    }

    [[nodiscard]] std::uint32_t node_of(FunctionId function) const {
        return data_.mapping ? data_.mapping->node_of[function.value] : function.value;
    }
    [[nodiscard]] bool is_in_other(FunctionId function, NodeId node) const {
        while (inlined_.contains(function)) {
            function = inlined_[function].in;
            if (node_of(function) == node.value) return true;
        }
        return false;
    }

    void find_places(NodeId node) {
        places_.clear();
        data_.for_each_function(node, [&](FunctionId function) {
            if (!inlined_.contains(function)) {
                if (places_.empty() || !places_[0].is_copy)
                    places_.insert(places_.begin(), Place{.rows = {}, .is_copy = true});
                places_[0].rows.push_back(function);
            } else if (!is_in_other(function, node)) {
                places_.push_back({.rows = {function}});
            }
        });
    }

    Mark& mark(FunctionId function) {
        touched_.push_back(function.value);
        return marks_[function.value];
    }

    /// Marks what is below the places. False if that takes too long.
    bool find_below() {
        std::uint32_t lowest = none;
        std::vector<std::pair<FunctionId, std::uint32_t>> open;
        for (std::uint32_t place = 0; place < places_.size(); ++place)
            for (const FunctionId row : places_[place].rows) {
                mark(row).place = place;
                lowest = std::min(lowest, calls_.level[row.value]);
                open.emplace_back(row, place);
            }
        while (!open.empty()) {
            const auto [row, place] = open.back();
            open.pop_back();
            for (const ArcId arc : calls_.callees[row.value]) {
                if (steps_left_ == 0) return false;
                --steps_left_;
                const FunctionId callee = arcs_[arc.value].callee;
                if (calls_.level[callee.value] < lowest) continue;
                Mark& its = mark(callee);
                if (its.first == place || its.second == place || its.second != none) continue;
                (its.first == none ? its.first : its.second) = place;
                open.emplace_back(callee, place);
            }
        }
        for (std::uint32_t place = 0; place < places_.size(); ++place)
            for (const FunctionId row : places_[place].rows) {
                const Mark& its = marks_[row.value];
                if ((its.first != none && its.first != place) || its.second != none)
                    places_[place].is_below = true;
            }
        return true;
    }

    /// Whether all paths to a place lead through one that is below none.
    bool is_contained(const Place& place) {
        std::vector<FunctionId> open = place.rows;
        seen_.resize(marks_.size(), 0);
        ++seen_by_;
        for (const FunctionId row : open) seen_[row.value] = seen_by_;
        while (!open.empty()) {
            const FunctionId row = open.back();
            open.pop_back();
            if (entered_[row.value] || calls_.callers[row.value].empty()) return false;
            for (const ArcId arc : calls_.callers[row.value]) {
                if (steps_left_ == 0) return false;
                --steps_left_;
                const FunctionId caller = arcs_[arc.value].caller;
                if (seen_[caller.value] == seen_by_) continue;
                seen_[caller.value] = seen_by_;
                const std::uint32_t of = marks_[caller.value].place;
                if (of == none || places_[of].is_below) open.push_back(caller);
            }
        }
        return true;
    }

    /// Which share of what calls it is below no other place.
    double outside(const Place& place) const {
        double all = 0, share = 0;
        for (const FunctionId row : place.rows)
            for (const ArcId arc : calls_.callers[inlined_.host(row).value]) {
                const Cost cost = Data::cost_of(*data_.arc_costs, arc.value, EventId(0U));
                all += static_cast<double>(cost);
                const Mark& its = marks_[arcs_[arc.value].caller.value];
                if (its.first == none && its.place == none) share += static_cast<double>(cost);
            }
        return all > 0 && share > 0 ? std::min(1.0, share / all) : 0;
    }

    const Data& data_;
    const InlinedRows& inlined_;
    const PagedVector<ArcData>& arcs_;
    Calls calls_;
    std::vector<bool> entered_;
    std::size_t steps_left_;
    // Of one node.
    std::vector<Place> places_;
    std::vector<Mark> marks_;  // by row
    std::vector<std::uint32_t> touched_;
    std::vector<std::uint32_t> seen_;  // by row: in which search
    std::uint32_t seen_by_ = 0;
};

}  // namespace

std::vector<PlaceSum> sums_of_places(const Data& data, std::size_t max_steps) {
    Places places(data, max_steps);
    std::vector<PlaceSum> sums;
    for (std::size_t node = 0; node < data.node_count(); ++node) sums.push_back(places.sum_of(NodeId(node)));
    return sums;
}

}  // namespace callcost
