/// Costs of rows (functions, arcs) by event type. Narrow tables are dense; a table of very many columns keeps
/// only what was written, so that memory stays in proportion to the input whatever its `events:` lines claim.
/// Sums are modulo 2^64 (F44, F82).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/paged_vector.hpp"
#include "base/sums_by_key.hpp"
#include "callcost/event_type.hpp"

namespace callcost {

class CostTable {
  public:
    static constexpr std::size_t dense_columns = 32;

    /// More columns may come at any time; rows keep their costs.
    void set_columns(std::size_t columns);
    [[nodiscard]] std::size_t columns() const { return columns_; }
    [[nodiscard]] std::size_t rows() const { return rows_; }

    std::size_t new_row() {
        cells_.grow(cells_.size() + stride_, 0);  // stride_ is 0 in a wide table
        return rows_++;
    }
    /// Grows to at least `rows` rows.
    void grow(std::size_t rows) {
        while (rows_ < rows) new_row();
    }

    void prefetch(std::size_t row) const {
        if (stride_ != 0) cells_.prefetch(row * stride_);
    }
    [[gnu::always_inline]] void add(std::size_t row, std::size_t column, Cost cost) {
        if (is_wide_) [[unlikely]]
            return add_wide(row, column, cost);
        std::int64_t& cell = cells_[row * stride_ + column];
        cell = cost + cell;
    }

    /// Adds costs of the first columns, one each.
    void add_row(std::size_t row, std::span<const std::int64_t> costs) {
        if (is_wide_) [[unlikely]] {
            for (std::size_t column = 0; column < costs.size(); ++column)
                add_wide(row, column, costs[column]);
            return;
        }
        for (std::size_t at = row * stride_; !costs.empty();) {  // in one or two pieces
            const std::span<std::int64_t> cells = cells_.run(at, costs.size());
            for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = Cost(cells[i]) + Cost(costs[i]);
            at += cells.size();
            costs = costs.subspan(cells.size());
        }
    }
    /// Adds a row's costs to `sums`, one for each column.
    void add_to(std::span<std::int64_t> sums, std::size_t row) const {
        if (is_wide_) [[unlikely]] {
            for (std::size_t column = 0; column < sums.size(); ++column)
                sums[column] = get_wide(row, column) + Cost(sums[column]);
            return;
        }
        for (std::size_t at = row * stride_; !sums.empty();) {
            const std::span<const std::int64_t> cells = cells_.run(at, sums.size());
            for (std::size_t i = 0; i < cells.size(); ++i) sums[i] = Cost(sums[i]) + Cost(cells[i]);
            at += cells.size();
            sums = sums.subspan(cells.size());
        }
    }

    [[gnu::always_inline]] [[nodiscard]] Cost get(std::size_t row, std::size_t column) const {
        if (is_wide_) [[unlikely]]
            return get_wide(row, column);
        return column < stride_ ? cells_[row * stride_ + column] : 0;
    }

    /// Calls f(row, column, cost) for all costs that are not 0, in no special order.
    template <class F>
    void for_each(F f) const {
        if (is_wide_) {
            return wide_.for_each([&](std::uint64_t where, Cost cost) {
                f(static_cast<std::size_t>(where >> 32U), static_cast<std::size_t>(where & 0xffffffffU),
                  cost);
            });
        }
        std::size_t row = 0, column = 0;
        cells_.for_each([&](Cost cost) {
            if (cost != 0) f(row, column, cost);
            if (++column < stride_) return;
            column = 0;
            ++row;
        });
    }

  private:
    [[nodiscard]] Cost get_wide(std::size_t row, std::size_t column) const;
    void add_wide(std::size_t row, std::size_t column, Cost cost);
    static std::uint64_t key(std::size_t row, std::size_t column) {
        return std::uint64_t{row} << 32U | column;
    }

    std::size_t columns_ = 0;
    std::size_t stride_ = 0;
    std::size_t rows_ = 0;
    bool is_wide_ = false;
    PagedVector<std::int64_t> cells_;  // no Costs: a new page of those would be filled with zeros first
    SumsByKey wide_;
};

}  // namespace callcost
