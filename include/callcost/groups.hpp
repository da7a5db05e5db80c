/// @file groups.hpp
/// Functions of a call graph taken together: by object, source file, directory, class or namespace, or cycle.
/// For lists of larger units than functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "callcost/call_graph.hpp"

namespace callcost {

enum class GroupBy : std::uint8_t { object, file, directory, name_space, cycle };

/// Functions taken together; every function is in exactly one group. For files and directories `self` is the
/// cost of the functions defined there.
struct Group {
    std::string name;  ///< a cycle's is "<cycle 1>"; empty: in no class or namespace, in no cycle
    std::vector<NodeId> nodes;
    Cost self = 0;
    /// What was spent while one of its functions was on the stack, each event once: self, and the cost of
    /// arcs that leave the group. Costs that enter at functions without records of their own, which nothing
    /// else would count, are in it too. Where arcs are missing, what callers in other groups paid (F76 a). An
    /// estimate between bounds if the group is in a cycle of groups, unless these are equal.
    BoundedCost inclusive;
    CallCount called;  ///< arcs that enter the group, but for inlined calls
    CycleId cycle;     ///< for GroupBy::cycle
    /// Calls other groups that call it back: a cycle of groups, of which this is a member.
    bool in_cycle_of_groups = false;
    Cost inlined = 0;  ///< CallGraph::inlined_self() of its functions together
};
/// The chosen groups; `omitted_rows` others, and functions that the options leave out, have `omitted_self`
/// together (promise 4).
struct GroupList {
    GroupBy by{};
    std::vector<Group> rows;
    std::size_t omitted_rows = 0;
    Cost omitted_self = 0;
    Cost total = 0;
};
/// With FunctionsOptions::where, groups consist of the functions for which it is true; the others are
/// outside.
[[nodiscard]] CALLCOST_API GroupList groups(const CallGraph& graph, GroupBy by,
                                            const FunctionsOptions& options = {});

/// The graph whose nodes are groups of functions and whose arcs are the calls between them: lists, trees and
/// pictures of it are those of libraries, files or classes. Calls within a group are no arcs, so that a group
/// that goes on in itself is one frame of a path. By file or directory, functions of unknown ones join their
/// object, and so do functions in no class or namespace. Self costs are exact, and so are trees of recorded
/// stacks; estimated trees are those of the functions, with the frames of a group folded. Inclusive costs are
/// those of groups(). The nodes have no contexts, and their code counts as not inlined.
///
/// Functions for which `apart` has different numbers are in different groups, such as those that a filter
/// chooses and the others; those of a smaller number than the greatest are called "NAME (others)" beside it.
/// By cycle: the graph itself, whose cycles() are known.
[[nodiscard]] CALLCOST_API CallGraph graph_of_groups(const CallGraph& graph, GroupBy by,
                                                     const std::function<std::uint32_t(NodeId)>& apart = {});
/// Whether it is the result of that.
[[nodiscard]] CALLCOST_API bool is_of_groups(const CallGraph& graph);
/// The name of a node without its context: ContextNames::split() of its function, but for groups.
[[nodiscard]] CALLCOST_API ContextName context_name(const CallGraph& graph, const ContextNames& contexts,
                                                    NodeId node);

/// The class or namespace of a function's name: what stands before the last `::` (or `.`, `->`, `#`) outside
/// of template arguments, parentheses and operator names; empty if there is none.
[[nodiscard]] CALLCOST_API std::string_view name_space_of(std::string_view function_name);

}  // namespace callcost
