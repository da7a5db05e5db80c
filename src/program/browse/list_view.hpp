/// A list that fills the screen, row by row: functions, neighbours, call paths, source lines.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "answers/changed_functions.hpp"
#include "browse/key.hpp"
#include "browse/screen.hpp"
#include "query/view.hpp"
#include "terminal/text_table.hpp"
#include "text/style.hpp"
#include <callcost/call_graph.hpp>

namespace callcost::program {

/// What keys have chosen of lists, beside the query; kept when they are made anew.
struct ListSettings {
    SortBy sort = SortBy::self;  ///< of functions
    engine::ChangeOrder change_order = engine::ChangeOrder::change;
    bool is_inverted = false;  ///< the call tree: callers below
};

class ListView {
  public:
    ListView() = default;
    ListView(const ListView&) = delete;
    ListView& operator=(const ListView&) = delete;
    virtual ~ListView() = default;

    /// Numbers, then what the row is about: the last column takes what is left.
    [[nodiscard]] virtual std::vector<Column> columns() const = 0;
    [[nodiscard]] virtual std::size_t size() const = 0;
    /// A cell per column.
    [[nodiscard]] virtual std::vector<Cell> row(std::size_t row) const = 0;
    /// What is searched.
    [[nodiscard]] virtual FunctionNames names(std::size_t row) const = 0;
    /// What other lists of the row are about.
    [[nodiscard]] virtual std::optional<engine::FunctionAt> function(std::size_t row) const = 0;
    /// Where to begin.
    [[nodiscard]] virtual std::size_t first_row() const { return 0; }
    /// In words, for the last line.
    [[nodiscard]] virtual std::string note() const { return {}; }
    /// Lists all rows, where there are so many that only the first ones were. False: it had all.
    [[nodiscard]] virtual bool list_all() { return false; }
    /// What a key does to the list itself; `row` is the selected one, and may change. False: nothing.
    [[nodiscard]] virtual bool press(const Key& /*key*/, std::size_t& /*row*/) { return false; }
};

/// The heading, then rows from `first` on.
[[nodiscard]] std::vector<ScreenLine> list_lines(const ListView& list, std::size_t first, std::size_t rows,
                                                 std::size_t selected, std::size_t width,
                                                 const engine::Style& style);

}  // namespace callcost::program
