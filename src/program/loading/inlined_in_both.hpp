/// Inlined code of two profiles that are compared, as functions in both or in none.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "loading/inlined_code.hpp"
#include "options/profile_options.hpp"
#include "sources/source_files.hpp"
#include "terminal/terminal.hpp"
#include <callcost/call_graph.hpp>
#include <callcost/profile.hpp>

namespace callcost::program {

/// A profile that is compared, and where its programs are.
struct ComparedCode {
    const Profile& profile;
    SourceFinderOptions search;
};

/// What is said about inlined code of both.
struct InlinedNote {
    std::optional<Severity> severity;  ///< none: said only by --inlined=yes and the page
    std::string text;
    std::string reason;  ///< the same where it is clear that something is not shown
    std::string hint;
};
void say(const std::vector<InlinedNote>& notes, const Console& console);

struct InlinedInBoth {
    ExpandedProfile before, after;  ///< without their problems: see `notes`
    Inlined inlined_before = Inlined::fold, inlined_after = Inlined::fold;  ///< how they are to be selected
    std::vector<InlinedNote> notes;                                         ///< what matters most first
};

/// Inlined code of an object is functions if that of the same object of the other side is known as well.
/// Functions that were changed since they were measured on one side stay as they are on both, unless they are
/// more than a tenth of the object: then it is not known. Code that the file of one side alone says is
/// inlined is that of the functions it is in.
[[nodiscard]] InlinedInBoth show_inlined_in_both(const ComparedCode& before, const ComparedCode& after,
                                                 When wanted);

}  // namespace callcost::program
