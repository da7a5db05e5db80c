/// What a CallGraph is made of. The whole profile, unfolded, is looked at where it lies; only a graph of some
/// of the parts has costs of its own, and only a folded or partial one has a numbering of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/paged_vector.hpp"
#include "call_graph/cycle_costs.hpp"
#include "call_graph/inlined_costs.hpp"
#include "callcost/call_graph.hpp"
#include "profile/profile_data.hpp"

namespace callcost {

/// Rows of a table by some owner: those of owner n are rows[offsets[n]] up to rows[offsets[n + 1]].
template <class Row>
struct Grouping {
    std::vector<std::uint32_t> offsets;
    std::vector<Row> rows;

    [[nodiscard]] std::span<const Row> operator[](std::size_t owner) const {
        return std::span(rows).subspan(offsets[owner], offsets[owner + 1] - offsets[owner]);
    }
};

/// Groups the numbers [0, count) by owner_of(number), which is below `owners` or no_row (in no group); keeps
/// their order.
template <class Row, class OwnerOf>
Grouping<Row> group_by(std::size_t owners, std::size_t count, OwnerOf owner_of) {
    Grouping<Row> groups;
    // One ahead: when the rows are filled in, each place moves to the beginning of the next owner's rows.
    groups.offsets.assign(owners + 2, 0);
    for (std::size_t i = 0; i < count; ++i)
        if (const std::uint32_t owner = owner_of(i); owner != no_row) ++groups.offsets[owner + 2];
    for (std::size_t i = 2; i < groups.offsets.size(); ++i) groups.offsets[i] += groups.offsets[i - 1];
    groups.rows.resize(groups.offsets.back());
    for (std::size_t i = 0; i < count; ++i)
        if (const std::uint32_t owner = owner_of(i); owner != no_row)
            groups.rows[groups.offsets[owner + 1]++] = Row(i);
    groups.offsets.pop_back();
    return groups;
}

/// Costs of the functions, arcs and files of a profile in some of its parts.
struct PartialCosts {
    CostTable self;
    CostTable arcs;
    CostTable located;
    std::vector<CallCount> counts;       // by arc
    std::vector<bool> has_records;       // by function
    std::vector<bool> has_calls;         // by arc: is recorded in these parts
    std::vector<std::uint64_t> entries;  // by inlined function
};

/// What the records say about a function by one event type. Recursive arcs are in neither sum.
struct RecordSums {
    Cost own = 0;  ///< self and arcs out
    Cost in = 0;   ///< arcs in
};

struct CallGraph::Data {
    explicit Data(const Profile& whole)
        : profile(whole),
          self(&ProfileAccess::data(whole).self),
          arc_costs(&ProfileAccess::data(whole).arc_costs),
          located(&ProfileAccess::data(whole).located) {}

    Profile profile;
    std::vector<PartId> parts;
    std::vector<bool> is_chosen;  // by part; empty: all of them
    Costs total;
    std::vector<bool> conserved;  // by event type: what callers recorded was spent (F76 a); empty: nowhere
    std::vector<bool> none_lost;  // by event type: where it was not spent in callees, it is in no function
    PagedVector<RecordSums> recorded;  // by node, of the only event type; empty where there are several

    // By function, arc and file of the profile.
    const CostTable* self;
    const CostTable* arc_costs;
    const CostTable* located;
    std::shared_ptr<const PartialCosts> partial;

    // Only if nodes are not just the functions of the profile.
    struct Mapping {
        std::vector<std::uint32_t> node_of;  // by function; no_row: not in the chosen parts
        std::vector<std::uint32_t> arc_of;   // by arc of the profile
        Grouping<FunctionId> functions;      // by node
        Grouping<ArcId> arcs;                // by arc of the graph
        std::vector<NodeId> callers, callees;
        std::vector<std::string_view> names;  // by node; empty: as in the profile
        // Only if nodes are groups of functions (graph_of_groups), by node.
        std::vector<std::string> group_names;
        std::vector<std::string_view> objects, files;  // those that all of its functions have
        std::vector<bool> has_records;                 // by node
        std::shared_ptr<const CallGraph> of_functions;
        std::vector<std::uint32_t> group_of;  // by node of that one
    };
    std::unique_ptr<Mapping> mapping;

    Grouping<ArcId> callees;  // by caller
    Grouping<ArcId> callers;  // by callee
    std::vector<CycleId> cycle_of;
    Grouping<NodeId> cycles;

    // Recursion levels (F72).
    std::vector<bool> is_deeper;  // by function of the profile: a level of 2 or more; empty: none is
    bool separates_levels = false;
    bool divides_levels = false;   // an importer did, by guess (F76)
    std::vector<CycleId> divided;  // by node: what its function is in, with all its levels; empty: none is
    std::vector<bool> tells;       // by node: its levels tell what it costs inclusively; empty: none do
    CycleCosts cycle_costs;
    std::unique_ptr<InlinedCosts> inlined;  // null: no node is inlined code

