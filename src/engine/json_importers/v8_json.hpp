/// The JSON of V8's profiles (.cpuprofile, .heapprofile) as tables, nothing looked up yet. For their
/// importers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tables/row_tables.hpp"
#include <callcost/error.hpp>
#include <callcost/source.hpp>

namespace callcost::engine {

struct V8Node {
    std::int64_t id = 0, parent = 0;
    bool has_id = false, has_parent = false;
    std::uint32_t caller = no_row;       ///< the row of the node around it, in a tree of nested nodes
    std::uint32_t name = 0, url = 0;     ///< rows of V8Json::names
    std::uint32_t line = 0, column = 0;  ///< from 1; 0 = unknown
    std::uint64_t hits = 0;
    std::int64_t size = 0;                      ///< bytes of its own
    std::size_t first_child = 0, children = 0;  ///< in V8Json::children; none where nodes are nested
    std::size_t first_tick = 0, ticks = 0;      ///< in V8Json::ticks
};

struct V8Tick {
    std::uint64_t line = 0, ticks = 0;
};

struct V8Json {
    NameRows names;
    std::vector<V8Node> nodes;
    std::vector<std::int64_t> children;  ///< ids
    std::vector<V8Tick> ticks;
    std::vector<std::int64_t> samples, time_deltas;  ///< ids; microseconds
    std::int64_t start_time = 0, end_time = 0;       ///< microseconds; of nested nodes 0: they have seconds
    bool has_nodes = false;                          ///< a list of them, or a root
    bool has_hit_counts = false, has_sizes = false;  ///< any node has
    bool is_trace = false;                           ///< with profiles in pieces, which were not read
};

/// A line or column, from 0 as V8 counts to 1; -1 is unknown.
[[nodiscard]] inline std::uint32_t place_from(std::int64_t number) {
    return number < 0 || number >= UINT32_MAX ? 0 : static_cast<std::uint32_t>(number + 1);
}

/// Nodes in a list, or nested in one another as of a heap profile and of CPU profiles before 2016. Errors: of
/// the source; empty_file; not_a_profile, with line and column where it is no JSON.
[[nodiscard]] Result<V8Json> read_v8_json(const Source& source);

}  // namespace callcost::engine
