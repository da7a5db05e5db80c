#include "answers/call_paths.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

#include "query/filtered_tree.hpp"
#include <callcost/groups.hpp>

namespace callcost::engine {
namespace {

constexpr std::size_t max_unfolded = 200'000;  // frames
constexpr std::size_t max_levels = 400;        // of one path: each names all functions above
constexpr std::size_t max_hottest = 100;       // levels
constexpr std::size_t max_names = 80'000;      // in all paths together

/// Puts two trees together, path by path.
class Union {
  public:
    Union(const View& view, const Tree& after, const Tree& before)
        : view_(view), after_(after), before_(before) {}

    std::vector<CallPath> paths() {
        std::vector<CallPath> paths;
        std::vector<CallPath> open = children({});
        while (!open.empty()) {
            const auto path = open.back();
            open.pop_back();
            const auto row = static_cast<std::uint32_t>(paths.size());
            paths.push_back(path);
            for (auto& child : children(path)) {
                child.parent = row;
                open.push_back(child);
            }
        }
        return paths;
    }

  private:
    struct Child {
        std::size_t key;
        std::uint32_t frame;
    };

    /// The frames directly below one, by what they are; those of a path without a frame are none.
    static std::vector<Child> below(const Tree& tree, std::uint32_t frame, bool is_root,
                                    const std::vector<MatchId>& ids) {
        std::vector<Child> found;
        if (frame == Frame::none && !is_root) return found;
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

    /// The lightest first: the paths are taken from the end.
    [[nodiscard]] std::vector<CallPath> children(const CallPath& parent) const {
        const bool is_root = parent.after == Frame::none && parent.before == Frame::none;
        const auto after = below(after_, parent.after, is_root, view_.compared->match_after);
        const auto before = below(before_, parent.before, is_root, view_.compared->match_before);
        const bool after_unknown = parent.is_after_unknown || leaves_out(after_, after);
        const bool before_unknown = parent.is_before_unknown || leaves_out(before_, before);
        std::vector<CallPath> paths;
        auto a = after.begin();
        auto b = before.begin();
        while (a != after.end() || b != before.end()) {
            CallPath path;
            const bool takes_after = a != after.end() && (b == before.end() || a->key <= b->key);
            const bool takes_before = b != before.end() && (a == after.end() || b->key <= a->key);
            if (takes_after) path.after = a->frame;
            if (takes_before) path.before = b->frame;
            path.is_after_unknown = !takes_after && after_unknown;
            path.is_before_unknown = !takes_before && before_unknown;
            if (takes_after) ++a;
            if (takes_before) ++b;
            paths.push_back(path);
        }
        std::stable_sort(paths.begin(), paths.end(), [&](const CallPath& one, const CallPath& other) {
            return key_of(one) < key_of(other);
        });
        return paths;
    }

    /// Heavier paths are greater, and those that are no functions the least.
    [[nodiscard]] std::pair<bool, double> key_of(const CallPath& path) const {
        double weight = 0;
        bool is_function = false;
        for (const auto& [tree, frame] : {std::pair(&after_, path.after), std::pair(&before_, path.before)}) {
            if (frame == Frame::none) continue;
            weight = std::max(weight, tree->frames[frame].inclusive.estimate);
            is_function = tree->frames[frame].kind == FrameKind::function;
        }
        return {is_function, weight};
    }

    const View& view_;
    const Tree& after_;
    const Tree& before_;
};

/// Of one side, below the requested functions, if any.
Tree tree_of(const Side& side, const PathOptions& options, const std::vector<NodeId>& roots) {
    auto tree = options.tree;
    tree.measure = side.measure;
    const auto whole_cost = static_cast<double>(percentage_base(side.graph(), side.measure));
    tree.min_weight = options.min_share * std::abs(whole_cost);
    if (options.root) {
        tree.root = [&roots](NodeId node) {
            return std::find(roots.begin(), roots.end(), node) != roots.end();
        };
    }
    return filtered_tree(side.graph(), *side.stacks, std::move(tree), side.filtered.get());
}

/// What a function is in each of the profiles.
struct Nodes {
    std::vector<NodeId> after, before;
};
Nodes nodes_of(const View& view, FunctionAt function) {
    if (!view.compared) return {{function.node}, {}};
    const auto& ids = function.is_before ? view.compared->match_before : view.compared->match_after;
    const auto& match = view.compared->diff.function(ids[function.node.value]);
    return {match.after, match.before};
}

CallPaths paths_of(const View& view, const PathOptions& options, const TreeOptions* before_options) {
    CallPaths paths;
    const auto roots = options.root ? nodes_of(view, *options.root) : Nodes();
    paths.after = tree_of(view.after, options, roots.after);
    if (view.before) {
        auto of_before = options;
        if (before_options != nullptr) of_before.tree = *before_options;
        paths.before = tree_of(*view.before, of_before, roots.before);
        paths.rows = Union(view, paths.after, *paths.before).paths();
    } else {
        paths.rows.reserve(paths.after.frames.size());
        for (std::uint32_t row = 0; row < paths.after.frames.size(); ++row)
            paths.rows.push_back({.after = row, .parent = paths.after.frames[row].parent});
    }
    for (auto row = static_cast<std::uint32_t>(paths.rows.size()); row-- > 0;) {
        auto& path = paths.rows[row];
        path.end = std::max(path.end, row + 1);
        if (path.parent == Frame::none) continue;
        auto& parent = paths.rows[path.parent];
        parent.end = std::max(parent.end, path.end);
    }
    return paths;
}

bool is_unknown(const CallPaths& tree, std::uint32_t row) {
    return tree.frame(row).kind == FrameKind::not_expanded;
}

}  // namespace

Cost whole_cost(double cost) {
    constexpr double limit = 9.2e18;
    return Cost(std::llround(std::clamp(cost, -limit, limit)));
}

const Frame& CallPaths::frame(std::uint32_t row) const {
    const auto& path = rows[row];
    return path.after != Frame::none ? after.frames[path.after] : before->frames[path.before];
}

std::vector<std::uint32_t> CallPaths::below(std::uint32_t row) const {
    std::vector<std::uint32_t> found;
    const auto end = row == Frame::none ? static_cast<std::uint32_t>(rows.size()) : rows[row].end;
    for (auto next = row == Frame::none ? 0 : row + 1; next < end; next = rows[next].end)
        found.push_back(next);
    return found;
}

CallPaths call_paths(const View& view, const PathOptions& options) {
    return paths_of(view, options, nullptr);
}

UnfoldedPaths::UnfoldedPaths(const View& view, PathOptions options, Recent<CallPaths>& recent,
                             std::string key)
    : view_(view),
      options_(std::move(options)),
      recent_(recent),
      key_(std::move(key)),
      tree_(
          recent.get(key_, [&] { return std::make_shared<const CallPaths>(call_paths(view_, options_)); })) {}

bool UnfoldedPaths::is_same(FunctionAt a, FunctionAt b) const {
    if (!view_.compared) return a.node == b.node;
    const auto id = [&](FunctionAt of) {
        return (of.is_before ? view_.compared->match_before : view_.compared->match_after)[of.node.value];
    };
    return id(a) == id(b);
}

std::optional<std::uint32_t> UnfoldedPaths::find(const CallPaths& tree, const FunctionPath& path) const {
    std::uint32_t row = Frame::none;
    for (const auto& function : path) {
        const auto rows = tree.below(row);
        const auto next = std::find_if(rows.begin(), rows.end(), [&](std::uint32_t one) {
            return tree.is_function(one) && is_same(tree.function(one), function);
        });
        if (next == rows.end()) return std::nullopt;
        row = *next;
    }
    return row;
}

/// Filters are applied to the whole tree, but for those that only say where it begins or which of the
/// recorded stacks are in it.
bool UnfoldedPaths::can_unfold() const {
    const auto is_plain = [&](const Side& side, const Tree& tree) {
        if (!side.filtered) return true;
        const auto& filters = side.filtered->filters();
        const bool begins_there = options_.tree.direction == TreeDirection::callees && !options_.root;
        return !filters.show && (tree.exact || (!filters.ignore && (!filters.focus || begins_there)));
    };
    return is_plain(view_.after, tree_->after) && (!view_.before || is_plain(*view_.before, *tree_->before));
}

std::shared_ptr<const CallPaths> UnfoldedPaths::along(std::span<const FunctionPath> paths,
                                                      std::size_t beyond) const {
    // By level; more than these paths, if several go through the same functions.
    std::vector<std::set<NodeId>> after, before;
    auto key = key_ + std::to_string(beyond);
    for (const auto& path : paths) {
        key += '/';
        after.resize(std::max(after.size(), path.size()));
        before.resize(after.size());
        for (std::size_t level = 0; level < path.size(); ++level) {
            const auto nodes = nodes_of(view_, path[level]);
            after[level].insert(nodes.after.begin(), nodes.after.end());
            before[level].insert(nodes.before.begin(), nodes.before.end());
            key += std::to_string(path[level].node.value) + (path[level].is_before ? '-' : '+');
        }
    }
    const auto is_along = [](const std::vector<std::set<NodeId>>& levels, const Side& side,
                             std::size_t most) {
        return [&levels, &side, most](NodeId node, std::size_t level) mutable {
            if (level > levels.size()) return most > 0 && most-- > 0;
            const auto& wanted = levels[level - 1];
            const auto& contexts = side.selected->contexts;
            if (wanted.contains(node) || !contexts.any() || is_of_groups(side.graph()))
                return wanted.contains(node);
            // Contexts of a function are one frame.
            const auto& graph = side.graph();
            return std::any_of(wanted.begin(), wanted.end(), [&](NodeId one) {
                const auto split = [&](NodeId of) { return contexts.split(graph.function(of)).name; };
                return split(one) == split(node) && graph.file(one) == graph.file(node) &&
                       graph.object(one) == graph.object(node);
            });
        };
    };
    return recent_.get(key, [&] {
        auto options = options_;
        options.tree.max_frames = max_unfolded;
        options.tree.expands = is_along(after, view_.after, beyond);
        auto options_before = options.tree;
        if (view_.before) options_before.expands = is_along(before, *view_.before, beyond);
        return std::make_shared<const CallPaths>(paths_of(view_, options, &options_before));
    });
}

std::vector<PathStep> UnfoldedPaths::unfold(std::span<const FunctionPath> paths) const {
    std::vector<PathStep> steps;
    std::vector<FunctionPath> others;
    const bool may_unfold = can_unfold();
    for (const auto& path : paths) {
        const auto row = find(*tree_, path);
        const auto is_complete = [&] {
            const auto rows = tree_->below(*row);
            return std::none_of(rows.begin(), rows.end(),
                                [&](std::uint32_t one) { return is_unknown(*tree_, one); });
        };
        if (row && (!may_unfold || is_complete())) {
            steps.push_back({path, tree_, *row});
        } else if (may_unfold) {
            others.push_back(path);
            steps.push_back({path, nullptr});
        }
    }
    if (!others.empty()) {
        const auto tree = along(others, 0);
        for (auto& step : steps) {
            if (step.tree) continue;
            const auto row = find(*tree, step.path);
            if (!row) continue;
            step.tree = tree;
            step.row = *row;
        }
    }
    steps.erase(std::remove_if(steps.begin(), steps.end(), [](const PathStep& one) { return !one.tree; }),
                steps.end());
    return steps;
}

std::vector<FunctionPath> UnfoldedPaths::hottest(const FunctionPath& from, double min_share) const {
    constexpr std::size_t beyond = 2000;  // frames, so that few trees are needed
    std::vector<FunctionPath> paths = {from};
    constexpr int max_trees = 3;  // of which each takes a second for a profile of 100 MB
    int trees = 0;
    auto tree = tree_;
    auto row = find(*tree, from);
    while (paths.size() < max_hottest) {
        auto rows = row ? tree->below(*row) : std::vector<std::uint32_t>();
        if (!row || (!rows.empty() && is_unknown(*tree, rows.front()))) {
            if (!can_unfold() || trees++ == max_trees) break;
            tree = along({&paths.back(), 1}, beyond);
            row = find(*tree, paths.back());
            if (!row) break;
            rows = tree->below(*row);
        }
        if (rows.empty() || !tree->is_function(rows.front())) break;
        const auto next = rows.front();
        if (row != Frame::none && tree->frame(next).inclusive.estimate < tree->frame(*row).self.estimate)
            break;
        if (tree->frame(next).inclusive.estimate < min_share * tree_->after.inclusive) break;
        row = next;
        if (tree->rows[next].end == next + 1) break;
        auto path = paths.back();
        path.push_back(tree->function(next));
        paths.push_back(std::move(path));
    }
    return paths;
}

std::vector<FunctionPath> UnfoldedPaths::leading_to(const std::function<bool(FunctionAt)>& is_wanted,
                                                    std::size_t most) const {
    std::vector<std::uint32_t> found;
    for (std::uint32_t row = 0; row < tree_->rows.size();) {
        const bool is_found = tree_->is_function(row) && is_wanted(tree_->function(row));
        if (is_found) found.push_back(row);
        row = is_found ? tree_->rows[row].end : row + 1;
    }
    std::stable_sort(found.begin(), found.end(), [&](std::uint32_t a, std::uint32_t b) {
        return tree_->frame(a).inclusive.estimate > tree_->frame(b).inclusive.estimate;
    });
    if (found.size() > most) found.resize(most);
    std::set<std::uint32_t> rows;
    std::size_t names = 0;
    for (const auto row : found) {
        std::size_t level = tree_->frame(row).level;
        if (level > max_levels || names + level * level / 2 > max_names) continue;
        names += level * level / 2;
        for (auto above = tree_->rows[row].parent; above != Frame::none; above = tree_->rows[above].parent)
            rows.insert(above);
    }
    std::vector<FunctionPath> paths = {{}};
    for (const auto row : rows) {
        FunctionPath path;
        for (auto at = row; at != Frame::none; at = tree_->rows[at].parent)
            path.push_back(tree_->function(at));
        std::reverse(path.begin(), path.end());
        paths.push_back(std::move(path));
    }
    return paths;
}

namespace {

/// Calls between two functions, and what they cost.
struct Calls {
    CallCount count;
    Cost cost = 0;
};

class CallsOfPaths {
  public:
    CallsOfPaths(const Side& side, const Tree& tree) : side_(side), graph_(side.graph()), tree_(tree) {}

