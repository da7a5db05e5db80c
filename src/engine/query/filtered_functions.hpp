/// The functions that filters choose, and what they keep of costs: once for the page and the command.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <callcost/call_graph.hpp>
#include <callcost/lines.hpp>
#include <callcost/tree.hpp>

namespace callcost::engine {

/// What chooses functions by name. Listed is what matches one of `show`, one of `file` and one of `object`,
/// as far as there are any, and none of `hide`.
struct FilterPatterns {
    std::vector<NamePattern> focus{}, ignore{}, show{}, hide{}, file{}, object{};

    [[nodiscard]] bool is_any() const {
        return !(focus.empty() && ignore.empty() && show.empty() && hide.empty() && file.empty() &&
                 object.empty());
    }
};

/// What is kept of a part of a self cost, such as inlined code: as much as of the whole.
[[nodiscard]] Cost kept_part(Cost part, Cost whole, Cost kept);

[[nodiscard]] bool any_matches(std::span<const NamePattern> patterns, const CallGraph& graph, NodeId node);

/// Patterns are about functions, whatever the nodes of the graph are.
class FilteredFunctions {
  public:
    /// Matches each name once. `stacks` are those of the profile.
    FilteredFunctions(CallGraph graph, const FilterPatterns& patterns, StacksOfSources stacks);
    /// The same functions in groups, which have to be made with number() (graph_of_groups). Their costs are
    /// those of the functions together.
    FilteredFunctions(CallGraph groups, std::shared_ptr<const FilteredFunctions> functions);
    FilteredFunctions(const FilteredFunctions&) = delete;
    FilteredFunctions& operator=(const FilteredFunctions&) = delete;

    /// Its predicates must not outlive this; `show` has what is hidden, too.
    [[nodiscard]] const Filters& filters() const { return filters_; }
    [[nodiscard]] bool is_shown(NodeId node) const { return !filters_.show || filters_.show(node); }
    /// What filters do not tell apart has the same number; the greatest is of what they choose.
    [[nodiscard]] std::uint32_t number(NodeId node) const;

    /// Both computed when they are first asked for, and kept.
    [[nodiscard]] const FilterResult& filtered(const Measure& measure) const { return by(measure).filtered; }
    [[nodiscard]] const FilteredCosts& costs(const Measure& measure) const { return by(measure).costs; }

    // Lists only functions of which something is kept, at the cost that is. The options must not outlive
    // this.
    void apply(FunctionsOptions& options, const Measure& measure) const;
    /// By the measures of the options.
    void apply(LinesOptions& options, const Measure& measure) const;

  private:
    struct ByMeasure {
        FilterResult filtered;
        FilteredCosts costs;
    };
    [[nodiscard]] const ByMeasure& by(const Measure& measure) const;
    [[nodiscard]] FilteredCosts costs_of_groups(const Measure& measure) const;

    CallGraph graph_;
    StacksOfSources stacks_;
    std::shared_ptr<const FilteredFunctions> functions_;    // of groups; none: these are functions
    std::vector<bool> is_focused_, is_ignored_, is_shown_;  // by node; empty: no such filter
    Filters filters_;
    mutable std::map<std::string, ByMeasure> known_;
};

}  // namespace callcost::engine
