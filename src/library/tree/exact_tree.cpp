// The tree of recorded stacks: every frame holds the stacks that go through it, and is expanded, the most
// expensive first, by taking them one step further.
#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "call_graph/graph_data.hpp"
#include "callcost/tree.hpp"
#include "tree/recorded_stacks.hpp"

namespace callcost {
namespace {

EstimatedCost exactly(Cost cost) { return {static_cast<double>(cost), cost, cost}; }

/// Those of the sources that the selected parts are of; nothing if one has none.
std::optional<StacksOfSources> stacks_of(const CallGraph& graph, const StacksOfSources& beside) {
    const Profile& profile = graph.profile();
    const std::size_t sources = profile.sources().size();
    std::vector<std::vector<PartId>> selected(sources);
    std::vector<std::size_t> parts(sources, 0);
    for (const Part& part : profile.parts()) ++parts[part.source];
    for (const PartId part : graph.parts()) selected[profile.parts()[part.value].source].push_back(part);
    StacksOfSources all = recorded_stacks(profile, beside);
    if (all.size() != sources) return std::nullopt;
    StacksOfSources chosen;
    for (std::size_t source = 0; source < sources; ++source) {
        if (selected[source].empty()) continue;
        const bool is_beside = source < beside.size() && beside[source];
        if (!is_beside && all[source] && selected[source].size() < parts[source])
            all[source] = stacks_of_parts(profile, selected[source]);
        if (!all[source]) return std::nullopt;
        chosen.push_back(std::move(all[source]));
    }
    return chosen;
}

/// The nodes of a graph by what stacks call them.
class NodeNames {
  public:
    explicit NodeNames(const CallGraph& graph) {
        if (data_of(graph).is_of_groups()) {
            add_functions(graph);
            return;
        }
        for (std::size_t row = 0; row < graph.size(); ++row)
            nodes_.emplace(names_of(graph, NodeId(row)), NodeId(row));
        // What stacks call f'2 is in the node f if contexts are folded.
        const Profile& profile = graph.profile();
        for (std::size_t row = 0; row < profile.function_count(); ++row) {
            const FunctionId function(row);
            const NodeId node = graph.node_of(function);
            if (node.valid() && profile.name(function) != graph.name(node))
                nodes_.emplace(FunctionNames{profile.name(function), graph.object(node), graph.file(node)},
                               node);
        }
    }
    [[nodiscard]] NodeId find(const FunctionNames& names) const {
        const auto known = [](std::string_view name) {  // as the parser leaves it: without blanks around it
            const auto first = name.find_first_not_of(" \t");
            if (first == std::string_view::npos) return std::string_view("???");
            return name.substr(first, name.find_last_not_of(" \t") + 1 - first);
        };
        const auto found = nodes_.find({known(names.name), known(names.object), known(names.file)});
        return found == nodes_.end() ? NodeId() : found->second;
    }

  private:
    /// Those of groups, with and without their contexts.
    void add_functions(const CallGraph& graph) {
        const Profile& profile = graph.profile();
        const ContextNames contexts(profile);
        for (std::size_t row = 0; row < profile.function_count(); ++row) {
            const FunctionId function(row);
            const NodeId node = graph.node_of(function);
            if (!node.valid()) continue;
            const auto object = profile.name(profile.object(function));
            const auto file = profile.name(profile.file(function));
            nodes_.emplace(FunctionNames{profile.name(function), object, file}, node);
            nodes_.emplace(FunctionNames{contexts.split(function).name, object, file}, node);
        }
    }

    std::map<FunctionNames, NodeId> nodes_;
};

/// The stacks of all selected sources in columns, by row; callers have smaller rows.
struct StackRows {
    std::vector<std::uint32_t> caller;  // or Stacks::none
    std::vector<NodeId> node;
    std::vector<Cost> self, inclusive;
    std::vector<bool> any;  // something is spent in the stack, or in one that goes on from it
    Grouping<std::uint32_t> callees;
    Cost negative = 0;

