// The call graph around a function, cut to what a picture can show.
#include <algorithm>
#include <optional>
#include <queue>
#include <tuple>
#include <utility>

#include "session/answers.hpp"
#include "session/function_rows.hpp"
#include "text/profile_facts.hpp"

namespace callcost::engine {
namespace {

constexpr std::size_t default_nodes = 100;
constexpr std::size_t max_nodes = 1000;

/// What is worth drawing.
struct Limits {
    std::size_t callers = 2, callees = 4;  ///< levels
    std::size_t nodes = default_nodes;
    std::uint64_t min_node = 0, min_arc = 0;  ///< magnitudes of cost
};

/// A call between two functions, of the new profile, of both, or of the old one only.
struct Link {
    std::size_t from = 0, to = 0;     ///< functions, by their numbers
    ArcId arc;                        ///< of the new profile; invalid if it is removed
    const ArcMatch* match = nullptr;  ///< if it is known what it was before
};

/// All functions of a question: those of the new profile, then removed ones, each with a number.
/// Those that nothing tells apart are each for itself: of them it is not known what they were before.
class Functions {
  public:
    explicit Functions(const View& view) : view_(view), rows_(view, CostsOf::filtered) {
        if (!view.compared) return;
        const auto functions = view.compared->diff.functions();
        number_.assign(functions.size(), none);
        for (const auto& of : functions) {
            if (of.is_removed()) {
                number_[of.id.value] = view.after.graph().size() + removed_.size();
                removed_.push_back(of.id);
            } else if (of.after.size() == 1) {
                number_[of.id.value] = of.after.front().value;
            }
        }
    }

    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    [[nodiscard]] std::size_t size() const { return view_.after.graph().size() + removed_.size(); }
    [[nodiscard]] std::size_t number(FunctionAt function) const {
        return function.is_before ? number_[view_.compared->match_before[function.node.value].value]
                                  : function.node.value;
    }
    [[nodiscard]] FunctionNames names(std::size_t number) const {
        return is_removed(number) ? rows_.names(id(number).value)
                                  : names_of(view_.after.graph(), NodeId(number));
    }
    /// Magnitude of the inclusive cost, or of the self cost without calls: the larger of both profiles.
    [[nodiscard]] std::uint64_t weight(std::size_t number) const {
        const auto weight_in = [](const Side& side, NodeId node) {
            return (side.has_inclusive(side.measure) ? side.inclusive(node, side.measure)
                                                     : side.graph().self(node, side.measure))
                .magnitude();
        };
        std::uint64_t weight = is_removed(number) ? 0 : weight_in(view_.after, NodeId(number));
        if (is_told_apart(number))
            for (const auto node : view_.compared->diff.function(id(number)).before)
                weight = std::max(weight, weight_in(*view_.before, node));
        return weight;
    }
    /// Of a function in a cycle: what the most expensive call from outside of the cycle costs. Its inclusive
    /// cost is only what leaves the cycle, so without this the way into a cycle would not be drawn.
    [[nodiscard]] std::uint64_t weight_of_calls(std::size_t number) const {
        std::uint64_t most = 0;
        if (is_removed(number) || !view_.after.graph().cycle(NodeId(number)).valid()) return most;
        for (const auto& link : links(number, true))
            if (!is_recursive(link)) most = std::max(most, weight(link));
        return most;
    }
    /// Filters want it drawn: some of what is spent in it or below is kept.
    [[nodiscard]] bool is_wanted(std::size_t number) const {
        const auto& side = is_removed(number) ? *view_.before : view_.after;
        const auto* filtered = side.filtered.get();
        if (filtered == nullptr) return true;
        const auto node =
            is_removed(number) ? view_.compared->diff.function(id(number)).before.front() : NodeId(number);
        return filtered->is_shown(node) &&
               filtered->filtered(side.measure).inclusive[node.value] != Kept::nothing;
    }
    void write(JsonWriter& json, std::size_t number) const {
        if (view_.compared && !is_told_apart(number)) {
            const View alone{view_.after, std::nullopt, nullptr};
            FunctionRows(alone, CostsOf::filtered).write(json, number, {.labels = Labels::whole});
        } else {
            rows_.write(json, view_.compared ? id(number).value : number, {.labels = Labels::whole});
        }
    }

