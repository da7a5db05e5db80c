/// The functions that filters choose, and what they keep of costs: once for the page and the command.
#pragma once

#include <map>
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

[[nodiscard]] bool any_matches(std::span<const NamePattern> patterns, const CallGraph& graph, NodeId node);

class FilteredFunctions {
  public:
    /// Matches each name once. `stacks` are those of the profile.
    FilteredFunctions(CallGraph graph, const FilterPatterns& patterns, StacksOfSources stacks);
    FilteredFunctions(const FilteredFunctions&) = delete;
    FilteredFunctions& operator=(const FilteredFunctions&) = delete;

    /// Its predicates must not outlive this; `show` has what is hidden, too.
    [[nodiscard]] const Filters& filters() const { return filters_; }
    [[nodiscard]] bool is_shown(NodeId node) const { return !filters_.show || filters_.show(node); }

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

    CallGraph graph_;
    StacksOfSources stacks_;
    std::vector<bool> is_focused_, is_ignored_, is_shown_;  // by node; empty: no such filter
    Filters filters_;
    mutable std::map<std::string, ByMeasure> known_;
};

}  // namespace callcost::engine
