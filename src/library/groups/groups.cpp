// Functions taken together by object, file, directory, class or namespace, or cycle.
#include "callcost/groups.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "call_graph/components.hpp"
#include "call_graph/flow.hpp"
#include "call_graph/graph_data.hpp"
#include "groups/division.hpp"
#include "profile/call_trace.hpp"

namespace callcost {
namespace {

using Data = CallGraph::Data;

/// As dirname(1): "a/b" for "a/b/c", "." for "c". Windows paths too.
std::string_view directory_of(std::string_view path) {
    if (path == unknown_name) return path;
    const std::size_t slash = path.find_last_of("/\\");
    if (slash == std::string_view::npos) return ".";
    return path.substr(0, std::max<std::size_t>(slash, 1));
}

Division divide_by_cycle(const CallGraph& graph) {
    Division division;
    const auto cycles = static_cast<std::uint32_t>(graph.cycle_count());
    for (std::uint32_t cycle = 0; cycle < cycles; ++cycle)
        division.names.push_back("<cycle " + std::to_string(cycle + 1) + ">");
    division.names.emplace_back();  // in no cycle
    division.of.resize(graph.size(), cycles);
    for (std::size_t node = 0; node < graph.size(); ++node)
        if (const CycleId cycle = graph.cycle(NodeId(node)); cycle.valid()) division.of[node] = cycle.value;
    return division;
}

/// Nodes for which `name_of` gives the same name are a group.
template <class NameOf>
Division divide_by_name(const CallGraph& graph, NameOf name_of) {
    Division division;
    NameTable names{{}};
    division.of.resize(graph.size());
    for (std::size_t node = 0; node < graph.size(); ++node)
        division.of[node] = names.intern(name_of(NodeId(node)));
    for (std::size_t row = 0; row < names.size(); ++row) division.names.emplace_back(names[row]);
    return division;
}

}  // namespace

Division divide_whole(const CallGraph& graph, GroupBy by) {
    switch (by) {
        case GroupBy::object:
            return divide_by_name(graph, [&](NodeId node) { return graph.object(node); });
        case GroupBy::file:
            return divide_by_name(graph, [&](NodeId node) { return graph.file(node); });
        case GroupBy::directory:
            return divide_by_name(graph, [&](NodeId node) { return directory_of(graph.file(node)); });
        case GroupBy::name_space: {
            const ContextNames contexts(graph.profile());
            return divide_by_name(graph, [&](NodeId node) {
                // The callers in a context have namespaces of their own.
                return name_space_of(contexts.split(graph.function(node)).name);
            });
        }
        case GroupBy::cycle:
            break;
    }
    return divide_by_cycle(graph);
}

namespace {

Division divide(const CallGraph& graph, GroupBy by, const std::function<bool(NodeId)>& where) {
    auto division = divide_whole(graph, by);
    division.listed = division.names.size();
    for (std::size_t row = 0; where && row < graph.size(); ++row) {
        if (where(NodeId(row))) continue;
        division.of[row] = static_cast<std::uint32_t>(division.names.size());
        division.names.emplace_back();
    }
    return division;
}

/// Which groups call each other in a circle: F76 for the graph whose nodes are the groups.
Components circles(const Data& data, const Division& division) {
    const auto group_of = [&](NodeId node) { return division.of[node.value]; };
    std::vector<ArcId> crossing;
    for (std::size_t row = 0; row < data.arc_count(); ++row)
        if (const ArcId arc(row); group_of(data.caller(arc)) != group_of(data.callee(arc)))
            crossing.push_back(arc);
    const auto edges = group_by<ArcId>(division.names.size(), crossing.size(),
                                       [&](std::size_t i) { return group_of(data.caller(crossing[i])); });
    std::vector<std::uint32_t> targets;
    targets.reserve(crossing.size());
    for (const ArcId edge : edges.rows) targets.push_back(group_of(data.callee(crossing[edge.value])));
    return strong_components(edges.offsets, targets);
}

/// What the arcs that enter and leave a group cost.
struct Crossing {
    Cost out, in;                ///< all of them
    Cost beyond_out, beyond_in;  ///< those that lead out of its cycle of groups, and in from outside
    Cost least_of_one;           ///< what one of its functions costs at least
    double most_of_entries = 0;  ///< what the functions cost together at most at which it is entered
};

/// From every single call, if the profile has them.
bool find_traced_costs(const CallGraph& graph, const Measure& measure, const Division& division,
                       std::vector<Group>& all) {
    const Profile& profile = graph.profile();
    if (!are_traced(profile, graph.parts())) return false;
    std::vector<std::uint32_t> row_of(profile.function_count(), no_row);
    for (std::size_t row = 0; row < row_of.size(); ++row)
        if (const NodeId node = graph.node_of(FunctionId(row)); node.valid())
            row_of[row] = division.of[node.value];
    std::vector<EventId> events;
    for (const auto& term : measure.terms) events.push_back(term.first);
    const auto costs = outermost_costs(profile, graph.parts(), row_of, all.size(), events);
    if (!costs) return false;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!all[i].in_cycle_of_groups) continue;
        Cost cost = 0;
        for (std::size_t term = 0; term < events.size(); ++term)
            cost += (*costs)[i * events.size() + term] * measure.terms[term].second;
        all[i].inclusive = {cost, cost, cost};
    }
    return true;
}

