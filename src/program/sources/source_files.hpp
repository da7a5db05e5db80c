/// Finds the source files and objects that a profile names, on a machine where they may lie elsewhere. For
/// annotation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "sources/expected_directories.hpp"
#include "sources/file_index.hpp"
#include "sources/git_commit.hpp"
#include "sources/source_text.hpp"

namespace callcost::program {

/// Recorded names that begin with the path `from` begin with `to` here. Only whole components count: /home/me
/// does not match /home/meyer.
struct PathMapping {
    std::string from;
    std::string to;
};

/// "OLD=NEW"; nothing without a "=" or without OLD.
[[nodiscard]] std::optional<PathMapping> parse_path_mapping(std::string_view text);

struct SourceFinderOptions {
    std::vector<std::shared_ptr<const GitCommit>> commits{};  ///< that were measured; looked into first
    std::vector<std::string> include_dirs;                    ///< searched in this order
    std::vector<PathMapping> source_map;  ///< the longest `from` wins, of equal ones the last
    std::optional<std::string>
        profile_directory;                  ///< "" is the working directory; none: the profile is no file
    std::string working_directory = ".";    ///< for names only; the directories here are opened as they are
    bool skips_recorded = false;            ///< step 1 is for names that the source map has changed
    bool is_beside_profile = false;         ///< step 1 takes the profile's directory first
    bool is_confined = false;               ///< only what ExpectedDirectories hold is opened
    std::vector<std::string> shown_dirs{};  ///< expected, too, but not searched
    bool ignores_elsewhere = false;         ///< what is not opened because of this is `missing`
    std::uint64_t max_bytes = 64U << 20U;   ///< larger files are not read
    std::size_t max_entries = 50'000;       ///< directory entries looked at below the include directories
};

/// A file that can be used.
struct FoundPath {
    std::string path;
    bool is_guess = false;  ///< it matches the recorded name by suffix only
};
/// What is wrong with a file; nothing if it can be used.
using Attempt = std::function<std::optional<SourceProblem>(const std::string& path)>;

/// Where a name is searched, after the source map was applied: in the commits, then the first regular file
/// wins:
///   1. the name itself; if it is relative, from the working directory, then from the profile's directory
///   2. in the include directories: the whole name, then ever shorter ends of it, down to the file's name
///   alone
///   3. the same in the profile's directory, but no hidden files
///   4. anywhere below the include directories, links to directories not followed: the file that agrees with
///   the most
///      components of the name from its end, if there is only one
///   5. as 3. in the working directory, unless step 4 found several, or `skips_recorded`
///
/// Names are taken as they are in step 1, `..` included: whoever opens a profile may read what they may read
/// anyway. For others there is `is_confined`. In the other steps `.` and `..` are resolved in the text first
/// and a leading `..` is dropped, so that a directory never yields a file outside itself (glibc's
/// `./elf/../sysdeps/x.c` is searched as `sysdeps/x.c`). A name in the Windows style may have `\` between its
/// components.
class SourceFinder {
  public:
    explicit SourceFinder(SourceFinderOptions options) : options_(std::move(options)) {
        if (options_.is_confined) places_.emplace(options_);
    }

    /// What the first commit has that has it.
    [[nodiscard]] std::optional<SourceText> find_in_commits(std::string_view recorded_name) const;

    /// The text of the file with this recorded name. One of fewer than `last_line` lines is another file, and
    /// is taken only if there is none that has them. What directories there are is asked only once, and what
    /// is in a directory that very many names may be in.
    [[nodiscard]] tl::expected<SourceText, SourceProblem> find(std::string_view recorded_name,
                                                               std::uint64_t last_line = 0);

    /// The first file with this recorded name that `use` takes.
    [[nodiscard]] tl::expected<FoundPath, SourceProblem> find_path(std::string_view recorded_name,
                                                                   const Attempt& use);

    /// Whether a file is where `is_confined` lets it be.
    [[nodiscard]] bool may_open(const std::string& path) const { return !places_ || places_->hold(path); }

    /// Where an editor finds it: the file or, if there is none here, the name after the source map; empty if
    /// that is no path either (`php:internal`).
    [[nodiscard]] std::string path_here(std::string_view recorded_name);

    /// The name after the source map.
    [[nodiscard]] std::string mapped(std::string_view recorded_name) const;

  private:
    class Search;
    struct Directory {
        bool is_missing = false;
        std::size_t asked = 0;                                   ///< how often
        std::optional<std::unordered_set<std::string>> names{};  ///< what is in it, if asked very often
    };
    /// Whether the file cannot be there, by what is known of its directory.
    bool is_known_missing(std::string_view path);

    SourceFinderOptions options_;
    std::optional<ExpectedDirectories> places_;               // if it is confined
    std::unordered_map<std::string, Directory> directories_;  // most names are in a few
    std::optional<FileIndex> index_;
    std::map<std::string, std::string, std::less<>> paths_here_;  // a file has many lines
};

}  // namespace callcost::program
