// expected: cannot convert | no viable conversion
#include <callcost/call_graph.hpp>

std::string_view name_of(const callcost::CallGraph& graph, callcost::FunctionId function) {
#ifdef WRONG
    return graph.name(function);
#else
    return graph.name(graph.node_of(function));
#endif
}
