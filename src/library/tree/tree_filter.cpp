// What filters keep of a tree, path by path.
#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "call_graph/graph_data.hpp"
#include "call_graph/spread.hpp"
#include "call_graph/unfold.hpp"
#include "callcost/tree.hpp"

namespace callcost {
namespace {

using FrameRows = std::vector<std::uint32_t>;

void add_bounds(EstimatedCost& sum, const EstimatedCost& more) {
    sum.estimate += more.estimate;
    sum.least = more.least > INT64_MAX - sum.least ? Cost(INT64_MAX) : sum.least + more.least;
    sum.most = more.most > INT64_MAX - sum.most ? Cost(INT64_MAX) : sum.most + more.most;
}

/// The difference of two bounds, of which neither is negative.
Cost less(Cost from, Cost what) { return what > from ? Cost() : from - what; }

/// What stays of each frame, before any is hidden. A path that is not in the tree, or only from a chosen
/// function on, may have functions on it that the filters name: what may be kept is as much as brings the sum
/// to what the filters keep.
class KeptCosts {
  public:
    KeptCosts(const Tree& tree, const CallGraph& graph, const Filters& filters, const FilteredCosts* kept)
        : tree_(tree),
          graph_(graph),
          kept_(kept),
          has_shared_frames_(!is_folded(graph) && !data_of(graph).is_of_groups() &&
                             ContextNames(graph.profile()).any()) {
        self.resize(tree.frames.size());
        inclusive.resize(tree.frames.size());
        any.assign(tree.frames.size(), false);
        parts_.assign(tree.frames.size(), Kept::nothing);
        choose(filters);
        const auto count = static_cast<std::uint32_t>(tree.frames.size());
        for (std::uint32_t row = 0, end = 0; row < count; row = end) {
            end = tree.from_chosen ? tree.frames[row].end : count;
            share(row, end);
        }
    }

    std::vector<EstimatedCost> self, inclusive;  ///< by row
    std::vector<bool> any;                       ///< something of the frame, or below it

  private:
    /// By node, whether calls lead from it to a function that is meant, or from that to it. A node that is
    /// meant counts.
    [[nodiscard]] std::vector<bool> related(const Filters::Predicate& is_meant, Direction direction) const {
        auto found = marks(graph_, is_meant);
        if (is_meant && has_shared_frames_) {
            found.assign(graph_.size(), true);
        } else {
            spread(graph_, found, direction, [](ArcId, NodeId) { return true; });
        }
        return found;
    }

    void choose(const Filters& filters) {
        const bool is_down = tree_.direction == TreeDirection::callees;
        const auto ahead = is_down ? Direction::callers : Direction::callees;
        const auto behind = is_down ? Direction::callees : Direction::callers;
        const auto leads_to_focus = related(filters.focus, ahead);
        const auto leads_to_ignored = related(filters.ignore, ahead);
        std::vector<bool> after_focus, after_ignored;
        if (tree_.from_chosen) {
            after_focus = related(filters.focus, behind);
            after_ignored = related(filters.ignore, behind);
        }
        struct Path {
            bool is_focused, is_ignored, may_be_focused, may_be_ignored;
        };
        std::vector<Path> paths(tree_.frames.size());
        for (std::size_t row = 0; row < paths.size(); ++row) {
            const auto& frame = tree_.frames[row];
            const bool is_root = frame.parent == Frame::none;
            auto& path = paths[row];
            path = is_root ? Path{!filters.focus, false, false, false} : paths[frame.parent];
            if (frame.kind == FrameKind::function) {
                const auto node = frame.node.value;
                if (filters.focus && filters.focus(frame.node)) path.is_focused = true;
                if (filters.ignore && filters.ignore(frame.node)) path.is_ignored = true;
                if (is_root && tree_.from_chosen) {
                    path.may_be_focused = after_focus[node];
                    path.may_be_ignored = after_ignored[node];
                }
            } else if (frame.kind == FrameKind::not_expanded) {
                const auto leads = [&](const Filters::Predicate& filter, const std::vector<bool>& marked) {
                    return filter && (is_root || marked[tree_.frames[frame.parent].node.value]);
                };
                path.may_be_focused = path.may_be_focused || leads(filters.focus, leads_to_focus);
                path.may_be_ignored = path.may_be_ignored || leads(filters.ignore, leads_to_ignored);
            }
            if (path.is_ignored || !(path.is_focused || path.may_be_focused)) continue;
            parts_[row] = path.is_focused && !path.may_be_ignored ? Kept::everything : Kept::some;
        }
    }

