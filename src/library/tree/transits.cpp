#include "tree/transits.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "call_graph/inlined_costs.hpp"

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

}  // namespace

/// Scales rows and columns in turn until both have the sums they must have, or nearly: that may take any
/// number of rounds where one row has almost all of a column. False: a row or column is empty.
bool Transits::scale(Whole& whole) {
    constexpr int max_rounds = 500;
    constexpr double enough = 1e-12;
    const std::size_t rows = whole.in.size(), columns = whole.out.size();
    std::vector<double> sums(columns);
    for (int round = 0; round < max_rounds; ++round) {
        std::fill(sums.begin(), sums.end(), 0.0);
        for (std::size_t row = 0; row < rows; ++row) {
            double* const cells = whole.cells.data() + row * columns;
            double sum = 0;
            for (std::size_t column = 0; column < columns; ++column) sum += cells[column];
            if (!(sum > 0)) return false;
            const double factor = static_cast<double>(whole.in[row].cost) / sum;
            for (std::size_t column = 0; column < columns; ++column) sums[column] += cells[column] *= factor;
        }
        double worst = 0;
        for (std::size_t column = 0; column < columns; ++column) {
            const auto wanted = static_cast<double>(whole.out[column].cost);
            if (!(sums[column] > 0)) return false;
            worst = std::max(worst, std::abs(sums[column] - wanted) / wanted);
            sums[column] = wanted / sums[column];
        }
        if (worst < enough) return true;
        for (std::size_t row = 0; row < rows; ++row)
            for (std::size_t column = 0; column < columns; ++column)
                whole.cells[row * columns + column] *= sums[column];
    }
    return true;
}

/// Lowers what is above the sums, and shares out what is missing then.
void Transits::meet_sums(Whole& whole) {
    const std::size_t rows = whole.in.size(), columns = whole.out.size();
    std::vector<double> missing_in(rows), missing_out(columns);
    const auto lower = [&](std::size_t first, std::size_t count, std::size_t step, std::uint64_t wanted) {
        double sum = 0;
        for (std::size_t i = 0; i < count; ++i) sum += whole.cells[first + i * step];
        const auto most = static_cast<double>(wanted);
        if (sum <= most) return;
        for (std::size_t i = 0; i < count; ++i) whole.cells[first + i * step] *= most / sum;
    };
    for (std::size_t row = 0; row < rows; ++row) lower(row * columns, columns, 1, whole.in[row].cost);
    for (std::size_t column = 0; column < columns; ++column)
        lower(column, rows, columns, whole.out[column].cost);
    double missing = 0;
    for (std::size_t row = 0; row < rows; ++row) missing_in[row] = static_cast<double>(whole.in[row].cost);
    for (std::size_t column = 0; column < columns; ++column) {
        missing_out[column] = static_cast<double>(whole.out[column].cost);
        for (std::size_t row = 0; row < rows; ++row) {
            missing_in[row] -= whole.cells[row * columns + column];
            missing_out[column] -= whole.cells[row * columns + column];
        }
        missing += missing_out[column] = std::max(0.0, missing_out[column]);
    }
    if (missing == 0) return;
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t column = 0; column < columns; ++column)
            whole.cells[row * columns + column] +=
                std::max(0.0, missing_in[row]) * missing_out[column] / missing;
}

Transits::Transits(const Flow& flow, Recursion recursion)
    : flow_(flow),
      recorded_(data_of(flow.graph).inlined ? data_of(flow.graph).inlined->hosts() : flow.graph),
      recursion_(recursion) {}

std::uint32_t Transits::Table::member(NodeId node) const {
    if (rows.empty()) return 0;
    return std::lower_bound(rows.begin(), rows.end(), std::pair(node, std::uint32_t{0}))->second;
}

const Transits::Table& Transits::of(NodeId node) {
    const NodeId outermost = host(node);
    const auto [known, is_new] = tables_.try_emplace(outermost.value);
    Table& table = known->second;
    if (!is_new) return table;
    table = ways(outermost);
    Whole whole{merged(table.in), merged(table.out)};
    const std::size_t rows = whole.in.size(), columns = whole.out.size();
    // Paths may come to each member, and leave it, by each way in.
    const std::size_t unfolded = table.in.size() * (table.members.size() + table.out.size());
    const std::size_t cells = std::max(rows * columns, table.members.size() > 1 ? unfolded : 0);
    const bool is_open = rows > 1 && columns > 1 && columns <= max_cells / rows && cells <= cells_left_;
    if (is_open && guess(recorded_.node_of(flow_.graph.function(outermost)), whole) && scale(whole)) {
        meet_sums(whole);
        table.columns = columns;
        table.cells = std::move(whole.cells);
        cells_left_ -= cells;
    }
    return table;
}

NodeId Transits::host(NodeId node) const {
    const CallGraph& graph = flow_.graph;
    const FunctionId function = graph.function(node);
    return inlined_in(graph, node).valid() ? graph.node_of(graph.profile().host(function)) : node;
}

