/// What the writers are tested with.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "exporters/stacks.hpp"
#include "unit/library/call_graph/questions.hpp"

namespace callcost::test {

/// Profiles of several kinds: trees that are certain and trees that are not, recursion, rounding, several
/// event types, a name that is no UTF-8, one without calls.
inline const std::vector<std::string> converted_profiles = {"callgrind/paths.out",
                                                            "callgrind/all-events.out",
                                                            "callgrind/names-latin1-utf8-long.out",
                                                            "xdebug/plain.cachegrind.out",
                                                            "callgrind/sepcallers1-seprecs3.out",
                                                            "cachegrind/branch.out",
                                                            "stackprof/cpu.callgrind",
                                                            "hostile/html-names.out",
                                                            "yappi/cpu.callgrind"};

/// A sink that keeps everything; `error` makes it fail.
inline Sink failing_sink() {
    return [](std::string_view) -> Result<void> {
        return tl::unexpected(Error{.code = ErrorCode::read_failed, .detail = "no space left"});
    };
}

inline std::vector<Measure> additive_measures(const CallGraph& graph) {
    engine::StackOptions options;
    for (std::size_t event = 0; event < graph.profile().events().size(); ++event)
        options.measures.push_back(measure_of(graph.profile(), graph.profile().events()[event].name));
    return engine::measures_of(graph, options);
}

}  // namespace callcost::test
