#include "convert/stacks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include <fmt/format.h>

namespace callcost::convert {

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

std::uint32_t FunctionTable::row_of(const Frame& frame) {
    if (frame.kind != FrameKind::function)
        return row_of(Function{frame_label(graph_, contexts_, frame), {}, {}});
    auto& row = by_node_[frame.node.value];
    if (row == unknown) {
        const auto known = [](std::string_view name) { return name == "???" ? std::string_view() : name; };
        row = row_of(Function{frame_label(graph_, contexts_, frame), known(graph_.file(frame.node)),
                              known(graph_.object(frame.node))});
    }
    return row;
}

std::uint32_t FunctionTable::row_of(const Function& function) {
    const auto [found, is_new] = known_.try_emplace({function.name, function.file, function.object},
                                                    static_cast<std::uint32_t>(rows_.size()));
    if (is_new) rows_.push_back(function);
    return found->second;
}

}  // namespace callcost::convert
