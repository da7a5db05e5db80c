#include "exporters/stacks.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

namespace callcost::engine {

namespace {

std::int64_t whole_cost(const Frame& exact) {
    const Cost cost = exact.self.least;
    return cost > 0 ? static_cast<std::int64_t>(std::min<std::uint64_t>(cost.magnitude(), INT64_MAX)) : 0;
}

TreeOptions whole_tree(const Measure& measure) {
    return {.measure = measure,
            .recursion = Recursion::unfold,
            .max_frames = std::numeric_limits<std::size_t>::max()};
}

}  // namespace

std::optional<StacksOfSources> recorded_for(const CallGraph& graph, const StacksOfSources& stacks,
                                            const std::vector<Measure>& measures) {
    bool has_any = false;
    for (const auto& measure : measures) {
        if (!measure.additive) continue;
        auto options = whole_tree(measure);
        options.max_frames = 1;
        if (!exact_tree(graph, stacks, options, {}, NegativeCosts::keep)) return std::nullopt;
        has_any = true;
    }
    return has_any ? std::optional(stacks) : std::nullopt;
}

void for_each_recorded(const CallGraph& graph, const StacksOfSources& stacks, const Measure& measure,
                       const std::function<void(const Frame&, std::int64_t)>& on_frame) {
    (void)exact_frames(graph, stacks, whole_tree(measure), {}, NegativeCosts::keep,
                       [&](const Frame& frame) { on_frame(frame, whole_cost(frame)); });
}

Tree tree_of(const CallGraph& graph, const StackOptions& options, const Measure& measure) {
    if (options.recorded)
        return exact_tree(graph, *options.recorded, whole_tree(measure), {}, NegativeCosts::keep).value();
    auto wanted = options.tree;
    wanted.measure = measure;
    return estimate_tree(graph, wanted);
}

std::vector<Measure> measures_of(const CallGraph& graph, const StackOptions& options) {
    auto measures = options.measures;
    if (measures.empty()) measures.push_back(default_measure(graph));
    std::erase_if(measures, [](const Measure& measure) { return !measure.additive; });
    if (measures.size() > StackOptions::max_measures) measures.resize(StackOptions::max_measures);
    return measures;
}

Unit unit_of(const Measure& measure) {
    constexpr std::pair<std::string_view, std::string_view> names[] = {{"ns", "nanoseconds"},
                                                                       {"us", "microseconds"},
                                                                       {"ms", "milliseconds"},
                                                                       {"s", "seconds"},
                                                                       {"bytes", "bytes"}};
    std::int64_t factor = 1;
    std::string_view unit = measure.unit;
    const auto [end, problem] = std::from_chars(unit.data(), unit.data() + unit.size(), factor);
    if (problem == std::errc()) unit.remove_prefix(static_cast<std::size_t>(end - unit.data()));
    if (problem == std::errc::result_out_of_range || factor < 1 || factor > 1'000'000) return {};
    for (const auto& [ours, theirs] : names)
        if (unit == ours) return {theirs, factor};
    return {};
}

namespace {

/// Recorded for calls, but spent in no function that they reach: it is no part of the total.
bool is_outside(const Frame& frame) {
    return frame.kind == FrameKind::unbalanced || frame.kind == FrameKind::unrecorded_callees ||
           frame.kind == FrameKind::unattributed;
}
double cost_of(const Frame& frame) { return is_outside(frame) ? 0 : std::max(frame.self.estimate, 0.0); }
std::string_view known(std::string_view name) { return name == "???" ? std::string_view() : name; }

double cost_of(const Tree& tree) {
    return std::max(tree.inclusive - tree.unbalanced - tree.unrecorded_callees - tree.unattributed, 0.0);
}

}  // namespace

std::vector<std::int64_t> whole_self_costs(const Tree& tree) {
    constexpr double most = 9.2e18;  // a little less than 2^63
    std::vector<std::int64_t> whole(tree.frames.size());
    if (tree.exact) {  // each is a whole number already, and has nothing to do with negative ones elsewhere
        std::transform(tree.frames.begin(), tree.frames.end(), whole.begin(), whole_cost);
        return whole;
    }
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
    if (left >= 0 && static_cast<std::uint64_t>(left) <= rows.size()) {
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
    const auto per_mille = static_cast<int>(1000 * tree.certainty());
    return std::to_string(per_mille / 10) + '.' + std::to_string(per_mille % 10) + '%';
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

/// The whole self costs of frames that are estimated from the roots down, and what functions have in no
/// frame. Each cost is rounded down, and what a function lacks then goes to those of its frames that lost
/// most.
class FunctionShares {
  public:
    FunctionShares(const CallGraph& graph, const Tree& tree, FunctionTable& functions)
        : costs_(tree.frames.size(), 0) {
        for (std::size_t node = 0; node < graph.size(); ++node) {
            const std::int64_t self = graph.self(NodeId(node), tree.measure);
            if (self <= 0) continue;
            auto& sum = left_of(functions.row_of(NodeId(node)));
            sum = self > INT64_MAX - sum ? INT64_MAX : sum + self;
        }
        struct Lost {
            std::uint32_t function, frame;
            double cost;
        };
        std::vector<Lost> lost;
        for (std::uint32_t row = 0; row < tree.frames.size(); ++row) {
            if (tree.frames[row].kind != FrameKind::function) continue;
            constexpr double most = 9.2e18;  // a little less than 2^63
            const auto function = functions.row_of(tree.frames[row]);
            const double cost = std::clamp(tree.frames[row].self.estimate, 0.0, most);
            give(function, row, static_cast<std::int64_t>(cost));
            lost.push_back({function, row, cost - static_cast<double>(costs_[row])});
        }
        std::sort(lost.begin(), lost.end(), [](const Lost& a, const Lost& b) {
            return std::tuple(a.function, -a.cost, a.frame) < std::tuple(b.function, -b.cost, b.frame);
        });
        for (auto first = lost.begin(); first != lost.end();) {
            const auto end =
                std::find_if(first, lost.end(), [&](const Lost& x) { return x.function != first->function; });
            double all = 0;
            for (auto one = first; one != end; ++one) all += one->cost;
            for (auto wanted = std::llround(all); first != end && wanted > 0; ++first, --wanted)
                give(first->function, first->frame, 1);
            first = end;
        }
    }

    [[nodiscard]] const std::vector<std::int64_t>& costs() const { return costs_; }
    /// By function, the most expensive first.
    [[nodiscard]] std::vector<std::pair<std::uint32_t, std::int64_t>> left() const {
        std::vector<std::pair<std::uint32_t, std::int64_t>> list;
        for (std::uint32_t function = 0; function < left_.size(); ++function)
            if (left_[function] > 0) list.emplace_back(function, left_[function]);
        std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
            return a.second != b.second ? a.second > b.second : a.first < b.first;
        });
        return list;
    }

  private:
    std::int64_t& left_of(std::uint32_t function) {
        if (left_.size() <= function) left_.resize(function + std::size_t{1}, 0);
        return left_[function];
    }
    void give(std::uint32_t function, std::uint32_t frame, std::int64_t cost) {
        auto& left = left_of(function);
        cost = std::min(cost, left);
        left -= cost;
        costs_[frame] += cost;
    }

    std::vector<std::int64_t> costs_;  // by frame
    std::vector<std::int64_t> left_;   // by function
};

bool is_exact(const Tree& tree) {
    return std::all_of(tree.frames.begin(), tree.frames.end(), [](const Frame& frame) {
        return frame.kind == FrameKind::function && frame.self.certain();
    });
}

std::vector<EstimatedStack> plain_stacks(const Tree& tree) {
    const auto costs = whole_self_costs(tree);
    std::vector<EstimatedStack> stacks;
    for (std::uint32_t row = 0; row < costs.size(); ++row)
        if (costs[row] > 0) stacks.push_back({row, FunctionTable::unknown, costs[row]});
    return stacks;
}

}  // namespace

