#include "callcost/tree.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "call_graph/unfold.hpp"
#include "tree/frames.hpp"
#include "tree/paths.hpp"

namespace callcost {
namespace {

std::vector<Start> starts_of(const Flow& flow, const TreeOptions& options) {
    std::vector<Start> starts;
    if (options.root) {
        starts = starts_at(flow, options.root);
    } else {
        for (std::size_t row = 0; row < flow.graph.size(); ++row) {
            const NodeId node(row);
            const std::uint64_t cost =
                options.direction == TreeDirection::callees ? flow.entered(node) : flow.self[row];
            const auto exact = static_cast<std::int64_t>(cost);
            if (cost != 0)
                starts.push_back(
                    {node, {.estimate = static_cast<double>(cost), .least = exact, .most = exact}});
        }
    }
    std::sort(starts.begin(), starts.end(), [&](const Start& a, const Start& b) {
        if (a.cost.estimate != b.cost.estimate) return a.cost.estimate > b.cost.estimate;
        return precedes(flow.graph, a.node, b.node);
    });
    return starts;
}

/// A frame is its self cost and the frames below it together, so each of these is at least what the greatest
/// values of the others leave of it, and at most what their least ones leave.
void narrow_bounds(Tree& tree) {
    struct Sums {
        std::int64_t least = 0, most = 0;
    };
    std::vector<Sums> parts(tree.frames.size());
    const auto count_in = [](Sums& sums, const EstimatedCost& cost) {
        sums.least = bounded_add(sums.least, cost.least);
        sums.most = bounded_add(sums.most, cost.most);
    };
    const auto narrow = [](EstimatedCost& part, const EstimatedCost& all, const Sums& sums) {
        if (sums.most == INT64_MAX || all.most == INT64_MAX) return;
        const std::int64_t least = std::max(part.least, all.least - (sums.most - part.most));
        const std::int64_t most = std::min(part.most, all.most - (sums.least - part.least));
        if (least > most) return;  // contradictory costs
        part.least = least;
        part.most = most;
    };
    for (std::size_t row = 0; row < tree.frames.size(); ++row) {
        const Frame& frame = tree.frames[row];
        if (frame.kind == FrameKind::function) count_in(parts[row], frame.self);
        if (frame.parent != Frame::none) count_in(parts[frame.parent], frame.inclusive);
    }
    for (std::size_t row = 0; row < tree.frames.size(); ++row) {
        Frame& frame = tree.frames[row];
        if (frame.parent != Frame::none)
            narrow(frame.inclusive, tree.frames[frame.parent].inclusive, parts[frame.parent]);
        if (frame.kind == FrameKind::function) {
            narrow(frame.self, frame.inclusive, parts[row]);
        } else {
            frame.self = frame.inclusive;
        }
    }
}

/// Costs that had to be counted in larger units: nothing is known about where they are.
void convert_units(Tree& tree, double unit) {
    if (unit == 1) return;
    for (Frame& frame : tree.frames)
        for (EstimatedCost* cost : {&frame.inclusive, &frame.self})
            *cost = {.estimate = cost->estimate * unit, .least = 0, .most = INT64_MAX};
    tree.inclusive *= unit;
    tree.partly_paid *= unit;
}

void add_up(Tree& tree) {
    for (const Frame& frame : tree.frames) {
        if (frame.kind != FrameKind::not_expanded) tree.certain += static_cast<double>(frame.self.least);
        if (frame.kind == FrameKind::not_expanded) tree.not_expanded += frame.self.estimate;
        if (frame.kind == FrameKind::unbalanced) tree.unbalanced += frame.self.estimate;
        if (frame.kind == FrameKind::unrecorded_callees) tree.unrecorded_callees += frame.self.estimate;
        if (frame.kind == FrameKind::unattributed) tree.unattributed += frame.self.estimate;
    }
}

/// The paths of groups are those of their functions: as many as by default, whatever number of frames they
/// are folded to, and then the heaviest frames.
void expand(Tree& tree, Steps& steps, const std::vector<Start>& starts, const FrameIdentities& identities,
            const TreeOptions& options) {
    TreeOptions limits = options;
    FrameLimit limit;
    if (identities.are_groups()) {
        limits.max_frames = std::max(limits.max_frames, TreeOptions().max_frames);
        limits.min_weight = 0;
        limit.least = options.min_weight / steps.flow().unit;
    }
    const Paths paths = heaviest_paths(steps, starts, identities, limits);
    const auto write = [&] {
        make_frames(tree, steps, paths, std::span(starts).subspan(paths.begun), identities, options, limit);
    };
    write();
    if (tree.functions > options.max_frames) {
        std::vector<double> costs;
        for (const Frame& frame : tree.frames)
            if (frame.kind == FrameKind::function) costs.push_back(frame.inclusive.estimate);
        const auto last = costs.begin() + static_cast<std::ptrdiff_t>(options.max_frames);
        std::nth_element(costs.begin(), last, costs.end(), std::greater<>());
        limit.least = *last;
        limit.ties = static_cast<std::size_t>(std::count(costs.begin(), last, limit.least));
        tree.frames.clear();
        tree.functions = 0;
        write();
    }
    narrow_bounds(tree);
    convert_units(tree, steps.flow().unit);
    add_up(tree);
}

TreeOptions default_limits(TreeOptions options) {
    const TreeOptions usual;
    options.max_frames = usual.max_frames;
    options.max_levels = usual.max_levels;
    options.min_weight = usual.min_weight;
    options.expands = {};
    return options;
}

bool is_limited_as_usual(const TreeOptions& options) {
    const TreeOptions usual;
    return options.max_frames == usual.max_frames && options.max_levels == usual.max_levels &&
           options.min_weight == usual.min_weight;
}

Tree estimate(const CallGraph& graph, const FrameIdentities& identities, const TreeOptions& options) {
    Tree tree;
    tree.measure = *options.measure;
    tree.direction = options.direction;
    tree.from_chosen = options.root != nullptr;
    if (!tree.measure.additive) return tree;  // F78
    const Flow flow(graph, tree.measure);
    tree.negative = flow.negative;
    const std::vector<Start> starts = starts_of(flow, options);
    for (const Start& start : starts) {
        tree.inclusive += start.cost.estimate;
        if (!options.root && options.direction == TreeDirection::callees && flow.partly_paid(start.node))
            tree.partly_paid += start.cost.estimate;
    }
    Steps steps(flow, options);
    Tree for_certainty = tree;
    expand(tree, steps, starts, identities, options);
    if (is_limited_as_usual(options) || options.expands) return tree;
    expand(for_certainty, steps, starts, identities, default_limits(options));
    tree.certain = for_certainty.certain;
    return tree;
}

}  // namespace

// Levels and contexts that were recorded tell more than the functions that they are folded to, and functions
// more than groups.
Tree estimate_tree(const CallGraph& graph, const TreeOptions& options) {
    TreeOptions wanted = options;
    if (!wanted.measure) wanted.measure = default_measure(graph);
    const auto* const groups = data_of(graph).is_of_groups() ? data_of(graph).mapping.get() : nullptr;
    const CallGraph& functions = groups ? *groups->of_functions : graph;
    const auto unfolded = unfold(functions);
    const CallGraph& whole = unfolded ? unfolded->graph : functions;
    if (!unfolded && !groups) return estimate(graph, FrameIdentities(graph, wanted.recursion), wanted);
    std::vector<NodeId> shown;  // by nodes of the whole graph
    for (std::size_t row = 0; row < whole.size(); ++row) {
        const NodeId function = unfolded ? unfolded->folded[row] : NodeId(row);
        shown.push_back(groups ? NodeId(groups->group_of[function.value]) : function);
    }
    if (options.root) wanted.root = [&](NodeId node) { return options.root(shown[node.value]); };
    if (options.expands)
        wanted.expands = [&](NodeId node, std::size_t level) {
            return options.expands(shown[node.value], level);
        };
    if (groups) wanted.recursion = Recursion::fold;
    Tree tree =
        estimate(whole, groups ? FrameIdentities(shown) : FrameIdentities(whole, wanted.recursion), wanted);
    for (Frame& frame : tree.frames) {
        if (!frame.node.valid()) continue;
        frame.node = shown[frame.node.value];
        if (groups) frame.inlined = false;
    }
    return tree;
}

std::string_view frame_label(const CallGraph& graph, const ContextNames& contexts, const Frame& frame) {
    switch (frame.kind) {
        case FrameKind::not_expanded:
            return "(not expanded)";
        case FrameKind::unbalanced:
            return "(unbalanced)";
        case FrameKind::unrecorded_callees:
            return "(callees not recorded)";
        case FrameKind::unattributed:
            return "(unattributed)";
        case FrameKind::function:
            break;
    }
    if (!contexts.any() || data_of(graph).is_of_groups()) return graph.name(frame.node);
    return contexts.split(graph.function(frame.node)).name;
}

}  // namespace callcost
