/// Common to commands that write profiles: output file, dialect, and notes on what the dialect cannot
/// represent.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loading/preparation.hpp"
#include "options/file_options.hpp"
#include "output/output_file.hpp"
#include "terminal/terminal.hpp"
#include <callcost/error.hpp>
#include <callcost/profile.hpp>
#include <callcost/writer.hpp>

namespace callcost::program {

/// Of the formats that are dialects.
[[nodiscard]] FileDialect dialect_of(FileFormat format);

/// The options of write_profile that the command line chooses.
[[nodiscard]] ProfileWriteOptions write_options(const FileOptions& options);

/// Why a file could not be made.
void report_unwritten(const Console& console, const std::string& path, const Error& error);

/// Has a file written, as a whole or not at all; it cannot be one of the `inputs`, nor larger than the limit
/// covers. It is compressed if its name ends in .gz or .zst. Errors are reported.
[[nodiscard]] Exit write_file(const std::string& path, std::span<const std::string> inputs,
                              const Console& console, const std::function<Result<void>(const Sink&)>& write,
                              OutputFileOptions how = {}, const engine::OutputLimit& limit = {});

/// The files that a profile is from.
[[nodiscard]] std::vector<std::string> files_of(const Profile& profile);

/// The same for a profile in the dialect asked for, with a note on what that cannot say.
[[nodiscard]] Exit write_profile_file(const std::string& path, const Profile& profile,
                                      const ProfileWriteOptions& how, std::span<const std::string> inputs,
                                      const Console& console, const engine::OutputLimit& limit);
/// The same without the note: what is omitted is added up, for one of many files.
[[nodiscard]] Exit write_profile_file(const std::string& path, const Profile& profile,
                                      const ProfileWriteOptions& how, std::span<const std::string> inputs,
                                      const Console& console, const engine::OutputLimit& limit,
                                      LeftOut& left_out);
/// What a format omitted, in a sentence; nothing if there are no items.
void note_omitted(const Console& console, std::string_view format, std::span<const std::string> items,
                  std::string_view hint);
/// The same of a dialect.
void note_left_out(const Console& console, const LeftOut& left_out, FileDialect dialect);

}  // namespace callcost::program
