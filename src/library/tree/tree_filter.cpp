// What filters keep of a tree, path by path.
#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

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

/// What stays of each frame, before any is hidden.
class KeptCosts {
  public:
    KeptCosts(const Tree& tree, const Filters& filters) {
        const auto count = tree.frames.size();
        std::vector<bool> is_focused(count), is_ignored(count), is_whole(count, true);
        self.resize(count);
        inclusive.resize(count);
        any.assign(count, false);
        for (std::size_t row = 0; row < count; ++row) {
            const auto& frame = tree.frames[row];
            const bool is_root = frame.parent == Frame::none;
            const bool is_function = frame.kind == FrameKind::function;
            is_focused[row] = is_root ? !filters.focus : is_focused[frame.parent];
            is_ignored[row] = !is_root && is_ignored[frame.parent];
            if (is_function && filters.focus && filters.focus(frame.node)) is_focused[row] = true;
            if (is_function && filters.ignore && filters.ignore(frame.node)) is_ignored[row] = true;
            any[row] = is_focused[row] && !is_ignored[row];
            if (any[row]) self[row] = frame.self;
            is_whole[row] = any[row];
        }
        for (std::size_t row = count; row-- > 0;) {
            const auto& frame = tree.frames[row];
            add_bounds(inclusive[row], self[row]);
            inclusive[row].most = std::min(inclusive[row].most, frame.inclusive.most);
            // Sums of bounds are wider than what is known of the whole.
            if (is_whole[row]) inclusive[row] = frame.inclusive;
            if (frame.parent == Frame::none) continue;
            add_bounds(inclusive[frame.parent], inclusive[row]);
            if (any[row]) any[frame.parent] = true;
            if (!is_whole[row]) is_whole[frame.parent] = false;
        }
    }

    std::vector<EstimatedCost> self, inclusive;  ///< by row
    std::vector<bool> any;                       ///< something of the frame, or below it
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

    /// What is not shown is no more than all that is there without what is shown: sums of bounds are wider.
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
        Waiting in_no_function{FrameKind::in_no_function, parent, {}, {}};
        const auto special_of = [&](FrameKind kind) -> Waiting& {
            if (kind == FrameKind::unbalanced) return unbalanced;
            if (kind == FrameKind::in_no_function) return in_no_function;
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
        add_bounds(others, in_no_function.inclusive);
        narrow(left_out.inclusive, rows, parent, found, others);
        for (auto* special : {&unbalanced, &unrecorded, &in_no_function, &left_out})
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

Tree filter_tree(const Tree& tree, const CallGraph& graph, const Filters& filters) {
    Tree shown;
    shown.measure = tree.measure;
    shown.direction = tree.direction;
    shown.exact = tree.exact;
    shown.negative = tree.negative;
    ShownFrames(tree, graph, filters, KeptCosts(tree, filters)).write(shown);
    for (const auto& frame : shown.frames) {
        if (frame.parent == Frame::none) {
            shown.inclusive += frame.inclusive.estimate;
            if (frame.partly_paid) shown.partly_paid += frame.inclusive.estimate;
        }
        if (frame.kind == FrameKind::not_expanded) shown.not_expanded += frame.self.estimate;
        if (frame.kind == FrameKind::unbalanced) shown.unbalanced += frame.self.estimate;
        if (frame.kind == FrameKind::unrecorded_callees) shown.unrecorded_callees += frame.self.estimate;
        if (frame.kind == FrameKind::in_no_function) shown.in_no_function += frame.self.estimate;
        if (shown.exact || frame.kind != FrameKind::not_expanded)
            shown.certain += static_cast<double>(frame.self.least);
    }
    shown.certain = std::min(shown.certain, shown.inclusive);
    return shown;
}

}  // namespace callcost
