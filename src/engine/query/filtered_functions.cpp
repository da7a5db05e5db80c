#include "query/filtered_functions.hpp"

#include <algorithm>
#include <array>
#include <utility>

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

const FilteredFunctions::ByMeasure& FilteredFunctions::by(const Measure& measure) const {
    const auto [found, is_new] = known_.try_emplace(measure.name + " " + measure.formula);
    if (is_new) {
        auto& [filtered, costs] = found->second;
        filtered = filter(graph_, filters_, measure);
        costs = filtered_costs(graph_, filters_, filtered, measure, stacks_);
    }
    return found->second;
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
    for (const auto& each : options.measures) options.kept.push_back(&costs(each).self);
}

}  // namespace callcost::engine
