/// Lists of a few rows: event types to choose from, the keys.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "browse/browsed_profile.hpp"
#include "browse/list_view.hpp"

namespace callcost::program {

class MenuView : public ListView {
  public:
    MenuView(std::vector<Column> columns, std::vector<std::vector<Cell>> rows, std::size_t first_row,
             std::string note)
        : columns_(std::move(columns)),
          rows_(std::move(rows)),
          first_row_(first_row),
          note_(std::move(note)) {}

    [[nodiscard]] std::vector<Column> columns() const override { return columns_; }
    [[nodiscard]] std::size_t size() const override { return rows_.size(); }
    [[nodiscard]] std::vector<Cell> row(std::size_t row) const override { return rows_[row]; }
    [[nodiscard]] FunctionNames names(std::size_t row) const override {
        return {rows_[row].back().text, {}, {}};
    }
    [[nodiscard]] std::optional<engine::FunctionAt> function(std::size_t /*row*/) const override {
        return std::nullopt;
    }
    [[nodiscard]] std::size_t first_row() const override { return first_row_; }
    [[nodiscard]] std::string note() const override { return note_; }

  private:
    std::vector<Column> columns_;
    std::vector<std::vector<Cell>> rows_;
    std::size_t first_row_;
    std::string note_;
};

/// Those of BrowsedProfile::measures(), by row.
[[nodiscard]] std::unique_ptr<ListView> event_menu(const BrowsedProfile& profile);
[[nodiscard]] std::unique_ptr<ListView> key_list();

}  // namespace callcost::program
