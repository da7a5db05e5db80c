/// Reads from DWARF which code was inlined, with libdw. That trusts its files: only inline_worker.hpp, a
/// process with limits, may call this.
#pragma once

#include "inlining/inline_exchange.hpp"

namespace callcost::program {

[[nodiscard]] InlineReply read_inlined_code(const InlineRequest& request);

}  // namespace callcost::program
