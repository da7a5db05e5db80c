// What a single function, arc or cycle of a graph costs.
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/precondition.hpp"
#include "call_graph/graph_data.hpp"
#include "profile/event_facts.hpp"

namespace callcost {
namespace {

/// Other formats count calls, if at all, between functions: not those of a function without a caller (F74).
bool counts_calls_of_roots(const CallGraph::Data& data) {
    if (data.parts.empty()) return true;
    const auto origin = origin_of(data.profile.parts()[data.parts.front().value].creator);
    return origin != "stacks" && origin != "estimated stacks" && origin != "calls";
}

}  // namespace

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
