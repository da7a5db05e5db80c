/// Profiles of other formats as Callgrind files. What these formats hold are stacks: a sample says which
/// frames lay on the stack, and what it cost. They are added up as an exact call graph (imported_stacks.hpp
/// says how) and written in the compact dialect, with "callcost-VERSION from stacks" as the creator, or
/// "... from calls" if the file has a call graph.
/// json_importers.hpp has what is JSON.
///
/// pprof          All sample types become event types, the one pprof shows by default first. Mappings are
///                objects; a frame without a name is named by its address. Labels are omitted.
/// folded         `a;b;c 123`, or two columns as of difffolded: event types `before` and `after`. Costs with
///                decimals are multiplied by a power of ten that keeps them: `milli_samples`. Of the
///                annotations of stackcollapse-perf and others, `_[k]` makes the object "[kernel]"; `_[i]`,
///                `_[j]`, `_[0]`, `_[1]` say how code was compiled and are dropped, so that a function is
///                one.
/// perf script    Costs are periods where they were printed, else samples. An event type per event, the
///                most frequent one first; the precision (`:pp`) is not part of the name. Objects are as
///                printed. Addresses are omitted.
/// tracegrind     Every call of the run: numbers of calls are exact, too. Event types are the counters, with
///                their units. A cost belongs to what the thread ran before the row that has it; before the
///                first call of a thread it is "(no stack)". All is at the first line by which a function was
///                entered, the only one there is. Each thread is a part; markers are omitted. Names are
///                numbers until the end of version 5: in a trace that was cut off they are "(function 12)".
/// Massif         `heap_bytes` of the snapshot at the peak, or the largest detailed one. Places below the
///                threshold are the function "(below threshold)", which calls what is known of them.
/// pstats         Python's cProfile and profile: a call graph, not stacks (imported_graph.hpp). `Time` (ns),
///                numbers of calls. Functions are at their first line; those of C have no file. Where callers
///                are only counted, as in files of profile, the costs of calls are estimated.
/// gperftools     CPU profiles: `samples`, and `cpu` (ns) where the period is known; a leaf that is there
///                twice is one. Heap profiles: `inuse_space`, `inuse_objects`, and `alloc_` of both where
///                they differ, as pprof names them; samples (`heap_v2`) are scaled to what they stand for.
///                Names are those that google-pprof --raw put in front, inlined functions in one (`a--b`);
///                else functions are addresses, and objects are of the memory map. What is without a stack is
///                omitted.
/// jemalloc       The same for its heap profiles, of all threads together.
/// Go text        Heap profiles as those of tcmalloc; `contentions` and `delay` (ns) of block and mutex
///                profiles; `goroutine`, `threadcreate`. Frames are those that Go printed with their names,
///                at their lines; addresses where it printed none.
/// stackprof      `samples`, of dumps and of JSON, by the stacks that `raw: true` records; other files are a
///                call graph (imported_graph.hpp), whose calls within cycles are estimates, as the file
///                counts recursion more than once. Self costs are at their lines.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "encodings/import_notes.hpp"
#include "import_model/import_options.hpp"
#include <callcost/error.hpp>
#include <callcost/source.hpp>

namespace callcost::engine {

inline constexpr std::array import_formats{
    ImportFormat::pprof,      ImportFormat::folded,     ImportFormat::perf_script,  ImportFormat::cpuprofile,
    ImportFormat::speedscope, ImportFormat::tracegrind, ImportFormat::firefox,      ImportFormat::heapprofile,
    ImportFormat::dhat,       ImportFormat::massif,     ImportFormat::chrome_trace, ImportFormat::pstats,
    ImportFormat::gperftools, ImportFormat::jemalloc,   ImportFormat::go_text,      ImportFormat::stackprof};
/// Its name on the command line: `pprof`, `perf-script`.
[[nodiscard]] std::string_view to_string(ImportFormat format);
/// Which files are in it, and who writes them.
[[nodiscard]] std::string_view description(ImportFormat format);
[[nodiscard]] std::optional<ImportFormat> import_format(std::string_view name);

/// By the beginning of the content, after decompression; some kilobytes are enough. Claims nothing that could
/// be a Callgrind file, and nothing that could well be something else.
[[nodiscard]] std::optional<ImportFormat> detect(std::string_view first_bytes);
/// Text of less than two lines: folded stacks may have lines of any length, and need two of them.
[[nodiscard]] bool is_cut_short(std::string_view first_bytes);

/// Then the file says no more than that functions call each other: ImportOptions::stacks got none.
[[nodiscard]] bool are_stacks_estimated(const ImportNotes& notes);

/// Read the whole source and write a Callgrind file. Errors: not_a_profile with place and reason (`detail`),
/// empty_file, too_large (also what is beyond the budget), those of the source and of the sink. Nothing is
/// written before all is read.
[[nodiscard]] Result<ImportNotes> import_pprof(const Source& source, const ImportOptions& options,
                                               const Sink& sink);
[[nodiscard]] Result<ImportNotes> import_folded(const Source& source, const ImportOptions& options,
                                                const Sink& sink);
[[nodiscard]] Result<ImportNotes> import_perf_script(const Source& source, const ImportOptions& options,
                                                     const Sink& sink);
[[nodiscard]] Result<ImportNotes> import_tracegrind(const Source& source, const ImportOptions& options,
                                                    const Sink& sink);
[[nodiscard]] Result<ImportNotes> import_massif(const Source& source, const ImportOptions& options,
                                                const Sink& sink);
[[nodiscard]] Result<ImportNotes> import_pstats(const Source& source, const ImportOptions& options,
                                                const Sink& sink);
[[nodiscard]] Result<ImportNotes> import_gperftools(const Source& source, const ImportOptions& options,
                                                    const Sink& sink);
[[nodiscard]] Result<ImportNotes> import_jemalloc(const Source& source, const ImportOptions& options,
                                                  const Sink& sink);
[[nodiscard]] Result<ImportNotes> import_go_text(const Source& source, const ImportOptions& options,
                                                 const Sink& sink);
[[nodiscard]] Result<ImportNotes> import_stackprof(const Source& source, const ImportOptions& options,
                                                   const Sink& sink);
[[nodiscard]] Result<ImportNotes> import_stacks(ImportFormat format, const Source& source,
                                                const ImportOptions& options, const Sink& sink);

}  // namespace callcost::engine
