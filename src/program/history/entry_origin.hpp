/// What a profile is of, where the command line does not say it: git knows the commit, a CI service its
/// branch.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "history/store.hpp"

namespace callcost::program {

struct EntryOrigin {
    std::string commit, branch;
    std::string checked_out;  ///< the commit; empty without a repository
    std::vector<std::string> parents;
    std::optional<std::int64_t> time;  ///< of the commit: seconds since 1970, UTC
    bool is_modified = false;          ///< tracked files differ from the commit that is checked out
    std::string machine;
};

/// `commit`: what the user calls it, or empty: that of the CI service, else the one that is checked out.
/// Without git or a repository only what the environment says. An error only if a commit is named that git
/// does not know in a repository that has others: then it is taken as it is, unless it is a name like HEAD.
[[nodiscard]] Stored<EntryOrigin> find_origin(const std::string& commit);

/// Whether the entry is of what is measured now, by a run before.
[[nodiscard]] bool is_of(const EntryOrigin& origin, const Entry& entry);

/// Asks git for the first lines of the messages of these entries' commits. Where the command does not run in
/// a repository that has them, they stay empty.
void find_subjects(std::vector<Entry>& entries, std::span<const std::size_t> places);

/// `2026-11-25`, `2026-11-25T06:00:00Z` with or without an offset such as `+01:00`, or `@SECONDS`.
[[nodiscard]] std::optional<std::int64_t> seconds_of(std::string_view time);

/// `2026-11-25 06:00` in UTC.
[[nodiscard]] std::string minutes_text(std::int64_t seconds);
[[nodiscard]] std::string utc_text(std::int64_t seconds);  ///< `2026-11-25T06:00:00Z`

}  // namespace callcost::program
