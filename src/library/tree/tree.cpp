#include "callcost/tree.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "call_graph/unfold.hpp"
#include "tree/paths.hpp"

namespace callcost {
namespace {

std::int64_t bounded_add(std::int64_t a, std::int64_t b) { return a > INT64_MAX - b ? INT64_MAX : a + b; }

void add(EstimatedCost& sum, const EstimatedCost& more) {
    sum.estimate += more.estimate;
    sum.least = bounded_add(sum.least, more.least);
    sum.most = bounded_add(sum.most, more.most);
}

/// Makes frames of paths: those of one function next to each other are one frame, and so is a function with
/// the levels of its direct recursion if that is folded.
class Frames {
  public:
    Frames(Steps& steps, const Paths& paths, const FrameIdentities& identities, const TreeOptions& options)
        : steps_(steps),
          graph_(steps.flow().graph),
          paths_(paths),
          identities_(identities),
          folds_(options.recursion == Recursion::fold),
          max_levels_(options.max_levels),
          below_(group_by<std::uint32_t>(paths.rows.size(), paths.rows.size(),
                                         [&](std::size_t row) { return paths.rows[row].parent; })) {}

    void write(Tree& tree) {
        tree_ = &tree;
        Rows roots;
        for (std::uint32_t row = 0; row < paths_.rows.size(); ++row)
            if (paths_.rows[row].parent == Frame::none) roots.push_back(row);
        later(FrameKind::not_expanded, paths_.not_begun, Frame::none);
        later(roots, Frame::none);
        while (!waiting_.empty()) {
            const Waiting next = std::move(waiting_.back());
            waiting_.pop_back();
            if (next.kind == FrameKind::function) {
                add_function(next);
            } else {
                add_frame(next).self = next.cost;
            }
        }
        for (std::size_t row = tree.frames.size(); row-- > 0;) {
            Frame& frame = tree.frames[row];
            frame.end = std::max(frame.end, static_cast<std::uint32_t>(row + 1));
            if (frame.parent == Frame::none) continue;
            Frame& parent = tree.frames[frame.parent];
            parent.end = std::max(parent.end, frame.end);
        }
    }

  private:
    using Rows = std::vector<std::uint32_t>;  // of paths
    struct Waiting {
        FrameKind kind;
        EstimatedCost cost;
        std::uint32_t parent;
        Rows rows{};
    };

    Frame& add_frame(const Waiting& what) {
        Frame frame;
        frame.kind = what.kind;
        frame.parent = what.parent;
        frame.level = what.parent == Frame::none ? 1 : tree_->frames[what.parent].level + 1;
        frame.inclusive = what.cost;
        tree_->frames.push_back(frame);
        return tree_->frames.back();
    }

    void add_function(const Waiting& what) {
        const auto row = static_cast<std::uint32_t>(tree_->frames.size());
        const NodeId node = paths_.rows[what.rows[0]].node;
        Rows members = what.rows;
        Rows callees;
        EstimatedCost self, unbalanced, unrecorded, unattributed, not_expanded;
        for (std::size_t i = 0; i < members.size(); ++i) {
            const Path& path = paths_.rows[members[i]];
            EstimatedCost ends = steps_.ends(path);
            const FrameKind kind = unbalanced_kind(path.node);
            add(kind == FrameKind::unrecorded_callees ? unrecorded
                : kind == FrameKind::unattributed     ? unattributed
                                                      : unbalanced,
                steps_.unbalanced(path));
            EstimatedCost rest = steps_.not_expanded(path);
            if (folds_ && identities_.any()) leave_to_levels(path, ends, rest);
            add(self, ends);
            add(not_expanded, rest);
            for (const std::uint32_t callee : below_[members[i]]) {
                if (is_folded(callee)) continue;
                if (folds_ && same(callee, members[0])) {
                    members.push_back(callee);
                } else {
                    if (folds_) fold_calls_of_inlined(callee, members);
                    callees.push_back(callee);
                }
            }
        }
        Frame& frame = add_frame(what);
        frame.node = node;
        frame.inlined = graph_.profile().inlined_in(graph_.function(node)).valid();
        frame.self = self;
        if (what.parent == Frame::none && tree_->direction == TreeDirection::callees)
            frame.partly_paid = std::any_of(what.rows.begin(), what.rows.end(), [&](std::uint32_t root) {
                return steps_.flow().partly_paid(paths_.rows[root].node);
            });
        ++tree_->functions;
        later(FrameKind::unbalanced, unbalanced, row);
        later(FrameKind::unrecorded_callees, unrecorded, row);
        later(FrameKind::unattributed, unattributed, row);
        if (tree_->frames[row].level == max_levels_) {
            for (const std::uint32_t callee : callees) add(not_expanded, cost_of(callee));
            callees.clear();
        }
        later(FrameKind::not_expanded, not_expanded, row);
        later(callees, row);
    }

