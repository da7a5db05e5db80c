/// The list of functions by their cost, as `top` has it.
#pragma once

#include "browse/browsed_profile.hpp"
#include "browse/list_view.hpp"
#include <callcost/call_graph.hpp>

namespace callcost::program {

class FunctionView : public ListView {
  public:
    /// Both must outlive this.
    FunctionView(const BrowsedProfile& profile, ListSettings& settings);

    [[nodiscard]] std::vector<Column> columns() const override;
    [[nodiscard]] std::size_t size() const override {
        return list_.rows.size() + (list_.omitted_rows > 0 ? 1 : 0);
    }
    [[nodiscard]] std::vector<Cell> row(std::size_t row) const override;
    [[nodiscard]] FunctionNames names(std::size_t row) const override;
    [[nodiscard]] std::optional<engine::FunctionAt> function(std::size_t row) const override;
    [[nodiscard]] std::string note() const override;
    [[nodiscard]] bool list_all() override;
    [[nodiscard]] bool press(const Key& key, std::size_t& row) override;

  private:
    void list();
    /// What is asked for, unless the profile does not have it.
    [[nodiscard]] SortBy order() const;
    [[nodiscard]] bool has(SortBy by) const;
    [[nodiscard]] std::vector<Cell> row_of_rest() const;
    [[nodiscard]] BoundedCost inclusive(NodeId node) const;

    const BrowsedProfile& profile_;
    ListSettings& settings_;
    std::size_t limit_;  // rows; sorting all of very many takes long
    bool has_inclusive_, has_calls_;
    FunctionList list_;
};

}  // namespace callcost::program
