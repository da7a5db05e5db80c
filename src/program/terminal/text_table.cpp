#include "terminal/text_table.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "names/short_names.hpp"
#include "text/names.hpp"

namespace callcost::program {
namespace {

constexpr std::size_t gap = 2;  // blanks between columns
constexpr std::size_t min_width =
    12;  // of the last column, however narrow the terminal; and of a shortened detail

std::string painted(const Cell& cell, std::string_view text, std::string_view detail,
                    const engine::Style& style) {
    const auto context = cell.text == text ? cell.name_begin + cell.name_size : text.size();
    auto shown = paint(text.substr(0, context), cell.tone, style);
    if (context < text.size()) {
        shown += paint(text.substr(context, cell.context_size), engine::Tone::dim, style);
        shown += paint(text.substr(context + cell.context_size), cell.tone, style);
    }
    auto line = link(shown, cell.url, style);
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

std::string_view take_text(std::string_view& packed) {
    const auto size = take_number(packed);
    const auto text = packed.substr(0, size);
    packed.remove_prefix(size);
    return text;
}

/// The row is one that was taken before, so that its memory is used again.
void take_row(std::string_view& packed, std::vector<Cell>& row) {
    row.resize(take_number(packed), "");
    for (auto& cell : row) {
        const auto tone_and_kind = take_number(packed);
        cell.tone = static_cast<engine::Tone>(tone_and_kind / 2);
        cell.is_prose = tone_and_kind % 2 != 0;
        cell.text = take_text(packed);
        cell.url = take_text(packed);
        cell.name_begin = take_number(packed);
        cell.name_size = take_number(packed);
        cell.context_size = take_number(packed);
        cell.details.resize(take_number(packed));
        for (auto& detail : cell.details) detail = take_text(packed);
    }
}

std::string_view name_of(const Cell& cell) {
    return std::string_view(cell.text).substr(cell.name_begin, cell.name_size);
}
std::size_t width_around_name(const Cell& cell) {
    return engine::display_width(cell.text) - engine::display_width(name_of(cell));
}

/// How many the name may have, if it has to be shortened; else 0.
std::size_t room_for_name(const Cell& cell, std::size_t width) {
    if (cell.name_size == 0 || width == 0) return 0;
    const auto around = width_around_name(cell);
    return engine::display_width(cell.text) <= width || width < around + min_width ? 0 : width - around;
}
void set_name(Cell& cell, const std::string& name) {
    cell.text.replace(cell.name_begin, cell.name_size, name);
    cell.name_size = name.size();
}

/// The longest detail behind a text of that width.
std::string detail_behind(const Cell& cell, std::size_t text_width, std::size_t width,
                          const engine::Style& style) {
    if (cell.details.empty()) return {};
    if (width == 0) return cell.details.front();
    for (const auto& detail : cell.details)
        if (text_width + gap + engine::display_width(detail) <= width) return detail;
    return text_width + gap + min_width <= width
               ? shorten(cell.details.back(), width - text_width - gap, style)
               : std::string();
}

/// With a name that has been shortened.
std::string fit_text(const Cell& cell, std::size_t width, const engine::Style& style) {
    const auto text = width == 0      ? cell.text
                      : cell.is_prose ? cut_end(cell.text, width, style)
                                      : shorten(cell.text, width, style);
    return painted(cell, text, detail_behind(cell, engine::display_width(text), width, style), style);
}

}  // namespace

Cell::Cell(std::string words, engine::Tone meaning, std::vector<std::string> additions)
    : text(std::move(words)), tone(meaning), details(std::move(additions)) {
    std::erase(details, std::string());
}
Cell::Cell(const NameText& text_around_name, engine::Tone meaning, std::vector<std::string> additions)
    : Cell(
          text_around_name.before + text_around_name.name + text_around_name.context + text_around_name.after,
          meaning, std::move(additions)) {
    name_begin = text_around_name.before.size();
    name_size = text_around_name.name.size();
    context_size = text_around_name.context.size();
}

std::string fit(const Cell& cell, std::size_t width, const engine::Style& style) {
    const auto room = room_for_name(cell, width);
    if (room == 0) return fit_text(cell, width, style);
    Cell shorter = cell;
    set_name(shorter, engine::short_name(name_of(cell), room, style));
    return fit_text(shorter, width, style);
}

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {
    widths_.resize(columns_.size() - (columns_.back().align == Align::left ? 1 : 0));
    for (std::size_t i = 0; i < widths_.size(); ++i) widths_[i] = engine::display_width(columns_[i].title);
}

void Table::add_row(const std::vector<Cell>& row) {
    constexpr std::size_t enough = std::size_t{64} * 1024;
    if (rows_.empty() || rows_.back().size() >= enough) rows_.emplace_back();
    auto& packed = rows_.back();
    pack(packed, row.size());
    for (std::size_t i = 0; i < row.size(); ++i) {
        const Cell& cell = row[i];
        if (i < widths_.size()) widths_[i] = std::max(widths_[i], engine::display_width(cell.text));
        pack(packed, 2 * static_cast<std::size_t>(cell.tone) + (cell.is_prose ? 1 : 0));
        pack(packed, cell.text);
        pack(packed, cell.url);
        pack(packed, cell.name_begin);
        pack(packed, cell.name_size);
        pack(packed, cell.context_size);
        pack(packed, cell.details.size());
        for (const auto& detail : cell.details) pack(packed, detail);
    }
}

std::deque<std::string> Table::short_last_names(std::size_t width, const engine::Style& style) const {
    if (width == 0) return {};
    std::deque<std::string> names;
    std::vector<engine::NameToShorten> rooms;
    std::vector<Cell> row;
    for (const auto& rows : rows_) {
        for (std::string_view packed = rows; !packed.empty();) {
            take_row(packed, row);
            if (row.size() < columns_.size()) continue;
            const auto room = room_for_name(row.back(), width);
            if (room == 0) continue;
            names.emplace_back(name_of(row.back()));
            rooms.push_back({names.back(), room});
        }
    }
    auto shorts = engine::short_names(rooms, style);
    return {std::make_move_iterator(shorts.begin()), std::make_move_iterator(shorts.end())};
}

void Table::write(std::string& out, const engine::Style& style, std::size_t indent,
                  const std::function<void()>& after_row) const {
    const auto last = columns_.size() - 1;
    const auto padded = widths_.size();
    auto last_width = std::size_t{0};
    if (style.width > 0) {
        auto taken = indent;
        for (std::size_t i = 0; i < last; ++i) taken += widths_[i] + gap;
        last_width = std::max(style.width - std::min(style.width, taken), min_width);
    }

    auto short_names = short_last_names(last_width, style);
    std::vector<Cell> row;
    const auto write_row = [&] {
        if (row.size() == columns_.size() && room_for_name(row.back(), last_width) > 0) {
            set_name(row.back(), short_names.front());
            short_names.pop_front();
        }
        auto pending = indent;  // blanks are written only before text, so that no line ends in them
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (i == padded) {
                if (row[i].text.empty() && row[i].details.empty()) break;
                out.append(pending, ' ').append(fit_text(row[i], last_width, style));
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
        for (const auto& column : columns_)
            row.emplace_back(column.title, engine::Tone::heading, column.details);
        write_row();
    }
    for (const auto& rows : rows_) {
        for (std::string_view packed = rows; !packed.empty();) {
            take_row(packed, row);
            write_row();
            if (after_row) after_row();
        }
    }
}

}  // namespace callcost::program
