/// Memory that is given back to the system, where the C library would keep it.
#pragma once

#include <callcost/profile.hpp>

namespace callcost::program {

/// What only reading needed lies in pieces between those of the profile, and larger tables are to come. Of a
/// small one nothing worth its time.
void trim_memory(const Profile& profile);

/// Of stacks one large table after the other is made: from now on each is given back when it is freed, rather
/// than a hole in which the next one does not fit.
void give_back_large_tables();

}  // namespace callcost::program
