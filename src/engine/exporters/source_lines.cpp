#include "exporters/source_lines.hpp"

#include <algorithm>
#include <tuple>

#include "text/profile_facts.hpp"

namespace callcost::engine {
namespace {

bool is_nothing(std::span<const Cost> costs) {
    return std::all_of(costs.begin(), costs.end(), [](Cost cost) { return cost == 0; });
}

}  // namespace

std::span<const LinesOfFunction::Share> LinesOfFunction::take(std::span<const Cost> costs,
                                                              bool in_proportion) {
    const auto measures = costs.size();
    std::vector<Cost> rest(costs.begin(), costs.end());
    taken_.clear();
    for (std::size_t m = 0; m < measures; ++m) {
        auto& wanted = rest[m];
        const auto take_from = [&](std::size_t row, Cost cost) {
            auto& left = left_[row * measures + m];
            cost = std::min({cost, left, wanted});
            if (cost <= 0) return;
            left -= cost;
            wanted -= cost;
            taken_.push_back({row, m, cost});
        };
        if (in_proportion && wanted > 0) {
            double all = 0;
            for (auto row = first_[m]; row < lines_.size(); ++row)
                all += static_cast<double>(left_[row * measures + m]);
            const double share = all > 0 ? std::min(static_cast<double>(wanted) / all, 1.0) : 0;
            for (auto row = first_[m]; row < lines_.size(); ++row) {
                const Cost left = left_[row * measures + m];
                take_from(row, share >= 1
                                   ? left
                                   : Cost(static_cast<std::int64_t>(share * static_cast<double>(left))));
            }
        }
        for (auto& row = first_[m]; wanted > 0 && row < lines_.size(); ++row) {  // what rounding down left
            take_from(row, wanted);
            if (left_[row * measures + m] > 0) break;
        }
    }
    std::sort(taken_.begin(), taken_.end(), [](const Taken& a, const Taken& b) { return a.row < b.row; });
    shares_.clear();
    taken_costs_.clear();
    for (std::size_t i = 0; i < taken_.size(); ++i) {
        if (i == 0 || taken_[i].row != taken_[i - 1].row) {
            shares_.push_back({lines_[taken_[i].row], {}});
            taken_costs_.resize(taken_costs_.size() + measures, 0);
        }
        taken_costs_[taken_costs_.size() - measures + taken_[i].measure] += taken_[i].cost;
    }
    if (!is_nothing(rest)) {
        shares_.push_back({{.function = function_, .line = 0}, {}});
        taken_costs_.insert(taken_costs_.end(), rest.begin(), rest.end());
    }
    for (std::size_t i = 0; i < shares_.size(); ++i)
        shares_[i].costs = std::span(taken_costs_).subspan(i * measures, measures);
    return shares_;
}

SourceLines::SourceLines(const CallGraph& graph, std::span<const Measure> measures, FunctionTable& functions)
    : graph_(graph), functions_(functions), measures_(measures.size()), places_(graph, measures) {
    nodes_.resize(functions.rows().size());
    for (std::size_t node = 0; node < graph.size(); ++node)
        if (const auto row = functions.find(NodeId(node))) nodes_[*row].push_back(NodeId(node));
    calls_.resize(nodes_.size());
    for (std::uint32_t caller = 0; caller < nodes_.size(); ++caller) add_calls(caller);
}

SourceLine SourceLines::line_of(std::uint32_t function, const PlaceRow& place) {
    return {functions_.row_in(function, graph_.profile().name(place.file)), place.line};
}

void SourceLines::add_calls(std::uint32_t caller) {
    using Call = std::tuple<std::uint32_t, SourceLine, Cost>;  // callee, where, first measure
    std::vector<Call> calls;
    for (const NodeId node : nodes_[caller])
        for (const auto& call : places_.of(node, PlaceRows::Kind::calls))
            if (const auto callee = functions_.find(call.callee))
                calls.emplace_back(*callee, line_of(caller, call), call.costs[0]);
    const auto place_of = [](const Call& call) { return std::tie(std::get<0>(call), std::get<1>(call)); };
    std::sort(calls.begin(), calls.end(),
              [&](const Call& a, const Call& b) { return place_of(a) < place_of(b); });
    auto& found = calls_[caller];
    Cost most = 0;
    for (std::size_t i = 0; i < calls.size();) {
        const auto& [callee, line, first_cost] = calls[i];
        Cost cost = 0;
        const auto place = place_of(calls[i]);
        for (; i < calls.size() && place_of(calls[i]) == place; ++i) cost += std::get<2>(calls[i]);
        if (found.empty() || found.back().first != callee) {
            found.emplace_back(callee, line);
        } else if (cost > most) {
            found.back().second = line;
        } else {
            continue;
        }
        most = cost;
    }
    // call_line knows without it where nothing is known.
    std::erase_if(found, [&](const auto& call) { return call.second == SourceLine{caller, 0}; });
    found.shrink_to_fit();
}

LinesOfFunction SourceLines::lines_of(std::uint32_t function) {
    std::vector<std::pair<SourceLine, std::size_t>> rows;  // the line, and where in `costs` its costs are
    std::vector<Cost> costs;
    if (function < nodes_.size()) {
        for (const NodeId node : nodes_[function]) {
            const auto places = places_.of(node, PlaceRows::Kind::lines);
            for (std::size_t i = 0; i < places.size(); ++i) {
                const auto& place = places[i];
                // Instructions of a line are behind each other.
                if (i == 0 || place.file != places[i - 1].file || place.line != places[i - 1].line) {
                    rows.emplace_back(line_of(function, place), costs.size());
                    costs.resize(costs.size() + measures_, 0);
                }
                for (std::size_t m = 0; m < measures_; ++m)
                    costs[costs.size() - measures_ + m] += place.costs[m];
            }
        }
    }
    std::sort(rows.begin(), rows.end());
    std::size_t distinct = 0;
    for (const auto& [line, at] : rows) {
        if (distinct > 0 && rows[distinct - 1].first == line) {
            const auto sum = rows[distinct - 1].second;
            for (std::size_t m = 0; m < measures_; ++m) costs[sum + m] += costs[at + m];
        } else {
            rows[distinct++] = {line, at};
        }
    }
    rows.resize(distinct);
    for (auto& cost : costs) cost = std::max<Cost>(cost, 0);
    const auto costs_of = [&](std::size_t at) { return std::span(costs).subspan(at, measures_); };
    std::erase_if(rows, [&](const auto& row) { return is_nothing(costs_of(row.second)); });
    std::stable_sort(rows.begin(), rows.end(),
                     [&](const auto& a, const auto& b) { return costs[a.second] > costs[b.second]; });
    LinesOfFunction lines;
    lines.function_ = function;
    lines.first_.resize(measures_, 0);
    for (const auto& [line, at] : rows) {
        lines.lines_.push_back(line);
        lines.left_.insert(lines.left_.end(), costs.data() + at, costs.data() + at + measures_);
    }
    return lines;
}

SourceLine SourceLines::call_line(std::uint32_t caller, std::uint32_t callee) const {
    const SourceLine unknown{.function = caller, .line = 0};
    if (caller >= calls_.size()) return unknown;
    const auto& calls = calls_[caller];
    const auto found = std::lower_bound(calls.begin(), calls.end(), callee,
                                        [](const auto& call, std::uint32_t row) { return call.first < row; });
    return found == calls.end() || found->first != callee ? unknown : found->second;
}

}  // namespace callcost::engine
