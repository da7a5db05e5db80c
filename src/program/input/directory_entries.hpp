/// What is in a directory. The iterators of std::filesystem are not used: where memory runs out, or reading
/// fails, they end the process.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <system_error>

namespace callcost::program {

/// Of what a link leads to, but for directories.
enum class FileKind : std::uint8_t { file, directory, link_to_directory, other };

/// Calls `visit(name, kind)` for all but `.` and `..`, in the order of the file system, until it returns
/// false. "" is the working directory. The error is that of the system.
std::error_code for_each_entry(const std::string& directory,
                               const std::function<bool(std::string name, FileKind kind)>& visit);

}  // namespace callcost::program
