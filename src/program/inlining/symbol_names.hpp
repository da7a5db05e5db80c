/// Names of functions in the symbol tables that go with a stripped object. Files are trusted no more than by
/// dwarf_reader.hpp: only inline_worker.hpp may call this.
#pragma once

#include "inlining/inline_exchange.hpp"

namespace callcost::program {

/// Answers InlineRequest::unnamed: by the symbols of the separate debug file, and of the table that the
/// object carries compressed (.gnu_debugdata); where InlineRequest::mapped has its code, by its own, too, if
/// its code is as long and where that was. Where the build is not known to be the one that was measured, most
/// of the addresses must be where functions begin.
[[nodiscard]] InlineReply read_symbol_names(const InlineRequest& request);

}  // namespace callcost::program
