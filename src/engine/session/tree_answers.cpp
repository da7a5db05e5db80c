// The tree of paths, for flame graphs and treemaps; of two profiles as one tree.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "query/filtered_tree.hpp"
#include "session/answers.hpp"
#include "session/function_rows.hpp"
#include <callcost/tree.hpp>

namespace callcost::engine {
namespace {

constexpr std::size_t default_frames = 20'000;
constexpr std::size_t max_frames = 200'000;
constexpr std::uint32_t no_frame = Frame::none;

/// A box of the picture: a frame of the new profile, of the one before, or of both.
struct Box {
    std::uint32_t after = no_frame, before = no_frame;
    std::uint32_t parent = no_frame;  ///< row of the boxes
    /// There may be such a frame, but the tree has omitted what is this light.
    bool is_after_unknown = false, is_before_unknown = false;
};

std::vector<Box> boxes_of(const Tree& tree) {
    std::vector<Box> boxes;
    boxes.reserve(tree.frames.size());
    for (std::size_t row = 0; row < tree.frames.size(); ++row)
        boxes.push_back({static_cast<std::uint32_t>(row), no_frame, tree.frames[row].parent});
    return boxes;
}

/// Puts two trees together, path by path.
class Union {
  public:
    Union(const View& view, const Tree& after, const Tree& before)
        : view_(view), after_(after), before_(before) {}

    std::vector<Box> boxes() {
        std::vector<Box> boxes;
        std::vector<Box> open = children({});
        while (!open.empty()) {
            const auto box = open.back();
            open.pop_back();
            const auto row = static_cast<std::uint32_t>(boxes.size());
            boxes.push_back(box);
            for (auto& child : children(box)) {
                child.parent = row;
                open.push_back(child);
            }
        }
        return boxes;
    }

  private:
    struct Child {
        std::size_t key;
        std::uint32_t frame;
    };

    /// The frames directly below one, by what they are; those of a box without a frame are none.
    static std::vector<Child> below(const Tree& tree, std::uint32_t frame, bool is_root,
                                    const std::vector<MatchId>& ids) {
        std::vector<Child> found;
        if (frame == no_frame && !is_root) return found;
        const auto end = is_root ? tree.frames.size() : tree.frames[frame].end;
        for (std::size_t row = is_root ? 0 : frame + 1; row < end; row = tree.frames[row].end) {
            const auto& child = tree.frames[row];
            const auto key = child.kind == FrameKind::function
                                 ? std::size_t{ids[child.node.value].value}
                                 : ComparisonIndex::none - static_cast<std::size_t>(child.kind);
            found.push_back({key, static_cast<std::uint32_t>(row)});
        }
        std::stable_sort(found.begin(), found.end(),
                         [](const Child& a, const Child& b) { return a.key < b.key; });
        return found;
    }

    static bool leaves_out(const Tree& tree, const std::vector<Child>& children) {
        return std::any_of(children.begin(), children.end(), [&](const Child& child) {
            return tree.frames[child.frame].kind == FrameKind::not_expanded;
        });
    }

    /// The lightest first: the boxes are taken from the end.
    [[nodiscard]] std::vector<Box> children(const Box& parent) const {
        const bool is_root = parent.after == no_frame && parent.before == no_frame;
        const auto after = below(after_, parent.after, is_root, view_.compared->match_after);
        const auto before = below(before_, parent.before, is_root, view_.compared->match_before);
        const bool after_unknown = parent.is_after_unknown || leaves_out(after_, after);
        const bool before_unknown = parent.is_before_unknown || leaves_out(before_, before);
        std::vector<Box> boxes;
        auto a = after.begin();
        auto b = before.begin();
        while (a != after.end() || b != before.end()) {
            Box box;
            const bool takes_after = a != after.end() && (b == before.end() || a->key <= b->key);
            const bool takes_before = b != before.end() && (a == after.end() || b->key <= a->key);
            if (takes_after) box.after = a->frame;
            if (takes_before) box.before = b->frame;
            box.is_after_unknown = !takes_after && after_unknown;
            box.is_before_unknown = !takes_before && before_unknown;
            if (takes_after) ++a;
            if (takes_before) ++b;
            boxes.push_back(box);
        }
        std::stable_sort(boxes.begin(), boxes.end(),
                         [&](const Box& one, const Box& other) { return key_of(one) < key_of(other); });
        return boxes;
    }

