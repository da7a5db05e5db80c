/// A profile as the beginning of another one.
#pragma once

#include "profile/profile_data.hpp"

namespace callcost {

/// All but arcs, records and sums by function and file, which are empty. Rows stay as they are.
void copy_description(const ProfileData& from, ProfileData& to);

}  // namespace callcost
