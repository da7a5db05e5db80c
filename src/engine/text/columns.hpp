/// What the rows of a list consist of, said once: members of objects in JSON, fields in CSV.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "text/csv.hpp"
#include "text/json.hpp"
#include <callcost/call_graph.hpp>
#include <callcost/event_type.hpp>

namespace callcost::engine {

/// `NAME: {"Ir": 1, ...}` with the cost that `cost_of` gives for each measure, null for none.
template <class CostOf>
void write_costs(JsonWriter& json, std::string_view name, const std::vector<Measure>& measures,
                 CostOf cost_of) {
    json.key(name);
    json.begin_object();
    for (const auto& measure : measures) {
        const std::optional<Cost> cost = cost_of(measure);
        if (measures.size() <= max_costs_with_zeros || cost.value_or(0) != 0) json.member(measure.name, cost);
    }
    json.end_object();
}

/// Measures must outlive this. What a column is made by gets a row, and the measure if it has costs.
template <class Row>
class RowColumns {
  public:
    /// `value_of` yields a text (empty: null in JSON), a number, yes or no, or std::optional of one.
    template <class ValueOf>
    void add(std::string_view name, ValueOf value_of) {
        columns_.push_back({{std::string(name)},
                            [name = std::string(name), value_of](JsonWriter& json, const Row& row) {
                                json.key(name);
                                write_value(json, value_of(row));
                            },
                            [value_of](CsvWriter& csv, const Row& row) { write_value(csv, value_of(row)); }});
    }
    /// A number that is no integer, as digits; empty: not known.
    template <class DigitsOf>
    void add_decimal(std::string_view name, DigitsOf digits_of) {
        columns_.push_back({{std::string(name)},
                            [name = std::string(name), digits_of](JsonWriter& json, const Row& row) {
                                json.key(name);
                                json.decimal(digits_of(row));
                            },
                            [digits_of](CsvWriter& csv, const Row& row) { csv.decimal(digits_of(row)); }});
    }
    /// An object by event types in JSON; in CSV a column for each, such as `self_Ir`.
    template <class CostOf>
    void add_costs(std::string_view name, const std::vector<Measure>& measures, CostOf cost_of) {
        columns_.push_back({titles(name, measures),
                            [name = std::string(name), &measures, cost_of](JsonWriter& json, const Row& row) {
                                write_costs(json, name, measures,
                                            [&](const Measure& each) { return cost_of(row, each); });
                            },
                            [&measures, cost_of](CsvWriter& csv, const Row& row) {
                                for (const auto& each : measures)
                                    csv.number(std::optional<Cost>(cost_of(row, each)));
                            }});
    }
    /// The same; JSON leaves it out where all are 0.
    template <class CostOf>
    void add_costs_if_any(std::string_view name, const std::vector<Measure>& measures, CostOf cost_of) {
        add_costs(name, measures, cost_of);
        auto& column = columns_.back();
        column.json = [write = std::move(column.json), &measures, cost_of](JsonWriter& json, const Row& row) {
            const auto is_any = [&](const Measure& each) { return cost_of(row, each) != 0; };
            if (std::any_of(measures.begin(), measures.end(), is_any)) write(json, row);
        };
    }
    /// Costs that may be estimates: `bounded_of` yields std::optional<BoundedCost>. In JSON, `NAME_bounds`
    /// has
    /// `[least, most]` by event types where one is not exact; in CSV columns say whether they are, and their
    /// bounds.
    template <class BoundedOf>
    void add_bounded(std::string_view name, const std::vector<Measure>& measures, BoundedOf bounded_of) {
        const auto part_of = [bounded_of](Cost BoundedCost::*part) {
            return [bounded_of, part](const Row& row, const Measure& each) {
                const std::optional<BoundedCost> cost = bounded_of(row, each);
                return cost ? std::optional<Cost>((*cost).*part) : std::nullopt;
            };
        };
        const auto are_exact = [&measures, bounded_of](const Row& row) {
            return std::all_of(measures.begin(), measures.end(), [&](const Measure& each) {
                const std::optional<BoundedCost> cost = bounded_of(row, each);
                return !cost || cost->is_exact();
            });
        };
        const std::string of(name);
        add_costs(of, measures, part_of(&BoundedCost::estimate));
        columns_.back().json = [of, &measures, bounded_of](JsonWriter& json, const Row& row) {
            bool is_whole_exact = true;
            write_costs(json, of, measures, [&](const Measure& each) {
                const std::optional<BoundedCost> cost = bounded_of(row, each);
                is_whole_exact = is_whole_exact && (!cost || cost->is_exact());
                return cost ? std::optional<Cost>(cost->estimate) : std::nullopt;
            });
            if (is_whole_exact) return;
            json.key(of + "_bounds");
            json.begin_object();
            for (const auto& each : measures) {
                const std::optional<BoundedCost> cost = bounded_of(row, each);
                if (!cost) continue;
                json.key(each.name);
                json.begin_array();
                json.value(cost->least);
                json.value(cost->most);
                json.end_array();
            }
            json.end_object();
        };
        add(of + "_is_exact", are_exact);
        columns_.back().json = {};
        for (const auto& [suffix, part] :
             {std::pair("_at_least", &BoundedCost::least), std::pair("_at_most", &BoundedCost::most)}) {
            add_costs(of + suffix, measures, part_of(part));
            columns_.back().json = {};
        }
    }

