/// Costs and their shares of the total, in columns before the lines of a listing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/style.hpp"
#include <callcost/call_graph.hpp>

namespace callcost::program {

/// What the lines of a listing were computed with, and what of it is shown.
struct LineMeasures {
    std::vector<Measure> all;        ///< the first one is asked for: calls have their cost by it
    std::vector<std::size_t> shown;  ///< which of them, in the order in which they are shown

    [[nodiscard]] std::vector<Measure> shown_measures() const;
};

/// make_room() must see all costs first, so that columns are wide enough.
class CostCells {
  public:
    CostCells(const CallGraph& graph, const LineMeasures& measures, const engine::Style& style);

    void make_room(const std::vector<Cost>& self);
    void make_room_for_call(Cost of);

    // Each of them `width()` columns.
    [[nodiscard]] std::string of(const std::vector<Cost>& self) const;
    [[nodiscard]] std::string of_call(Cost of, bool is_counted_again) const;
    [[nodiscard]] std::string of_nothing() const;  ///< where there could be a cost
    [[nodiscard]] std::string blank() const { return std::string(width(), ' '); }
    [[nodiscard]] std::size_t width() const;

    /// A line with the event types above their columns; empty if it is clear what the costs are.
    [[nodiscard]] std::string titles() const;
    /// `, 12 Ir`: where calls have no column for their cost.
    [[nodiscard]] std::string call_cost_text(Cost of) const;
    /// Sum of costs: `12 Ir WORDS, 3.00% of the total`.
    [[nodiscard]] std::string sums(const std::vector<Cost>& self, std::string_view words) const;

  private:
    /// Of costs by one measure.
    struct Column {
        const Measure* measure;
        std::size_t index;  ///< of the costs of lines
        Cost base;
        bool has_shares;
        std::size_t width = 6;
    };
    [[nodiscard]] std::string cell(const Column& column, std::string_view cost, std::string_view share,
                                   engine::Tone tone) const;
    [[nodiscard]] const Column* column_of_calls() const;

    engine::Style style_;
    const Measure& measure_;
    bool has_titles_;
    std::vector<Column> columns_;
};

}  // namespace callcost::program
