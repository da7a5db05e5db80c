#include "text/columns.hpp"

#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace callcost::engine {
namespace {

struct Line {
    std::string name;
    std::optional<int> number;
    Cost cost;
    std::optional<BoundedCost> bounded;
};

RowColumns<Line> columns_of(const std::vector<Measure>& measures) {
    RowColumns<Line> columns;
    columns.add("name", [](const Line& line) { return std::string_view(line.name); });
    columns.add("number", [](const Line& line) { return line.number; });
    columns.add("is_large", [](const Line& line) { return line.number.value_or(0) > 10; });
    columns.add_costs("cost", measures, [](const Line& line, const Measure&) { return line.cost; });
    columns.add_costs_if_any("rest", measures,
                             [](const Line& line, const Measure&) { return line.cost - 7; });
    columns.add_bounded("sum", measures, [](const Line& line, const Measure&) { return line.bounded; });
    columns.add_decimal("share", [](const Line& line) { return line.number ? "0.5" : ""; });
    return columns;
}

std::vector<Line> lines() {
    return {{"a", 12, 7, BoundedCost{9, 9, 9}},
            {"", std::nullopt, 8, std::nullopt},
            {"=b", 1, 7, BoundedCost{5, 4, 6}}};
}
std::vector<Measure> measures() { return {{"Ir", {}, {}, {}, true, {}}}; }

TEST(RowColumns, are_members_in_json) {
    const auto all = measures();
    std::string text;
    JsonWriter json(text);
    json.begin_object();
    std::vector<std::size_t> rows;
    columns_of(all).write(json, "rows", lines(), [&](std::size_t row) { rows.push_back(row); });
    json.end_object();
    EXPECT_EQ(text, R"({"rows":[
  {"name":"a","number":12,"is_large":true,"cost":{"Ir":7},"sum":{"Ir":9},"share":0.5},
  {"name":null,"number":null,"is_large":false,"cost":{"Ir":8},"rest":{"Ir":1},"sum":{"Ir":null},"share":null},
  {"name":"=b","number":1,"is_large":false,"cost":{"Ir":7},"sum":{"Ir":5},"sum_bounds":{"Ir":[4,6]},"share":0.5}
 ]})");
    EXPECT_EQ(rows, (std::vector<std::size_t>{0, 1, 2}));
}

TEST(RowColumns, are_fields_in_csv) {
    const auto all = measures();
    std::string text;
    CsvWriter csv(text, CsvNames::guarded);
    columns_of(all).write(csv, lines());
    EXPECT_EQ(
        text,
        "name,number,is_large,cost_Ir,rest_Ir,sum_Ir,sum_is_exact,sum_at_least_Ir,sum_at_most_Ir,share\r\n"
        "a,12,yes,7,0,9,yes,9,9,0.5\r\n"
        ",,no,8,1,,yes,,,\r\n"
        "'=b,1,no,7,0,5,no,4,6,0.5\r\n");
}

}  // namespace
}  // namespace callcost::engine
