#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "callcost/diff.hpp"

namespace callcost {
namespace {

using PlaceOf = std::string_view (CallGraph::*)(NodeId) const;
using NameOf = std::function<std::string_view(NodeId)>;

using Names = std::set<std::string_view>;
using Votes = std::map<std::string_view, std::map<std::string_view, std::size_t>>;

std::string_view most_voted(const std::map<std::string_view, std::size_t>& votes) {
    return std::max_element(votes.begin(), votes.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; })
        ->first;
}

/// Places that only the profile before has, and those that only the one after has which most of their
/// functions are in, as most of these come from there: they were renamed.
std::map<std::string_view, std::string_view> successors(const Diff& diff, const NameOf& name_before,
                                                        const NameOf& name_after) {
    Names befores, afters;
    Votes there, back;
    for (const FunctionMatch& function : diff.functions()) {
        for (const NodeId node : function.before) befores.insert(name_before(node));
        for (const NodeId node : function.after) afters.insert(name_after(node));
        if (function.is_added() || function.is_removed()) continue;
        const auto before = name_before(function.before[0]), after = name_after(function.after[0]);
        ++there[before][after];
        ++back[after][before];
    }
    std::map<std::string_view, std::string_view> names;
    for (const auto& [before, votes] : there) {
        const auto after = most_voted(votes);
        if (!afters.contains(before) && !befores.contains(after) && most_voted(back[after]) == before)
            names[before] = after;
    }
    return names;
}

/// Each function's cost before is where the function was, and its cost after where it is.
std::vector<PlaceChange> changes(const Diff& diff, PlaceOf place) {
    const auto names = successors(
        diff, [&](NodeId node) { return (diff.before().*place)(node); },
        [&](NodeId node) { return (diff.after().*place)(node); });
    std::map<std::string_view, Change> sums;
    for (const FunctionMatch& function : diff.functions()) {
        for (const NodeId node : function.before) {
            auto name = (diff.before().*place)(node);
            if (const auto found = names.find(name); found != names.end()) name = found->second;
            auto& sum = sums[name].before;
            sum += diff.before().self(node, diff.measure_before());
        }
        for (const NodeId node : function.after) {
            auto& sum = sums[(diff.after().*place)(node)].after;
            sum += diff.after().self(node, diff.measure_after());
        }
    }
    std::vector<PlaceChange> list;
    list.reserve(sums.size());
    for (const auto& [name, self] : sums) list.push_back({name, self});
    std::stable_sort(list.begin(), list.end(), [](const PlaceChange& a, const PlaceChange& b) {
        return a.self.magnitude() > b.self.magnitude();
    });
    return list;
}

}  // namespace

std::map<std::string, std::string> renamed_groups(const Diff& diff, std::span<const Group> before,
                                                  std::span<const Group> after) {
    const auto names = [](const CallGraph& graph, std::span<const Group> groups) {
        std::vector<std::string_view> all(graph.size());
        for (const Group& group : groups)
            for (const NodeId node : group.nodes) all[node.value] = group.name;
        return all;
    };
    const auto olds = names(diff.before(), before), news = names(diff.after(), after);
    std::map<std::string, std::string> renamed;
    for (const auto& [old, now] : successors(
             diff, [&](NodeId node) { return olds[node.value]; },
             [&](NodeId node) { return news[node.value]; }))
        renamed.emplace(old, now);
    return renamed;
}

std::vector<PlaceChange> file_changes(const Diff& diff) { return changes(diff, &CallGraph::file); }
std::vector<PlaceChange> object_changes(const Diff& diff) { return changes(diff, &CallGraph::object); }

}  // namespace callcost
