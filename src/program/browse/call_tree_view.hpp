/// Call paths as a tree whose branches open and close, as `tree` has them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "browse/browsed_profile.hpp"
#include "browse/list_view.hpp"
#include <callcost/tree.hpp>

namespace callcost::program {

class CallTreeView : public ListView {
  public:
    /// Both must outlive this. The hottest path is open.
    CallTreeView(const BrowsedProfile& profile, ListSettings& settings);

    [[nodiscard]] std::vector<Column> columns() const override;
    [[nodiscard]] std::size_t size() const override { return shown_.size(); }
    [[nodiscard]] std::vector<Cell> row(std::size_t row) const override;
    [[nodiscard]] FunctionNames names(std::size_t row) const override;
    [[nodiscard]] std::optional<engine::FunctionAt> function(std::size_t row) const override;
    [[nodiscard]] std::string note() const override;
    [[nodiscard]] bool press(const Key& key, std::size_t& row) override;

  private:
    [[nodiscard]] const Frame& frame(std::size_t row) const { return tree_->frames[shown_[row]]; }
    [[nodiscard]] bool has_branches(std::uint32_t at) const { return tree_->frames[at].end > at + 1; }
    [[nodiscard]] std::string bounds(const EstimatedCost& cost) const;
    void make_tree();
    void open_hottest_path();
    void list_shown();
    void open_all_below(std::size_t row);
    void go_to_parent(std::size_t& row) const;
    /// Of a frame for what is not expanded: expands more, with the same branches open.
    void expand_more(std::size_t& row);

    const BrowsedProfile& profile_;
    ListSettings& settings_;
    ContextNames contexts_;
    std::size_t max_frames_;
    std::shared_ptr<const Tree> tree_;
    std::vector<bool> is_open_;         // by frame
    std::vector<std::uint32_t> shown_;  // frames
};

}  // namespace callcost::program
