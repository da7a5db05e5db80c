/// A function between its callers and its callees, as `peek` has it.
#pragma once

#include <vector>

#include "answers/neighbours.hpp"
#include "browse/browsed_profile.hpp"
#include "browse/list_view.hpp"

namespace callcost::program {

class NeighbourView : public ListView {
  public:
    /// The profile must outlive this.
    NeighbourView(const BrowsedProfile& profile, engine::FunctionAt function);

    [[nodiscard]] std::vector<Column> columns() const override;
    [[nodiscard]] std::size_t size() const override { return rows_.size(); }
    [[nodiscard]] std::vector<Cell> row(std::size_t row) const override;
    [[nodiscard]] FunctionNames names(std::size_t row) const override;
    [[nodiscard]] std::optional<engine::FunctionAt> function(std::size_t row) const override;
    [[nodiscard]] std::size_t first_row() const override { return itself_; }
    [[nodiscard]] std::string note() const override;

  private:
    struct Row {
        const engine::Neighbour* neighbour = nullptr;
        const engine::Neighbours* of = nullptr;  ///< whose neighbour it is
        const char* text = nullptr;              ///< of a row without one; null: the function itself
        Cost cost = 0;
    };
    void add_rest(Cost cost, const char* text);
    [[nodiscard]] std::vector<Cell> row_of(const Row& row) const;
    [[nodiscard]] std::vector<Cell> row_of_itself() const;
    [[nodiscard]] Cell name_of(const Row& row) const;

    const BrowsedProfile& profile_;
    engine::FunctionAt function_;
    engine::Neighbours callers_, callees_;
    bool has_costs_;
    std::vector<Row> rows_;
    std::size_t itself_ = 0;
};

}  // namespace callcost::program