    /// The calls of a function, or of it by others.
    [[nodiscard]] std::vector<Link> links(std::size_t number, bool is_up) const {
        const auto& graph = view_.after.graph();
        std::vector<Link> links;
        if (!is_removed(number)) {
            for (const auto arc : is_up ? graph.callers(NodeId(number)) : graph.callees(NodeId(number)))
                links.push_back({graph.caller(arc).value, graph.callee(arc).value, arc, match_of(arc)});
        }
        if (!is_told_apart(number)) return links;
        const auto& compared = *view_.compared;
        const auto& first = is_up ? compared.first_in : compared.first_out;
        const auto row = id(number).value;
        for (auto i = first[row]; i < first[row + 1]; ++i) {
            const auto& match = compared.diff.arcs()[(is_up ? compared.arcs_in : compared.arcs_out)[i]];
            const auto from = number_[match.caller.value];
            const auto to = number_[match.callee.value];
            if (match.after.empty() && from != none && to != none) links.push_back({from, to, {}, &match});
        }
        return links;
    }
    /// Magnitude of its cost: the larger of both profiles.
    [[nodiscard]] std::uint64_t weight(const Link& link) const {
        const auto now =
            link.arc.valid() ? view_.after.graph().cost(link.arc, view_.after.measure).magnitude() : 0;
        return link.match != nullptr ? std::max(now, before(link, view_.before->measure).magnitude()) : now;
    }
    [[nodiscard]] bool is_recursive(const Link& link) const {
        return link.arc.valid() ? view_.after.graph().recursive(link.arc)
                                : view_.before->graph().recursive(link.match->before.front());
    }
    [[nodiscard]] bool is_counted_again(const Link& link) const {
        return (link.arc.valid() && view_.after.graph().counted_again(link.arc)) ||
               (link.match != nullptr && engine::is_counted_again(*view_.before, link.match->before));
    }
    [[nodiscard]] Cost before(const Link& link, const Measure& by) const {
        Cost cost = 0;
        for (const auto arc : link.match->before) cost += view_.before->graph().cost(arc, by);
        return cost;
    }

  private:
    [[nodiscard]] bool is_removed(std::size_t number) const { return number >= view_.after.graph().size(); }
    [[nodiscard]] MatchId id(std::size_t number) const {
        return is_removed(number) ? removed_[number - view_.after.graph().size()]
                                  : view_.compared->match_after[number];
    }
    [[nodiscard]] bool is_told_apart(std::size_t number) const {
        return view_.compared && number_[id(number).value] == number;
    }
    /// Of calls that nothing tells apart it is not known which was which.
    [[nodiscard]] const ArcMatch* match_of(ArcId arc) const {
        if (!view_.compared) return nullptr;
        const auto& match = view_.compared->diff.arcs()[view_.compared->arc_after[arc.value]];
        return match.after.size() == 1 ? &match : nullptr;
    }

    const View& view_;
    FunctionRows rows_;
    std::vector<std::size_t> number_;  // by MatchId; none: not told apart
    std::vector<MatchId> removed_;
};

/// The functions to draw, the most expensive calls first.
class Neighbourhood {
  public:
    Neighbourhood(const Functions& functions, const Limits& limits)
        : functions_(functions),
          limits_(limits),
          place_(functions.size(), none),
          omission_(functions.size(), Omission::nothing) {}

    void add_around(std::size_t middle) {
        add(middle);
        spread(middle, limits_.callers, true);
        spread(middle, limits_.callees, false);
    }

    /// The whole program: the most expensive functions.
    void add_costliest() {
        std::vector<std::pair<std::uint64_t, std::size_t>> all;
        all.reserve(functions_.size());
        for (std::size_t number = 0; number < functions_.size(); ++number)
            if (functions_.is_wanted(number))
                all.emplace_back(std::max(functions_.weight(number), functions_.weight_of_calls(number)),
                                 number);
        const auto shown = std::min(limits_.nodes, all.size());
        std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(shown), all.end(),
                          [&](const auto& a, const auto& b) {
                              if (a.first != b.first) return a.first > b.first;
                              return std::pair(functions_.names(a.second), a.second) <
                                     std::pair(functions_.names(b.second), b.second);
                          });
        constexpr std::size_t never_less = 20;  // a flat profile has no function that stands out
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto& [weight, number] = all[i];
            if (weight < limits_.min_node && (i >= never_less || i >= shown)) {
                omission_[number] = Omission::light;
            } else if (i >= shown) {
                omission_[number] = Omission::crowded_out;
            } else {
                add(number);
            }
        }
    }

