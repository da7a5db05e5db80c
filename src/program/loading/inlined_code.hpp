/// Inlined code of a profile as functions of their own, by the debug information of its programs.
#pragma once

#include <optional>

#include "inlining/inline_maps.hpp"
#include "options/profile_options.hpp"
#include "terminal/terminal.hpp"
#include <callcost/profile.hpp>

namespace callcost::program {

/// The profile as it is if InputOptions::inlined does not want it, or nothing is known. Says what was done,
/// and what was wanted and cannot be done.
[[nodiscard]] Profile with_inlined_functions(const Profile& profile, const InputOptions& options,
                                             const Console& console);

/// What is known about inlined code, and why not; nothing if InputOptions::inlined does not want it.
[[nodiscard]] std::optional<InlineMaps> inlined_code(const Profile& profile, const InputOptions& options);

}  // namespace callcost::program
