/// What `annotate --style=valgrind` shows, gathered in one pass over the events of a profile. Its rows are
/// not the library's functions: a row is a source file and a function's name. Lines that a function has in
/// another file (inlined code) make a row of their own, and functions of one name in one file are a single
/// row, whatever their objects. Scripts that read the layout expect these rows.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "callgrind_annotate/valgrind_layout.hpp"
#include "tables/row_tables.hpp"
#include <callcost/profile.hpp>
#include <callcost/scanner.hpp>

namespace callcost::program {

/// Rows of counts, one column per event type.
class CountRows {
  public:
    [[nodiscard]] std::uint32_t add_row();
    void add(std::uint32_t row, std::span<const Cost> costs) {
        if (costs.size() > rows_[row].written) widen(rows_[row], costs.size());
        auto* values = values_.data() + rows_[row].first;
        for (std::size_t i = 0; i < costs.size(); ++i) values[i] += costs[i];
    }
    void add(std::uint32_t row, const layout::Counts& of_others) { add(row, of_others.values); }
    void add_own(std::uint32_t row, std::uint32_t other) {
        if (rows_[other].written > rows_[row].written) widen(rows_[row], rows_[other].written);
        add(row, (*this)[other].values);
    }
    [[nodiscard]] layout::Counts operator[](std::uint32_t row) const {
        return {std::span(values_).subspan(rows_[row].first, rows_[row].written)};
    }
    [[nodiscard]] std::size_t size() const { return rows_.size(); }

  private:
    struct Row {
        std::size_t first;
        std::uint32_t written;
    };
    void widen(Row& row, std::size_t written);

    std::vector<Row> rows_;
    std::vector<Cost> values_;  // of a row as many as were written: it may have few of many events
};

/// The header lines that the layout shows; of the first part.
struct ValgrindHeader {
    std::optional<std::string> creator;
    std::string command, pid, part, thread;
    std::vector<std::string> descriptions;
};

struct ValgrindFile {
    std::string name;  ///< relative to the working directory if it is below it
    bool is_gathered = false;
    std::map<std::uint64_t, std::uint32_t> lines;  ///< row of ValgrindTable::line_costs
    struct Call {
        std::uint64_t line = 0;
        std::uint32_t callee = 0;
        std::uint32_t costs = 0;  ///< row of ValgrindTable::call_costs
        CallCount count;
    };
    std::vector<Call> calls;
};

struct ValgrindRow {
    std::uint32_t file = 0;
    std::uint32_t function = 0;  ///< of EventNames
    std::uint32_t object = 0;    ///< of EventNames
    bool is_home = false;        ///< a function is defined here, in this object
    bool is_only_called = true;  ///< without a `fn=` or a record of its own
};

/// A function, by the row where it is defined, and a row that its lines are in.
struct ValgrindCell {
    std::uint32_t home = 0, row = 0;
};

struct ValgrindArc {
    std::uint32_t caller = 0, callee = 0;
    std::uint32_t home = 0;  ///< the caller's function where it is defined: `caller` may be inlined code
    CallCount count;
};

class ValgrindTable {
  public:
    /// `wants_lines` says of a file's name whether its lines will be shown.
    ValgrindTable(Source source, ParseOptions options, std::string working_directory,
                  std::function<bool(const std::string&)> wants_lines);

    /// The whole profile. Errors: as ProfileReader::add.
    [[nodiscard]] Result<ParseResult> read();

    [[nodiscard]] std::span<const std::string> events() const { return events_; }
    [[nodiscard]] const ValgrindHeader& header() const { return header_; }
    /// What the parts' `summary:` lines say, else `totals:`, else their sums.
    [[nodiscard]] layout::Counts totals() const { return totals_[0]; }
    [[nodiscard]] bool totals_are_calculated() const { return totals_are_calculated_; }

    [[nodiscard]] std::span<const ValgrindRow> rows() const { return rows_; }
    [[nodiscard]] std::span<const ValgrindArc> arcs() const { return arcs_; }
    [[nodiscard]] std::span<const ValgrindFile> files() const { return files_; }
    [[nodiscard]] const CountRows& self() const { return self_; }  ///< by row
    [[nodiscard]] const CountRows& arc_costs() const { return arc_costs_; }
    [[nodiscard]] const CountRows& line_costs() const { return line_costs_; }
    [[nodiscard]] const CountRows& call_costs() const { return call_costs_; }
    [[nodiscard]] std::span<const ValgrindCell> cells() const { return cells_; }
    [[nodiscard]] const CountRows& cell_costs() const { return cell_costs_; }

    [[nodiscard]] std::string name(std::uint32_t row) const;    ///< "FILE:FUNCTION"
    [[nodiscard]] std::string object(std::uint32_t row) const;  ///< empty if the profile names none
    /// By the names.
    [[nodiscard]] bool name_less(std::uint32_t row, std::uint32_t other) const;

    // The events.
    void part(const PartEvent& part);
    void header(const HeaderEvent& header);
    void function(const FunctionEvent& function);
    void cost(const CostEvent& cost);
    void call(const CallEvent& call);
    void jump(const JumpEvent& jump);

  private:
    /// The costs by the columns of the table.
    std::span<const Cost> in_columns(std::span<const Cost> costs);
    void set_events(std::string_view names);
    void end_part();
    bool add_to_totals(std::string_view text);
    void finish();
    void merge_calls(std::vector<ValgrindFile::Call>& calls);
    void set_home();
    std::uint32_t cell_in(std::uint32_t file_name);
    std::uint32_t file_of(std::uint32_t name);
    std::uint32_t row_of(std::uint32_t file_name, std::uint32_t function);
    void add_line(std::uint32_t file, std::uint64_t line, std::span<const Cost> costs);

    EventReader reader_;
    std::string working_directory_;
    std::function<bool(const std::string&)> wants_lines_;

    std::vector<std::string> events_;
    std::unordered_map<std::string, std::size_t> event_columns_;  // by name
    std::vector<std::size_t> columns_;  ///< of the part: which column of the table each is
    bool columns_are_all_ = true;       ///< and they are the first ones in their order
    std::vector<Cost> reordered_;
    ValgrindHeader header_;
    std::size_t parts_ = 0;

    CountRows totals_;  ///< one row
    std::string summary_of_part_, totals_of_part_;
    bool totals_are_calculated_ = false;

    std::vector<ValgrindFile> files_;
    std::vector<std::uint32_t> file_by_name_;  ///< EventNames -> files_
    std::unordered_map<std::string, std::uint32_t> file_by_text_;
    std::vector<ValgrindRow> rows_;
    engine::KeyRows row_by_names_;  ///< file, function
    std::vector<ValgrindArc> arcs_;
    engine::KeyRows pairs_, arc_by_rows_;  ///< caller and callee; these and home
    std::vector<ValgrindCell> cells_;
    engine::KeyRows cell_by_home_and_file_;
    CountRows self_, cell_costs_, arc_costs_, line_costs_, call_costs_;

    FunctionEvent function_;
    bool has_objects_ = false;  ///< the profile names any
    std::uint32_t home_ = 0;    ///< its row, if has_home_
    bool has_home_ = false, has_cell_ = false;
    std::uint32_t cell_file_name_ = 0, cell_ = 0;  ///< of the last record, if has_cell_
};

}  // namespace callcost::program
