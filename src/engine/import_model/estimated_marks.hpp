/// How files that callcost exports say that their stacks were estimated from a call graph.
#pragma once

#include <string_view>

namespace callcost::engine {

/// What a comment of a pprof file begins with whose stacks were estimated from the costs of calls.
constexpr std::string_view estimated_stacks_comment = "stacks are estimated: ";
/// What such a profile of speedscope has behind the name of its event type; the share that is certain
/// follows.
constexpr std::string_view estimated_profile_mark = " (estimated from the call graph, ";

}  // namespace callcost::engine
