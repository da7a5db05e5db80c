/// The measurement setup of a profile, as far as it affects costs.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "loading/preparation.hpp"
#include "terminal/terminal.hpp"
#include <callcost/diff.hpp>

namespace callcost::program {

[[nodiscard]] std::string_view original_creator(std::string_view creator);

/// How the `desc:` lines begin that say which caches were simulated.
constexpr std::array<std::string_view, 3> cache_keys = {"I1 cache:", "D1 cache:", "LL cache:"};

/// Message if the profile is truncated, so that its cost is too low; else empty.
[[nodiscard]] std::string damage(const PreparedProfile& side);

/// Message if the profiles are not comparable because they are of different commands; else empty.
[[nodiscard]] std::string difference_of_commands(const PreparedProfile& before, const PreparedProfile& after);

/// The unit of what is compared; empty if there is none, or it differs.
[[nodiscard]] std::string_view common_unit(const Diff& diff);

/// Warns of different tools, caches and event types, and of calls that only one of them records.
void warn_of_setting(const PreparedProfile& before, const PreparedProfile& after, const Diff& diff,
                     const Console& console);

}  // namespace callcost::program
