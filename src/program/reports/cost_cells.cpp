#include "reports/cost_cells.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "reports/function_list.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"

namespace callcost::program {
namespace {

constexpr std::string_view column_gap = "  ";
constexpr std::size_t share_width = 7;

/// Blanks, so that the text ends where its column does.
std::string aligned_right(std::string_view text, std::size_t width) {
    return std::string(width - std::min(width, engine::display_width(text)), ' ').append(text);
}

}  // namespace

std::vector<Measure> LineMeasures::shown_measures() const {
    std::vector<Measure> measures;
    measures.reserve(shown.size());
    for (const auto i : shown) measures.push_back(all[i]);
    return measures;
}

CostCells::CostCells(const CallGraph& graph, const LineMeasures& measures, const engine::Style& style)
    : style_(style),
      measure_(measures.all.front()),
      has_titles_(shows_others(measure_, measures.shown_measures())) {
    for (const auto i : measures.shown) {
        const auto& measure = measures.all[i];
        columns_.push_back({&measure, i, percentage_base(graph, measure), measure.additive && style.shares});
        if (!has_titles_) continue;
        auto& width = columns_.back().width;
        width = std::max(width, engine::display_width(engine::display_name(measure.name)));
    }
}

void CostCells::make_room(const std::vector<Cost>& self) {
    for (auto& column : columns_)
        if (column.index < self.size())
            column.width = std::max(
                column.width, engine::display_width(cost(self[column.index], column.measure->unit, style_)));
}

void CostCells::make_room_for_call(Cost of) {
    for (auto& column : columns_)
        if (&column == column_of_calls())
            column.width = std::max(column.width, engine::display_width(cost(of, measure_.unit, style_)));
}

/// That of the measure they have their costs by, if it is shown.
const CostCells::Column* CostCells::column_of_calls() const {
    const auto found =
        std::find_if(columns_.begin(), columns_.end(), [](const Column& c) { return c.index == 0; });
    return found == columns_.end() ? nullptr : &*found;
}

std::size_t CostCells::width() const {
    std::size_t width = 0;
    for (const auto& column : columns_) {
        if (&column != &columns_.front()) width += column_gap.size();
        width += column.width + (column.has_shares ? share_width + 1 : 0);
    }
    return width;
}

std::string CostCells::cell(const Column& column, std::string_view cost_text, std::string_view share,
                            engine::Tone tone) const {
    auto text = (&column == &columns_.front() ? "" : std::string(column_gap)) +
                aligned_right(cost_text, column.width);
    if (column.has_shares) text += fmt::format(" {:>{}}", share, share_width);
    return paint(text, tone, style_);
}

std::string CostCells::of(const std::vector<Cost>& self) const {
    std::string text;
    for (const auto& column : columns_) {
        const auto here = self[column.index];
        const bool is_hot_here = column.measure->additive && is_hot(here, column.base);
        text += cell(column, here == 0 ? "." : cost(here, column.measure->unit, style_),
                     here != 0 && column.has_shares ? engine::percent(here, column.base) : "",
                     is_hot_here ? engine::Tone::hot : engine::Tone::plain);
    }
    return text;
}

std::string CostCells::of_nothing() const {
    std::string text;
    for (const auto& column : columns_) text += cell(column, ".", "", engine::Tone::dim);
    return text;
}

std::string CostCells::of_call(Cost of, bool is_counted_again) const {
    std::string text;
    for (const auto& column : columns_) {
        const bool has_cost = &column == column_of_calls();
        text +=
            cell(column, has_cost && measure_.additive ? cost(of, measure_.unit, style_) : "",
                 has_cost && column.has_shares && !is_counted_again ? engine::percent(of, column.base) : "",
                 engine::Tone::dim);
    }
    return text;
}

std::string CostCells::titles() const {
    if (!has_titles_) return {};
    std::string titles;
    std::string blanks;
    for (const auto& column : columns_) {
        if (&column != &columns_.front()) blanks += column_gap;
        titles += blanks + aligned_right(engine::display_name(column.measure->name), column.width);
        blanks = column.has_shares ? std::string(share_width + 1, ' ') : "";
    }
    return paint(titles, engine::Tone::heading, style_) + "\n";
}

std::string CostCells::call_cost_text(Cost of) const {
    if (column_of_calls() != nullptr || !measure_.additive) return {};
    return fmt::format(", {} {}", cost(of, measure_.unit, style_), engine::display_name(measure_.name));
}

std::string CostCells::sums(const std::vector<Cost>& self, std::string_view words) const {
    std::string text;
    for (const auto& column : columns_) {
        const auto sum = self[column.index];
        if (&column != &columns_.front()) text += '\n';
        text += fmt::format("  {} {} {}", cost(sum, column.measure->unit, style_),
                            engine::display_name(column.measure->name), words);
        if (column.has_shares) text += fmt::format(", {} of the total", engine::percent(sum, column.base));
    }
    return text;
}

}  // namespace callcost::program
