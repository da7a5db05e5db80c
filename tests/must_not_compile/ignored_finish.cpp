// expected: nodiscard
#include <callcost/writer.hpp>

void end(callcost::Writer& writer) {
#ifdef WRONG
    writer.finish();
#else
    if (const auto done = writer.finish(); !done) return;
#endif
}
