/// Profiles of other formats as Callgrind files. What these formats hold are stacks: a sample says which
/// frames lay on the stack, and what it cost. They are added up as an exact call graph (stacks.hpp says how)
/// and written in the compact dialect, with "callcost-VERSION from stacks" as the creator.
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
/// speedscope     Profiles of the same unit are threads, those of another unit are of another event type:
///                `Time` (ns), `bytes`, `samples`. In files of callcost each profile is an event type. Costs
///                with decimals are as those of folded. What is without a stack is omitted.
/// Firefox        Threads are parts. `samples` or, where they have weights, what these measure; `cpu` where
/// it
///                was recorded; allocations. Libraries are objects; a frame without a name is named by its
///                address. What is without a stack is omitted.
/// .cpuprofile    `Time` (us) and `hits`. A sample lasts until the next one, as in DevTools; what comes
///                before the first is omitted. Hits are at their lines (`positionTicks`, `lineTicks` of
///                v8-profiler-next), all else is at the first line of the function, the only one V8 gives.
///                Functions that share name and file get their line behind the name, anonymous ones always.
/// tracegrind     Every call of the run: numbers of calls are exact, too. Event types are the counters, with
///                their units. A cost belongs to what the thread ran before the row that has it; before the
///                first call of a thread it is "(no stack)". All is at the first line by which a function was
///                entered, the only one there is. Each thread is a part; markers are omitted. Names are
///                numbers until the end of version 5: in a trace that was cut off they are "(function 12)".
/// .heapprofile   `size` (bytes) of what was alive, as V8 scales its samples, and `samples` where they are
///                listed; those of nodes that the tree does not have are omitted. Names are as those of
///                .cpuprofile; the root of all, "(root)", is a function in neither.
/// DHAT           Bytes and blocks: allocated in all (`total_`), alive at the peak (`peak_`) and at the end
///                (`end_`), read and written (`read_bytes`, `write_bytes`); of ad-hoc events their own units.
///                Peaks of single places, lifetimes and counts of accesses by offset are omitted.
/// Massif         `bytes` of the snapshot at the peak, or the largest detailed one. Places below the
///                threshold are the function "(below threshold)", which calls what is known of them.
/// Chrome trace   `Duration` (ns) is that of the spans of a thread (X, B and E), without those in them, with
///                exact numbers of calls; `Time` (us) and `hits` are V8's samples, as those of .cpuprofile.
///                Each thread is a part. A span that ends behind the one around it is cut there; one without
///                an end is omitted, as are asynchronous operations, marks and clang's sums ("Total ...").
/// pstats         Python's cProfile and profile: a call graph, not stacks (imported_graph.hpp). `Time` (ns),
///                numbers of calls. Functions are at their first line; those of C have no file. Where callers
///                are only counted, as in files of profile, the costs of calls are estimated.
/// gperftools     CPU profiles: `samples`, and `cpu` (ns) where the period is known; a leaf that is there
/// twice
///                is one. Heap profiles: `inuse_space`, `inuse_objects`, and `alloc_` of both where they
///                differ, as pprof names them; samples (`heap_v2`) are scaled to what they stand for. Names
///                are those that google-pprof --raw put in front, inlined functions in one (`a--b`); else
///                functions are addresses, and objects are of the memory map. What is without a stack is
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
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tables/budget.hpp"
#include <callcost/error.hpp>
#include <callcost/source.hpp>
#include <callcost/tree.hpp>

