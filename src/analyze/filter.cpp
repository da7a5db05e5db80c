// What of the cost of a call graph passes filters that are meant for chains of calls. Chains are not
// recorded, but some of them can be excluded: no cost below a function is outside of it if it cannot be
// reached otherwise.
#include <algorithm>
#include <limits>

#include "analyze/graph_data.hpp"

namespace callcost {
namespace {

using Data = CallGraph::Data;
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

/// Between what the cost is that is spent while a named function is running: all that one of them costs with
/// its callees, and what they cost so together.
struct Range {
    std::int64_t least = 0, most = std::numeric_limits<std::int64_t>::max();
};
Range cost_of_named(const CallGraph& graph, const Marks& named, const Measure& measure) {
    const Data& data = data_of(graph);
    Range range{0, 0};
    std::vector<bool> is_counted(graph.cycle_count(), false);
    for (std::size_t row = 0; row < graph.size(); ++row) {
        const NodeId node(row);
        if (graph.self(node, measure) < 0) return {};  // then a part may cost more than the whole
        if (!named[row]) continue;
        const CycleId cycle = graph.cycle(node);
        if (cycle.valid() && is_counted[cycle.value]) continue;
        if (cycle.valid()) is_counted[cycle.value] = true;
        // Of a member of a cycle only the whole cycle is known to cost at least as much.
        const std::int64_t inclusive =
            cycle.valid() ? graph.inclusive(cycle, measure) : graph.inclusive(node, measure);
        if (!cycle.valid() && data.has_records(node)) range.least = std::max(range.least, inclusive);
        if (__builtin_add_overflow(range.most, inclusive, &range.most)) return {};
    }
    return range;
}

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
    Range focused, ignored{0, 0};
    const bool has_bounds = measure.additive && graph.arc_count() > 0;
    if (filters.focus) {
        const Standing standing(graph, filters.focus, entries);
        if (has_bounds) focused = cost_of_named(graph, standing.named, measure);
        for (std::size_t row = 0; row < size; ++row) {
            result.self[row] = self_below(standing, row);
            result.inclusive[row] = inclusive_below(standing, row);
        }
    }
    if (filters.ignore) {
        const Standing standing(graph, filters.ignore, entries);
        ignored = has_bounds ? cost_of_named(graph, standing.named, measure) : Range{};
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
    // Inclusive costs know more than the rows do, as long as all rows are shown.
    result.most = std::max(result.least, std::min(result.most, focused.most));
    if (filters.show || filters.hide || !has_bounds) return result;
    const std::int64_t total = graph.total(measure);
    if (!filters.focus && ignored.least > 0)
        result.most = std::max(result.least, std::min(result.most, wrapping_subtract(total, ignored.least)));
    const std::int64_t least = filters.focus ? (filters.ignore ? 0 : focused.least)
                                             : wrapping_subtract(total, std::min(total, ignored.most));
    result.least = std::min(result.most, std::max(result.least, least));
    return result;
}

}  // namespace callcost
