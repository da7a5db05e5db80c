/// Costs of functions that are the same wherever the entries were checked out, built and installed: the rule
/// of diff(), applied to what is stored, so that it holds for entries of any age.
#pragma once

#include "history/store.hpp"

namespace callcost::program {

/// As Store::costs(). The entries are in the order of their series. A function is called as in the newest
/// entry that has its place; `where` chooses it by any of its names. Functions of one entry are never added
/// up.
[[nodiscard]] Stored<void> common_costs(Store& store, const CostQuery& query, const OnFunction& on_function);

}  // namespace callcost::program
