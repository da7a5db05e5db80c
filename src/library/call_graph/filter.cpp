// What of the cost of a call graph passes filters that are meant for chains of calls. Chains are not
// recorded, but some of them can be excluded: no cost below a function is outside of it if it cannot be
// reached otherwise.
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "call_graph/graph_data.hpp"
#include "call_graph/spread.hpp"
#include "call_graph/unfold.hpp"

namespace callcost {
namespace {

/// Takes `file:` off; not the first half of the `::` in `file::open`.
NameScope take_scope(std::string_view& text, NameScope usual) {
    constexpr std::array<std::pair<std::string_view, NameScope>, 3> scopes = {
        {{"function:", NameScope::function}, {"file:", NameScope::file}, {"object:", NameScope::object}}};
    for (const auto& [prefix, scope] : scopes) {
        if (!text.starts_with(prefix) || text.substr(prefix.size()).starts_with(':')) continue;
        text.remove_prefix(prefix.size());
        return scope;
    }
    return usual;
}

using Marks = std::vector<bool>;

bool anything(ArcId, NodeId) { return true; }

/// Functions that may be running without a recorded caller: they cost more than their callers paid. Which
/// member of a cycle that is, the costs do not tell. Where costs are negative, any difference may hide it.
std::vector<NodeId> entries(const CallGraph& graph, const Measure& measure) {
    bool has_negative = false;
    for (std::size_t row = 0; row < graph.size() && !has_negative; ++row)
        has_negative = graph.self(NodeId(row), measure) < 0;
    const auto is_entered = [&](const Conservation& costs) {
        return costs.imbalance() > 0 || (has_negative && costs.imbalance() != 0);
    };
    std::vector<NodeId> found;
    for (std::size_t row = 0; row < graph.size(); ++row) {
        const NodeId node(row);
        if (!graph.cycle(node).valid() && is_entered(conservation(graph, node, measure)))
            found.push_back(node);
    }
    for (std::size_t row = 0; row < graph.cycle_count(); ++row) {
        const CycleId cycle(row);
        if (!is_entered(conservation(graph, cycle, measure))) continue;
        const auto members = graph.members(cycle);
        found.insert(found.end(), members.begin(), members.end());
    }
    return found;
}

/// Functions of which arcs to callees are missing (F76 a): any function without a recorded caller may be one.
std::vector<NodeId> losers(const CallGraph& graph, const Measure& measure) {
    std::vector<NodeId> found;
    if (data_of(graph).conserved.empty()) return found;
    for (std::size_t row = 0; row < graph.size(); ++row)
        if (graph.unrecorded_callees(NodeId(row), measure) != 0) found.emplace_back(row);
    for (std::size_t row = 0; row < graph.cycle_count(); ++row) {  // which member it is, is not known
        const CycleId cycle(row);
        if (conservation(graph, cycle, measure).imbalance() >= 0) continue;
        const auto members = graph.members(cycle);
        found.insert(found.end(), members.begin(), members.end());
    }
    return found;
}

/// What is not in the arcs.
struct MissingArcs {
    std::vector<NodeId> entered;  ///< functions whose callers are missing
    std::vector<NodeId> losers;   ///< functions whose callees are
};

/// Adds what a missing arc may lead to: all of `to`, if one of `from` is marked.
void spread_unrecorded(const CallGraph& graph, Marks& marks, Direction direction,
                       const std::vector<NodeId>& from, const std::vector<NodeId>& to) {
    if (std::none_of(from.begin(), from.end(), [&](NodeId node) { return marks[node.value]; })) return;
    for (const NodeId node : to) marks[node.value] = true;
    spread(graph, marks, direction, anything);
}

/// Where functions stand to those that a predicate names.
struct Standing {
    Marks named;
    Marks below;    // named, or called by one of them, directly or not
    Marks above;    // named, or calls one of them
    Marks without;  // can be running while none of them is

