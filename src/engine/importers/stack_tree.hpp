/// The tree of stacks that were read, where nothing is estimated.
#pragma once

#include <optional>

#include "importers/stack_trie.hpp"
#include <callcost/tree.hpp>

namespace callcost::engine {

/// `graph` is that of the profile that was made of the stacks. Nothing if a function of theirs is not found
/// in it, or the measure is not one of their event types.
[[nodiscard]] std::optional<Tree> tree_of_stacks(const CallGraph& graph, const StackTrie& stacks,
                                                 const Measure& measure);

}  // namespace callcost::engine
