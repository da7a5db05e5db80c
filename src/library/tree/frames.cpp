#include "tree/frames.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "call_graph/graph_data.hpp"

namespace callcost {
namespace {

void add(EstimatedCost& sum, const EstimatedCost& more) {
    sum.estimate += more.estimate;
    sum.least = bounded_add(sum.least, more.least);
    sum.most = bounded_add(sum.most, more.most);
}

/// Makes frames of paths: those of one function next to each other are one frame, and so is a function with
/// the levels of its direct recursion if that is folded.
class Frames {
  public:
    Frames(Steps& steps, const Paths& paths, std::span<const Start> not_begun,
           const FrameIdentities& identities, const TreeOptions& options, const FrameLimit& limit)
        : steps_(steps),
          graph_(steps.flow().graph),
          paths_(paths),
          not_begun_(not_begun),
          identities_(identities),
          folds_(options.recursion == Recursion::fold),
          max_levels_(options.max_levels),
          limit_(limit),
          below_(group_by<std::uint32_t>(paths.rows.size(), paths.rows.size(),
                                         [&](std::size_t row) { return paths.rows[row].parent; })) {}

    void write(Tree& tree) {
        tree_ = &tree;
        Rows roots;
        for (std::uint32_t row = 0; row < paths_.rows.size(); ++row)
            if (paths_.rows[row].parent == Frame::none) roots.push_back(row);
        EstimatedCost not_expanded = paths_.not_begun;
        Unseen unseen;
        for (const Start& start : not_begun_)
            if (has_contexts(start.node)) unseen.add(identities_.of(start.node), start.cost.most);
        later(roots, not_expanded, Frame::none, unseen);
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
    struct Folded {
        EstimatedCost cost;     // of levels below it
        bool is_level = false;  // it is one itself
    };
    struct Waiting {
        FrameKind kind;
        EstimatedCost cost;
        std::uint32_t parent;
        Rows rows{};
        std::int64_t unseen =
            0;  // the most that paths which are not expanded add to it, or to frames below it
    };
    /// What paths that are not expanded may cost in frames that there are: in each, and in those of a
    /// function.
    struct Unseen {
        std::int64_t anywhere = 0;
        std::map<std::uint32_t, std::int64_t> of{};  // by identity

        void add(NodeId function, std::int64_t most) {
            std::int64_t& sum = of[function.value];
            sum = bounded_add(sum, most);
        }
        [[nodiscard]] std::int64_t in(NodeId function) const {
            const auto found = of.find(function.value);
            return found == of.end() ? anywhere : bounded_add(anywhere, found->second);
        }
    };
    /// Of the steps from a function: those to a level of it, and to one of several contexts of another.
    struct OpenSteps {
        Rows levels, contexts;
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
        Unseen unseen{.anywhere = what.unseen};
        for (std::size_t i = 0; i < members.size(); ++i) {
            const Path& path = paths_.rows[members[i]];
            EstimatedCost ends = steps_.ends(path);
            const FrameKind kind = unbalanced_kind(path.node);
            add(kind == FrameKind::unrecorded_callees ? unrecorded
                : kind == FrameKind::unattributed     ? unattributed
                                                      : unbalanced,
                steps_.unbalanced(path));
            EstimatedCost rest = steps_.not_expanded(path);
            leave_to_frames(path, ends, rest, unseen);
            add(self, ends);
            add(not_expanded, rest);
            for (const std::uint32_t callee : below_[members[i]]) {
                if (is_folded(callee)) continue;
                if (folds_ && same(callee, members[0])) {
                    members.push_back(callee);
                } else {
                    if (folds_) fold_calls_of_inlined(callee, members, self, unseen);
                    callees.push_back(callee);
                }
            }
        }
        if (members.size() > 1) {  // what one of them is not expanded to, another may be
            unseen.anywhere = bounded_add(unseen.anywhere, not_expanded.most);
            not_expanded.least = 0;
        }
        Frame& frame = add_frame(what);
        frame.node = node;
        frame.inlined = inlined_in(graph_, node).valid();
        const bool is_below_levels =  // of its callers, which have as much as all of them together
            !data_of(graph_).divided.empty() && !data_of(graph_).divided_cycle(node).valid() &&
            std::all_of(members.begin(), members.end(),
                        [&](std::uint32_t member) { return paths_.rows[member].node == node; });
        if (is_below_levels)
            frame.inclusive.most = std::min<Cost>(frame.inclusive.most, Cost(steps_.passes(node)));
        frame.inclusive.most = bounded_add(frame.inclusive.most, what.unseen);
        frame.self = self;
        frame.self.most = bounded_add(frame.self.most, what.unseen);
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
        later(callees, not_expanded, row, unseen);
    }

    /// Where inlined code calls the function that it is in, that is a level of direct recursion, too: what
    /// it costs is not below the inlined code. To `self` goes what levels that are not expanded may spend.
    void fold_calls_of_inlined(std::uint32_t path, Rows& members, EstimatedCost& self, Unseen& unseen) {
        const auto is_inlined = [&](std::uint32_t row) {
            return host(paths_.rows[row].node) == identity(members[0]);
        };
        if (!is_inlined(path)) return;
        Rows inlined{path};
        for (std::size_t i = 0; i < inlined.size(); ++i) {
            for (const std::uint32_t row : below_[inlined[i]]) {
                if (!same(row, members[0])) {
                    if (is_inlined(row)) inlined.push_back(row);
                    continue;
                }
                members.push_back(row);
                folded(row).is_level = true;
                add(folded(inlined[i]).cost, paths_.rows[row].cost);
            }
            if (const std::int64_t most = levels_not_expanded(paths_.rows[inlined[i]]); most > 0) {
                folded(inlined[i]).cost.most = bounded_add(folded(inlined[i]).cost.most, most);
                self.most = bounded_add(self.most, most);
                unseen.anywhere = bounded_add(unseen.anywhere, most);
            }
        }
        if (folded_.empty()) return;
        for (std::size_t i = inlined.size(); i-- > 1;)
            add(folded_[paths_.rows[inlined[i]].parent].cost, folded_[inlined[i]].cost);
    }
    /// Of the function that a node is inlined in; invalid: it is not.
    [[nodiscard]] NodeId host(NodeId node) const {
        if (identities_.are_groups()) return {};
        const Profile& profile = graph_.profile();
        const FunctionId own = graph_.function(node);
        return inlined_in(graph_, node).valid() ? identities_.of(graph_.node_of(profile.host(own)))
                                                : NodeId();
    }
    Folded& folded(std::uint32_t path) {
        folded_.resize(paths_.rows.size());
        return folded_[path];
    }
    [[nodiscard]] bool is_folded(std::uint32_t path) const {
        return !folded_.empty() && folded_[path].is_level;
    }
    /// Without what is folded into a frame above.
    [[nodiscard]] EstimatedCost cost_of(std::uint32_t path) const {
        constexpr double rounding = 1e-9;
        EstimatedCost cost = paths_.rows[path].cost;
        if (folded_.empty() || folded_[path].cost.most == 0) return cost;
        const EstimatedCost& less = folded_[path].cost;
        const double all = cost.estimate;
        cost.estimate -= less.estimate;
        if (cost.estimate < rounding * all) cost.estimate = 0;
        cost.least = std::max<std::int64_t>(0, cost.least - less.most);
        cost.most = std::max<std::int64_t>(0, cost.most - less.least);
        return cost;
    }

    /// Levels of its recursion to which a path is not expanded are the function, too: what they spend
    /// themselves is its self cost, and is not known. What is below them, and below a context of a function
    /// that has a frame, belongs to frames that there are.
    void leave_to_frames(const Path& path, EstimatedCost& self, EstimatedCost& not_expanded, Unseen& unseen) {
        const auto& steps = steps_.from(path);
        const OpenSteps& open = open_steps(path, steps);
        std::int64_t contexts = 0;
        if (const auto left = left_of(open.contexts, path); left.size() <= max_left) {
            for (const std::uint32_t i : left) {
                const std::int64_t most = steps_.along(path, steps[i]).most;
                unseen.add(identities_.of(steps[i].to), most);
                contexts = bounded_add(contexts, most);
            }
        } else {
            contexts = not_expanded.most;
            unseen.anywhere = bounded_add(unseen.anywhere, contexts);
        }
        std::int64_t levels = levels_not_expanded(path);
        if (function_of(path) == identities_.of(path.node) && levels > 0) {
            auto left = left_of(open.levels, path);
            if (left.size() > max_left) left = left.first(max_left);
            for (const std::uint32_t i : left) {
                if (identities_.of(steps[i].to) != identities_.of(path.node)) continue;
                const double ends =
                    std::min(steps_.along(path, steps[i]).estimate * steps_.share_of_ends(steps[i].to),
                             not_expanded.estimate);
                self.estimate += ends;
                not_expanded.estimate -= ends;
            }
            unseen.anywhere = bounded_add(unseen.anywhere, levels);
            const std::int64_t ends = ends_of_function(path.node) - std::int64_t{self.least};
            self.most = bounded_add(self.most, std::min(levels, ends));
        }
        not_expanded.least = std::max<std::int64_t>(0, not_expanded.least - bounded_add(levels, contexts));
    }
    /// Of these steps those that a path is not expanded to, the most expensive first. No visit of a function
    /// looks at all that it calls: where many are left, all that is not expanded may be theirs.
    static constexpr std::size_t max_left = 64;
    [[nodiscard]] static std::span<const std::uint32_t> left_of(const Rows& steps, const Path& path) {
        const auto first = std::lower_bound(steps.begin(), steps.end(), path.steps) - steps.begin();
        return std::span(steps).subspan(static_cast<std::size_t>(first));
    }
    /// The greatest cost of levels that a path is not expanded to.
    [[nodiscard]] std::int64_t levels_not_expanded(const Path& path) {
        const auto& steps = steps_.from(path);
        const auto left = left_of(open_steps(path, steps).levels, path);
        if (left.size() > max_left) return steps_.not_expanded(path).most;
        std::int64_t most = 0;
        for (const std::uint32_t i : left) most = bounded_add(most, steps_.along(path, steps[i]).most);
        return most;
    }
    /// Whose levels are folded into one frame here: the function, or the one that it is inlined in.
    [[nodiscard]] NodeId function_of(const Path& path) const { return identity(path.around); }
    [[nodiscard]] bool has_contexts(NodeId node) {
        if (!identities_.any()) return false;
        if (has_contexts_.empty()) {
            has_contexts_.resize(graph_.size());
            for (std::size_t row = 0; row < graph_.size(); ++row)
                if (const NodeId first = identities_.of(NodeId(row)); first.value != row)
                    has_contexts_[row] = has_contexts_[first.value] = true;
        }
        return has_contexts_[node.value];
    }
    /// Levels: also code inlined in the function that calls it. There are many paths with the same steps.
    const OpenSteps& open_steps(const Path& path, const std::vector<Steps::Step>& steps) {
        const NodeId function = function_of(path);
        const auto [known, is_new] = open_steps_.try_emplace({&steps, function.value});
        if (!is_new) return known->second;
        for (std::uint32_t i = 0; i < steps.size(); ++i) {
            const NodeId to = steps[i].to;
            if (folds_ && (identities_.of(to) == function || (host(to) == function && calls_host(to))))
                known->second.levels.push_back(i);
            else if (has_contexts(to))
                known->second.contexts.push_back(i);
        }
        return known->second;
    }
    /// Of inlined code: whether it, or what is inlined in it, calls the function that it is in.
    bool calls_host(NodeId node) {
        if (tree_->direction == TreeDirection::callers) return true;  // that is how it was reached
        if (calls_host_.empty()) {
            calls_host_.resize(graph_.size());
            for (std::size_t row = 0; row < graph_.size(); ++row) {
                const NodeId function = host(NodeId(row));
                if (!function.valid()) continue;
                const auto arcs = graph_.callees(NodeId(row));
                if (std::none_of(arcs.begin(), arcs.end(),
                                 [&](ArcId arc) { return identities_.of(graph_.callee(arc)) == function; }))
                    continue;
                NodeId in(row);
                while (host(in).valid() && !calls_host_[in.value]) {
                    calls_host_[in.value] = true;
                    in = graph_.node_of(inlined_in(graph_, in));
                }
            }
        }
        return calls_host_[node.value];
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

    /// The most expensive comes last and is taken first; what is not expanded goes before all of them.
    void later(Rows& rows, EstimatedCost not_expanded, std::uint32_t parent, const Unseen& unseen) {
        std::erase_if(rows, [&](std::uint32_t row) { return cost_of(row).estimate == 0; });
        std::sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
            return std::tuple(identity(a), a) <
                   std::tuple(identity(b), b);  // the most expensive context first
        });
        std::vector<Waiting> found;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (i == 0 || !same(rows[i], rows[i - 1]))
                found.push_back({.kind = FrameKind::function,
                                 .cost = {},
                                 .parent = parent,
                                 .unseen = unseen.in(identity(rows[i]))});
            add(found.back().cost, cost_of(rows[i]));
            found.back().rows.push_back(rows[i]);
        }
        std::erase_if(found, [&](const Waiting& one) {
            if (one.cost.estimate > limit_.least || (one.cost.estimate == limit_.least && limit_.ties > 0)) {
                if (one.cost.estimate == limit_.least) --limit_.ties;
                return false;
            }
            add(not_expanded, one.cost);
            return true;
        });
        later(FrameKind::not_expanded, not_expanded, parent);
        std::sort(found.begin(), found.end(), [&](const Waiting& a, const Waiting& b) {
            if (a.cost.estimate != b.cost.estimate) return a.cost.estimate < b.cost.estimate;
            const NodeId of_a = paths_.rows[a.rows[0]].node;
            const NodeId of_b = paths_.rows[b.rows[0]].node;
            return of_a != of_b && precedes(graph_, of_b, of_a);
        });
        std::move(found.begin(), found.end(), std::back_inserter(waiting_));
    }

    Steps& steps_;
    const CallGraph& graph_;
    const Paths& paths_;
    std::span<const Start> not_begun_;
    const FrameIdentities& identities_;
    bool folds_;
    std::size_t max_levels_;
    FrameLimit limit_;
    Grouping<std::uint32_t> below_;
    std::vector<Waiting> waiting_;
    std::map<std::pair<const void*, std::uint32_t>, OpenSteps> open_steps_;  // by steps and function
    std::vector<bool> has_contexts_, calls_host_;                            // by node; empty: not yet known
    std::vector<std::int64_t> ends_;                                         // by identity
    std::vector<Folded> folded_;                                             // by path; empty: none
    Tree* tree_ = nullptr;
};

}  // namespace

void make_frames(Tree& tree, Steps& steps, const Paths& paths, std::span<const Start> not_begun,
                 const FrameIdentities& identities, const TreeOptions& options, const FrameLimit& limit) {
    Frames(steps, paths, not_begun, identities, options, limit).write(tree);
}

}  // namespace callcost
