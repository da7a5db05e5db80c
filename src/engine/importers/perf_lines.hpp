/// The lines of `perf script`, one at a time. For its importer, and for telling whether a text is one.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace callcost::engine {

/// What was profiled, if the command is that of perf, and it is certain where its options end: nothing where
/// it is not, or where perf recorded other processes. Of other commands all.
[[nodiscard]] std::string_view profiled_command(std::string_view command);

/// `comm pid/tid [cpu] time: period event:`, with what there is of it.
struct PerfEvent {
    std::string_view process;
    std::string_view name;  ///< with modifiers; empty: not printed
    std::optional<std::int64_t> period;
    std::string_view frame;  ///< printed on the same line, where there are no call chains
    bool has_time = false;
};
[[nodiscard]] std::optional<PerfEvent> parse_perf_event(std::string_view line);

/// `address symbol+0xoffset (object)`; the name is "[unknown]" if there is none.
struct PerfFrame {
    std::string_view name;
    std::string_view object;  ///< empty if not printed or "[unknown]"
    bool is_inlined = false;
    bool has_address = false;  ///< of a length that real ones have, and a name behind it
};
[[nodiscard]] PerfFrame parse_perf_frame(std::string_view line);
[[nodiscard]] bool is_perf_frame(std::string_view line);

/// `  file:line` behind a frame (`-F +srcline`); line 0 if unknown.
struct PerfSourceLine {
    std::string_view file{};
    std::uint64_t line = 0;
    bool is_inlined = false;  ///< the frame is: with source lines, perf says so behind them
};
[[nodiscard]] std::optional<PerfSourceLine> perf_source_line(std::string_view line);

/// A record of another kind (`--show-mmap-events`), which is no sample.
[[nodiscard]] bool is_perf_side_record(std::string_view line);

/// `cycles:pp` is `cycles`, measured more precisely; `cycles:u` is something else.
[[nodiscard]] std::string_view without_precision(std::string_view event);

}  // namespace callcost::engine
