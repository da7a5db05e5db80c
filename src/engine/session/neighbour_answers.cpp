// One function: what it costs by every event type, who calls it, whom it calls, and its cycle.
#include <algorithm>
#include <span>
#include <utility>

#include "answers/neighbours.hpp"
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

/// That the callee is inlined in the caller, and which other functions that is inlined in itself there.
void write_inlined(JsonWriter& json, const CallGraph& graph, ArcId arc) {
    constexpr std::size_t max_hosts = 5;
    json.member("inlined", true);
    const auto& profile = graph.profile();
    std::vector<NodeId> hosts;
    for (const FunctionId function : graph.functions(graph.callee(arc))) {
        const auto in = profile.inlined_in(function);
        if (!in.valid() || graph.node_of(in) != graph.caller(arc) || !profile.inlined_in(in).valid())
            continue;
        if (const auto host = graph.node_of(profile.host(in)); host.valid()) hosts.push_back(host);
    }
    std::sort(hosts.begin(), hosts.end());
    hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
    if (hosts.empty() || hosts.size() > max_hosts) return;
    json.key("hosts");
    json.begin_array();
    for (const NodeId host : hosts) json.value(graph.name(host));
    json.end_array();
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
    const auto& graph = view.after.graph();
    const bool is_inlined = of.arc.valid() && graph.inlined(of.arc);
    json.member("active", of.arc.valid() && counts.after.known == 0 && !is_inlined);
    if (is_inlined) write_inlined(json, graph, of.arc);
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
    std::vector<std::vector<CallSite>> sites(shown);
    if (options.sites)
        if (auto found = call_sites_of(view, std::span(all).first(shown))) sites = *std::move(found);
    std::vector<NameInRow> names;
    names.reserve(shown);
    for (const auto& of : std::span(all).first(shown)) {
        names.push_back(name_in_row(of.other.is_before ? *view.before : view.after, of.other.node));
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
    const auto rest = neighbours.rest(shown);
    json.member("omitted_rows", rest.rows);
    const auto sum = [&](Cost of) { return adds_up(view) ? std::optional(of) : std::nullopt; };
    json.member("omitted_cost", sum(rest.cost.after));
    if (view.compared) json.member("omitted_cost_before", sum(rest.cost.before));
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
