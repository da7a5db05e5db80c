/// @file inlining.hpp
/// Inlined functions as functions: a profile whose records have addresses, rewritten by what debug
/// information says about them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "callcost/error.hpp"
#include "callcost/profile.hpp"

namespace callcost {

/// A function whose code was inlined somewhere.
struct InlinedFunction {
    std::string name;        ///< as the profile names its copy that is not inlined: demangled, with its scope
    std::string file;        ///< it is declared in, as the profile names files; empty: not known
    std::uint64_t line = 0;  ///< of its declaration; 0: not known
};

/// A call that the compiler replaced by the code of its callee.
struct InlineSite {
    static constexpr std::uint32_t none = UINT32_MAX;
    std::uint32_t parent = none;  ///< row of the site that this one is in; none: directly in the function
    std::uint32_t function = 0;   ///< row of InlineMap::functions: the callee
    std::uint32_t file = none;    ///< row of InlineMap::files: of the call; none: not known
    std::uint64_t line = 0;       ///< of the call; 0: not known
    std::uint64_t entry = 0;  ///< address of the callee's first instruction (DW_AT_entry_pc); 0: not known
};

/// Which code of an object was inlined, and where. Addresses are those of the profile.
struct InlineMap {
    /// Code from an address to that of the next run.
    struct Run {
        std::uint64_t address = 0;
        std::uint32_t site = InlineSite::none;  ///< the innermost one; none: not inlined
    };
    std::string object;  ///< as in the profile
    std::vector<InlinedFunction> functions;
    std::vector<std::string> files;
    std::vector<InlineSite> sites;  ///< a parent before those in it
    std::vector<Run> runs;          ///< ascending by address

    /// Where code is from, from an address to that of the next one: for records that have no line.
    struct Line {
        std::uint64_t address = 0;
        std::uint32_t file = InlineSite::none;  ///< row of `files`; none: not known
        std::uint64_t line = 0;                 ///< 0: not known
    };
    std::vector<Line> lines{};  ///< ascending by address
};

/// The profile with inlined code as functions of their own (Profile::inlined_place): it has their self cost
/// and makes their calls, and a call whose count is not known leads to each from the function that it is in,
/// with the cost of all that is below. Parts, totals, jumps and the rows of the functions stay as they are;
/// so do functions without addresses and of objects without map. Records without line have that of the map.
/// Of several maps of an object the first one counts. The profile itself if there is nothing to do. With
/// Detail::functions it has no records, which takes less time. Errors: needs_detail if the profile has none;
/// bad_argument for a map that contradicts itself; too_large.
[[nodiscard]] CALLCOST_API Result<Profile> expand_inlined(const Profile& profile,
                                                          std::span<const InlineMap> maps,
                                                          Detail detail = Detail::full);

}  // namespace callcost
