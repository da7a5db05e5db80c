/// pprof's profile.proto: read by `go tool pprof`, speedscope, Perfetto, Pyroscope and others, all of which
/// expect it compressed by gzip, though most do without.
#pragma once

#include "exporters/stacks.hpp"
#include <callcost/source.hpp>

namespace callcost::engine {

/// Writes one file in which every measure is a sample type, the first of them the default one. Stacks are the
/// paths of the measures' estimated trees, and a comment says so (`pprof -comments`); a path
/// that is in the trees of several measures is one sample. The values are integers, those of
/// estimated_stacks (exporters/stacks.hpp), which also says what becomes of what is not expanded or
/// unbalanced. The object of a function is its mapping.
///
/// Samples end on source lines (exporters/source_lines.hpp), so that `pprof -list` shows every line with its
/// cost. A function that inlines from other files is there once more for each of these files, under its own
/// name, which pprof takes for one function unless files are asked for. Lines need Detail::full.
///
/// The tree is always unrolled from the roots down, whatever `options.tree.direction` is. Errors: those of
/// the sink.
[[nodiscard]] Result<void> write_pprof(const CallGraph& graph, const StackOptions& options, const Sink& sink);

}  // namespace callcost::engine
