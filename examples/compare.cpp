// What became dearer from one profile to another, and why: more calls, or dearer ones.
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include <callcost/callcost.hpp>

callcost::Result<callcost::CallGraph> graph_of(const char* path) {
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    return callcost::read_profile(callcost::from_memory(bytes, path)).and_then([](const auto& profile) {
        return callcost::call_graph(profile, {.contexts = callcost::Contexts::fold});
    });
}

int main(int argc, char** argv) {
    if (argc < 3) return 2;
    const auto before = graph_of(argv[1]), after = graph_of(argv[2]);
    if (!before || !after) return 1;
    const auto diff = callcost::diff(*before, *after);
    if (!diff) return 1;
    const auto total = diff->total();
    std::cout << diff->measure_after().name << ' ' << total.before << " -> " << total.after << '\n';

    for (const auto& function : diff->functions()) {
        const auto cost = diff->inclusive(function);
        if (cost.delta() <= total.before / 5) continue;
        std::cout << '+' << cost.delta() << ' ' << diff->name(function) << " (" << to_string(function.tier)
                  << ')';
        const auto [calls_before, calls_after] = diff->called(function);
        if (const auto why = callcost::reason(cost, calls_before, calls_after))
            std::cout << ": " << why->by_count << " by the number of calls, " << why->by_cost
                      << " by their cost";
        std::cout << '\n';
    }
}