std::vector<EstimatedStack> estimated_stacks(const CallGraph& graph, const Tree& tree,
                                             FunctionTable& functions) {
    if (tree.direction == TreeDirection::callers || is_exact(tree)) return plain_stacks(tree);
    const FunctionShares shares(graph, tree, functions);
    const auto left = shares.left();
    std::size_t last = tree.frames.size();
    for (std::size_t row = 0; row < tree.frames.size(); ++row)
        if (tree.frames[row].kind == FrameKind::not_expanded) last = row;
    std::vector<EstimatedStack> stacks;
    auto next = left.begin();
    auto of_next = next == left.end() ? 0 : next->second;
    for (std::uint32_t row = 0; row < tree.frames.size(); ++row) {
        const Frame& frame = tree.frames[row];
        if (shares.costs()[row] > 0) stacks.push_back({row, FunctionTable::unknown, shares.costs()[row]});
        if (frame.kind != FrameKind::not_expanded) continue;
        // What rounding leaves is in the last one.
        auto cost = row == last ? INT64_MAX : std::llround(std::clamp(frame.self.estimate, 0.0, 9.2e18));
        while (cost > 0 && next != left.end()) {
            const auto taken = std::min<std::int64_t>(cost, of_next);
            stacks.push_back({row, next->first, taken});
            cost -= taken;
            of_next -= taken;
            if (of_next == 0 && ++next != left.end()) of_next = next->second;
        }
    }
    return stacks;
}

}  // namespace callcost::engine