    /// What the filters keep of these rows together: of all, or of what is below one chosen function.
    struct Whole {
        double estimate = 0;
        Cost least = 0, most = INT64_MAX;
    };
    [[nodiscard]] Whole whole(std::uint32_t begin) const {
        Whole sum;
        if (!tree_.from_chosen) {
            for (const Cost cost : kept_->self.estimate) sum.estimate += static_cast<double>(cost);
            return sum;
        }
        const auto& frame = tree_.frames[begin];
        if (frame.kind != FrameKind::function || has_shared_frames_)
            return {frame.inclusive.estimate, 0, INT64_MAX};
        const auto all = graph_.inclusive_bounds(frame.node, tree_.measure);
        const auto row = frame.node.value;
        // Some of the function may be below another chosen one.
        const double part = all.estimate > 0 ? static_cast<double>(kept_->inclusive.estimate[row]) /
                                                   static_cast<double>(all.estimate)
                                             : 0;
        return {part * frame.inclusive.estimate,
                less(kept_->inclusive.least[row], less(all.most, frame.inclusive.least)),
                std::max<Cost>(0, kept_->inclusive.most[row])};
    }

    void share(std::uint32_t begin, std::uint32_t end) {
        EstimatedCost sure, open;
        for (auto row = begin; row < end; ++row) {
            if (parts_[row] == Kept::everything) add_bounds(sure, tree_.frames[row].self);
            if (parts_[row] == Kept::some) add_bounds(open, tree_.frames[row].self);
        }
        double part = 1;
        Cost gone = 0, most = INT64_MAX;  // of what is open
        if (open.most > 0) {
            const auto all = whole(begin);
            part =
                open.estimate > 0 ? std::clamp((all.estimate - sure.estimate) / open.estimate, 0.0, 1.0) : 0;
            if (tree_.from_chosen)
                open.most = std::min(open.most, less(tree_.frames[begin].inclusive.most, sure.least));
            gone = less(open.most, less(all.least, sure.most));
            most = less(all.most, sure.least);
        }
        std::vector<bool> is_whole(end - begin), has_open(end - begin);
        for (auto row = begin; row < end; ++row) {
            any[row] = parts_[row] != Kept::nothing;
            is_whole[row - begin] = any[row];
            has_open[row - begin] = parts_[row] == Kept::some;
            if (any[row]) self[row] = tree_.frames[row].self;
            if (!has_open[row - begin]) continue;
            self[row].estimate *= part;
            self[row].least = less(self[row].least, gone);
            self[row].most = std::min(self[row].most, most);
        }
        for (auto row = end; row-- > begin;) {
            const auto& frame = tree_.frames[row];
            auto& sum = inclusive[row];
            add_bounds(sum, self[row]);
            sum.most = std::min(sum.most, frame.inclusive.most);
            // Sums of bounds are wider than what is known of the whole.
            if (is_whole[row - begin]) {
                if (!has_open[row - begin]) sum = frame.inclusive;
                sum.least = std::max(sum.least, less(frame.inclusive.least, gone));
            }
            if (frame.parent == Frame::none) continue;
            add_bounds(inclusive[frame.parent], sum);
            if (any[row]) any[frame.parent] = true;
            if (!is_whole[row - begin]) is_whole[frame.parent - begin] = false;
            if (has_open[row - begin]) has_open[frame.parent - begin] = true;
        }
    }

