/// Profiles that are JSON as Callgrind files (importers.hpp has the other formats).
///
/// speedscope     Profiles of the same unit are threads, those of another unit are of another event type:
///                `Time` (ns), `bytes`, `samples`. In files of callcost each profile is an event type. Costs
///                with decimals are as those of folded. What is without a stack is omitted.
/// Firefox        Threads are parts. `samples` or, where they have weights, what these measure; `cpu` where
///                it was recorded; allocations. Libraries are objects; a frame without a name is named by its
///                address. What is without a stack is omitted.
/// .cpuprofile    `Time` (us) and `hits`. A sample lasts until the next one, as in DevTools; what comes
///                before the first is omitted. Hits are at their lines (`positionTicks`, `lineTicks` of
///                v8-profiler-next), all else is at the first line of the function, the only one V8 gives.
///                Functions that share name and file get their line behind the name, anonymous ones always.
/// .heapprofile   `size` (bytes) of what was alive, as V8 scales its samples, and `samples` where they are
///                listed; those of nodes that the tree does not have are omitted. Names are as those of
///                .cpuprofile; the root of all, "(root)", is a function in neither.
/// DHAT           Bytes and blocks: allocated in all (`total_`), alive at the peak (`peak_`) and at the end
///                (`end_`), read and written (`read_bytes`, `write_bytes`); of ad-hoc events their own units.
///                Peaks of single places, lifetimes and counts of accesses by offset are omitted.
/// Chrome trace   `Duration` (ns) is that of the spans of a thread (X, B and E), without those in them, with
///                exact numbers of calls; `Time` (us) and `hits` are V8's samples, as those of .cpuprofile.
///                Each thread is a part. A span that ends behind the one around it is cut there; one without
///                an end is omitted, as are asynchronous operations, marks and clang's sums ("Total ...").
#pragma once

#include "encodings/import_notes.hpp"
#include "import_model/import_options.hpp"
#include <callcost/error.hpp>
#include <callcost/source.hpp>

namespace callcost::engine {

/// Read the whole source and write a Callgrind file. Errors: not_a_profile with place and reason (`detail`),
/// empty_file, too_large (also what is beyond the budget), those of the source and of the sink. Nothing is
/// written before all is read.
[[nodiscard]] Result<ImportNotes> import_cpuprofile(const Source& source, const ImportOptions& options,
                                                    const Sink& sink);
[[nodiscard]] Result<ImportNotes> import_speedscope(const Source& source, const ImportOptions& options,
                                                    const Sink& sink);
[[nodiscard]] Result<ImportNotes> import_firefox(const Source& source, const ImportOptions& options,
                                                 const Sink& sink);
[[nodiscard]] Result<ImportNotes> import_heapprofile(const Source& source, const ImportOptions& options,
                                                     const Sink& sink);
[[nodiscard]] Result<ImportNotes> import_dhat(const Source& source, const ImportOptions& options,
                                              const Sink& sink);
[[nodiscard]] Result<ImportNotes> import_chrome_trace(const Source& source, const ImportOptions& options,
                                                      const Sink& sink);

}  // namespace callcost::engine
