/// Finds the programs and libraries that a profile names.
#pragma once

#include <string>
#include <string_view>

#include "sources/source_files.hpp"
#include <callcost/error.hpp>

namespace callcost::program {

/// A name in a message.
[[nodiscard]] inline std::string in_quotes(std::string_view name) { return "'" + std::string(name) + "'"; }

/// Why there is no file, and what to do.
struct ObjectProblem {
    std::string message, hint;
};

/// `system_root` is where an absolute name is searched first; empty: nowhere. Opens nothing.
[[nodiscard]] tl::expected<FoundPath, ObjectProblem> find_object_file(SourceFinder& finder,
                                                                      const std::string& system_root,
                                                                      std::string_view name);

}  // namespace callcost::program
