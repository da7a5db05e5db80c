#include "answers/called_functions.hpp"

#include <algorithm>

#include "text/profile_facts.hpp"

namespace callcost::engine {

void add_calls(CalledFunctions& functions, const CallGraph& graph, std::span<const CallSite> sites,
               std::size_t column, std::size_t columns) {
    for (const auto& site : sites) {
        auto& called = functions[graph.callee(site.arc)];
        called.callee = graph.callee(site.arc);
        called.cost.resize(columns, 0);
        called.cost[column] += site.cost;
        called.inlined = called.inlined && graph.inlined(site.arc);
        called.recursive = called.recursive || graph.recursive(site.arc);
        called.counted_again = called.counted_again || graph.counted_again(site.arc);
        if (column == 0) called.count.add(site.count);
    }
}

std::vector<CalledFunction> by_cost(const CallGraph& graph, const CalledFunctions& functions) {
    std::vector<CalledFunction> sorted;
    sorted.reserve(functions.size());
    for (const auto& [callee, called] : functions) sorted.push_back(called);
    std::stable_sort(sorted.begin(), sorted.end(), [&](const CalledFunction& a, const CalledFunction& b) {
        if (a.cost.front() != b.cost.front()) return a.cost.front() > b.cost.front();
        return names_of(graph, a.callee) < names_of(graph, b.callee);
    });
    return sorted;
}

std::vector<CalledFunction> called_functions(const CallGraph& graph, std::span<const CallSite> sites) {
    CalledFunctions functions;
    add_calls(functions, graph, sites);
    return by_cost(graph, functions);
}

}  // namespace callcost::engine
