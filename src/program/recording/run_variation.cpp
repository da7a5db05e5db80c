#include "recording/run_variation.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "terminal/text_table.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"

namespace callcost::program {

void RunVariation::Range::add(Cost cost) {
    least = runs == 0 ? cost : std::min(least, cost);
    most = runs == 0 ? cost : std::max(most, cost);
    ++runs;
}

void RunVariation::add(const CallGraph& graph, const Measure& measure) {
    event_ = measure.name;
    unit_ = measure.unit;
    total_.add(graph.total(measure));
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const NodeId node(i);
        const auto names = names_of(graph, node);
        functions_[{std::string(names.name), std::string(names.object), std::string(names.file)}].add(
            graph.self(node, measure));
    }
}

std::vector<RunVariation::Row> RunVariation::rows() const {
    std::vector<Row> rows;
    for (const auto& [names, range] : functions_) {
        const bool is_missing = range.runs < total_.runs;  // from a run: it cost nothing there
        const Row row{std::get<0>(names), std::get<1>(names),
                      is_missing ? std::min(range.least, Cost{0}) : range.least,
                      is_missing ? std::max(range.most, Cost{0}) : range.most};
        if (row.least != row.most) rows.push_back(row);
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const Row& a, const Row& b) { return a.range() > b.range(); });
    return rows;
}

void RunVariation::write(std::string& out, const engine::Style& style) const {
    constexpr std::size_t max_rows = 10;
    const auto varying = rows();
    const auto functions = engine::counted(functions_.size(), "function", style);
    if (varying.empty()) {
        out += fmt::format("Deterministic: the self cost ({}) of {} is the same in {} runs.\n",
                           engine::display_name(event_), functions, total_.runs);
        return;
    }
    out += fmt::format(
        "Not deterministic: {} of {}, by their self cost ({}) in {} runs; the total varies by {}.\n",
        engine::count(varying.size(), style), functions, engine::display_name(event_), total_.runs,
        engine::cost(total_.most - total_.least, unit_, style));
    Table table({{"range", Align::right}, {"least", Align::right}, {"most", Align::right}, {"function"}});
    for (std::size_t i = 0; i < std::min(max_rows, varying.size()); ++i) {
        const auto& row = varying[i];
        const auto object = engine::display_name(row.object.substr(row.object.rfind('/') + 1));
        table.add_row({engine::cost(row.range(), unit_, style), engine::cost(row.least, unit_, style),
                       engine::cost(row.most, unit_, style),
                       Cell(NameText{.name = engine::display_name(row.name)}, engine::Tone::plain,
                            {fmt::format("  [{}]", object)})});
    }
    table.write(out, style);
    if (varying.size() > max_rows)
        out += fmt::format("({})\n", engine::counted(varying.size() - max_rows, "more function", style));
}

}  // namespace callcost::program
