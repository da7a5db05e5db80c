#include "tree/transits.hpp"

#include <algorithm>
#include <cmath>

namespace callcost {
namespace {

using Way = Transits::Way;

constexpr std::size_t max_cells = std::size_t{1} << 13U;

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

/// Scales rows and columns in turn until both have the sums they must have, or nearly: that may take any
/// number of rounds where one row has almost all of a column. False: a row or column is empty.
bool scale(Transits::Table& table) {
    constexpr int max_rounds = 500;
    constexpr double enough = 1e-12;
    const std::size_t rows = table.in.size(), columns = table.out.size();
    std::vector<double> sums(columns);
    for (int round = 0; round < max_rounds; ++round) {
        std::fill(sums.begin(), sums.end(), 0.0);
        for (std::size_t row = 0; row < rows; ++row) {
            double* const cells = table.costs.data() + row * columns;
            double sum = 0;
            for (std::size_t column = 0; column < columns; ++column) sum += cells[column];
            if (!(sum > 0)) return false;
            const double factor = static_cast<double>(table.in[row].cost) / sum;
            for (std::size_t column = 0; column < columns; ++column) sums[column] += cells[column] *= factor;
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
    return true;
}

/// Lowers what is above the sums, and shares out what is missing then.
void meet_sums(Transits::Table& table) {
    const std::size_t rows = table.in.size(), columns = table.out.size();
    std::vector<double> missing_in(rows), missing_out(columns);
    const auto lower = [&](std::size_t first, std::size_t count, std::size_t step, std::uint64_t wanted) {
        double sum = 0;
        for (std::size_t i = 0; i < count; ++i) sum += table.costs[first + i * step];
        const auto most = static_cast<double>(wanted);
        if (sum <= most) return;
        for (std::size_t i = 0; i < count; ++i) table.costs[first + i * step] *= most / sum;
    };
    for (std::size_t row = 0; row < rows; ++row) lower(row * columns, columns, 1, table.in[row].cost);
    for (std::size_t column = 0; column < columns; ++column)
        lower(column, rows, columns, table.out[column].cost);
    double missing = 0;
    for (std::size_t row = 0; row < rows; ++row) missing_in[row] = static_cast<double>(table.in[row].cost);
    for (std::size_t column = 0; column < columns; ++column) {
        missing_out[column] = static_cast<double>(table.out[column].cost);
        for (std::size_t row = 0; row < rows; ++row) {
            missing_in[row] -= table.costs[row * columns + column];
            missing_out[column] -= table.costs[row * columns + column];
        }
        missing += missing_out[column] = std::max(0.0, missing_out[column]);
    }
    if (missing == 0) return;
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t column = 0; column < columns; ++column)
            table.costs[row * columns + column] +=
                std::max(0.0, missing_in[row]) * missing_out[column] / missing;
}

}  // namespace

const Transits::Table& Transits::of(NodeId node) {
    const auto [known, is_new] = tables_.try_emplace(node.value);
    Table& table = known->second;
    if (!is_new) return table;
    table = ways(node);
    const std::size_t rows = table.in.size(), columns = table.out.size();
    const bool is_open = rows > 1 && columns > 1 && columns <= std::min(max_cells, cells_left_) / rows;
    if (is_open && guess(node, table) && scale(table)) {
        meet_sums(table);
        cells_left_ -= rows * columns;
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
    constexpr double min_share = 1e-9;  // of what would be in proportion, so that all sums can be met
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
    double weight = 0, weighted = 0;            // of calls
    const auto is_call = [&](const Way& way) {  // inlined code is as what the function spends itself
        return way.kind == Way::Kind::call && !flow_.graph.inlined(way.arc);
    };
    for (const Way& way : table.out) {
        const auto cost = static_cast<double>(way.cost);
        pieces.push_back(is_call(way) ? cost / count(way.arc) : 0);
        is_inside.push_back(way.kind == Way::Kind::call && cycle.valid() &&
                            flow_.graph.cycle(flow_.graph.callee(way.arc)) == cycle);
        if (!is_call(way)) continue;
        weight += cost;
        weighted += cost * pieces.back();
    }
    if (!is_known || weight == 0) return false;
    for (const ArcId arc : flow_.graph.callers(node))
        if (recursion_ == Recursion::fold && flow_.graph.caller(arc) == node) called += count(arc);
    const double own = own_piece * weighted / weight;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const Way& way = table.out[i];
        if (is_call(way)) continue;
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
            table.costs.push_back(cost * (guessed + min_share * brought / all));
        }
    }
    return is_known;
}

}  // namespace callcost
