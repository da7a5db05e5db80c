#include "profile/cost_table.hpp"

#include <utility>

namespace callcost {

void CostTable::set_columns(std::size_t columns) {
    if (columns <= columns_) return;
    columns_ = columns;
    if (is_wide_) return;
    CostTable wider;
    wider.columns_ = columns;
    wider.is_wide_ = columns > dense_columns;
    wider.stride_ = wider.is_wide_ ? 0 : columns;
    wider.rows_ = rows_;
    wider.cells_.grow(rows_ * wider.stride_, 0);
    for_each([&](std::size_t row, std::size_t column, Cost cost) { wider.add(row, column, cost); });
    *this = std::move(wider);
}

void CostTable::add_wide(std::size_t row, std::size_t column, Cost cost) {
    if (cost != 0) wide_.add(key(row, column), cost);
}

Cost CostTable::get_wide(std::size_t row, std::size_t column) const { return wide_.get(key(row, column)); }

}  // namespace callcost
