/// From what the user named to one Profile: which files are meant, reading them, and saying what went wrong.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "options/profile_options.hpp"
#include "sources/disassembler.hpp"
#include "sources/source_files.hpp"
#include "terminal/terminal.hpp"
#include <callcost/check.hpp>
#include <callcost/error.hpp>
#include <callcost/profile.hpp>
#include <callcost/source.hpp>

namespace callcost::engine {
class StackTrie;
}

namespace callcost::program {

/// An input that is not in the profile, and why.
struct Failure {
    std::string file;
    Error error;
    std::string line;        ///< the text of error.line, if it is known
    bool has_parts = false;  ///< of examine(): empty, and the data are in files beside it (F86)
};
void report(const Console& console, const Failure& failure, std::string_view better_hint = {});

struct Input {
    Profile profile;
    std::vector<Failure> not_profiles;  ///< `annotate` only: may be names of source files; not reported yet
    bool is_complete = true;            ///< false if a file could not be read and is not in the profile
    std::shared_ptr<const engine::StackTrie>
        stacks;  ///< with InputOptions::keeps_stacks, of a file that holds stacks
};

/// Is told which file is being read and how far, besides the person before the terminal: before the file is
/// opened, and then from time to time.
using OnReading = std::function<void(const std::string& file, const Progress& progress)>;

/// Reads all files that are meant, adding them up. What could not be read is said; nothing if no file could.
[[nodiscard]] std::optional<Input> read_input(const InputOptions& options, const Console& console,
                                              Detail detail, const OnReading& on_reading = {});

/// Files of the runs that these files are of, which are not among them.
[[nodiscard]] std::vector<std::string> other_files_of_runs(const std::vector<std::string>& files);

/// Where the source files of a profile are looked for.
[[nodiscard]] SourceFinderOptions source_search(const Profile& profile, const SourceSearchOptions& options);
/// The same for its programs and libraries, and what the profile knows about where they were loaded.
[[nodiscard]] DisassemblerOptions code_search(const Profile& profile, const SourceSearchOptions& options);
/// When the oldest of the profile's files was written: sources changed later may not be what was measured.
[[nodiscard]] std::optional<FileTime> profile_time(const Profile& profile);

/// The files of one profile as `check` wants them.
struct Examined {
    std::optional<Profile> profile;   ///< empty if no file could be read
    std::vector<Spelling> spellings;  ///< by source of the profile
    std::vector<Failure> failures;    ///< not reported yet
};

/// Each file that is meant, with its other parts if they are asked for; no list if there is none.
[[nodiscard]] std::vector<std::vector<std::string>> file_sets(const InputOptions& options,
                                                              const Console& console);
/// It is empty, and files with its data are named beside it: Callgrind leaves that where each thread has one
/// of its own.
[[nodiscard]] bool is_empty_base(const std::string& file, const std::vector<std::string>& named);
[[nodiscard]] Examined examine(const std::vector<std::string>& files, const InputOptions& options,
                               const Console& console);

}  // namespace callcost::program
