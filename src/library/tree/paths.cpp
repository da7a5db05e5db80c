#include "tree/paths.hpp"

#include <algorithm>
#include <queue>
#include <string_view>
#include <tuple>

namespace callcost {

FrameIdentities::FrameIdentities(const CallGraph& graph, Recursion recursion) {
    const ContextNames contexts(graph.profile());
    if (!contexts.any() || recursion == Recursion::unfold) return;
    struct Key {
        std::string_view name;
        ObjectId object;
        FileId file;
        NodeId node;
    };
    const auto function_of = [](const Key& key) { return std::tie(key.name, key.object, key.file); };
    std::vector<Key> keys;
    keys.reserve(graph.size());
    for (std::size_t row = 0; row < graph.size(); ++row) {
        const FunctionId function = graph.function(NodeId(row));
        keys.push_back({contexts.split(function).name, graph.profile().object(function),
                        graph.profile().file(function), NodeId(row)});
    }
    std::sort(keys.begin(), keys.end(), [&](const Key& a, const Key& b) {
        return std::tuple_cat(function_of(a), std::tie(a.node)) <
               std::tuple_cat(function_of(b), std::tie(b.node));
    });
    first_.resize(graph.size());
    for (std::size_t i = 0, start = 0; i < keys.size(); ++i) {
        if (function_of(keys[i]) != function_of(keys[start])) start = i;
        first_[keys[i].node.value] = keys[start].node;
    }
}

FrameIdentities::FrameIdentities(std::span<const NodeId> groups) : are_groups_(true) {
    std::vector<NodeId> first;  // by group
    first_.reserve(groups.size());
    for (std::size_t row = 0; row < groups.size(); ++row) {
        const std::size_t group = groups[row].value;
        if (group >= first.size()) first.resize(group + 1);
        if (!first[group].valid()) first[group] = NodeId(row);
        first_.push_back(first[group]);
    }
}

// Of what passes through in all, `part` goes this way. If the path has all but x of what passes through, at
// least all but x of the part is its own; and it cannot have more than the whole part.
EstimatedCost Steps::share(const Path& path, std::uint64_t part, double estimate, NodeId to) const {
    if (part == 0) return {};
    const CallGraph::Data& data = data_of(flow_.graph);
    const bool leads_into = to.valid() && data.divided_cycle(to).valid();
    if (data.divided_cycle(path.node).valid() || (leads_into && direction_ == TreeDirection::callers)) {
        const bool is_whole = to.valid() && !leads_into;  // its function has one level
        return {.estimate = estimate,
                .least = 0,
                .most = is_whole ? std::min<Cost>(path.cost.most, Cost(passes(to))) : path.cost.most};
    }
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
    return share(path, rest, path.cost.estimate * part / ways.whole, path.node);
}

const Steps::Onward& Steps::onward(const Path& path) {
    const Transits::Table& table = transits_.of(path.node);
    const bool from_all = starts_anywhere_ || table.cells.empty();
    const std::uint64_t via = from_all || !path.via.valid() ? UINT32_MAX : path.via.value;
    const auto [known, is_new] = onward_.try_emplace(via << 32U | path.node.value);
    if (is_new) known->second = made(path, table);
    return known->second;
}

Steps::Onward Steps::made(const Path& path, const Transits::Table& table) const {
    Onward ways = direction_ == TreeDirection::callees ? to_callees(path, table) : to_callers(path, table);
    // The parts together: beside much larger ones they may be rounded.
    ways.whole = ways.ends + ways.unbalanced;
    for (const Step& step : ways.steps) ways.whole += step.part;
    if (!(ways.whole > 0)) ways.whole = 1;
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

const Transits::Way* Steps::came_by(const Path& path, const Transits::Table& table) const {
    if (starts_anywhere_ || table.cells.empty()) return nullptr;
    const auto& ways = direction_ == TreeDirection::callees ? table.in : table.out;
    const auto way = std::find_if(ways.begin(), ways.end(), [&](const Transits::Way& one) {
        return path.via.valid() ? one.arc == path.via : one.kind == Transits::Way::Kind::own;
    });
    return way == ways.end() ? nullptr : &*way;
}

Steps::Onward Steps::to_callees(const Path& path, const Transits::Table& table) const {
    Onward onward;
    const Transits::Way* const from = came_by(path, table);
    const std::uint32_t row = table.member(path.node);
    const auto& members = table.members;
    const auto first_of = [&](std::uint32_t member) {
        return member < members.size() ? members[member].first : table.out.size();
    };
    const auto part = [&](const Transits::Way& way) {
        return from ? table.cost(*from, way) : static_cast<double>(way.cost);
    };
    for (std::size_t i = first_of(row); i < first_of(row + 1); ++i) {
        const Transits::Way& way = table.out[i];
        if (way.kind == Transits::Way::Kind::call)
            onward.steps.push_back({flow_.graph.callee(way.arc), way.arc, way.cost, part(way), 1});
        else
            (way.kind == Transits::Way::Kind::own ? onward.ends : onward.unbalanced) = part(way);
    }
    for (std::uint32_t inner = row + 1; inner < members[row].end; inner = members[inner].end) {
        const std::uint64_t cost = flow_.arc(members[inner].arc);
        if (cost == 0) continue;
        double sum = from ? 0 : static_cast<double>(cost);
        for (std::size_t i = first_of(inner); from && i < first_of(members[inner].end); ++i)
            sum += part(table.out[i]);
        onward.steps.push_back({members[inner].node, members[inner].arc, cost, sum, 1});
    }
    return onward;
}

Steps::Onward Steps::to_callers(const Path& path, const Transits::Table& table) const {
    Onward onward;
    const Transits::Member& member = table.members[table.member(path.node)];
    if (member.arc.valid()) {
        const std::uint64_t cost = flow_.arc(member.arc);
        onward.ends = static_cast<double>(flow_.entered(path.node));
        if (cost > 0)
            onward.steps.push_back(
                {flow_.graph.caller(member.arc), member.arc, cost, static_cast<double>(cost), 1});
        return onward;
    }
    const Transits::Way* const from = came_by(path, table);
    for (const Transits::Way& way : table.in) {
        const double part = from ? table.cost(way, *from) : static_cast<double>(way.cost);
        if (way.kind == Transits::Way::Kind::call)
            onward.steps.push_back({flow_.graph.caller(way.arc), way.arc, way.cost, part, 1});
        else
            onward.ends = part;
    }
    return onward;
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

Paths heaviest_paths(Steps& steps, const std::vector<Start>& starts, const FrameIdentities& identities,
                     const TreeOptions& options) {
    Paths paths;
    std::priority_queue<Candidate> candidates;
    const double least = options.min_weight / steps.flow().unit;
    const std::size_t most = std::min<std::size_t>(options.max_frames, Frame::none);

    const auto consider = [&](std::uint32_t parent, std::uint32_t number) {
        const Path& path = paths.rows[parent];
        const auto& from = steps.from(path);
        if (number < from.size()) candidates.push({steps.along(path, from[number]).estimate, parent, number});
    };
    const auto consider_start = [&](std::uint32_t row) {
        if (row < starts.size()) candidates.push({starts[row].cost.estimate, Frame::none, row});
    };
    // Levels of direct recursion are one frame, also those that code inlined in the function calls.
    const auto find_frame = [&](Path& path, const Path& parent) {
        const CallGraph& graph = steps.flow().graph;
        const Path& around = paths.rows[parent.around];
        const FunctionId function = graph.function(path.node);
        if (identities.of(path.node) == identities.of(around.node))
            path.frame_level = around.frame_level;
        else if (identities.of(path.node) == identities.of(parent.node))
            path.frame_level = parent.frame_level;
        else if (identities.are_groups() || !inlined_in(graph, path.node).valid() ||
                 identities.of(graph.node_of(graph.profile().host(function))) != identities.of(around.node))
            return;
        path.around = parent.around;
    };
    consider_start(0);
    while (!candidates.empty() && paths.rows.size() < most && options.max_levels > 0) {
        const Candidate next = candidates.top();
        candidates.pop();
        if (!(next.estimate > 0) || next.estimate < least) break;
        Path path;
        path.parent = next.parent;
        const auto row = static_cast<std::uint32_t>(paths.rows.size());
        path.around = row;
        if (next.parent == Frame::none) {
            path.node = starts[next.step].node;
            path.cost = starts[next.step].cost;
            paths.begun = next.step + 1;
            consider_start(paths.begun);
        } else {
            Path& parent = paths.rows[next.parent];
            const Steps::Step& step = steps.from(parent)[next.step];
            path.node = step.to;
            path.via = steps.flow().graph.inlined(step.arc) ? parent.via : step.arc;
            path.frame_level = parent.frame_level + 1;
            if (options.recursion == Recursion::fold) find_frame(path, parent);
            path.cost = steps.along(parent, step);
            parent.expanded += step.cost;
            parent.steps = next.step + 1;
            consider(next.parent, next.step + 1);
        }
        paths.rows.push_back(path);
        // Inlined code, with the frame around, as it may call the function of that.
        if (path.around != row || (path.frame_level < options.max_levels &&
                                   (!options.expands || options.expands(path.node, path.frame_level))))
            consider(row, 0);
    }
    for (std::size_t row = paths.begun; row < starts.size(); ++row) {
        paths.not_begun.estimate += starts[row].cost.estimate;
        paths.not_begun.least += starts[row].cost.least;
        paths.not_begun.most += starts[row].cost.most;
    }
    return paths;
}

}  // namespace callcost