    /// Where inlined code calls the function that it is in, that is a level of direct recursion, too: what
    /// it costs is not below the inlined code.
    void fold_calls_of_inlined(std::uint32_t path, Rows& members) {
        if (!is_inlined_in(path, members[0])) return;
        Rows inlined{path};
        for (std::size_t i = 0; i < inlined.size(); ++i) {
            for (const std::uint32_t row : below_[inlined[i]]) {
                if (!same(row, members[0])) {
                    if (is_inlined_in(row, members[0])) inlined.push_back(row);
                    continue;
                }
                members.push_back(row);
                folded_.resize(paths_.rows.size());
                folded_[row].is_level = true;
                add(folded_[inlined[i]].cost, paths_.rows[row].cost);
            }
        }
        if (folded_.empty()) return;
        for (std::size_t i = inlined.size(); i-- > 1;)
            add(folded_[paths_.rows[inlined[i]].parent].cost, folded_[inlined[i]].cost);
    }
    [[nodiscard]] bool is_inlined_in(std::uint32_t path, std::uint32_t function) const {
        const Profile& profile = graph_.profile();
        const FunctionId own = graph_.function(paths_.rows[path].node);
        return profile.inlined_in(own).valid() &&
               identities_.of(graph_.node_of(profile.host(own))) == identity(function);
    }
    [[nodiscard]] bool is_folded(std::uint32_t path) const {
        return !folded_.empty() && folded_[path].is_level;
    }
    /// Without what is folded into a frame above.
    [[nodiscard]] EstimatedCost cost_of(std::uint32_t path) const {
        constexpr double rounding = 1e-9;
        EstimatedCost cost = paths_.rows[path].cost;
        if (folded_.empty() || folded_[path].cost.estimate == 0) return cost;
        const EstimatedCost& less = folded_[path].cost;
        const double all = cost.estimate;
        cost.estimate -= less.estimate;
        if (cost.estimate < rounding * all) cost.estimate = 0;
        cost.least = std::max<std::int64_t>(0, cost.least - less.most);
        cost.most = std::max<std::int64_t>(0, cost.most - less.least);
        return cost;
    }

    /// Levels of its recursion to which a path is not expanded are the function, too: what they spend
    /// themselves is its self cost, and is not known.
    void leave_to_levels(const Path& path, EstimatedCost& self, EstimatedCost& not_expanded) {
        const auto& steps = steps_.from(path);
        std::int64_t most = 0;
        for (const std::uint32_t i : levels_of(path, steps)) {
            if (i < path.steps) continue;
            const EstimatedCost cost = steps_.along(path, steps[i]);
            const double ends =
                std::min(cost.estimate * steps_.share_of_ends(steps[i].to), not_expanded.estimate);
            self.estimate += ends;
            not_expanded.estimate -= ends;
            most = bounded_add(most, cost.most);
        }
        if (most == 0) return;
        most = std::min(most, ends_of_function(path.node) - std::int64_t{self.least});
        self.most = bounded_add(self.most, most);
        not_expanded.least = std::max<std::int64_t>(0, not_expanded.least - most);
    }
    /// Which of the steps lead to a level of the function itself; there are many paths with the same steps.
    const Rows& levels_of(const Path& path, const std::vector<Steps::Step>& steps) {
        const auto [known, is_new] = levels_.try_emplace(&steps);
        if (is_new)
            for (std::uint32_t i = 0; i < steps.size(); ++i)
                if (identities_.of(steps[i].to) == identities_.of(path.node)) known->second.push_back(i);
        return known->second;
    }
    /// What ends at all levels and contexts of a function.
    std::int64_t ends_of_function(NodeId node) {
        if (ends_.empty()) {
            ends_.resize(graph_.size());
            for (std::size_t row = 0; row < graph_.size(); ++row) {
                auto& sum = ends_[identities_.of(NodeId(row)).value];
                sum = bounded_add(sum, steps_.ends_at(NodeId(row)));
            }
        }
        return ends_[identities_.of(node).value];
    }

