// Functions taken together by object, file, directory, class or namespace, or cycle.
#include <algorithm>
#include <string>

#include "call_graph/components.hpp"
#include "call_graph/graph_data.hpp"

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

/// The group of every node, and what the groups are called.
struct Division {
    std::vector<std::uint32_t> of;  // by node
    std::vector<std::string> names;
};

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

Division divide(const CallGraph& graph, GroupBy by) {
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

void add_up(const CallGraph& graph, const Measure& measure, const Division& division, GroupBy by,
            std::vector<Group>& all) {
    const Data& data = data_of(graph);
    for (std::size_t row = 0; row < graph.size(); ++row) {
        Group& group = all[division.of[row]];
        const NodeId node(row);
        group.self += data.self_cost(node, measure);
    }
    for (Group& group : all) group.inclusive = group.self;
    const Components circle = circles(data, division);
    std::vector<std::uint32_t> sizes(circle.count, 0);
    for (const std::uint32_t component : circle.of) ++sizes[component];
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i].in_cycle_of_groups = sizes[circle.of[i]] > 1 && !all[i].cycle.valid();
    std::vector<Cost> in(all.size());  // from groups that are not in the same circle
    for (std::size_t row = 0; row < data.arc_count(); ++row) {
        const ArcId arc(row);
        const std::uint32_t from = division.of[data.caller(arc).value];
        const std::uint32_t to = division.of[data.callee(arc).value];
        if (from != to) all[to].called.add(graph.count(arc));
        if (!measure.additive) continue;  // F78
        const Cost cost = data.arc_cost(arc, measure);
        // A cycle of functions is no part of a circle: only the functions outside all cycles, which are many
        // nodes of the graph, seem to close one.
        const bool leaves =
            by == GroupBy::cycle && all[from].cycle.valid() ? from != to : circle.of[from] != circle.of[to];
        if (!leaves) continue;
        all[from].inclusive += cost;
        in[to] += cost;
        // What a function costs that is only called is what its callers paid (F76 a): those of other groups.
        if (!data.has_records(data.callee(arc))) all[to].inclusive += cost;
    }
    if (!data.conserves(measure)) return;
    const Cost total = graph.total(measure);
    for (std::size_t i = 0; i < all.size(); ++i) {  // F76 (a)
        if (by != GroupBy::cycle && !all[i].in_cycle_of_groups)
            all[i].inclusive = std::max(all[i].inclusive, in[i]);
        all[i].inclusive = std::min(all[i].inclusive, total);
    }
}

}  // namespace

GroupList groups(const CallGraph& graph, GroupBy by, const FunctionsOptions& options) {
    const Measure measure = options.measure ? *options.measure : default_measure(graph);
    const Division division = divide(graph, by);
    GroupList list{.by = by, .rows = {}, .total = graph.total(measure)};
    std::vector<Group>& all = list.rows;
    all.resize(division.names.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i].name = division.names[i];
        if (by == GroupBy::cycle && i + 1 < all.size()) all[i].cycle = CycleId(i);
    }
    for (std::size_t node = 0; node < graph.size(); ++node) all[division.of[node]].nodes.emplace_back(node);
    add_up(graph, measure, division, by, all);

    std::erase_if(all, [](const Group& group) { return group.nodes.empty(); });
    const std::size_t count = all.size();
    double least = 0;
    if (options.threshold > 0 && measure.additive)
        least = options.threshold * static_cast<double>(percentage_base(graph, measure).magnitude());
    std::erase_if(all, [&](const Group& group) {
        const Cost shown = options.by == SortBy::self ? group.self : group.inclusive;
        return static_cast<double>(shown.magnitude()) < least;
    });
    std::sort(all.begin(), all.end(), [&](const Group& a, const Group& b) {
        if (options.by == SortBy::self && a.self != b.self) return a.self > b.self;
        if (options.by == SortBy::inclusive && a.inclusive != b.inclusive) return a.inclusive > b.inclusive;
        if (options.by == SortBy::called && a.called.known != b.called.known)
            return a.called.known > b.called.known;
        if (a.cycle != b.cycle) return a.cycle < b.cycle;  // not "<cycle 10>" before "<cycle 2>"
        return a.name < b.name;
    });
    all.resize(covered_rows(
        std::min(all.size(), options.limit), options, static_cast<double>(list.total),
        [&](std::size_t i) { return options.by == SortBy::self ? all[i].self : all[i].inclusive; }));
    list.omitted_rows = count - all.size();
    list.omitted_self = list.total;
    for (const Group& group : all) list.omitted_self -= group.self;
    return list;
}

}  // namespace callcost
