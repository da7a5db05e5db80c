#include "terminal/text_table.hpp"

#include <algorithm>

#include "text/names.hpp"

namespace callcost::program {
namespace {

constexpr std::size_t gap = 2;  // blanks between columns
constexpr std::size_t least_width =
    12;  // of the last column, however narrow the terminal; and of a shortened detail

std::string painted(const Cell& cell, std::string_view text, std::string_view detail,
                    const engine::Style& style) {
    auto line = link(paint(text, cell.tone, style), cell.url, style);
    if (!detail.empty()) line.append(gap, ' ').append(paint(detail, engine::Tone::dim, style));
    return line;
}

}  // namespace

Cell::Cell(std::string words, engine::Tone meaning, std::vector<std::string> additions)
    : text(std::move(words)), tone(meaning), details(std::move(additions)) {
    std::erase(details, std::string());
}

std::string fit(const Cell& cell, std::size_t width, const engine::Style& style) {
    if (cell.details.empty()) {
        return painted(cell, width == 0 ? cell.text : shorten(cell.text, width, style), {}, style);
    }
    if (width == 0) return painted(cell, cell.text, cell.details.front(), style);
    const auto text_width = engine::display_width(cell.text);
    for (const auto& detail : cell.details) {
        if (text_width + gap + engine::display_width(detail) <= width)
            return painted(cell, cell.text, detail, style);
    }
    // A text that is shortened anyway makes room for a short detail.
    const auto& shortest = cell.details.back();
    if (const auto taken = engine::display_width(shortest) + gap; text_width > width && taken <= width / 3) {
        return painted(cell, shorten(cell.text, width - taken, style), shortest, style);
    }
    if (text_width + gap + least_width <= width) {
        return painted(cell, cell.text, shorten(shortest, width - text_width - gap, style), style);
    }
    return painted(cell, shorten(cell.text, width, style), {}, style);
}

void Table::write(std::string& out, const engine::Style& style, std::size_t indent) const {
    const auto last = columns_.size() - 1;
    const auto padded = last + (columns_[last].align == Align::right ? 1 : 0);
    std::vector<std::size_t> widths(columns_.size());
    for (std::size_t i = 0; i < padded; ++i) {
        widths[i] = engine::display_width(columns_[i].title);
        for (const auto& row : rows_) {
            if (i < row.size()) widths[i] = std::max(widths[i], engine::display_width(row[i].text));
        }
    }
    auto last_width = std::size_t{0};
    if (style.width > 0) {
        auto taken = indent;
        for (std::size_t i = 0; i < last; ++i) taken += widths[i] + gap;
        last_width = std::max(style.width - std::min(style.width, taken), least_width);
    }

    const auto write_row = [&](const std::vector<Cell>& row) {
        auto pending = indent;  // blanks are written only before text, so that no line ends in them
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (i == padded) {
                if (row[i].text.empty() && row[i].details.empty()) break;
                out.append(pending, ' ').append(fit(row[i], last_width, style));
                break;
            }
            const auto width = engine::display_width(row[i].text);
            const auto blanks = widths[i] - std::min(widths[i], width);
            if (columns_[i].align == Align::right) pending += blanks;
            if (!row[i].text.empty()) {
                out.append(pending, ' ').append(paint(row[i].text, row[i].tone, style));
                pending = 0;
            } else {
                pending += width;
            }
            if (columns_[i].align == Align::left) pending += blanks;
            pending += gap;
        }
        out += '\n';
    };

    if (std::any_of(columns_.begin(), columns_.end(),
                    [](const Column& column) { return !column.title.empty(); })) {
        std::vector<Cell> titles;
        for (const auto& column : columns_) titles.emplace_back(column.title, engine::Tone::heading);
        write_row(titles);
    }
    for (const auto& row : rows_) write_row(row);
}

}  // namespace callcost::program
