/// Which code of a profiled program was inlined, and where: what debug information says about the addresses
/// of a profile. For expand_inlined().
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sources/source_files.hpp"
#include <callcost/inlining.hpp>
#include <callcost/profile.hpp>

namespace callcost::program {

/// The build of an object that was measured, as a profile says in a line `desc: Build-id: HEX OBJECT`.
struct RecordedBuild {
    std::string id;  ///< lower-case hexadecimal digits
    std::string object;
};
/// From a value of Part::descriptions; nothing if it says something else.
[[nodiscard]] std::optional<RecordedBuild> parse_recorded_build(std::string_view description);

/// By object. Parts that contradict each other leave an empty one.
using BuildsByObject = std::map<std::string, std::string, std::less<>>;
[[nodiscard]] BuildsByObject recorded_builds(const Profile& profile);
/// In /lib, /usr/lib64 and the like: libraries that every program uses.
[[nodiscard]] bool is_of_system(std::string_view object);

struct InlineMapOptions {
    SourceFinderOptions search{};
    std::string system_root{};      ///< where an absolute path is searched first; empty: nowhere
    std::string cache_directory{};  ///< for what was found; empty: nothing is kept
    /// Objects of which the profile has no build ID are missing: those of the system (/lib, /usr/lib), or
    /// all.
    bool needs_build_id_of_system = false, needs_build_id = false;
    std::optional<FileTime> profile_time{};  ///< names_of_addresses() takes no file that was changed later
    bool asks_debuginfod = false;            ///< its servers, for debug files that are not here
    std::string program =
        "/proc/self/exe";  ///< runs run_inline_worker() if its argument is inline_worker_word
};

struct InlineMaps {
    struct Missing {
        ObjectId object;
        std::string problem, hint;  ///< messages
        bool is_refused = false;    ///< the file is here, but of another build or damaged
    };
    std::vector<InlineMap> maps;    ///< of objects whose debug information could be read
    std::vector<Missing> missing;   ///< those whose could not
    std::vector<FunctionId> stale;  ///< whose lines are not those of the program: maps leave them out
    std::size_t compared = 0;       ///< functions whose lines were compared
    std::string problem, hint;      ///< why there is no map at all
    std::string server_problem, server_hint;  ///< why servers gave no debug files
};

/// Of a profile with details.
[[nodiscard]] InlineMaps find_inlined_code(const Profile& profile, const InlineMapOptions& options);

/// What is said about stale functions; empty: there are none.
[[nodiscard]] std::string stale_message(const InlineMaps& maps);

}  // namespace callcost::program
