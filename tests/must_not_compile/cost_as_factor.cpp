// expected: deleted function | deleted operator
#include <callcost/event_type.hpp>

callcost::Cost both(callcost::Cost first, callcost::Cost second) {
#ifdef WRONG
    return first * second;
#else
    return first * 2 + second;
#endif
}
