/// Header lines (`key: value`) between two body lines, taken as one block because only the whole block tells
/// whether a part or a profile begins (F21).
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "callcost/profile.hpp"
#include "parser/diagnostic_log.hpp"

namespace callcost {

enum class HeaderKey : std::uint8_t {
    magic,      // "# callgrind format"
    separator,  // "==== NEW PROFILING FILE"
    version,
    creator,
    cmd,
    pid,
    part,
    thread,
    desc,
    positions,
    events,
    event,
    summary,
    totals,
    timeframe,  // "timeframe (BB):", an older desc: Timerange
    other,
};

constexpr auto header_keys = static_cast<std::size_t>(HeaderKey::other) + 1;

/// One header line, copied, because a block may reach over the end of a chunk.
struct HeaderLine {
    HeaderKey key = HeaderKey::other;
    std::string name;   // key as written
    std::string value;  // trimmed
    std::string text;   // the line, at most a kilobyte of it
    std::uint64_t number = 0;
    std::uint64_t offset = 0;
    std::uint64_t value_column = 0;  // bytes before the value

    [[nodiscard]] LineView view() const { return {text, number, offset}; }
    /// Where the value, or a later byte of it, is in view().text, for diagnostics.
    [[nodiscard]] const char* value_place(std::size_t byte = 0) const {
        return text.data() + std::min(static_cast<std::size_t>(value_column) + byte, text.size());
    }
};

/// Splits `key: value` (F7, F28); false if the line is none.
[[nodiscard]] bool parse_header_line(const LineView& line, HeaderLine& header);

/// The key of a line that begins a new profile (F21).
[[nodiscard]] constexpr bool is_profile_key(HeaderKey key) { return key <= HeaderKey::cmd; }
/// The key of a line that begins a new part (F21).
[[nodiscard]] constexpr bool is_part_key(HeaderKey key) {
    return key >= HeaderKey::pid && key <= HeaderKey::events;
}
/// The key of a line that shows that the input is a profile (F11).
[[nodiscard]] constexpr bool is_accepting_key(HeaderKey key) {
    return key == HeaderKey::magic || key == HeaderKey::creator || key == HeaderKey::events;
}
/// The key of a line that may come after the body it is about (F12, F21).
[[nodiscard]] constexpr bool is_late_key(HeaderKey key) {
    return key >= HeaderKey::cmd && key != HeaderKey::positions && key != HeaderKey::events;
}
/// So much of an input may pass before it must have shown that (F11).
constexpr std::uint64_t detection_limit = 1U << 20U;

/// What `positions:` and `events:` say about the columns of a cost line. It is copied and compared for every
/// chunk that is scanned ahead, so what the columns are called is not in it.
struct Columns {
    enum class Layout : std::uint8_t { line, instr_line, other };

    std::size_t positions = 1;   // position columns
    std::size_t address = none;  // which position column is `instr`
    std::size_t line = 0;        // which one is `line`
    Layout layout = Layout::line;
    std::size_t events = 0;  // cost columns
    bool events_known = false;

    static constexpr std::size_t none = ~std::size_t{0};
    static constexpr std::size_t max_events = 1000;  // F14

    /// Takes over a `positions:` line; unknown words are reported (F15).
    void set_positions(const HeaderLine& header, DiagnosticLog& log);
    void set_events(const HeaderLine& header, DiagnosticLog& log);
    friend bool operator==(const Columns&, const Columns&) = default;
};

/// The words of a text, separated by blanks.
[[nodiscard]] std::vector<std::string_view> split_words(std::string_view text);

}  // namespace callcost
