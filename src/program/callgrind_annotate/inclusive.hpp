/// Inclusive cost for `annotate --style=valgrind`.
#pragma once

#include "callgrind_annotate/valgrind_table.hpp"

namespace callcost::program {

/// By row. A row that is called costs what its calls cost, any other one its self cost and its calls: so
/// inlined code has its own share besides that of the function it is in. Recursive calls never count: a
/// function in a cycle costs what it and its inlined code do themselves and call outside of the cycle (F76).
[[nodiscard]] CountRows inclusive_costs(const ValgrindTable& table);

}  // namespace callcost::program
