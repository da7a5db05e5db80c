/// @file callcost.hpp
/// All headers of the library, and its version.
#pragma once

#include <string_view>

#include "callcost/call_graph.hpp"
#include "callcost/change_points.hpp"
#include "callcost/check.hpp"
#include "callcost/diff.hpp"
#include "callcost/error.hpp"
#include "callcost/event_type.hpp"
#include "callcost/file.hpp"
#include "callcost/groups.hpp"
#include "callcost/inlining.hpp"
#include "callcost/lines.hpp"
#include "callcost/profile.hpp"
#include "callcost/read.hpp"
#include "callcost/scanner.hpp"
#include "callcost/source.hpp"
#include "callcost/tree.hpp"
#include "callcost/writer.hpp"

namespace callcost {

/// The version of the library that the program runs with, such as "0.1.0".
[[nodiscard]] CALLCOST_API std::string_view version();

}  // namespace callcost