    [[nodiscard]] const ProfileData& columns() const { return ProfileAccess::data(profile); }
    [[nodiscard]] std::size_t node_count() const {
        return mapping ? mapping->functions.offsets.size() - 1 : columns().functions.size();
    }
    [[nodiscard]] std::size_t arc_count() const {
        return mapping ? mapping->callers.size() : columns().arcs.size();
    }
    /// Nodes are groups of functions, whose names, contexts and inlined code are no longer told apart.
    [[nodiscard]] bool is_of_groups() const { return mapping && !mapping->group_names.empty(); }
    [[nodiscard]] bool is_chosen_part(PartId part) const {
        return is_chosen.empty() || is_chosen[part.value];
    }

    [[nodiscard]] NodeId caller(ArcId arc) const {
        return mapping ? mapping->callers[arc.value] : NodeId(columns().arcs[arc.value].caller.value);
    }
    [[nodiscard]] NodeId callee(ArcId arc) const {
        return mapping ? mapping->callees[arc.value] : NodeId(columns().arcs[arc.value].callee.value);
    }
    [[nodiscard]] bool is_recursive(NodeId from, NodeId to) const {
        return from == to || (cycle_of[from.value].valid() && cycle_of[from.value] == cycle_of[to.value]);
    }
    [[nodiscard]] bool is_recursive(ArcId arc) const { return is_recursive(caller(arc), callee(arc)); }
    /// Calls f(arc, caller, callee) for all arcs.
    template <class F>
    void for_each_arc(F f) const {
        const std::size_t arcs = arc_count();
        if (mapping) {
            for (std::size_t row = 0; row < arcs; ++row)
                f(ArcId(row), mapping->callers[row], mapping->callees[row]);
            return;
        }
        const auto& rows = columns().arcs;
        for (std::size_t row = 0; row < arcs; ++row)
            f(ArcId(row), NodeId(rows[row].caller.value), NodeId(rows[row].callee.value));
    }
    /// The same without the recursive ones.
    template <class F>
    void for_each_plain_arc(F f) const {
        for_each_arc([&](ArcId arc, NodeId caller, NodeId callee) {
            if (!is_recursive(caller, callee)) f(arc, caller, callee);
        });
    }
    /// The recursive ones but those of a function to itself.
    template <class F>
    void for_each_arc_in_cycles(F f) const {
        for (const NodeId caller : cycles.rows)
            for (const ArcId arc : callees[caller.value])
                if (const NodeId to = callee(arc); to != caller && is_recursive(caller, to))
                    f(arc, caller, to);
    }
    /// Calls f(function) for the functions of the profile that the node stands for.
    template <class F>
    void for_each_function(NodeId node, F f) const {
        if (!mapping) return f(FunctionId(node.value));
        for (const FunctionId function : mapping->functions[node.value]) f(function);
    }
    /// Calls f(arc) for the arcs of the profile that an arc of the graph stands for.
    template <class F>
    void for_each_source(ArcId arc, F f) const {
        if (!mapping) return f(arc);
        for (const ArcId source : mapping->arcs[arc.value]) f(source);
    }
    /// An arc of the profile that stands for no call.
    [[nodiscard]] bool is_inlined(ArcId source) const {
        return columns().inlined.contains(columns().arcs[source.value].callee);
    }
    /// Calls within the cycle cost other than the profile says: only what enters and leaves it is known.
    [[nodiscard]] CycleId divided_cycle(NodeId node) const {
        return divided.empty() ? CycleId{} : divided[node.value];
    }
    [[nodiscard]] bool levels_tell(NodeId node) const { return !tells.empty() && tells[node.value]; }
    [[nodiscard]] bool is_first_level(FunctionId function) const {
        return is_deeper.empty() || !is_deeper[function.value];
    }
    /// Calls f(arc) for the arcs to the node's callees that are not recursive.
    template <class F>
    void for_each_plain_callee(NodeId node, F f) const {
        for (const ArcId arc : callees[node.value])
            if (!is_recursive(node, callee(arc))) f(arc);
    }
    template <class F>
    void for_each_plain_caller(NodeId node, F f) const {
        for (const ArcId arc : callers[node.value])
            if (!is_recursive(node, caller(arc))) f(arc);
    }
    /// Whether any record of the node is in the chosen parts; if not it is only called (F76 a).
    [[nodiscard]] bool has_records(NodeId node) const {
        return mapping ? mapping->has_records[node.value] : columns().functions[node.value].has_records;
    }

    /// By every event type of a sum of them.
    [[nodiscard]] bool conserves(const Measure& measure) const {
        if (conserved.empty() || !measure.additive) return false;
        for (const auto& [event, factor] : measure.terms)
            if (!conserved[event.value] || factor < 0) return false;
        return true;
    }

