#include "text/names.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <vector>

#include <fmt/format.h>
#include <utf8proc.h>

namespace callcost::engine {
namespace {

constexpr std::size_t longest_name = 16384;  // bytes; real C++ names reach 10,000

constexpr std::uint64_t in_each_byte = 0x0101010101010101U;

/// Most names are ASCII and long.
std::uint64_t eight_bytes(std::string_view text) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, text.data(), sizeof bytes);
    return bytes;
}

bool is_printable_ascii(std::string_view text) {
    for (; text.size() >= 8; text.remove_prefix(8)) {
        const auto bytes = eight_bytes(text);
        const auto below_blank = bytes - in_each_byte * ' ', above_tilde = bytes + in_each_byte;
        if (((bytes | below_blank | above_tilde) & in_each_byte * 0x80) != 0) return false;
    }
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

void append_visible(std::string& text, char32_t character) {
    const auto code = static_cast<unsigned>(character);
    switch (character) {
        case U'\n':
            text += "\\n";
            break;
        case U'\r':
            text += "\\r";
            break;
        case U'\t':
            text += "\\t";
            break;
        case U'\0':
            text += "\\0";
            break;
        default:
            if (code < 0x100) {
                fmt::format_to(std::back_inserter(text), "\\x{:02x}", code);
            } else if (code < 0x10000) {
                fmt::format_to(std::back_inserter(text), "\\u{:04x}", code);
            } else {
                fmt::format_to(std::back_inserter(text), "\\U{:08x}", code);
            }
    }
}

/// Valid UTF-8 with deceptive characters spelled out. `tab` gets the text so far and adds what a TAB becomes.
template <class Tab>
std::string make_visible(std::string_view utf8, Tab tab) {
    std::string text;
    text.reserve(utf8.size());
    while (!utf8.empty()) {
        const auto [character, length] = front_character(utf8);
        if (character == U'\t') {
            tab(text);
        } else if (is_deceptive(character)) {
            append_visible(text, character);
        } else {
            text += utf8.substr(0, length);
        }
        utf8.remove_prefix(length);
    }
    return text;
}

/// The nearest beginning of a character at or before `at`.
std::size_t character_start(std::string_view utf8, std::size_t at) {
    while (at > 0 && at < utf8.size() && (static_cast<unsigned char>(utf8[at]) & 0xc0) == 0x80) --at;
    return at;
}

std::string without_middle(std::string_view utf8) {
    const auto head = character_start(utf8, longest_name / 2);
    const auto tail = character_start(utf8, utf8.size() - longest_name / 2);
    return fmt::format("{}[... {} bytes of the name left out ...]{}", utf8.substr(0, head), tail - head,
                       utf8.substr(tail));
}

struct Glyph {
    std::size_t begin = 0;
    std::size_t width = 0;
};

/// Characters with the marks of width 0 that belong to them.
std::vector<Glyph> split_into_glyphs(std::string_view utf8) {
    std::vector<Glyph> glyphs;
    for (std::size_t at = 0; at < utf8.size();) {
        const auto [character, length] = front_character(utf8.substr(at));
        // As display_width() counts.
        const auto columns =
            character < 0x80 ? 1 : std::max(utf8proc_charwidth(static_cast<utf8proc_int32_t>(character)), 0);
        if (columns > 0 || glyphs.empty()) glyphs.push_back({at, static_cast<std::size_t>(columns)});
        at += std::max<std::size_t>(length, 1);
    }
    return glyphs;
}

}  // namespace

bool is_deceptive(char32_t character) {
    if (character < 0x7f) return character < ' ';
    if (character == U'\u200c' || character == U'\u200d') return false;  // joiners: some scripts need them
    switch (utf8proc_category(static_cast<utf8proc_int32_t>(character))) {
        case UTF8PROC_CATEGORY_CC:
        case UTF8PROC_CATEGORY_CF:
        case UTF8PROC_CATEGORY_ZL:
        case UTF8PROC_CATEGORY_ZP:
            return true;
        default:
            return false;
    }
}

