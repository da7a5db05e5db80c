// Builds the graph of a selection, and graphs of groups and of what was folded.
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "call_graph/components.hpp"
#include "call_graph/graph_data.hpp"
#include "call_graph/regrouped.hpp"
#include "call_graph/unfold.hpp"

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

/// By node: the cycle of its function, whose levels are nodes of their own or not.
std::vector<CycleId> divided_cycles(const CallGraph& graph, Selection selection) {
    const Data& data = data_of(graph);
    if (selection.contexts == Contexts::fold) return data.cycle_of;
    selection.contexts = Contexts::fold;
    const auto folded = make_graph(data.profile, selection, {}, nullptr);
    std::vector<CycleId> cycles(graph.size());
    if (!folded) return cycles;
    for (std::size_t row = 0; row < cycles.size(); ++row)
        data.for_each_function(NodeId(row), [&](FunctionId function) {
            if (const NodeId node = folded->node_of(function); node.valid())
                cycles[row] = folded->cycle(node);
        });
    return cycles;
}

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
    if (data->divides_levels) data->divided = divided_cycles(graph, selection);
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
    if (!from.divided.empty()) data->divided = data->cycle_of;
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
        if (data.is_first_level(function) || data.columns().inlined.contains(function))
            unfolded.first_levels[folded.value].push_back(node);
    }
    for (std::size_t row = 0; row < graph.size(); ++row)
        if (unfolded.first_levels[row].empty()) unfolded.first_levels[row] = unfolded.nodes[row];
    return unfolded;
}

}  // namespace callcost
