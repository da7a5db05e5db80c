#include "callcost/callcost.hpp"

namespace callcost {

std::string_view version() { return CALLCOST_VERSION; }

}  // namespace callcost
