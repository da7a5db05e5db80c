// One function: what it costs by every event type, who calls it, whom it calls, and its cycle.
#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

#include "session/answers.hpp"
#include "session/code_answers.hpp"
#include "session/function_rows.hpp"
#include "text/profile_facts.hpp"
#include <callcost/lines.hpp>

namespace callcost::engine {
namespace {

constexpr std::size_t default_neighbours = 200;
constexpr std::size_t max_neighbours = 5000;
constexpr std::size_t max_sites = 50;

enum class End : std::uint8_t { caller, callee };

/// A call arc of one profile, or of both.
struct Neighbour {
    ArcId arc;            ///< of the new profile, the first one; invalid if there is none
    ArcId arc_before;     ///< the same of the old profile
    std::size_t row = 0;  ///< of Diff::arcs(), if there is a comparison
    FunctionAt other;
};

class Neighbours {
  public:
    Neighbours(const View& view, FunctionAt function, End end) : view_(view), end_(end) {
        if (view.compared) {
            gather_compared(FunctionRows(view).match_of(function));
        } else {
            gather(function.node);
        }
        sort();
    }

    [[nodiscard]] const std::vector<Neighbour>& all() const { return all_; }

    [[nodiscard]] Change cost(const Neighbour& of, std::size_t column) const {
        if (!view_.compared) return {0, view_.after.graph().cost(of.arc, view_.after.columns[column])};
        const auto& match = view_.compared->diff.arcs()[of.row];
        return {sum(*view_.before, match.before, column), sum(view_.after, match.after, column)};
    }
    [[nodiscard]] FunctionRows::Counts count(const Neighbour& of) const {
        if (!view_.compared) return {{}, view_.after.graph().count(of.arc)};
        const auto [before, after] = view_.compared->diff.count(view_.compared->diff.arcs()[of.row]);
        return {before, after};
    }
    [[nodiscard]] bool is_recursive(const Neighbour& of) const {
        return of.arc.valid() ? view_.after.graph().recursive(of.arc)
                              : view_.before->graph().recursive(of.arc_before);
    }

    /// In one of the two profiles.
    [[nodiscard]] bool is_counted_again(const Neighbour& of) const {
        if (!view_.compared) return view_.after.graph().counted_again(of.arc);
        const auto& match = view_.compared->diff.arcs()[of.row];
        return engine::is_counted_again(view_.after, match.after) ||
               engine::is_counted_again(*view_.before, match.before);
    }

  private:
    static Cost sum(const Side& side, std::span<const ArcId> arcs, std::size_t column) {
        Cost cost = 0;
        for (const auto arc : arcs) cost += side.graph().cost(arc, side.columns[column]);
        return cost;
    }

    void gather(NodeId node) {
        const auto& graph = view_.after.graph();
        const auto arcs = end_ == End::caller ? graph.callers(node) : graph.callees(node);
        all_.reserve(arcs.size());
        for (const auto arc : arcs)
            all_.push_back(
                {arc, {}, 0, {end_ == End::caller ? graph.caller(arc) : graph.callee(arc), false}});
    }

    void gather_compared(MatchId id) {
        const auto& compared = *view_.compared;
        const auto& first = end_ == End::caller ? compared.first_in : compared.first_out;
        const auto& arcs = end_ == End::caller ? compared.arcs_in : compared.arcs_out;
        all_.reserve(first[id.value + 1] - first[id.value]);
        for (auto i = first[id.value]; i < first[id.value + 1]; ++i) {
            const auto& match = compared.diff.arcs()[arcs[i]];
            const auto& other = compared.diff.function(end_ == End::caller ? match.caller : match.callee);
            Neighbour neighbour;
            neighbour.row = arcs[i];
            if (!match.after.empty()) neighbour.arc = match.after.front();
            if (!match.before.empty()) neighbour.arc_before = match.before.front();
            neighbour.other = other.is_removed() ? FunctionAt{other.before.front(), true}
                                                 : FunctionAt{other.after.front(), false};
            all_.push_back(neighbour);
        }
    }