    [[nodiscard]] const std::vector<std::size_t>& drawn() const { return drawn_; }
    [[nodiscard]] bool has(std::size_t number) const { return place_[number] != none; }
    [[nodiscard]] std::size_t place(std::size_t number) const { return place_[number]; }
    /// Those that are too light, those that there was no room for.
    [[nodiscard]] std::pair<std::size_t, std::size_t> omitted() const {
        std::pair<std::size_t, std::size_t> counts;
        for (std::size_t number = 0; number < omission_.size(); ++number) {
            if (has(number)) continue;
            if (omission_[number] == Omission::light) ++counts.first;
            if (omission_[number] == Omission::crowded_out) ++counts.second;
        }
        return counts;
    }

  private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    enum class Omission : std::uint8_t { nothing, light, crowded_out };

    void add(std::size_t number) {
        place_[number] = drawn_.size();
        drawn_.push_back(number);
    }

    struct ReachedNode {
        std::uint64_t cost;
        FunctionNames names;
        std::size_t function;
        std::size_t level;
        bool is_recursive;
    };

    /// Of a function in a cycle the inclusive cost is only what leaves the cycle: a call inside of it says
    /// more.
    [[nodiscard]] bool is_light(const ReachedNode& reached) const {
        const auto inclusive = functions_.weight(reached.function);
        const auto cost = reached.is_recursive ? std::max(inclusive, reached.cost) : inclusive;
        return reached.cost < limits_.min_arc || cost < limits_.min_node;
    }

    /// By the most expensive call that is left, whatever its level.
    void spread(std::size_t middle, std::size_t levels, bool is_up) {
        const auto later = [](const ReachedNode& a, const ReachedNode& b) {
            if (a.cost != b.cost) return a.cost < b.cost;
            return std::tie(b.names, b.function, b.level) < std::tie(a.names, a.function, a.level);
        };
        std::priority_queue<ReachedNode, std::vector<ReachedNode>, decltype(later)> open(later);
        // In a cycle a callee may have been drawn as a caller: what it calls is reached by way of it all the
        // same.
        std::vector<bool> is_reached(functions_.size());
        const auto open_neighbours = [&](std::size_t number, std::size_t level) {
            is_reached[number] = true;
            if (level >= levels) return;
            for (const auto& link : functions_.links(number, is_up)) {
                const auto next = is_up ? link.from : link.to;
                if (!is_reached[next] && functions_.is_wanted(next))
                    open.push({functions_.weight(link), functions_.names(next), next, level + 1,
                               functions_.is_recursive(link)});
            }
        };
        const auto first = drawn_.size();
        const auto room = is_up ? limits_.nodes / 3 : limits_.nodes - std::min(limits_.nodes, first);
        open_neighbours(middle, 0);
        while (!open.empty()) {
            const auto reached = open.top();
            open.pop();
            if (is_reached[reached.function]) continue;
            if (!has(reached.function)) {
                const bool is_light_here = is_light(reached);
                if (is_light_here || drawn_.size() - first >= room) {
                    auto& omission = omission_[reached.function];
                    if (omission != Omission::crowded_out)
                        omission = is_light_here ? Omission::light : Omission::crowded_out;
                    continue;
                }
                add(reached.function);
            }
            open_neighbours(reached.function, reached.level);
        }
    }

    const Functions& functions_;
    const Limits& limits_;
    std::vector<std::size_t> place_;  // in drawn_, by number
    std::vector<Omission> omission_;  // by number
    std::vector<std::size_t> drawn_;  // numbers
};

void write_link(JsonWriter& json, const View& view, const Functions& functions, const Neighbourhood& drawn,
                const Link& link) {
    const auto& graph = view.after.graph();
    json.begin_object();
    json.member("from", drawn.place(link.from));
    json.member("to", drawn.place(link.to));
    write_count(json, "count", link.arc.valid() ? graph.count(link.arc) : CallCount{}, "at_least");
    write_sums(json, "cost", view.after.columns, [&](std::size_t column) {
        return link.arc.valid() ? graph.cost(link.arc, view.after.columns[column]) : Cost();
    });
    json.member("recursive", functions.is_recursive(link));
    if (functions.is_counted_again(link)) json.member("counted_again", true);
    if (link.arc.valid() && graph.inlined(link.arc)) json.member("inlined", true);
    if (link.match != nullptr) {
        const auto& before = *view.before;
        write_count(json, "count_before", view.compared->diff.count(*link.match).first, "at_least_before");
        write_sums(json, "cost_before", before.columns,
                   [&](std::size_t column) { return functions.before(link, before.columns[column]); });
    }
    json.end_object();
}

