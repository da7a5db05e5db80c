/// What changed between two profiles, as `diff` has it.
#pragma once

#include <vector>

#include "answers/changed_functions.hpp"
#include "browse/browsed_profile.hpp"
#include "browse/list_view.hpp"
#include <callcost/diff.hpp>

namespace callcost::program {

/// A change, more in one tone and less in another.
[[nodiscard]] Cell change_cell(const BrowsedProfile& profile, const Change& cost);

class ChangeView : public ListView {
  public:
    /// Both must outlive this. The profile is compared with another one.
    ChangeView(const BrowsedProfile& profile, ListSettings& settings);

    [[nodiscard]] std::vector<Column> columns() const override;
    [[nodiscard]] std::size_t size() const override { return rows_.size(); }
    [[nodiscard]] std::vector<Cell> row(std::size_t row) const override;
    [[nodiscard]] FunctionNames names(std::size_t row) const override;
    [[nodiscard]] std::optional<engine::FunctionAt> function(std::size_t row) const override;
    [[nodiscard]] std::string note() const override;
    [[nodiscard]] bool press(const Key& key, std::size_t& row) override;

  private:
    [[nodiscard]] const Diff& diff() const { return profile_.view().compared->diff; }
    void list();

    const BrowsedProfile& profile_;
    ListSettings& settings_;
    std::vector<MatchId> rows_;
};

}  // namespace callcost::program
