#include "callgrind_annotate/inclusive.hpp"

#include <algorithm>
#include <vector>

namespace callcost::program {
namespace {

constexpr std::uint32_t none = UINT32_MAX;

/// Which rows call each other in a circle: Tarjan's strongly connected components, without recursion, since a
/// chain of calls may be long. Calls out of inlined code are calls of the function that it is in.
class Components {
  public:
    explicit Components(const ValgrindTable& table)
        : begin_(table.rows().size() + 1),
          callees_(table.arcs().size()),
          order_(table.rows().size(), none),
          low_(table.rows().size(), none),
          component_(table.rows().size(), none) {
        for (const auto& arc : table.arcs()) ++begin_[arc.home + 1];
        for (std::size_t row = 1; row < begin_.size(); ++row) begin_[row] += begin_[row - 1];
        auto next = begin_;
        for (const auto& arc : table.arcs()) callees_[next[arc.home]++] = arc.callee;
        for (std::uint32_t row = 0; row < order_.size(); ++row) {
            if (order_[row] == none) visit(row);
        }
    }

    [[nodiscard]] bool are_same(std::uint32_t row, std::uint32_t other) const {
        return component_[row] == component_[other];
    }
    [[nodiscard]] bool has_several(std::uint32_t row) const { return sizes_[component_[row]] > 1; }

  private:
    struct Step {
        std::uint32_t row = 0;
        std::size_t next = 0;  // of callees_
    };

    void visit(std::uint32_t root) {
        enter(root);
        while (!path_.empty()) {
            auto& step = path_.back();
            const auto row = step.row;
            if (step.next < begin_[row + 1]) {
                const auto callee = callees_[step.next++];
                if (order_[callee] == none) {
                    enter(callee);
                } else if (component_[callee] == none) {
                    low_[row] = std::min(low_[row], order_[callee]);
                }
                continue;
            }
            path_.pop_back();
            if (!path_.empty()) low_[path_.back().row] = std::min(low_[path_.back().row], low_[row]);
            if (low_[row] == order_[row]) close(row);
        }
    }

    void enter(std::uint32_t row) {
        order_[row] = low_[row] = visited_++;
        open_.push_back(row);
        path_.push_back({row, begin_[row]});
    }

    void close(std::uint32_t first) {
        const auto component = static_cast<std::uint32_t>(sizes_.size());
        sizes_.push_back(0);
        for (std::uint32_t row = none; row != first;) {
            row = open_.back();
            open_.pop_back();
            component_[row] = component;
            ++sizes_.back();
        }
    }

    std::vector<std::size_t> begin_;  // by row, in callees_
    std::vector<std::uint32_t> callees_;
    std::vector<std::uint32_t> order_, low_, component_;
    std::vector<std::uint32_t> sizes_;  // by component
    std::vector<std::uint32_t> open_;
    std::vector<Step> path_;
    std::uint32_t visited_ = 0;
};

CountRows empty_rows(const ValgrindTable& table) {
    CountRows rows;
    for (std::size_t row = 0; row < table.rows().size(); ++row) (void)rows.add_row();
    return rows;
}

}  // namespace

CountRows inclusive_costs(const ValgrindTable& table) {
    const Components components(table);
    auto result = empty_rows(table);
    std::vector<bool> is_called(table.rows().size());
    const auto takes_calls = [&](std::uint32_t row) {
        return is_called[row] && !components.has_several(row);
    };

    for (const auto& arc : table.arcs()) {
        if (!components.are_same(arc.home, arc.callee)) is_called[arc.callee] = true;
    }
    for (std::uint32_t i = 0; i < table.arcs().size(); ++i) {
        const auto& arc = table.arcs()[i];
        if (components.are_same(arc.home, arc.callee)) continue;
        if (takes_calls(arc.callee)) result.add(arc.callee, table.arc_costs()[i]);
        const auto caller = components.has_several(arc.home) ? arc.home : arc.caller;
        if (!takes_calls(caller)) result.add(caller, table.arc_costs()[i]);
        if (caller != arc.caller && !takes_calls(arc.caller)) result.add(arc.caller, table.arc_costs()[i]);
    }
    for (std::uint32_t i = 0; i < table.cells().size(); ++i) {
        const auto& cell = table.cells()[i];
        const auto home = components.has_several(cell.home) ? cell.home : cell.row;
        if (!takes_calls(home)) result.add(home, table.cell_costs()[i]);
        if (home != cell.row && !takes_calls(cell.row)) result.add(cell.row, table.cell_costs()[i]);
    }
    return result;
}

}  // namespace callcost::program
