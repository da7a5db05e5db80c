/// Inlined code of a profile as functions of their own, by the debug information of its programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "import_model/import_options.hpp"
#include "inlining/inline_maps.hpp"
#include "options/profile_options.hpp"
#include "sources/source_files.hpp"
#include "terminal/terminal.hpp"
#include <callcost/inlining.hpp>
#include <callcost/profile.hpp>

namespace callcost::program {

/// Where the programs of a profile and their debug files are. Without build IDs, When::automatic takes
/// programs only, not the system's libraries, which a profile from elsewhere has, too; and none for profiles
/// of a history, which may be old.
[[nodiscard]] InlineMapOptions debug_search(const Profile& profile, const SourceFinderOptions& search,
                                            const InputOptions& options);

/// Whether any of its parts has them.
[[nodiscard]] bool has_addresses(const Profile& profile);

/// What debug information says about inlined code.
[[nodiscard]] InlineMaps find_maps(const Profile& profile, const SourceFinderOptions& search,
                                   const InputOptions& options);

/// The same where the options say that programs are; nothing if InputOptions::inlined does not want it.
[[nodiscard]] std::optional<InlineMaps> inlined_code(const Profile& profile, const InputOptions& options);

/// By object, what its functions cost themselves by the first event type.
[[nodiscard]] std::vector<double> costs_of_objects(const Profile& profile);
/// The share of all cost up to which it does not matter that something is not known.
constexpr double hardly_any = 0.01;

/// Why something is not known, and what to do.
struct InlinedProblem {
    std::string message, hint;  ///< no message: all that costs more than hardly anything is known
    bool is_refused = false;    ///< InlineMaps::Missing::is_refused
};
/// Of the object that costs most.
[[nodiscard]] InlinedProblem what_is_missing(const Profile& profile, const InlineMaps& found);

/// A profile with inlined code as functions, and by which maps.
struct ExpandedProfile {
    Profile profile;
    std::vector<InlineMap> maps;  ///< empty: the profile is as it was
    InlinedProblem problem;       ///< why not all is known
    std::string stale;            ///< which functions are not those of the program, in words
    InlinedProblem servers{};     ///< why those of --debuginfod gave no debug files
};

/// With no more details than those. Says nothing: for the page, which does.
[[nodiscard]] ExpandedProfile expand_by_programs(const Profile& profile, const InputOptions& options,
                                                 const SourceFinderOptions& search,
                                                 Detail detail = Detail::full);

/// For an input in another format: names of addresses, by the programs that are where the file says. None
/// with InputOptions::leaves_addresses; where the user did not say --inlined=yes, of programs that are not
/// newer than the file only.
[[nodiscard]] engine::FindNames names_from_programs(const std::string& file, const InputOptions& options);

/// What was wanted and cannot be done.
void say_what_is_missing(const InlinedProblem& problem, const Console& console);
/// The same if InputOptions::inlined wants it, and what is not as it was.
void say_what_is_missing(const ExpandedProfile& expanded, const InputOptions& options,
                         const Console& console);

/// The profile as it is if InputOptions::inlined does not want it, or nothing is known. Says what was done,
/// and what was wanted and cannot be done.
[[nodiscard]] Profile with_inlined_functions(const Profile& profile, const InputOptions& options,
                                             const Console& console, Detail detail);

}  // namespace callcost::program
