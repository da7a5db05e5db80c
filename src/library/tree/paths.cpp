#include "tree/paths.hpp"

#include <algorithm>
#include <queue>

namespace callcost {

// Of what passes through in all, `part` goes this way. If the path has all but x of what passes through, at
// least all but x of the part is its own; and it cannot have more than the whole part.
EstimatedCost Steps::share(const Path& path, std::uint64_t part, double estimate) const {
    if (part == 0) return {};
    const auto rest = Cost(passes(path.node) - part);
    return {.estimate = estimate,
            .least = std::max<Cost>(0, path.cost.least - rest),
            .most = std::min<Cost>(path.cost.most, Cost(part))};
}

EstimatedCost Steps::ends(const Path& path) {
    const Onward& ways = onward(path);
    return share(path, cost_of_ends(path.node), path.cost.estimate * ways.ends / ways.whole);
}

EstimatedCost Steps::unbalanced(const Path& path) {
    const Onward& ways = onward(path);
    return share(path, cost_of_unbalanced(path.node), path.cost.estimate * ways.unbalanced / ways.whole);
}

EstimatedCost Steps::not_expanded(const Path& path) {
    const Onward& ways = onward(path);
    const std::uint64_t rest =
        passes(path.node) - cost_of_ends(path.node) - cost_of_unbalanced(path.node) - path.expanded;
    const double part = path.steps == 0 ? ways.goes_on : ways.steps[path.steps - 1].after;
    return share(path, rest, path.cost.estimate * part / ways.whole);
}

const Steps::Onward& Steps::onward(const Path& path) {
    const Transits::Table& table = transits_.of(path.node);
    const bool from_all = starts_anywhere_ || table.costs.empty();
    const std::size_t key = path.via.valid() && !from_all
                                ? path.via.value
                                : flow_.graph.arc_count() + std::size_t{path.node.value};
    const auto [known, is_new] = onward_.try_emplace(key);
    if (is_new) known->second = made(path, table, from_all);
    return known->second;
}

Steps::Onward Steps::made(const Path& path, const Transits::Table& table, bool from_all) const {
    const bool to_callees = direction_ == TreeDirection::callees;
    const auto& from = to_callees ? table.in : table.out;
    const auto& to = to_callees ? table.out : table.in;
    const auto came = std::find_if(from.begin(), from.end(), [&](const Transits::Way& way) {
        return path.via.valid() ? way.arc == path.via : way.kind == Transits::Way::Kind::own;
    });
    const auto row = static_cast<std::size_t>(came - from.begin());

    Onward ways;
    double whole = 0;  // the parts together: beside much larger ones they may be rounded
    for (std::size_t column = 0; column < to.size(); ++column) {
        const Transits::Way& way = to[column];
        const double part = from_all     ? static_cast<double>(way.cost)
                            : to_callees ? table.costs[row * to.size() + column]
                                         : table.costs[column * from.size() + row];
        whole += part;
        switch (way.kind) {
            case Transits::Way::Kind::own:
                ways.ends = part;
                break;
            case Transits::Way::Kind::lost:
                ways.unbalanced = part;
                break;
            case Transits::Way::Kind::call:
                ways.steps.push_back(
                    {.to = to_callees ? flow_.graph.callee(way.arc) : flow_.graph.caller(way.arc),
                     .arc = way.arc,
                     .cost = way.cost,
                     .part = part,
                     .whole = 1});
        }
    }
    ways.whole = whole > 0 ? whole : 1;
    for (Step& step : ways.steps) step.whole = ways.whole;
    std::sort(ways.steps.begin(), ways.steps.end(), [&](const Step& a, const Step& b) {
        if (a.part != b.part) return a.part > b.part;
        return a.cost != b.cost ? a.cost > b.cost : precedes(flow_.graph, a.to, b.to);
    });
    for (auto step = ways.steps.rbegin(); step != ways.steps.rend(); ++step) {
        step->after = ways.goes_on;
        ways.goes_on += step->part;
    }
    return ways;
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
    const double least = options.min_weight / steps.flow().unit;
    const std::size_t most = std::min<std::size_t>(options.max_frames, Frame::none);
    std::uint32_t begun = 0;

    const auto consider = [&](std::uint32_t parent, std::uint32_t number) {
        const Path& path = paths.rows[parent];
        const auto& from = steps.from(path);
        if (number < from.size()) candidates.push({steps.along(path, from[number]).estimate, parent, number});
    };
    const auto consider_start = [&](std::uint32_t row) {
        if (row < starts.size()) candidates.push({starts[row].cost.estimate, Frame::none, row});
    };
    consider_start(0);
    while (!candidates.empty() && paths.rows.size() < most && options.max_levels > 0) {
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
            const Steps::Step& step = steps.from(parent)[next.step];
            path.node = step.to;
            path.via = step.arc;
            path.level = parent.level + 1;
            path.cost = steps.along(parent, step);
            parent.expanded += step.cost;
            parent.steps = next.step + 1;
            consider(next.parent, next.step + 1);
        }
        const auto row = static_cast<std::uint32_t>(paths.rows.size());
        paths.rows.push_back(path);
        if (path.level < options.max_levels) consider(row, 0);
    }
    for (std::size_t row = begun; row < starts.size(); ++row) {
        paths.not_begun.estimate += starts[row].cost.estimate;
        paths.not_begun.least += starts[row].cost.least;
        paths.not_begun.most += starts[row].cost.most;
    }
    return paths;
}

}  // namespace callcost