    /// Heavier boxes are greater, and those that are no functions the least.
    [[nodiscard]] std::pair<bool, double> key_of(const Box& box) const {
        double weight = 0;
        bool is_function = false;
        for (const auto& [tree, frame] : {std::pair(&after_, box.after), std::pair(&before_, box.before)}) {
            if (frame == no_frame) continue;
            weight = std::max(weight, tree->frames[frame].inclusive.estimate);
            is_function = tree->frames[frame].kind == FrameKind::function;
        }
        return {is_function, weight};
    }

    const View& view_;
    const Tree& after_;
    const Tree& before_;
};

std::int64_t whole(double cost) {
    constexpr double limit = 9.2e18;
    return static_cast<std::int64_t>(std::llround(std::clamp(cost, -limit, limit)));
}

/// Each function once, and which of them a box is.
class BoxNames {
  public:
    explicit BoxNames(const View& view)
        : view_(view),
          index_after_(view.after.graph().size(), -1),
          index_before_(view.before ? view.before->graph().size() : 0, -1) {}

    std::int64_t of(NodeId node, bool is_before) {
        auto& index = (is_before ? index_before_ : index_after_)[node.value];
        if (index < 0) {
            index = static_cast<std::int64_t>(functions_.size());
            functions_.push_back({node, is_before});
        }
        return index;
    }
    void write(JsonWriter& json) const {
        json.key("functions");
        json.begin_array();
        for (const auto& [node, is_before] : functions_)
            write_function(json, is_before ? *view_.before : view_.after, node, is_before,
                           {.labels = Labels::without_contexts});
        json.end_array();
    }

  private:
    const View& view_;
    std::vector<std::int64_t> index_after_, index_before_;
    std::vector<FunctionAt> functions_;
};

class TreeWriter {
  public:
    TreeWriter(JsonWriter& json, const View& view, const Tree& after, const Tree* before)
        : json_(json),
          after_(after),
          before_(before),
          names_(view),
          boxes_(before != nullptr ? Union(view, after, *before).boxes() : boxes_of(after)) {}

    void write() {
        json_.member("estimated", !after_.exact || (before_ != nullptr && !before_->exact));
        write_sums(after_, "");
        if (before_ != nullptr) write_sums(*before_, "_before");
        json_.key("frames");
        json_.begin_object();
        column("kind", [&](const Box& box) { json_.value(static_cast<unsigned>(frame_of(box).kind)); });
        column("function", [&](const Box& box) {
            const auto& frame = frame_of(box);
            const bool is_function = frame.kind == FrameKind::function;
            json_.value(is_function ? names_.of(frame.node, box.after == no_frame) : std::int64_t{-1});
        });
        column("parent", [&](const Box& box) {
            json_.value(box.parent == no_frame ? std::int64_t{-1} : std::int64_t{box.parent});
        });
        column("level", [&](const Box& box) { json_.value(frame_of(box).level); });
        costs("inclusive", &Frame::inclusive);
        costs("self", &Frame::self);
        rows("partly_paid", &Frame::partly_paid);
        rows("inlined", &Frame::inlined);
        json_.end_object();
        names_.write(json_);
    }

  private:
    [[nodiscard]] const Frame& frame_of(const Box& box) const {
        return box.after != no_frame ? after_.frames[box.after] : before_->frames[box.before];
    }

    void write_sums(const Tree& tree, const std::string& suffix) {
        const auto sum = [&](const char* name, double cost) { json_.member(name + suffix, whole(cost)); };
        sum("whole", tree.inclusive);
        sum("certain", tree.certain);
        sum("not_expanded", tree.not_expanded);
        sum("unbalanced", tree.unbalanced);
        sum("unrecorded_callees", tree.unrecorded_callees);
        sum("unattributed", tree.unattributed);
        sum("partly_paid", tree.partly_paid);
        json_.member("negative" + suffix, tree.negative);
        json_.member("certainty" + suffix, tree.certainty());
    }

