/// The JSON of speedscope (https://www.speedscope.app/file-format-schema.json).
#pragma once

#include "exporters/stacks.hpp"
#include <callcost/source.hpp>

namespace callcost::engine {

/// Writes one file with a "sampled" profile per measure, whose samples are the paths of its estimated tree
/// and whose weights are integers that add up to exactly its cost ("endValue"). All profiles share
/// their frames: functions by name and file. Times are in nanoseconds, microseconds, milliseconds or seconds
/// as the event type is (`10ns` becomes nanoseconds), sizes in bytes, everything else has the unit "none".
/// The names of the profiles say that they are estimated. Errors: those of the sink.
[[nodiscard]] Result<void> write_speedscope(const CallGraph& graph, const StackOptions& options,
                                            const Sink& sink);

}  // namespace callcost::engine
