/// @file read.hpp
/// Reads profile files into a Profile. This is the header most programs need, with file.hpp and
/// call_graph.hpp. If memory runs out, std::bad_alloc is thrown, the only exception of the library besides
/// those of the functions that it is given; afterwards the reader may only be destroyed.
#pragma once

#include <memory>

#include "callcost/error.hpp"
#include "callcost/profile.hpp"
#include "callcost/source.hpp"

namespace callcost {

struct ReadOptions {
    Detail detail = Detail::full;
    OnProgress on_progress{};  ///< empty: no reports, no cancelling
    RunAll run_all{};          ///< empty: everything on the calling thread. The result is the same either way
    unsigned concurrency = 1;  ///< how many tasks `run_all` can run at a time
    std::size_t chunk_size = 256 * 1024;  ///< bytes scanned at a time; smaller ones are for tests
    /// Bytes without the line end, from 4096 to 2^31; a longer line is cut (F67).
    std::uint64_t longest_line = default_longest_line;
};

/// Adds up any number of files (dumps, threads, runs) into one Profile.
class CALLCOST_API ProfileReader {
  public:
    explicit ProfileReader(ReadOptions options = {});
    ProfileReader(ProfileReader&&) noexcept;
    ProfileReader& operator=(ProfileReader&&) noexcept;
    ~ProfileReader();

    /// Reads one file to its end. Problems in the file become diagnostics of the profile. Errors: empty_file,
    /// not_a_profile, no_events, cancelled, too_large, read_failed or cannot_open where no byte could be
    /// read; after `cancelled` and `too_large` the reader may only be destroyed, after the others nothing of
    /// this file is kept and reading may go on.
    Result<void> add(const Source& source);

    /// The profile of all files added so far. Afterwards the reader may only be destroyed.
    [[nodiscard]] Profile finish() &&;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// One file. Errors: as ProfileReader::add.
[[nodiscard]] CALLCOST_API Result<Profile> read_profile(const Source& source,
                                                        const ReadOptions& options = {});
/// The same for read_profile(from_file(path)): an error of the source is passed on.
[[nodiscard]] inline Result<Profile> read_profile(const Result<Source>& source,
                                                  const ReadOptions& options = {}) {
    return source ? read_profile(*source, options) : tl::unexpected(source.error());
}

}  // namespace callcost
