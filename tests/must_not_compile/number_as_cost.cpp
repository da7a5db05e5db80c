// expected: cannot convert | no viable conversion | could not convert | conversion from
#include <callcost/event_type.hpp>

callcost::Cost in_cents(double euros) {
#ifdef WRONG
    return 100 * euros;
#else
    return static_cast<int>(100 * euros);
#endif
}
