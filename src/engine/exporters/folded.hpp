/// Collapsed stacks, the text format of FlameGraph's stackcollapse programs: `main;a;b 42`, a stack a line.
/// Read by flamegraph.pl, inferno, speedscope, Perfetto and many others. Do not give them to Firefox
/// Profiler: it adds as many samples one by one as a count says.
#pragma once

#include <string>
#include <string_view>

#include <callcost/source.hpp>
#include <callcost/tree.hpp>

namespace callcost::engine {

/// Writes a line for every path of the tree that has cost of its own, in the tree's order: root first, a
/// blank before the cost, which is an integer (whole_self_costs: the counts add up to exactly the tree's
/// cost). What is not expanded is a frame of its own, "(not expanded)"; what is unbalanced is omitted. In
/// names `;` becomes `:`, control characters become blanks, an empty one becomes `?`; bytes that are not
/// UTF-8 are read as Latin-1. Of an inverted tree the stacks are written from the root, too; cost whose
/// callers are not expanded begins with the frame "(not expanded)".
///
/// The text is as long as all stacks together, so unroll the graph with StackOptions::default_tree() or less.
/// Errors: those of the sink.
[[nodiscard]] Result<void> write_folded(const CallGraph& graph, const Tree& tree, const Sink& sink);

/// A name as it is in that text.
[[nodiscard]] std::string folded_name(std::string_view bytes);

}  // namespace callcost::engine