    /// Of frames that are all below the same one, `parent`.
    std::vector<std::optional<PathCalls>> of(std::uint32_t parent, const std::vector<std::uint32_t>& frames) {
        std::vector<std::optional<PathCalls>> all;
        if (parent == Frame::none) {
            for (const auto row : frames) all.push_back(of_first(row));
            return all;
        }
        std::vector<std::uint32_t> above;  // of which all calls are shared out further
        for (auto row = parent; row != Frame::none; row = tree_.frames[row].parent) above.push_back(row);
        std::optional<PathCalls> calls;
        for (auto row = above.rbegin(); is_inverted() && row != above.rend(); ++row)
            calls = row == above.rbegin() ? of_first(*row) : shared(calls, *row);
        const auto by_other = calls_by_other(tree_.frames[parent].node);
        for (const auto row : frames) {
            if (row == Frame::none || tree_.frames[row].kind != FrameKind::function) {
                all.emplace_back();
            } else if (is_inverted() && above.size() > 1) {
                all.push_back(shared(calls, row));
            } else {
                const auto found = by_other.find(tree_.frames[row].node.value);
                all.push_back(found == by_other.end() ? std::nullopt : part(found->second, row));
            }
        }
        return all;
    }

  private:
    [[nodiscard]] bool is_inverted() const { return tree_.direction == TreeDirection::callers; }

