/// What Callgrind leaves out of its profiles and `record` knows: which builds were measured, and the names of
/// code that a runtime compiled.
#pragma once

#include <cstdint>
#include <functional>
#include <istream>
#include <set>
#include <string>
#include <vector>

#include "sources/perf_map.hpp"
#include <callcost/error.hpp>
#include <callcost/source.hpp>

namespace callcost::program {

/// What a profile of Callgrind has.
struct RecordedCode {
    std::vector<std::string> objects;                   ///< those with cost, sorted; not `???`
    std::set<std::string, std::less<>> object_names{};  ///< addresses that are names of functions in objects
    bool has_unknown = false;                           ///< code that is in no object
    std::uint64_t size = 0;                             ///< of the profile, in bytes
};
/// The error says why it could not be read to its end.
[[nodiscard]] Result<RecordedCode> recorded_code(std::istream& profile);

/// A line `desc: Build-id: HEX OBJECT` for each object that has such an ID, and is as old as `begin` (the
/// second of the clock): an object that was built since is not the one that was measured.
[[nodiscard]] std::vector<std::string> build_lines(const RecordedCode& code, std::int64_t begin);

/// Copies a profile with further lines in the head of each part, and names from a map for code that is in no
/// object. It is an error if its size is not that of `code`.
[[nodiscard]] Result<NamedByMap> write_completed(std::istream& profile, const RecordedCode& code,
                                                 const std::vector<std::string>& lines, const PerfMap& map,
                                                 const Sink& sink);

}  // namespace callcost::program