/// What their functions say of groups: they cost no less than one of them, and no more than those together at
/// which they are entered.
void find_costs_of_functions(const CallGraph& graph, const Measure& measure, const Division& division,
                             std::vector<Crossing>& crossings) {
    const BoundedCosts costs = inclusive_bounds(graph, measure);
    for (std::size_t row = 0; row < graph.size(); ++row) {
        const NodeId node(row);
        Crossing& group = crossings[division.of[row]];
        group.least_of_one = std::max(group.least_of_one, costs.least[row]);
        const auto callers = graph.callers(node);
        const bool is_entered =
            std::any_of(
                callers.begin(), callers.end(),
                [&](ArcId arc) { return division.of[graph.caller(arc).value] != division.of[row]; }) ||
            conservation(graph, node, measure).imbalance() > 0;
        if (is_entered) group.most_of_entries += static_cast<double>(costs.most[row]);
    }
}

/// Of groups in cycles of groups, which are only bounded.
class CircularGroups {
  public:
    CircularGroups(const CallGraph& graph, const Measure& measure, const Division& division,
                   const std::vector<Crossing>& crossings, std::vector<Group>& all)
        : graph_(graph), measure_(measure), division_(division), crossings_(crossings), all_(all) {}

    /// Calls that leave the cycle of groups do not nest, nor do those that enter it; each event is once at
    /// least in all calls that enter the group, and in those of the functions at which it is entered.
    void bound(const Components& circle) const {
        std::vector<Cost> of_circle(circle.count);
        for (std::size_t i = 0; i < all_.size(); ++i)
            of_circle[circle.of[i]] += all_[i].self + crossings_[i].beyond_out;
        for (std::size_t i = 0; i < all_.size(); ++i) {
            if (!all_[i].in_cycle_of_groups) continue;
            const Crossing& arcs = crossings_[i];
            const Cost self = all_[i].self;
            const Cost least = std::max({self + arcs.beyond_out, arcs.beyond_in, arcs.least_of_one, Cost(0)});
            Cost most = std::min(std::max(self + arcs.out, arcs.in), of_circle[circle.of[i]]);
            if (arcs.most_of_entries >= static_cast<double>(least) &&
                arcs.most_of_entries < static_cast<double>(most))
                most = Cost(std::llround(arcs.most_of_entries));
            if (data_of(graph_).conserves(measure_)) most = std::min(most, graph_.total(measure_));
            all_[i].inclusive = {least, most < 0 ? most : least, std::max(least, most)};
        }
    }

    /// As far as the time allows; the others lie between their bounds where those do on average.
    void estimate() const {
        constexpr std::size_t max_work = 30'000'000;
        std::vector<std::size_t> open;
        for (std::size_t i = 0; i < division_.listed; ++i)
            if (!all_[i].inclusive.is_exact()) open.push_back(i);
        if (open.empty()) return;
        const auto width = [&](std::size_t i) { return all_[i].inclusive.most - all_[i].inclusive.least; };
        std::stable_sort(open.begin(), open.end(),
                         [&](std::size_t a, std::size_t b) { return width(a) > width(b); });
        const Flow flow(graph_, measure_);
        double above = 0, room = 0;
        std::size_t work = 0;
        for (const std::size_t i : open) {
            BoundedCost& cost = all_[i].inclusive;
            const auto least = static_cast<double>(cost.least), most = static_cast<double>(cost.most);
            double estimate = least + (room > 0 ? above / room : 0) * (most - least);
            if (work < max_work) {
                estimate = 0;
                for (const Start& start : starts_at(
                         flow, [&](NodeId node) { return division_.of[node.value] == i; }, &work))
                    estimate += start.cost.estimate * flow.unit;
                work += graph_.size() + graph_.arc_count();
            }
            estimate = std::isnan(estimate) ? least : std::clamp(estimate, least, most);
            cost.estimate = estimate >= most ? cost.most : std::max(cost.least, Cost(std::llround(estimate)));
            above += estimate - least;
            room += most - least;
        }
    }

  private:
    const CallGraph& graph_;
    const Measure& measure_;
    const Division& division_;
    const std::vector<Crossing>& crossings_;
    std::vector<Group>& all_;
};

}  // namespace

