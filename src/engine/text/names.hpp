/// Names as people and programs may see them. A profile's names are bytes of any kind: these functions make
/// them valid UTF-8, harmless on a terminal, and as short as a column.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "text/style.hpp"
#include "text/utf8.hpp"

namespace callcost::engine {

/// As to_utf8, with control characters, escape sequences and changes of the writing direction made visible
/// (`\n`,
/// `\x1b`, `\u202e`). Names beyond 16 KiB lose their middle, with a word about how much.
[[nodiscard]] std::string display_name(std::string_view bytes);

/// The same at any length, for programs.
[[nodiscard]] std::string visible_name(std::string_view bytes);

/// The same for text that may go over several lines, such as program source: tabs become blanks up to the
/// next of every eight columns.
[[nodiscard]] std::string display_line(std::string_view bytes);

/// True for characters that a terminal or a reader of text could be deceived with: controls, direction marks,
/// line separators, invisible format characters.
[[nodiscard]] bool is_deceptive(char32_t character);

/// Columns that valid UTF-8 takes on a terminal.
[[nodiscard]] std::size_t display_width(std::string_view text);

/// At most `width` columns of valid UTF-8, by leaving out its middle: both ends of a C++ name or path tell
/// more than its middle does.
[[nodiscard]] std::string shorten(std::string_view text, std::size_t width, const Style& style);

/// The same by leaving out its end, as for program source.
[[nodiscard]] std::string cut_end(std::string_view text, std::size_t width, const Style& style);

/// Prose broken between words so that it fits the device. All of its lines stand at column `indent`; the
/// first one's blanks are the caller's, who may also put a word of `before` columns there.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t indent, const Style& style,
                                  std::size_t before = 10);

}  // namespace callcost::engine
