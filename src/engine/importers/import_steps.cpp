#include "importers/import_steps.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "text/numbers.hpp"

namespace callcost::engine {

std::string peek(Source& source, std::uint64_t longest_line) {
    constexpr std::size_t usual = std::size_t{16} * 1024, most = std::size_t{1} << 30U;
    std::string text;
    std::size_t size = 0;
    std::optional<Error> failure;
    bool is_at_end = false;
    const auto is_enough = [&] {
        return text.size() >= usual && (text.size() >= std::min<std::uint64_t>(longest_line, most) ||
                                        !is_cut_short({text.data(), size}));
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
    if (notes.kind.empty())
        return counted(notes.samples, notes.format == ImportFormat::tracegrind ? "call" : "stack", style) +
               " of " + std::string(to_string(notes.format));
    std::string text = notes.kind;
    if (notes.processes != 0)
        text += ", " + count(notes.processes, style) + (notes.processes == 1 ? " process" : " processes");
    if (notes.threads != 0) text += ", " + counted(notes.threads, "thread", style);
    if (notes.spans != 0) text += ", " + counted(notes.spans, "span", style);
    if (notes.samples != 0 || notes.spans == 0) text += ", " + counted(notes.samples, notes.counted, style);
    return notes.limits.empty() ? text : text + "; " + notes.limits;
}

std::string oddities_of(const ImportNotes& notes) {
    std::string text;
    for (const ImportNote& note : notes.notes) {
        if (!text.empty()) text += ", ";
        std::string what(to_string(note.what));
        std::replace(what.begin(), what.end(), '-', ' ');
        text += what + ": " + count(note.count, {});
    }
    return text;
}

}  // namespace callcost::engine
