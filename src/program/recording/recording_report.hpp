/// What `record` says before and after a run.
#pragma once

#include <string>

#include "recording/program_file.hpp"
#include "recording/recorded_run.hpp"
#include "terminal/terminal.hpp"

namespace callcost::program {

/// Why it cannot be run: the exit status; 0 if it can. The hint is for one that there is not.
[[nodiscard]] int refuse_program(const ProgramFile& file, const std::string& name, const std::string& hint,
                                 const Console& console);
/// What its profile will lack.
void announce_limits(const ProgramFile& file, const Recording& recording,
                     const std::vector<std::string>& program, const Console& console);
/// What is incomplete, and of which processes there are profiles. The exit status if they have no costs, else
/// 0.
[[nodiscard]] int report_run(const RecordedRun& run, const Recording& recording, const Console& console);
/// Why there is no profile; returns the exit status.
[[nodiscard]] int report_missing_profile(const RecordedRun& run, const Recording& recording,
                                         const Console& console);

}  // namespace callcost::program
