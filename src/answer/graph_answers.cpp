// The call graph around a function, cut to what a picture can show.
#include <algorithm>
#include <cmath>
#include <optional>
#include <queue>
#include <tuple>
#include <utility>

#include "answer/answers.hpp"
#include "answer/function_rows.hpp"

namespace callcost::answer {
namespace {

constexpr std::size_t usual_nodes = 100;
constexpr std::size_t most_nodes = 1000;

/// What is worth drawing.
struct Limits {
    std::size_t callers = 2, callees = 4;  ///< levels
    std::size_t nodes = usual_nodes;
    std::int64_t least_node = 0, least_arc = 0;  ///< magnitudes of cost
};

std::uint64_t size_of(std::int64_t cost) {
    const auto bits = static_cast<std::uint64_t>(cost);
    return cost < 0 ? 0 - bits : bits;
}

/// The functions to draw, the costliest calls first.
class Neighbourhood {
  public:
    Neighbourhood(const Side& side, const Limits& limits)
        : side_(side), limits_(limits), place_(side.graph().size(), none) {}

    void add_around(NodeId middle) {
        add(middle);
        spread(middle, limits_.callers, true);
        spread(middle, limits_.callees, false);
    }

    /// The whole program: the costliest functions.
    void add_costliest() {
        const auto& graph = side_.graph();
        std::vector<std::pair<std::uint64_t, std::size_t>> all;
        all.reserve(graph.size());
        for (std::size_t row = 0; row < graph.size(); ++row)
            if (is_wanted(NodeId(row))) all.emplace_back(weight(NodeId(row)), row);
        const auto shown = std::min(limits_.nodes, all.size());
        std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(shown), all.end(),
                          [&](const auto& a, const auto& b) {
                              if (a.first != b.first) return a.first > b.first;
                              const int order =
                                  graph.name(NodeId(a.second)).compare(graph.name(NodeId(b.second)));
                              return order != 0 ? order < 0 : a.second < b.second;
                          });
        constexpr std::size_t never_less = 20;  // a flat profile has no function that stands out
        for (std::size_t i = 0; i < shown; ++i) {
            if (i < never_less || all[i].first >= static_cast<std::uint64_t>(limits_.least_node)) {
                add(NodeId(all[i].second));
            } else {
                ++omitted_;
            }
        }
        omitted_ += all.size() - shown;
    }

    [[nodiscard]] const std::vector<NodeId>& nodes() const { return nodes_; }
    [[nodiscard]] bool has(NodeId node) const { return place_[node.value] != none; }
    [[nodiscard]] std::size_t place(NodeId node) const { return place_[node.value]; }
    [[nodiscard]] std::size_t omitted() const { return omitted_; }

  private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    [[nodiscard]] std::uint64_t weight(NodeId node) const {
        return size_of(side_.has_inclusive(side_.measure) ? side_.inclusive(node, side_.measure)
                                                          : side_.graph().self(node, side_.measure));
    }

    void add(NodeId node) {
        place_[node.value] = nodes_.size();
        nodes_.push_back(node);
    }

    struct Reached {
        std::uint64_t cost;
        std::string_view name;
        NodeId node;
        std::size_t level;
        bool is_recursive;
    };

    /// Filters want it drawn: some of what is spent in it or below is kept.
    [[nodiscard]] bool is_wanted(NodeId node) const {
        const auto* filtered = side_.filtered.get();
        return filtered == nullptr ||
               (filtered->is_shown[node.value] && filtered->inclusive[node.value] != Kept::nothing);
    }

    /// Of a function in a cycle the inclusive cost is only what leaves the cycle: a call inside of it says
    /// more.
    [[nodiscard]] bool is_light(const Reached& reached) const {
        const auto inclusive = weight(reached.node);
        const auto cost = reached.is_recursive ? std::max(inclusive, reached.cost) : inclusive;
        return reached.cost < static_cast<std::uint64_t>(limits_.least_arc) ||
               cost < static_cast<std::uint64_t>(limits_.least_node);
    }

    /// By the costliest call that is left, whatever its level.
    void spread(NodeId middle, std::size_t levels, bool is_up) {
        const auto& graph = side_.graph();
        const auto later = [](const Reached& a, const Reached& b) {
            if (a.cost != b.cost) return a.cost < b.cost;
            return std::tie(a.name, a.node, a.level) > std::tie(b.name, b.node, b.level);
        };
        std::priority_queue<Reached, std::vector<Reached>, decltype(later)> open(later);
        // In a cycle a callee may have been drawn as a caller: what it calls is reached by way of it all the
        // same.
        std::vector<bool> is_reached(graph.size());
        const auto open_neighbours = [&](NodeId node, std::size_t level) {
            is_reached[node.value] = true;
            if (level >= levels) return;
            for (const auto arc : is_up ? graph.callers(node) : graph.callees(node)) {
                const auto next = is_up ? graph.caller(arc) : graph.callee(arc);
                const auto cost = size_of(graph.cost(arc, side_.measure));
                if (!is_reached[next.value] && is_wanted(next))
                    open.push({cost, graph.name(next), next, level + 1, graph.recursive(arc)});
            }
        };
        std::vector<bool> is_omitted(graph.size());
        const auto first = nodes_.size();
        const auto room = is_up ? limits_.nodes / 3 : limits_.nodes - std::min(limits_.nodes, first);
        open_neighbours(middle, 0);
        while (!open.empty()) {
            const auto reached = open.top();
            open.pop();
            if (is_reached[reached.node.value]) continue;
            if (!has(reached.node)) {
                if (is_light(reached) || nodes_.size() - first >= room) {
                    if (!is_omitted[reached.node.value]) ++omitted_;
                    is_omitted[reached.node.value] = true;
                    continue;
                }
                add(reached.node);
            }
            open_neighbours(reached.node, reached.level);
        }
    }

