#include "answers/neighbours.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "text/profile_facts.hpp"

namespace callcost::engine {
namespace {

Cost sum(const Side& side, std::span<const ArcId> arcs, std::size_t column) {
    Cost cost = 0;
    for (const auto arc : arcs) cost += side.graph().cost(arc, side.columns[column]);
    return cost;
}

}  // namespace

Neighbours::Neighbours(const View& view, FunctionAt function, End end) : view_(view) {
    if (view.compared) {
        const auto& of = function.is_before ? view.compared->match_before : view.compared->match_after;
        gather_compared(of[function.node.value], end);
    } else {
        gather(function.node, end);
    }
    sort();
}

Change Neighbours::cost(const Neighbour& of, std::size_t column) const {
    if (!view_.compared) return {0, view_.after.graph().cost(of.arc, view_.after.columns[column])};
    const auto& match = view_.compared->diff.arcs()[of.row];
    return {sum(*view_.before, match.before, column), sum(view_.after, match.after, column)};
}

Neighbours::Counts Neighbours::count(const Neighbour& of) const {
    if (!view_.compared) return {{}, view_.after.graph().count(of.arc)};
    const auto [before, after] = view_.compared->diff.count(view_.compared->diff.arcs()[of.row]);
    return {before, after};
}

bool Neighbours::is_recursive(const Neighbour& of) const {
    return of.arc.valid() ? view_.after.graph().recursive(of.arc)
                          : view_.before->graph().recursive(of.arc_before);
}

bool Neighbours::is_counted_again(const Neighbour& of) const {
    if (!view_.compared) return view_.after.graph().counted_again(of.arc);
    const auto& match = view_.compared->diff.arcs()[of.row];
    return engine::is_counted_again(view_.after, match.after) ||
           engine::is_counted_again(*view_.before, match.before);
}

Neighbours::Rest Neighbours::rest(std::size_t shown) const {
    Rest rest;
    for (auto i = shown; i < all_.size(); ++i) {
        ++rest.rows;
        rest.count.add(count(all_[i]).after);
        const auto of = cost(all_[i], 0);
        rest.cost.before += of.before;
        rest.cost.after += of.after;
        rest.counted_again = rest.counted_again || is_counted_again(all_[i]);
    }
    return rest;
}

void Neighbours::gather(NodeId node, End end) {
    const auto& graph = view_.after.graph();
    const auto arcs = end == End::caller ? graph.callers(node) : graph.callees(node);
    all_.reserve(arcs.size());
    for (const auto arc : arcs)
        all_.push_back({arc, {}, 0, {end == End::caller ? graph.caller(arc) : graph.callee(arc), false}});
}

void Neighbours::gather_compared(MatchId id, End end) {
    const auto& compared = *view_.compared;
    const auto& first = end == End::caller ? compared.first_in : compared.first_out;
    const auto& arcs = end == End::caller ? compared.arcs_in : compared.arcs_out;
    all_.reserve(first[id.value + 1] - first[id.value]);
    for (auto i = first[id.value]; i < first[id.value + 1]; ++i) {
        const auto& match = compared.diff.arcs()[arcs[i]];
        const auto& other = compared.diff.function(end == End::caller ? match.caller : match.callee);
        Neighbour neighbour;
        neighbour.row = arcs[i];
        if (!match.after.empty()) neighbour.arc = match.after.front();
        if (!match.before.empty()) neighbour.arc_before = match.before.front();
        neighbour.other = other.is_removed() ? FunctionAt{other.before.front(), true}
                                             : FunctionAt{other.after.front(), false};
        all_.push_back(neighbour);
    }
}

void Neighbours::sort() {
    struct Key {
        Cost cost;
        std::uint64_t count;
        FunctionNames names;
        std::size_t index;
    };
    std::vector<Key> keys;
    keys.reserve(all_.size());
    for (std::size_t i = 0; i < all_.size(); ++i) {
        const auto& of = all_[i];
        const auto& graph = (of.other.is_before ? *view_.before : view_.after).graph();
        const auto costs = cost(of, 0);
        const auto counts = count(of);
        keys.push_back({view_.compared ? std::max(costs.before, costs.after) : costs.after,
                        std::max(counts.before.known, counts.after.known), names_of(graph, of.other.node),
                        i});
    }
    std::sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) {
        if (a.cost != b.cost) return a.cost > b.cost;
        if (a.count != b.count) return a.count > b.count;
        return std::tie(a.names, a.index) < std::tie(b.names, b.index);
    });
    std::vector<Neighbour> sorted;
    sorted.reserve(all_.size());
    for (const auto& key : keys) sorted.push_back(all_[key.index]);
    all_ = std::move(sorted);
}

Result<std::vector<std::vector<CallSite>>> call_sites_of(const View& view,
                                                         std::span<const Neighbour> neighbours) {
    std::vector<ArcId> arcs;
    std::vector<std::size_t> owners;
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
        const auto& of = neighbours[i];
        const auto all = view.compared ? view.compared->diff.arcs()[of.row].after : std::span(&of.arc, 1);
        arcs.insert(arcs.end(), all.begin(), all.end());
        owners.insert(owners.end(), all.size(), i);
    }
    auto found = call_sites(view.after.graph(), arcs, view.after.columns.front());
    if (!found) return tl::unexpected(found.error());
    std::vector<std::vector<CallSite>> sites(neighbours.size());
    for (std::size_t i = 0; i < owners.size(); ++i) {
        auto& of = sites[owners[i]];
        of.insert(of.end(), std::make_move_iterator((*found)[i].begin()),
                  std::make_move_iterator((*found)[i].end()));
    }
    for (auto& of : sites)
        std::stable_sort(of.begin(), of.end(),
                         [](const CallSite& a, const CallSite& b) { return a.cost > b.cost; });
    return sites;
}

}  // namespace callcost::engine
