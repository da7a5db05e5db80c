#include "history_reports/line_chart.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "text/numbers.hpp"

namespace callcost::program {
namespace {

constexpr std::size_t height = 8;
constexpr std::size_t default_width = 80;

/// Of the value with this index, among so many places for `size` values.
std::size_t place_of(std::size_t index, std::size_t size, std::size_t places) {
    return size <= places ? index : index * places / size;
}

/// The least and the largest of the values that share a place; nothing where all are missing.
struct ChartColumn {
    std::optional<Cost> least, largest;
};

/// As many values share a place as it takes for `most` of them.
std::vector<ChartColumn> chart_columns(std::span<const std::optional<Cost>> values, std::size_t most) {
    std::vector<ChartColumn> columns(std::min(values.size(), most));
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!values[i]) continue;
        auto& column = columns[place_of(i, values.size(), columns.size())];
        column.least = std::min(column.least.value_or(*values[i]), *values[i]);
        column.largest = std::max(column.largest.value_or(*values[i]), *values[i]);
    }
    return columns;
}

}  // namespace

std::vector<std::optional<Cost>> thinned(std::span<const std::optional<Cost>> values, std::size_t most) {
    std::vector<std::optional<Cost>> line;
    for (const ChartColumn& column : chart_columns(values, most)) line.push_back(column.largest);
    return line;
}

void write_line_chart(std::string& out, std::span<const std::optional<Cost>> values,
                      std::span<const std::size_t> marks, const engine::Style& style) {
    std::optional<Cost> least, largest;
    for (const auto& value : values) {
        if (!value) continue;
        least = std::min(least.value_or(*value), *value);
        largest = std::max(largest.value_or(*value), *value);
    }
    if (!least) return;
    const auto top = engine::cost(*largest, style), bottom = engine::cost(*least, style);
    const auto margin = std::max(top.size(), bottom.size());
    const auto width = style.width == 0 ? default_width : style.width;
    const auto columns =
        chart_columns(values, std::max<std::size_t>(width - std::min(width, margin + 3), 10));
    const auto span = static_cast<double>(static_cast<std::uint64_t>(*largest - *least));
    const auto row_of = [&](Cost value) {
        const double share =
            span == 0 ? 0 : static_cast<double>(static_cast<std::uint64_t>(value - *least)) / span;
        return static_cast<std::size_t>(std::lround(share * static_cast<double>(height - 1)));
    };
    const auto* point = style.unicode ? "\u25cf" : "*";
    const auto* line = style.unicode ? "\u2502" : "|";
    const std::size_t rows = span == 0 ? 1 : height;
    for (std::size_t row = rows; row-- > 0;) {
        const auto& label = row + 1 == rows ? top : row == 0 ? bottom : std::string();
        out += fmt::format("{:>{}} {}", label, margin, line);
        std::size_t blanks = 1;
        for (const ChartColumn& column : columns) {
            const bool has_point =
                column.least && (row_of(*column.least) == row || row_of(*column.largest) == row);
            const bool is_between =
                column.least && row_of(*column.least) < row && row < row_of(*column.largest);
            if (!has_point && !is_between) {
                ++blanks;
                continue;
            }
            out.append(blanks, ' ');
            blanks = 0;
            out += has_point ? point : line;
        }
        out += '\n';
    }
    if (marks.empty()) return;
    std::vector<bool> marked(columns.size());
    for (const auto mark : marks) marked[place_of(mark, values.size(), columns.size())] = true;
    out.append(margin + 3, ' ');
    const auto last =
        static_cast<std::size_t>(std::find(marked.rbegin(), marked.rend(), true).base() - marked.begin());
    for (std::size_t i = 0; i < last; ++i) out += !marked[i] ? " " : style.unicode ? "\u25b2" : "^";
    out += '\n';
}

}  // namespace callcost::program