    void add(const Stacks& stacks, const NodeNames& names, const CallGraph& graph, const Measure& measure) {
        std::vector<NodeId> nodes;
        nodes.reserve(stacks.function_count());
        for (std::uint32_t row = 0; row < stacks.function_count(); ++row)
            nodes.push_back(names.find(stacks.names(row)));
        std::vector<std::pair<std::uint32_t, std::int64_t>> terms;
        for (const auto& [event, factor] : measure.terms) {
            const auto row = stacks.find_event(graph.profile().events()[event.value].name);
            if (row != Stacks::none) terms.emplace_back(row, factor);
        }
        const auto first = static_cast<std::uint32_t>(node.size());
        for (std::uint32_t row = 0; row < stacks.size(); ++row) {
            const auto from = stacks.caller(row);
            caller.push_back(from == Stacks::none ? from : first + from);
            node.push_back(nodes[stacks.last_function(row)]);
            Cost cost = 0;
            for (const auto& [event, factor] : terms) cost += stacks.self(row, event) * factor;
            self.push_back(cost);
        }
    }

    /// Only stacks with a focused function and no ignored one.
    void keep(const std::vector<bool>& is_focused, const std::vector<bool>& is_ignored) {
        std::vector<bool> has_focus(node.size()), has_ignored(node.size());
        for (std::size_t row = 0; row < node.size(); ++row) {
            if (!node[row].valid()) continue;
            const bool is_root = caller[row] == Stacks::none;
            has_focus[row] = is_focused[node[row].value] || (!is_root && has_focus[caller[row]]);
            has_ignored[row] = is_ignored[node[row].value] || (!is_root && has_ignored[caller[row]]);
            if (!has_focus[row] || has_ignored[row]) self[row] = 0;
        }
    }

    void add_up(NegativeCosts how) {
        any.assign(node.size(), false);
        for (std::size_t row = 0; row < node.size(); ++row) {
            if (self[row] < 0) negative += self[row];
            if (self[row] < 0 && how == NegativeCosts::omit) self[row] = 0;
        }
        inclusive = self;
        for (std::size_t row = node.size(); row-- > 0;) {
            if (self[row] != 0) any[row] = true;
            if (caller[row] == Stacks::none) continue;
            inclusive[caller[row]] += inclusive[row];
            if (any[row]) any[caller[row]] = true;
        }
        callees = group_by<std::uint32_t>(node.size(), node.size(),
                                          [&](std::size_t row) { return any[row] ? caller[row] : no_row; });
    }

    [[nodiscard]] bool all_known() const {
        for (std::size_t row = 0; row < node.size(); ++row)
            if (any[row] && !node[row].valid()) return false;
        return true;
    }
};

/// The predicate's answer by node; `otherwise` if there is none.
std::vector<bool> answers(const CallGraph& graph, const std::function<bool(NodeId)>& predicate,
                          bool otherwise) {
    std::vector<bool> all(graph.size(), otherwise);
    for (std::size_t row = 0; predicate && row < all.size(); ++row) all[row] = predicate(NodeId(row));
    return all;
}

/// A stack as far as it was gone along, and what of its cost is meant.
struct Step {
    std::uint32_t row;
    Cost cost;
};

/// A frame to be: the stacks that have come to the same function in the same frame.
struct Group {
    std::uint32_t parent = Frame::none;
    NodeId node;
    Cost cost = 0;
    std::vector<Step> steps;
};

class ExactFrames {
  public:
    ExactFrames(const CallGraph& graph, const StackRows& rows, const TreeOptions& options)
        : graph_(graph),
          rows_(rows),
          options_(options),
          has_limit_(options.min_weight > 0 || options.max_frames < rows.node.size() || options.expands),
          is_in_order_(!has_limit_ && !is_inverted() && options.max_levels > 0) {}

    void write(Tree& tree) {
        if (is_in_order_) {
            const auto most = std::count(rows_.any.begin(), rows_.any.end(), true);
            tree.frames.reserve(static_cast<std::size_t>(most));
            return for_each([&](const Frame& frame) {
                tree.frames.push_back(frame);
                if (frame.kind == FrameKind::function) ++tree.functions;
            });
        }
        open(starts(), Frame::none);
        const auto most = std::min<std::size_t>(options_.max_frames, Frame::none);
        while (!waiting_.empty() && boxes_.size() < most && options_.max_levels > 0) {
            const auto group = waiting_.front();
            if (options_.min_weight > 0 && static_cast<double>(groups_[group].cost) < options_.min_weight)
                break;
            expand(take_waiting());
        }
        for (const auto waiting : waiting_) {
            const auto& group = groups_[waiting];
            not_expanded(group.parent) += group.cost;
        }
        groups_ = std::vector<Group>();
        write_frames(tree);
    }

