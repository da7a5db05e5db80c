#include "profile/cost_table.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace callcost::test {
namespace {

using Row = std::vector<std::int64_t>;

Row row_of(const CostTable& table, std::size_t row) {
    Row sums(table.columns(), 0);
    table.add_to(sums, row);
    for (std::size_t column = 0; column < sums.size(); ++column)
        EXPECT_EQ(sums[column], table.get(row, column));
    return sums;
}

// Some rows of three columns lie on two pages of memory; with very many columns a table is sparse.
TEST(CostTable, adds_whole_rows_wherever_they_lie) {
    for (const std::size_t columns : {std::size_t{3}, CostTable::dense_columns + 1}) {
        CostTable table;
        table.set_columns(columns);
        table.grow(5000);
        for (std::int64_t row = 0; row < 5000; ++row) {
            table.add_row(static_cast<std::size_t>(row), Row{row, -row, 7});
            table.add_row(static_cast<std::size_t>(row), Row{1});
        }
        for (std::int64_t row = 0; row < 5000; ++row) {
            Row expected(columns, 0);
            expected[0] = row + 1;
            expected[1] = -row;
            expected[2] = 7;
            EXPECT_EQ(row_of(table, static_cast<std::size_t>(row)), expected);
        }
    }
}

TEST(CostTable, sums_of_rows_wrap) {
    CostTable table;
    table.set_columns(2);
    table.new_row();
    table.add_row(0, Row{INT64_MAX, INT64_MIN});
    table.add_row(0, Row{1, -1});
    EXPECT_EQ(row_of(table, 0), (Row{INT64_MIN, INT64_MAX}));
}

}  // namespace
}  // namespace callcost::test
