// What the records of a profile add up to, taken one by one: what the analyses must agree with.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "callcost/call_graph.hpp"
#include "callcost/profile.hpp"

namespace callcost::fuzz {

inline void demand(bool condition, int line = __builtin_LINE()) {
    if (condition) return;
    std::fprintf(stderr, "demanded in line %d\n", line);
    std::abort();
}

/// Adds modulo 2^64 (F82).
inline void add(Cost& sum, Cost value) { sum += value; }
inline void add(CallCount& sum, CallCount value) { sum.add(value); }
inline bool equal(CallCount a, CallCount b) { return a.known == b.known && a.at_least == b.at_least; }

/// The order that ends every sort.
inline auto place_of(const CallGraph& graph, NodeId node) {
    return std::tuple(graph.name(node), graph.object(node), graph.file(node), node);
}

/// The costs of a record or a part by a measure.
inline Cost cost_of(const Part& part, std::span<const Cost> costs, const Measure& measure) {
    Cost sum = 0;
    for (std::size_t k = 0; k < std::min(costs.size(), part.events.size()); ++k)
        for (const auto& [event, factor] : measure.terms)
            if (event == part.events[k]) add(sum, costs[k] * factor);
    return sum;
}

/// How often jumps were executed and followed.
using Jumps = std::pair<std::uint64_t, std::uint64_t>;
inline void add(Jumps& sum, std::uint64_t executed, std::uint64_t followed) {
    sum.first += executed;
    sum.second += followed;
}

/// What the records of the selected parts say by one measure.
struct Sums {
    std::vector<Cost> self, arcs;   // by node, by arc of the profile
    std::vector<CallCount> counts;  // by arc of the profile
    std::vector<bool> listed;       // by node: has records
    Cost total = 0;
    Jumps jumps{};
};

inline Sums sums_of(const CallGraph& graph, const Measure& measure) {
    const Profile& profile = graph.profile();
    Sums sums{.self = std::vector<Cost>(graph.size(), 0),
              .arcs = std::vector<Cost>(profile.arc_count(), 0),
              .counts = std::vector<CallCount>(profile.arc_count()),
              .listed = std::vector<bool>(graph.size(), false)};
    std::vector<bool> selected(profile.parts().size(), false);
    for (const PartId part : graph.parts()) selected[part.value] = true;
    for (std::size_t row = 0; row < profile.function_count(); ++row) {
        const NodeId node = graph.node_of(FunctionId(row));
        RecordCursor cursor = profile.records(FunctionId(row));
        for (Record record; cursor.next(record);) {
            if (!selected[cursor.part().value]) continue;
            demand(node.valid());
            sums.listed[node.value] = true;
            const Cost cost = cost_of(profile.parts()[cursor.part().value], record.costs, measure);
            if (record.kind == Record::Kind::cost) {
                add(sums.self[node.value], cost);
                add(sums.total, cost);
            } else if (record.kind == Record::Kind::call) {
                add(sums.arcs[record.arc.value], cost);
                add(sums.counts[record.arc.value], {.known = record.count, .at_least = record.count == 0});
            } else {
                add(sums.jumps, record.executed, record.followed);
            }
        }
    }
    return sums;
}

}  // namespace callcost::fuzz