Transits::Table Transits::ways(NodeId host) const {
    const CallGraph& graph = flow_.graph;
    Table table;
    const auto add = [](std::vector<Way>& list, Way way) {
        if (way.cost > 0) list.push_back(way);
    };
    const auto is_open = [&](ArcId arc) {
        return recursion_ == Recursion::unfold || graph.caller(arc) != graph.callee(arc);
    };
    add(table.in, {.kind = Way::Kind::own, .cost = flow_.entered(host)});
    for (const ArcId arc : graph.callers(host))
        if (is_open(arc)) add(table.in, {.arc = arc, .cost = flow_.arc(arc)});

    std::vector<Member> waiting{{.node = host}};
    while (!waiting.empty()) {
        const auto row = static_cast<std::uint32_t>(table.members.size());
        Member member = waiting.back();
        waiting.pop_back();
        member.end = row + 1;
        member.first = static_cast<std::uint32_t>(table.out.size());
        table.members.push_back(member);
        add(table.out, {.kind = Way::Kind::own, .cost = flow_.self[member.node.value], .member = row});
        add(table.out, {.kind = Way::Kind::lost, .cost = flow_.unbalanced(member.node), .member = row});
        for (const ArcId arc : graph.callees(member.node)) {
            if (graph.inlined(arc))
                waiting.push_back({.node = graph.callee(arc), .arc = arc, .in = row});
            else if (is_open(arc))
                add(table.out, {.arc = arc, .cost = flow_.arc(arc), .member = row});
        }
    }
    if (table.members.size() > 1) {
        for (std::uint32_t row = 0; row < table.members.size(); ++row)
            table.rows.emplace_back(table.members[row].node, row);
        std::sort(table.rows.begin(), table.rows.end());
    }
    for (std::size_t row = table.members.size(); row-- > 1;) {
        std::uint32_t& end = table.members[table.members[row].in].end;
        end = std::max(end, table.members[row].end);
    }
    return table;
}

/// Those together that were recorded as one.
std::vector<Way> Transits::merged(std::vector<Way>& ways) const {
    std::vector<Way> whole;
    if (&recorded_ == &flow_.graph) {
        for (std::size_t i = 0; i < ways.size(); ++i) ways[i].cell = static_cast<std::uint32_t>(i);
        return ways;
    }
    const auto recorded = [&](ArcId arc) {
        ArcId source;
        const CallGraph::Data& data = data_of(flow_.graph);
        data.for_each_source(arc, [&](ArcId one) { source = one; });
        return data.inlined->host_arc(source);
    };
    std::map<std::pair<Way::Kind, ArcId>, std::uint32_t> rows;
    for (Way& way : ways) {
        const ArcId arc = way.kind == Way::Kind::call ? recorded(way.arc) : ArcId{};
        const auto [row, is_new] =
            rows.try_emplace({way.kind, arc}, static_cast<std::uint32_t>(whole.size()));
        if (is_new) whole.push_back({.kind = way.kind, .arc = arc});
        way.cell = row->second;
        whole[way.cell].cost += way.cost;
    }
    for (Way& way : ways)
        way.share = static_cast<double>(way.cost) / static_cast<double>(whole[way.cell].cost);
    return whole;
}

// A call of the function by some caller costs `relative` times the average. What a callee costs at a time,
// beside what all of them do on average, says how far it follows: what is small is spent in every call alike
// (power 0), usual costs are in proportion (1), and great ones are in the expensive calls (up to 3). What
// goes on within a cycle follows twice as far: the expensive calls are those that recur. The function itself
// is a loop or straight code, in pieces of unknown size: it counts as smaller than its callees.
bool Transits::guess(NodeId node, Whole& whole) const {
    constexpr double own_piece = 0.6;  // of a callee's call, on average
    constexpr double greatest = 3;
    constexpr double min_share = 1e-9;  // of what would be in proportion, so that all sums can be met
    bool is_known = true;
    const auto count = [&](ArcId arc) {
        const CallCount calls = recorded_.count(arc);
        is_known = is_known && !calls.at_least && calls.known > 0;
        return static_cast<double>(calls.known);
    };
    const CycleId cycle = recorded_.cycle(node);
    std::vector<double> entries, pieces;
    std::vector<bool> is_inside;  // of the function's cycle
    double called = 0;
    for (const Way& way : whole.in) {
        entries.push_back(way.kind == Way::Kind::call ? count(way.arc) : 1);
        called += entries.back();
    }
    double weight = 0, weighted = 0;  // of calls
    const auto is_call = [](const Way& way) { return way.kind == Way::Kind::call; };
    for (const Way& way : whole.out) {
        const auto cost = static_cast<double>(way.cost);
        pieces.push_back(is_call(way) ? cost / count(way.arc) : 0);
        is_inside.push_back(way.kind == Way::Kind::call && cycle.valid() &&
                            recorded_.cycle(recorded_.callee(way.arc)) == cycle);
        if (!is_call(way)) continue;
        weight += cost;
        weighted += cost * pieces.back();
    }
    if (!is_known || weight == 0) return false;
    const auto is_way = [&](ArcId arc) {  // the code that is inlined in it calls it
        return std::any_of(whole.in.begin(), whole.in.end(), [&](const Way& way) { return way.arc == arc; });
    };
    for (const ArcId arc : recorded_.callers(node))
        if (recursion_ == Recursion::fold && recorded_.caller(arc) == node && !is_way(arc))
            called += count(arc);
    const double own = own_piece * weighted / weight;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const Way& way = whole.out[i];
        if (is_call(way)) continue;
        const auto cost = static_cast<double>(way.cost);
        pieces[i] = std::min(cost / called, own);
        weight += cost;
        weighted += cost * pieces[i];
    }
    const double all = total(whole.in);
    double entered = 0;
    for (const double calls : entries) entered += calls;
    whole.cells.reserve(whole.in.size() * whole.out.size());
    for (std::size_t row = 0; row < whole.in.size(); ++row) {
        const auto brought = static_cast<double>(whole.in[row].cost);
        const double relative = brought / entries[row] * entered / all;
        for (std::size_t column = 0; column < whole.out.size(); ++column) {
            const auto cost = static_cast<double>(whole.out[column].cost);
            double power = std::min(greatest, pieces[column] * weight / weighted);
            if (is_inside[column]) power *= 2;
            const double guessed =
                entries[row] / entered * to_the_quarters(relative, int(std::lround(4 * power)));
            whole.cells.push_back(cost * (guessed + min_share * brought / all));
        }
    }
    return is_known;
}

}  // namespace callcost
