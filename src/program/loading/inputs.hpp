/// From the names on the command line to one Profile: read the files, report errors.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "options/profile_options.hpp"
#include "sources/disassembler.hpp"
#include "sources/source_files.hpp"
#include "terminal/terminal.hpp"
#include <callcost/check.hpp>
#include <callcost/error.hpp>
#include <callcost/event_type.hpp>
#include <callcost/profile.hpp>
#include <callcost/source.hpp>
#include <callcost/tree.hpp>

namespace callcost::program {

/// An input that could not be read, and why.
struct Failure {
    std::string file;
    Error error;
    std::string line;        ///< the text of error.line, if it is known
    bool has_parts = false;  ///< examine() only: empty, and the data are in files beside it (F86)
};
void report(const Console& console, const Failure& failure, std::string_view better_hint = {});

/// Compares the units of event types of profiles whose costs come together.
class EventUnits {
  public:
    /// `place`: 'a.out', this profile.
    void add(const std::string& place, std::span<const EventType> events);
    /// Of the first event type that is in two units: "Time is in ns in 'a' and in us in 'b'"; empty: none is.
    [[nodiscard]] const std::string& difference() const { return difference_; }

  private:
    struct Unit {
        std::string unit, place;
    };
    std::map<std::string, Unit, std::less<>> units_;
    std::string difference_;
};

/// A file in another format.
struct ImportedFile {
    std::string format;       ///< by the name on the command line: `pprof`
    std::string kind;         ///< by the name that people know: `pprof profile`
    std::string producer;     ///< what wrote it, by its own words; empty: not said
    std::uint64_t bytes = 0;  ///< decompressed
};

struct Input {
    Profile profile;
    std::vector<Failure> not_profiles;  ///< `annotate` only: may be names of source files; not reported yet
    bool is_complete = true;            ///< false if a file could not be read and is not in the profile
    std::string difference_of_units;    ///< "Time is in ns in 'a' and in us in 'b'"; empty: there is none
    std::vector<std::optional<ImportedFile>> imported{};  ///< by source
    StacksOfSources stacks;  ///< with InputOptions::keeps_stacks: those that were read, else empty
};

/// Progress callback: called with each file before it is opened, then from time to time.
using OnReading = std::function<void(const std::string& file, const Progress& progress)>;

/// Reads all files and adds them up. Unreadable ones are reported; empty if no file could be read.
[[nodiscard]] std::optional<Input> read_input(const InputOptions& options, const Console& console,
                                              Detail detail, const OnReading& on_reading = {});

/// Where the debug information of its programs and libraries is searched.
[[nodiscard]] SourceFinderOptions program_search(const Profile& profile, const SourceSearchOptions& options);
/// The same for a profile in that file; empty: in none.
[[nodiscard]] SourceFinderOptions program_search(const std::string& file, const SourceSearchOptions& options);
/// Where source files of a profile are searched.
[[nodiscard]] SourceFinderOptions source_search(const Profile& profile, const SourceSearchOptions& options);
/// The same for programs and libraries, with their load addresses as far as recorded.
[[nodiscard]] DisassemblerOptions code_search(const Profile& profile, const SourceSearchOptions& options);
/// Modification time of the oldest profile file: sources modified later may differ from those measured.
[[nodiscard]] std::optional<FileTime> profile_time(const Profile& profile);

/// The files of one profile, for `check`.
struct Examination {
    std::optional<Profile> profile;   ///< empty if no file could be read
    std::vector<Spelling> spellings;  ///< by source of the profile
    std::vector<Failure> failures;    ///< not reported yet
};

[[nodiscard]] Examination examine(const std::vector<std::string>& files, const InputOptions& options,
                                  const Console& console);

}  // namespace callcost::program