    const Tree& tree_;
    const CallGraph& graph_;
    const FilteredCosts* kept_;
    const bool has_shared_frames_;  // of several nodes, which are contexts of one function (F72)
    std::vector<Kept> parts_;       // by row
};

/// Puts the frames together anew: what is hidden goes, and functions that thereby meet are one frame.
class ShownFrames {
  public:
    ShownFrames(const Tree& tree, const CallGraph& graph, const Filters& filters, KeptCosts costs)
        : tree_(tree), graph_(graph), filters_(filters), costs_(std::move(costs)) {}

    void write(Tree& shown) {
        shown_ = &shown;
        FrameRows roots;
        for (std::uint32_t row = 0; row < tree_.frames.size(); row = tree_.frames[row].end)
            roots.push_back(row);
        later(roots, Frame::none);
        while (!waiting_.empty()) {
            const auto next = std::move(waiting_.back());
            waiting_.pop_back();
            write_frame(next);
        }
        for (auto row = shown.frames.size(); row-- > 0;) {
            auto& frame = shown.frames[row];
            frame.end = std::max(frame.end, static_cast<std::uint32_t>(row + 1));
            if (frame.parent == Frame::none) continue;
            auto& parent = shown.frames[frame.parent];
            parent.end = std::max(parent.end, frame.end);
        }
    }

  private:
    struct Waiting {
        FrameKind kind = FrameKind::function;
        std::uint32_t parent = Frame::none;
        EstimatedCost inclusive{};
        FrameRows rows{};  ///< of the tree: those that become this frame
    };

    [[nodiscard]] const Frame& old(std::uint32_t row) const { return tree_.frames[row]; }
    [[nodiscard]] NodeId node(const Waiting& waiting) const { return old(waiting.rows.front()).node; }

    [[nodiscard]] bool is_shown(NodeId of) const {
        return (!filters_.show || filters_.show(of)) && !(filters_.hide && filters_.hide(of));
    }

    void write_frame(const Waiting& what) {
        const auto row = static_cast<std::uint32_t>(shown_->frames.size());
        Frame frame;
        frame.kind = what.kind;
        frame.parent = what.parent;
        frame.level = what.parent == Frame::none ? 1 : shown_->frames[what.parent].level + 1;
        frame.inclusive = what.inclusive;
        if (what.kind != FrameKind::function) {
            frame.self = what.inclusive;
            shown_->frames.push_back(frame);
            return;
        }
        frame.node = node(what);
        FrameRows below;
        for (const auto one : what.rows) {
            add_bounds(frame.self, costs_.self[one]);
            frame.partly_paid = frame.partly_paid || (old(one).partly_paid && what.parent == Frame::none);
            for (auto child = one + 1; child < old(one).end; child = old(child).end) below.push_back(child);
        }
        shown_->frames.push_back(frame);
        ++shown_->functions;
        later(below, row);
    }

    /// What is hidden is at most the whole minus what is shown: sums of bounds would be wider.
    void narrow(EstimatedCost& left_out, const FrameRows& rows, std::uint32_t parent, const FrameRows& found,
                EstimatedCost others) const {
        EstimatedCost all;
        if (parent == Frame::none) {
            for (const auto row : rows) add_bounds(all, costs_.inclusive[row]);
        } else {
            const auto& frame = shown_->frames[parent];
            all.least = less(frame.inclusive.least, frame.self.most);
            all.most = less(frame.inclusive.most, frame.self.least);
        }
        for (const auto row : found) add_bounds(others, costs_.inclusive[row]);
        left_out.most = std::max(left_out.least, std::min(left_out.most, less(all.most, others.least)));
        left_out.least = std::min(left_out.most, std::max(left_out.least, less(all.least, others.most)));
    }

