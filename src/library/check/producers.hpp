/// The tools whose files are known, and which checks their sound files break all the same.
#pragma once

#include <cstdint>
#include <string_view>

#include "callcost/check.hpp"
#include "callcost/profile.hpp"

namespace callcost {

struct Producer {
    std::string_view name;
    std::string_view creator;  ///< how its `creator:` begins
    std::uint32_t breaks = 0;  ///< a bit per CheckId

    [[nodiscard]] bool may_break(CheckId id) const { return (breaks >> static_cast<unsigned>(id) & 1U) != 0; }
};

/// Who wrote the profile; null if that is not known. Several producers of one profile are none.
[[nodiscard]] const Producer* known_producer(const Profile& profile);

/// Whose files look like it, by the name of its first event type; empty: nobody's. Nothing follows from it.
[[nodiscard]] std::string_view guessed_producer(const Profile& profile);

}  // namespace callcost
