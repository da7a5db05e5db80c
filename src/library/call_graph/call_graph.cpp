// Builds the graph of a selection and answers what a single function, arc or cycle costs.
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

#include "base/precondition.hpp"
#include "call_graph/components.hpp"
#include "call_graph/graph_data.hpp"
#include "call_graph/regrouped.hpp"
#include "call_graph/unfold.hpp"
#include "profile/event_facts.hpp"

namespace callcost {
namespace {

using Data = CallGraph::Data;

/// What is left of a name that is folded.
std::string_view folded_name(const ContextName& name, std::string_view whole, Contexts folding) {
    if (folding == Contexts::keep) return whole;
    if (folding == Contexts::fold || name.recursion == 0) return name.name;
    return whole.substr(0, whole.find('\'', name.name.size() + 1));
}

/// Takes the names of the functions apart. Returns them as they are folded.
std::vector<std::string_view> split_names(Data& data, const ContextNames& contexts, Contexts folding) {
    const std::size_t functions = data.columns().functions.size();
    std::vector<std::string_view> names(functions);
    std::vector<bool> is_deeper(functions, false);
    bool any = false;
    for (std::uint32_t row = 0; row < functions; ++row) {
        const ContextName name = contexts.split(FunctionId(row));
        names[row] = data.profile.name(FunctionId(row));
        if (name.context.empty()) continue;
        names[row] = folded_name(name, names[row], folding);
        if (name.recursion == 0) continue;
        is_deeper[row] = any = true;
    }
    const InlinedRows& inlined = data.columns().inlined;
    for (std::size_t row = inlined.first; row < functions; ++row)
        is_deeper[row] = is_deeper[inlined.host(FunctionId(row)).value];
    if (any) data.is_deeper = std::move(is_deeper);
    return names;
}

/// Folding: for every function the first one that is the same but for its context. `names`: what they are
/// called. Only those are looked at that have a context, or the name of one that has.
std::vector<std::uint32_t> fold_functions(const Data& data, std::span<const std::string_view> names,
                                          Inlined folding) {
    struct Key {
        std::uint32_t name, object, file, function;
        bool operator<(const Key& b) const {
            return std::tie(name, object, file, function) < std::tie(b.name, b.object, b.file, b.function);
        }
    };
    const ProfileData& columns = data.columns();
    const InlinedRows& inlined = columns.inlined;
    const NameTable& whole = columns.function_names;
    std::vector<std::uint32_t> name_of(names.size());
    std::vector<bool> is_folded(whole.size(), false);  // by name
    NameTable others{{}};                              // names that no function has without a context
    for (std::uint32_t row = 0; row < names.size(); ++row) {
        name_of[row] = columns.functions[row].name;
        if (folding == Inlined::fold && inlined.contains(FunctionId(row))) is_folded[name_of[row]] = true;
        if (names[row].size() == whole[name_of[row]].size()) continue;
        const std::uint32_t found = whole.find(names[row]);
        name_of[row] = found != UINT32_MAX
                           ? found
                           : static_cast<std::uint32_t>(whole.size()) + others.intern(names[row]);
        if (found != UINT32_MAX) is_folded[found] = true;
    }
    std::vector<std::uint32_t> first(names.size());
    std::vector<Key> keys;
    for (std::uint32_t row = 0; row < names.size(); ++row) {
        first[row] = row;
        const FunctionData& function = columns.functions[row];
        if (name_of[row] < whole.size() && !is_folded[name_of[row]]) continue;
        if (folding != Inlined::fold && inlined.contains(FunctionId(row))) continue;
        keys.push_back({name_of[row], function.object.value, function.file.value, row});
    }
    std::sort(keys.begin(), keys.end());
    for (std::size_t i = 0, start = 0; i < keys.size(); ++i) {
        const Key& a = keys[start];
        const Key& b = keys[i];
        if (a.name != b.name || a.object != b.object || a.file != b.file) start = i;
        first[b.function] = keys[start].function;
    }
    return first;
}

/// Inlined code is that of the function around it, or a function of its own there: by name and call.
void place_inlined(const ProfileData& columns, std::vector<std::uint32_t>& first, Inlined folding) {
    const InlinedRows& inlined = columns.inlined;
    std::map<std::tuple<std::uint32_t, std::uint32_t, FileId, FileId, std::uint64_t, std::uint64_t>,
             std::uint32_t>
        known;
    for (std::uint32_t row = inlined.first; row < first.size(); ++row) {
        const FunctionData& function = columns.functions[row];
        const InlinedPlace& place = inlined[FunctionId(row)];
        const std::uint32_t in = first[place.in.value];
        first[row] = in;
        if (folding == Inlined::in_host) continue;
        first[row] =
            known.try_emplace({in, function.name, function.file, place.file, place.line, place.entry}, row)
                .first->second;
    }
}

/// Which functions of the profile have to do with the chosen parts.
std::vector<bool> present_functions(const Data& data) {
    if (!data.partial) return std::vector<bool>(data.columns().functions.size(), true);
    std::vector<bool> present = data.partial->has_records;
    for (std::size_t row = 0; row < data.columns().arcs.size(); ++row)
        if (data.partial->has_calls[row]) present[data.columns().arcs[row].callee.value] = true;
    const InlinedRows& inlined = data.columns().inlined;
    for (std::size_t row = present.size(); row-- > inlined.first;)  // what it is in has a smaller row
        if (present[row]) present[inlined[FunctionId(row)].in.value] = true;
    return present;
}

/// `names`: without contexts; empty: they stay as they are.
void map_functions(const Data& data, Data::Mapping& mapping, std::span<const std::string_view> names,
                   Inlined folding) {
    const ProfileData& columns = data.columns();
    const std::size_t functions = columns.functions.size();
    const bool fold = !names.empty();
    std::vector<std::uint32_t> first;
    if (fold) {
        first = fold_functions(data, names, folding);
    } else {
        first.resize(functions);
        std::iota(first.begin(), first.end(), 0U);
    }
    if (folding == Inlined::in_host || (fold && folding == Inlined::keep))
        place_inlined(columns, first, folding);
    const std::vector<bool> present = present_functions(data);
    mapping.node_of.assign(functions, no_row);
    std::uint32_t nodes = 0;
    for (std::size_t row = 0; row < functions; ++row) {
        std::uint32_t& node = mapping.node_of[first[row]];
        if (!present[row] || node != no_row) continue;
        node = nodes++;
        if (fold) mapping.names.push_back(names[row]);
    }
    for (std::size_t row = 0; row < functions; ++row) mapping.node_of[row] = mapping.node_of[first[row]];
    mapping.functions = group_by<FunctionId>(
        nodes, functions, [&](std::size_t row) { return present[row] ? mapping.node_of[row] : no_row; });
    mapping.has_records.assign(nodes, false);
    for (std::size_t row = 0; row < functions; ++row)
        if (present[row] &&
            (data.partial ? data.partial->has_records[row] : columns.functions[row].has_records))
            mapping.has_records[mapping.node_of[row]] = true;
}

/// Whether an arc of the profile counts: in the chosen parts, and unless inlined code is in its host.
bool is_arc(const Data& data, std::size_t row, Inlined folding) {
    if (data.partial && !data.partial->has_calls[row]) return false;
    return folding != Inlined::in_host || !data.columns().inlined.contains(data.columns().arcs[row].callee);
}

/// Arcs between the same two nodes become one. They are in the order of their callers, then callees. Calls
/// within a group are no arcs.
void map_arcs(const Data& data, Data::Mapping& mapping, Inlined folding) {
    const ProfileData& columns = data.columns();
    const auto by_caller =
        group_by<ArcId>(mapping.functions.offsets.size() - 1, columns.arcs.size(), [&](std::size_t row) {
            return is_arc(data, row, folding) ? mapping.node_of[columns.arcs[row].caller.value] : no_row;
        });
    mapping.arc_of.assign(columns.arcs.size(), no_row);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> calls;  // of one caller: callee, arc
    for (std::uint32_t caller = 0; caller + 1 < by_caller.offsets.size(); ++caller) {
        calls.clear();
        for (const ArcId arc : by_caller[caller]) {
            const std::uint32_t callee = mapping.node_of[columns.arcs[arc.value].callee.value];
            if (mapping.group_names.empty() || callee != caller) calls.emplace_back(callee, arc.value);
        }
        std::sort(calls.begin(), calls.end());
        for (std::size_t i = 0; i < calls.size(); ++i) {
            if (i == 0 || calls[i].first != calls[i - 1].first) {
                mapping.callers.emplace_back(caller);
                mapping.callees.emplace_back(calls[i].first);
            }
            mapping.arc_of[calls[i].second] = static_cast<std::uint32_t>(mapping.callers.size() - 1);
        }
    }
    mapping.arcs = group_by<ArcId>(mapping.callers.size(), columns.arcs.size(),
                                   [&](std::size_t row) { return mapping.arc_of[row]; });
}

/// Calls f with a function from the row of an arc to its caller and callee.
template <class F>
void with_ends(const Data& data, F f) {
    if (data.mapping)
        return f([&mapping = *data.mapping](std::size_t row) {
            return std::pair(mapping.callers[row], mapping.callees[row]);
        });
    f([&arcs = data.columns().arcs](std::size_t row) {
        const ArcData& arc = arcs[row];
        return std::pair(arc.caller, arc.callee);
    });
}

/// Cycles are components of two functions or more (F76); direct recursion is none. Numbered by their first
/// function.
void find_cycles(Data& data, std::span<const std::uint32_t> targets) {
    const std::size_t nodes = data.node_count();
    const Components components = strong_components(data.callees.offsets, targets);

    std::vector<std::uint32_t> size(components.count, 0);
    for (const std::uint32_t component : components.of) ++size[component];
    std::vector<std::uint32_t> number(components.count, no_row);
    std::uint32_t cycles = 0;
    data.cycle_of.resize(nodes);
    for (std::size_t node = 0; node < nodes; ++node) {
        const std::uint32_t component = components.of[node];
        if (size[component] < 2) continue;
        if (number[component] == no_row) number[component] = cycles++;
        data.cycle_of[node].value = number[component];
    }
    data.cycles =
        group_by<NodeId>(cycles, nodes, [&](std::size_t node) { return data.cycle_of[node].value; });
}

/// Those of the functions that are not inlined.
void take_cycles(Data& data) {
    const CallGraph& hosts = data.inlined->hosts();
    const InlinedRows& inlined = data.columns().inlined;
    data.cycle_of.resize(data.node_count());
    for (std::size_t row = 0; row < data.node_count(); ++row)
        data.for_each_function(NodeId(row), [&](FunctionId function) {
            if (!inlined.contains(function)) data.cycle_of[row] = hosts.cycle(hosts.node_of(function));
        });
    data.cycles = group_by<NodeId>(hosts.cycle_count(), data.node_count(),
                                   [&](std::size_t node) { return data.cycle_of[node].value; });
}

void find_callees_and_cycles(Data& data) {
    with_ends(data, [&](auto ends_of) {
        data.callees = group_by<ArcId>(data.node_count(), data.arc_count(),
                                       [&](std::size_t row) { return ends_of(row).first.value; });
        std::vector<std::uint32_t> targets(data.callees.rows.size());
        std::transform(data.callees.rows.begin(), data.callees.rows.end(), targets.begin(),
                       [&](ArcId arc) { return ends_of(arc.value).second.value; });
        if (!data.inlined) find_cycles(data, targets);
    });
    if (data.inlined) take_cycles(data);
}

void find_callers(Data& data) {
    with_ends(data, [&](auto ends_of) {
        data.callers = group_by<ArcId>(data.node_count(), data.arc_count(),
                                       [&](std::size_t row) { return ends_of(row).second.value; });
    });
}

/// In two halves that share nothing.
void connect(Data& data, const RunAll& run_all) {
    const bool single = data.profile.events().size() == 1 && !data.inlined;
    const auto one = [&] { find_callees_and_cycles(data); };
    const auto other = [&] {
        find_callers(data);
        if (single) data.recorded = sums_of_arcs(data, EventId(0U));
    };
    const std::array<std::function<void()>, 2> halves = {one, other};
    if (run_all)
        run_all(halves);
    else
        for (const auto& half : halves) half();
    if (single) leave_out_cycles(data, data.recorded, EventId(0U));
}

/// The members of each by name.
void sort_cycles(const std::shared_ptr<Data>& data) {
    const CallGraph graph(data);
    const auto by_name = [&](NodeId a, NodeId b) { return precedes(graph, a, b); };
    auto& cycles = data->cycles;
    for (std::size_t cycle = 0; cycle + 1 < cycles.offsets.size(); ++cycle)
        std::sort(cycles.rows.data() + cycles.offsets[cycle], cycles.rows.data() + cycles.offsets[cycle + 1],
                  by_name);
}

/// `inlined` has the graph of hosts; null: for a graph without inlined code.
Result<CallGraph> make_graph(const Profile& profile, const Selection& selection, const RunAll& run_all,
                             std::unique_ptr<InlinedCosts> inlined);

}  // namespace

Result<CallGraph> call_graph(const Profile& profile, const Selection& selection, const RunAll& run_all) {
    if (!profile.has_inlined() || selection.inlined == Inlined::in_host)
        return make_graph(profile, selection, run_all, nullptr);
    Selection in_host = selection;
    in_host.inlined = Inlined::in_host;
    auto hosts = make_graph(profile, in_host, run_all, nullptr);
    if (!hosts) return hosts;
    return make_graph(profile, selection, run_all, std::make_unique<InlinedCosts>(*std::move(hosts)));
}

Result<CallGraph> inlined_places(const Data& data) {
    Selection selection{.contexts = Contexts::keep, .inlined = Inlined::keep};
    for (const PartId part : data.parts) selection.rows.push_back(part.value);
    const CallGraph& hosts = data.inlined->hosts();
    if (is_folded(hosts)) return call_graph(data.profile, selection);
    return make_graph(data.profile, selection, {}, std::make_unique<InlinedCosts>(hosts));
}

namespace {

/// Other formats count calls, if at all, between functions: not those of a function without a caller (F74).
bool counts_calls_of_roots(const Data& data) {
    if (data.parts.empty()) return true;
    const auto origin = origin_of(data.profile.parts()[data.parts.front().value].creator);
    return origin != "stacks" && origin != "estimated stacks";
}

Result<CallGraph> make_graph(const Profile& profile, const Selection& selection, const RunAll& run_all,
                             std::unique_ptr<InlinedCosts> inlined) {
    auto data = std::make_shared<Data>(profile);
    if (auto chosen = choose_parts(*data, selection); !chosen) return tl::unexpected(chosen.error());
    data->inlined = std::move(inlined);
    std::vector<std::string_view> names;
    const ContextNames contexts(profile);
    const bool folds_inlined = data->inlined && selection.inlined == Inlined::fold;
    if (contexts.any() || folds_inlined) names = split_names(*data, contexts, selection.contexts);
    if (selection.contexts == Contexts::keep && !folds_inlined) names.clear();
    if (!names.empty() || data->partial || (profile.has_inlined() && !data->inlined)) {
        auto mapping = std::make_unique<Data::Mapping>();
        map_functions(*data, *mapping, names, selection.inlined);
        map_arcs(*data, *mapping, selection.inlined);
        data->mapping = std::move(mapping);
    }
    connect(*data, run_all);
    if (data->inlined) {
        const Data& hosts = data_of(data->inlined->hosts());
        data->conserved = hosts.conserved;
        data->none_lost = hosts.none_lost;
    } else {
        find_conserved(*data);
    }
    const CallGraph graph(data);
    sort_cycles(data);
    if (data->inlined) {
        data->inlined->prepare(*data);
        return graph;
    }
    find_levels(*data);
    data->cycle_costs.prepare(*data);
    return graph;
}

}  // namespace

CallGraph regrouped(const CallGraph& graph, NodeGroups groups) {
    const Data& from = data_of(graph);
    const std::size_t functions = from.columns().functions.size();
    const auto data = std::make_shared<Data>(from.profile);
    data->parts = from.parts;
    data->is_chosen = from.is_chosen;
    data->total = from.total;
    data->conserved = from.conserved;
    data->none_lost = from.none_lost;
    data->self = from.self;
    data->arc_costs = from.arc_costs;
    data->located = from.located;
    data->partial = from.partial;

    auto mapping = std::make_unique<Data::Mapping>();
    mapping->group_names = std::move(groups.names);
    mapping->names.assign(mapping->group_names.begin(), mapping->group_names.end());
    mapping->objects = std::move(groups.objects);
    mapping->files = std::move(groups.files);
    mapping->has_records.assign(mapping->names.size(), false);
    mapping->of_functions = std::make_shared<const CallGraph>(graph);
    mapping->node_of.assign(functions, no_row);
    for (std::size_t row = 0; row < functions; ++row)
        if (const NodeId node = graph.node_of(FunctionId(row)); node.valid())
            mapping->node_of[row] = groups.of[node.value];
    std::vector<bool> is_present(functions, false);
    for (std::size_t row = 0; row < graph.size(); ++row) {
        if (from.has_records(NodeId(row))) mapping->has_records[groups.of[row]] = true;
        from.for_each_function(NodeId(row), [&](FunctionId function) { is_present[function.value] = true; });
    }
    mapping->functions = group_by<FunctionId>(mapping->names.size(), functions, [&](std::size_t row) {
        return is_present[row] ? mapping->node_of[row] : no_row;
    });
    map_arcs(*data, *mapping, Inlined::fold);
    mapping->group_of = std::move(groups.of);
    data->mapping = std::move(mapping);
    connect(*data, {});
    sort_cycles(data);
    data->cycle_costs.prepare(*data, std::move(groups.inclusive));
    return CallGraph(data);
}

bool is_folded(const CallGraph& graph) {
    const Data& data = data_of(graph);
    return data.mapping && !data.mapping->names.empty() && !data.is_of_groups();
}

std::optional<UnfoldedGraph> unfold(const CallGraph& graph) {
    if (!is_folded(graph)) return std::nullopt;
    const Data& data = data_of(graph);
    Selection selection{.contexts = Contexts::keep, .inlined = Inlined::keep};
    for (const PartId part : graph.parts()) selection.rows.push_back(part.value);
    auto kept = call_graph(graph.profile(), selection);
    if (!kept) return std::nullopt;
    UnfoldedGraph unfolded{*std::move(kept), {}, {}, {}};
    unfolded.nodes.resize(graph.size());
    unfolded.first_levels.resize(graph.size());
    for (std::size_t row = 0; row < unfolded.graph.size(); ++row) {
        const NodeId node(row);
        const FunctionId function = unfolded.graph.function(node);
        const NodeId folded = unfolded.folded.emplace_back(graph.node_of(function));
        unfolded.nodes[folded.value].push_back(node);
        if (data.is_first_level(function)) unfolded.first_levels[folded.value].push_back(node);
    }
    for (std::size_t row = 0; row < graph.size(); ++row)
        if (unfolded.first_levels[row].empty()) unfolded.first_levels[row] = unfolded.nodes[row];
    return unfolded;
}

FunctionNames names_of(const CallGraph& graph, NodeId node) {
    return {graph.name(node), graph.object(node), graph.file(node)};
}

[[gnu::flatten]] bool precedes(const CallGraph& graph, NodeId a, NodeId b) {  // sorting calls it most
    if (const int order = graph.name(a).compare(graph.name(b)); order != 0)
        return order < 0;  // mostly enough
    const auto of_a = names_of(graph, a), of_b = names_of(graph, b);
    return of_a == of_b ? a < b : of_a < of_b;
}

const Profile& CallGraph::profile() const { return data_->profile; }
std::span<const PartId> CallGraph::parts() const { return data_->parts; }
std::size_t CallGraph::size() const { return data_->node_count(); }
std::size_t CallGraph::arc_count() const { return data_->arc_count(); }
std::size_t CallGraph::cycle_count() const { return data_->cycles.offsets.size() - 1; }

std::string_view CallGraph::name(NodeId node) const {
    CALLCOST_EXPECTS(node.value < size());
    if (data_->mapping && !data_->mapping->names.empty()) return data_->mapping->names[node.value];
    return data_->profile.name(function(node));
}
std::string_view CallGraph::object(NodeId node) const {
    if (data_->is_of_groups()) return data_->mapping->objects[node.value];
    return data_->profile.name(data_->profile.object(function(node)));
}
std::string_view CallGraph::file(NodeId node) const {
    if (data_->is_of_groups()) return data_->mapping->files[node.value];
    return data_->profile.name(data_->profile.file(function(node)));
}

FunctionId CallGraph::function(NodeId node) const {
    CALLCOST_EXPECTS(node.value < size());
    return data_->mapping ? data_->mapping->functions[node.value][0] : FunctionId(node.value);
}
std::vector<FunctionId> CallGraph::functions(NodeId node) const {
    CALLCOST_EXPECTS(node.value < size());
    std::vector<FunctionId> all;
    data_->for_each_function(node, [&](FunctionId function) { all.push_back(function); });
    return all;
}
NodeId CallGraph::node_of(FunctionId function) const {
    if (!function.valid()) return {};
    CALLCOST_EXPECTS(function.value < data_->profile.function_count());
    return NodeId(data_->mapping ? data_->mapping->node_of[function.value] : function.value);
}

Cost CallGraph::total(const Measure& measure) const {
    Cost total = 0;
    for (const auto& [event, factor] : measure.terms) total += data_->total[event] * factor;
    return total;
}
Cost CallGraph::self(NodeId node, const Measure& measure) const {
    CALLCOST_EXPECTS(node.value < size());
    return data_->self_cost(node, measure);
}

Cost CallGraph::inlined_self(NodeId node, const Measure& measure) const {
    Cost cost = 0;
    if (data_->inlined)
        for (const FunctionId function : functions(node))
            if (data_->columns().inlined.contains(function))
                cost += Data::cost_of(*data_->self, function.value, measure);
    return cost;
}

std::optional<std::uint64_t> CallGraph::entries(NodeId node) const {
    const InlinedRows& inlined = data_->columns().inlined;
    std::optional<std::uint64_t> sum;
    if (!data_->inlined) return sum;
    for (const FunctionId function : functions(node)) {
        if (!inlined.contains(function)) continue;
        const std::optional<std::uint64_t> of_all = inlined[function].entries;
        if (!of_all) return std::nullopt;
        sum = sum.value_or(0) +
              (data_->partial ? data_->partial->entries[function.value - inlined.first] : *of_all);
    }
    return sum;
}

CallCount CallGraph::call_count(NodeId node) const {
    CallCount sum;
    bool any = false, any_inlined = false;
    for (const ArcId arc : callers(node)) {
        if (inlined(arc)) {
            any_inlined = true;
        } else {
            sum.add(count(arc));
            any = true;
        }
    }
    sum.at_least = sum.at_least || (!any && (any_inlined || !counts_calls_of_roots(*data_)));
    return sum;
}
CycleId CallGraph::cycle(NodeId node) const {
    CALLCOST_EXPECTS(node.value < size());
    return data_->cycle_of[node.value];
}

std::span<const ArcId> CallGraph::callees(NodeId node) const {
    CALLCOST_EXPECTS(node.value < size());
    return data_->callees[node.value];
}
std::span<const ArcId> CallGraph::callers(NodeId node) const {
    CALLCOST_EXPECTS(node.value < size());
    return data_->callers[node.value];
}
NodeId CallGraph::caller(ArcId arc) const {
    CALLCOST_EXPECTS(arc.value < arc_count());
    return data_->caller(arc);
}
NodeId CallGraph::callee(ArcId arc) const {
    CALLCOST_EXPECTS(arc.value < arc_count());
    return data_->callee(arc);
}

CallCount CallGraph::count(ArcId arc) const {
    CALLCOST_EXPECTS(arc.value < arc_count());
    const auto recorded = [&](ArcId source) {
        return data_->partial ? data_->partial->counts[source.value] : data_->profile.count(source);
    };
    if (!data_->mapping) return recorded(arc);
    const bool has_calls = !inlined(arc);
    bool any = false;
    CallCount sum;
    for (const ArcId source : data_->mapping->arcs[arc.value]) {
        if (has_calls && data_->is_inlined(source)) continue;
        sum.add(recorded(source));
        any = true;
    }
    sum.at_least = sum.at_least || !any;
    return sum;
}
bool CallGraph::inlined(ArcId arc) const {
    CALLCOST_EXPECTS(arc.value < arc_count());
    if (!data_->inlined) return false;
    bool all = true;
    data_->for_each_source(arc, [&](ArcId source) { all = all && data_->is_inlined(source); });
    return all;
}
Cost CallGraph::cost(ArcId arc, const Measure& measure) const {
    CALLCOST_EXPECTS(arc.value < arc_count());
    return data_->arc_cost(arc, measure);
}
bool CallGraph::recursive(ArcId arc) const {
    CALLCOST_EXPECTS(arc.value < arc_count());
    if (!data_->inlined || data_->is_recursive(arc)) return data_->is_recursive(arc);
    bool is_any = false;
    data_->for_each_source(arc, [&](ArcId source) {
        const ArcId of_hosts = data_->inlined->host_arc(source);
        is_any = is_any || (of_hosts.valid() && data_->inlined->hosts().recursive(of_hosts));
    });
    return is_any;
}
// A first level is on the stack once: calls that begin or end there do not nest. Those of a first level and
// those to one do not nest in each other either.
bool CallGraph::counted_again(ArcId arc) const {
    CALLCOST_EXPECTS(arc.value < arc_count());
    if (data_->inlined) {
        bool is_again = caller(arc) == callee(arc);
        data_->for_each_source(arc, [&](ArcId source) {
            const ArcId of_hosts = data_->inlined->host_arc(source);
            is_again = is_again || (of_hosts.valid() ? data_->inlined->hosts().counted_again(of_hosts)
                                                     : data_->inlined->nests(data_->profile.callee(source)));
        });
        return is_again;
    }
    if (!data_->is_recursive(arc)) return false;
    if (!data_->levels_tell(data_->caller(arc)) || !data_->levels_tell(data_->callee(arc))) return true;
    bool is_again = false;
    data_->for_each_source(arc, [&](ArcId source) {
        const ArcData& ends = data_->columns().arcs[source.value];
        is_again = is_again || !(data_->is_first_level(ends.caller) || data_->is_first_level(ends.callee));
    });
    return is_again;
}

std::span<const NodeId> CallGraph::members(CycleId cycle) const {
    CALLCOST_EXPECTS(cycle.value < cycle_count());
    return data_->cycles[cycle.value];
}

Cost CallGraph::self(CycleId cycle, const Measure& measure) const {
    if (data_->inlined) return data_->inlined->hosts().self(cycle, measure);
    Cost cost = 0;
    for (const NodeId member : members(cycle)) cost += self(member, measure);
    return cost;
}
CallCount CallGraph::call_count(CycleId cycle) const {
    if (data_->inlined) return data_->inlined->hosts().call_count(cycle);
    CallCount sum;
    for (const NodeId member : members(cycle))
        for (const ArcId arc : callers(member))
            if (!recursive(arc)) sum.add(count(arc));
    return sum;
}

}  // namespace callcost
