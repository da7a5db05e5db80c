/// Functions with their callers, callees and call sites, as `peek` and `annotate --tree` show them. Values
/// only.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "loading/preparation.hpp"
#include "options/patterns.hpp"
#include "reports/neighbour_list.hpp"

namespace callcost::program {

struct NeighboursOptions {
    bool callers = true;
    bool callees = true;
    std::size_t limit = std::numeric_limits<std::size_t>::max();  ///< of each
    bool sites = true;
};

/// Of each row, most expensive first. Error: needs_detail, if sites are asked for.
[[nodiscard]] Result<std::vector<NeighbourLists>> surroundings(const PreparedProfile& prepared,
                                                               std::span<const FunctionRow> rows,
                                                               const NeighboursOptions& options);

struct Matching {
    FunctionList list;  ///< as many of them as are shown
    std::size_t matches = 0;
};

/// What `peek` and `asm` are asked for.
struct FunctionQuery {
    const Filter& pattern;
    std::optional<SortBy> sort;
    std::optional<std::size_t> limit;
    bool is_for_programs = false;
};

/// The functions that the pattern matches: in the order of --sort; else those first of which it is the whole
/// name, most expensive first. 10 if --limit says nothing else, but all of them for programs.
[[nodiscard]] Matching matching_functions(const PreparedProfile& prepared, const FunctionQuery& query);

struct Peek : Matching {
    std::vector<NeighbourLists> around;  ///< by row of the list
};

/// The matching functions with callers, callees and call sites. Error: needs_detail.
[[nodiscard]] Result<Peek> peek_at(const PreparedProfile& prepared, const FunctionQuery& query);

}  // namespace callcost::program
