#include "tree/transits.hpp"

#include <algorithm>
#include <cmath>

namespace callcost {
namespace {

using Way = Transits::Way;

constexpr std::size_t most_cells = std::size_t{1} << 13U;
constexpr std::size_t most_steps = std::size_t{1} << 22U;  // of one table: 500 rounds of the largest

double total(const std::vector<Way>& ways) {
    double sum = 0;
    for (const Way& way : ways) sum += static_cast<double>(way.cost);
    return sum;
}

/// To the power of quarters / 4; the same on every machine, unlike std::pow.
double to_the_quarters(double base, int quarters) {
    const double root = std::sqrt(std::sqrt(base));
    double result = 1;
    for (; quarters > 0; --quarters) result *= root;
    return result;
}

/// Scales columns and rows in turn until both have the sums they must have. False: it does not get there with
/// so many cells to scale, which are used up.
bool fit(Transits::Table& table, std::size_t& steps_left) {
    constexpr double enough = 1e-12;
    const std::size_t rows = table.in.size(), columns = table.out.size();
    std::vector<double> sums(columns);
    const std::size_t rounds = std::min(most_steps, steps_left) / table.costs.size();
    for (std::size_t round = 0; round < rounds; ++round) {
        steps_left -= table.costs.size();
        std::fill(sums.begin(), sums.end(), 0.0);
        for (std::size_t row = 0; row < rows; ++row) {
            double* const cells = table.costs.data() + row * columns;
            double sum = 0;
            for (std::size_t column = 0; column < columns; ++column) sum += cells[column];
            if (!(sum > 0)) return false;
            const double scale = static_cast<double>(table.in[row].cost) / sum;
            for (std::size_t column = 0; column < columns; ++column) sums[column] += cells[column] *= scale;
        }
        double worst = 0;
        for (std::size_t column = 0; column < columns; ++column) {
            const auto wanted = static_cast<double>(table.out[column].cost);
            if (!(sums[column] > 0)) return false;
            worst = std::max(worst, std::abs(sums[column] - wanted) / wanted);
            sums[column] = wanted / sums[column];
        }
        if (worst < enough) return true;
        for (std::size_t row = 0; row < rows; ++row)
            for (std::size_t column = 0; column < columns; ++column)
                table.costs[row * columns + column] *= sums[column];
    }
    return false;
}

}  // namespace

const Transits::Table& Transits::of(NodeId node) {
    const auto [known, is_new] = tables_.try_emplace(node.value);
    Table& table = known->second;
    if (!is_new) return table;
    table = ways(node);
    const std::size_t rows = table.in.size(), columns = table.out.size(), cells = rows * columns;
    const bool is_open = rows > 1 && columns > 1 && cells <= std::min(most_cells, cells_left_);
    if (is_open && guess(node, table) && fit(table, steps_left_)) {
        cells_left_ -= cells;
    } else {
        table.costs = {};
    }
    return table;
}

Transits::Table Transits::ways(NodeId node) const {
    Table table;
    const auto add = [](std::vector<Way>& list, Way way) {
        if (way.cost > 0) list.push_back(way);
    };
    const auto is_open = [&](ArcId arc) {
        return recursion_ == Recursion::unfold || flow_.graph.caller(arc) != flow_.graph.callee(arc);
    };
    add(table.in, {.kind = Way::Kind::own, .cost = flow_.entered(node)});
    for (const ArcId arc : flow_.graph.callers(node))
        if (is_open(arc)) add(table.in, {.arc = arc, .cost = flow_.arc(arc)});
    add(table.out, {.kind = Way::Kind::own, .cost = flow_.self[node.value]});
    add(table.out, {.kind = Way::Kind::lost, .cost = flow_.unbalanced(node)});
    for (const ArcId arc : flow_.graph.callees(node))
        if (is_open(arc)) add(table.out, {.arc = arc, .cost = flow_.arc(arc)});
    return table;
}

// A call of the function by some caller costs `relative` times the average. What a callee costs at a time,
// beside what all of them do on average, says how far it follows: what is small is spent in every call alike
// (power 0), usual costs are in proportion (1), and great ones are in the expensive calls (up to 3). What
// goes on within a cycle follows twice as far: the expensive calls are those that recur. The function itself
// is a loop or straight code, in pieces of unknown size: it counts as smaller than its callees.
bool Transits::guess(NodeId node, Table& table) const {
    constexpr double own_piece = 0.6;  // of a callee's call, on average
    constexpr double greatest = 3;
    constexpr double least_share = 1e-9;  // of what would be in proportion, so that all sums can be met
    bool is_known = true;
    const auto count = [&](ArcId arc) {
        const CallCount calls = flow_.graph.count(arc);
        is_known = is_known && !calls.at_least && calls.known > 0;
        return static_cast<double>(calls.known);
    };
    const CycleId cycle = flow_.graph.cycle(node);
    std::vector<double> entries, pieces;
    std::vector<bool> is_inside;  // of the function's cycle
    double called = 0;
    for (const Way& way : table.in) {
        entries.push_back(way.kind == Way::Kind::call ? count(way.arc) : 1);
        called += entries.back();
    }
    double weight = 0, weighted = 0;  // of calls
    for (const Way& way : table.out) {
        const auto cost = static_cast<double>(way.cost);
        pieces.push_back(way.kind == Way::Kind::call ? cost / count(way.arc) : 0);
        is_inside.push_back(way.kind == Way::Kind::call && cycle.valid() &&
                            flow_.graph.cycle(flow_.graph.callee(way.arc)) == cycle);
        if (way.kind != Way::Kind::call) continue;
        weight += cost;
        weighted += cost * pieces.back();
    }
    if (!is_known || weight == 0) return false;
    for (const ArcId arc : flow_.graph.callers(node))
        if (recursion_ == Recursion::fold && flow_.graph.caller(arc) == node) called += count(arc);
    const double own = own_piece * weighted / weight;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const Way& way = table.out[i];
        if (way.kind == Way::Kind::call) continue;
        const auto cost = static_cast<double>(way.cost);
        pieces[i] = std::min(cost / called, own);
        weight += cost;
        weighted += cost * pieces[i];
    }
    const double all = total(table.in);
    double entered = 0;
    for (const double calls : entries) entered += calls;
    table.costs.reserve(table.in.size() * table.out.size());
    for (std::size_t row = 0; row < table.in.size(); ++row) {
        const auto brought = static_cast<double>(table.in[row].cost);
        const double relative = brought / entries[row] * entered / all;
        for (std::size_t column = 0; column < table.out.size(); ++column) {
            const auto cost = static_cast<double>(table.out[column].cost);
            double power = std::min(greatest, pieces[column] * weight / weighted);
            if (is_inside[column]) power *= 2;
            const double guessed =
                entries[row] / entered * to_the_quarters(relative, int(std::lround(4 * power)));
            table.costs.push_back(cost * (guessed + least_share * brought / all));
        }
    }
    return is_known;
}

}  // namespace callcost
