/// The files that the tool wrote: which are there, and of which process.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace callcost::program {

/// The process that a file is of, by its name: `PREFIX123`, `PREFIX123.4` (a dump) or `PREFIX123-05` (a
/// thread); 0 if it is none.
[[nodiscard]] pid_t process_of_file(std::string_view path, std::string_view prefix);

/// By process, the dumps of each in the order in which they were written. What the tool left empty is none
/// of them, and is removed unless the data are in several files beside it; a lone dump gets its name.
[[nodiscard]] std::map<pid_t, std::vector<std::string>> written_files(const std::string& prefix,
                                                                      const std::vector<pid_t>& processes);

/// Renames `PREFIX123.4` to `NAME.4`, and an empty `PREFIX123`; the error is what the system says.
[[nodiscard]] std::string rename_files(std::vector<std::string>& files, const std::string& prefix,
                                       pid_t process, const std::string& name);

}  // namespace callcost::program
