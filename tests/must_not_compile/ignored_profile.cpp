// expected: nodiscard
#include <callcost/read.hpp>

int main() {
#ifdef WRONG
    callcost::read_profile(callcost::from_memory("events: Ir\n"));
#else
    return callcost::read_profile(callcost::from_memory("events: Ir\n")).has_value();
#endif
}