    void sort() {
        struct Key {
            Cost cost;
            std::uint64_t count;
            FunctionNames names;
            std::size_t index;
        };
        std::vector<Key> keys;
        keys.reserve(all_.size());
        for (std::size_t i = 0; i < all_.size(); ++i) {
            const auto& of = all_[i];
            const auto& graph = (of.other.is_before ? *view_.before : view_.after).graph();
            const auto costs = cost(of, 0);
            const auto counts = count(of);
            keys.push_back({std::max(costs.before, costs.after),
                            std::max(counts.before.known, counts.after.known), names_of(graph, of.other.node),
                            i});
        }
        std::sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) {
            if (a.cost != b.cost) return a.cost > b.cost;
            if (a.count != b.count) return a.count > b.count;
            return std::tie(a.names, a.index) < std::tie(b.names, b.index);
        });
        std::vector<Neighbour> sorted;
        sorted.reserve(all_.size());
        for (const auto& key : keys) sorted.push_back(all_[key.index]);
        all_ = std::move(sorted);
    }

    const View& view_;
    End end_;
    std::vector<Neighbour> all_;
};

void write_sites(JsonWriter& json, const Side& side, const std::vector<CallSite>& sites) {
    json.key("sites");
    json.begin_array();
    for (std::size_t i = 0; i < std::min(sites.size(), max_sites); ++i) {
        const auto& site = sites[i];
        json.begin_object();
        json.key("file");
        json.begin_object();
        write_file(json, side, {site.file, false});
        json.end_object();
        json.member("line", site.line);
        if (site.address != 0) json.member("address", site.address);
        write_count(json, "count", site.count, "at_least");
        json.member("cost", site.cost);
        json.end_object();
    }
    json.end_array();
    if (sites.size() > max_sites) json.member("omitted_sites", sites.size() - max_sites);
}

/// The first column, in all profiles of the question.
bool adds_up(const View& view) {
    return view.after.columns.front().additive && (!view.before || view.before->columns.front().additive);
}

void write_neighbour(JsonWriter& json, const View& view, const Neighbours& neighbours, const Neighbour& of,
                     const ShownName& shown) {
    const bool compares = view.compared != nullptr;
    const auto& side = of.other.is_before ? *view.before : view.after;
    const auto counts = neighbours.count(of);
    write_identity(json, side, of.other.node, of.other.is_before, shown);
    write_count(json, "count", counts.after, "at_least");
    write_sums(json, "cost", view.after.columns,
               [&](std::size_t column) { return neighbours.cost(of, column).after; });
    if (compares) {
        write_count(json, "count_before", counts.before, "at_least_before");
        write_sums(json, "cost_before", view.before->columns,
                   [&](std::size_t column) { return neighbours.cost(of, column).before; });
        const auto why = reason(neighbours.cost(of, 0), counts.before, counts.after);
        if (why && adds_up(view)) {
            json.member("by_count", why->by_count);
            json.member("by_cost", why->by_cost);
        }
    }
    json.member("per_call", view.after.columns.front().additive
                                ? cost_per_call(neighbours.cost(of, 0).after, counts.after)
                                : std::nullopt);
    json.member("recursive", neighbours.is_recursive(of));
    if (neighbours.is_counted_again(of)) json.member("counted_again", true);
    json.member("active", of.arc.valid() && counts.after.known == 0);
}