std::string display_name(std::string_view bytes) {
    if (bytes.size() <= longest_name && is_printable_ascii(bytes)) return std::string(bytes);
    auto utf8 = to_utf8(bytes);
    if (utf8.size() > longest_name) utf8 = without_middle(utf8);
    return make_visible(utf8, [](std::string& text) { text += "\\t"; });
}

std::string visible_name(std::string_view bytes) {
    if (is_printable_ascii(bytes)) return std::string(bytes);
    return make_visible(to_utf8(bytes), [](std::string& text) { text += "\\t"; });
}

std::string display_line(std::string_view bytes) {
    if (is_printable_ascii(bytes)) return std::string(bytes);
    return make_visible(to_utf8(bytes),
                        [](std::string& text) { text.append(8 - display_width(text) % 8, ' '); });
}

std::size_t display_width(std::string_view text) {
    std::size_t width = 0;
    while (!text.empty()) {
        if (text.size() >= 8 && (eight_bytes(text) & in_each_byte * 0x80) == 0) {
            width += 8;
            text.remove_prefix(8);
            continue;
        }
        if (static_cast<unsigned char>(text.front()) < 0x80) {
            ++width;
            text.remove_prefix(1);
            continue;
        }
        const auto [character, length] = front_character(text);
        const auto columns = utf8proc_charwidth(static_cast<utf8proc_int32_t>(character));
        width += static_cast<std::size_t>(std::max(columns, 0));
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return width;
}

std::string shorten(std::string_view text, std::size_t width, const Style& style) {
    if (text.size() <= width || display_width(text) <= width) return std::string(text);
    const auto mark = style.ellipsis();
    const auto mark_width = display_width(mark);
    if (width <= mark_width) return std::string(style.unicode ? mark : mark.substr(0, width));

    const auto glyphs = split_into_glyphs(text);
    const auto room = width - mark_width;
    std::size_t used = 0;
    std::size_t head = 0;
    for (; head < glyphs.size() && used + glyphs[head].width <= room - room / 2; ++head)
        used += glyphs[head].width;
    auto tail = glyphs.size();
    for (; tail > head && used + glyphs[tail - 1].width <= room; --tail) used += glyphs[tail - 1].width;

    std::string shortened(text.substr(0, glyphs[head].begin));
    shortened += mark;
    if (tail < glyphs.size()) shortened += text.substr(glyphs[tail].begin);
    return shortened;
}

std::string cut_end(std::string_view text, std::size_t width, const Style& style) {
    if (text.size() <= width || display_width(text) <= width) return std::string(text);
    const auto mark = style.ellipsis();
    const auto mark_width = std::min(display_width(mark), width);
    const auto glyphs = split_into_glyphs(text);
    std::size_t used = 0;
    std::size_t kept = 0;
    for (; kept < glyphs.size() && used + glyphs[kept].width <= width - mark_width; ++kept)
        used += glyphs[kept].width;
    std::string cut(text.substr(0, glyphs[kept].begin));
    return cut += width == 0 ? "" : style.unicode ? mark : mark.substr(0, mark_width);
}

std::string wrapped(std::string_view text, std::size_t indent, const Style& style, std::size_t before) {
    std::string lines;
    auto column = indent + before;
    while (!text.empty()) {
        const auto word = text.substr(0, text.find(' '));
        text.remove_prefix(std::min(word.size() + 1, text.size()));
        const auto width = display_width(word);
        if (!lines.empty()) {
            if (style.width > 0 && column + 1 + width > style.width) {
                lines.append(1, '\n').append(indent, ' ');
                column = indent;
            } else {
                lines += ' ';
                ++column;
            }
        }
        lines += word;
        column += width;
    }
    return lines;
}

}  // namespace callcost::engine
