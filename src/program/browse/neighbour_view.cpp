#include "browse/neighbour_view.hpp"

#include <utility>

#include "browse/change_view.hpp"
#include "reports/function_list.hpp"
#include "reports/neighbour_list.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"

namespace callcost::program {

NeighbourView::NeighbourView(const BrowsedProfile& profile, engine::FunctionAt function)
    : profile_(profile),
      function_(function),
      callers_(profile.view(), function, engine::End::caller),
      callees_(profile.view(), function, engine::End::callee),
      has_costs_(profile.side_of(function).has_inclusive(profile.side_of(function).measure)) {
    const auto& side = profile.side_of(function);
    const auto& graph = side.graph();
    for (const auto& caller : callers_.all()) rows_.push_back({&caller, &callers_, nullptr, 0});
    if (has_costs_ && !graph.cycle(function.node).valid()) {
        const auto rest = conservation(graph, function.node, side.measure).imbalance();
        if (rest > 0) add_rest(rest, "  <- (no recorded caller)");
    }
    itself_ = rows_.size();
    rows_.emplace_back();
    rows_.push_back({nullptr, nullptr, "  its self cost", graph.self(function.node, side.measure)});
    for (const auto& callee : callees_.all()) rows_.push_back({&callee, &callees_, nullptr, 0});
    if (!has_costs_) return;
    add_rest(graph.unrecorded_callees(function.node, side.measure), "  -> (callees not recorded)");
    add_rest(graph.unattributed(function.node, side.measure), "  -> (unattributed)");
}

void NeighbourView::add_rest(Cost cost, const char* text) {
    if (cost != 0) rows_.push_back({nullptr, nullptr, text, cost});
}

std::vector<Column> NeighbourView::columns() const {
    std::vector<Column> columns = {{"inclusive", Align::right}};
    if (profile_.is_compared()) columns.push_back({"change", Align::right});
    columns.push_back({"calls", Align::right});
    columns.push_back({"function"});
    return columns;
}

std::vector<Cell> NeighbourView::row(std::size_t row) const {
    return row == itself_ ? row_of_itself() : row_of(rows_[row]);
}

std::vector<Cell> NeighbourView::row_of(const Row& row) const {
    const auto tone = row.text != nullptr ? engine::Tone::dim : engine::Tone::plain;
    std::vector<Cell> cells;
    if (row.neighbour == nullptr) {
        cells.emplace_back(profile_.figure(row.cost, true, function_.is_before), tone);
        if (profile_.is_compared()) cells.emplace_back("");
        cells.emplace_back("");
        cells.emplace_back(row.text, tone);
        return cells;
    }
    const auto cost = row.of->cost(*row.neighbour, 0);
    const bool has_share = !row.of->is_counted_again(*row.neighbour);
    cells.emplace_back(has_costs_ ? profile_.figure(function_.is_before ? cost.before : cost.after, has_share,
                                                    function_.is_before)
                                  : "");
    if (profile_.is_compared()) cells.push_back(change_cell(profile_, cost));
    const auto& arc = row.neighbour->arc;
    const bool is_inlined = arc.valid() && profile_.graph().inlined(arc);  // no calls
    cells.emplace_back(is_inlined ? ""
                                  : engine::calls(row.of->count(*row.neighbour).after, profile_.style()));
    cells.push_back(name_of(row));
    return cells;
}

Cell NeighbourView::name_of(const Row& row) const {
    const auto* const mark = row.of == &callers_ ? "<-" : "->";
    if (row.neighbour->arc.valid())
        return NeighbourNames(profile_.graph(), profile_.style()).neighbour(*row.neighbour, mark);
    const auto& other = row.neighbour->other;
    return {NameText{.before = std::string("  ") + mark + " ",
                     .name = engine::display_name(profile_.side_of(other).graph().name(other.node)),
                     .after = " (no more)"},
            engine::Tone::dim};
}

std::vector<Cell> NeighbourView::row_of_itself() const {
    const auto& side = profile_.side_of(function_);
    const auto& graph = side.graph();
    const auto strong = engine::Tone::strong;
    std::vector<Cell> cells;
    if (has_costs_) {
        const auto cost = side.inclusive_bounds(function_.node, side.measure);
        cells.emplace_back((cost.is_exact() ? "" : std::string(about)) +
                               profile_.figure(cost.estimate, true, function_.is_before),
                           strong);
    } else {
        cells.emplace_back("");
    }
    if (profile_.is_compared()) {
        const auto& compared = *profile_.view().compared;
        const auto& matches = function_.is_before ? compared.match_before : compared.match_after;
        const auto& match = compared.diff.function(matches[function_.node.value]);
        cells.push_back(change_cell(profile_, compared.diff.inclusive(match)));
    }
    cells.emplace_back(engine::calls(graph.call_count(function_.node), profile_.style()), strong);
    cells.emplace_back(NeighbourNames(graph, profile_.style()).function(function_.node), strong,
                       location_texts(graph, function_.node, profile_.style()));
    return cells;
}

FunctionNames NeighbourView::names(std::size_t row) const {
    const auto of = function(row).value_or(function_);
    return names_of(profile_.side_of(of).graph(), of.node);
}

std::optional<engine::FunctionAt> NeighbourView::function(std::size_t row) const {
    const auto* const neighbour = rows_[row].neighbour;
    return neighbour != nullptr ? neighbour->other : function_;
}

std::string NeighbourView::note() const { return "Enter goes to a caller or callee, Backspace back"; }

}  // namespace callcost::program
