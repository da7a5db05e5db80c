// Prints the ten functions with the highest self cost of a profile.
#include <fstream>
#include <iostream>
#include <iterator>

#include <callcost/call_graph.hpp>
#include <callcost/read.hpp>

int main(int argc, char** argv) {
    std::ifstream file(argc > 1 ? argv[1] : "callgrind.out", std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};

    const auto profile = callcost::read_profile(callcost::from_memory(bytes));
    if (!profile) {
        std::cerr << "line " << profile.error().line << ": " << to_string(profile.error().code) << '\n';
        return 1;
    }

    const auto graph = callcost::call_graph(*profile);
    for (const auto& row : callcost::functions(*graph, {.limit = 10}).rows)
        std::cout << row.self << ' ' << row.inclusive << ' ' << graph->name(row.node) << '\n';
}
