/// Appearance of a report on its device. Colors are chosen by meaning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace callcost::engine {

/// What the device can show. The default is what a pipe gets: plain, complete, the same everywhere.
struct Style {
    bool color = false;
    bool unicode = false;     ///< other characters than ASCII in our own texts; names keep theirs
    bool links = false;       ///< hyperlinks by OSC 8
    bool separators = false;  ///< 1,964,552 instead of 1964552
    bool units = false;       ///< 3.88 ms instead of 3880 where the unit is us
    std::size_t width = 0;    ///< columns; 0: as many as it takes
    bool shares = true;       ///< beside costs, what percentage of the total they are

    [[nodiscard]] std::string_view ellipsis() const { return unicode ? "\u2026" : "..."; }
};

/// The meaning of a piece of text.
enum class Tone : std::uint8_t { plain, heading, strong, dim, hot, good, note, warning, error };

/// The text between the escape sequences of its tone; the text alone if there is no color.
[[nodiscard]] std::string paint(std::string_view text, Tone tone, const Style& style);

/// The text as a link to `url`; the text alone if that is empty or there are no links.
[[nodiscard]] std::string link(std::string_view text, std::string_view url, const Style& style);
/// `file://HOST/PATH`, with whatever is no plain letter or digit as numbers.
[[nodiscard]] std::string file_url(std::string_view host, std::string_view absolute_path);

}  // namespace callcost::engine