    /// Whether for_each can be used: then a group is the next frame when those before it are.
    [[nodiscard]] bool is_in_order() const { return is_in_order_; }

    /// The frames as the tree has them, but without Frame::end.
    template <class OnFrame>
    void for_each(const OnFrame& on_frame) {
        std::vector<std::uint32_t> path;  // rows of the frames that the next one is below, and others behind
        open(starts(), Frame::none);
        for (std::uint32_t row = 0; !waiting_.empty(); ++row) {
            const Group group = take_waiting();
            while (!path.empty() && path.back() != group.parent) path.pop_back();
            path.push_back(row);
            Box box{.parent = group.parent,
                    .level = static_cast<std::uint32_t>(path.size()),
                    .node = group.node,
                    .inclusive = group.cost};
            auto further = callees(group.steps, box);
            on_frame(frame_of(box));
            if (box.level < options_.max_levels) {
                open(std::move(further), row);
                continue;
            }
            for (const Step& step : further) box.not_expanded += step.cost;
            if (box.not_expanded != 0) on_frame(rest_of(box.not_expanded, row++, box.level + 1));
        }
    }

  private:
    struct Box {
        std::uint32_t parent;
        std::uint32_t level;
        NodeId node;
        Cost inclusive;
        Cost self = 0;
        Cost not_expanded = 0;
    };

    [[nodiscard]] static Frame frame_of(const Box& box) {
        Frame frame;
        frame.node = box.node;
        frame.parent = box.parent;
        frame.level = box.level;
        frame.inclusive = exactly(box.inclusive);
        frame.self = exactly(box.self);
        return frame;
    }
    [[nodiscard]] static Frame rest_of(Cost cost, std::uint32_t parent, std::uint32_t level) {
        Frame frame;
        frame.kind = FrameKind::not_expanded;
        frame.parent = parent;
        frame.level = level;
        frame.inclusive = frame.self = exactly(cost);
        return frame;
    }

    [[nodiscard]] bool folds() const { return options_.recursion == Recursion::fold; }
    [[nodiscard]] bool is_inverted() const { return options_.direction == TreeDirection::callers; }
    Cost& not_expanded(std::uint32_t box) {
        return box == Frame::none ? not_begun_ : boxes_[box].not_expanded;
    }

    [[nodiscard]] std::vector<Step> starts() const {
        std::vector<Step> steps;
        const auto is_chosen = answers(graph_, options_.root, false);
        std::vector<bool> is_below(rows_.node.size(), false);  // a chosen function
        for (std::uint32_t row = 0; row < rows_.node.size(); ++row) {
            if (!rows_.any[row]) continue;
            const auto caller = rows_.caller[row];
            const bool was_met = caller != Stacks::none && is_below[caller];
            is_below[row] = was_met || is_chosen[rows_.node[row].value];
            if (options_.root) {
                if (is_below[row] && !was_met) steps.push_back({row, rows_.inclusive[row]});
            } else if (is_inverted()) {
                if (rows_.self[row] != 0) steps.push_back({row, rows_.self[row]});
            } else if (caller == Stacks::none) {
                steps.push_back({row, rows_.inclusive[row]});
            }
        }
        return steps;
    }

    /// Groups steps by function; each group may become a frame.
    void open(std::vector<Step> steps, std::uint32_t parent) {
        const auto first = static_cast<std::ptrdiff_t>(groups_.size());
        std::stable_sort(steps.begin(), steps.end(),
                         [&](const Step& a, const Step& b) { return rows_.node[a.row] < rows_.node[b.row]; });
        for (std::size_t begin = 0, end = 0; begin < steps.size(); begin = end) {
            Group group{.parent = parent, .node = rows_.node[steps[begin].row], .cost = 0, .steps = {}};
            for (; end < steps.size() && rows_.node[steps[end].row] == group.node; ++end)
                group.cost += steps[end].cost;
            group.steps.assign(steps.begin() + static_cast<std::ptrdiff_t>(begin),
                               steps.begin() + static_cast<std::ptrdiff_t>(end));
            groups_.push_back(std::move(group));
            waiting_.push_back(static_cast<std::uint32_t>(groups_.size() - 1));
            if (has_limit_) std::push_heap(waiting_.begin(), waiting_.end(), IsLater{*this});
        }
        if (is_in_order_)
            std::sort(groups_.begin() + first, groups_.end(),
                      [&](const Group& a, const Group& b) { return is_later(a, b); });
    }

