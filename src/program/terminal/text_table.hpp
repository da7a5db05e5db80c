/// Rows of text under each other, measured in terminal columns. If a line is too long for the terminal, its
/// last column is shortened; on a pipe nothing is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "text/style.hpp"

namespace callcost::program {

enum class Align : std::uint8_t { left, right };

struct Column {
    std::string title;
    Align align = Align::left;
    std::vector<std::string> details{};  ///< as of a cell; follows the title in a quieter tone: what is true
                                         ///< of every row, for example
};

/// The name of a function, and what is written around it. A context (`context_text`) follows the name in a
/// quieter tone.
struct NameText {
    std::string before{}, name{}, context{}, after{};
};

/// A piece of a row. One of the details follows the text in a quieter tone: where a function is from, for
/// example. They say the same thing, the longest first.
struct Cell {
    std::string text;
    engine::Tone tone = engine::Tone::plain;
    std::vector<std::string> details;
    std::string url{};  ///< what the text is a link to
    /// Bytes of the text that are the name of a function, which is shortened by what it is made of.
    std::size_t name_begin = 0, name_size = 0, context_size = 0;
    bool is_prose = false;  ///< the beginning tells more than the end: what does not fit is cut there

    // NOLINTNEXTLINE(google-explicit-constructor)
    Cell(const NameText& text_around_name, engine::Tone meaning = engine::Tone::plain,
         std::vector<std::string> additions = {});
    // NOLINTNEXTLINE(google-explicit-constructor)
    Cell(std::string words, engine::Tone meaning = engine::Tone::plain,
         std::vector<std::string> additions = {});
    Cell(const char* words) : Cell(std::string(words)) {}  // NOLINT(google-explicit-constructor)
};

class Table {
  public:
    explicit Table(std::vector<Column> columns);

    /// One cell per column; missing ones are empty.
    void add_row(const std::vector<Cell>& row);
    [[nodiscard]] bool empty() const { return rows_.empty(); }

    /// Appends the lines, each ended by a newline and preceded by `indent` blanks. No title line if no column
    /// has a title. `after_row` may take away what has been appended.
    void write(std::string& out, const engine::Style& style, std::size_t indent = 0,
               const std::function<void()>& after_row = {}) const;

  private:
    /// Of those of the last column that need it, in the order of the rows.
    [[nodiscard]] std::deque<std::string> short_last_names(std::size_t width,
                                                           const engine::Style& style) const;

    std::vector<Column> columns_;
    std::vector<std::size_t> widths_;  // of the widest text in each column, but a last one that is not padded
    std::deque<std::string> rows_;     // packed, many in one: there may be millions
};

/// The text and the longest detail that fits into `width` columns (0: any number), painted. The text comes
/// first: details are omitted before it is shortened. The names of a table are shortened together, so that no
/// two of them look alike (names/short_names.hpp).
[[nodiscard]] std::string fit(const Cell& cell, std::size_t width, const engine::Style& style);

}  // namespace callcost::program
