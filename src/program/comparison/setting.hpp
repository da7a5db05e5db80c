/// What a profile was measured with, as far as costs depend on it.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "loading/preparation.hpp"
#include "terminal/terminal.hpp"

namespace callcost::program {

/// A baseline has been written by us: `creator: callcost-1.0, baseline of callgrind-3.19.0`.
constexpr std::string_view baseline_of = ", baseline of ";
[[nodiscard]] std::string_view original_creator(std::string_view creator);

/// How the `desc:` lines begin that say which caches were simulated.
constexpr std::array<std::string_view, 3> cache_keys = {"I1 cache:", "D1 cache:", "LL cache:"};

/// That the profile was cut off, in words: the program may have crashed, and costs less for that. Empty: it
/// was not.
[[nodiscard]] std::string damage(const Prepared& side);

/// Why two profiles say nothing about each other, which is that they are of different commands; empty: they
/// do.
[[nodiscard]] std::string difference_of_commands(const Prepared& before, const Prepared& after);

/// Tools, caches and event types that differ change costs, too.
void warn_of_setting(const Prepared& before, const Prepared& after, const Console& console);

}  // namespace callcost::program
