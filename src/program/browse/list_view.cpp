#include "browse/list_view.hpp"

#include <algorithm>
#include <utility>

#include "text/names.hpp"

namespace callcost::program {
namespace {

constexpr std::size_t gap = 2;  // blanks between columns

/// The last cell as far as it fits: the text, and a detail in a quieter tone.
void add_last(ScreenLine& line, const Cell& cell, std::size_t room, const engine::Style& style) {
    const auto whole = room > 0 ? fit(cell, room, style) : std::string();
    auto bare = cell;
    bare.details.clear();
    const auto text = room > 0 ? fit(bare, room, style) : std::string();
    line.add(text, cell.tone);
    if (whole.size() > text.size()) line.add(whole.substr(text.size()), engine::Tone::dim);
}

}  // namespace

std::vector<ScreenLine> list_lines(const ListView& list, std::size_t first, std::size_t rows,
                                   std::size_t selected, std::size_t width, const engine::Style& style) {
    const auto columns = list.columns();
    std::vector<std::vector<Cell>> shown;
    std::vector<std::size_t> widths;
    widths.reserve(columns.size());
    for (const auto& column : columns) widths.push_back(engine::display_width(column.title));
    for (auto row = first; row < std::min(list.size(), first + rows); ++row) {
        shown.push_back(list.row(row));
        for (std::size_t i = 0; i < shown.back().size(); ++i)
            widths[i] = std::max(widths[i], engine::display_width(shown.back()[i].text));
    }
    std::vector<ScreenLine> lines;
    const auto add = [&](const std::vector<Cell>& cells, ScreenLine::Ground ground) {
        auto& line = lines.emplace_back();
        line.ground = ground;
        std::size_t used = 0;
        for (std::size_t i = 0; i + 1 < cells.size(); ++i) {
            const std::string missing(widths[i] - engine::display_width(cells[i].text), ' ');
            const bool is_right = columns[i].align == Align::right;
            line.add((is_right ? missing : "") + cells[i].text + (is_right ? "" : missing), cells[i].tone);
            line.add(std::string(gap, ' '));
            used += widths[i] + gap;
        }
        add_last(line, cells.back(), width - std::min(used, width), style);
    };
    std::vector<Cell> titles;
    titles.reserve(columns.size());
    for (const auto& column : columns) titles.emplace_back(column.title, engine::Tone::heading);
    add(titles, ScreenLine::Ground::plain);
    for (std::size_t i = 0; i < shown.size(); ++i)
        add(shown[i], first + i == selected ? ScreenLine::Ground::selected : ScreenLine::Ground::plain);
    return lines;
}

}  // namespace callcost::program
