/// Inlined code of two profiles that are compared, as functions in both or in none.
#pragma once

#include "options/profile_options.hpp"
#include "sources/source_files.hpp"
#include "terminal/terminal.hpp"
#include <callcost/profile.hpp>

namespace callcost::program {

/// A profile that is compared, and where its programs are.
struct ComparedCode {
    Profile& profile;
    SourceFinderOptions search;
};

/// Inlined code of an object is functions if that of the same object of the other side is known as well.
/// Functions that were changed since they were measured on one side stay as they are on both, unless they are
/// more than a tenth of the object: then it is not known. Says why code that is known is not shown and, if
/// `wanted` is always, what is not known.
void show_inlined_in_both(const ComparedCode& before, const ComparedCode& after, When wanted,
                          const Console& console);

}  // namespace callcost::program