    const Side& side_;
    const Limits& limits_;
    std::vector<std::size_t> place_;  // in nodes_, by node
    std::vector<NodeId> nodes_;
    std::size_t omitted_ = 0;
};

void write_arc(JsonText& json, const View& view, const Neighbourhood& drawn, ArcId arc) {
    const auto& graph = view.after.graph();
    json.begin_object();
    json.member("from", drawn.place(graph.caller(arc)));
    json.member("to", drawn.place(graph.callee(arc)));
    write_count(json, "count", graph.count(arc), "at_least");
    write_sums(json, "cost", view.after.columns,
               [&](std::size_t column) { return graph.cost(arc, view.after.columns[column]); });
    json.member("recursive", graph.recursive(arc));
    const auto* compared = view.compared.get();
    const auto* match =
        compared != nullptr ? &compared->diff.arcs()[compared->arc_after[arc.value]] : nullptr;
    // Of calls that nothing tells apart it is not known which was which.
    if (match != nullptr && match->after.size() == 1) {
        const auto& before = *view.before;
        write_count(json, "count_before", compared->diff.count(*match).first, "at_least_before");
        write_sums(json, "cost_before", before.columns, [&](std::size_t column) {
            std::uint64_t cost = 0;
            for (const auto of : match->before)
                cost += static_cast<std::uint64_t>(before.graph().cost(of, before.columns[column]));
            return static_cast<std::int64_t>(cost);
        });
    }
    json.end_object();
}

void write_drawn(JsonText& json, const View& view, const Neighbourhood& drawn, std::int64_t least_arc) {
    const auto& graph = view.after.graph();
    const FunctionRows rows(view);
    const View alone{view.after, std::nullopt, nullptr};
    json.key("nodes");
    json.begin_array();
    for (const auto node : drawn.nodes()) {
        const auto row = rows.row_of({node, false});
        if (view.compared && view.compared->diff.functions()[row].after.size() > 1) {
            FunctionRows(alone).write(json, node.value);
        } else {
            rows.write(json, row);
        }
    }
    json.end_array();
    std::size_t omitted_arcs = 0;
    json.key("arcs");
    json.begin_array();
    for (const auto node : drawn.nodes()) {
        std::vector<ArcId> arcs;
        for (const auto arc : graph.callees(node)) {
            if (!drawn.has(graph.callee(arc))) continue;
            if (size_of(graph.cost(arc, view.after.measure)) >= static_cast<std::uint64_t>(least_arc)) {
                arcs.push_back(arc);
            } else {
                ++omitted_arcs;
            }
        }
        std::sort(arcs.begin(), arcs.end(), [&](ArcId a, ArcId b) {
            return std::pair(drawn.place(graph.callee(a)), a) < std::pair(drawn.place(graph.callee(b)), b);
        });
        for (const auto arc : arcs) write_arc(json, view, drawn, arc);
    }
    json.end_array();
    json.member("omitted_nodes", drawn.omitted());
    json.member("omitted_arcs", omitted_arcs);
}

std::int64_t share_of(std::int64_t whole, double share) {
    return static_cast<std::int64_t>(std::abs(static_cast<double>(whole)) * std::clamp(share, 0.0, 1.0));
}

}  // namespace

void answer_graph(Asked& asked, JsonText& json) {
    auto& question = asked.question;
    const auto view = asked.view();
    if (!view) return;
    Limits limits;
    constexpr std::size_t most_levels = 10'000;
    limits.callers = question.count("callers", limits.callers, most_levels);
    limits.callees = question.count("callees", limits.callees, most_levels);
    limits.nodes = question.count("most", usual_nodes, most_nodes);
    const auto node_share = question.number("node_share", 0.01);
    const auto arc_share = question.number("arc_share", 0.005);
    const auto middle = question.has("id") ? find_function(question, "id", *view) : std::nullopt;
    if (middle && middle->is_before)
        question.refuse({.id = "unknown-function",
                         .message = "the function is not in the profile after",
                         .member = "id"});
    if (question.refusal()) return;

    const auto& side = view->after;
    auto whole = percentage_base(side.graph(), side.measure);
    if (middle) {
        const auto inclusive = side.inclusive(middle->node, side.measure);
        const auto paid = conservation(side.graph(), middle->node, side.measure).in;
        // In a cycle all of the inclusive cost may be that of others. (What callers paid in a cycle is
        // counted again for each level of the recursion: nothing would be a part of it worth drawing.)
        whole = inclusive > 0 ? inclusive : std::max(paid, std::int64_t{0});
    }
    limits.least_node = share_of(whole, node_share);
    limits.least_arc = share_of(whole, arc_share);
    Neighbourhood drawn(side, limits);
    if (middle) {
        drawn.add_around(middle->node);
    } else {
        drawn.add_costliest();
    }
    json.begin_object();
    write_drawn(json, *view, drawn, limits.least_arc);
    json.end_object();
}

}  // namespace callcost::answer
