#include "history/entry_costs.hpp"

namespace callcost::program {

void take_costs(const CallGraph& graph, NewEntry& entry) {
    auto all = measures(graph.profile());
    std::erase_if(all, [](const Measure& measure) { return !measure.formula.empty() || !measure.additive; });
    for (const Measure& measure : all) entry.costs.push_back({measure.name, graph.total(measure), {}});
    entry.functions.reserve(graph.size());
    for (auto& costs : entry.costs) costs.functions.reserve(graph.size());
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const NodeId node(i);
        entry.functions.push_back(names_of(graph, node));
        const auto calls = graph.call_count(node).known;
        for (std::size_t event = 0; event < all.size(); ++event)
            entry.costs[event].functions.push_back(
                {graph.self(node, all[event]), graph.inclusive(node, all[event]), calls});
    }
}

}  // namespace callcost::program
