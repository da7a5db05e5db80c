/// What a caller has to see to. A checked build asserts it; otherwise it costs nothing.
#pragma once

#ifdef CALLCOST_CHECKED
#include <cassert>
#define CALLCOST_EXPECTS(condition) assert(condition)
#else
#define CALLCOST_EXPECTS(condition) static_cast<void>(0)
#endif
