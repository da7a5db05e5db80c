/// What an import says of a file: its format, what is in it, what was omitted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

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
    std::string kind{};      ///< what the file is, by the name that people know: `speedscope profile`
    std::string producer{};  ///< what wrote the file, by its own words; empty: not said
    std::size_t processes = 0, threads = 0;  ///< 0: not said
    std::string limits{};                    ///< what it cannot tell; empty: nothing is known of any
    std::vector<ImportNote> notes;           ///< one per oddity, in the order in which they were met
};

}  // namespace callcost::engine
