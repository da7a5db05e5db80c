/// A query resolved in the profiles: parts, event types, filtered functions. Cached between queries, which
/// mostly share them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "query/filtered_difference.hpp"
#include "query/filtered_functions.hpp"
#include "query/query.hpp"
#include "text/profile_facts.hpp"
#include <callcost/call_graph.hpp>
#include <callcost/diff.hpp>
#include <callcost/event_type.hpp>
#include <callcost/tree.hpp>

namespace callcost::engine {

/// The last few results, by key.
template <class Value>
class Recent {
  public:
    explicit Recent(std::size_t most) : most_(most) {}

    /// What was kept under the key, or what `make` yields. Lives until `most` others were requested.
    template <class Make>
    std::shared_ptr<const Value> get(const std::string& key, Make make) {
        for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
            if (entry->first != key) continue;
            entries_.splice(entries_.begin(), entries_, entry);
            return entry->second;
        }
        std::shared_ptr<const Value> made = make();
        if (!made) return made;
        entries_.emplace_front(key, made);
        if (entries_.size() > most_) entries_.pop_back();
        return made;
    }

  private:
    std::size_t most_;
    std::list<std::pair<std::string, std::shared_ptr<const Value>>> entries_;
};

/// A profile under a selection.
struct GraphView {
    explicit GraphView(CallGraph call_graph) : graph(std::move(call_graph)), contexts(graph.profile()) {}

    CallGraph graph;
    ContextNames contexts;
};

/// A view whose nodes are groups of functions.
struct GroupsView {
    explicit GroupsView(CallGraph call_graph) : view(std::move(call_graph)) {}

    GraphView view;
    std::shared_ptr<const FilteredFunctions> filtered;  ///< none: no filter
};

/// A comparison, and what is needed to find things in it.
struct ComparisonIndex {
    Diff diff;
    std::vector<MatchId> match_after, match_before;  ///< by node
    std::vector<std::size_t> arcs_out, arcs_in;      ///< rows of Diff::arcs(), by caller and by callee
    std::vector<std::size_t> first_out, first_in;    ///< where those of a function begin, by its MatchId
    std::vector<std::size_t> arc_after, arc_before;  ///< row of Diff::arcs(), by arc
    /// The functions that have cost in a file, by its name; filled when it is first requested.
    mutable std::map<std::string_view, std::vector<MatchId>> in_file{};

    static constexpr std::size_t none = static_cast<std::size_t>(-1);
};

/// One profile of a query. Measures are resolved in it, as it has columns of its own.
struct Side {
    std::shared_ptr<const GraphView> selected;
    Measure measure;                                    ///< what to measure by
    std::vector<Measure> columns;                       ///< for lists of costs
    std::shared_ptr<const FilteredFunctions> filtered;  ///< none: no filter
    const StacksOfSources* stacks = nullptr;            ///< those recorded beside the profile; never null
    bool has_cycles = true;                             ///< see `cycles` in docs/protocol.md

    [[nodiscard]] const CallGraph& graph() const { return selected->graph; }
    [[nodiscard]] bool has_inclusive(const Measure& by) const { return engine::has_inclusive(graph(), by); }
    [[nodiscard]] BoundedCost inclusive_bounds(NodeId node, const Measure& by) const;
    [[nodiscard]] Cost inclusive(NodeId node, const Measure& by) const {
        return inclusive_bounds(node, by).estimate;
    }
    /// What the filters keep of costs; null without any.
    [[nodiscard]] const FilteredCosts* kept(const Measure& by) const;
};

/// Whether the cost of one of the arcs counts some cost more than once, so that it is no share of the total.
[[nodiscard]] bool is_counted_again(const Side& side, std::span<const ArcId> arcs);

/// What a column is in a profile that does not have its event type: nothing is known of it there.
[[nodiscard]] Measure missing_measure(std::string name);
[[nodiscard]] inline bool is_missing(const Measure& measure) {
    return measure.terms.empty() && !measure.additive;
}

/// A resolved query.
struct View {
    Side after;
    std::optional<Side> before;                       ///< with `compare`
    std::shared_ptr<const ComparisonIndex> compared;  ///< with `compare`
};

/// `Time is in ns before and in us after`: why costs by the two are not compared; empty if they are.
[[nodiscard]] std::string difference_of_units(const Measure& before, const Measure& after);

/// Of a view that compares: what its filters keep. The view must outlive it.
[[nodiscard]] FilteredDifference filtered_difference(const View& view);

/// A profile, its call graphs for the last selections.
struct LoadedProfile {
    explicit LoadedProfile(Profile of, StacksOfSources recorded = {});

    Profile profile;
    StacksOfSources stacks;
    Measures measures;
    Recent<GraphView> selections{4};
    Recent<FilteredFunctions> filters{4};
    Recent<GroupsView> groups{4};
};

/// The two profiles of a session.
struct Profiles {
    LoadedProfile after;
    std::optional<LoadedProfile> before;
    Recent<ComparisonIndex> comparisons{3};
};

/// The measure of that name of the old profile, if it is what the new one has by that name: a built-in
/// formula is made of those of its event types that a profile has (F69), so it may be less than in the other
/// profile.
[[nodiscard]] std::optional<Measure> measure_before(const Profiles& profiles, std::string_view text);

/// The functions of a graph in groups. `filtered` are those that its filters choose; null: no filters.
[[nodiscard]] GroupsView groups_of(const CallGraph& graph, GroupBy by,
                                   std::shared_ptr<const FilteredFunctions> filtered);

/// `compile` is for patterns that are expressions.
[[nodiscard]] QueryResult<View> resolve(const Query& query, Profiles& profiles,
                                        const NamePattern::Compile& compile);

/// The function of an id of the protocol. Negative ids are those of the old profile.
struct FunctionAt {
    NodeId node;
    bool is_before = false;
};
[[nodiscard]] std::int64_t id_of(const CallGraph& graph, NodeId node, bool is_before);
/// Nothing if there is none in this selection.
[[nodiscard]] std::optional<FunctionAt> find_function(const View& view, std::int64_t id);

}  // namespace callcost::engine
