/// The last step of reading: names that were used before they were defined, and callees that no record
/// belongs to, find the functions meant (F32, F61).
#pragma once

#include <memory>

#include "parser/diagnostic_log.hpp"
#include "reader/profile_builder.hpp"

namespace callcost {

[[nodiscard]] std::shared_ptr<const ProfileData> finish_profile(BuildResult built, DiagnosticLog& log);

}  // namespace callcost
