/// A file of speedscope as tables: each of its profiles as the stacks that differ. For its importer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "encodings/json_input.hpp"
#include "tables/row_tables.hpp"
#include <callcost/error.hpp>
#include <callcost/source.hpp>

namespace callcost::engine {

struct SpeedscopeFrame {
    std::uint32_t name = 0, file = 0;  ///< rows of SpeedscopeJson::names
    std::int64_t line = 0;             ///< below 1: unknown
};

struct SpeedscopeProfile {
    std::uint32_t name = 0, unit = 0;  ///< rows of SpeedscopeJson::names
    std::uint32_t event = 0;           ///< the same, of files of callcost; 0: not said
    bool is_estimate = false;          ///< says a file of callcost
    /// By stack: the one of the caller, or no_row; the last frame, no_row if its number is none; what it
    /// cost, in the unit of the file. There may be fewer costs than stacks.
    std::vector<std::uint32_t> callers, frames;
    std::vector<JsonNumber> costs;
    int decimals = 0;      ///< the most that a cost has, unless its unit is known to be a time before it
    double magnitude = 0;  ///< of all costs, either way
    std::uint64_t samples = 0, without_stack = 0;
    std::uint64_t without_weight = 0;  ///< samples or weights that the other list has no counterpart for
    std::uint64_t unmatched = 0;       ///< events that close another frame than the last that was opened
    std::uint64_t reversed = 0;        ///< events that are before the one before
};

struct SpeedscopeJson {
    NameRows names;
    std::vector<SpeedscopeFrame> frames;
    std::vector<SpeedscopeProfile> profiles;
    std::uint32_t exporter = 0;  ///< row of names
    std::int64_t active = 0;     ///< the profile to show first
    std::uint64_t bytes = 0;     ///< of the file
};

/// A unit of time: how many nanoseconds it has; else 0.
[[nodiscard]] std::int64_t nanoseconds_of(std::string_view unit);

/// Errors: of the source; empty_file; not_a_profile, with line and column where it is no JSON.
[[nodiscard]] Result<SpeedscopeJson> read_speedscope_json(const Source& source);

}  // namespace callcost::engine
