// Prints the ten functions with the highest self cost of a profile.
#include <iostream>

#include <callcost/call_graph.hpp>
#include <callcost/file.hpp>
#include <callcost/read.hpp>

int main(int argc, char** argv) {
    const auto profile = callcost::read_profile(callcost::from_file(argc > 1 ? argv[1] : "callgrind.out"));
    if (!profile) {
        std::cerr << profile.error() << '\n';
        return 1;
    }

    const auto graph = callcost::call_graph(*profile);
    for (const auto& row : callcost::functions(*graph, {.limit = 10}).rows)
        std::cout << row.self << ' ' << row.inclusive << ' ' << graph->name(row.node) << '\n';
}
