#include "callcost/diff.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <tuple>
#include <utility>

#include "base/precondition.hpp"
#include "diff/inlining.hpp"
#include "diff/likeness.hpp"
#include "diff/matching.hpp"

namespace callcost {

struct Diff::Data {
    ProfileSide before, after;
    CallGraph before_graph, after_graph;
    bool compares_calls = false;
    std::vector<FunctionMatch> functions;
    std::vector<Change> self, inclusive;  // of each
    std::vector<ArcMatch> arcs;
    std::vector<ArcId> arc_ids;  // what those are spans of
    std::vector<Inlining> inlinings;
};

namespace {

bool is_cachegrind(const CallGraph& graph) {
    const auto parts = graph.profile().parts();
    return !parts.empty() && std::all_of(parts.begin(), parts.end(), [](const Part& part) {
        return part.dialect == Dialect::cachegrind;
    });
}

/// Every arc of both graphs by the functions that it is between. The ids lie behind each other in `ids`.
std::vector<ArcMatch> match_arcs(const CallGraph& before, const CallGraph& after,
                                 const std::vector<FunctionMatch>& functions, std::vector<ArcId>& ids) {
    std::vector<MatchId> ids_before(before.size()), ids_after(after.size());
    for (const FunctionMatch& function : functions) {
        for (const NodeId node : function.before) ids_before[node.value] = function.id;
        for (const NodeId node : function.after) ids_after[node.value] = function.id;
    }
    ids.resize(before.arc_count() + after.arc_count());  // and never again: arcs point into it
    std::vector<ArcMatch> arcs;
    arcs.reserve(std::max(before.arc_count(), after.arc_count()));
    std::size_t used = 0;
    std::vector<std::tuple<MatchId, bool, ArcId>> calls;  // of one caller
    for (const FunctionMatch& function : functions) {
        calls.clear();
        for (const NodeId node : function.before)
            for (const ArcId arc : before.callees(node))
                calls.emplace_back(ids_before[before.callee(arc).value], false, arc);
        for (const NodeId node : function.after)
            for (const ArcId arc : after.callees(node))
                calls.emplace_back(ids_after[after.callee(arc).value], true, arc);
        std::sort(calls.begin(), calls.end());
        for (std::size_t i = 0; i < calls.size();) {
            const auto callee = std::get<0>(calls[i]);
            const auto first = used;
            auto middle = first;
            for (; i < calls.size() && std::get<0>(calls[i]) == callee; ++i) {
                ids[used++] = std::get<2>(calls[i]);
                if (!std::get<1>(calls[i])) middle = used;
            }
            const std::span<const ArcId> all(ids);
            arcs.push_back({function.id, callee, all.subspan(first, middle - first),
                            all.subspan(middle, used - middle)});
        }
    }
    return arcs;
}

/// By name, object and file, as the diff shows them.
void sort_functions(const Diff& names, std::vector<FunctionMatch>& functions) {
    struct Key {
        FunctionNames names;
        bool is_removed;
        NodeId node;
        std::size_t row;
        bool operator<(const Key& b) const {
            return std::tie(names, is_removed, node, row) < std::tie(b.names, b.is_removed, b.node, b.row);
        }
    };
    std::vector<Key> keys;
    keys.reserve(functions.size());
    for (std::size_t row = 0; row < functions.size(); ++row) {
        const FunctionMatch& function = functions[row];
        keys.push_back({{names.name(function), names.object(function), names.file(function)},
                        function.is_removed(),
                        function.is_removed() ? function.before[0] : function.after[0],
                        row});
    }
    std::sort(keys.begin(), keys.end());
    std::vector<FunctionMatch> sorted;
    sorted.reserve(functions.size());
    for (const Key& key : keys) {
        sorted.push_back(std::move(functions[key.row]));
        sorted.back().id = MatchId(sorted.size() - 1);
    }
    functions = std::move(sorted);
}

}  // namespace

std::string_view to_string(MatchTier tier) {
    constexpr std::array<std::string_view, 8> names = {"exact", "path",      "canonical", "ordinal",
                                                       "group", "signature", "anchors",   "unmatched"};
    return names.at(static_cast<std::size_t>(tier));
}

namespace {

/// Says which of the two it is about.
tl::unexpected<Error> of_side(std::string_view side, Error error) {
    error.source = side;
    return tl::unexpected(std::move(error));
}

}  // namespace

Result<Diff> diff(const CallGraph& before, const CallGraph& after, const DiffOptions& options) {
    auto measure_after = options.measure ? find_measure(after.profile(), *options.measure)
                                         : Result<Measure>(default_measure(after));
    if (!measure_after) return of_side("new profile", measure_after.error());
    auto measure_before =
        find_measure(before.profile(), options.measure ? *options.measure : measure_after->name);
    if (!measure_before) return of_side("old profile", measure_before.error());
    auto data = std::make_shared<Diff::Data>(
        Diff::Data{.before = {},
                   .after = {},
                   .before_graph = before,
                   .after_graph = after,
                   .compares_calls = is_cachegrind(before) == is_cachegrind(after),
                   .functions = {},
                   .self = {},
                   .inclusive = {},
                   .arcs = {},
                   .arc_ids = {},
                   .inlinings = {}});
    data->before = {&data->before_graph, *std::move(measure_before)};
    data->after = {&data->after_graph, *std::move(measure_after)};
    // Which function is which does not depend on what they are compared by, as far as both have what is
    // usual.
    const auto usual = default_measure(after);
    const auto usual_before = find_measure(before.profile(), usual.name);
    data->functions = usual_before ? match_functions({&data->before_graph, *usual_before},
                                                     {&data->after_graph, usual}, options)
                                   : match_functions(data->before, data->after, options);
    const Diff names(data);
    sort_functions(names, data->functions);
    for (const FunctionMatch& function : data->functions) {
        data->self.push_back(names.self(function, names.measure_before(), names.measure_after()));
        data->inclusive.push_back(names.inclusive(function, names.measure_before(), names.measure_after()));
    }
    if (data->compares_calls) data->arcs = match_arcs(before, after, data->functions, data->arc_ids);
    data->inlinings = find_inlinings(names);
    return Diff(std::move(data));
}

const CallGraph& Diff::before() const { return data_->before_graph; }
const CallGraph& Diff::after() const { return data_->after_graph; }
bool Diff::compares_calls() const { return data_->compares_calls; }
const Measure& Diff::measure_before() const { return data_->before.measure; }
const Measure& Diff::measure_after() const { return data_->after.measure; }
std::span<const FunctionMatch> Diff::functions() const { return data_->functions; }
const FunctionMatch& Diff::function(MatchId id) const {
    CALLCOST_EXPECTS(id.value < data_->functions.size());
    return data_->functions[id.value];
}
std::span<const ArcMatch> Diff::arcs() const { return data_->arcs; }
std::span<const Inlining> Diff::inlinings() const { return data_->inlinings; }

std::string_view Diff::name(const FunctionMatch& function) const {
    return function.after.empty() ? before().name(function.before[0]) : after().name(function.after[0]);
}
std::string_view Diff::file(const FunctionMatch& function) const {
    return function.after.empty() ? before().file(function.before[0]) : after().file(function.after[0]);
}
std::string_view Diff::object(const FunctionMatch& function) const {
    return function.after.empty() ? before().object(function.before[0]) : after().object(function.after[0]);
}

Change Diff::total() const { return {before().total(measure_before()), after().total(measure_after())}; }

Change Diff::self(const FunctionMatch& function) const {
    CALLCOST_EXPECTS(function.id.value < data_->functions.size());
    return data_->self[function.id.value];
}
Change Diff::inclusive(const FunctionMatch& function) const {
    CALLCOST_EXPECTS(function.id.value < data_->functions.size());
    return data_->inclusive[function.id.value];
}

Change Diff::self(const FunctionMatch& function, const Measure& before, const Measure& after) const {
    Change change;
    for (const NodeId node : function.before) change.before += this->before().self(node, before);
    for (const NodeId node : function.after) change.after += this->after().self(node, after);
    return change;
}

Change Diff::inlined_self(const FunctionMatch& function) const {
    Change change;
    for (const NodeId node : function.before) change.before += before().inlined_self(node, measure_before());
    for (const NodeId node : function.after) change.after += after().inlined_self(node, measure_after());
    return change;
}

std::pair<std::optional<std::uint64_t>, std::optional<std::uint64_t>> Diff::entries(
    const FunctionMatch& function) const {
    const auto sum_of = [](const CallGraph& graph, const std::vector<NodeId>& nodes) {
        std::optional<std::uint64_t> sum;
        for (const NodeId node : nodes)
            if (const auto entries = graph.entries(node)) sum = sum.value_or(0) + *entries;
        return sum;
    };
    return {sum_of(before(), function.before), sum_of(after(), function.after)};
}

Change Diff::inclusive(const FunctionMatch& function, const Measure& before, const Measure& after) const {
    const auto bounds = inclusive_bounds(function, before, after);
    return {bounds.first.estimate, bounds.second.estimate};
}

std::pair<BoundedCost, BoundedCost> Diff::inclusive_bounds(const FunctionMatch& function,
                                                           const Measure& before,
                                                           const Measure& after) const {
    if (!compares_calls()) {
        const Change cost = self(function, before, after);
        return {BoundedCost{cost.before, cost.before, cost.before},
                BoundedCost{cost.after, cost.after, cost.after}};
    }
    const auto greatest = [](const CallGraph& graph, const std::vector<NodeId>& nodes,
                             const Measure& measure) {
        std::optional<BoundedCost> most;
        for (const NodeId node : nodes) {
            const BoundedCost cost = graph.inclusive_bounds(node, measure);
            if (!most) most = cost;
            most = {std::max(most->estimate, cost.estimate), std::max(most->least, cost.least),
                    std::max(most->most, cost.most)};
        }
        return most.value_or(BoundedCost{});
    };
    return {greatest(this->before(), function.before, before),
            greatest(this->after(), function.after, after)};
}

std::pair<BoundedCost, BoundedCost> Diff::inclusive_bounds(const FunctionMatch& function) const {
    return inclusive_bounds(function, measure_before(), measure_after());
}

Change Diff::cost(const ArcMatch& arc) const {
    Change change;
    for (const ArcId id : arc.before) change.before += before().cost(id, measure_before());
    for (const ArcId id : arc.after) change.after += after().cost(id, measure_after());
    return change;
}

std::pair<CallCount, CallCount> Diff::call_count(const FunctionMatch& function) const {
    std::pair<CallCount, CallCount> counts;
    if (!compares_calls()) return counts;
    for (const NodeId node : function.before) counts.first.add(before().call_count(node));
    for (const NodeId node : function.after) counts.second.add(after().call_count(node));
    const Change inlined = inlined_self(function);
    counts.first.at_least = counts.first.at_least || inlined.before != 0;
    counts.second.at_least = counts.second.at_least || inlined.after != 0;
    return counts;
}

std::pair<CallCount, CallCount> Diff::count(const ArcMatch& arc) const {
    std::pair<CallCount, CallCount> counts;
    for (const ArcId id : arc.before) counts.first.add(before().count(id));
    for (const ArcId id : arc.after) counts.second.add(after().count(id));
    return counts;
}

std::optional<ChangeReason> reason(const Change& cost, const CallCount& before, const CallCount& after) {
    if (before.at_least || after.at_least || before.known == 0) return std::nullopt;
    const auto count_before = static_cast<double>(before.known),
               count_after = static_cast<double>(after.known);
    const auto cost_before = static_cast<double>(cost.before), cost_after = static_cast<double>(cost.after);
    const double more = count_after - count_before;
    // Where the cost of a call before and that after say something else about the calls between, as an
    // expensive first call makes them do, neither is what a call costs.
    constexpr double max_apart = 0.5;  // of the change; docs/diff-rules.md has the figures
    if (after.known > 0) {
        const double apart = more * (cost_after / count_after - cost_before / count_before);
        if (!(std::abs(apart) <= max_apart * std::abs(cost_after - cost_before))) return std::nullopt;
    }
    // The rounded share is by count, all else by cost: they add up exactly.
    const double by_count = more * cost_before / count_before;
    constexpr double most = 9.2e18;
    if (!(std::abs(by_count) < most)) return std::nullopt;
    ChangeReason reason;
    reason.by_count = std::llround(by_count);
    reason.by_cost = cost.delta() - reason.by_count;
    return reason;
}

}  // namespace callcost
