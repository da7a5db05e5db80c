/// Names of functions that the profile does not have.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "options/profile_options.hpp"
#include "terminal/terminal.hpp"
#include <callcost/profile.hpp>

namespace callcost::program {

/// With those of InputOptions::perf_map and, unless InputOptions::inlined wants what was recorded, for
/// functions of stripped objects those of symbol tables that go with them. Says what was done; nothing if the
/// map cannot be read, which is reported.
[[nodiscard]] std::optional<Profile> with_names(const Profile& profile, const InputOptions& options,
                                                const Console& console);

/// With those of a map only; `option` has named it. An empty path: none.
[[nodiscard]] std::optional<Profile> with_mapped_names(const Profile& profile, const std::string& path,
                                                       std::string_view option, const Console& console);

}  // namespace callcost::program