    /// The most expensive come last and are taken first; what is no function first of all.
    void later(const FrameRows& rows, std::uint32_t parent) {
        Waiting left_out{FrameKind::not_expanded, parent, {}, {}};
        Waiting unbalanced{FrameKind::unbalanced, parent, {}, {}};
        Waiting unrecorded{FrameKind::unrecorded_callees, parent, {}, {}};
        Waiting unattributed{FrameKind::unattributed, parent, {}, {}};
        const auto special_of = [&](FrameKind kind) -> Waiting& {
            if (kind == FrameKind::unbalanced) return unbalanced;
            if (kind == FrameKind::unattributed) return unattributed;
            return kind == FrameKind::unrecorded_callees ? unrecorded : left_out;
        };
        FrameRows found, open(rows.rbegin(), rows.rend());
        while (!open.empty()) {
            const auto row = open.back();
            open.pop_back();
            if (!costs_.any[row]) continue;
            const auto& frame = old(row);
            if (frame.kind != FrameKind::function) {
                add_bounds(special_of(frame.kind).inclusive, costs_.self[row]);
            } else if (is_shown(frame.node)) {
                found.push_back(row);
            } else {
                add_bounds(left_out.inclusive, costs_.self[row]);
                for (auto child = row + 1; child < frame.end; child = old(child).end) open.push_back(child);
            }
        }
        auto others = unbalanced.inclusive;
        add_bounds(others, unrecorded.inclusive);
        add_bounds(others, unattributed.inclusive);
        narrow(left_out.inclusive, rows, parent, found, others);
        for (auto* special : {&unbalanced, &unrecorded, &unattributed, &left_out})
            if (special->inclusive.estimate > 0) waiting_.push_back(std::move(*special));

        std::sort(found.begin(), found.end(), [&](std::uint32_t a, std::uint32_t b) {
            return std::tuple(old(a).node, a) < std::tuple(old(b).node, b);
        });
        const auto begin = static_cast<std::ptrdiff_t>(waiting_.size());
        for (std::size_t i = 0; i < found.size(); ++i) {
            if (i == 0 || old(found[i]).node != old(found[i - 1]).node)
                waiting_.push_back({FrameKind::function, parent, {}, {}});
            add_bounds(waiting_.back().inclusive, costs_.inclusive[found[i]]);
            waiting_.back().rows.push_back(found[i]);
        }
        std::sort(waiting_.begin() + begin, waiting_.end(), [&](const Waiting& a, const Waiting& b) {
            if (a.inclusive.estimate != b.inclusive.estimate)
                return a.inclusive.estimate < b.inclusive.estimate;
            return std::tuple(graph_.name(node(a)), node(a)) > std::tuple(graph_.name(node(b)), node(b));
        });
    }

    const Tree& tree_;
    const CallGraph& graph_;
    const Filters& filters_;
    KeptCosts costs_;
    std::vector<Waiting> waiting_;
    Tree* shown_ = nullptr;
};

}  // namespace

Tree filter_tree(const Tree& tree, const CallGraph& graph, const Filters& filters,
                 const FilteredCosts* kept) {
    FilteredCosts own;
    if (kept == nullptr && (filters.focus || filters.ignore)) {
        own = filtered_costs(graph, filters, filter(graph, filters, tree.measure), tree.measure);
        kept = &own;
    }
    Tree shown;
    shown.measure = tree.measure;
    shown.direction = tree.direction;
    shown.from_chosen = tree.from_chosen;
    shown.exact = tree.exact;
    shown.negative = tree.negative;
    ShownFrames(tree, graph, filters, KeptCosts(tree, graph, filters, kept)).write(shown);
    for (const auto& frame : shown.frames) {
        if (frame.parent == Frame::none) {
            shown.inclusive += frame.inclusive.estimate;
            if (frame.partly_paid) shown.partly_paid += frame.inclusive.estimate;
        }
        if (frame.kind == FrameKind::not_expanded) shown.not_expanded += frame.self.estimate;
        if (frame.kind == FrameKind::unbalanced) shown.unbalanced += frame.self.estimate;
        if (frame.kind == FrameKind::unrecorded_callees) shown.unrecorded_callees += frame.self.estimate;
        if (frame.kind == FrameKind::unattributed) shown.unattributed += frame.self.estimate;
        if (shown.exact || frame.kind != FrameKind::not_expanded)
            shown.certain += static_cast<double>(frame.self.least);
    }
    shown.certain = std::min(shown.certain, shown.inclusive);
    return shown;
}

}  // namespace callcost
