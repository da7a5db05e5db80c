// Regressions from one profile to another, and why: more calls, or more expensive ones.
#include <iostream>

#include <callcost/callcost.hpp>

callcost::Result<callcost::CallGraph> graph_of(const char* path) {
    return callcost::read_profile(callcost::from_file(path)).and_then([](const auto& profile) {
        return callcost::call_graph(profile);
    });
}

int main(int argc, char** argv) {
    if (argc < 3) return 2;
    const auto before = graph_of(argv[1]), after = graph_of(argv[2]);
    if (!before || !after) {
        std::cerr << (before ? after : before).error() << '\n';
        return 1;
    }
    const auto diff = callcost::diff(*before, *after);
    if (!diff) {
        std::cerr << diff.error() << '\n';
        return 1;
    }
    const auto total = diff->total();
    std::cout << diff->measure_after().name << ' ' << total.before << " -> " << total.after << '\n';

    for (const auto& function : diff->functions()) {
        const auto cost = diff->inclusive(function);
        if (cost.delta() <= total.before / 5) continue;
        std::cout << '+' << cost.delta() << ' ' << diff->name(function) << " (" << to_string(function.tier)
                  << ')';
        const auto [calls_before, calls_after] = diff->call_count(function);
        if (const auto why = callcost::reason(cost, calls_before, calls_after))
            std::cout << ": " << why->by_count << " by the number of calls, " << why->by_cost
                      << " by their cost";
        std::cout << '\n';
    }
}
