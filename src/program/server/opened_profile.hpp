/// The profiles that a page is about, as the command line names and selects them, and what the engine wants
/// to know about the machine they are looked at on.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "loading/preparation.hpp"
#include "options/profile_options.hpp"
#include "session/session.hpp"
#include "terminal/terminal.hpp"
#include <callcost/profile.hpp>

namespace callcost::program {

struct OpenedProfile {
    Prepared prepared;
    Profile profile;    ///< what of it is selected: all parts, or a profile of some
    bool is_rewritten;  ///< that of some
};

/// What failed has been said on standard error.
[[nodiscard]] tl::expected<OpenedProfile, Exit> open_profile(const PageOptions& options,
                                                             const std::vector<std::string>& files,
                                                             const Console& console,
                                                             const OnReading& on_reading = {});

/// A profile and maybe one to compare it with.
struct OpenedSides {
    OpenedProfile after;
    std::optional<OpenedProfile> before;

    [[nodiscard]] Exit exit() const {
        return before && before->prepared.exit != Exit::ok ? before->prepared.exit : after.prepared.exit;
    }
};

/// Sources and machine code of the programs that were measured, found as the options say. Sources are looked
/// for from the profile after, then from the one before. `is_wanted`: whether anybody still waits for what is
/// being answered; empty: yes.
[[nodiscard]] engine::Host surroundings_of(const OpenedSides& sides, const PageOptions& options,
                                           std::function<bool()> is_wanted = {});

}  // namespace callcost::program
