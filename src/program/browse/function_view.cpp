#include "browse/function_view.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "options/profile_options.hpp"
#include "reports/function_list.hpp"
#include "reports/neighbour_list.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"
#include "text/profile_facts.hpp"

namespace callcost::program {

namespace {

constexpr std::size_t first_rows = 1000, all_rows = std::numeric_limits<std::size_t>::max();

}  // namespace

FunctionView::FunctionView(const BrowsedProfile& profile, ListSettings& settings)
    : profile_(profile),
      settings_(settings),
      limit_(first_rows),
      has_inclusive_(engine::has_inclusive(profile.graph(), profile.measure())),
      has_calls_(engine::has_calls(profile.graph())) {
    list();
}

void FunctionView::list() {
    const auto& side = profile_.view().after;
    FunctionsOptions options;
    options.measure = side.measure;
    options.by = order();
    options.limit = limit_;
    if (side.filtered) side.filtered->apply(options, side.measure);
    list_ = functions(side.graph(), options);
}

bool FunctionView::has(SortBy by) const {
    return by == SortBy::inclusive ? has_inclusive_ : by != SortBy::called || has_calls_;
}

SortBy FunctionView::order() const { return has(settings_.sort) ? settings_.sort : SortBy::self; }

std::vector<Column> FunctionView::columns() const {
    const auto title = [&](const char* text, SortBy by) {
        return (by == order() ? "*" : "") + std::string(text);
    };
    std::vector<Column> columns = {{title("self", SortBy::self), Align::right}};
    if (has_inclusive_) columns.push_back({title("inclusive", SortBy::inclusive), Align::right});
    if (has_calls_) columns.push_back({title("called", SortBy::called), Align::right});
    columns.push_back({title("function", SortBy::name)});
    return columns;
}

BoundedCost FunctionView::inclusive(NodeId node) const {
    const auto& side = profile_.view().after;
    if (const auto* kept = side.kept(side.measure); kept != nullptr) {
        const auto& [estimate, least, most] = kept->inclusive;
        return {estimate[node.value], least[node.value], most[node.value]};
    }
    return side.inclusive_bounds(node, side.measure);
}

std::vector<Cell> FunctionView::row(std::size_t row) const {
    if (row == list_.rows.size()) return row_of_rest();
    const auto& of = list_.rows[row];
    const auto& graph = profile_.graph();
    const auto tone = is_hot(of.self, profile_.base()) ? engine::Tone::hot : engine::Tone::plain;
    std::vector<Cell> cells = {{profile_.figure(of.self), tone}};
    if (has_inclusive_) {
        const auto cost = inclusive(of.node);
        cells.emplace_back((cost.is_exact() ? "" : std::string(about)) + profile_.figure(of.inclusive));
    }
    if (has_calls_) cells.emplace_back(engine::calls(graph.call_count(of.node), profile_.style()));
    NeighbourNames names(graph, profile_.style());
    cells.emplace_back(names.function(of.node), engine::Tone::plain,
                       location_texts(graph, of.node, profile_.style()));
    return cells;
}

std::vector<Cell> FunctionView::row_of_rest() const {
    const auto dim = engine::Tone::dim;
    std::vector<Cell> cells = {{profile_.figure(list_.omitted_self), dim}};
    cells.resize(columns().size() - 1, "");
    cells.emplace_back(
        fmt::format("({})", engine::counted(list_.omitted_rows, "more function", profile_.style())), dim,
        std::vector<std::string>{limit_ == all_rows ? "they do not pass the filters" : "Enter lists them"});
    return cells;
}

bool FunctionView::list_all() {
    if (list_.omitted_rows == 0 || limit_ == all_rows) return false;
    limit_ = all_rows;
    list();
    return true;
}

FunctionNames FunctionView::names(std::size_t row) const {
    if (row == list_.rows.size()) return {};
    return names_of(profile_.graph(), list_.rows[row].node);
}

std::optional<engine::FunctionAt> FunctionView::function(std::size_t row) const {
    if (row == list_.rows.size()) return std::nullopt;
    return engine::FunctionAt{list_.rows[row].node, false};
}

std::string FunctionView::note() const {
    return list_.rows.empty() ? "no function has any cost, or passes the filters" : "";
}

bool FunctionView::press(const Key& key, std::size_t& row) {
    if (key.kind == Key::Kind::enter && row == list_.rows.size()) return list_all();
    if (key.kind != Key::Kind::character || key.character != U'o') return false;
    const auto* now = std::find_if(sort_keys.begin(), sort_keys.end(),
                                   [&](const auto& each) { return each.value == order(); });
    do {
        if (++now == sort_keys.end()) now = sort_keys.begin();
    } while (!has(now->value));
    settings_.sort = now->value;
    row = 0;
    list();
    return true;
}

}  // namespace callcost::program
