/// @file callcost.hpp
/// Everything, for programs that do not mind.
#pragma once

#include "callcost/call_graph.hpp"
#include "callcost/diagnostic.hpp"
#include "callcost/error.hpp"
#include "callcost/event_type.hpp"
#include "callcost/lines.hpp"
#include "callcost/profile.hpp"
#include "callcost/read.hpp"
#include "callcost/scanner.hpp"
#include "callcost/source.hpp"
#include "callcost/version.hpp"
