// expected: cannot convert | no viable conversion
#include <callcost/diff.hpp>

const callcost::FunctionMatch& callee_of(const callcost::Diff& diff, std::size_t arc) {
#ifdef WRONG
    return diff.function(arc);
#else
    return diff.function(diff.arcs()[arc].callee);
#endif
}
