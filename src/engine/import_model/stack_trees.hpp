/// Stacks as most formats have them: a table in which each is the stack of its caller and a frame more.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "import_model/imported_stacks.hpp"

namespace callcost::engine {

/// Goes through all trees from their roots on. The callers of stacks are rows, no_row above a root; frames
/// are by row, too. `add_costs(row)` is called with each stack at hand. What no root leads to goes round in
/// circles, which are cut: returns how many.
std::uint64_t add_stack_trees(StackProfile& profile, std::span<const std::uint32_t> callers,
                              std::span<const StackFrame> frames,
                              const std::function<void(std::uint32_t)>& add_costs);

}  // namespace callcost::engine
