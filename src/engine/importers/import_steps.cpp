#include "importers/import_steps.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "text/numbers.hpp"

namespace callcost::engine {
namespace {

/// How it is said that something was not preserved: `3 samples` between two texts.
struct Oddity {
    std::string_view before, noun, after;
    [[nodiscard]] bool is_said_elsewhere() const { return before.empty() && after.empty(); }
};

// By ImportOddity.
constexpr std::array<Oddity, static_cast<std::size_t>(ImportOddity::costs_below_zero) + 1> oddities{{
    {"", "sample", " without their labels"},
    {"annotations of ", "frame", " are omitted"},
    {"", "value", " rounded"},
    {"", "unreadable line", " skipped"},
    {"", "reference", " to entries that the file does not have"},
    {"", "duplicate id", " ignored"},
    {"", "sample", " with too few or too many values"},
    {"inlined functions cut at ", "address", ""},
    {"", "stack", " cut at the outer end: too many frames"},
    {"the frames that the file asks to drop are kept", "", ""},
    {"", "cost", " without a stack, under \"(no stack)\""},
    {"", "cycle", " of tree nodes cut"},
    {"lines omitted at ", "node", " with more ticks than hits"},
    {"the lists of samples and times differ by ", "sample", ""},
    {"", "", " before the first sample are not counted"},
    {"", "sample", " omitted: too many event types"},
    {},  // the limits say so
    {"", "line", " skipped: too long"},
    {"", "sample", " without a stack omitted"},
    {"", "end", " of frames that were not the innermost one"},
    {"the threads of ", "other process", " are omitted"},
    {"", "time", " earlier than the one before, taken as that"},
    {"the file is cut off: what is there was read", "", ""},
    {"", "return", " without a call ignored"},
    {"", "call", " left without a return"},
    {"", "marker", " omitted"},
    {"traces of ", "child process", " are in files of their own"},
    {"", "unknown row", " ignored"},
    {"", "asynchronous operation", " omitted"},
    {"", "sum", " of other spans omitted"},
    {"", "span", " without an end omitted"},
    {"", "span", " cut where the span around ends"},
    {"the costs of ", "call", " are estimated"},
    {"the costs of ", "call", " are reduced to what functions cost"},
    {"", "cost", " taken as 0: below 0, or not a number"},
}};

/// Of formats that are not known by their lines: JSON is often one line of any length.
bool is_known_at_once(std::string_view first_bytes) {
    const auto format = detect(first_bytes);
    return format && *format != ImportFormat::folded && *format != ImportFormat::perf_script;
}

}  // namespace

std::string peek(Source& source, std::uint64_t longest_line) {
    constexpr std::size_t usual = std::size_t{16} * 1024, most = std::size_t{1} << 30U;
    std::string text;
    std::size_t size = 0;
    std::optional<Error> failure;
    bool is_at_end = false;
    const auto is_enough = [&] {
        const std::string_view begin(text.data(), size);
        return text.size() >= usual && (text.size() >= std::min<std::uint64_t>(longest_line, most) ||
                                        !is_cut_short(begin) || is_known_at_once(begin));
    };
    while (!is_at_end && !failure && !is_enough()) {
        text.resize(std::max(usual, 2 * text.size()));
        while (size < text.size() && !is_at_end && !failure) {
            const auto count = source.read(std::span(text).subspan(size));
            if (!count) {
                failure = count.error();
            } else {
                is_at_end = *count == 0;
                size += *count;
            }
        }
    }
    text.resize(size);
    source.read = [text, at = std::size_t{0}, failure = std::move(failure),
                   read = std::move(source.read)](std::span<char> buffer) mutable -> Result<std::size_t> {
        const auto count = std::min(buffer.size(), text.size() - at);
        std::copy_n(text.data() + at, count, buffer.data());
        at += count;
        if (count > 0) return count;
        if (failure) return tl::unexpected(*failure);
        return read(buffer);
    };
    return text;
}

std::string summary_of(const ImportNotes& notes, const Style& style) {
    std::string text = notes.kind;
    if (notes.processes != 0) text += ", " + counted(notes.processes, "process", style);
    if (notes.threads != 0) text += ", " + counted(notes.threads, "thread", style);
    if (notes.spans != 0) text += ", " + counted(notes.spans, "span", style);
    if (notes.samples != 0 || notes.spans == 0) text += ", " + counted(notes.samples, notes.counted, style);
    return notes.limits.empty() ? text : text + "; " + notes.limits;
}

std::string oddities_of(const ImportNotes& notes, const Style& style) {
    std::string text;
    for (const ImportNote& note : notes.notes) {
        const Oddity& oddity = oddities.at(static_cast<std::size_t>(note.what));
        if (oddity.is_said_elsewhere()) continue;
        if (!text.empty()) text += ", ";
        text += oddity.before;
        if (note.what == ImportOddity::time_before_samples)
            text += count(note.count, style) + " us";
        else if (!oddity.noun.empty())
            text += counted(note.count, oddity.noun, style);
        text += oddity.after;
    }
    return text;
}

}  // namespace callcost::engine
