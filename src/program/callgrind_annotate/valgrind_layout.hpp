/// Costs, functions and sources in the layout of callgrind_annotate 3.19, for `--style=valgrind`: scripts
/// parse it, so every blank counts. Names and source lines are written as the bytes they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <callcost/event_type.hpp>

namespace callcost::program::layout {

/// A cost per event type of which only the first `written` stand in the profile; the others are shown as ".".
struct Counts {
    std::span<const Cost> values;  // as many as were written

    [[nodiscard]] bool has(std::size_t column) const { return column < values.size(); }
    [[nodiscard]] Cost operator[](std::size_t column) const { return has(column) ? values[column] : Cost(); }
};

/// The columns that are shown, and what they are shares of.
struct CountColumns {
    std::vector<std::string> names;
    std::vector<std::size_t> events;  ///< which of Counts each of them is
    Counts totals;
    bool percentages = true;
};

/// One table: measure every row that decides about the widths, then write.
class CountTable {
  public:
    explicit CountTable(const CountColumns& columns);

    void measure(const Counts& counts);
    /// The names of the columns and what is to the right of them.
    void write_header(std::string& out, std::string_view title = {}) const;
    /// The counts and a blank; the caller goes on with the rest of the line.
    void write_counts(std::string& out, const Counts& counts) const;

  private:
    const CountColumns& columns_;
    std::vector<std::size_t> widths_;
};

/// "1,234" and "(12.34%)" without its parentheses; a share of nothing is 0.00.
[[nodiscard]] std::string count_text(Cost count);
[[nodiscard]] std::string percentage_text(Cost part, Cost whole);

/// The title between two rules.
void write_section(std::string& out, std::string_view title);
void write_rule(std::string& out);

/// "Label:   a", with further values below the first.
void write_fact(std::string& out, std::string_view label, std::span<const std::string> values);

/// A table of one row.
void write_total(std::string& out, const CountColumns& columns, const Counts& counts, std::string_view title);

struct LineCall {
    Counts costs;
    std::string text;  ///< "=> FILE:FUNCTION (Nx)"
};

/// What is known about a line of a source file.
struct ListedLine {
    std::uint64_t number = 0;  ///< 0: line not known
    bool has_costs = false;    ///< false: only calls
    Counts costs;
    std::vector<LineCall> calls;
};

struct SourceOptions {
    std::string_view name;
    bool is_newer = false;  ///< than the profile
    std::uint64_t context = 8;
};
/// The text of a source file around the lines that have costs. `lines` ascend.
void write_source(std::string& out, const CountColumns& columns, std::span<const ListedLine> lines,
                  std::string_view text, const SourceOptions& options);

void write_newer_warning(std::string& out, std::string_view source, std::string_view profile);

}  // namespace callcost::program::layout