    /// Any other: a member, and fields with these titles.
    void add(std::vector<std::string> titles, std::function<void(JsonWriter&, const Row&)> json,
             std::function<void(CsvWriter&, const Row&)> csv) {
        columns_.push_back({std::move(titles), std::move(json), std::move(csv)});
    }

    void write_members(JsonWriter& json, const Row& row) const {
        for (const auto& column : columns_)
            if (column.json) column.json(json, row);
    }
    /// `NAME: [{...}, ...]`; `write_more` may write further members, by the number of the row.
    template <class Rows>
    void write(JsonWriter& json, std::string_view name, const Rows& rows,
               const std::function<void(std::size_t row)>& write_more = {}) const {
        std::size_t number = 0;
        json.objects(name, rows, [&](const Row& row) {
            write_members(json, row);
            if (write_more) write_more(number++);
        });
    }
    /// A header and a line per row.
    template <class Rows>
    void write(CsvWriter& csv, const Rows& rows) const {
        std::vector<std::string> all;
        for (const auto& column : columns_) all.insert(all.end(), column.titles.begin(), column.titles.end());
        csv.header(all);
        for (const Row& row : rows) {
            for (const auto& column : columns_) column.csv(csv, row);
            csv.end_row();
        }
    }

  private:
    struct Column {
        std::vector<std::string> titles;  // in CSV
        std::function<void(JsonWriter&, const Row&)> json;
        std::function<void(CsvWriter&, const Row&)> csv;
    };

    static std::vector<std::string> titles(std::string_view name, const std::vector<Measure>& measures) {
        std::vector<std::string> titles;
        add_titles(titles, name, measures);
        return titles;
    }
    template <class Value>
    static void write_value(JsonWriter& json, const Value& value) {
        if constexpr (std::is_convertible_v<Value, std::string_view>) {
            json.value(if_any(value));
        } else {
            json.value(value);
        }
    }
    template <class Value>
    static void write_value(CsvWriter& csv, const Value& value) {
        if constexpr (std::is_same_v<Value, bool>) {
            csv.text(value ? "yes" : "no");
        } else if constexpr (std::is_convertible_v<Value, std::string_view>) {
            csv.text(value);
        } else if constexpr (std::is_same_v<Value, std::optional<std::string_view>>) {
            csv.text(value.value_or(std::string_view()));
        } else {
            csv.number(value);
        }
    }

    std::vector<Column> columns_;
};

}  // namespace callcost::engine
