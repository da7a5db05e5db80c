#include "convert/stacks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include <fmt/format.h>

namespace callcost::convert {

Tree tree_of(const CallGraph& graph, const StackOptions& options, const Measure& measure) {
    if (options.exact_tree) return options.exact_tree(measure);
    auto wanted = options.tree;
    wanted.measure = measure;
    return estimate_tree(graph, wanted);
}

std::vector<Measure> measures_of(const CallGraph& graph, const StackOptions& options) {
    auto measures = options.measures;
    if (measures.empty()) measures.push_back(default_measure(graph));
    std::erase_if(measures, [](const Measure& measure) { return !measure.additive; });
    if (measures.size() > StackOptions::most_measures) measures.resize(StackOptions::most_measures);
    return measures;
}

namespace {

/// What is unbalanced was recorded for calls, but spent nowhere: it is no part of the total.
double cost_of(const Frame& frame) {
    return frame.kind == FrameKind::unbalanced ? 0 : std::max(frame.self.estimate, 0.0);
}
std::string_view known(std::string_view name) { return name == "???" ? std::string_view() : name; }

double cost_of(const Tree& tree) { return std::max(tree.inclusive - tree.unbalanced, 0.0); }

}  // namespace

std::vector<std::int64_t> whole_self_costs(const Tree& tree) {
    constexpr double most = 9.2e18;  // a little less than 2^63
    std::vector<std::int64_t> whole(tree.frames.size());
    std::vector<double> fractions(tree.frames.size());
    const bool fits = cost_of(tree) < most;
    std::int64_t left = fits ? std::llround(cost_of(tree)) : 0;
    for (std::size_t row = 0; row < whole.size(); ++row) {
        const double cost = std::min(cost_of(tree.frames[row]), most);
        whole[row] = static_cast<std::int64_t>(cost);
        fractions[row] = cost - static_cast<double>(whole[row]);
        if (fits) left -= whole[row];
    }
    if (!fits || whole.empty()) return whole;
    std::vector<std::uint32_t> rows(whole.size());
    std::iota(rows.begin(), rows.end(), 0U);
    if (left >= 0 && static_cast<std::size_t>(left) <= rows.size()) {
        std::sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
            return fractions[a] != fractions[b] ? fractions[a] > fractions[b] : a < b;
        });
        for (std::size_t i = 0; i < static_cast<std::size_t>(left); ++i) ++whole[rows[i]];
    } else {  // numbers without fractions: double numbers are too coarse for them
        auto& largest = *std::max_element(whole.begin(), whole.end());
        largest = std::max<std::int64_t>(0, largest + left);
    }
    return whole;
}

std::string certainty_text(const Tree& tree) {
    double certain = 0;
    for (const Frame& frame : tree.frames)
        if (frame.kind != FrameKind::unbalanced) certain += static_cast<double>(frame.self.least);
    const double all = cost_of(tree);
    const double share = all > 0 ? std::min(certain / all, 1.0) : 1.0;
    return fmt::format("{:.1f}%", std::floor(1000 * share) / 10);
}

FunctionTable::Function FunctionTable::function_of(NodeId node) const {
    Frame frame;
    frame.node = node;
    return {frame_label(graph_, contexts_, frame), known(graph_.file(node)), known(graph_.object(node))};
}

std::uint32_t FunctionTable::row_of(const Frame& frame) {
    if (frame.kind != FrameKind::function)
        return row_of(Function{frame_label(graph_, contexts_, frame), {}, {}});
    return row_of(frame.node);
}

std::uint32_t FunctionTable::row_of(NodeId node) {
    auto& row = by_node_[node.value];
    if (row == unknown) row = row_of(function_of(node));
    return row;
}

std::uint32_t FunctionTable::row_in(std::uint32_t row, std::string_view file) {
    Function function = rows_[row];
    if (function.file == known(file)) return row;
    function.file = known(file);
    return row_of(function);
}

std::optional<std::uint32_t> FunctionTable::find(NodeId node) const {
    if (by_node_[node.value] != unknown) return by_node_[node.value];
    const auto function = function_of(node);
    const auto found = known_.find({function.name, function.file, function.object});
    return found == known_.end() ? std::nullopt : std::optional(found->second);
}

std::uint32_t FunctionTable::row_of(const Function& function) {
    const auto [found, is_new] = known_.try_emplace({function.name, function.file, function.object},
                                                    static_cast<std::uint32_t>(rows_.size()));
    if (is_new) rows_.push_back(function);
    return found->second;
}

namespace {

struct FunctionCost {
    std::uint32_t function = 0;  // row of the FunctionTable
    std::int64_t cost = 0;
};

/// The self cost that functions have in no frame, the costliest first.
std::vector<FunctionCost> costs_not_expanded(const CallGraph& graph, const Tree& tree,
                                             const std::vector<std::int64_t>& costs,
                                             FunctionTable& functions) {
    const auto is_not_expanded = [](const Frame& frame) { return frame.kind == FrameKind::not_expanded; };
    if (tree.direction == TreeDirection::callers ||
        std::none_of(tree.frames.begin(), tree.frames.end(), is_not_expanded))
        return {};
    std::vector<std::int64_t> left;  // by function
    const auto left_of = [&](std::uint32_t function) -> std::int64_t& {
        if (left.size() <= function) left.resize(function + std::size_t{1}, 0);
        return left[function];
    };
    for (std::size_t node = 0; node < graph.size(); ++node) {
        const auto self = graph.self(NodeId(node), tree.measure);
        if (self <= 0) continue;
        auto& sum = left_of(functions.row_of(NodeId(node)));
        sum = self > INT64_MAX - sum ? INT64_MAX : sum + self;
    }
    for (std::size_t row = 0; row < tree.frames.size(); ++row) {
        if (tree.frames[row].kind != FrameKind::function) continue;
        auto& rest = left_of(functions.row_of(tree.frames[row]));
        rest = std::max<std::int64_t>(rest - costs[row], 0);
    }
    std::vector<FunctionCost> list;
    for (std::uint32_t function = 0; function < left.size(); ++function)
        if (left[function] > 0) list.push_back({function, left[function]});
    std::sort(list.begin(), list.end(), [](const FunctionCost& a, const FunctionCost& b) {
        return a.cost != b.cost ? a.cost > b.cost : a.function < b.function;
    });
    return list;
}

}  // namespace

std::vector<EstimatedStack> estimated_stacks(const CallGraph& graph, const Tree& tree,
                                             FunctionTable& functions) {
    const auto costs = whole_self_costs(tree);
    auto left = costs_not_expanded(graph, tree, costs, functions);
    auto next = left.begin();
    std::vector<EstimatedStack> stacks;
    for (std::uint32_t row = 0; row < costs.size(); ++row) {
        auto cost = costs[row];
        const bool is_shared_out =
            tree.frames[row].kind == FrameKind::not_expanded && tree.direction == TreeDirection::callees;
        while (cost > 0 && is_shared_out && next != left.end()) {
            const auto taken = std::min(cost, next->cost);
            stacks.push_back({row, next->function, taken});
            cost -= taken;
            next->cost -= taken;
            if (next->cost == 0) ++next;
        }
        // What no function has left is unbalanced.
        if (cost > 0 && !is_shared_out) stacks.push_back({row, FunctionTable::unknown, cost});
    }
    return stacks;
}

}  // namespace callcost::convert
