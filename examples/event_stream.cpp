// Adds up the self cost per function name in one pass: memory for the sums, not for the file.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include <callcost/event_type.hpp>
#include <callcost/file.hpp>
#include <callcost/scanner.hpp>

struct SelfCosts {
    struct Row {
        std::string name;
        callcost::Cost self = 0;
    };
    std::vector<Row> rows;  // by the number of the name
    const callcost::EventNames* known = nullptr;
    std::uint32_t current = 0;

    void names(const callcost::EventNames& all) { known = &all; }
    void function(const callcost::FunctionEvent& function) {
        current = function.name;
        if (rows.size() <= current) rows.resize(current + 1);
        if (rows[current].name.empty()) rows[current].name = known->function(current);
    }
    void cost(const callcost::CostEvent& cost) {
        if (current >= rows.size() || cost.costs.empty()) return;
        rows[current].self += cost.costs[0];
    }
};

int main(int argc, char** argv) {
    SelfCosts costs;
    const auto result = callcost::parse(callcost::from_file(argc > 1 ? argv[1] : "callgrind.out"), costs);
    if (!result) {
        std::cerr << result.error() << '\n';
        return 1;
    }
    std::stable_sort(costs.rows.begin(), costs.rows.end(),
                     [](const auto& a, const auto& b) { return a.self > b.self; });
    costs.rows.resize(std::min<std::size_t>(costs.rows.size(), 3));
    for (const auto& row : costs.rows) std::cout << row.self << ' ' << row.name << '\n';
    std::cout << result->lines << " lines\n";
}
