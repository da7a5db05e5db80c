/// Which files are one run: those that the command line names, with their other dumps and threads (F86, F87).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "options/profile_options.hpp"
#include "terminal/terminal.hpp"

namespace callcost::program {

/// The files of the command line: a file, or the newest run of a directory, each with its other parts if
/// requested; without any, the newest run here. Says what it chose, and if there is none: then it is empty.
[[nodiscard]] std::vector<std::vector<std::string>> file_sets(const InputOptions& options,
                                                              const Console& console);

/// Other files of the same runs.
[[nodiscard]] std::vector<std::string> other_files_of_runs(const std::vector<std::string>& files);
/// Notes those that are not among `files`: they are never added silently. Nothing beside what has `failed`.
void point_at_unnamed_parts(const std::vector<std::string>& files, const std::vector<std::string>& failed,
                            const Console& console);
/// Whether the file is empty and its data are in files beside it: Callgrind leaves an empty file if each
/// thread has its own.
[[nodiscard]] bool is_empty_base(const std::string& file, const std::vector<std::string>& named);

[[nodiscard]] std::vector<std::string> without(std::vector<std::string> files,
                                               const std::vector<std::string>& others);
[[nodiscard]] std::string in_quotes(std::string_view path);
/// The first few names in a sentence.
[[nodiscard]] std::string listed_files(const std::vector<std::string>& paths);

}  // namespace callcost::program
