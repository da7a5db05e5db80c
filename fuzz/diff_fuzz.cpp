// Comparisons: whatever two profiles say, every function is in exactly one match, differences add up to that
// of the totals, and the other way round everything is the opposite.
#include <cstdint>
#include <string_view>
#include <vector>

#include "blocks.hpp"
#include "callcost/diff.hpp"
#include "callcost/read.hpp"
#include "record_sums.hpp"

namespace callcost::fuzz {
namespace {

std::uint64_t as_unsigned(std::int64_t value) { return static_cast<std::uint64_t>(value); }

/// `side` of each match lists every node of the graph once.
void demand_every_node_once(const Diff& diff, const CallGraph& graph,
                            std::vector<NodeId> FunctionMatch::*side) {
    std::vector<bool> seen(graph.size());
    std::size_t count = 0;
    for (const FunctionMatch& function : diff.functions()) {
        for (const NodeId node : function.*side) {
            demand(node.value < graph.size() && !seen[node.value]);
            seen[node.value] = true;
            ++count;
        }
    }
    demand(count == graph.size());
}

void demand_sums(const Diff& diff) {
    Change self, files, objects;
    const auto add = [](Change& sum, const Change& change) {
        sum.before = static_cast<std::int64_t>(as_unsigned(sum.before) + as_unsigned(change.before));
        sum.after = static_cast<std::int64_t>(as_unsigned(sum.after) + as_unsigned(change.after));
    };
    for (const FunctionMatch& function : diff.functions()) {
        add(self, diff.self(function));
        const Change inclusive = diff.inclusive(function);
        const auto [before, after] = diff.call_count(function);
        if (const auto why = reason(inclusive, before, after))
            demand(as_unsigned(why->by_count) + as_unsigned(why->by_cost) == as_unsigned(inclusive.delta()));
    }
    for (const PlaceChange& place : file_changes(diff)) add(files, place.self);
    for (const PlaceChange& place : object_changes(diff)) add(objects, place.self);
    demand(self == diff.total() && files == self && objects == self);
}

void demand_arcs(const Diff& diff) {
    std::size_t before = 0, after = 0;
    for (const ArcMatch& arc : diff.arcs()) {
        const auto count = diff.functions().size();
        demand(arc.caller.value < count && arc.callee.value < count);
        before += arc.before.size();
        after += arc.after.size();
    }
    if (!diff.compares_calls()) return demand(before == 0 && after == 0);
    demand(before == diff.before().arc_count() && after == diff.after().arc_count());
}

void demand_lines(const Diff& diff) {
    constexpr std::size_t most = 20;
    for (std::size_t row = 0; row < diff.functions().size() && row < most; ++row) {
        const FunctionMatch& function = diff.functions()[row];
        const auto lines = line_changes(diff, function);
        demand(lines.has_value());
        Change sum;
        for (const LineChange& line : *lines) {
            sum.before = static_cast<std::int64_t>(as_unsigned(sum.before) + as_unsigned(line.self.before));
            sum.after = static_cast<std::int64_t>(as_unsigned(sum.after) + as_unsigned(line.self.after));
        }
        demand(sum == diff.self(function));
    }
}

void try_diff(const CallGraph& before, const CallGraph& after) {
    const Measure measure = default_measure(after);
    if (!measure.additive) return;
    const auto there = diff(before, after, {.measure = measure.name});
    const auto back = diff(after, before, {.measure = measure.name});
    demand(there.has_value() == back.has_value());
    if (!there) return;
    demand_every_node_once(*there, before, &FunctionMatch::before);
    demand_every_node_once(*there, after, &FunctionMatch::after);
    demand_sums(*there);
    demand_arcs(*there);
    demand_lines(*there);
    demand(there->total().before == back->total().after && there->total().after == back->total().before);
}

}  // namespace
}  // namespace callcost::fuzz

/// The second half is compared with the first one and with the whole.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using callcost::call_graph;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto middle = text.find("events:", text.size() / 2);
    const auto first = callcost::read_profile(callcost::from_memory(text.substr(0, middle)));
    if (!first) return 0;
    const auto graph = call_graph(*first, {.contexts = callcost::Contexts::fold});
    if (!graph) return 0;
    if (middle != std::string_view::npos) {
        const auto second = callcost::read_profile(callcost::from_memory(text.substr(middle)));
        const auto other = second ? call_graph(*second, {.contexts = callcost::Contexts::fold})
                                  : tl::unexpected(second.error());
        if (other) callcost::fuzz::try_diff(*graph, *other);
    }
    callcost::fuzz::try_diff(*graph, *graph);
    return 0;
}