    [[nodiscard]] std::optional<PathCalls> of_first(std::uint32_t row) const {
        if (row == Frame::none || tree_.frames[row].kind != FrameKind::function) return std::nullopt;
        if (!is_inverted() && !tree_.from_chosen) return std::nullopt;  // what had no caller
        const auto count = graph_.call_count(tree_.frames[row].node);
        if (count.known == 0) return std::nullopt;
        return PathCalls{static_cast<double>(count.known), count.at_least};
    }
    /// The calls of the path before, by cost.
    [[nodiscard]] std::optional<PathCalls> shared(const std::optional<PathCalls>& before,
                                                  std::uint32_t row) const {
        const auto& frame = tree_.frames[row];
        const auto& whole = tree_.frames[frame.parent];
        if (tree_.frames[frame.parent].parent == Frame::none) {
            const auto by_other = calls_by_other(whole.node);
            const auto found = by_other.find(frame.node.value);
            return found == by_other.end() ? std::nullopt : counted(found->second);
        }
        if (!before || !(whole.inclusive.estimate > 0)) return std::nullopt;
        const auto share = std::min(1.0, frame.inclusive.estimate / whole.inclusive.estimate);
        const bool is_all = frame.inclusive.least == whole.inclusive.most;
        return PathCalls{before->count * share, before->is_estimated || !is_all};
    }
    [[nodiscard]] static std::optional<PathCalls> counted(const Calls& calls) {
        if (calls.count.known == 0) return std::nullopt;
        return PathCalls{static_cast<double>(calls.count.known), calls.count.at_least};
    }
    /// Down from the roots, or up from the first function, of which all calls are meant.
    [[nodiscard]] std::optional<PathCalls> part(const Calls& calls, std::uint32_t row) const {
        auto all = counted(calls);
        if (!all || is_inverted()) return all;
        const auto& frame = tree_.frames[row];
        if (frame.inclusive.least == calls.cost) return all;
        if (calls.cost <= 0) return std::nullopt;
        all->count *= std::min(1.0, frame.inclusive.estimate / static_cast<double>(calls.cost));
        all->is_estimated = true;
        return all;
    }
    [[nodiscard]] std::unordered_map<std::uint32_t, Calls> calls_by_other(NodeId node) const {
        std::unordered_map<std::uint32_t, Calls> found;
        for (const auto arc : is_inverted() ? graph_.callers(node) : graph_.callees(node)) {
            auto& calls = found[(is_inverted() ? graph_.caller(arc) : graph_.callee(arc)).value];
            calls.count.add(graph_.count(arc));
            calls.cost += graph_.cost(arc, side_.measure);
        }
        return found;
    }

    const Side& side_;
    const CallGraph& graph_;
    const Tree& tree_;
};

}  // namespace

std::vector<std::optional<PathCalls>> calls_of(const View& view, const CallPaths& tree,
                                               std::span<const std::uint32_t> rows) {
    // Contexts of a function are one frame, but have calls of their own.
    if (view.after.selected->contexts.any() && !is_of_groups(view.after.graph()))
        return std::vector<std::optional<PathCalls>>(rows.size());
    std::vector<std::uint32_t> frames;
    for (const auto row : rows) frames.push_back(tree.rows[row].after);
    const auto parent = rows.empty() ? Frame::none : tree.rows[rows.front()].parent;
    if (parent != Frame::none && tree.rows[parent].after == Frame::none)
        return std::vector<std::optional<PathCalls>>(rows.size());
    return CallsOfPaths(view.after, tree.after)
        .of(parent == Frame::none ? Frame::none : tree.rows[parent].after, frames);
}

}  // namespace callcost::engine
