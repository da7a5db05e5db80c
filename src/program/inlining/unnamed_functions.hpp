/// Functions of stripped programs and libraries, which profiles name by their addresses: their names, from
/// symbol tables that are kept elsewhere.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "inlining/inline_maps.hpp"
#include "sources/perf_map.hpp"
#include <callcost/profile.hpp>

namespace callcost::program {

struct FoundNames {
    std::vector<std::string> names;  ///< by FunctionId; empty: that of the profile stays
    std::size_t unnamed = 0;         ///< functions without name, in objects
    std::size_t named = 0;           ///< of these
    bool are_all = true;             ///< false: there was no room for more
    std::vector<std::string> files;  ///< from which
    std::string problem, hint;       ///< why debuginfod was of no use
};

/// Of objects whose build is the one that was measured, as far as can be told.
[[nodiscard]] FoundNames find_names(const Profile& profile, const InlineMapOptions& options,
                                    RoomForNames room);

}  // namespace callcost::program
