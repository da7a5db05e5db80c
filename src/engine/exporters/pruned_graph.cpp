#include "exporters/pruned_graph.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "exporters/model_rows.hpp"
#include "text/profile_facts.hpp"

namespace callcost::engine {
namespace {

constexpr std::size_t left_out = std::numeric_limits<std::size_t>::max();
constexpr std::size_t max_steps = 20'000'000;  // along arcs, in search of detours

/// Whether costs are shares of the whole that are worth showing.
class Threshold {
  public:
    Threshold(double fraction, Cost whole) : least_(fraction * static_cast<double>(whole.magnitude())) {}
    [[nodiscard]] bool admits(std::uint64_t cost) const { return static_cast<double>(cost) >= least_; }

  private:
    double least_;
};

class Pruner {
  public:
    Pruner(const CallGraph& graph, const Measure& measure, const Pruning& pruning)
        : graph_(graph),
          measure_(measure),
          has_inclusive_(has_inclusive(graph, measure)),
          node_threshold_(pruning.node_fraction, percentage_base(graph, measure)),
          edge_threshold_(pruning.edge_fraction, percentage_base(graph, measure)),
          shown_as_(graph.size(), left_out) {}

    PrunedGraph prune(std::size_t max_nodes) {
        choose_nodes(max_nodes);
        choose_edges();
        find_detours();
        drop_needless_detours();
        return std::move(result_);
    }

  private:
    void choose_nodes(std::size_t most) {
        struct Row {
            std::uint64_t cost;
            NodeId node;
        };
        std::vector<Row> rows;
        for (std::size_t row = 0; row < graph_.size(); ++row) {
            const NodeId node(row);
            const auto cost =
                (has_inclusive_ ? graph_.inclusive(node, measure_) : graph_.self(node, measure_)).magnitude();
            if (node_threshold_.admits(cost)) rows.push_back({cost, node});
        }
        const auto precedes = [&](const Row& a, const Row& b) {
            return a.cost != b.cost ? a.cost > b.cost
                                    : std::pair(names_of(graph_, a.node), a.node) <
                                          std::pair(names_of(graph_, b.node), b.node);
        };
        const auto count = std::min(most, rows.size());
        std::partial_sort(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(count), rows.end(),
                          precedes);
        rows.resize(count);

        Cost self = 0;
        for (const auto& row : rows) {
            shown_as_[row.node.value] = result_.nodes.size();
            result_.nodes.push_back(row.node);
            self += graph_.self(row.node, measure_);
        }
        result_.omitted_nodes = graph_.size() - count;
        result_.omitted_self = graph_.total(measure_) - self;
    }

    [[nodiscard]] bool is_worth_showing(ArcId arc) const {
        return !measure_.additive || edge_threshold_.admits(graph_.cost(arc, measure_).magnitude());
    }

    void choose_edges() {
        for (std::size_t from = 0; from < result_.nodes.size(); ++from) {
            for (const auto arc : graph_.callees(result_.nodes[from])) {
                const auto to = shown_as_[graph_.callee(arc).value];
                if (to == left_out) continue;
                if (is_worth_showing(arc)) {
                    result_.edges.push_back({from, to, arc});
                } else {
                    ++result_.omitted_edges;
                }
            }
        }
        std::sort(result_.edges.begin(), result_.edges.end(), [](const auto& a, const auto& b) {
            return std::tie(a.from, a.to) < std::tie(b.from, b.to);
        });
    }

    [[nodiscard]] bool is_drawn(std::size_t from, std::size_t to) const {
        const auto found = std::lower_bound(result_.edges.begin(), result_.edges.end(), std::tie(from, to),
                                            [](const PrunedGraph::Edge& edge, const auto& ends) {
                                                return std::tie(edge.from, edge.to) < ends;
                                            });
        return found != result_.edges.end() && found->from == from && found->to == to;
    }

    /// From every function that is shown, through those that are not, to the next ones that are.
    void find_detours() {
        std::vector<std::size_t> seen_from(graph_.size(), left_out);
        std::vector<NodeId> open;
        std::size_t steps = 0;
        for (std::size_t from = 0; from < result_.nodes.size(); ++from) {
            open.assign(1, result_.nodes[from]);
            while (!open.empty()) {
                const auto node = open.back();
                open.pop_back();
                for (const auto arc : graph_.callees(node)) {
                    if (++steps > max_steps) {
                        result_.all_detours = false;
                        std::sort(result_.detours.begin(), result_.detours.end());
                        return;
                    }
                    const auto callee = graph_.callee(arc);
                    if (seen_from[callee.value] == from || !is_worth_showing(arc)) continue;
                    const auto to = shown_as_[callee.value];
                    if (to == left_out) {
                        seen_from[callee.value] = from;
                        open.push_back(callee);
                    } else if (node != result_.nodes[from] && to != from) {
                        seen_from[callee.value] = from;
                        if (!is_drawn(from, to)) result_.detours.push_back({from, to});
                    }
                }
            }
        }
        std::sort(result_.detours.begin(), result_.detours.end());
    }

    /// A detour tells nothing where a longer way is drawn. The least important go first.
    void drop_needless_detours() {
        std::vector<std::vector<std::size_t>> next(result_.nodes.size());
        for (const auto& edge : result_.edges) next[edge.from].push_back(edge.to);
        for (const auto& detour : result_.detours) next[detour.from].push_back(detour.to);
        std::vector<std::size_t> seen(result_.nodes.size(), left_out);
        std::size_t steps = 0;
        std::vector<std::size_t> open;
        const auto is_needless = [&](std::size_t round, PrunedGraph::Detour detour) {
            open.assign(1, detour.from);
            while (!open.empty()) {
                const auto node = open.back();
                open.pop_back();
                for (const auto to : next[node]) {
                    ++steps;
                    if (node == detour.from && to == detour.to) continue;
                    if (to == detour.to) return true;
                    if (seen[to] == round) continue;
                    seen[to] = round;
                    open.push_back(to);
                }
            }
            return false;
        };
        std::vector<PrunedGraph::Detour> needed;
        for (auto i = result_.detours.size(); i-- > 0;) {
            const auto detour = result_.detours[i];
            if (steps < max_steps && is_needless(i, detour)) {
                std::erase(next[detour.from], detour.to);
            } else {
                needed.push_back(detour);
            }
        }
        std::reverse(needed.begin(), needed.end());
        result_.detours = std::move(needed);
    }

    const CallGraph& graph_;
    const Measure& measure_;
    bool has_inclusive_;
    Threshold node_threshold_;
    Threshold edge_threshold_;
    std::vector<std::size_t> shown_as_;  // by node of the graph: row in `nodes`, or left_out
    PrunedGraph result_;
};

}  // namespace

PrunedGraph prune(const CallGraph& graph, const Measure& measure, const Pruning& pruning) {
    return Pruner(graph, measure, pruning).prune(pruning.max_nodes);
}

}  // namespace callcost::engine
