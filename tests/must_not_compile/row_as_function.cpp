// expected: cannot convert | no viable conversion
#include <callcost/call_graph.hpp>

std::string_view first(const callcost::CallGraph& graph) {
#ifdef WRONG
    return graph.name(0);
#else
    return graph.name(callcost::NodeId(0U));
#endif
}
