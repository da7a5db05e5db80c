#include "query/filtered_difference.hpp"

#include <algorithm>
#include <cmath>

namespace callcost::engine {
BoundedCost kept_cost(const CallGraph& graph, const Measure& measure, const FilteredCosts& kept,
                      BoundedCosts FilteredCosts::*which, std::span<const NodeId> nodes, Cost whole) {
    const BoundedCosts& costs = kept.*which;
    Cost of_all = 0, estimate = 0, least = 0, most = 0;
    for (const NodeId node : nodes) {
        of_all += which == &FilteredCosts::self ? graph.self(node, measure) : graph.inclusive(node, measure);
        estimate += costs.estimate[node.value];
        least += costs.least[node.value];
        most += costs.most[node.value];
    }
    const bool is_same = of_all == whole;
    const auto scaled = [&](Cost part) {
        if (is_same || of_all == 0) return part;
        return Cost(std::llround(static_cast<double>(part) / static_cast<double>(of_all) *
                                 static_cast<double>(whole)));
    };
    const bool is_exact = least == most && (is_same || least == of_all || least == 0);
    BoundedCost result;
    result.least = is_same || is_exact ? scaled(least) : std::min<Cost>(0, whole);
    result.most = is_same || is_exact ? scaled(most) : std::max<Cost>(0, whole);
    result.estimate = std::clamp(scaled(estimate), result.least, result.most);
    return result;
}

FilteredDifference::Side FilteredDifference::side_of(const FilteredFunctions* of, const Measure& measure) {
    if (of == nullptr || !(of->filters().focus || of->filters().ignore)) return {.of = of};
    return {.of = of, .filtered = &of->filtered(measure), .costs = &of->costs(measure)};
}

FilteredDifference::FilteredDifference(const Diff& diff, const FilteredFunctions* before,
                                       const FilteredFunctions* after)
    : diff_(diff),
      before_(side_of(before, diff.measure_before())),
      after_(side_of(after, diff.measure_after())) {}

bool FilteredDifference::lists(MatchId id) const {
    const auto is_listed = [](const Side& side, NodeId node) {
        return side.costs != nullptr ? side.costs->listed[node.value] : side.of->is_shown(node);
    };
    const FunctionMatch& function = diff_.function(id);
    return !is_filtered() || std::any_of(function.before.begin(), function.before.end(), [&](NodeId node) {
        return is_listed(before_, node);
    }) || std::any_of(function.after.begin(), function.after.end(), [&](NodeId node) {
        return is_listed(after_, node);
    });
}

bool FilteredDifference::lists(const ArcMatch& arc) const {
    if (!lists(arc.caller) && !lists(arc.callee)) return false;
    if (!has_parts()) return true;
    const auto are_whole = [](const Side& side, const CallGraph& graph, std::span<const ArcId> arcs) {
        const auto is_whole = [&](NodeId node) {
            return side.filtered->inclusive[node.value] == Kept::everything;
        };
        return std::all_of(arcs.begin(), arcs.end(), [&](ArcId id) {
            return is_whole(graph.caller(id)) || is_whole(graph.callee(id));
        });
    };
    return are_whole(before_, diff_.before(), arc.before) && are_whole(after_, diff_.after(), arc.after);
}

bool FilteredDifference::lists(const Inlining& inlining) const {
    const auto is_any = [&](const auto& predicate) {
        return predicate(inlining.function) ||
               std::any_of(inlining.callers.begin(), inlining.callers.end(), predicate);
    };
    return is_any([&](MatchId id) { return lists(id); }) &&
           !is_any([&](MatchId id) { return !is_whole(id); });
}

BoundedChange FilteredDifference::kept(MatchId id, BoundedCosts FilteredCosts::*which,
                                       const BoundedChange& whole) const {
    if (!has_parts()) return whole;
    const FunctionMatch& function = diff_.function(id);
    const auto before = kept_cost(diff_.before(), diff_.measure_before(), *before_.costs, which,
                                  function.before, whole.estimate.before);
    const auto after = kept_cost(diff_.after(), diff_.measure_after(), *after_.costs, which, function.after,
                                 whole.estimate.after);
    return {{before.estimate, after.estimate}, {before.least, after.least}, {before.most, after.most}};
}

BoundedChange FilteredDifference::self(MatchId id) const {
    const Change whole = diff_.self(diff_.function(id));
    return kept(id, &FilteredCosts::self, {whole, whole, whole});
}

BoundedChange FilteredDifference::inclusive(MatchId id) const {
    const auto [before, after] = diff_.inclusive_bounds(diff_.function(id));
    return kept(id, &FilteredCosts::inclusive,
                {{before.estimate, after.estimate}, {before.least, after.least}, {before.most, after.most}});
}

Change FilteredDifference::self_change(MatchId id) const { return self(id).estimate; }

Change FilteredDifference::inclusive_change(MatchId id) const {
    const Change whole = diff_.inclusive(diff_.function(id));
    return kept(id, &FilteredCosts::inclusive, {whole, whole, whole}).estimate;
}

BoundedChange FilteredDifference::total() const {
    BoundedChange sum;
    const auto add = [](Change& to, const Change& more) {
        to.before += more.before;
        to.after += more.after;
    };
    for (const FunctionMatch& function : diff_.functions()) {
        if (!lists(function.id)) continue;
        const auto its = self(function.id);
        add(sum.estimate, its.estimate);
        add(sum.least, its.least);
        add(sum.most, its.most);
    }
    // A profile may know more of the sum than of its functions, if the same ones are listed.
    const auto narrow = [&](Cost Change::*side, const FilteredCosts* kept) {
        if (kept == nullptr || sum.estimate.*side != kept->estimate) return;
        sum.least.*side = std::max(sum.least.*side, kept->least);
        sum.most.*side = std::min(sum.most.*side, kept->most);
    };
    narrow(&Change::before, before_.costs);
    narrow(&Change::after, after_.costs);
    return sum;
}

bool FilteredDifference::is_whole(MatchId id) const {
    if (!has_parts()) return true;
    const auto are_whole = [](const Side& side, std::span<const NodeId> nodes) {
        return std::all_of(nodes.begin(), nodes.end(), [&](NodeId node) {
            return side.filtered->inclusive[node.value] == Kept::everything;
        });
    };
    const FunctionMatch& function = diff_.function(id);
    return are_whole(before_, function.before) && are_whole(after_, function.after);
}

}  // namespace callcost::engine
