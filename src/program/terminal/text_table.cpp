#include "terminal/text_table.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

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

// Numbers are in groups of 7 bits, the lowest first; all but the last have the highest bit set. A text is its
// length and its bytes.
void pack(std::string& packed, std::size_t number) {
    for (; number >= 0x80; number >>= 7U) packed += static_cast<char>(0x80U | (number & 0x7FU));
    packed += static_cast<char>(number);
}

void pack(std::string& packed, std::string_view text) {
    pack(packed, text.size());
    packed += text;
}

std::size_t take_number(std::string_view& packed) {
    std::size_t number = 0;
    for (unsigned shift = 0;; shift += 7) {
        const auto byte = static_cast<unsigned char>(packed.front());
        packed.remove_prefix(1);
        number |= static_cast<std::size_t>(byte & 0x7FU) << shift;
        if (byte < 0x80) return number;
    }
}

std::string take_text(std::string_view& packed) {
    const auto size = take_number(packed);
    std::string text(packed.substr(0, size));
    packed.remove_prefix(size);
    return text;
}

std::vector<Cell> take_row(std::string_view& packed) {
    std::vector<Cell> row;
    for (auto cells = take_number(packed); cells > 0; --cells) {
        const auto tone = static_cast<engine::Tone>(take_number(packed));
        auto text = take_text(packed), url = take_text(packed);
        std::vector<std::string> details(take_number(packed));
        for (auto& detail : details) detail = take_text(packed);
        row.emplace_back(std::move(text), tone, std::move(details)).url = std::move(url);
    }
    return row;
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

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {
    widths_.resize(columns_.size() - (columns_.back().align == Align::left ? 1 : 0));
    for (std::size_t i = 0; i < widths_.size(); ++i) widths_[i] = engine::display_width(columns_[i].title);
}

void Table::add_row(const std::vector<Cell>& row) {
    pack(rows_, row.size());
    for (std::size_t i = 0; i < row.size(); ++i) {
        const Cell& cell = row[i];
        if (i < widths_.size()) widths_[i] = std::max(widths_[i], engine::display_width(cell.text));
        pack(rows_, static_cast<std::size_t>(cell.tone));
        pack(rows_, cell.text);
        pack(rows_, cell.url);
        pack(rows_, cell.details.size());
        for (const auto& detail : cell.details) pack(rows_, detail);
    }
}

void Table::write(std::string& out, const engine::Style& style, std::size_t indent) const {
    const auto last = columns_.size() - 1;
    const auto padded = widths_.size();
    out.reserve(out.size() + 2 * rows_.size());  // what is more than enough takes no memory
    auto last_width = std::size_t{0};
    if (style.width > 0) {
        auto taken = indent;
        for (std::size_t i = 0; i < last; ++i) taken += widths_[i] + gap;
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
            const auto blanks = widths_[i] - std::min(widths_[i], width);
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
    for (std::string_view packed = rows_; !packed.empty();) write_row(take_row(packed));
}

}  // namespace callcost::program