    /// The most expensive one. Without a limit all are taken, so the last one: that keeps few of them
    /// waiting.
    [[nodiscard]] Group take_waiting() {
        if (has_limit_) std::pop_heap(waiting_.begin(), waiting_.end(), IsLater{*this});
        auto group = std::move(groups_[waiting_.back()]);
        if (!has_limit_) groups_.pop_back();
        waiting_.pop_back();
        return group;
    }

    void expand(const Group& group) {
        const auto box = static_cast<std::uint32_t>(boxes_.size());
        boxes_.push_back({group.parent, group.parent == Frame::none ? 1 : boxes_[group.parent].level + 1,
                          group.node, group.cost});
        auto further =
            is_inverted() ? callers(group.steps, boxes_.back()) : callees(group.steps, boxes_.back());
        if (boxes_[box].level < options_.max_levels &&
            (!options_.expands || options_.expands(group.node, boxes_[box].level))) {
            open(std::move(further), box);
        } else {
            for (const Step& step : further) boxes_[box].not_expanded += step.cost;
        }
    }

    [[nodiscard]] std::vector<Step> callees(std::vector<Step> steps, Box& box) const {
        std::vector<Step> further;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            box.self += rows_.self[steps[i].row];
            for (const auto row : rows_.callees[steps[i].row])
                (folds() && rows_.node[row] == box.node ? steps : further)
                    .push_back({row, rows_.inclusive[row]});
        }
        return further;
    }

    [[nodiscard]] std::vector<Step> callers(const std::vector<Step>& steps, Box& box) const {
        std::vector<Step> further;
        for (const Step& step : steps) {
            auto row = rows_.caller[step.row];
            while (folds() && row != Stacks::none && rows_.node[row] == box.node) row = rows_.caller[row];
            if (row == Stacks::none) {
                box.self += step.cost;
            } else {
                further.push_back({row, step.cost});
            }
        }
        return further;
    }

    void write_frames(Tree& tree) {
        const auto boxes_below = group_by<std::uint32_t>(boxes_.size(), boxes_.size(),
                                                         [&](std::size_t row) { return boxes_[row].parent; });
        std::vector<std::uint32_t> roots;
        for (std::uint32_t box = 0; box < boxes_.size(); ++box)
            if (boxes_[box].parent == Frame::none) roots.push_back(box);

        struct Waiting {
            std::uint32_t box;
            std::uint32_t parent;  // frame
            bool is_rest;          // what the box has not expanded
        };
        std::vector<Waiting> open;
        // The most expensive comes last and is taken first; what is no function first of all.
        const auto put = [&](std::uint32_t box, std::vector<std::uint32_t> below, std::uint32_t frame) {
            if (not_expanded(box) != 0) open.push_back({box, frame, true});
            std::sort(below.begin(), below.end(), [&](std::uint32_t a, std::uint32_t b) {
                if (boxes_[a].inclusive != boxes_[b].inclusive)
                    return boxes_[a].inclusive < boxes_[b].inclusive;
                return precedes(graph_, boxes_[b].node, boxes_[a].node);
            });
            for (const auto row : below) open.push_back({row, frame, false});
        };
        const auto has_rest = [](const Box& box) { return box.not_expanded != 0; };
        const auto rests = std::count_if(boxes_.begin(), boxes_.end(), has_rest) + (not_begun_ != 0 ? 1 : 0);
        tree.frames.reserve(boxes_.size() + static_cast<std::size_t>(rests));
        put(Frame::none, std::move(roots), Frame::none);
        while (!open.empty()) {
            const Waiting next = open.back();
            open.pop_back();
            const auto row = static_cast<std::uint32_t>(tree.frames.size());
            if (next.is_rest) {
                const bool is_below = next.parent != Frame::none;
                tree.frames.push_back(rest_of(not_expanded(next.box), next.parent,
                                              is_below ? tree.frames[next.parent].level + 1 : 1));
                continue;
            }
            Frame& frame = tree.frames.emplace_back(frame_of(boxes_[next.box]));
            frame.parent = next.parent;
            ++tree.functions;
            const auto below = boxes_below[next.box];
            put(next.box, {below.begin(), below.end()}, row);
        }
    }

