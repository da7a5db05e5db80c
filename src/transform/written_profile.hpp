/// What the commands that write profiles have in common: an output file, a dialect, and what is said about
/// what did not fit.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "cli/options.hpp"
#include "cli/preparation.hpp"
#include "cli/terminal.hpp"
#include <callcost/error.hpp>
#include <callcost/profile.hpp>
#include <callcost/writer.hpp>

namespace callcost::cli {

/// Of the formats that are dialects.
[[nodiscard]] FileDialect dialect_of(FileFormat format);

/// The options of write_profile that the command line chooses.
[[nodiscard]] ProfileWriteOptions write_options(const FileOptions& options);

/// Has a file written, as a whole or not at all. What failed has been said.
[[nodiscard]] Exit write_file(const std::string& path, const Options& options, const Console& console,
                              const std::function<Result<void>(const Sink&)>& write);

/// The same for a profile in the dialect asked for, with a note on what that cannot say.
[[nodiscard]] Exit write_profile_file(const std::string& path, const Profile& profile,
                                      const ProfileWriteOptions& how, const Options& options,
                                      const Console& console);

}  // namespace callcost::cli
