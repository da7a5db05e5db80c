/// Functions and groups of them as rows, of one profile or of two that are compared, and how they are
/// written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/filtered_difference.hpp"
#include "query/view.hpp"
#include "session/question.hpp"
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
    std::string_view match{};  ///< without a list: as of `ShortNames`
};

struct NameInRow {
    std::string_view name;  ///< without its context
    std::size_t marks = 0;  ///< characters that marks and the context beside the name take
};
[[nodiscard]] NameInRow name_in_row(const Side& side, NodeId node, bool has_match_tag = false);
/// What the page writes behind a name: that the function is in a cycle, how it was matched.
[[nodiscard]] std::size_t width_of_marks(bool is_in_cycle, bool has_match_tag = false);

/// The names of rows that stand together, for the width that the question says (`name_width`).
class ShortNames {
  public:
    /// `match`: what of the names stays if it can be (`NameToShorten`).
    ShortNames(std::size_t width, const std::vector<NameInRow>& names, std::string_view match = {});
    /// By the place in the list.
    [[nodiscard]] ShownName operator[](std::size_t row) const;

  private:
    std::vector<std::string> names_;  // empty without a width
};
[[nodiscard]] std::size_t name_width(Question& question);

/// Costs of rows: those of the functions, or as far as the filters keep them.
enum class CostsOf : std::uint8_t { functions, filtered };

/// The functions of a view: the nodes of the call graph, or the matches of a comparison.
class FunctionRows {
  public:
    explicit FunctionRows(const View& view, CostsOf costs = CostsOf::functions);

    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] std::string_view name(std::size_t row) const;
    [[nodiscard]] FunctionNames names(std::size_t row) const;
    [[nodiscard]] NameInRow name_in_row(std::size_t row) const;
    /// Whether the filters keep anything of it.
    [[nodiscard]] bool is_listed(std::size_t row) const;
    /// A column by its number; of the old profile 0 without one.
    [[nodiscard]] Change self(std::size_t row, std::size_t column) const {
        return bounded_self(row, column).estimate;
    }
    [[nodiscard]] Change inclusive(std::size_t row, std::size_t column) const {
        return bounded_inclusive(row, column).estimate;
    }
    [[nodiscard]] BoundedChange bounded_self(std::size_t row, std::size_t column) const;
    [[nodiscard]] BoundedChange bounded_inclusive(std::size_t row, std::size_t column) const;
    struct Counts {
        CallCount before, after;
    };
    [[nodiscard]] Counts call_count(std::size_t row) const;
    /// Inclusive cost by the first column per call, whatever the filters keep; nothing if that is not known.
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
    void write_all_bounds(JsonWriter& json, std::size_t row) const;
    void write_inlined(JsonWriter& json, std::size_t row, const std::string& suffix, const Side& side,
                       const std::vector<NodeId>& nodes) const;
    [[nodiscard]] BoundedChange whole_inclusive(std::size_t row, std::size_t column) const;
    using KeptByColumn = std::vector<const FilteredCosts*>;  // by column; empty: costs of functions
    [[nodiscard]] BoundedChange kept(std::size_t row, std::size_t column, BoundedCosts FilteredCosts::*which,
                                     Change whole) const;

    const View& view_;
    KeptByColumn kept_after_, kept_before_;
};

/// `"NAME": [[least, most], ...]`, null where the cost is exact; nothing where all are. `which`: of which
/// profile.
template <class Bounded>
void write_bounds(JsonWriter& json, std::string_view name, std::size_t columns, Cost Change::*which,
                  Bounded bounded) {
    const auto is_exact = [&](const BoundedChange& cost) { return cost.least.*which == cost.most.*which; };
    bool are_exact = true;
    for (std::size_t column = 0; column < columns; ++column)
        are_exact = are_exact && is_exact(bounded(column));
    if (are_exact) return;
    json.key(name);
    json.begin_array();
    for (std::size_t column = 0; column < columns; ++column) {
        const BoundedChange cost = bounded(column);
        if (is_exact(cost)) {
            json.null();
            continue;
        }
        json.begin_array();
        json.value(cost.least.*which);
        json.value(cost.most.*which);
        json.end_array();
    }
    json.end_array();
}

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