    /// Where that was spent which is unbalanced at a function.
    [[nodiscard]] FrameKind unbalanced_kind(NodeId node) const {
        const Flow& flow = steps_.flow();
        if (flow.unbalanced(node) == 0) return FrameKind::unbalanced;
        if (graph_.unrecorded_callees(node, flow.measure) > 0) return FrameKind::unrecorded_callees;
        return graph_.unattributed(node, flow.measure) > 0 ? FrameKind::unattributed : FrameKind::unbalanced;
    }

    [[nodiscard]] NodeId identity(std::uint32_t row) const { return identities_.of(paths_.rows[row].node); }
    [[nodiscard]] bool same(std::uint32_t a, std::uint32_t b) const { return identity(a) == identity(b); }

    void later(FrameKind kind, const EstimatedCost& cost, std::uint32_t parent) {
        if (cost.estimate > 0) waiting_.push_back({.kind = kind, .cost = cost, .parent = parent});
    }

    /// The most expensive comes last and is taken first.
    void later(Rows& rows, std::uint32_t parent) {
        std::erase_if(rows, [&](std::uint32_t row) { return cost_of(row).estimate == 0; });
        std::sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
            return std::tuple(identity(a), a) <
                   std::tuple(identity(b), b);  // the most expensive context first
        });
        const auto begin = static_cast<std::ptrdiff_t>(waiting_.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (i == 0 || !same(rows[i], rows[i - 1]))
                waiting_.push_back({.kind = FrameKind::function, .cost = {}, .parent = parent});
            add(waiting_.back().cost, cost_of(rows[i]));
            waiting_.back().rows.push_back(rows[i]);
        }
        std::sort(waiting_.begin() + begin, waiting_.end(), [&](const Waiting& a, const Waiting& b) {
            if (a.cost.estimate != b.cost.estimate) return a.cost.estimate < b.cost.estimate;
            const NodeId of_a = paths_.rows[a.rows[0]].node;
            const NodeId of_b = paths_.rows[b.rows[0]].node;
            return of_a != of_b && precedes(graph_, of_b, of_a);
        });
    }

    Steps& steps_;
    const CallGraph& graph_;
    const Paths& paths_;
    const FrameIdentities& identities_;
    bool folds_;
    std::size_t max_levels_;
    Grouping<std::uint32_t> below_;
    std::vector<Waiting> waiting_;
    std::unordered_map<const void*, Rows> levels_;  // by the steps that there are
    std::vector<std::int64_t> ends_;                // by identity
    struct Folded {
        EstimatedCost cost;     // of levels below it
        bool is_level = false;  // it is one itself
    };
    std::vector<Folded> folded_;  // by path; empty: none
    Tree* tree_ = nullptr;
};

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

void expand(Tree& tree, Steps& steps, const std::vector<Start>& starts, const TreeOptions& options) {
    const FrameIdentities identities(steps.flow().graph, options.recursion);
    const Paths paths = heaviest_paths(steps, starts, identities, options);
    Frames(steps, paths, identities, options).write(tree);
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

Tree estimate(const CallGraph& graph, const TreeOptions& options) {
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
    expand(tree, steps, starts, options);
    if (is_limited_as_usual(options) || options.expands) return tree;
    expand(for_certainty, steps, starts, default_limits(options));
    tree.certain = for_certainty.certain;
    return tree;
}

}  // namespace

// Levels and contexts that were recorded tell more than the functions that they are folded to.
Tree estimate_tree(const CallGraph& graph, const TreeOptions& options) {
    TreeOptions wanted = options;
    if (!wanted.measure) wanted.measure = default_measure(graph);
    const auto unfolded = unfold(graph);
    if (!unfolded) return estimate(graph, wanted);
    wanted.root = unfolded->asked(options.root);
    if (options.expands)
        wanted.expands = [&](NodeId node, std::size_t level) {
            return options.expands(unfolded->folded[node.value], level);
        };
    Tree tree = estimate(unfolded->graph, wanted);
    for (Frame& frame : tree.frames)
        if (frame.node.valid()) frame.node = unfolded->folded[frame.node.value];
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
    if (!contexts.any()) return graph.name(frame.node);
    return contexts.split(graph.function(frame.node)).name;
}

}  // namespace callcost
