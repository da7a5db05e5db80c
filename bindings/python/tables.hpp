/// Rows of the tables that Python sees: structured arrays of numpy. Memory is laid out here, once, and handed
/// over as it is; callcost/tables.py says what the fields are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <pybind11/numpy.h>

#include <callcost/call_graph.hpp>
#include <callcost/diff.hpp>
#include <callcost/event_type.hpp>
#include <callcost/groups.hpp>
#include <callcost/tree.hpp>

namespace callcost::python {

/// Bytes of a table, row by row.
class Rows {
  public:
    void reserve(std::size_t rows, std::size_t size) { bytes_.reserve(rows * size); }
    template <class Number>
    void put(Number number) {
        const auto at = bytes_.size();
        bytes_.resize(at + sizeof number);
        std::memcpy(bytes_.data() + at, &number, sizeof number);
    }
    void put(Cost cost) { put(static_cast<std::int64_t>(cost)); }
    /// In a field of eight bytes, so that the next row is aligned.
    void put(bool flag) { put(static_cast<std::uint64_t>(flag)); }

    /// An array of bytes that owns them. Needs the GIL.
    [[nodiscard]] static pybind11::array to_array(Rows rows);

  private:
    std::vector<std::byte> bytes_;
};

using MeasureList = std::vector<Measure>;

/// function, file, object, cycle; called, self, inclusive, at least.
[[nodiscard]] Rows function_rows(const CallGraph& graph, const MeasureList& measures);
/// caller, callee; called, inclusive, recursive, at least, and if the profile has any, inlined.
[[nodiscard]] Rows arc_rows(const CallGraph& graph, const MeasureList& measures);
/// function, source file; line, self. Fails with needs_detail.
[[nodiscard]] Rows line_rows(const CallGraph& graph, const MeasureList& measures);
/// The groups most expensive first by the first measure, then by name; without any, by name. Their names; and
/// cycle, functions; called, self, inclusive, at least.
struct GroupRows {
    std::vector<std::string> names;
    Rows rows;
};
[[nodiscard]] GroupRows group_rows(const CallGraph& graph, GroupBy by, const MeasureList& measures);

enum class End : std::uint8_t { caller, callee };
/// Functions that call the node, or that it calls, most expensive first by the first measure, then by call
/// count and name: arc, function, file, object; called, inclusive, recursive, counted again, at least.
[[nodiscard]] Rows neighbour_rows(const CallGraph& graph, NodeId node, End end, const MeasureList& measures);
/// Places of the calls from one function, to another, or both; one of the two may be invalid. Most expensive
/// first: caller, callee, arc, source file; line, address, called, inclusive, at least. Fails with
/// needs_detail.
[[nodiscard]] Rows site_rows(const CallGraph& graph, NodeId caller, NodeId callee, const Measure& measure);

/// Frames in preorder: parent, level, function, file, object, kind; self, inclusive, partly paid.
[[nodiscard]] Rows frame_rows(const CallGraph& graph, const Tree& tree);

/// function, tier, before, after; calls, self and inclusive cost before and after, and the difference of
/// costs.
[[nodiscard]] Rows change_rows(const Diff& diff);
/// caller, callee; calls and inclusive cost before and after, and the difference of costs.
[[nodiscard]] Rows arc_change_rows(const Diff& diff);

}  // namespace callcost::python
