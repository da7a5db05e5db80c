/// The profiles of a page, as named and selected on the command line, and the host services that the engine
/// needs: sources and machine code.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "loading/inlined_code.hpp"
#include "loading/preparation.hpp"
#include "options/profile_options.hpp"
#include "session/session.hpp"
#include "terminal/terminal.hpp"
#include <callcost/profile.hpp>

namespace callcost::program {

struct OpenedProfile {
    PreparedProfile prepared;  ///< as recorded
    Profile recorded;          ///< the selection: all parts, or a profile of some of them
    StacksOfSources stacks;    ///< of `recorded`; empty: not all of it is of recorded stacks
    bool is_rewritten;         ///< reduced to a selection, or without what it says of inlined code
    ExpandedProfile expanded;  ///< `recorded` with inlined code as functions: see OpenedSides
};

/// Errors are reported on standard error.
[[nodiscard]] tl::expected<OpenedProfile, Exit> open_profile(const PageOptions& options,
                                                             const std::vector<std::string>& files,
                                                             const Console& console,
                                                             const OnReading& on_reading = {});

/// A profile and optionally one to compare it with.
struct OpenedSides {
    OpenedProfile after;
    std::optional<OpenedProfile> before;
    std::string inlined_problem, inlined_hint;  ///< as engine::Host

    /// Inlined code becomes functions, of two profiles as show_inlined_in_both() decides.
    OpenedSides(OpenedProfile new_profile, std::optional<OpenedProfile> old_profile,
                const PageOptions& options, const Console& console);

    [[nodiscard]] Exit exit() const {
        return before && before->prepared.exit != Exit::ok ? before->prepared.exit : after.prepared.exit;
    }
};

/// Sources and machine code of the profiled programs, searched as the options say: for the new profile first,
/// then for the old one. `is_wanted` tells whether the client still waits; empty: always.
[[nodiscard]] engine::Host host_of(const OpenedSides& sides, const PageOptions& options,
                                   std::function<bool()> is_wanted = {});

}  // namespace callcost::program
