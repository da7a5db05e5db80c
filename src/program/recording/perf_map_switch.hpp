/// Runtimes that compile code while they run, and say for perf which.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "recording/program_file.hpp"

namespace callcost::program {

/// What makes a runtime write a map.
struct PerfMapSwitch {
    std::vector<std::string> options{};      ///< behind its name
    std::vector<std::string> environment{};  ///< NAME=VALUE
};
/// Nothing if the program is none of them: options are for those only that have a runtime's name and symbols.
[[nodiscard]] std::optional<PerfMapSwitch> perf_map_switch(const ProgramFile& file);

/// Where a process writes its map.
[[nodiscard]] std::string perf_map_of(pid_t process);

}  // namespace callcost::program
