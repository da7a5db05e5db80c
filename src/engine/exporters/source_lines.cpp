#include "exporters/source_lines.hpp"

#include <algorithm>
#include <map>

#include "text/profile_facts.hpp"

namespace callcost::engine {
namespace {

std::uint64_t call_key(std::uint32_t caller, std::uint32_t callee) {
    return std::uint64_t{caller} << 32U | callee;
}

bool is_nothing(std::span<const Cost> costs) {
    return std::all_of(costs.begin(), costs.end(), [](Cost cost) { return cost == 0; });
}

}  // namespace

std::vector<LinesOfFunction::Share> LinesOfFunction::take(std::span<const Cost> costs, bool in_proportion) {
    std::map<std::size_t, std::vector<Cost>> taken;  // by row of left_
    Share rest{{.function = function_, .line = 0}, {costs.begin(), costs.end()}};
    for (std::size_t m = 0; m < costs.size(); ++m) {
        auto& wanted = rest.costs[m];
        const auto take_from = [&](std::size_t row, Cost cost) {
            auto& left = left_[row].costs[m];
            cost = std::min({cost, left, wanted});
            if (cost <= 0) return;
            left -= cost;
            wanted -= cost;
            taken.try_emplace(row, costs.size(), 0).first->second[m] += cost;
        };
        if (in_proportion && wanted > 0) {
            double all = 0;
            for (auto row = first_[m]; row < left_.size(); ++row)
                all += static_cast<double>(left_[row].costs[m]);
            const double share = all > 0 ? std::min(static_cast<double>(wanted) / all, 1.0) : 0;
            for (auto row = first_[m]; row < left_.size(); ++row)
                take_from(row, share >= 1 ? left_[row].costs[m]
                                          : Cost(static_cast<std::int64_t>(
                                                share * static_cast<double>(left_[row].costs[m]))));
        }
        for (auto& row = first_[m]; wanted > 0 && row < left_.size(); ++row) {  // what rounding down left
            take_from(row, wanted);
            if (left_[row].costs[m] > 0) break;
        }
    }
    std::vector<Share> shares;
    shares.reserve(taken.size() + 1);
    for (auto& [row, sums] : taken) shares.push_back({left_[row].line, std::move(sums)});
    if (!is_nothing(rest.costs)) shares.push_back(std::move(rest));
    return shares;
}

SourceLines::SourceLines(const CallGraph& graph, std::span<const Measure> measures, FunctionTable& functions)
    : graph_(graph), functions_(functions), measures_(measures.size()), places_(graph, measures) {
    nodes_.resize(functions.rows().size());
    for (std::size_t node = 0; node < graph.size(); ++node)
        if (const auto row = functions.find(NodeId(node))) nodes_[*row].push_back(NodeId(node));
    for (std::uint32_t caller = 0; caller < nodes_.size(); ++caller) add_calls(caller);
}

SourceLine SourceLines::line_of(std::uint32_t function, const PlaceRow& place) {
    return {functions_.row_in(function, graph_.profile().name(place.file)), place.line};
}

void SourceLines::add_calls(std::uint32_t caller) {
    std::map<std::pair<std::uint32_t, SourceLine>, Cost> costs;
    for (const NodeId node : nodes_[caller]) {
        for (const auto& call : places_.of(node, PlaceRows::Kind::calls)) {
            const auto callee = functions_.find(call.callee);
            if (!callee) continue;
            auto& sum = costs[{*callee, line_of(caller, call)}];
            sum += call.costs[0];
        }
    }
    std::uint32_t known = FunctionTable::unknown;
    Cost most = 0;
    for (const auto& [key, cost] : costs) {
        const auto& [callee, line] = key;
        if (callee == known && cost <= most) continue;
        known = callee;
        most = cost;
        calls_[call_key(caller, callee)] = line;
    }
}

LinesOfFunction SourceLines::lines_of(std::uint32_t function) {
    std::map<SourceLine, std::vector<Cost>> costs;
    if (function < nodes_.size()) {
        for (const NodeId node : nodes_[function]) {
            for (const auto& line : places_.of(node, PlaceRows::Kind::lines)) {
                auto& sums = costs[line_of(function, line)];
                sums.resize(measures_, 0);
                for (std::size_t m = 0; m < measures_; ++m) sums[m] += line.costs[m];
            }
        }
    }
    LinesOfFunction lines;
    lines.function_ = function;
    lines.first_.resize(measures_, 0);
    for (auto& [line, sums] : costs) {
        for (auto& sum : sums) sum = std::max<Cost>(sum, 0);
        if (!is_nothing(sums)) lines.left_.push_back({line, std::move(sums)});
    }
    std::stable_sort(lines.left_.begin(), lines.left_.end(),
                     [](const auto& a, const auto& b) { return a.costs[0] > b.costs[0]; });
    return lines;
}

SourceLine SourceLines::call_line(std::uint32_t caller, std::uint32_t callee) const {
    const auto found = calls_.find(call_key(caller, callee));
    return found == calls_.end() ? SourceLine{.function = caller, .line = 0} : found->second;
}

}  // namespace callcost::engine
