#include "tree/paths.hpp"

#include <algorithm>
#include <queue>

namespace callcost {

// Of `passes` in all, `part` takes this share. If the path has all but x of what passes through, at least all
// but x of the part is its own; and it cannot have more than the whole part.
EstimatedCost Steps::share(const Path& path, std::uint64_t part) const {
    const auto all = Cost(passes(path.node));
    const auto some = Cost(part);
    if (some == 0) return {};
    return {.estimate = path.cost.estimate * static_cast<double>(some) / static_cast<double>(all),
            .least = std::max<Cost>(0, path.cost.least - (all - some)),
            .most = std::min(path.cost.most, some)};
}

std::uint32_t Steps::first(NodeId node) {
    if (ranges_.empty()) ranges_.assign(flow_.graph.size(), {Frame::none, 0});
    auto& [begin, end] = ranges_[node.value];
    if (begin != Frame::none) return begin;
    const CallGraph& graph = flow_.graph;
    const bool to_callees = direction_ == TreeDirection::callees;
    begin = static_cast<std::uint32_t>(steps_.size());
    for (const ArcId arc : to_callees ? graph.callees(node) : graph.callers(node)) {
        const NodeId other = to_callees ? graph.callee(arc) : graph.caller(arc);
        const std::uint64_t cost = flow_.arc(arc);
        if (cost != 0 && (other != node || recursion_ == Recursion::unfold)) steps_.push_back({other, cost});
    }
    end = static_cast<std::uint32_t>(steps_.size());
    std::sort(steps_.data() + begin, steps_.data() + end, [&](const Step& a, const Step& b) {
        return a.cost != b.cost ? a.cost > b.cost : precedes(graph, a.to, b.to);
    });
    return begin;
}

namespace {

/// A path that could be next: the lightest of those from one parent that are not heavier than it are not
/// looked at before.
struct Candidate {
    double estimate;
    std::uint32_t parent;
    std::uint32_t step;  // of the parent's last function; without parent: row of the starts

    bool operator<(const Candidate& b) const {  // the greatest one is taken first
        if (estimate != b.estimate) return estimate < b.estimate;
        if (parent != b.parent) return parent > b.parent;
        return step > b.step;
    }
};

}  // namespace

Paths heaviest_paths(Steps& steps, const std::vector<Start>& starts, const TreeOptions& options) {
    Paths paths;
    std::priority_queue<Candidate> candidates;
    const double least = options.least_weight / steps.flow().unit;
    const std::size_t most = std::min<std::size_t>(options.most_frames, Frame::none);
    std::uint32_t begun = 0;

    const auto consider = [&](std::uint32_t parent, std::uint32_t step) {
        const Path& path = paths.rows[parent];
        if (step < steps.last(path.node))
            candidates.push({steps.share(path, steps[step].cost).estimate, parent, step});
    };
    const auto consider_start = [&](std::uint32_t row) {
        if (row < starts.size()) candidates.push({starts[row].cost.estimate, Frame::none, row});
    };
    consider_start(0);
    while (!candidates.empty() && paths.rows.size() < most && options.most_levels > 0) {
        const Candidate next = candidates.top();
        candidates.pop();
        if (!(next.estimate > 0) || next.estimate < least) break;
        Path path;
        path.parent = next.parent;
        if (next.parent == Frame::none) {
            path.node = starts[next.step].node;
            path.cost = starts[next.step].cost;
            begun = next.step + 1;
            consider_start(begun);
        } else {
            Path& parent = paths.rows[next.parent];
            const Steps::Step step = steps[next.step];
            path.node = step.to;
            path.level = parent.level + 1;
            path.cost = steps.share(parent, step.cost);
            parent.expanded += step.cost;
            consider(next.parent, next.step + 1);
        }
        const auto row = static_cast<std::uint32_t>(paths.rows.size());
        paths.rows.push_back(path);
        if (path.level < options.most_levels) consider(row, steps.first(path.node));
    }
    for (std::size_t row = begun; row < starts.size(); ++row) {
        paths.not_begun.estimate += starts[row].cost.estimate;
        paths.not_begun.least += starts[row].cost.least;
        paths.not_begun.most += starts[row].cost.most;
    }
    return paths;
}

}  // namespace callcost
