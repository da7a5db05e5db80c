// Groups of functions as the nodes of a graph.
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "call_graph/graph_data.hpp"
#include "call_graph/regrouped.hpp"
#include "groups/division.hpp"

namespace callcost {
namespace {

/// What functions without a group of their own are called together.
std::string_view name_without_group(const CallGraph& graph, NodeId node, GroupBy by) {
    if (graph.object(node) != unknown_name) return graph.object(node);
    return by == GroupBy::name_space ? graph.file(node) : unknown_name;
}

/// The same groups, but that functions without one join their object, and that those apart are in different
/// ones.
Division divide_for_graph(const CallGraph& graph, GroupBy by,
                          const std::function<std::uint32_t(NodeId)>& apart) {
    const Division whole = divide_whole(graph, by);
    Division division;
    division.of.reserve(graph.size());
    std::map<std::pair<std::string_view, std::uint32_t>, std::uint32_t> rows;
    std::vector<std::uint32_t> number_of;  // by group
    for (std::size_t row = 0; row < graph.size(); ++row) {
        const NodeId node(row);
        std::string_view name = whole.names[whole.of[row]];
        if (by != GroupBy::object && (name.empty() || name == unknown_name))
            name = name_without_group(graph, node, by);
        const std::uint32_t number = apart ? apart(node) : 0;
        const auto [group, is_new] =
            rows.try_emplace({name, number}, static_cast<std::uint32_t>(division.names.size()));
        division.of.push_back(group->second);
        if (!is_new) continue;
        division.names.emplace_back(name);
        number_of.push_back(number);
    }
    const std::uint32_t greatest = *std::max_element(number_of.begin(), number_of.end());
    for (const auto& [key, row] : rows)
        if (key.second != greatest && rows.contains({key.first, greatest}))
            division.names[row] += " (others)";
    division.listed = division.names.size();
    return division;
}

/// By group, the name that all of its functions have; else the unknown one.
template <class NameOf>
std::vector<std::string_view> common_names(const Division& division, NameOf name_of) {
    std::vector<std::string_view> names(division.names.size());
    std::vector<bool> is_known(names.size(), false);
    for (std::size_t row = 0; row < division.of.size(); ++row) {
        const std::uint32_t group = division.of[row];
        const std::string_view name = name_of(NodeId(row));
        if (!is_known[group]) {
            names[group] = name;
        } else if (names[group] != name) {
            names[group] = unknown_name;
        }
        is_known[group] = true;
    }
    return names;
}

}  // namespace

CallGraph graph_of_groups(const CallGraph& graph, GroupBy by,
                          const std::function<std::uint32_t(NodeId)>& apart) {
    if (by == GroupBy::cycle || graph.size() == 0) return graph;
    auto division = std::make_shared<const Division>(divide_for_graph(graph, by, apart));
    NodeGroups groups;
    groups.of = division->of;
    groups.names = division->names;
    groups.objects = common_names(*division, [&](NodeId node) { return graph.object(node); });
    groups.files = common_names(*division, [&](NodeId node) { return graph.file(node); });
    groups.inclusive = [graph, by, division](EventId event) {
        Measure measure;
        measure.terms.emplace_back(event, 1);
        measure.additive = graph.profile().events()[event.value].aggregation == Aggregation::sum;
        std::vector<Group> all(division->names.size());
        for (std::size_t node = 0; node < graph.size(); ++node)
            all[division->of[node]].nodes.emplace_back(node);
        add_up(graph, measure, *division, by, all);
        std::vector<BoundedCost> costs;
        costs.reserve(all.size());
        for (const Group& group : all) costs.push_back(group.inclusive);
        return costs;
    };
    return regrouped(graph, std::move(groups));
}

bool is_of_groups(const CallGraph& graph) { return data_of(graph).is_of_groups(); }

ContextName context_name(const CallGraph& graph, const ContextNames& contexts, NodeId node) {
    if (is_of_groups(graph)) return {.name = graph.name(node), .recursion = 0, .context = {}, .callers = 0};
    return contexts.split(graph.function(node));
}

}  // namespace callcost
