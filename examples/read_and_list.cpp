// The most expensive functions by inclusive cost, with who calls them and whom they call.
#include <iostream>

#include <callcost/call_graph.hpp>
#include <callcost/event_type.hpp>
#include <callcost/file.hpp>
#include <callcost/read.hpp>

int main(int argc, char** argv) {
    const auto profile = callcost::read_profile(callcost::from_file(argc > 1 ? argv[1] : "callgrind.out"));
    if (!profile) {
        std::cerr << profile.error() << '\n';
        return 1;
    }
    const auto measure = callcost::find_measure(*profile, argc > 2 ? argv[2] : "Ir");
    if (!measure) {
        std::cerr << measure.error() << '\n';
        return 1;
    }

    const auto graph = callcost::call_graph(*profile);
    const auto list =
        callcost::functions(*graph, {.measure = *measure, .by = callcost::SortBy::inclusive, .limit = 2});
    for (const auto& row : list.rows) {
        std::cout << graph->name(row.node) << ": self " << row.self << ", inclusive " << row.inclusive
                  << '\n';
        for (const auto arc : graph->callers(row.node))
            std::cout << "  called by " << graph->name(graph->caller(arc)) << ", " << graph->count(arc).known
                      << " times for " << graph->cost(arc, *measure) << '\n';
        for (const auto arc : graph->callees(row.node))
            std::cout << "  calls " << graph->name(graph->callee(arc)) << ", " << graph->count(arc).known
                      << " times for " << graph->cost(arc, *measure) << '\n';
    }
    std::cout << list.omitted_rows << " more functions with " << list.omitted_self << " of " << list.total
              << '\n';
}
