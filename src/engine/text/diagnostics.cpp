#include "text/diagnostics.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "text/names.hpp"
#include "text/numbers.hpp"

namespace callcost::engine {
namespace {

void write_hint(std::string& out, std::string_view hint, const Style& style) {
    if (hint.empty()) return;
    out.append("  ")
        .append(paint("hint:", Tone::dim, style))
        .append(" ")
        .append(display_name(hint))
        .append("\n");
}

/// `file:1:2: error: text [id]`
void write_headline(std::string& out, std::string_view place, Severity severity, std::string_view text,
                    std::string_view id, const Style& style) {
    out += paint(std::string(place) + ":", Tone::strong, style);
    out += ' ';
    out += paint(std::string(to_string(severity)) + ":", tone_of(severity), style);
    out.append(" ").append(text);
    if (!id.empty()) out.append(" ").append(paint(fmt::format("[{}]", id), Tone::dim, style));
    out += '\n';
}

}  // namespace

Tone tone_of(Severity severity) {
    switch (severity) {
        case Severity::note:
            return Tone::note;
        case Severity::warning:
            return Tone::warning;
        case Severity::error:
            return Tone::error;
    }
    return Tone::plain;
}

std::string place_text(std::string_view source_name, std::uint64_t line, std::uint64_t column) {
    auto text = display_name(source_name);
    if (line > 0) fmt::format_to(std::back_inserter(text), ":{}", line);
    if (line > 0 && column > 0) fmt::format_to(std::back_inserter(text), ":{}", column);
    return text;
}

void write_message(std::string& out, Severity severity, std::string_view text, std::string_view hint,
                   const Style& style) {
    write_headline(out, "callcost", severity, display_name(text), {}, style);
    write_hint(out, hint, style);
}

void write_excerpt(std::string& out, const Place& place, const Style& style) {
    if (place.excerpt.empty()) return;
    const auto number = fmt::format("{:>6} | ", place.line);
    const auto bytes_before =
        std::min<std::size_t>(place.excerpt_column > 0 ? place.excerpt_column - 1 : 0, place.excerpt.size());
    auto text = display_line(place.excerpt);
    auto before = display_line(std::string_view(place.excerpt).substr(0, bytes_before));
    auto caret = display_width(before);

    const auto room = style.width > number.size() + 20 ? style.width - number.size() : std::size_t{0};
    if (room > 0 && display_width(text) > room) {
        // Keep what is around the caret; the beginning of the line unless the caret is far in.
        if (caret + 10 > room && before.size() < text.size()) {
            text = std::string(style.ellipsis()) + text.substr(before.size());
            caret = display_width(style.ellipsis());
        }
        std::string kept;
        for (std::size_t at = 0; at < text.size();) {
            auto next = at + 1;
            while (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xc0) == 0x80) ++next;
            const auto glyph = std::string_view(text).substr(at, next - at);
            if (display_width(kept) + display_width(glyph) > room) break;
            kept += glyph;
            at = next;
        }
        text = std::move(kept);
    }
    out.append(paint(number, Tone::dim, style)).append(text).append("\n");
    if (place.excerpt_column == 0) return;
    out.append(number.size() - 2, ' ').append(paint("|", Tone::dim, style)).append(1 + caret, ' ');
    out.append(paint("^", Tone::good, style)).append("\n");
}

void write_finding(std::string& out, std::string_view source_name, const Place& place, Severity severity,
                   std::string_view text, std::string_view id, std::string_view hint, const Style& style) {
    write_headline(out, place_text(source_name, place.line, place.column), severity, text, id, style);
    write_excerpt(out, place, style);
    write_hint(out, hint, style);
}

void write_diagnostic(std::string& out, DiagnosticId id, const Place& place, std::string_view source_name,
                      const Style& style) {
    const auto& kind = kind_of(id);
    write_finding(out, source_name, place, kind.severity, kind.message, kind.name, kind.hint, style);
}

void write_error(std::string& out, const Error& error, std::string_view source_name, const Style& style,
                 std::string_view line, std::string_view better_hint) {
    constexpr std::size_t longest = 160;  // as in a Place
    Place place;
    place.line = error.line;
    place.column = error.column;
    if (const auto begin = line.find_first_not_of(" \t");
        place.column == 0 && begin != std::string_view::npos)
        place.column = begin + 1;  // the line as a whole
    if (place.column <= longest) {
        place.excerpt = line.substr(0, longest);
        place.excerpt_column = static_cast<std::uint32_t>(place.column);
    }
    write_headline(out, place_text(source_name, place.line, place.column), Severity::error,
                   display_name(error.message()), to_string(error.code), style);
    write_excerpt(out, place, style);
    write_hint(out, better_hint.empty() ? error.hint() : better_hint, style);
}

std::string severity_counts(std::uint64_t errors, std::uint64_t warnings, std::uint64_t notes,
                            const Style& style) {
    std::vector<std::string> pieces;
    if (errors > 0) pieces.push_back(counted(errors, "error", style));
    if (warnings > 0) pieces.push_back(counted(warnings, "warning", style));
    if (notes > 0) pieces.push_back(counted(notes, "note", style));
    std::string text;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (i > 0) text += i + 1 == pieces.size() ? " and " : ", ";
        text += pieces[i];
    }
    return text;
}

}  // namespace callcost::engine
