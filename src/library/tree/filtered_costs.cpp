// What filters keep of every function: estimates, kept within bounds that are certain.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "call_graph/graph_data.hpp"
#include "call_graph/spread.hpp"
#include "call_graph/unfold.hpp"
#include "callcost/tree.hpp"
#include "tree/kept_flow.hpp"

namespace callcost {
namespace {

/// Functions that call a marked one, directly or not.
std::vector<bool> callers_of(const CallGraph& graph, const std::vector<bool>& marked) {
    std::vector<bool> above(graph.size(), false);
    for (std::size_t row = 0; row < marked.size(); ++row) {
        if (!marked[row]) continue;
        for (const ArcId arc : graph.callers(NodeId(row))) above[graph.caller(arc).value] = true;
    }
    spread(graph, above, Direction::callers, [](ArcId, NodeId) { return true; });
    return above;
}

/// Whether arcs tell what passes from function to function: none is missing, no cost is negative.
bool is_consistent(const Flow& flow) {
    if (flow.unit != 1 || flow.negative != 0) return false;
    const CallGraph& graph = flow.graph;
    for (std::size_t row = 0; row < graph.arc_count(); ++row)
        if (graph.cost(ArcId(row), flow.measure) < 0) return false;
    for (std::size_t row = 0; row < graph.size(); ++row)
        if (graph.unrecorded_callees(NodeId(row), flow.measure) != 0 ||
            data_of(graph).divided_cycle(NodeId(row)).valid())
            return false;
    return true;
}

/// An estimate within its bounds; fractions are rounded so that sums are right, too.
class Estimates {
  public:
    explicit Estimates(std::size_t size) : exact_(size) {
        column_.estimate.resize(size);
        column_.least.resize(size);
        column_.most.resize(size);
    }

    void set(std::size_t row, double estimate, Cost least, Cost most) {
        column_.least[row] = least;
        column_.most[row] = most;
        exact_[row] = std::clamp(estimate, static_cast<double>(least), static_cast<double>(most));
    }

    /// Moves the estimates of these rows so that their sum is between two costs, as far as their bounds
    /// allow.
    void fit(const std::vector<bool>& rows, Cost least, Cost most) {
        double sum = 0, below = 0, above = 0;
        for (std::size_t row = 0; row < exact_.size(); ++row) {
            if (!rows[row]) continue;
            sum += exact_[row];
            below += exact_[row] - static_cast<double>(column_.least[row]);
            above += static_cast<double>(column_.most[row]) - exact_[row];
        }
        const double wanted = std::clamp(sum, static_cast<double>(least), static_cast<double>(most));
        const double room = wanted < sum ? below : above;
        if (!(room > 0)) return;
        const double part = std::min(1.0, std::abs(wanted - sum) / room);
        const auto& towards = wanted < sum ? column_.least : column_.most;
        for (std::size_t row = 0; row < exact_.size(); ++row)
            if (rows[row]) exact_[row] += (static_cast<double>(towards[row]) - exact_[row]) * part;
    }

    [[nodiscard]] BoundedCosts take() && {
        double sum = 0, rounded = 0;
        for (std::size_t row = 0; row < exact_.size(); ++row) {
            const Cost least = column_.least[row], most = column_.most[row];
            if (least == most) {
                column_.estimate[row] = least;
                continue;
            }
            sum += exact_[row];
            const double next =
                std::clamp(std::round(sum - rounded), std::floor(exact_[row]), std::ceil(exact_[row]));
            rounded += next;
            // A double beyond 2^53 may be above the greatest cost.
            column_.estimate[row] = next >= static_cast<double>(most)    ? most
                                    : next <= static_cast<double>(least) ? least
                                                                         : Cost(std::llround(next));
        }
        return std::move(column_);
    }