    [[nodiscard]] bool is_later(const Group& one, const Group& other) const {
        if (one.cost != other.cost) return one.cost < other.cost;
        if (one.parent != other.parent) return one.parent > other.parent;
        return precedes(graph_, other.node, one.node);
    }
    struct IsLater {
        const ExactFrames& frames;
        bool operator()(std::uint32_t a, std::uint32_t b) const {
            return frames.is_later(frames.groups_[a], frames.groups_[b]);
        }
    };

    const CallGraph& graph_;
    const StackRows& rows_;
    const TreeOptions& options_;
    bool has_limit_;    // of frames
    bool is_in_order_;  // groups are taken as the tree has them
    std::vector<Group> groups_;
    std::vector<std::uint32_t> waiting_;  // groups; a heap if there is a limit
    std::vector<Box> boxes_;
    Cost not_begun_ = 0;
};

void finish(Tree& tree) {
    for (auto row = static_cast<std::uint32_t>(tree.frames.size()); row-- > 0;) {
        Frame& frame = tree.frames[row];
        frame.end = std::max(frame.end, row + 1);
        if (frame.kind == FrameKind::not_expanded) tree.not_expanded += frame.self.estimate;
        if (frame.parent == Frame::none) {
            tree.inclusive += frame.inclusive.estimate;
        } else {
            tree.frames[frame.parent].end = std::max(tree.frames[frame.parent].end, frame.end);
        }
    }
    tree.certain = tree.inclusive;
}

/// Nothing where the stacks are not those of the graph.
std::optional<StackRows> rows_of(const CallGraph& graph, const StacksOfSources& stacks,
                                 const Measure& measure, const Filters& filters, NegativeCosts negative) {
    if (!measure.additive) return std::nullopt;
    const auto chosen = stacks_of(graph, stacks);
    if (!chosen) return std::nullopt;
    const NodeNames names(graph);
    StackRows rows;
    std::size_t all = 0;
    for (const auto& of_source : *chosen) all += of_source->size();
    rows.caller.reserve(all);
    rows.node.reserve(all);
    rows.self.reserve(all);
    for (const auto& of_source : *chosen) rows.add(*of_source, names, graph, measure);
    Cost total = 0;
    for (const Cost cost : rows.self) total += cost;
    if (total != graph.total(measure)) return std::nullopt;
    if (filters.focus || filters.ignore)
        rows.keep(answers(graph, filters.focus, true), answers(graph, filters.ignore, false));
    rows.add_up(negative);
    if (!rows.all_known()) return std::nullopt;
    return rows;
}

}  // namespace

std::optional<Tree> exact_tree(const CallGraph& graph, const StacksOfSources& stacks,
                               const TreeOptions& options, const Filters& filters, NegativeCosts negative) {
    Tree tree;
    tree.measure = options.measure ? *options.measure : default_measure(graph);
    tree.direction = options.direction;
    tree.from_chosen = options.root != nullptr;
    tree.exact = true;
    const auto rows = rows_of(graph, stacks, tree.measure, filters, negative);
    if (!rows) return std::nullopt;
    tree.negative = rows->negative;
    ExactFrames(graph, *rows, options).write(tree);
    finish(tree);
    return tree;
}

bool exact_frames(const CallGraph& graph, const StacksOfSources& stacks, const TreeOptions& options,
                  const Filters& filters, NegativeCosts negative,
                  const std::function<void(const Frame&)>& on_frame) {
    const Measure measure = options.measure ? *options.measure : default_measure(graph);
    const auto rows = rows_of(graph, stacks, measure, filters, negative);
    if (!rows) return false;
    ExactFrames frames(graph, *rows, options);
    if (frames.is_in_order()) {
        frames.for_each(on_frame);
        return true;
    }
    Tree tree;
    frames.write(tree);
    std::for_each(tree.frames.begin(), tree.frames.end(), on_frame);
    return true;
}

}  // namespace callcost