/// Of the new profile, by neighbour, most expensive first; empty ones for the others.
std::vector<std::vector<CallSite>> sites_of(const View& view, std::span<const Neighbour> neighbours) {
    std::vector<ArcId> arcs;
    std::vector<std::size_t> owners;
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
        const auto& of = neighbours[i];
        const auto all = view.compared ? view.compared->diff.arcs()[of.row].after : std::span(&of.arc, 1);
        arcs.insert(arcs.end(), all.begin(), all.end());
        owners.insert(owners.end(), all.size(), i);
    }
    std::vector<std::vector<CallSite>> sites(neighbours.size());
    const auto found = call_sites(view.after.graph(), arcs, view.after.columns.front());
    if (!found) return sites;
    for (std::size_t i = 0; i < owners.size(); ++i) {
        auto& of = sites[owners[i]];
        of.insert(of.end(), (*found)[i].begin(), (*found)[i].end());
    }
    for (auto& of : sites)
        std::stable_sort(of.begin(), of.end(),
                         [](const CallSite& a, const CallSite& b) { return a.cost > b.cost; });
    return sites;
}

struct ListOptions {
    std::size_t limit = default_neighbours;
    bool sites = false;
    std::size_t name_width = 0;
};

void write_neighbours(JsonWriter& json, const View& view, const Neighbours& neighbours,
                      const ListOptions& options) {
    const auto& all = neighbours.all();
    const auto shown = std::min(options.limit, all.size());
    const auto sites = options.sites ? sites_of(view, std::span(all).first(shown))
                                     : std::vector<std::vector<CallSite>>(shown);
    std::vector<NameInRow> names;
    names.reserve(shown);
    for (const auto& of : std::span(all).first(shown)) {
        const auto& graph = (of.other.is_before ? *view.before : view.after).graph();
        names.push_back({graph.name(of.other.node), width_of_marks(graph.cycle(of.other.node).valid())});
    }
    const ShortNames shorts(options.name_width, names);
    json.begin_object();
    json.key("rows");
    json.begin_array();
    for (std::size_t i = 0; i < shown; ++i) {
        json.begin_object();
        write_neighbour(json, view, neighbours, all[i], shorts[i]);
        if (options.sites) write_sites(json, view.after, sites[i]);
        json.end_object();
    }
    json.end_array();
    json.member("omitted_rows", all.size() - shown);
    Change omitted;
    for (auto i = shown; i < all.size(); ++i) {
        const auto cost = neighbours.cost(all[i], 0);
        omitted.before += cost.before;
        omitted.after += cost.after;
    }
    const auto sum = [&](Cost of) { return adds_up(view) ? std::optional(of) : std::nullopt; };
    json.member("omitted_cost", sum(omitted.after));
    if (view.compared) json.member("omitted_cost_before", sum(omitted.before));
    json.end_object();
}

/// By all event types of the new profile, whatever the filters keep.
void write_events(JsonWriter& json, const View& view, const Profiles& profiles, std::size_t row) {
    constexpr std::size_t max_events = 200;
    View each = view;
    each.after.columns = profiles.after.measures.all();
    if (each.after.columns.size() > max_events) each.after.columns.resize(max_events);
    if (each.before) {
        each.before->columns.clear();
        for (const auto& column : each.after.columns) {
            auto found = measure_before(profiles, column.name);
            each.before->columns.push_back(found ? *std::move(found) : missing_measure(column.name));
        }
    }
    const FunctionRows all(each);
    json.key("events");
    json.begin_array();
    for (std::size_t column = 0; column < each.after.columns.size(); ++column) {
        const auto& measure = each.after.columns[column];
        const auto self = all.self(row, column);
        const auto inclusive = all.inclusive(row, column);
        const auto if_any = [](bool is_there, Cost cost) {
            return is_there ? std::optional(cost) : std::nullopt;
        };
        json.begin_object();
        json.member("name", measure.name);
        json.member("self", self.after);
        json.member("inclusive", if_any(each.after.has_inclusive(measure), inclusive.after));
        if (each.before) {
            const auto& before = each.before->columns[column];
            json.member("self_before", if_any(!is_missing(before), self.before));
            json.member("inclusive_before", if_any(each.before->has_inclusive(before), inclusive.before));
        }
        json.end_object();
    }
    json.end_array();
}