namespace callcost::engine {

enum class ImportFormat : std::uint8_t {
    pprof,
    folded,
    perf_script,
    cpuprofile,
    speedscope,
    tracegrind,
    firefox,
    heapprofile,
    dhat,
    massif,
    chrome_trace,
    pstats,
    gperftools,
    jemalloc,
    go_text,
    stackprof,
};
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

/// How many numbers end a line of folded stacks.
enum class FoldedColumns : std::uint8_t {
    automatic,  ///< two if the first lines all have two
    one,
    two,
};

/// What becomes the root of the stacks of `perf script`.
enum class ProcessRoot : std::uint8_t {
    none,  ///< the outermost frame
    name,  ///< a frame of the process's name
};

/// Code of a file, as the map of a process lists it.
struct MappedCode {
    std::string_view file;
    std::uint64_t offset = 0, size = 0;  ///< in the file
    std::uint64_t inode = 0;             ///< the file's; 0: not known
};
struct AddressInCode {
    std::size_t code = 0;      ///< row of MappedCode
    std::uint64_t offset = 0;  ///< in the file
};
struct NamesOfAddresses {
    static constexpr std::uint32_t none = UINT32_MAX;
    std::vector<std::string> names{};
    std::vector<std::uint32_t> rows{};  ///< by address: of `names`; none: not known. May be empty
    std::vector<std::string> newer{};   ///< files that are not asked, as they are newer than the profile
};
using FindNames =
    std::function<NamesOfAddresses(std::span<const MappedCode>, std::span<const AddressInCode>)>;

struct ImportOptions {
    FoldedColumns folded_columns = FoldedColumns::automatic;
    ProcessRoot process_root = ProcessRoot::none;
    Stacks* stacks = nullptr;  ///< gets every stack, too
    FindNames find_names{};    ///< for functions that the input has only addresses of; empty: they keep these
    std::uint64_t longest_line = default_longest_line;  ///< bytes; a longer line is skipped
    /// For readers that take calls of an unknown number for self cost (W11).
    bool unknown_count_as_one = false;
    Budget budget = memory_budget;  ///< of memory
};

/// What a comment of a pprof file begins with whose stacks were estimated from the costs of calls.
constexpr std::string_view estimated_stacks_comment = "stacks are estimated: ";
/// What such a profile of speedscope has behind the name of its event type; the share that is certain
/// follows.
constexpr std::string_view estimated_profile_mark = " (estimated from the call graph, ";

/// What an import could not preserve.
enum class ImportOddity : std::uint8_t {
    labels_ignored,        ///< samples whose labels were omitted
    annotations_dropped,   ///< frames whose annotation was dropped: `_[i]`
    values_rounded,        ///< values with decimals
    unreadable_line,       ///< lines that were skipped
    invalid_reference,     ///< ids and numbers of strings that nothing has; the frame is "(unknown)"
    duplicate_id,          ///< things with an id that another one had: the first counts
    value_count,           ///< samples with more or fewer values than there are sample types
    inlining_cut,          ///< locations with too many inlined functions: the outermost were omitted
    stack_cut,             ///< stacks with too many frames: the outermost were omitted
    frames_to_drop,        ///< profiles that ask for frames to be omitted by pattern; they are kept
    no_stack,              ///< samples without frames, as the function "(no stack)"
    cyclic_nodes,          ///< nodes that are their own ancestors: the cycle was cut
    ticks_mismatch,        ///< nodes whose ticks are more than their hits: omitted
    missing_samples,       ///< samples or times that the other list has no counterpart for
    time_before_samples,   ///< microseconds before the first sample, omitted
    events_dropped,        ///< samples of more event types than can be held
    estimated_stacks,      ///< profiles that say that their stacks are estimates: recorded are only calls
    line_too_long,         ///< lines longer than ImportOptions::longest_line, skipped
    without_stack,         ///< samples without frames, omitted
    unmatched_ends,        ///< ends of another frame than the last that began, which is ended instead
    threads_as_text,       ///< threads of other processes, as old versions have them, which are not read
    times_reversed,        ///< events before the one before, at whose time they are taken
    trace_cut,             ///< traces that end before their end: what is there was read
    return_without_call,   ///< ways back from functions that were not called: ignored
    call_without_return,   ///< calls that were left with a function above them, as by longjmp()
    markers_ignored,       ///< marks in a trace
    child_processes,       ///< that have traces of their own
    unknown_rows,          ///< rows of a trace that say something unknown: ignored
    asynchronous_ignored,  ///< operations of a trace that are not of one thread
    sums_omitted,          ///< spans of clang that are the sums of others
    unended,               ///< spans that begin and do not end: omitted
    cut_at_parent,         ///< spans that end behind the one around them: cut there
    costs_estimated,       ///< calls that the file only counts
    costs_reduced,         ///< calls that cost more than the functions: of these the costs are kept
    costs_below_zero,      ///< or that are no numbers, taken for 0
};

struct ImportNote {
    ImportOddity what{};
    std::uint64_t count = 0;
    std::uint64_t first_line = 0;  ///< 0 = formats without lines
};

struct ImportNotes {
    ImportFormat format{};
    std::uint64_t samples = 0;            ///< stacks read; of tracegrind calls
    std::string_view counted = "sample";  ///< what they are
    std::uint64_t spans = 0;              ///< of a Chrome trace: calls of known duration
    std::string kind{};  ///< what the file is, by the name that people know: `speedscope profile`
    std::size_t processes = 0, threads = 0;  ///< 0: not said
    std::string limits{};                    ///< what it cannot tell; empty: nothing is known of any
    std::vector<ImportNote> notes;           ///< one per oddity, in the order in which they were met
};

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
[[nodiscard]] Result<ImportNotes> import_cpuprofile(const Source& source, const ImportOptions& options,
                                                    const Sink& sink);
[[nodiscard]] Result<ImportNotes> import_speedscope(const Source& source, const ImportOptions& options,
                                                    const Sink& sink);
[[nodiscard]] Result<ImportNotes> import_tracegrind(const Source& source, const ImportOptions& options,
                                                    const Sink& sink);
[[nodiscard]] Result<ImportNotes> import_firefox(const Source& source, const ImportOptions& options,
                                                 const Sink& sink);
[[nodiscard]] Result<ImportNotes> import_heapprofile(const Source& source, const ImportOptions& options,
                                                     const Sink& sink);
[[nodiscard]] Result<ImportNotes> import_dhat(const Source& source, const ImportOptions& options,
                                              const Sink& sink);
[[nodiscard]] Result<ImportNotes> import_massif(const Source& source, const ImportOptions& options,
                                                const Sink& sink);
[[nodiscard]] Result<ImportNotes> import_chrome_trace(const Source& source, const ImportOptions& options,
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
