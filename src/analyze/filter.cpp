// What of the cost of a call graph passes filters that are meant for chains of calls. Chains are not
// recorded, but some of them can be excluded: no cost below a function is outside of it if it cannot be
// reached otherwise.
#include <algorithm>

#include "analyze/graph_data.hpp"

namespace callcost {
namespace {

using Marks = std::vector<bool>;
enum class Direction : std::uint8_t { callees, callers };

/// Adds what can be reached from the marked nodes without passing a blocked one, which is not reached either.
void spread(const CallGraph& graph, Marks& marks, Direction direction, const Marks& blocked) {
    std::vector<NodeId> open;
    for (std::size_t row = 0; row < marks.size(); ++row)
        if (marks[row]) open.emplace_back(row);
    while (!open.empty()) {
        const NodeId node = open.back();
        open.pop_back();
        const bool is_down = direction == Direction::callees;
        for (const ArcId arc : is_down ? graph.callees(node) : graph.callers(node)) {
            const NodeId next = is_down ? graph.callee(arc) : graph.caller(arc);
            if (marks[next.value] || blocked[next.value]) continue;
            marks[next.value] = true;
            open.push_back(next);
        }
    }
}

/// Where functions stand to those that a predicate names.
struct Standing {
    Marks named;
    Marks below;    // named, or called by one of them, directly or not
    Marks above;    // named, or calls one of them
    Marks without;  // can be running while none of them is

    Standing(const CallGraph& graph, const Filters::Predicate& is_named, const std::vector<Root>& roots) {
        const std::size_t size = graph.size();
        const Marks nothing(size, false);
        named = nothing;
        for (std::size_t row = 0; row < size; ++row) named[row] = is_named(NodeId(row));
        below = named;
        spread(graph, below, Direction::callees, nothing);
        above = named;
        spread(graph, above, Direction::callers, nothing);
        without.assign(size, false);
        for (std::size_t row = 0; row < size; ++row) without[row] = !below[row];
        for (const Root& root : roots)
            if (!named[root.node.value]) without[root.node.value] = true;
        spread(graph, without, Direction::callees, named);
    }
};

Kept both(Kept a, Kept b) { return std::min(a, b); }
Kept opposite(Kept kept) {
    if (kept == Kept::some) return kept;
    return kept == Kept::nothing ? Kept::everything : Kept::nothing;
}

/// The cost spent in a function while a named one is running.
Kept self_below(const Standing& standing, std::size_t row) {
    if (!standing.below[row]) return Kept::nothing;
    return standing.without[row] ? Kept::some : Kept::everything;
}
/// The cost spent in it and what it calls.
Kept inclusive_below(const Standing& standing, std::size_t row) {
    const Kept self = self_below(standing, row);
    return self == Kept::nothing && standing.above[row] ? Kept::some : self;
}

}  // namespace

Filtered filter(const CallGraph& graph, const Filters& filters, const Measure& measure) {
    const std::size_t size = graph.size();
    Filtered result;
    result.self.assign(size, Kept::everything);
    result.inclusive.assign(size, Kept::everything);
    result.listed.assign(size, true);

    const auto entries = filters.focus || filters.ignore ? roots(graph, measure) : std::vector<Root>();
    if (filters.focus) {
        const Standing standing(graph, filters.focus, entries);
        for (std::size_t row = 0; row < size; ++row) {
            result.self[row] = self_below(standing, row);
            result.inclusive[row] = inclusive_below(standing, row);
        }
    }
    if (filters.ignore) {
        const Standing standing(graph, filters.ignore, entries);
        for (std::size_t row = 0; row < size; ++row) {
            result.self[row] = both(result.self[row], opposite(self_below(standing, row)));
            result.inclusive[row] = both(result.inclusive[row], opposite(inclusive_below(standing, row)));
        }
    }
    for (std::size_t row = 0; row < size; ++row) {
        const NodeId node(row);
        result.listed[row] = result.self[row] != Kept::nothing && (!filters.show || filters.show(node)) &&
                             (!filters.hide || !filters.hide(node));
        if (!result.listed[row]) continue;
        const std::int64_t self = graph.self(node, measure);
        result.most = wrapping_add(result.most, self);
        if (result.self[row] == Kept::everything) result.least = wrapping_add(result.least, self);
    }
    return result;
}

}  // namespace callcost