  private:
    BoundedCosts column_;
    std::vector<double> exact_;
};

/// What is kept of a cost between two others, if nothing else is known.
std::pair<Cost, Cost> bounds(Kept kept, Cost least, Cost most) {
    if (kept == Kept::everything) return {least, most};
    if (kept == Kept::nothing) return {0, 0};
    return {std::min<Cost>(0, least), std::max<Cost>(0, most)};
}

void estimate(FilteredCosts& costs, const CallGraph& graph, const Filters& filters,
              const FilterResult& filtered, const Measure& measure) {
    const std::size_t size = graph.size();
    const auto selfs = self_costs(graph, measure);
    const BoundedCosts wholes = inclusive_bounds(graph, measure);
    const auto& inclusives = wholes.estimate;
    if (!filters.focus && !filters.ignore) {  // the listed functions are kept whole
        costs.self = {selfs, selfs, selfs};
        costs.inclusive = wholes;
        return;
    }
    std::vector<KeptShares> shares(size, {.self = 1, .inclusive = 1});
    std::vector<Arrival> arrivals;
    std::vector<bool> above_focus, above_ignored;
    const Flow flow(graph, measure);
    const auto focused = marks(graph, filters.focus), ignored = marks(graph, filters.ignore);
    const KeptFlow kept(flow, filters.focus != nullptr, focused, ignored);
    const bool is_flow = measure.additive && graph.arc_count() > 0;
    if (is_flow) shares = kept.shares();
    const bool is_known = is_flow && is_consistent(flow);
    if (is_known) {
        arrivals = kept.arrivals(filtered.self);
        above_focus = callers_of(graph, focused);
        above_ignored = callers_of(graph, ignored);
    }

    Estimates self(size), inclusive(size);
    for (std::size_t row = 0; row < size; ++row) {
        const NodeId node(row);
        auto [least, most] = bounds(filtered.self[row], selfs[row], selfs[row]);
        auto [least_inclusive, most_inclusive] =
            bounds(filtered.inclusive[row], wholes.least[row], wholes.most[row]);
        if (is_known) {
            const Cost whole(static_cast<std::int64_t>(kept.passes(node)));
            const Cost arrives_least(static_cast<std::int64_t>(arrivals[row].least));
            const Cost arrives_most(static_cast<std::int64_t>(arrivals[row].most));
            if (filtered.self[row] == Kept::some) {
                least = std::max<Cost>(0, arrives_least - (whole - selfs[row]));
                most = std::min<Cost>(selfs[row], arrives_most);
                if (filtered.listed[row]) most = std::max(least, std::min(most, filtered.most));
            }
            if (filtered.inclusive[row] == Kept::some && inclusives[row] == whole &&
                !graph.cycle(node).valid()) {
                if (!above_ignored[row]) least_inclusive = arrives_least;
                if (!above_focus[row]) most_inclusive = arrives_most;
            }
            least_inclusive = std::clamp(least, least_inclusive, most_inclusive);
        }
        self.set(row, static_cast<double>(selfs[row]) * shares[row].self, least, most);
        inclusive.set(row, static_cast<double>(inclusives[row]) * shares[row].inclusive, least_inclusive,
                      most_inclusive);
    }
    self.fit(filtered.listed, filtered.least, filtered.most);
    costs.self = std::move(self).take();
    costs.inclusive = std::move(inclusive).take();
    if (!is_known) return;
    for (std::size_t row = 0; row < size; ++row)
        costs.inclusive.estimate[row] =
            std::clamp(costs.self.estimate[row], costs.inclusive.estimate[row], costs.inclusive.most[row]);
}

/// What is kept of functions is what is kept of their levels and contexts together.
void fold(FilteredCosts& costs, const CallGraph& graph, const FilteredCosts& kept,
          const UnfoldedGraph& unfolded, const Measure& measure) {
    for (BoundedCosts* column : {&costs.self, &costs.inclusive})
        for (auto* bound : {&column->estimate, &column->least, &column->most}) bound->assign(graph.size(), 0);
    const auto add = [](BoundedCosts& to, std::size_t row, const BoundedCosts& from, NodeId node) {
        to.estimate[row] += from.estimate[node.value];
        to.least[row] += from.least[node.value];
        to.most[row] += from.most[node.value];
    };
    const bool has_inlined_code = graph.profile().has_inlined();
    const auto wholes = has_inlined_code ? inclusive_bounds(unfolded.graph, measure) : BoundedCosts{};
    const auto is_inlined = [&](NodeId node) {
        return graph.profile().inlined_in(unfolded.graph.function(node)).valid();
    };
    for (std::size_t row = 0; row < graph.size(); ++row) {
        Cost least_of_one = 0;
        for (const NodeId node : unfolded.nodes[row]) add(costs.self, row, kept.self, node);
        for (const NodeId node : unfolded.first_levels[row]) {
            add(costs.inclusive, row, kept.inclusive, node);
            least_of_one = std::max(least_of_one, kept.inclusive.least[node.value]);
        }
        // Estimates of several levels are rounded one by one.
        if (costs.self.estimate[row] <= costs.inclusive.most[row])
            costs.inclusive.estimate[row] = std::max(costs.inclusive.estimate[row], costs.self.estimate[row]);
        const BoundedCost whole = graph.inclusive_bounds(NodeId(row), measure);
        const auto callees = graph.callees(NodeId(row));
        const bool calls_itself = std::any_of(callees.begin(), callees.end(),
                                              [&](ArcId arc) { return graph.callee(arc) == NodeId(row); });
        const auto& firsts = unfolded.first_levels[row];
        const bool is_told = data_of(graph).levels_tell(NodeId(row)) || firsts.size() == 1;
        const bool has_inlined = has_inlined_code && std::any_of(firsts.begin(), firsts.end(), is_inlined);
        Cost sum = 0;
        if (has_inlined)
            for (const NodeId node : firsts) sum += wholes.least[node.value];
        // Inlined code at one place may be below that at another.
        if (whole.is_exact() && (has_inlined ? sum == whole.estimate : is_told || !calls_itself)) continue;
        // Contexts of one function may call each other: then their costs overlap.
        costs.inclusive.least[row] = least_of_one;
        costs.inclusive.most[row] = std::max(least_of_one, std::min(costs.inclusive.most[row], whole.most));
        costs.inclusive.estimate[row] =
            std::clamp(costs.inclusive.estimate[row], least_of_one, costs.inclusive.most[row]);
    }
}

BoundedCosts by_function(const BoundedCosts& by_node, const UnfoldedGraph& unfolded) {
    BoundedCosts costs;
    const std::size_t functions = unfolded.graph.profile().function_count();
    for (auto* bound : {&costs.estimate, &costs.least, &costs.most}) bound->resize(functions);
    for (std::size_t row = 0; row < functions; ++row) {
        const NodeId node = unfolded.graph.node_of(FunctionId(row));
        if (!node.valid()) continue;
        costs.estimate[row] = by_node.estimate[node.value];
        costs.least[row] = by_node.least[node.value];
        costs.most[row] = by_node.most[node.value];
    }
    return costs;
}

/// From recorded stacks. Of a function that is on a stack more than once the outermost call counts (F76).
bool add_up_stacks(FilteredCosts& costs, const CallGraph& graph, const Filters& filters,
                   const Measure& measure, const StacksOfSources& stacks) {
    TreeOptions whole;
    whole.measure = measure;
    whole.recursion = Recursion::unfold;
    whole.max_frames = std::numeric_limits<std::size_t>::max();
    const auto tree =
        exact_tree(graph, stacks, whole, {filters.focus, filters.ignore, {}, {}}, NegativeCosts::keep);
    if (!tree) return false;
    std::vector<Cost> self(graph.size()), inclusive(graph.size());
    std::vector<std::uint32_t> end(graph.size(), 0);  // of the outermost frame
    for (std::uint32_t row = 0; row < tree->frames.size(); ++row) {
        const Frame& frame = tree->frames[row];
        if (frame.kind != FrameKind::function) continue;
        const auto node = frame.node.value;
        self[node] += frame.self.least;
        if (row < end[node]) continue;
        end[node] = frame.end;
        inclusive[node] += frame.inclusive.least;
    }
    costs.self = {self, self, self};
    costs.inclusive = {inclusive, inclusive, inclusive};
    return true;
}

}  // namespace

FilteredCosts filtered_costs(const CallGraph& graph, const Filters& filters, const FilterResult& filtered,
                             const Measure& measure, const StacksOfSources& stacks) {
    FilteredCosts costs;
    costs.listed = filtered.listed;
    // Which functions are listed changes no cost.
    const bool is_part = filters.focus || filters.ignore;
    const bool is_recorded =
        is_part && measure.additive && add_up_stacks(costs, graph, filters, measure, stacks);
    const auto unfolded = is_recorded || !is_part ? std::nullopt : unfold(graph);
    if (unfolded) {
        const Filters asked = filters_of(*unfolded, filters);
        FilteredCosts kept;
        FilterResult of_levels = filter(unfolded->graph, asked, measure);
        of_levels.least = std::max(of_levels.least, filtered.least);
        of_levels.most = std::max(of_levels.least, std::min(of_levels.most, filtered.most));
        estimate(kept, unfolded->graph, asked, of_levels, measure);
        fold(costs, graph, kept, *unfolded, measure);
        costs.self_of_functions = by_function(kept.self, *unfolded);
    } else if (!is_recorded) {
        estimate(costs, graph, filters, filtered, measure);
    }
    for (std::size_t row = 0; row < graph.size(); ++row) {
        const bool is_outside = filtered.self[row] == Kept::some && costs.self.most[row] == 0 &&
                                costs.self.least[row] == 0 && costs.inclusive.most[row] == 0 &&
                                costs.inclusive.least[row] == 0;
        if (is_outside) costs.listed[row] = false;
        if (!costs.listed[row]) continue;
        costs.estimate += costs.self.estimate[row];
        costs.least += costs.self.least[row];
        costs.most += costs.self.most[row];
    }
    if (is_recorded) return costs;
    // Inclusive costs may know more of the sum than the rows do.
    costs.most = std::max(costs.least, std::min(costs.most, filtered.most));
    costs.least =
        std::min(costs.most, std::max(costs.least, filtered.least));  // what no row has is not shown
    return costs;
}

}  // namespace callcost
