/// A full screen as lines of text with their meanings, whatever shows it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/style.hpp"

namespace callcost::program {

struct ScreenText {
    std::string text;
    engine::Tone tone = engine::Tone::plain;
};

struct ScreenLine {
    enum class Ground : std::uint8_t { plain, bar, selected };
    std::vector<ScreenText> texts{};
    Ground ground = Ground::plain;

    void add(std::string text, engine::Tone tone = engine::Tone::plain) {
        texts.push_back({std::move(text), tone});
    }
    [[nodiscard]] std::size_t width() const;  ///< columns
    [[nodiscard]] std::string text() const;   ///< all of it
    /// Makes control characters visible, whatever the text is from, and cuts what is wider.
    void fit(std::size_t columns, const engine::Style& style);
};

struct ScreenSize {
    std::size_t rows = 0, columns = 0;
};

struct Screen {
    std::vector<ScreenLine> lines{};      ///< as many as it has rows, none wider than it
    std::optional<std::size_t> cursor{};  ///< its column, in the last line; none: it is hidden
};

}  // namespace callcost::program
