/// The JSON of a .cpuprofile as tables, nothing looked up yet. For its importer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tables/row_tables.hpp"
#include <callcost/error.hpp>
#include <callcost/source.hpp>

namespace callcost::engine {

struct CpuProfileNode {
    std::int64_t id = 0, parent = 0;
    bool has_parent = false;
    std::uint32_t name = 0, url = 0;     ///< rows of CpuProfileJson::names
    std::uint32_t line = 0, column = 0;  ///< from 1; 0 = unknown
    std::uint64_t hits = 0;
    std::size_t first_child = 0, children = 0;  ///< in CpuProfileJson::children
    std::size_t first_tick = 0, ticks = 0;      ///< in CpuProfileJson::ticks
};

struct CpuProfileTick {
    std::uint64_t line = 0, ticks = 0;
};

struct CpuProfileJson {
    NameRows names;
    std::vector<CpuProfileNode> nodes;
    std::vector<std::int64_t> children;  ///< ids
    std::vector<CpuProfileTick> ticks;
    std::vector<std::int64_t> samples, time_deltas;  ///< ids; microseconds
    std::int64_t start_time = 0, end_time = 0;       ///< microseconds
    bool has_hit_counts = false;                     ///< any node has
};

/// Errors: of the source; empty_file; not_a_profile, with line and column where it is no JSON.
[[nodiscard]] Result<CpuProfileJson> read_cpuprofile_json(const Source& source);

}  // namespace callcost::engine