void write_drawn(JsonWriter& json, const View& view, const Functions& functions, const Neighbourhood& drawn,
                 std::uint64_t min_arc) {
    json.key("nodes");
    json.begin_array();
    for (const auto number : drawn.drawn()) functions.write(json, number);
    json.end_array();
    std::size_t omitted_arcs = 0;
    json.key("arcs");
    json.begin_array();
    for (const auto number : drawn.drawn()) {
        auto links = functions.links(number, false);
        std::erase_if(links, [&](const Link& link) { return !drawn.has(link.to); });
        const auto all = links.size();
        std::erase_if(links, [&](const Link& link) { return functions.weight(link) < min_arc; });
        omitted_arcs += all - links.size();
        std::stable_sort(links.begin(), links.end(),
                         [&](const Link& a, const Link& b) { return drawn.place(a.to) < drawn.place(b.to); });
        for (const auto& link : links) write_link(json, view, functions, drawn, link);
    }
    json.end_array();
    json.key("hidden_callers");
    json.begin_array();
    for (const auto number : drawn.drawn()) {
        const auto links = functions.links(number, true);
        json.value(std::count_if(links.begin(), links.end(), [&](const Link& link) {
            return !drawn.has(link.from) || functions.weight(link) < min_arc;
        }));
    }
    json.end_array();
    const auto [light, crowded_out] = drawn.omitted();
    json.member("omitted_nodes", light);
    json.member("crowded_out", crowded_out);
    json.member("omitted_arcs", omitted_arcs);
}

std::uint64_t share_of(std::uint64_t whole, double share) {
    return static_cast<std::uint64_t>(static_cast<double>(whole) * std::clamp(share, 0.0, 1.0));
}

/// What the shares that a question names are of.
std::uint64_t whole_of(const View& view, const Functions& functions, std::optional<FunctionAt> middle) {
    const auto base = [](const Side& side) {
        return percentage_base(side.graph(), side.measure).magnitude();
    };
    if (!middle) return std::max(base(view.after), view.before ? base(*view.before) : 0);
    if (const auto weight = functions.weight(functions.number(*middle)); weight > 0) return weight;
    // In a cycle all of the inclusive cost may be that of others. (The cost of calls in a cycle is
    // counted again for each level of the recursion: nothing would be a part of it worth drawing.)
    const auto& side = middle->is_before ? *view.before : view.after;
    const auto paid = conservation(side.graph(), middle->node, side.measure).in;
    return static_cast<std::uint64_t>(std::max(paid, Cost{0}));
}

}  // namespace

void answer_graph(Request& request, JsonWriter& json) {
    auto& question = request.question;
    const auto view = request.view();
    if (!view) return;
    Limits limits;
    constexpr std::size_t max_levels = 10'000;
    limits.callers = question.count("callers", limits.callers, max_levels);
    limits.callees = question.count("callees", limits.callees, max_levels);
    limits.nodes = question.count("most", default_nodes, max_nodes);
    const auto node_share = question.number("node_share", 0.01);
    const auto arc_share = question.number("arc_share", 0.005);
    const auto middle = question.has("id") ? request.function("id", *view) : std::nullopt;
    if (question.error()) return;

    const Functions functions(*view);
    if (middle && functions.number(*middle) == Functions::none)
        return question.refuse({.id = "unknown-function",
                                .message = "it cannot be distinguished from other removed functions",
                                .member = "id"});
    const auto whole = whole_of(*view, functions, middle);
    limits.min_node = share_of(whole, node_share);
    limits.min_arc = share_of(whole, arc_share);
    Neighbourhood drawn(functions, limits);
    if (middle) {
        drawn.add_around(functions.number(*middle));
    } else {
        drawn.add_costliest();
    }
    json.begin_object();
    write_drawn(json, *view, functions, drawn, limits.min_arc);
    json.end_object();
}

}  // namespace callcost::engine
