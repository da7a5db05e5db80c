// A small program with something of everything that a profile can show: recursion, a cycle of functions, two
// instantiations of a template, inlined code, two source files and two threads. It always prints the same.

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "formula.hpp"

namespace {

using demo::Formula;

struct Table {
    int height = 0;
    long whole = 0;      // evaluated in integers: fast
    double exact = 0.0;  // and in floating point
};

// Products and quotients only near the leaves, so that the numbers stay small.
std::string write_formula(unsigned seed, int depth) {
    const unsigned choice = seed * 2654435761U >> 16;
    if (depth == 0) return choice % 3 == 0 ? "x" : std::to_string(choice % 17);
    const std::string left = write_formula(choice + 1, depth - 1);
    const std::string right = write_formula(choice + 2, depth - 1);
    const char sign = depth <= 2 ? "*/+-"[choice % 4] : "+-"[choice % 2];
    return "(" + left + " " + sign + " " + right + ")";
}

std::vector<std::unique_ptr<Formula>> parse_all(unsigned count) {
    std::vector<std::unique_ptr<Formula>> formulas;
    for (unsigned i = 1; i <= count; ++i) {
        formulas.push_back(demo::parse(write_formula(i, 3 + static_cast<int>(i % 4))));
    }
    return formulas;
}

// One worker's share: every second formula.
void fill_table(const std::vector<std::unique_ptr<Formula>>& formulas, std::size_t first, Table& table) {
    for (std::size_t i = first; i < formulas.size(); i += 2) {
        const Formula& formula = *formulas[i];
        table.height = std::max(table.height, demo::height(formula));
        for (int x = 1; x <= 30; ++x) {
            table.whole += demo::evaluate<long>(formula, x);
            table.exact += demo::evaluate<double>(formula, x);
        }
    }
}

}  // namespace

int main() {
    const auto formulas = parse_all(120);
    std::array<Table, 2> tables;
    std::thread other(fill_table, std::cref(formulas), 1, std::ref(tables[1]));
    fill_table(formulas, 0, tables[0]);
    other.join();
    for (const Table& table : tables) {
        std::printf("height %d, integers %ld, reals %.3f\n", table.height, table.whole, table.exact);
    }
}
