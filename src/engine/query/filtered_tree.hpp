/// Call paths as far as filters keep them.
#pragma once

#include "query/filtered_functions.hpp"
#include <callcost/tree.hpp>

namespace callcost::engine {

/// The recorded tree if there is one, else the estimated. `filtered` may be null: no filters. With `focus`,
/// an estimated tree of callees begins at the functions in focus, unless the options have roots: what is
/// spent below functions is known exactly.
[[nodiscard]] Tree filtered_tree(const CallGraph& graph, const StacksOfSources& stacks, TreeOptions options,
                                 const FilteredFunctions* filtered);

/// The same, where `show` and `hide` leave fewer: expanded until almost TreeOptions::max_frames functions
/// are left, if 20,000 frames have as many.
[[nodiscard]] Tree filtered_tree_of_size(const CallGraph& graph, const StacksOfSources& stacks,
                                         const TreeOptions& options, const FilteredFunctions* filtered);

}  // namespace callcost::engine