void add_up(const CallGraph& graph, const Measure& measure, const Division& division, GroupBy by,
            std::vector<Group>& all) {
    const Data& data = data_of(graph);
    for (std::size_t row = 0; row < graph.size(); ++row) {
        Group& group = all[division.of[row]];
        const NodeId node(row);
        group.self += data.self_cost(node, measure);
        group.inlined += graph.inlined_self(node, measure);
    }
    const Components circle = circles(data, division);
    std::vector<std::uint32_t> sizes(circle.count, 0);
    for (const std::uint32_t component : circle.of) ++sizes[component];
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i].in_cycle_of_groups = sizes[circle.of[i]] > 1 && !all[i].cycle.valid();
    std::vector<Crossing> crossings(all.size());
    std::vector<bool> is_inlined(all.size(), false);
    for (std::size_t row = 0; row < data.arc_count(); ++row) {
        const ArcId arc(row);
        const std::uint32_t from = division.of[data.caller(arc).value];
        const std::uint32_t to = division.of[data.callee(arc).value];
        if (from == to) continue;
        if (graph.inlined(arc)) {
            is_inlined[to] = true;
        } else {
            all[to].called.add(graph.count(arc));
        }
        if (!measure.additive) continue;  // F78
        const Cost cost = data.arc_cost(arc, measure);
        crossings[from].out += cost;
        crossings[to].in += cost;
        // A cycle of functions is no part of a circle: only the functions outside all cycles, which are many
        // nodes of the graph, seem to close one.
        const bool leaves =
            (by == GroupBy::cycle && all[from].cycle.valid()) || circle.of[from] != circle.of[to];
        if (!leaves) continue;
        // What a function costs that is only called is what its callers paid (F76 a): those of other groups.
        if (!data.has_records(data.callee(arc))) crossings[to].beyond_out += cost;
        crossings[from].beyond_out += cost;
        crossings[to].beyond_in += cost;
    }
    const bool is_conserved = data.conserves(measure);
    const Cost total = graph.total(measure);
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (is_inlined[i] && all[i].called == CallCount{}) all[i].called = {0, true};  // not known
        Cost cost = all[i].self + crossings[i].beyond_out;
        if (is_conserved) {  // F76 (a)
            if (by != GroupBy::cycle) cost = std::max(cost, crossings[i].beyond_in);
            cost = std::min(cost, total);
        }
        all[i].inclusive = {cost, cost, cost};
    }
    const auto is_circular = [](const Group& group) { return group.in_cycle_of_groups; };
    if (!measure.additive || std::none_of(all.begin(), all.end(), is_circular)) return;
    if (find_traced_costs(graph, measure, division, all)) return;
    find_costs_of_functions(graph, measure, division, crossings);
    const CircularGroups circular(graph, measure, division, crossings, all);
    circular.bound(circle);
    circular.estimate();
}

GroupList groups(const CallGraph& graph, GroupBy by, const FunctionsOptions& options) {
    const Measure measure = options.measure ? *options.measure : default_measure(graph);
    const Division division = divide(graph, by, options.where);
    GroupList list{.by = by, .rows = {}, .total = graph.total(measure)};
    std::vector<Group>& all = list.rows;
    all.resize(division.names.size());
    for (std::size_t i = 0; i < division.listed; ++i) {
        all[i].name = division.names[i];
        if (by == GroupBy::cycle && i + 1 < division.listed) all[i].cycle = CycleId(i);
    }
    for (std::size_t node = 0; node < graph.size(); ++node) all[division.of[node]].nodes.emplace_back(node);
    add_up(graph, measure, division, by, all);
    all.resize(division.listed);

    std::erase_if(all, [](const Group& group) { return group.nodes.empty(); });
    const std::size_t count = all.size();
    double least = 0;
    if (options.threshold > 0 && measure.additive)
        least = options.threshold * static_cast<double>(percentage_base(graph, measure).magnitude());
    std::erase_if(all, [&](const Group& group) {
        const Cost shown = options.by == SortBy::self ? group.self : group.inclusive.estimate;
        return static_cast<double>(shown.magnitude()) < least;
    });
    std::sort(all.begin(), all.end(), [&](const Group& a, const Group& b) {
        if (options.by == SortBy::self && a.self != b.self) return a.self > b.self;
        if (options.by == SortBy::inclusive && a.inclusive.estimate != b.inclusive.estimate)
            return a.inclusive.estimate > b.inclusive.estimate;
        if (options.by == SortBy::called && a.called.known != b.called.known)
            return a.called.known > b.called.known;
        if (a.cycle != b.cycle) return a.cycle < b.cycle;  // not "<cycle 10>" before "<cycle 2>"
        return a.name < b.name;
    });
    all.resize(covered_rows(
        std::min(all.size(), options.limit), options, static_cast<double>(list.total),
        [&](std::size_t i) { return options.by == SortBy::self ? all[i].self : all[i].inclusive.estimate; }));
    list.omitted_rows = count - all.size();
    list.omitted_self = list.total;
    for (const Group& group : all) list.omitted_self -= group.self;
    return list;
}

}  // namespace callcost
