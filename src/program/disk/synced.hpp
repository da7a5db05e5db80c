/// What outlasts a power failure: data and names that have been synced. errno says why if it is false.
#pragma once

#include <string>
#include <system_error>

namespace callcost::program {

/// True also where the system cannot sync.
[[nodiscard]] bool sync_file(int descriptor);
/// The names in it.
[[nodiscard]] bool sync_directory(const std::string& directory);

/// That has the name of the file.
[[nodiscard]] std::string directory_of(const std::string& path);

/// With those above that are missing, and synced: else files that are synced there would be lost with it.
[[nodiscard]] std::error_code make_directories(const std::string& path);

}  // namespace callcost::program
