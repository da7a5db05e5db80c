/// Functions as rows, of one profile or of two that are compared, and how they are written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "session/view.hpp"
#include "text/json.hpp"

namespace callcost::engine {

/// All shorter forms of a name, for boxes of any width.
enum class Labels : std::uint8_t { none, without_contexts, whole };

/// How a name is written beside the whole one.
struct ShownName {
    /// Of a list that has a width for names (`ShortNames`); empty: the name fits. Without a list, names of
    /// more than 60 characters are shortened.
    std::optional<std::string_view> short_name{};
    Labels labels = Labels::none;
};

/// The names of rows that stand together, for the width that the question says (`name_width`).
class ShortNames {
  public:
    ShortNames(std::size_t width, const std::vector<std::string_view>& names);
    /// By the place in the list.
    [[nodiscard]] ShownName operator[](std::size_t row) const;

  private:
    std::vector<std::string> names_;  // empty without a width
};
[[nodiscard]] std::size_t name_width(Question& question);

/// The functions of a view: the nodes of the call graph, or the matches of a comparison.
class FunctionRows {
  public:
    explicit FunctionRows(const View& view) : view_(view) {}

    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] std::string_view name(std::size_t row) const;
    [[nodiscard]] FunctionNames names(std::size_t row) const;
    [[nodiscard]] bool is_listed(std::size_t row) const;
    /// A column by its number; of the old profile 0 without one.
    [[nodiscard]] Change self(std::size_t row, std::size_t column) const;
    [[nodiscard]] Change inclusive(std::size_t row, std::size_t column) const;
    struct Counts {
        CallCount before, after;
    };
    [[nodiscard]] Counts call_count(std::size_t row) const;
    /// Inclusive cost by the first column per call; nothing if that is not known.
    [[nodiscard]] std::optional<double> per_call(std::size_t row) const;
    [[nodiscard]] std::optional<double> per_call_before(std::size_t row) const;

    /// Writes the row as an object of the protocol.
    void write(JsonWriter& json, std::size_t row, const ShownName& shown = {}) const;

    /// The row of a function.
    [[nodiscard]] std::size_t row_of(FunctionAt function) const;
    /// Its match; only in a comparison.
    [[nodiscard]] MatchId match_of(FunctionAt function) const;

  private:
    [[nodiscard]] const FunctionMatch* match(std::size_t row) const;
    void write_match(JsonWriter& json, std::size_t row, const ShownName& shown) const;
    void write_most(JsonWriter& json, std::size_t row) const;

    const View& view_;
};

/// The members that say which function it is, inside of an object.
void write_identity(JsonWriter& json, const Side& side, NodeId node, bool is_before,
                    const ShownName& shown = {});
/// The same as an object of its own.
void write_function(JsonWriter& json, const Side& side, NodeId node, bool is_before = false,
                    const ShownName& shown = {});

/// `"NAME": 12` and, if there are others that are not counted, `"AT_LEAST": true`; null if none is counted.
void write_count(JsonWriter& json, std::string_view name, const CallCount& count, std::string_view at_least);

/// Cost per call; nothing if it is not known how many calls there were.
[[nodiscard]] std::optional<double> cost_per_call(Cost cost, const CallCount& count);

/// A list of costs by columns, null for those that are not additive.
template <class Cost>
void write_sums(JsonWriter& json, std::string_view name, const std::vector<Measure>& columns, Cost cost) {
    json.key(name);
    json.begin_array();
    for (std::size_t column = 0; column < columns.size(); ++column) {
        if (columns[column].additive) {
            json.value(cost(column));
        } else {
            json.null();
        }
    }
    json.end_array();
}

/// A list of costs by columns, null for event types that the profile does not have.
template <class Cost>
void write_costs(JsonWriter& json, std::string_view name, const std::vector<Measure>& columns, Cost cost) {
    json.key(name);
    json.begin_array();
    for (std::size_t column = 0; column < columns.size(); ++column) {
        if (is_missing(columns[column])) {
            json.null();
        } else {
            json.value(cost(column));
        }
    }
    json.end_array();
}

}  // namespace callcost::engine
