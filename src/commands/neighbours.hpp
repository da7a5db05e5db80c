/// Functions with their callers, callees and call sites, as `peek` shows them. Values only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cli/options.hpp"
#include "cli/preparation.hpp"
#include <callcost/lines.hpp>

namespace callcost::cli {

/// An arc in or out, costliest first, with the places where its calls are made.
struct Neighbour {
    ArcId arc;
    NodeId node;  ///< the function at its other end
    std::vector<CallSite> sites;
};

struct Neighbours {
    std::vector<Neighbour> shown;
    std::size_t omitted = 0;
    CallCount omitted_count;
    std::int64_t omitted_cost = 0;
    bool omitted_recursive = false;  ///< some of what is left out is, so that its cost is in no sum
};

/// A matching function.
struct Peeked {
    FunctionRow row;
    Neighbours callers, callees;
};

struct Peek {
    FunctionList list;
    std::size_t matches = 0;
    std::vector<Peeked> functions;
};

/// The functions that the pattern matches, in the order of --sort or costliest first. Error: needs_detail.
[[nodiscard]] Result<Peek> peek_at(const Prepared& prepared, const Options& options);

}  // namespace callcost::cli