    [[nodiscard]] static Cost cost_of(const CostTable& table, std::size_t row, const Measure& measure) {
        Cost cost = 0;
        for (const auto& [event, factor] : measure.terms) cost += table.get(row, event.value) * factor;
        return cost;
    }
    [[nodiscard]] static Cost cost_of(const CostTable& table, std::size_t row, EventId event) {
        return table.get(row, event.value);
    }
    /// By a measure or a single event type.
    template <class By>
    [[nodiscard]] Cost self_cost(NodeId node, const By& by) const {
        if (!mapping) return cost_of(*self, node.value, by);
        Cost cost = 0;
        for (const FunctionId function : mapping->functions[node.value])
            cost += cost_of(*self, function.value, by);
        return cost;
    }
    template <class By>
    [[nodiscard]] Cost arc_cost(ArcId arc, const By& by) const {
        if (!mapping) return cost_of(*arc_costs, arc.value, by);
        Cost cost = 0;
        for (const ArcId source : mapping->arcs[arc.value]) cost += cost_of(*arc_costs, source.value, by);
        return cost;
    }
};

struct CallGraphAccess {
    [[nodiscard]] static const CallGraph::Data& data(const CallGraph& graph) { return *graph.data_; }
};
[[nodiscard]] inline const CallGraph::Data& data_of(const CallGraph& graph) {
    return CallGraphAccess::data(graph);
}

/// The function that a node is directly inlined in; invalid: it is not inlined, or a group of functions.
[[nodiscard]] inline FunctionId inlined_in(const CallGraph& graph, NodeId node) {
    return data_of(graph).is_of_groups() ? FunctionId() : graph.profile().inlined_in(graph.function(node));
}

/// Fills in for which event types the parts conserve costs, and have all arcs.
void find_conserved(CallGraph::Data& data);

/// Fills in whether the profile separates levels of recursion, for which the functions' own are known.
void find_levels(CallGraph::Data& data);

/// Fills in what a selection of parts means: all of it if it leaves out none. Errors: as call_graph.
Result<void> choose_parts(CallGraph::Data& data, const Selection& selection);

/// What is recorded of every node by one event type, in one pass over the arcs.
[[nodiscard]] PagedVector<RecordSums> recorded_costs(const CallGraph::Data& data, EventId event);
/// The same in two steps: sums over all arcs, which need no cycles; then the arcs inside cycles are
/// subtracted.
[[nodiscard]] PagedVector<RecordSums> sums_of_arcs(const CallGraph::Data& data, EventId event);
void leave_out_cycles(const CallGraph::Data& data, PagedVector<RecordSums>& recorded, EventId event);

/// Self cost of every node.
[[nodiscard]] std::vector<Cost> self_costs(const CallGraph& graph, const Measure& measure);
/// Inclusive cost of every node (F76), or its estimate; of a measure that does not add up, the recorded
/// value.
[[nodiscard]] std::vector<Cost> inclusive_costs(const CallGraph& graph, const Measure& measure);

/// Columns whose inclusive costs can be compared with the total: they add up and nothing in them is negative.
[[nodiscard]] std::vector<bool> comparable_columns(const CallGraph& graph);

/// What costs more with its callees than the total, even if rounding, negative costs or a larger `summary:`
/// explain it: then it is no diagnostic.
[[nodiscard]] Diagnostic inclusive_above_total(const CallGraph& graph);

/// How many of `count` rows make up `share` of the total together, the first ones being the most expensive.
template <class CostOf>
[[nodiscard]] std::size_t rows_that_cover(std::size_t count, double share, double total, CostOf cost_of) {
    const double wanted = share * total;
    if (wanted <= 0) return count;
    double so_far = 0;
    std::size_t rows = 0;
    while (rows < count && so_far < wanted) so_far += static_cast<double>(cost_of(rows++));
    return rows;
}
/// How many of the first rows FunctionsOptions::coverage keeps; `shown` is the cost they are sorted by.
template <class ShownOf>
[[nodiscard]] std::size_t covered_rows(std::size_t count, const FunctionsOptions& options, double total,
                                       ShownOf shown) {
    if (options.coverage >= 1 || total <= 0) return count;
    if (options.by == SortBy::self) return rows_that_cover(count, options.coverage, total, shown);
    if (options.by != SortBy::inclusive) return count;
    const double least = (1 - options.coverage) * total;
    std::size_t rows = 0;
    while (rows < count && static_cast<double>(shown(rows)) >= least) ++rows;
    return rows;
}

/// The order of names that ends every sort: name, then object, then file, then row.
[[nodiscard]] bool precedes(const CallGraph& graph, NodeId a, NodeId b);

}  // namespace callcost
