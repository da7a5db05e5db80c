/// What filters keep of a comparison: once for the page and the command.
#pragma once

#include <span>
#include <utility>

#include "query/filtered_functions.hpp"
#include <callcost/diff.hpp>

namespace callcost::engine {

/// An estimate and its bounds; equal where it is exact.
struct BoundedChange {
    Change estimate, least, most;
    [[nodiscard]] bool is_exact() const { return least == most; }
};

/// What is kept of a cost, self or inclusive, of functions that are taken together; `whole` is all of it.
/// Self costs add up; of an inclusive cost the filters keep as large a part as of those of the functions.
[[nodiscard]] BoundedCost kept_cost(const CallGraph& graph, const Measure& measure, const FilteredCosts& kept,
                                    BoundedCosts FilteredCosts::*which, std::span<const NodeId> nodes,
                                    Cost whole);

class FilteredDifference {
  public:
    /// All of it.
    explicit FilteredDifference(Diff diff) : diff_(std::move(diff)) {}
    /// By the same filters of both profiles, which must outlive this; null: none.
    FilteredDifference(const Diff& diff, const FilteredFunctions* before, const FilteredFunctions* after);

    [[nodiscard]] const Diff& diff() const { return diff_; }
    [[nodiscard]] bool is_filtered() const { return after_.of != nullptr; }
    /// Whether `focus` or `ignore` keep parts of costs.
    [[nodiscard]] bool has_parts() const { return after_.costs != nullptr; }

    [[nodiscard]] const FilteredFunctions* filters_before() const { return before_.of; }
    [[nodiscard]] const FilteredFunctions* filters_after() const { return after_.of; }

    /// Functions of which one of either profile passes the filters.
    [[nodiscard]] bool lists(MatchId id) const;
    /// Calls by or of one of these, if their cost is kept whole.
    [[nodiscard]] bool lists(const ArcMatch& arc) const;
    /// Inlined functions and callers, if any of them is listed and all are kept whole.
    [[nodiscard]] bool lists(const Inlining& inlining) const;

    [[nodiscard]] BoundedChange self(MatchId id) const;
    [[nodiscard]] BoundedChange inclusive(MatchId id) const;
    /// Their estimates.
    [[nodiscard]] Change self_change(MatchId id) const;
    [[nodiscard]] Change inclusive_change(MatchId id) const;
    /// Self cost of all that is listed.
    [[nodiscard]] BoundedChange total() const;
    /// Whether all of its cost is kept. Then its calls and its source lines are those of what is compared.
    [[nodiscard]] bool is_whole(MatchId id) const;

  private:
    struct Side {
        const FilteredFunctions* of = nullptr;
        const FilterResult* filtered = nullptr;  // with `focus` or `ignore`
        const FilteredCosts* costs = nullptr;    // the same
    };
    [[nodiscard]] static Side side_of(const FilteredFunctions* of, const Measure& measure);
    [[nodiscard]] BoundedChange kept(MatchId id, BoundedCosts FilteredCosts::*which,
                                     const BoundedChange& whole) const;

    Diff diff_;
    Side before_{}, after_{};
};

}  // namespace callcost::engine
