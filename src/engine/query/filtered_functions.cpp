#include "query/filtered_functions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "query/filtered_groups.hpp"

namespace callcost::engine {
namespace {

template <class IsMeant>
std::vector<bool> chosen(const CallGraph& graph, bool is_wanted, IsMeant is_meant) {
    std::vector<bool> result;
    if (!is_wanted) return result;
    result.reserve(graph.size());
    for (std::size_t row = 0; row < graph.size(); ++row) result.push_back(is_meant(NodeId(row)));
    return result;
}

Filters::Predicate predicate(const std::vector<bool>& is_meant) {
    if (is_meant.empty()) return {};
    return [&is_meant](NodeId node) { return is_meant[node.value]; };
}

}  // namespace

Cost kept_part(Cost part, Cost whole, Cost kept) {
    if (kept == whole || whole == 0) return part;
    return Cost(
        std::llround(static_cast<double>(part) / static_cast<double>(whole) * static_cast<double>(kept)));
}

bool any_matches(std::span<const NamePattern> patterns, const CallGraph& graph, NodeId node) {
    return std::any_of(patterns.begin(), patterns.end(),
                       [&](const NamePattern& pattern) { return pattern.matches(names_of(graph, node)); });
}

FilteredFunctions::FilteredFunctions(CallGraph graph, const FilterPatterns& patterns, StacksOfSources stacks)
    : graph_(std::move(graph)), stacks_(std::move(stacks)) {
    const auto matches = [&](const std::vector<NamePattern>& any) {
        return [this, &any](NodeId node) { return any_matches(any, graph_, node); };
    };
    is_focused_ = chosen(graph_, !patterns.focus.empty(), matches(patterns.focus));
    is_ignored_ = chosen(graph_, !patterns.ignore.empty(), matches(patterns.ignore));
    const std::array<const std::vector<NamePattern>*, 3> all_of = {&patterns.show, &patterns.file,
                                                                   &patterns.object};
    const auto passes = [&](NodeId node) {
        return !any_matches(patterns.hide, graph_, node) &&
               std::all_of(all_of.begin(), all_of.end(),
                           [&](const auto* of) { return of->empty() || any_matches(*of, graph_, node); });
    };
    const bool chooses = !patterns.hide.empty() || std::any_of(all_of.begin(), all_of.end(),
                                                               [](const auto* of) { return !of->empty(); });
    is_shown_ = chosen(graph_, chooses, passes);
    filters_ = {predicate(is_focused_), predicate(is_ignored_), predicate(is_shown_), {}};
}

FilteredFunctions::FilteredFunctions(CallGraph groups, std::shared_ptr<const FilteredFunctions> functions)
    : graph_(std::move(groups)), stacks_(functions->stacks_), functions_(std::move(functions)) {
    const auto of_groups = [&](const std::vector<bool>& is_meant) {
        return chosen(graph_, !is_meant.empty(), [&](NodeId group) {
            return is_meant[functions_->graph_.node_of(graph_.function(group)).value];
        });
    };
    is_focused_ = of_groups(functions_->is_focused_);
    is_ignored_ = of_groups(functions_->is_ignored_);
    is_shown_ = of_groups(functions_->is_shown_);
    filters_ = {predicate(is_focused_), predicate(is_ignored_), predicate(is_shown_), {}};
}

std::uint32_t FilteredFunctions::number(NodeId node) const {
    const auto is_meant = [&](const std::vector<bool>& list, bool otherwise) {
        return list.empty() ? otherwise : list[node.value];
    };
    return (is_meant(is_focused_, true) ? 1U : 0U) + (is_meant(is_ignored_, false) ? 0U : 2U) +
           (is_meant(is_shown_, true) ? 4U : 0U);
}

const FilteredFunctions::ByMeasure& FilteredFunctions::by(const Measure& measure) const {
    const auto [found, is_new] = known_.try_emplace(measure.name + " " + measure.formula);
    if (is_new) {
        auto& [filtered, costs] = found->second;
        filtered = filter(graph_, filters_, measure);
        costs = functions_ ? costs_of_groups(measure)
                           : filtered_costs(graph_, filters_, filtered, measure, stacks_);
    }
    return found->second;
}

FilteredCosts FilteredFunctions::costs_of_groups(const Measure& measure) const {
    const auto& kept = functions_->costs(measure);
    FilteredCosts costs;
    costs.estimate = kept.estimate;
    costs.least = kept.least;
    costs.most = kept.most;
    const auto add = [](BoundedCosts& all, const BoundedCost& one) {
        all.estimate.push_back(one.estimate);
        all.least.push_back(one.least);
        all.most.push_back(one.most);
    };
    for (std::size_t row = 0; row < graph_.size(); ++row) {
        const NodeId node(row);
        FilteredGroup group;
        for (const FunctionId function : graph_.functions(node))
            group.nodes.push_back(functions_->graph_.node_of(function));
        std::sort(group.nodes.begin(), group.nodes.end());
        group.nodes.erase(std::unique(group.nodes.begin(), group.nodes.end()), group.nodes.end());
        group.inclusive = graph_.inclusive_bounds(node, measure);
        keep_part(group, functions_->graph_, measure, kept, !functions_->filters_.show);
        add(costs.self, group.bounded_self);
        add(costs.inclusive, group.inclusive);
        costs.listed.push_back(!group.nodes.empty());
    }
    return costs;
}

void FilteredFunctions::apply(FunctionsOptions& options, const Measure& measure) const {
    const auto& kept = costs(measure);
    options.where = [&kept](NodeId node) { return kept.listed[node.value]; };
    options.self = &kept.self;
    options.inclusive = &kept.inclusive;
}

void FilteredFunctions::apply(LinesOptions& options, const Measure& measure) const {
    const auto& listed = costs(measure).listed;
    options.where = [&listed](NodeId node) { return listed[node.value]; };
    for (const auto& each : options.measures) options.kept.push_back(&costs(each));
}

}  // namespace callcost::engine
