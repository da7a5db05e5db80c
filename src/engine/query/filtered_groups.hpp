/// Groups of functions as far as filters keep them.
#pragma once

#include <vector>

#include "query/filtered_functions.hpp"
#include <callcost/groups.hpp>
#include <callcost/tree.hpp>

namespace callcost::engine {

/// Its functions are those that the filters list, its costs are those of them; estimates, equal to their
/// bounds where they are exact.
struct FilteredGroup : Group {
    BoundedCost bounded_self;  ///< its estimate is `self`
};

struct FilteredGroups {
    GroupBy by{};
    std::vector<FilteredGroup> rows;
    std::size_t omitted_rows = 0;  ///< of those that have any function left
    Cost omitted_self = 0;         ///< the total without the rows
};

/// Leaves what filters keep of the functions of a group whose inclusive cost is known, and only those that
/// are listed. Of what enters and leaves it they keep as large a part as of the inclusive costs of its
/// functions, and no more than of the whole profile if `shows_all`: no function is hidden.
void keep_part(FilteredGroup& group, const CallGraph& graph, const Measure& measure,
               const FilteredCosts& kept, bool shows_all);

/// Of `options` the measure, the order and the limits count. `filtered` may be null: no filters.
[[nodiscard]] FilteredGroups filtered_groups(const CallGraph& graph, GroupBy by,
                                             const FunctionsOptions& options,
                                             const FilteredFunctions* filtered);

}  // namespace callcost::engine
