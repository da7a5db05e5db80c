#include "importers/stack_tree.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace callcost::engine {
namespace {

EstimatedCost exactly(Cost cost) { return {static_cast<double>(cost), cost, cost}; }

/// The nodes of the functions, by their rows; none if one is missing.
std::vector<NodeId> nodes_of(const CallGraph& graph, const StackTrie& stacks) {
    using Name = std::tuple<std::string_view, std::string_view, std::string_view>;
    std::map<Name, NodeId> by_name;
    for (std::size_t row = 0; row < graph.size(); ++row) {
        const NodeId node(row);
        by_name.emplace(Name(graph.name(node), graph.file(node), graph.object(node)), node);
    }
    const auto known = [](const std::string& name) { return name.empty() ? std::string_view("???") : name; };
    std::vector<NodeId> nodes;
    for (const auto& function : stacks.functions) {
        const auto found = by_name.find({known(function.name), known(function.file), known(function.object)});
        // Functions that cost nothing are in no record.
        nodes.push_back(found == by_name.end() ? NodeId() : found->second);
    }
    return nodes;
}

class StackTree {
  public:
    StackTree(const StackTrie& stacks, std::vector<NodeId> nodes, std::vector<Cost> self)
        : stacks_(stacks),
          nodes_(std::move(nodes)),
          self_(std::move(self)),
          inclusive_(self_),
          below_(self_.size()) {}

    std::optional<Tree> build(const CallGraph& graph) {
        for (auto row = static_cast<std::uint32_t>(self_.size()); row-- > 0;) {
            if (inclusive_[row] == 0 && self_[row] == 0 && below_[row].empty()) continue;
            if (!nodes_[stacks_.function(row)].valid()) return std::nullopt;
            const auto parent = stacks_.parent(row);
            auto& siblings = parent == no_row ? roots_ : below_[parent];
            siblings.push_back(row);
            if (parent != no_row) inclusive_[parent] += inclusive_[row];
        }
        put(graph, roots_, Frame::none, 1);
        while (!open_.empty()) {
            const auto [row, parent, level] = open_.back();
            open_.pop_back();
            const auto frame = static_cast<std::uint32_t>(tree_.frames.size());
            add(row, parent, level);
            put(graph, below_[row], frame, level + 1);
        }
        finish();
        return std::move(tree_);
    }

  private:
    struct Open {
        std::uint32_t row, parent, level;
    };

    /// The most expensive is taken first.
    void put(const CallGraph& graph, std::vector<std::uint32_t>& rows, std::uint32_t parent,
             std::uint32_t level) {
        std::sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
            if (inclusive_[a] != inclusive_[b]) return inclusive_[a] < inclusive_[b];
            const NodeId first = nodes_[stacks_.function(a)], second = nodes_[stacks_.function(b)];
            return std::pair(graph.name(first), first) > std::pair(graph.name(second), second);
        });
        for (const auto row : rows) open_.push_back({row, parent, level});
    }

    void add(std::uint32_t row, std::uint32_t parent, std::uint32_t level) {
        Frame& frame = tree_.frames.emplace_back();
        frame.node = nodes_[stacks_.function(row)];
        frame.parent = parent;
        frame.level = level;
        frame.inclusive = exactly(inclusive_[row]);
        frame.self = exactly(self_[row]);
        if (level == 1) tree_.inclusive += static_cast<double>(inclusive_[row]);
        if (self_[row] < 0) tree_.negative += self_[row];
    }

    /// Where frames end: behind the last one that is below them.
    void finish() {
        tree_.functions = tree_.frames.size();
        tree_.certain = tree_.inclusive;
        for (auto row = static_cast<std::uint32_t>(tree_.frames.size()); row-- > 0;) {
            Frame& frame = tree_.frames[row];
            frame.end = std::max(frame.end, row + 1);
            if (frame.parent != Frame::none)
                tree_.frames[frame.parent].end = std::max(tree_.frames[frame.parent].end, frame.end);
        }
    }

    const StackTrie& stacks_;
    std::vector<NodeId> nodes_;           // by function
    std::vector<Cost> self_, inclusive_;  // by row
    std::vector<std::vector<std::uint32_t>> below_;
    std::vector<std::uint32_t> roots_;
    std::vector<Open> open_;
    Tree tree_;
};

}  // namespace

std::optional<Tree> tree_of_stacks(const CallGraph& graph, const StackTrie& stacks, const Measure& measure) {
    const auto event = std::find(stacks.events.begin(), stacks.events.end(), measure.name);
    if (event == stacks.events.end() || !measure.formula.empty()) return std::nullopt;
    auto self = stacks.costs[static_cast<std::size_t>(event - stacks.events.begin())];
    self.resize(stacks.size(), 0);
    auto tree = StackTree(stacks, nodes_of(graph, stacks), std::move(self)).build(graph);
    if (tree) tree->measure = measure;
    return tree;
}

}  // namespace callcost::engine