    void rows(std::string_view name, bool Frame::*is_one) {
        json_.key(name);
        json_.begin_array();
        for (std::size_t row = 0; row < boxes_.size(); ++row)
            if (frame_of(boxes_[row]).*is_one) json_.value(row);
        json_.end_array();
    }

    template <class Write>
    void column(std::string_view name, Write write) {
        json_.key(name);
        json_.begin_array();
        for (const auto& box : boxes_) write(box);
        json_.end_array();
    }

    void costs(const std::string& name, EstimatedCost Frame::*which) {
        const auto write = [&](const std::string& member, const Tree& tree, std::uint32_t Box::*frame,
                               bool Box::*is_unknown) {
            const auto one = [&](const std::string& suffix, auto value) {
                column(member + suffix, [&](const Box& box) {
                    if (box.*frame != no_frame) {
                        json_.value(value(tree.frames[box.*frame].*which));
                    } else if (box.*is_unknown) {
                        json_.null();
                    } else {
                        json_.value(std::int64_t{0});
                    }
                });
            };
            one("", [](const EstimatedCost& cost) { return whole(cost.estimate); });
            one("_least", [](const EstimatedCost& cost) { return cost.least; });
            one("_most", [](const EstimatedCost& cost) { return cost.most; });
        };
        write(name, after_, &Box::after, &Box::is_after_unknown);
        if (before_ != nullptr) write(name + "_before", *before_, &Box::before, &Box::is_before_unknown);
    }

    JsonWriter& json_;
    const Tree& after_;
    const Tree* before_;
    BoxNames names_;
    std::vector<Box> boxes_;
};

/// Of one side, below the requested function, if any.
Tree tree_of(const Side& side, TreeOptions options, const std::vector<NodeId>* roots, double least) {
    options.measure = side.measure;
    const auto whole_cost = static_cast<double>(percentage_base(side.graph(), side.measure));
    options.min_weight = least * std::abs(whole_cost);
    if (roots != nullptr) {
        options.root = [roots](NodeId node) {
            return std::find(roots->begin(), roots->end(), node) != roots->end();
        };
    }
    return filtered_tree(side.graph(), *side.stacks, std::move(options), side.filtered.get());
}

}  // namespace

void answer_tree(Request& request, JsonWriter& json) {
    constexpr std::array<std::string_view, 2> directions = {"callees", "callers"};
    constexpr std::array<std::string_view, 2> recursions = {"fold", "unfold"};
    auto& question = request.question;
    const auto view = request.view();
    if (!view) return;
    TreeOptions options;
    options.direction =
        question.word("direction", directions) == 0 ? TreeDirection::callees : TreeDirection::callers;
    options.recursion = question.word("recursion", recursions) == 0 ? Recursion::fold : Recursion::unfold;
    options.max_frames = question.count("frames", default_frames, max_frames);
    options.max_levels = question.count("levels", options.max_levels, options.max_levels);
    const auto least = std::clamp(question.number("least", 0), 0.0, 1.0);
    const bool has_root = question.has("root");
    const auto root = has_root ? request.function("root", *view) : std::nullopt;
    if (question.error()) return;

    std::vector<NodeId> roots_after, roots_before;
    if (root && view->compared) {
        const auto& match = view->compared->diff.function(FunctionRows(*view).match_of(*root));
        roots_after = match.after;
        roots_before = match.before;
    } else if (root) {
        roots_after = {root->node};
    }
    const auto after = tree_of(view->after, options, has_root ? &roots_after : nullptr, least);
    std::optional<Tree> before;
    if (view->before) before = tree_of(*view->before, options, has_root ? &roots_before : nullptr, least);
    json.begin_object();
    TreeWriter(json, *view, after, before ? &*before : nullptr).write();
    json.end_object();
}

}  // namespace callcost::engine
