#include "query/filtered_groups.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace callcost::engine {

void keep_part(FilteredGroup& group, const CallGraph& graph, const Measure& measure,
               const FilteredCosts& kept, bool shows_all) {
    const BoundedCost whole = group.inclusive;
    double inclusive = 0, of_all = 0;
    Cost least = 0, most = 0;  // what one of its functions certainly costs, and all of them at most
    Cost inlined = 0, self_of_all = 0;
    bool is_exact = true;
    auto& self = group.bounded_self;
    self = {};
    for (const auto node : group.nodes) {
        inclusive += static_cast<double>(kept.inclusive.estimate[node.value]);
        const BoundedCost all = graph.inclusive_bounds(node, measure);
        of_all += static_cast<double>(all.estimate);
        least = std::max(least, kept.inclusive.least[node.value]);
        most += kept.inclusive.most[node.value];
        is_exact = is_exact && kept.listed[node.value] && kept.inclusive.least[node.value] == all.least &&
                   kept.inclusive.most[node.value] == all.most;
        if (!kept.listed[node.value]) continue;
        inlined += graph.inlined_self(node, measure);
        self_of_all += graph.self(node, measure);
        self.estimate += kept.self.estimate[node.value];
        self.least += kept.self.least[node.value];
        self.most += kept.self.most[node.value];
    }
    group.self = self.estimate;
    group.inlined = kept_part(inlined, self_of_all, group.self);
    // As far as the sum of all rows tells more; that of costs below zero tells nothing.
    if (kept.least >= 0) self.most = std::max(self.estimate, std::min(self.most, kept.most));
    if (!is_exact) {
        auto& [estimate, at_least, at_most] = group.inclusive;
        at_least = std::min(whole.most, std::max(least, self.least));
        at_most = std::max(at_least, std::min(whole.most, most));
        const double part = of_all > 0 ? inclusive / of_all : 0;
        estimate = std::max(group.self, Cost(std::llround(part * static_cast<double>(whole.estimate))));
        if (shows_all && kept.least >= 0) {
            at_most = std::max(at_least, std::min(at_most, kept.most));
            estimate = std::min(estimate, kept.estimate);
        }
        estimate = std::clamp(estimate, at_least, at_most);
    }
    std::erase_if(group.nodes, [&](NodeId node) { return !kept.listed[node.value]; });
}

namespace {

/// As groups() does it, by the costs that are kept.
void sort_and_cut(FilteredGroups& list, const CallGraph& graph, const FunctionsOptions& options,
                  const Measure& measure) {
    auto& rows = list.rows;
    const auto key = [&](const FilteredGroup& group) -> Cost {
        if (options.by == SortBy::called)
            return static_cast<std::int64_t>(std::min<std::uint64_t>(group.called.known, INT64_MAX));
        return options.by == SortBy::self ? group.self : group.inclusive.estimate;
    };
    if (options.by != SortBy::name)
        std::stable_sort(rows.begin(), rows.end(),
                         [&](const FilteredGroup& a, const FilteredGroup& b) { return key(a) > key(b); });
    const auto count = rows.size();
    const double least = options.threshold * static_cast<double>(percentage_base(graph, measure).magnitude());
    std::erase_if(rows, [&](const FilteredGroup& group) {
        const Cost shown = options.by == SortBy::self ? group.self : group.inclusive.estimate;
        return static_cast<double>(shown.magnitude()) < least;
    });
    if (rows.size() > options.limit) rows.resize(options.limit);
    list.omitted_rows = count - rows.size();
    list.omitted_self = graph.total(measure);
    for (const auto& group : rows) list.omitted_self -= group.self;
}

}  // namespace

FilteredGroups filtered_groups(const CallGraph& graph, GroupBy by, const FunctionsOptions& options,
                               const FilteredFunctions* filtered) {
    const Measure measure = options.measure ? *options.measure : default_measure(graph);
    const auto* kept = filtered != nullptr ? &filtered->costs(measure) : nullptr;
    FunctionsOptions wanted;
    if (filtered == nullptr) {
        wanted = options;
    } else {
        wanted.by = SortBy::name;
        wanted.where = filtered->filters().show;
    }
    wanted.measure = measure;
    auto whole = groups(graph, by, wanted);
    FilteredGroups list{by, {}, whole.omitted_rows, whole.omitted_self};
    for (auto& group : whole.rows) {
        FilteredGroup one;
        static_cast<Group&>(one) = std::move(group);
        one.bounded_self = {one.self, one.self, one.self};
        if (kept != nullptr) keep_part(one, graph, measure, *kept, !filtered->filters().show);
        if (!one.nodes.empty()) list.rows.push_back(std::move(one));
    }
    if (kept != nullptr) sort_and_cut(list, graph, options, measure);
    return list;
}

}  // namespace callcost::engine
