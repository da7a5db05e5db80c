// An analysis that the library does not have: which functions spend most in code inlined from other files.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <tuple>
#include <vector>

#include <callcost/file.hpp>
#include <callcost/profile.hpp>
#include <callcost/read.hpp>

struct Inlined {
    callcost::FunctionId function;
    callcost::Cost cost = 0;
};

/// Part of the function's self cost, by the first column of each part.
callcost::Cost inlined_cost(const callcost::Profile& profile, callcost::FunctionId function) {
    callcost::Cost sum = 0;
    callcost::Record record;
    for (auto cursor = profile.records(function); cursor.next(record);) {
        if (record.kind != callcost::Record::Kind::cost || record.costs.empty()) continue;
        if (record.file != profile.file(function)) sum += record.costs[0];
    }
    return sum;
}

int main(int argc, char** argv) {
    const auto profile = callcost::read_profile(callcost::from_file(argc > 1 ? argv[1] : "callgrind.out"));
    if (!profile) {
        std::cerr << profile.error() << '\n';
        return 1;
    }

    std::vector<Inlined> rows;
    for (std::size_t row = 0; row < profile->function_count(); ++row) {
        const callcost::FunctionId function{row};
        rows.push_back({function, inlined_cost(*profile, function)});
    }
    std::sort(rows.begin(), rows.end(), [&](const Inlined& a, const Inlined& b) {
        return std::tuple(b.cost, profile->name(a.function)) < std::tuple(a.cost, profile->name(b.function));
    });
    rows.resize(std::min<std::size_t>(rows.size(), 3));
    for (const auto& [function, cost] : rows)
        std::cout << cost << " of " << profile->self(function, callcost::EventId{0}) << ' '
                  << profile->name(function) << '\n';
}
