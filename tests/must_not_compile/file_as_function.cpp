// expected: cannot convert | no viable conversion
#include <callcost/profile.hpp>

bool is_known(const callcost::Profile& profile, callcost::FileId file, callcost::FunctionId function) {
#ifdef WRONG
    return profile.has_records(file) && profile.has_records(function);
#else
    return !profile.name(file).empty() && profile.has_records(function);
#endif
}
