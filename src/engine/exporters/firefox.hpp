/// The JSON of the Firefox Profiler, as profiler.firefox.com saves it ("processed").
#pragma once

#include "exporters/stacks.hpp"
#include <callcost/source.hpp>

namespace callcost::engine {

/// Writes one file with a thread per measure, whose samples are the paths of its tree from the roots down and
/// whose weights add up to exactly its cost: milliseconds of event types that measure time, bytes of sizes,
/// else numbers. Functions have their file, and their object as a library; there are no lines. All tables are
/// shared by the threads: version 60 of the format, which later ones are made of. The names of threads, and
/// their field `callcost`, say that they are estimated. Errors: those of the sink.
[[nodiscard]] Result<void> write_firefox(const CallGraph& graph, const StackOptions& options,
                                         const Sink& sink);

}  // namespace callcost::engine