    Standing(const CallGraph& graph, const Filters::Predicate& is_named, const MissingArcs& unrecorded) {
        const auto& [entered, losers] = unrecorded;
        const std::size_t size = graph.size();
        named.resize(size);
        for (std::size_t row = 0; row < size; ++row) named[row] = is_named(NodeId(row));
        below = named;
        spread(graph, below, Direction::callees, anything);
        spread_unrecorded(graph, below, Direction::callees, losers, entered);
        above = named;
        spread(graph, above, Direction::callers, anything);
        spread_unrecorded(graph, above, Direction::callers, entered, losers);
        without.assign(size, false);
        for (std::size_t row = 0; row < size; ++row) without[row] = !below[row];
        for (const NodeId node : entered)
            if (!named[node.value]) without[node.value] = true;
        spread(graph, without, Direction::callees, [&](ArcId, NodeId node) { return !named[node.value]; });
    }
};

/// Between what the cost is that is spent while a named function is running: all that one of them costs with
/// its callees, and what they cost so together.
struct Range {
    Cost least = 0, most = 0;
};
/// Nothing if no function is named, and where a cost is negative: then a part may cost more than the whole.
std::optional<Range> cost_of_named(const CallGraph& graph, const std::function<bool(NodeId)>& named,
                                   const Measure& measure) {
    if (!named || !measure.additive || graph.arc_count() == 0) return std::nullopt;
    for (std::size_t row = 0; row < graph.arc_count(); ++row)
        if (graph.cost(ArcId(row), measure) < 0) return std::nullopt;
    const BoundedCosts inclusive = inclusive_bounds(graph, measure);
    const auto add = [](Cost& sum, Cost more) {
        sum = sum > INT64_MAX - more ? Cost(INT64_MAX) : sum + more;
    };
    Range range;
    std::vector<Cost> of_cycles(graph.cycle_count());  // of their named members
    for (std::size_t row = 0; row < graph.size(); ++row) {
        const NodeId node(row);
        if (graph.self(node, measure) < 0 || inclusive.least[row] < 0) return std::nullopt;
        if (!named(node)) continue;
        const CycleId cycle = graph.cycle(node);
        range.least = std::max(range.least, inclusive.least[row] - graph.unattributed(node, measure));
        add(cycle.valid() ? of_cycles[cycle.value] : range.most, inclusive.most[row]);
    }
    for (std::size_t row = 0; row < of_cycles.size(); ++row) {
        const CycleId cycle(row);
        const Cost whole = graph.inclusive(cycle, measure);
        if (whole < 0) return std::nullopt;
        // Where callees are lost, the cycle costs more than its members and their calls.
        const bool is_whole = conservation(graph, cycle, measure).imbalance() >= 0;
        add(range.most, is_whole ? std::min(of_cycles[row], whole) : of_cycles[row]);
    }
    return range.least <= range.most ? std::optional(range) : std::nullopt;
}

/// Inclusive costs know more than the rows do, as long as all rows are shown.
void narrow(FilterResult& result, const Filters& filters, const std::optional<Range>& focused,
            const std::optional<Range>& ignored, Cost total) {
    if (focused) result.most = std::max(result.least, std::min(result.most, focused->most));
    if (filters.show || filters.hide) return;
    if (filters.focus && !filters.ignore && focused)
        result.least = std::min(result.most, std::max(result.least, focused->least));
    if (filters.focus || !ignored) return;
    const Cost least = total - std::min(total, ignored->most);
    const Cost most = total - std::min(total, ignored->least);
    result.most = std::max(result.least, std::min(result.most, most));
    result.least = std::min(result.most, std::max(result.least, least));
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

tl::expected<NamePattern, std::string> NamePattern::parse(std::string_view text, NameScope usual,
                                                          const Compile& compile) {
    NamePattern pattern;
    pattern.scope_ = take_scope(text, usual);
    if (text.empty()) return tl::unexpected(std::string("the pattern is empty"));
    const bool is_expression = text.size() > 2 && text.front() == '/' && text.back() == '/';
    if (is_expression) {
        auto matcher = compile(text.substr(1, text.size() - 2));
        if (!matcher) return tl::unexpected(std::move(matcher.error()));
        pattern.matches_ = *std::move(matcher);
    } else {
        pattern.matches_ = [piece = std::string(text)](std::string_view name) {
            return name.find(piece) != std::string_view::npos;
        };
    }
    return pattern;
}

bool NamePattern::matches(const FunctionNames& names) const {
    const auto is_about = [&](NameScope scope) { return scope_ == NameScope::any || scope_ == scope; };
    return (is_about(NameScope::function) && matches_(names.name)) ||
           (is_about(NameScope::file) && matches_(names.file)) ||
           (is_about(NameScope::object) && matches_(names.object));
}

namespace {

Kept together(const std::vector<Kept>& kept, const std::vector<NodeId>& nodes) {
    const auto first = kept[nodes.front().value];
    const bool are_same =
        std::all_of(nodes.begin(), nodes.end(), [&](NodeId node) { return kept[node.value] == first; });
    return are_same ? first : Kept::some;
}

FilterResult fold(FilterResult kept, const UnfoldedGraph& unfolded) {
    FilterResult result{{}, {}, {}, kept.least, kept.most};
    for (std::size_t row = 0; row < unfolded.nodes.size(); ++row) {
        const auto& nodes = unfolded.nodes[row];
        result.self.push_back(together(kept.self, nodes));
        result.inclusive.push_back(together(kept.inclusive, unfolded.first_levels[row]));
        result.listed.push_back(
            std::any_of(nodes.begin(), nodes.end(), [&](NodeId node) { return kept.listed[node.value]; }));
    }
    return result;
}

}  // namespace

Filters filters_of(const UnfoldedGraph& unfolded, const Filters& filters) {
    return {unfolded.asked(filters.focus), unfolded.asked(filters.ignore), unfolded.asked(filters.show),
            unfolded.asked(filters.hide)};
}

FilterResult filter(const CallGraph& graph, const Filters& filters, const Measure& measure) {
    const auto focused = cost_of_named(graph, filters.focus, measure);
    const auto ignored = cost_of_named(graph, filters.ignore, measure);
    FilterResult result;
    if (filters.focus || filters.ignore)
        if (const auto unfolded = unfold(graph)) {
            result = fold(filter(unfolded->graph, filters_of(*unfolded, filters), measure), *unfolded);
            narrow(result, filters, focused, ignored, graph.total(measure));
            return result;
        }
    const std::size_t size = graph.size();
    result.self.assign(size, Kept::everything);
    result.inclusive.assign(size, Kept::everything);
    result.listed.assign(size, true);

    MissingArcs unrecorded;
    if (filters.focus || filters.ignore)
        unrecorded = {.entered = entries(graph, measure), .losers = losers(graph, measure)};
    if (filters.focus) {
        const Standing standing(graph, filters.focus, unrecorded);
        for (std::size_t row = 0; row < size; ++row) {
            result.self[row] = self_below(standing, row);
            result.inclusive[row] = inclusive_below(standing, row);
        }
    }
    if (filters.ignore) {
        const Standing standing(graph, filters.ignore, unrecorded);
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
        const Cost self = graph.self(node, measure);
        const bool is_whole = result.self[row] == Kept::everything;
        result.least += is_whole ? self : std::min<Cost>(0, self);
        result.most += is_whole ? self : std::max<Cost>(0, self);
    }
    narrow(result, filters, focused, ignored, graph.total(measure));
    return result;
}

}  // namespace callcost