using CostBeyond = Cost (CallGraph::*)(NodeId, const Measure&) const;

/// Only if there is any.
void write_beyond(JsonWriter& json, const Side& side, std::span<const NodeId> nodes, CostBeyond what,
                  const std::string& name) {
    const auto cost = [&](std::size_t column) {
        Cost sum = 0;
        for (const NodeId node : nodes) sum += (side.graph().*what)(node, side.columns[column]);
        return sum;
    };
    bool is_any = false;
    for (std::size_t column = 0; column < side.columns.size(); ++column) is_any = is_any || cost(column) != 0;
    if (is_any) write_sums(json, name, side.columns, cost);
}

/// The part of the inclusive cost that is neither in the function nor in its recorded callees.
void write_beyond(JsonWriter& json, const View& view, std::size_t row) {
    const std::pair<CostBeyond, std::string> kinds[] = {
        {&CallGraph::unrecorded_callees, "unrecorded_callees"}, {&CallGraph::unattributed, "unattributed"}};
    for (const auto& [what, name] : kinds) {
        if (!view.compared) {
            const NodeId node(row);
            write_beyond(json, view.after, std::span(&node, 1), what, name);
            continue;
        }
        const auto& match = view.compared->diff.functions()[row];
        write_beyond(json, view.after, match.after, what, name);
        write_beyond(json, *view.before, match.before, what, name + "_before");
    }
}

void write_cycle(JsonWriter& json, const Side& side, FunctionAt function, std::size_t limit) {
    const auto& graph = side.graph();
    const auto cycle = graph.cycle(function.node);
    json.key("cycle");
    if (!cycle.valid()) return json.null();
    const auto members = graph.members(cycle);
    std::vector<NodeId> sorted(members.begin(), members.end());
    const auto& by = side.measure;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [&](NodeId a, NodeId b) { return graph.self(a, by) > graph.self(b, by); });
    json.begin_object();
    json.member("number", cycle.value + 1);
    json.member("functions", members.size());
    write_costs(json, "self", side.columns,
                [&](std::size_t c) { return graph.self(cycle, side.columns[c]); });
    write_costs(json, "inclusive", side.columns,
                [&](std::size_t c) { return graph.inclusive(cycle, side.columns[c]); });
    write_count(json, "called", graph.call_count(cycle), "at_least");
    json.key("members");
    json.begin_array();
    for (std::size_t i = 0; i < std::min(limit, sorted.size()); ++i) {
        json.begin_object();
        write_identity(json, side, sorted[i], function.is_before);
        write_costs(json, "self", side.columns,
                    [&](std::size_t c) { return graph.self(sorted[i], side.columns[c]); });
        write_costs(json, "inclusive", side.columns,
                    [&](std::size_t c) { return side.inclusive(sorted[i], side.columns[c]); });
        json.end_object();
    }
    json.end_array();
    json.end_object();
}

}  // namespace

void answer_function(Request& request, JsonWriter& json) {
    auto& question = request.question;
    const auto view = request.view();
    if (!view) return;
    const auto function = request.function("id", *view);
    const ListOptions options = {question.count("limit", default_neighbours, max_neighbours),
                                 question.flag("sites", false), name_width(question)};
    if (!function || question.error()) return;
    const FunctionRows rows(*view, CostsOf::filtered);
    const auto row = rows.row_of(*function);
    const auto& side = function->is_before ? *view->before : view->after;
    json.begin_object();
    json.key("function");
    rows.write(json, row);
    write_events(json, *view, request.profiles, row);
    json.key("callers");
    write_neighbours(json, *view, Neighbours(*view, *function, End::caller), options);
    json.key("callees");
    write_neighbours(json, *view, Neighbours(*view, *function, End::callee), options);
    write_beyond(json, *view, row);
    write_cycle(json, side, *function, options.limit);
    write_files_of(json, side, *function);
    json.end_object();
}

}  // namespace callcost::engine
