/// Asks a running Callgrind for a dump.
#pragma once

#include <sys/types.h>

namespace callcost::program {

/// Returns when it is written, or after some seconds without one.
void request_dump(pid_t process);

}  // namespace callcost::program
